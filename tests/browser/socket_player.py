"""Play at a table over a socket, as the page does, to bring it to where a test begins."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from uuid import uuid4

from websockets.sync.client import ClientConnection, connect

from tests.browser.visitor import Visitor, choose_action

Position = dict[str, Any]
MAX_MOVES = 2000


class Socket:
    """A person's connection to a table."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.requests = 0
        self.id = uuid4().hex
        self.position: Position = {}
        self.receive()

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(timeout=30))
        self.position = message.get("position") or self.position
        return message

    def send(self, **command: Any) -> dict[str, Any]:
        """Send a command and return the answer."""
        self.requests += 1
        request = f"{self.id}-{self.requests}"
        self.connection.send(json.dumps({**command, "request": request}))
        while (message := self.receive()).get("request") != request:
            pass
        return message

    def act(self, action: str) -> None:
        """Play an action and wait for the next position."""
        before = self.position["version"]
        answer = self.send(type="act", version=before, action=action)
        assert answer["type"] == "ack", answer
        while self.position["version"] <= before:
            self.receive()


@contextmanager
def socket(visitor: Visitor, table: str) -> Iterator[Socket]:
    """Open a connection for the visitor, besides that of the page."""
    cookies = visitor.context.cookies(visitor.url)
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in cookies)
    url = f"ws{visitor.url[4:]}/api/tables/{table}/live"
    with connect(url, additional_headers={"Cookie": cookie}, max_size=None) as connection:
        yield Socket(connection)


def play_until(
    visitor: Visitor, table: str, is_reached: Callable[[Position], bool], seed: str = ""
) -> None:
    """Play all seats, which are the visitor's, until a position is reached or the game is over."""
    rng = Random(f"quick {seed}")
    with socket(visitor, table) as connection:
        for _ in range(MAX_MOVES):
            if connection.position["mover"] is None or is_reached(connection.position):
                return
            connection.act(choose_action(connection.position["legal"], rng))
    raise AssertionError("the position was never reached")
