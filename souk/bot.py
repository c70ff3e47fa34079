"""`souk bot`: a client that plays at a table of a server with one of the computer players.

It is also an example for authors of bots: it uses only the protocol in docs/protocol.md and
`souk.player`.
"""

import asyncio
import hashlib
import http.client
import itertools
import json
import secrets
import sys
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from souk.engine.errors import SoukError, all_of, brief
from souk.engine.game import Game
from souk.engine.state import State
from souk.games import load_game
from souk.players import Player, player
from souk.players.named_player import NamedPlayer

NO_TABLE = 4404
PROOF_NEEDED = 428
STORE_RETRY = 1.0  # seconds to wait if the server cannot persist anything
MAX_BITS = 24  # of a proof of work: about half a minute
PATIENCE = 60.0  # seconds of trying to reconnect
CONNECTION_ERRORS = (OSError, ValueError, KeyError, TypeError, http.client.HTTPException)
RETRY_CODES = ("stale", "not-your-turn", "seat-not-free", "too-fast", "not-saved", "paused")
SIT, BACK = -1, -2  # requests other than acting


class Server:
    """The HTTP requests that a bot sends before it connects to a table."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
        except ValueError:  # of brackets that do not close
            parts = urlsplit("")
        self.table = parts.path.rstrip("/").rpartition("/")[2]
        if parts.scheme not in ("http", "https") or not parts.netloc or not self.table:
            raise SoukError(f"a table's link looks like http://host/t/ID, not {brief(url)}")
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.live = f"ws{self.base[4:]}/api/tables/{self.table}/live"

    def create_bot(self, name: str) -> str:
        """Create an identity and return its token."""
        body: dict[str, Any] = {"name": name}
        try:
            try:
                return self._new_token(body)
            except urllib.error.HTTPError as error:
                if error.code != PROOF_NEEDED:
                    raise
                proof = json.load(error)["proof"]
            solution = solve(proof["challenge"], proof["bits"])
            return self._new_token(body | {"proof": solution})
        except urllib.error.HTTPError as error:
            raise SoukError(f"{self.base} gives no identity: {_message(error)}") from None
        except CONNECTION_ERRORS as error:
            reason = getattr(error, "reason", error)  # urllib wraps it in a URLError
            raise SoukError(f"{self.base} cannot be reached: {reason}") from None

    def _new_token(self, body: dict[str, Any]) -> str:
        headers = {"Content-Type": "application/json"}
        return str(self._request("/api/bots", json.dumps(body).encode(), headers)["token"])

    def check_token(self, token: str) -> str:
        """Return whose token it is; raise SoukError if it is not valid at this server."""
        try:
            if token.isascii() and token.isprintable():  # otherwise it cannot be sent
                headers = {"Authorization": f"Bearer {token}"}
                return str(self._request("/api/me", None, headers)["id"])
        except urllib.error.HTTPError as error:
            if error.code != 401:
                raise SoukError(f"{self.base} cannot check the token: {_message(error)}") from None
        except CONNECTION_ERRORS as error:
            reason = getattr(error, "reason", error)  # urllib wraps it in a URLError
            raise SoukError(f"{self.base} cannot be reached: {reason}") from None
        raise SoukError(f"this token is not valid at {self.base}")

    def _request(self, path: str, body: bytes | None, headers: dict[str, str]) -> dict[str, Any]:
        request = urllib.request.Request(f"{self.base}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            reply: dict[str, Any] = json.load(answer)
            return reply


def solve(challenge: str, bits: int) -> dict[str, str]:
    """Return a challenge with its solution, which a new identity needs while a server is busy.

    >>> solve("example", 8)
    {'challenge': 'example', 'solution': '20'}
    """
    if bits > MAX_BITS:
        raise SoukError(f"it asks for a proof of work of {bits} bits; at most {MAX_BITS} are done")
    for number in itertools.count():
        digest = hashlib.sha256(f"{challenge}:{number}".encode()).digest()
        if int.from_bytes(digest, "big") >> (256 - bits) == 0:
            return {"challenge": challenge, "solution": str(number)}
    raise AssertionError("some number is a solution")


def _message(error: urllib.error.HTTPError) -> str:
    try:
        message: str = json.load(error)["message"]
        return message
    except (ValueError, KeyError, TypeError):
        return f"it answers {error.code}"


class TableClient(ABC):
    """A player at a table, until the game is over. A subclass decides how to act."""

    def __init__(self, server: Server, token: str, seat: int | None = None) -> None:
        self.server = server
        self.headers = {"Authorization": f"Bearer {token}"}
        self.me = ""  # known when it plays
        self._token = token
        self.seat = seat  # None: any free seat
        self._game: Game | None = None
        self._last_event: int | None = None
        self._table: dict[str, Any] = {}
        self._position: dict[str, Any] | None = None
        self._state: State | None = None  # as last requested, with its history
        self._steps: list[str] = []  # actions since then
        run = secrets.token_hex(4)  # request ids must be unique across restarts
        self._requests = (f"{run}.{number}" for number in itertools.count())
        self._waited = 0.0  # seconds of trying to reconnect
        self._pending: int | None = None  # a version that was acted on, SIT or BACK
        self._answered: int | None = None  # the last proposal that was answered
        self._answer = "none"  # the request of that answer

    @abstractmethod
    async def _take_turn(self, socket: ClientConnection, version: int) -> None:
        """Start what leads to `_act`; until it returns, no message is read."""

    async def play(self) -> str:
        """Take a seat, play the game and return its result; reconnect if the connection breaks."""
        self.me = await asyncio.to_thread(self.server.check_token, self._token)
        while True:
            try:
                return await self._connect()
            except (OSError, ConnectionClosed, InvalidStatus) as error:
                if self._waited >= PATIENCE:
                    raise SoukError(f"{self.server.base} cannot be reached: {error}") from None
                wait = min(0.2 + self._waited / 2, 5.0)
                self._waited += wait
                await asyncio.sleep(wait)

    async def _connect(self) -> str:
        """Play over one connection until the game is over, and return its result."""
        after = "" if self._last_event is None else f"?after={self._last_event}"
        async with connect(
            self.server.live + after, additional_headers=self.headers, max_size=2**22
        ) as socket:
            self._pending = None
            async for text in socket:
                message = json.loads(text)
                self._handle(message)
                if message.get("code") == "not-saved":
                    await asyncio.sleep(STORE_RETRY)
                if self._table.get("status") == "over":
                    return self._result()
                await self._respond(socket)
        raise ConnectionClosed(None, None)

    def _handle(self, message: dict[str, Any]) -> None:
        """Update what is known of the table from a message."""
        kind = message["type"]
        if kind == "goodbye" and not message["reconnect"]:
            raise SoukError(message["reason"])
        if kind == "refused" and message.get("request") != self._answer:  # that may come too late
            if message["code"] not in RETRY_CODES:
                raise SoukError(f"the server refuses: {message['message']}")
            # A seat that cannot be taken back now is requested again after the next action.
            is_late = self._pending == BACK and message["code"] != "not-saved"
            self._pending = (self._position or {}).get("version") if is_late else None
        if kind in ("welcome", "events"):
            self._waited = 0.0
        if kind == "welcome":
            self._last_event = message["n"]
        if kind == "events":
            self._last_event = message["events"][-1]["n"] if message["events"] else self._last_event
        self._table = message.get("table") or self._table
        self._position = message.get("position") or self._position
        for event in message.get("events", []):
            self._steps += [step["action"] for step in event.get("steps", [])]

    async def _respond(self, socket: ClientConnection) -> None:
        """Send the request that the table's state calls for, if any."""
        mine = self.seats()
        if self._table["status"] == "waiting":
            if not mine and self._pending is None:
                self._pending = SIT
                await asyncio.to_thread(self._load_game)  # which may fail: before taking a seat
                await self._send(socket, {"type": "sit", "seat": self._free_seat()})
            return
        position = self._position
        if position is None or position["version"] == self._pending:
            return
        if not mine:
            raise SoukError("the game has begun without this bot")
        await self._answer_proposal(socket, mine)
        if self._table.get("paused") is not None:
            return
        taken = [number for number in mine if self._table["seats"][number]["takeover"]]
        if taken:
            if self._pending != BACK:
                self._pending = BACK
                await self._send(socket, {"type": "take-back", "seat": taken[0]})
            return
        if position["mover"] in mine:
            self._pending = position["version"]
            await self._take_turn(socket, position["version"])

    async def _act(self, socket: ClientConnection, version: int, action: str) -> None:
        await self._send(socket, {"type": "act", "version": version, "action": action})

    def seats(self) -> list[int]:
        """Return the seats that it has at the table."""
        seats = self._table.get("seats", ())
        return [seat["seat"] for seat in seats if seat["person"] == self.me]

    def _free_seat(self) -> int:
        free = [seat["seat"] for seat in self._table["seats"] if seat["kind"] == "open"]
        if not free or (self.seat is not None and self.seat not in free):
            which = "seat" if self.seat is None else f"seat {self.seat + 1}"
            raise SoukError(f"there is no free {which} at this table")
        return free[0] if self.seat is None else self.seat

    def _load_game(self) -> Game:
        """Return this table's game; raise SoukError if it cannot be played here."""
        self._game = self._game or load_game(self._table["game"])
        return self._game

    def _current_state(self) -> State:
        """Return the state of the last position, with the history of all players since the first.

        Players infer from the history how others play.
        """
        assert self._position is not None
        position, game = self._position["position"], self._load_game()
        state = self._state or game.state_from_dict(position)
        try:
            for text in self._steps if self._state else ():
                state.apply_action(state.string_to_action(text))
        except SoukError:
            pass  # the steps do not start at the known state
        if state.to_dict() != position:
            state = game.state_from_dict(position)
        self._state, self._steps = state, []
        return state

    async def _answer_proposal(self, socket: ClientConnection, mine: list[int]) -> None:
        """Agree to any proposal but a draw."""
        proposal = self._table.get("proposal")
        if proposal is None or proposal["n"] == self._answered:
            return
        if set(mine) & set(proposal["agreed"]):
            return
        self._answered = proposal["n"]
        agree = proposal["what"] != "draw"
        message = {"type": "answer", "proposal": proposal["n"], "agree": agree}
        self._answer = await self._send(socket, message)

    async def _send(self, socket: ClientConnection, message: dict[str, Any]) -> str:
        request = next(self._requests)
        await socket.send(json.dumps({**message, "request": request}))
        return request

    def _result(self) -> str:
        result = self._table["result"]
        names = [seat["name"] for seat in self._table["seats"]]
        best = [names[seat] for seat in result["ranking"][0]]
        text = f"{all_of(best)} {'wins' if len(best) == 1 else 'share the win'}"
        if result["how"] in ("drawn", "aborted"):
            text = {"drawn": "draw", "aborted": "aborted"}[result["how"]]
        scores = zip(names, result["scores"], strict=True)
        return f"{text} ({', '.join(f'{name} {score}' for name, score in scores)})"


class Bot(TableClient):
    """A computer player at a table, until the game is over."""

    def __init__(self, server: Server, token: str, level: str, seat: int | None, **limits: Any):
        super().__init__(server, token, seat)
        self.level = level
        self.limits = limits  # seconds or nodes
        self._player: Player | None = None

    def _load_game(self) -> Game:
        game = super()._load_game()
        self._player = self._player or player(self.level, game, **self.limits)
        return game

    async def _take_turn(self, socket: ClientConnection, version: int) -> None:
        await self._act(socket, version, await asyncio.to_thread(self._choose))

    def _choose(self) -> str:
        """Return the player's action."""
        state = self._current_state()
        assert self._player is not None
        return state.action_to_string(self._player.choose(state))


def run(
    url: str, *, level: str, name: str | None, seat: int | None, token: str | None, **limits: Any
) -> int:
    """Play at the table of a link until the game is over; return the exit status."""
    server = Server(url)
    if token is None:
        token = server.create_bot(name or NamedPlayer.parse(level).name)
        print(f"This bot's token, for --token after a restart: {token}", file=sys.stderr)
    print(asyncio.run(Bot(server, token, level, seat, **limits).play()))
    return 0
