"""The live side of a table: a WebSocket for each client that listens and, with a seat, plays."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import msgspec

from souk.engine.errors import SoukError
from souk.server import limits, metrics, views
from souk.server import messages as m
from souk.server.hall import Hall
from souk.server.limits import Limits
from souk.server.messages import Refusal
from souk.server.people import People
from souk.server.protocol import EXTENSION, SocketProtocol, text_frame
from souk.server.referee import Person
from souk.server.room import Room, kept, now_ms

MOST_FRAME = 16_384  # bytes of a message from a client
MOST_BAD = 20  # messages that make no sense, then the socket is closed

# Why the server closes a socket; 4000 and up are ours.
RESTART, NO_TABLE, TOO_SLOW, TOO_MUCH, NONSENSE = 1012, 4404, 4408, 4429, 4400

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Socket:
    """One client at one table."""

    def __init__(self, protocol: SocketProtocol) -> None:
        self.person: Person | None = None
        self.whose = ""  # the person or the address that limits count
        self._protocol = protocol
        self._held: list[bytes] | None = None

    @property
    def is_gone(self) -> bool:
        """Whether nobody reads any more what is sent."""
        return self._protocol.close_sent or self._protocol.transport.is_closing()

    def tell(self, frame: bytes) -> None:
        """Send a frame; whoever does not read is let go."""
        metrics.MESSAGES.sent += 1
        if self._held is not None:
            self._held.append(frame)
        elif not self._protocol.write(frame):
            self.end(TOO_SLOW, "You read too slowly.", again=True)

    def __enter__(self) -> None:
        """Hold frames back, to send them in one piece: an event and the answer that follows it."""
        self._held = []

    def __exit__(self, *_: object) -> None:
        held, self._held = self._held, None
        if held and not self._protocol.write(b"".join(held)):
            self.end(TOO_SLOW, "You read too slowly.", again=True)

    def send(self, message: Any) -> None:
        """Send a message."""
        self.tell(text_frame(views.encode(message)))

    def end(self, code: int, reason: str, *, again: bool) -> None:
        """Say why, and close."""
        metrics.CLOSED.labels(str(code)).inc()
        self._protocol.write(text_frame(views.encode(views.Goodbye(reason, again))))
        self._protocol.end(code, reason)


class Sockets:
    """All sockets of this process."""

    def __init__(self, hall: Hall, people: People, allowed: Limits, origin: str) -> None:
        self.hall = hall
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
        address = limits.network(scope["client"][0]) if scope.get("client") else "?"
        if not is_same_site(headers, self.origin):
            await _turn_away(send, 403, "foreign-page", "This comes from another site's page.")
            return
        if not self.limits.allow(limits.CONNECTIONS, address):
            await _turn_away(send, 429, "too-fast", "Too many connections at once: wait a moment.")
            return
        await send({"type": "websocket.accept"})
        socket = Socket(scope["extensions"][EXTENSION])
        try:
            socket.person = person = await kept(self.people.who(headers))
        except Refusal as refusal:
            socket.end(RESTART, refusal.sentence, again=True)
            return
        socket.whose = whose = person.id if person is not None else address
        if self.limits.is_on and self._of[whose] >= limits.MOST_SOCKETS:
            socket.end(TOO_MUCH, "You have too many tables open.", again=False)
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
            room = await self.hall.room(scope["path_params"]["id"])
            if room is None:
                socket.end(NO_TABLE, "There is no such table.", again=False)
                return
        except Refusal as refusal:  # the store has trouble
            socket.end(RESTART, refusal.sentence, again=True)
            return
        try:
            await room.join(socket, _after(scope))
            await self._listen(receive, room, socket)
        except Refusal as refusal:
            socket.end(RESTART, refusal.sentence, again=True)
        finally:
            room.leave(socket)

    async def _listen(self, receive: Receive, room: Room, socket: Socket) -> None:
        pause = 1 / limits.COMMANDS.per_second
        bad = 0
        while (event := await receive())["type"] == "websocket.receive":
            metrics.MESSAGES.received += 1
            request = None
            try:
                while not self.limits.allow(limits.COMMANDS, socket.whose):
                    if socket.is_gone:
                        return
                    await asyncio.sleep(pause)  # the network holds the rest
                command = _read(event)
                if isinstance(command, m.Ping):
                    socket.send(views.Pong(now_ms()))
                    continue
                request = command.request
                with socket:
                    socket.send(await self._answer(room, socket, command))
            except Refusal as refusal:
                metrics.REFUSALS.labels(refusal.code).inc()
                bad += refusal.code == "bad-message"
                socket.send(await _refused(room, request, refusal))
                if bad > MOST_BAD:
                    socket.end(NONSENSE, "Too many messages made no sense.", again=False)
                    return

    async def _answer(self, room: Room, socket: Socket, command: m.Command) -> Any:
        if isinstance(command, m.Preview):
            return await _preview(room, command)
        person = socket.person
        if person is None:
            raise Refusal("no-identity", "You are watching: choose a name first.")
        if isinstance(command, m.Say) and not self.limits.allow(limits.CHAT, person.id):
            raise Refusal("too-fast", "You are writing very fast: wait a moment.")
        done = await room.do(self.people.as_known(person), command)
        if isinstance(command, m.Sit):
            await room.arrive(person.id)
        return views.Ack(command.request, done.n, done.version)

    def close(self) -> None:
        """Tell everybody that the server is going down for a moment."""
        for socket in list(self.open):
            socket.end(RESTART, "The server is restarting; nothing is lost.", again=True)


async def _turn_away(send: Send, status: int, code: str, sentence: str) -> None:
    """Answer a handshake like any other request that is refused."""
    body = msgspec.json.encode({"code": code, "message": sentence})
    head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    start = "websocket.http.response.start"
    await send({"type": start, "status": status, "headers": head})
    await send({"type": "websocket.http.response.body", "body": body})


def _read(event: MutableMapping[str, Any]) -> m.AnyCommand:
    text = event.get("text")
    if text is None:
        raise Refusal("bad-message", "Messages are JSON texts, not binary.")
    try:
        return m.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal("bad-message", f"This is no message of the protocol: {error}.") from None


async def _preview(room: Room, command: m.Preview) -> views.Previewed:
    async with room.looking() as table:
        version = table.version
        if table.mover is None:
            raise Refusal("not-possible", "Nobody is to play at the moment.")
        state = table.trial()
    try:  # in a thread: a walk with many souvenirs takes a while to think through
        action = state.string_to_action(command.action)
        preview = await asyncio.to_thread(state.preview, action)
    except SoukError as error:
        raise Refusal("illegal", f"{error}.") from None
    return views.Previewed(command.request, version, preview.to_dict())


async def _refused(room: Room, request: str | None, refusal: Refusal) -> views.Refused:
    position = None
    if refusal.code in ("stale", "illegal", "not-your-turn"):
        with suppress(Refusal):  # the store has trouble, so there is nothing to show for sure
            async with room.looking() as table:
                position = views.position_view(table)
    return views.Refused(request, refusal.code, refusal.sentence, room.told, position)


def _after(scope: Scope) -> int | None:
    """The last event that a client saw, if it says so."""
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("after", [""])[0]
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def is_same_site(headers: Mapping[str, str], origin: str) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    said = headers.get("origin")
    host = headers.get("host")
    ours = (origin,) if origin else (f"http://{host}", f"https://{host}")
    return said is None or said in ours
