"""Refusals say what is wrong and what is accepted; nothing but the protocol is written."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from souk import records
from tests.cli.run_souk import run
from tests.mcp_server.mcp_client import Refused, connected

SMALL = "marrakech(players=2,rugs=3)"
COMMAND = [sys.executable, "-m", "souk", "mcp"]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
GARBAGE: list[tuple[str, dict[str, Any], str]] = [
    ("fly", {}, "there is no tool 'fly'; the tools are list_games, rules, "),
    ("list_games", {"x": 1}, "unknown field `x`; its arguments are: none"),
    ("rules", {}, "missing required field `game`; its arguments are: game, language"),
    ("rules", {"game": "chess"}, "there is no game 'chess'; choose marracash or marrakech"),
    ("rules", {"game": "marrakech(players=9)"}, "players accepts a whole number from 2 to 4"),
    ("rules", {"game": "marrakech", "language": "tlh"}, "en"),
    ("rules", {"game": "\0" * 2000}, "length <= 1000"),
    ("start_game", {"game": "marrakech", "seats": "greedy"}, "Expected `array | null`, got `str`"),
    ("start_game", {"game": SMALL, "seats": ["greedy"] * 2}, "'me' for at least one"),
    ("start_game", {"game": SMALL, "seats": ["me", "deep"]}, "choose random, novice, greedy, "),
    ("start_game", {"game": SMALL, "seats": ["me", "greedy:x=1"]}, "seconds=0.1, nodes=2000"),
    ("start_game", {"game": SMALL, "seats": ["me", "expert:weights=/x"]}, "cannot be named here"),
    ("start_game", {"game": SMALL, "seats": ["me"] * 3}, "seats are 2 for marrakech(players=2"),
    ("start_game", {"game": SMALL, "name": "…"}, "Expected `str` matching"),
    ("start_game", {"game": SMALL, "seed": -1}, "a seed is a whole number from 0 to"),
    ("start_game", {"game": SMALL, "seed": 1e99}, "Expected `int | null`"),
    ("join_table", {"link": "http://[::1/t/x"}, "a table's link looks like http://host/t/ID"),
    ("join_table", {"link": "souk"}, "a table's link looks like http://host/t/ID, not 'souk'"),
    ("join_table", {"link": "http://127.0.0.1:9/t/x"}, "http://127.0.0.1:9 cannot be reached"),
    ("read_position", {"game_id": "chess-1"}, "there is no game 'chess-1'; choose marrakech-1"),
    ("read_position", {"game_id": "marrakech-1", "wait": -1}, "Expected `float` >= 0.0"),
    ("read_position", {"game_id": "marrakech-1", "format": "svg"}, "Invalid enum value 'svg'"),
    ("read_position", {"game_id": None}, "Expected `str`, got `null` - at `$.game_id`"),
    ("act", {"game_id": "marrakech-1"}, "missing required field `action`"),
    (
        "act",
        {"game_id": "marrakech-1", "action": "up"},
        "'up' is not legal now; legal: left, ahead",
    ),
    ("act", {"game_id": "marrakech-1", "action": "c2c3"}, "'c2c3' is not legal now; legal: left"),
    ("act", {"game_id": "marrakech-1", "action": ["left"]}, "Expected `str`, got `array`"),
    ("result", {"game_id": "marrakech-1"}, "the game is not over. Model: turn Assam"),
]


@pytest.mark.asyncio
async def test_garbage_is_refused_with_what_is_accepted() -> None:
    async with connected() as caller:
        with pytest.raises(Refused, match="there is no game 'x'; start or join one first"):
            await caller.call("result", game_id="x")
        game = await caller.start(SMALL)
        before = await caller.read(game)
        for tool, arguments, expected in GARBAGE:
            with pytest.raises(Refused) as refused:
                await caller.call(tool, **arguments)
            assert expected in str(refused.value), (tool, arguments)
        assert await caller.read(game) == before, "nothing has happened"


def talk(last: int, *lines: bytes) -> list[dict[str, Any]]:
    """Send lines to `souk mcp`; return the messages that it wrote, up to the last answer."""
    answers: list[dict[str, Any]] = []
    with subprocess.Popen(COMMAND, stdin=-1, stdout=-1, stderr=-1) as server:
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write(b"\n".join([*lines, b""]))
        server.stdin.flush()
        while not answers or answers[-1].get("id") != last:
            answers.append(json.loads(server.stdout.readline()))
        assert server.communicate(timeout=60) == (b"", b"")
    assert server.returncode == 0
    return answers


def test_lines_that_are_not_messages_do_not_stop_the_server() -> None:
    answers = talk(
        3,
        b"\xff\xfe garbage",
        b"{",
        b"[]",
        b"null",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 7, "method": "souk/fly", "params": {"x": 1}}',
        b"[" * 10_000,
        json.dumps(INITIALIZE).encode(),
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": 3}}',
        b'{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "\\ud800"}}',
        b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "list_games"}}',
    )
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    by_id = {answer.get("id"): answer for answer in answers}
    assert by_id[1]["result"]["serverInfo"]["name"] == "souk"
    assert "error" in by_id[2]
    assert "marrakech" in by_id[3]["result"]["content"][0]["text"]


def test_an_interrupt_ends_it_without_a_traceback() -> None:
    with subprocess.Popen(COMMAND, stdin=-1, stdout=-1, stderr=-1) as server:
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        assert b"souk" in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == -signal.SIGINT
        assert server.stderr is not None and server.stderr.read() == b""


@pytest.mark.asyncio
async def test_a_killed_server_loses_no_finished_game(tmp_path: Path) -> None:
    save = tmp_path / "games.souk"
    others = children()
    async with connected("--save", str(save)) as caller:
        await caller.play(await caller.start(SMALL))
        game = await caller.start(SMALL)
        (server,) = children() - others
        os.kill(server, signal.SIGKILL)
        with pytest.raises(MCPError, match="Connection closed"):
            await caller.act(game, "left")
    async with connected("--save", str(save)) as caller:
        with pytest.raises(Refused, match="start or join one first"):
            await caller.read(game)
        await caller.play(await caller.start(SMALL))
    assert len(list(records.read_games(save))) == 2


def children() -> set[int]:
    tasks = Path(f"/proc/{os.getpid()}/task")
    return {int(one) for path in tasks.glob("*/children") for one in path.read_text().split()}


@pytest.mark.parametrize("name", ["games.souk.gz", "nowhere/games.souk"])
def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path: Path, name: str) -> None:
    done = run("mcp", "--save", str(tmp_path / name), code=1)
    assert done.stderr.startswith("souk: cannot ") and name in done.stderr
    assert done.stdout == ""
