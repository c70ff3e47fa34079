"""Call the tools of a real `souk mcp` process with the reference client library."""

import json
import os
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client


class Refused(Exception):
    """A tool refused a call."""


class Caller:
    """A client that calls tools."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert content.type == "text" and "Traceback" not in content.text
        if result.is_error:
            raise Refused(content.text)
        return content.text

    async def start(self, game: str, **arguments: Any) -> str:
        """Start a game; return its id."""
        return game_id(await self.call("start_game", game=game, **arguments))

    async def read(self, game: str, **arguments: Any) -> dict[str, Any]:
        return json.loads(
            await self.call("read_position", game_id=game, format="json", **arguments)
        )

    async def act(self, game: str, action: str, **arguments: Any) -> dict[str, Any]:
        options = {"game_id": game, "action": action, "format": "json", **arguments}
        return json.loads(await self.call("act", **options))

    async def play(self, game: str, seed: int = 1) -> list[dict[str, Any]]:
        """Play to the end as a trivial client does; return all readings."""
        choice = random.Random(seed)
        readings = [await self.read(game)]
        while readings[-1]["status"] != "over":
            if readings[-1]["your_turn"]:
                readings.append(await self.act(game, choose(readings[-1], choice)))
            else:
                readings.append(await self.read(game))
        return readings


def choose(reading: dict[str, Any], choice: random.Random) -> str:
    """Return a random action; of a range, its first."""
    return choice.choice(reading["legal_actions"]).partition(",")[0]


def game_id(text: str) -> str:
    return text.partition("\n")[0].removeprefix("game_id: ")


@asynccontextmanager
async def connected(
    *options: str, log: Sequence[str] = (), **environ: str
) -> AsyncIterator[Caller]:
    """Run `souk mcp` and connect to it; check the lines that it writes to standard error."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "souk", "mcp", *options], env={**os.environ, **environ}
    )
    with tempfile.TemporaryFile("w+") as errors:
        async with Client(stdio_client(parameters, errlog=errors)) as client:
            yield Caller(client)
        errors.seek(0)
        assert set(errors.read().splitlines()) == set(log)


def package(folder: Path, code: str) -> dict[str, str]:
    """Install players, the classes in a module; return the variable with which it is found."""
    (folder / "oddities.py").write_text(code)
    (folder / "oddities-1.dist-info").mkdir()
    (folder / "oddities-1.dist-info/METADATA").write_text("Name: oddities\nVersion: 1\n")
    entries = [f"{name.lower()} = oddities:{name}\n" for name in ("Chatty", "Slow", "Broken")]
    (folder / "oddities-1.dist-info/entry_points.txt").write_text(
        "[souk.players]\n" + "".join(entries)
    )
    return {"PYTHONPATH": f"{folder}{os.pathsep}{Path(__file__).parents[2]}"}
