"""Brings a table to where a test begins, without a page: by the same socket that the page has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import uuid4

from websockets.sync.client import ClientConnection, connect

from tests.browser.browsing import Visitor, wanted

Position = dict[str, Any]
MOST_MOVES = 2000


class Socket:
    """Somebody's line to a table."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.asked = 0
        self.run = uuid4().hex
        self.position: Position = {}
        self.hear()

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.line.recv(timeout=30))
        self.position = message.get("position") or self.position
        return message

    def ask(self, **command: Any) -> dict[str, Any]:
        """Ask for something; the answer."""
        self.asked += 1
        request = f"{self.run}-{self.asked}"
        self.line.send(json.dumps({**command, "request": request}))
        while (message := self.hear()).get("request") != request:
            pass
        return message

    def act(self, action: str) -> None:
        """Play, and wait for the position after it."""
        before = self.position["version"]
        answer = self.ask(type="act", version=before, action=action)
        assert answer["type"] == "ack", answer
        while self.position["version"] <= before:
            self.hear()


@contextmanager
def socket(visitor: Visitor, table: str) -> Iterator[Socket]:
    """A line of the visitor's, beside the page's own."""
    cookies = visitor.context.cookies(visitor.url)
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in cookies)
    url = f"ws{visitor.url[4:]}/api/tables/{table}/live"
    with connect(url, additional_headers={"Cookie": cookie}, max_size=None) as line:
        yield Socket(line)


def play_until(
    visitor: Visitor, table: str, enough: Callable[[Position], bool], seed: str = ""
) -> None:
    """Play all seats, which are the visitor's, until a position is as wanted or the last one."""
    rng = Random(f"quick {seed}")
    with socket(visitor, table) as line:
        for _ in range(MOST_MOVES):
            if line.position["mover"] is None or enough(line.position):
                return
            line.act(wanted(line.position["legal"], rng))
    raise AssertionError("the game never came to it")
