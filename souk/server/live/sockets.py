"""The live side of a table: a WebSocket for each client that listens and, with a seat, plays."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import msgspec

from souk.engine.errors import SoukError
from souk.engine.state import State
from souk.players import strongest
from souk.server import metrics, rate_limits
from souk.server.identities import Identities
from souk.server.live.live_table import LiveTable, failed, kept, now_ms
from souk.server.live.registry import Registry
from souk.server.live.websocket import EXTENSION, SocketProtocol, do_nothing, frame
from souk.server.rate_limits import RateLimits
from souk.server.tables import commands as m
from souk.server.tables import views
from souk.server.tables.commands import Refusal
from souk.server.tables.referee import Person
from souk.server.tables.table import Receipt, Table

MAX_FRAME = 16_384  # bytes of a message from a client
MAX_OPTIONS = 10  # of a hint
MAX_BAD = 20  # messages that make no sense, then the socket is closed

# Why the server closes a socket; 4000 and up are ours.
RESTART, NO_TABLE, TOO_SLOW, TOO_MUCH, NONSENSE = 1012, 4404, 4408, 4429, 4400

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Socket:
    """One client at one table: takes one message after the other, and answers each."""

    def __init__(self, protocol: SocketProtocol, sockets: "Sockets") -> None:
        self.person: Person | None = None
        self.whose = ""  # the person or the address that limits count
        self._room: LiveTable | None = None
        self._request = ""  # the name of the action that is under way
        self._sockets = sockets
        self._protocol = protocol
        self._inbox: deque[bytes | None] = deque()
        self._is_busy = True  # with a message, or with coming in
        self._is_at_work = False
        self._bad = 0  # messages that made no sense
        protocol.on_message = self._hear
        protocol.on_slow_reader = self._let_go
        self.tell = protocol.tell  # a frame

    # ---- sending --------------------------------------------------------------------------------

    @property
    def is_gone(self) -> bool:
        """Whether nobody reads any more what is sent."""
        return self._protocol.close_sent or self._protocol.transport.is_closing()

    def _let_go(self) -> None:
        self.end(TOO_SLOW, "You read too slowly.", reconnect=True)

    def send(self, message: Any) -> None:
        """Send a message."""
        metrics.MOVES.sent += 1
        self.tell(frame(views.encode(message)))

    def end(self, code: int, reason: str, *, reconnect: bool) -> None:
        """Say why, and close."""
        metrics.CLOSED.labels(str(code)).inc()
        self._protocol.on_slow_reader = do_nothing  # once is enough
        self.tell(frame(views.encode(views.Goodbye(reason, reconnect))))
        self._protocol.end(code, reason)

    # ---- taking messages ------------------------------------------------------------------------

    def begin(self, live: LiveTable) -> None:
        """From now on messages are about a table."""
        self._room = live
        self._free()

    def _hear(self, text: bytes | None) -> None:
        live = self._room
        if self._is_busy or self._inbox or live is None:
            self._inbox.append(text)
            self._protocol.pause()
        else:
            self._take(text, live)

    def _free(self) -> None:
        self._is_busy = False
        if self._inbox:
            self._work()
        elif self._protocol.read_paused:
            self._protocol.resume()

    def _work(self) -> None:
        """Take the messages that came, as long as each is answered at once."""
        if self._is_at_work or self._room is None:
            return
        self._is_at_work = True
        while self._inbox and not self._is_busy and not self.is_gone:
            self._take(self._inbox.popleft(), self._room)
        self._is_at_work = False
        if not self._inbox:
            self._protocol.resume()

    def _take(self, text: bytes | None, live: LiveTable) -> None:
        sockets = self._sockets
        self._is_busy = True
        if not sockets.limits.allow(rate_limits.COMMANDS, self.whose):
            self._inbox.appendleft(text)
            pause = 1 / rate_limits.COMMANDS.per_second
            asyncio.get_running_loop().call_later(pause, self._free)  # the network holds the rest
            return
        metrics.MOVES.received += 1
        try:
            command = _read(text)
        except Refusal as refusal:
            sockets.registry.start_task(self._refuse(live, None, refusal))
            return
        if isinstance(command, m.Act) and self.person is not None:  # the way of nearly all
            self._request = command.request
            live.ask(live.queued(self.person, command), self._told)
        elif isinstance(command, m.Ping):
            self.send(views.Pong(now_ms()))
            self._free()
        elif isinstance(command, m.Hint):  # a computer thinks; its person need not wait for it
            sockets.registry.start_task(self._hint(live, command))
            self._free()
        else:
            sockets.registry.start_task(self._answer(live, command))

    def _told(self, outcome: Receipt | Refusal) -> None:
        """What became of an action."""
        if isinstance(outcome, Receipt):
            self.send(views.Ack(self._request, outcome.n, outcome.version))
            self._free()
        else:
            assert self._room is not None
            self._sockets.registry.start_task(self._refuse(self._room, self._request, outcome))

    async def _answer(self, live: LiveTable, command: m.Command) -> None:
        try:
            self.send(await self._sockets.answer(live, self.person, command))
        except Refusal as refusal:
            await self._refuse(live, command.request, refusal)
        except Exception as error:  # or this client would never be answered again
            await self._refuse(live, command.request, failed(error))
        else:
            self._free()

    async def _hint(self, live: LiveTable, command: m.Hint) -> None:
        try:
            self.send(await self._sockets.hint(live, self.person, command))
        except Refusal as refusal:
            self.send(await _refused(live, command.request, refusal))

    async def _refuse(self, live: LiveTable, request: str | None, refusal: Refusal) -> None:
        metrics.REFUSALS.labels(refusal.code).inc()
        self._bad += refusal.code == "bad-message"
        self.send(await _refused(live, request, refusal))
        if self._bad > MAX_BAD:
            self.end(NONSENSE, "Too many messages made no sense.", reconnect=False)
        # Not from here: the next refusal would keep this one, by the frames of its traceback.
        asyncio.get_running_loop().call_soon(self._free)


class Sockets:
    """All sockets of this process."""

    def __init__(
        self, registry: Registry, people: Identities, allowed: RateLimits, origin: str
    ) -> None:
        self.registry = registry
        self.people = people
        self.limits = allowed
        self.origin = origin
        self.open: set[Socket] = set()
        self._of: Counter[str] = Counter()  # sockets by person or address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket, as an ASGI application does."""
        await receive()
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        address = rate_limits.network(scope["client"][0]) if scope.get("client") else "?"
        if not is_same_origin(headers, self.origin):
            await _refuse_handshake(
                send, 403, "cross-origin", "This comes from another site's page."
            )
            return
        if not self.limits.allow(rate_limits.CONNECTIONS, address):
            await _refuse_handshake(
                send, 429, "too-fast", "Too many connections at once: wait a moment."
            )
            return
        await send({"type": "websocket.accept"})
        socket = Socket(scope["extensions"][EXTENSION], self)
        try:
            socket.person = person = await kept(self.people.who(headers))
        except Refusal as refusal:
            socket.end(RESTART, refusal.sentence, reconnect=True)
            return
        socket.whose = whose = person.id if person is not None else address
        if self.limits.is_on and self._of[whose] >= rate_limits.MAX_SOCKETS:
            socket.end(TOO_MUCH, "You have too many tables open.", reconnect=False)
            return
        self.open.add(socket)
        self._of[whose] += 1
        metrics.SOCKETS.set(len(self.open))
        try:
            await self._serve(scope, receive, socket)
        finally:
            self.open.discard(socket)
            self._of[whose] -= 1
            if not self._of[whose]:
                del self._of[whose]
            metrics.SOCKETS.set(len(self.open))

    async def _serve(self, scope: Scope, receive: Receive, socket: Socket) -> None:
        try:
            live = await self.registry.get(scope["path_params"]["id"])
            if live is None:
                socket.end(NO_TABLE, "There is no such table.", reconnect=False)
                return
        except Refusal as refusal:  # the store has trouble
            socket.end(RESTART, refusal.sentence, reconnect=True)
            return
        try:
            await live.join(socket, _after(scope))
            socket.begin(live)
            while (await receive())["type"] != "websocket.disconnect":
                pass  # nobody may send before the handshake is over
        except Refusal as refusal:
            socket.end(RESTART, refusal.sentence, reconnect=True)
        finally:
            live.leave(socket)

    async def answer(self, live: LiveTable, person: Person | None, command: m.Command) -> Any:
        """Carry out a command, and say what came of it."""
        if isinstance(command, m.Preview):
            return await _preview(live, command)
        if person is None:
            raise Refusal("no-identity", "You are watching: choose a name first.")
        if isinstance(command, m.Say) and not self.limits.allow(rate_limits.CHAT, person.id):
            raise Refusal("too-fast", "You are writing very fast: wait a moment.")
        done = await live.do(self.people.with_current_name(person), command)
        if isinstance(command, m.Sit):
            await live.mark_connected(person.id)
        return views.Ack(command.request, done.n, done.version)

    async def hint(
        self, live: LiveTable, person: Person | None, command: m.Hint
    ) -> views.HintReply:
        """What the strongest computer player would do in somebody's place."""
        if person is None:
            raise Refusal("no-identity", "You are watching: choose a name first.")
        version, state = await live.look(partial(_to_play, person))
        if not self.limits.allow(rate_limits.HINTS, person.id):
            raise Refusal("too-fast", "That is much advice at once: wait a moment.")
        level = strongest(state.game.name)
        found = await self.registry.workers.analyse(state, level)
        if found is None:
            raise Refusal("not-possible", "The computer has no advice at the moment.")
        options = [views.Option(action, share) for action, share in found[:MAX_OPTIONS]]
        return views.HintReply(command.request, version, level, options)

    def close(self) -> None:
        """Tell everybody that the server is going down for a moment."""
        for socket in list(self.open):
            socket.end(RESTART, "The server is restarting; nothing is lost.", reconnect=True)


async def _refuse_handshake(send: Send, status: int, code: str, sentence: str) -> None:
    """Answer a handshake like any other request that is refused."""
    body = msgspec.json.encode({"code": code, "message": sentence})
    head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    start = "websocket.http.response.start"
    await send({"type": start, "status": status, "headers": head})
    await send({"type": "websocket.http.response.body", "body": body})


def _read(text: bytes | None) -> m.AnyCommand:
    if text is None:
        raise Refusal("bad-message", "Messages are JSON texts, not binary.")
    try:
        return m.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal("bad-message", f"This is no message of the protocol: {error}.") from None


def _to_play(person: Person, table: Table) -> tuple[int, State]:
    """What somebody looks at who is to play."""
    if table.mover is None:
        raise Refusal("not-possible", "Nobody is to play at the moment.")
    owner = table.seats[table.mover]
    if owner.person != person.id or owner.is_played_by_computer or person.is_bot:
        raise Refusal("not-your-turn", "Advice is for the person who is to play.")
    return table.version, table.trial()


async def _preview(live: LiveTable, command: m.Preview) -> views.PreviewReply:
    def trial(table: Table) -> tuple[int, State]:
        if table.mover is None:
            raise Refusal("not-possible", "Nobody is to play at the moment.")
        return table.version, table.trial()

    version, state = await live.look(trial)
    try:  # in a thread: a walk with many souvenirs takes a while to think through
        action = state.string_to_action(command.action)
        preview = await asyncio.to_thread(state.preview, action)
    except SoukError as error:
        raise Refusal("illegal", f"{error}.") from None
    return views.PreviewReply(command.request, version, preview.to_dict())


async def _refused(live: LiveTable, request: str | None, refusal: Refusal) -> views.Refused:
    position = None
    if refusal.code in ("stale", "illegal", "not-your-turn"):
        with suppress(Refusal):  # the store has trouble, so there is nothing to show for sure
            position = await live.look(views.position_view)
    return views.Refused(request, refusal.code, refusal.sentence, live.told, position)


def _after(scope: Scope) -> int | None:
    """The last event that a client saw, if it says so."""
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("after", [""])[0]
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def is_same_origin(headers: Mapping[str, str], origin: str) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    said = headers.get("origin")
    host = headers.get("host")
    ours = (origin,) if origin else (f"http://{host}", f"https://{host}")
    return said is None or said in ours
