"""`souk bot`: seats one of our computer players at a table of any server, over the open protocol.

It is also the worked example for writers of bots: everything it knows of the server is in
docs/protocol.md, and everything it knows of games is `souk.player`.
"""

import asyncio
import http.client
import itertools
import json
import secrets
import sys
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from souk.engine.errors import SoukError, brief
from souk.engine.state import State
from souk.games import load_game
from souk.players import Player, player

NO_TABLE = 4404
TROUBLE = 1.0  # seconds to wait if the server cannot keep anything
PATIENCE = 60.0  # seconds of trying to reach the server again
UNREACHED = (OSError, ValueError, KeyError, TypeError, http.client.HTTPException)
WAITED_OUT = ("stale", "not-your-turn", "seat-not-free", "too-fast", "not-saved")
SIT, BACK = -1, -2  # what was asked for, if it was not to act


class Server:
    """A server, as far as a bot needs it before it sits down."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.table = parts.path.rstrip("/").rpartition("/")[2]
        if parts.scheme not in ("http", "https") or not parts.netloc or not self.table:
            raise SoukError(f"a table's link looks like http://host/t/ID, not {brief(url)}")
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.live = f"ws{self.base[4:]}/api/tables/{self.table}/live"

    def new_bot(self, name: str) -> str:
        """A new identity: the token that proves it."""
        body = json.dumps({"name": name}).encode()
        try:
            token: str = self._ask("/api/bots", body, {"Content-Type": "application/json"})["token"]
            return token
        except urllib.error.HTTPError as error:
            raise SoukError(f"{self.base} gives no identity: {_message(error)}") from None
        except UNREACHED as error:
            raise SoukError(f"{self.base} cannot be reached: {error}") from None

    def check(self, token: str) -> None:
        """Complain unless a token proves an identity here."""
        is_wrong = not (token.isascii() and token.isprintable())  # it cannot even be sent
        try:
            if not is_wrong:
                self._ask("/api/me", None, {"Authorization": f"Bearer {token}"})
        except urllib.error.HTTPError as error:
            if error.code != 401:
                raise SoukError(f"{self.base} knows nobody: {_message(error)}") from None
            is_wrong = True
        except UNREACHED as error:
            raise SoukError(f"{self.base} cannot be reached: {error}") from None
        if is_wrong:
            raise SoukError(f"this token is not valid at {self.base}")

    def _ask(self, path: str, body: bytes | None, headers: dict[str, str]) -> dict[str, Any]:
        request = urllib.request.Request(f"{self.base}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            told: dict[str, Any] = json.load(answer)
            return told


def _message(error: urllib.error.HTTPError) -> str:
    try:
        told: str = json.load(error)["message"]
        return told
    except (ValueError, KeyError, TypeError):
        return f"it answers {error.code}"


class Bot:
    """A computer player at a table, until the game is over."""

    def __init__(self, server: Server, token: str, level: str, seat: int | None, **limits: Any):
        self.server = server
        self.headers = {"Authorization": f"Bearer {token}"}
        self.me = token.partition(".")[0]
        self.level = level
        self.wanted = seat
        self.limits = limits  # seconds or nodes
        self._player: Player | None = None
        self._seen: int | None = None  # the last event
        self._table: dict[str, Any] = {}
        self._position: dict[str, Any] | None = None
        self._state: State | None = None  # when it last acted, with the moves that led there
        self._steps: list[str] = []  # moves since then
        run = secrets.token_hex(4)  # a bot that comes back must not repeat the names of requests
        self._requests = (f"{run}.{number}" for number in itertools.count())
        self._tried = 0.0  # seconds of trying since the server last told something
        self._asked: int | None = None  # the version that was acted on, SIT or BACK

    async def play(self) -> str:
        """Sit down, play, and say how it ended. A line that breaks is taken up again."""
        while True:
            try:
                return await self._visit()
            except (OSError, ConnectionClosed, InvalidStatus) as error:
                if self._tried >= PATIENCE:
                    raise SoukError(f"{self.server.base} cannot be reached: {error}") from None
                wait = min(0.2 + self._tried / 2, 5.0)
                self._tried += wait
                await asyncio.sleep(wait)

    async def _visit(self) -> str:
        after = "" if self._seen is None else f"?after={self._seen}"
        async with connect(
            self.server.live + after, additional_headers=self.headers, max_size=2**22
        ) as line:
            self._asked = None
            async for text in line:
                message = json.loads(text)
                self._take_in(message)
                if message.get("code") == "not-saved":
                    await asyncio.sleep(TROUBLE)
                if self._table.get("status") == "over":
                    return self._result()
                await self._go_on(line)
        raise ConnectionClosed(None, None)

    def _take_in(self, message: dict[str, Any]) -> None:
        """Note what the server says."""
        kind = message["type"]
        if kind == "goodbye" and not message["reconnect"]:
            raise SoukError(message["reason"])
        if kind == "refused":
            if message["code"] not in WAITED_OUT:
                raise SoukError(f"the server refuses: {message['message']}")
            # A seat that cannot be taken back now is asked for again when the game has gone on.
            is_late = self._asked == BACK and message["code"] != "not-saved"
            self._asked = (self._position or {}).get("version") if is_late else None
        if kind in ("welcome", "events"):
            self._tried = 0.0
        if kind == "welcome":
            self._seen = message["n"]
        if kind == "events":
            self._seen = message["events"][-1]["n"] if message["events"] else self._seen
        self._table = message.get("table") or self._table
        self._position = message.get("position") or self._position
        for event in message.get("events", []):
            self._steps += [step["action"] for step in event.get("steps", [])]

    async def _go_on(self, line: ClientConnection) -> None:
        """Do whatever there is to do now."""
        mine = [seat["seat"] for seat in self._table["seats"] if seat["person"] == self.me]
        if self._table["status"] == "waiting":
            if not mine and self._asked is None:
                self._asked = SIT
                await asyncio.to_thread(self._ready)  # or complain before a seat is taken
                await self._send(line, {"type": "sit", "seat": self._free_seat()})
            return
        position = self._position
        if position is None or position["version"] == self._asked:
            return
        if not mine:
            raise SoukError("the game has begun without this bot")
        taken = [number for number in mine if self._table["seats"][number]["takeover"]]
        if taken:
            if self._asked != BACK:
                self._asked = BACK
                await self._send(line, {"type": "take-back", "seat": taken[0]})
            return
        if position["mover"] in mine:
            self._asked = position["version"]
            action = await asyncio.to_thread(self._choose, position["position"])
            act = {"type": "act", "version": position["version"], "action": action}
            await self._send(line, act)

    def _free_seat(self) -> int:
        free = [seat["seat"] for seat in self._table["seats"] if seat["kind"] == "open"]
        if not free or (self.wanted is not None and self.wanted not in free):
            which = "seat" if self.wanted is None else f"seat {self.wanted}"
            raise SoukError(f"there is no free {which} at this table")
        return free[0] if self.wanted is None else self.wanted

    def _ready(self) -> Player:
        """The player of this table's game."""
        if self._player is None:
            self._player = player(self.level, load_game(self._table["game"]), **self.limits)
        return self._player

    def _choose(self, position: dict[str, Any]) -> str:
        """What the player does. It is shown the moves of the others too, so it can read them."""
        chooser = self._ready()
        state = self._state or chooser.game.state_from_dict(position)
        try:
            for text in self._steps if self._state else ():
                state.apply_action(state.string_to_action(text))
        except SoukError:
            pass  # some of it came before what is known here
        if state.to_dict() != position:
            state = chooser.game.state_from_dict(position)
        self._state, self._steps = state, []
        return state.action_to_string(chooser.choose(state))

    async def _send(self, line: ClientConnection, message: dict[str, Any]) -> None:
        await line.send(json.dumps({**message, "request": next(self._requests)}))

    def _result(self) -> str:
        result = self._table["result"]
        names = [seat["name"] for seat in self._table["seats"]]
        scores = zip(names, result["scores"], strict=True)
        return f"{result['text']} ({', '.join(f'{name} {score}' for name, score in scores)})"


def run(
    url: str, *, level: str, name: str | None, seat: int | None, token: str | None, **limits: Any
) -> int:
    """Seat a computer player at the table that a link leads to, and play to the end."""
    server = Server(url)
    if token is None:
        token = server.new_bot(name or level)
        print(f"This bot's token, to come back with --token: {token}", file=sys.stderr)
    else:
        server.check(token)
    print(asyncio.run(Bot(server, token, level, seat, **limits).play()))
    return 0
