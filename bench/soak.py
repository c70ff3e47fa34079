"""Soak a real server: does its memory stay flat, does any table get stuck?

    python -m bench.soak [--minutes 15] [--tables 40] [--plot docs/pictures/soak.svg]

Computer players play at many tables, sockets come and go, and the server is sampled every few
seconds. All games begin together, so memory grows until every table has finished one; from then
on it should stay as it is. The exit code is 1 if it still grows, if a table makes no progress, or
if the soak is too short to tell.
"""

import argparse
import asyncio
import itertools
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from bench.plot import Line, chart

SAMPLE_SECONDS = 2.0  # between samples
STUCK_SECONDS = 45.0  # without progress
MAX_GROWTH = 0.05  # of the memory, from the time when every table has finished a game
MIN_SAMPLES = 60  # from then on
GAMES = ("marrakech(players=3)", "marrakech(players=2)", "marracash(players=4,souvenirs=True)")


@dataclass
class Soak:
    """The samples of a server over time."""

    url: str
    pid: int
    tables: int
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)  # MB
    moves: list[float] = field(default_factory=list)  # per second
    stuck: list[str] = field(default_factory=list)
    finished: list[int] = field(init=False)  # games at each table
    warm: int | None = None  # samples before every table had finished one

    def __post_init__(self) -> None:
        self.finished = [0] * self.tables

    async def run(self, seconds: float) -> None:
        """Play and sample for some seconds."""
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as client:
            bot = (await client.post("/api/bots", json={"name": "Soak"})).json()
            client.headers["Authorization"] = f"Bearer {bot['token']}"
            headers = {"Authorization": client.headers["Authorization"]}
            end = time.monotonic() + seconds
            async with asyncio.TaskGroup() as group:
                for number in range(self.tables):
                    group.create_task(self._play_games(client, headers, number, end))
                group.create_task(self._sample(client, end))

    async def _play_games(
        self, client: httpx.AsyncClient, headers: dict[str, str], number: int, end: float
    ) -> None:
        """Play one game after the other at a table."""
        pick = random.Random(number)
        for played in itertools.count():
            game = GAMES[(number + played) % len(GAMES)]
            players = int(re.findall(r"players=(\d)", game)[0])
            seats = [{"kind": "computer", "level": pick.choice(["random", "greedy"])}] * players
            body = {"game": game, "seats": seats, "start": True}
            table = (await client.post("/api/tables", json=body)).json()["table"]["id"]
            if not await self._follow(table, headers, pick, end):
                return
            self.finished[number] += 1
            if self.warm is None and all(self.finished):
                self.warm = len(self.memory)

    async def _follow(
        self, table: str, headers: dict[str, str], pick: random.Random, end: float
    ) -> bool:
        """Watch a table, with breaks, until its game ends; return False if the soak ends first."""
        live = f"ws{self.url[4:]}/api/tables/{table}/live"
        seen = ""
        while time.monotonic() < end:
            async with connect(live + seen, additional_headers=headers, max_size=None) as socket:
                leave = time.monotonic() + pick.uniform(0.5, 10)
                while time.monotonic() < min(leave, end):
                    try:
                        message = json.loads(await asyncio.wait_for(socket.recv(), STUCK_SECONDS))
                    except TimeoutError:
                        self.stuck.append(table)
                        return False
                    if (message.get("table") or {}).get("status") == "over":
                        return True
                    events = message.get("events") or [{"n": message.get("n")}]
                    seen = f"?after={events[-1]['n']}"
        return False

    async def _sample(self, client: httpx.AsyncClient, end: float) -> None:
        started = time.monotonic()
        before, at = 0.0, started
        while time.monotonic() < end:
            await asyncio.sleep(SAMPLE_SECONDS)
            text = (await client.get("/metrics")).text
            acted = re.search(r'souk_entries_total\{kind="acted"\} (\S+)', text)
            now, total = time.monotonic(), float(acted[1]) if acted else 0.0
            self.seconds.append(now - started)
            self.memory.append(_memory(self.pid))
            self.moves.append((total - before) / (now - at))
            before, at = total, now

    def growth(self) -> float | None:
        """Return the growth of memory once warm, by a linear fit; None if too short to tell."""
        if self.warm is None or len(self.memory) - self.warm < MIN_SAMPLES:
            return None
        xs, ys = self.seconds[self.warm :], self.memory[self.warm :]
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        slope = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
        slope /= sum((a - x) ** 2 for a in xs)
        return slope * (xs[-1] - xs[0]) / y

    def report(self) -> str:
        """Return a report of a few lines."""
        growth = self.growth()
        if self.warm is None:
            memory = (
                f"{self.finished.count(0)} tables have not finished a game yet: too short to tell"
            )
        elif growth is None:
            memory = "every table has finished a game only just now: too short to tell"
        else:
            since = self.seconds[self.warm] / 60
            memory = f"{growth:+.1%} since minute {since:.1f}, when every table had finished a game"
        speed = sum(self.moves) / len(self.moves)
        return "\n".join(
            (
                f"{sum(self.finished)} games, {speed:.0f} moves a second",
                f"memory: {self.memory[-1]:.0f} MB; {memory}",
                f"stuck tables: {len(self.stuck)} {' '.join(self.stuck)}",
            )
        )


def _memory(pid: int) -> float:
    """Return the resident memory of a process in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "souk", "serve", "--port", "0", "--no-limits"]
        command += ["--database", f"{folder}/souk.db", "--log-level", "warning"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            soak = Soak(url, server.pid, given.tables)
            asyncio.run(soak.run(60 * given.minutes))
        finally:
            server.terminate()
            server.wait(20)
    print(f"{given.minutes:g} minutes, {given.tables} tables at a time")
    print(soak.report())
    if given.plot:
        minutes = [second / 60 for second in soak.seconds]
        lines = [
            Line("memory of the server, MB", minutes, soak.memory),
            Line("moves a second", minutes, soak.moves),
        ]
        title = f"{given.tables} tables of computer players, {given.minutes:g} minutes"
        given.plot.write_text(chart(title, "minutes", lines), "utf-8")
    growth = soak.growth()
    return 1 if soak.stuck or growth is None or growth > MAX_GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
