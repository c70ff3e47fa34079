"""People who play, whatever happens: they repeat every request until it is answered."""

import asyncio
import contextlib
import itertools
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

BROKEN = (OSError, WebSocketException, TimeoutError, httpx.HTTPError)
ANSWER_SECONDS = 5.0  # then the connection counts as lost
GAMES = ("marrakech(players=2,rugs=5)", "marrakech(players=3,rugs=4)", "marracash(players=3)")


@dataclass
class Acknowledged:
    """A request that a server acknowledged."""

    table: str
    person: str
    request: str
    n: int
    version: int
    text: str  # the action, or the line of chat


@dataclass
class Ledger:
    """Everything that clients were told."""

    acknowledged: dict[tuple[str, str, str], Acknowledged] = field(default_factory=dict)
    events: dict[tuple[str, int], Any] = field(default_factory=dict)  # by table and number
    history_hashes: dict[tuple[str, int], str] = field(default_factory=dict)  # and version
    commitments: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)  # created: their host
    repeats: int = 0  # requests that were sent again after they were acknowledged
    refusals: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def acknowledge(self, one: Acknowledged) -> None:
        """Note an acknowledgement; a second one must be the same."""
        before = self.acknowledged.setdefault((one.table, one.person, one.request), one)
        if before != one:
            self.problems.append(f"changed: {before} was acknowledged again as {one}")

    def receive(self, table: str, message: dict[str, Any]) -> None:
        """Note what a message says; it must agree with what anybody was told before."""
        for event in message.get("events") or ():
            self._note(self.events, (table, event["n"]), event)
        position = message.get("position")
        if position:
            key = table, position["version"]
            self._note(self.history_hashes, key, position["history_hash"])
        if message.get("table"):
            known = self.commitments.setdefault(table, message["table"]["commitment"])
            if known != message["table"]["commitment"]:
                self.problems.append(f"changed: the commitment of table {table}")

    def _note(self, notes: dict[Any, Any], key: Any, value: Any) -> None:
        if notes.setdefault(key, value) != value:
            self.problems.append(f"changed: {key} was {notes[key]}, then {value}")


class Client:
    """A person who creates tables and plays at them, one game after the other."""

    def __init__(self, ledger: Ledger, urls: list[str], seed: int) -> None:
        self.ledger = ledger
        self.urls = urls
        self.pick = random.Random(seed)
        self.person = ""
        self.headers: dict[str, str] = {}
        self.acknowledged = 0
        self.finished = 0
        self._numbers = itertools.count()
        self._pending: dict[str, Any] | None = None  # sent, and not answered
        self._after: int | None = None  # the last event that we saw
        self._last: dict[str, Any] | None = None  # the last command that was acknowledged

    async def run(self, stop: asyncio.Event) -> None:
        """Play until told to stop."""
        await self._post("/api/bots", {"name": "Chaos"}, self._sign_in)
        while not stop.is_set():
            table = await self._new_table()
            self._pending, self._after = None, None
            while not stop.is_set() and not await self._play(table, stop):
                await asyncio.sleep(self.pick.uniform(0, 0.1))

    async def _post(self, path: str, body: Any, done: Any) -> None:
        """Send a request until a server carries it out."""
        while True:
            with contextlib.suppress(*BROKEN):
                url = self.pick.choice(self.urls)
                async with httpx.AsyncClient(base_url=url, timeout=ANSWER_SECONDS) as http:
                    answer = await http.post(path, json=body, headers=self.headers)
                    if answer.status_code == 201:
                        done(answer.json())
                        return
                    self.ledger.refusals[str(answer.status_code)] += 1
                    if answer.status_code != 503:
                        self.ledger.problems.append(f"{path}: {answer.status_code} {answer.text}")
            await asyncio.sleep(0.1)

    def _sign_in(self, body: dict[str, Any]) -> None:
        self.person = body["id"]
        self.headers = {"Authorization": f"Bearer {body['token']}"}

    async def _new_table(self) -> str:
        game = self.pick.choice(GAMES)
        players = int(game.partition("players=")[2][0])
        seats: list[dict[str, Any]] = [{"kind": "me"}] * players
        if self.pick.random() < 0.4:
            seats[-1:] = [{"kind": "computer", "level": "random"}]
        created: list[str] = []

        def done(body: dict[str, Any]) -> None:
            created.append(body["table"]["id"])
            self.ledger.tables[created[0]] = self.person
            self.ledger.receive(created[0], body)

        request = f"table {next(self._numbers)}"
        body = {"game": game, "seats": seats, "start": True, "absent": "never", "request": request}
        await self._post("/api/tables", body, done)
        return created[0]

    async def _play(self, table: str, stop: asyncio.Event) -> bool:
        """Play over one connection; return whether the game is over."""
        query = "" if self._after is None else f"?after={self._after}"
        url = f"ws{self.pick.choice(self.urls)[4:]}/api/tables/{table}/live{query}"
        with contextlib.suppress(*BROKEN):
            async with connect(
                url,
                additional_headers=self.headers,
                max_size=None,
                open_timeout=ANSWER_SECONDS,
                close_timeout=0.1,
                ping_interval=None,
            ) as socket:
                self._socket, self._table = socket, table
                self._status, self._position = "", None
                await self._receive()
                end = self.pick.randrange(5, 200)  # then the person reloads the page
                for _ in range(end):
                    if stop.is_set():
                        return False
                    if self._status == "over" and self._pending is None:
                        self.finished += 1
                        return True
                    await self._step()
        return False

    async def _step(self) -> None:
        """Send a command, or what was not answered, and wait for the answer."""
        repeated = None
        if self._pending is None:
            repeated = self._choose()
        command = repeated or self._pending
        if command is None:  # it is a computer player's turn
            await self._receive()
            return
        await self._socket.send(json.dumps(command))
        while True:
            message = await self._receive()
            if message.get("request") == command["request"]:
                break
        if message["type"] == "ack":
            text = command.get("action") or command["text"]
            ids = (self._table, self.person, command["request"])
            receipt = Acknowledged(*ids, message["n"], message["version"], text)
            self.ledger.acknowledge(receipt)
            self.acknowledged += 1
            if repeated is None:
                self._pending = None
                self._last = {**command, "table": self._table}
        else:
            self.ledger.refusals[message["code"]] += 1
            if message["code"] != "not-saved":
                self.ledger.problems.append(f"refused: {command} as {message['code']}")
                self._pending = None
            await asyncio.sleep(0.05)

    def _choose(self) -> dict[str, Any] | None:
        """Choose the next command; return a request to repeat, if it shall be one."""
        chance = self.pick.random()
        request = f"r{next(self._numbers)}"
        last = self._last
        if chance < 0.05 and last is not None and last["table"] == self._table:
            self.ledger.repeats += 1
            return {key: value for key, value in last.items() if key != "table"}
        position = self._position
        if chance < 0.15:
            self._pending = {"type": "say", "request": request, "text": f"line {request}"}
        elif position and position["legal"] and self._mover_is_mine():
            action = self.pick.choice(position["legal"])
            version = position["version"]
            self._pending = {
                "type": "act",
                "request": request,
                "version": version,
                "action": action,
            }
        return None

    def _mover_is_mine(self) -> bool:
        return self._position is not None and self._position["mover"] in self._seats

    async def _receive(self) -> dict[str, Any]:
        text = await asyncio.wait_for(self._socket.recv(), ANSWER_SECONDS)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "goodbye":
            raise TimeoutError  # connect again
        self.ledger.receive(self._table, message)
        if message["type"] == "welcome":
            self._after = message["n"]
        for event in message.get("events") or ():
            if self._after is not None and event["n"] > self._after + 1:
                self.ledger.problems.append(
                    f"lost: table {self._table} sent event {event['n']} after {self._after}"
                )
            self._after = max(self._after or 0, event["n"])
        if message.get("table"):
            self._status = message["table"]["status"]
            seats = message["table"]["seats"]
            self._seats = {seat["seat"] for seat in seats if seat["person"] == self.person}
        if message.get("position"):
            self._position = message["position"]
        return message
