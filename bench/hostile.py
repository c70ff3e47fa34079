"""Measure what people notice while one address attacks the server.

Some people play each other and some play `greedy`, each from an address of their own, on a server
with default limits; X-Forwarded-For gives the addresses, as a proxy would. Then another process
attacks from a single address with as many identities as it can get. It does everything expensive at
once, as fast as it is let: tables of four `master`s, hints, previews, seats, chat, control frames,
connections, identities, replays, verifications, analyses, records, rulebooks, boards and lists.

`python -m bench server` runs this; `python -m bench.hostile URL SECONDS` is the attack alone.
"""

import asyncio
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from souk.bot import solve

PAIRS = 10  # tables at which people play each other
SOLO = 5  # tables at which a person plays `greedy`
PAUSE = 0.1  # seconds between the moves of a table
ATTACKER = "203.0.113.66"
LONG_GAME = "marrakech(players=2,rugs=1000,dirhams=100000)"
KNOBS = ("marrakech(players=3,rugs={})", "marrakech(players=4,dirhams={})")
NICENESS = 10  # of the attack: in truth it has a machine of its own
ERRORS = (httpx.HTTPError, WebSocketException, OSError, KeyError, ValueError)


@dataclass
class Waits:
    """How long people waited, in milliseconds."""

    moves: list[float] = field(default_factory=list)  # for the answer to a move
    greedy: list[float] = field(default_factory=list)  # for the turn of a computer player


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile of values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


# ---- clients ------------------------------------------------------------------------------------


class Client:
    """A person with an address."""

    def __init__(self, url: str, address: str) -> None:
        self.url = url
        self.headers = {"X-Forwarded-For": address}
        self.http = httpx.AsyncClient(base_url=url, headers=self.headers, timeout=60)

    async def join(self, name: str) -> "Client":
        """Get an identity."""
        body: dict[str, Any] = {"name": name}
        answer = await self.http.post("/api/me", json=body)
        if answer.json().get("code") == "proof-needed":
            proof = answer.json()["proof"]
            body["proof"] = await asyncio.to_thread(solve, proof["challenge"], proof["bits"])
            answer = await self.http.post("/api/me", json=body)
        self.headers["Cookie"] = f"souk={answer.cookies['souk']}"
        return self

    async def table(self, game: str, seats: list[Any], *, start: bool = True) -> str:
        """Create a table."""
        body = {"game": game, "seats": seats, "start": start}
        answer = await self.http.post("/api/tables", json=body)
        return str(answer.json()["table"]["id"])

    def live(self, table: str) -> connect:
        """Return a connection to a table, to be entered."""
        url = f"ws{self.url[4:]}/api/tables/{table}/live"
        return connect(url, additional_headers=self.headers, max_size=None, open_timeout=60)


class Game:
    """A socket at a table, and the position it has seen."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.position: dict[str, Any] = {}
        self.requests = itertools.count()

    async def next(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.socket.recv())
        self.position = message.get("position") or self.position
        return message

    async def act(self) -> None:
        """Play the first legal action, and wait for the answer."""
        request = str(next(self.requests))
        fields = {"version": self.position["version"], "action": self.position["legal"][0]}
        await self.socket.send(json.dumps({"type": "act", "request": request, **fields}))
        while (await self.next()).get("request") != request:
            pass


async def measure(url: str, seconds: float) -> Waits:
    """Let people play for a while, and return how long they waited."""
    waits, until = Waits(), time.perf_counter() + seconds

    async def pair(number: int) -> None:
        person = await Client(url, f"198.51.100.{number}").join("Ada")
        table = await person.table(LONG_GAME, [{"kind": "me"}] * 2)
        async with person.live(table) as socket:
            game = Game(socket)
            await game.next()
            await asyncio.sleep(random.random() * PAUSE)
            while time.perf_counter() < until:
                started = time.perf_counter()
                await game.act()
                waits.moves.append(1000 * (time.perf_counter() - started))
                await asyncio.sleep(PAUSE)

    async def solo(number: int) -> None:
        person = await Client(url, f"198.51.100.{100 + number}").join("Ada")
        seats = [{"kind": "me"}, {"kind": "computer", "level": "greedy"}]
        table = await person.table(LONG_GAME, seats)
        async with person.live(table) as socket:
            game = Game(socket)
            await game.next()
            while time.perf_counter() < until:
                while game.position["mover"] == 0:
                    started = time.perf_counter()
                    await game.act()
                    waits.moves.append(1000 * (time.perf_counter() - started))
                started = time.perf_counter()
                while game.position["mover"] != 0:
                    await game.next()
                waits.greedy.append(1000 * (time.perf_counter() - started))
                await asyncio.sleep(PAUSE)

    await asyncio.gather(*map(pair, range(PAIRS)), *map(solo, range(SOLO)))
    return waits


def run_people(url: str, seconds: float, *, attack: bool) -> Waits:
    """Measure people on a server, alone or during an attack."""
    if not attack:
        return asyncio.run(measure(url, seconds))
    command = [sys.executable, "-m", "bench.hostile", url, str(seconds + 10)]
    with subprocess.Popen(command, stdout=sys.stderr) as process:
        try:
            time.sleep(5)  # until it has its tables and identities
            return asyncio.run(measure(url, seconds))
        finally:
            process.send_signal(signal.SIGINT)


# ---- the attack ---------------------------------------------------------------------------------


class Attack:
    """Everything expensive, from one address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.people: list[Client] = []
        self.done: Counter[str] = Counter()
        self.pick = random.Random(1)
        self.records: list[str] = []

    async def run(self, seconds: float) -> None:
        """Attack for a while, and print what was done."""
        self.people = [await self.new_person()]
        self.records = self.long_records()
        attacks: list[Callable[[], Awaitable[None]]] = [
            *(self.identities, self.masters, self.sockets, self.frames, self.seats),
            *[self.hints] * 5,
            *[self.requests] * 8,
            *[self.reviews] * 8,
        ]
        tasks = [asyncio.ensure_future(self.repeat(attack)) for attack in attacks]
        try:
            await asyncio.sleep(seconds)
        finally:
            for task in tasks:
                task.cancel()
            done = ", ".join(f"{number} {what}" for what, number in self.done.most_common())
            print(f"attack: {done}", file=sys.stderr)

    async def repeat(self, attack: Callable[[], Awaitable[None]]) -> None:
        while True:
            with suppress(*ERRORS):
                await attack()
                self.done[attack.__name__] += 1
            await asyncio.sleep(0)

    async def new_person(self) -> Client:
        return await Client(self.url, ATTACKER).join("Eve")

    def person(self) -> Client:
        return self.pick.choice(self.people)

    def long_records(self) -> list[str]:
        """Return records that are as long as the server takes them."""
        moves = "".join(f"{turn}. Ada: left, 1, a1-a2\n" for turn in range(1, 1200))
        return [
            f"game: marrakech(players=3)\n\n{moves}"[:50_000],
            "a" + " " * 60_000 + "b",
            "game: marrakech(players=2)\n" + "x: y\n" * 10_000,
        ]

    async def identities(self) -> None:
        self.people.append(await self.new_person())

    async def masters(self) -> None:
        computers = [{"kind": "computer", "level": "master"}] * 4
        await self.person().table("marrakech(players=4)", computers)

    async def hints(self) -> None:
        person = self.person()
        table = await person.table(LONG_GAME, [{"kind": "me"}] * 2)
        async with person.live(table) as socket:
            for number in range(100):
                for kind, fields in (("hint", {}), ("preview", {"action": "left"})):
                    message = {"type": kind, "request": f"{kind}{number}", **fields}
                    await socket.send(json.dumps(message))
                await socket.recv()

    async def seats(self) -> None:
        person = self.person()
        table = await person.table(LONG_GAME, [{"kind": "open"}] * 2, start=False)
        async with self.person().live(table) as socket:
            for number in range(50):
                for kind, fields in (("sit", {"seat": 1}), ("leave", {"seat": 1}), ("say", {})):
                    more = {"text": "x" * 300} if kind == "say" else fields
                    message = {"type": kind, "request": f"{kind}{number}", **more}
                    await socket.send(json.dumps(message))
                await socket.recv()

    async def sockets(self) -> None:
        table = await self.person().table(LONG_GAME, [{"kind": "me"}] * 2)
        opened = [await self.person().live(table).__aenter__() for _ in range(50)]
        await asyncio.sleep(1)
        for one in opened:
            await one.close()

    async def frames(self) -> None:
        table = await self.person().table(LONG_GAME, [{"kind": "me"}] * 2)
        async with self.person().live(table) as socket:
            for _ in range(2000):
                await socket.ping()
                await socket.send(b"\0")

    async def requests(self) -> None:
        game = self.pick.choice(KNOBS).format(self.pick.randrange(3, 40))
        name = game.partition("(")[0]
        path = self.pick.choice(
            (
                f"/api/games/{name}/rules?language=fr&game={game}",
                f"/api/games/{name}/board?game={game}",
                "/api/tables?limit=100",
                "/api/me/tables?limit=100",
                "/api/games",
                "/api/openapi.json",
            )
        )
        await self.person().http.get(path)

    async def reviews(self) -> None:
        path = self.pick.choice(("/api/verify", "/api/replay", "/api/analysis"))
        await self.person().http.post(path, json={"record": self.pick.choice(self.records)})


def main() -> None:
    """Attack a server."""
    os.nice(NICENESS)

    async def run() -> None:
        await Attack(sys.argv[1]).run(float(sys.argv[2]))

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


if __name__ == "__main__":
    main()
