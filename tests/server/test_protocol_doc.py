"""docs/protocol.md is true: its example is played against a real server."""

import json
import re
from pathlib import Path
from typing import get_args

import httpx
import pytest
from websockets.sync.client import connect

from souk.server.tables import commands
from tests.server.server_process import Server

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
ANYTHING = "…"


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def fits(shown, got):
    """Return whether a message is as shown, where … stands for anything."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict) and isinstance(got, dict):
        named = {key for key in shown if key != ANYTHING}
        is_whole = ANYTHING in shown or named == set(got)
        return is_whole and all(key in got and fits(shown[key], got[key]) for key in named)
    if isinstance(shown, list) and isinstance(got, list):
        return len(shown) == len(got) and all(map(fits, shown, got))
    return type(shown) is type(got) and shown == got


def test_the_page_is_what_a_server_does(tmp_path):
    with Server(tmp_path / "souk.db") as server, httpx.Client(base_url=server.url) as client:
        table = None
        for block in blocks("http"):
            shown_request, _, shown_answer = block.partition("\n\n")
            line, _, body = shown_request.partition("\n")
            method, path = line.split()
            answer = client.request(method, path, json=json.loads(body))
            status, _, expected = shown_answer.partition("\n")
            assert answer.status_code == int(status), answer.text
            assert fits(json.loads(expected), answer.json()), answer.text
            if "token" in answer.json():
                client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
            table = table or answer.json().get("table")
        (exchange,) = blocks("exchange")
        url = f"ws{server.url[4:]}/api/tables/{table['id']}/live"
        proof = {"Authorization": client.headers["Authorization"]}
        with connect(url, additional_headers=proof) as line:
            for shown in filter(None, exchange.splitlines()):
                if shown.startswith("> "):
                    line.send(shown[2:])
                else:
                    got = json.loads(line.recv(timeout=20))
                    assert fits(json.loads(shown), got), f"{shown}\n{got}"


@pytest.mark.parametrize("code", get_args(commands.Code))
def test_the_page_names_every_code_of_a_refusal_at_a_table(code):
    elsewhere = {"bad-table", "no-identity", "no-such-table", "no-such-link"}
    elsewhere |= {"not-at-table", "not-over", "bad-record"}
    assert code in elsewhere or f"`{code}`" in PAGE or f'"{code}"' in PAGE


def test_the_page_lists_every_command():
    known = get_args(commands.AnyCommand)
    listed = re.findall(r"^\| `([a-z-]+)` \|", PAGE.split("## Commands")[1], re.MULTILINE)
    assert sorted(listed) == sorted(command.__struct_config__.tag for command in known)
