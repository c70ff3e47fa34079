"""The sockets of live tables: each serves one client, who watches and, with a seat, plays."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import msgspec

from souk.engine.state import State
from souk.players import strongest
from souk.server import metrics, rate_limits
from souk.server.clock import now_ms
from souk.server.identities import Identities
from souk.server.live.failures import internal_error, refuse_on_failure
from souk.server.live.fair_queue import Payer
from souk.server.live.live_table import LiveTable
from souk.server.live.presence import mark_connected
from souk.server.live.registry import Registry
from souk.server.live.websocket import EXTENSION, SocketProtocol, do_nothing
from souk.server.logs import RareLog
from souk.server.origins import refusal_of_origin
from souk.server.rate_limits import RateLimits
from souk.server.tables import commands as c
from souk.server.tables import views
from souk.server.tables.commands import Refusal
from souk.server.tables.request import Person
from souk.server.tables.table import Receipt, Table

MAX_FRAME = 16_384  # bytes of a message from a client
MAX_OPTIONS = 10  # of a hint
MAX_BAD = 20  # invalid messages, then the socket is closed
SHARE_FROM = 10  # sockets: other processes learn who has so many
MAX_WAITING = 20  # moves and hints of an address; further hints are refused

# Why the server closes a socket; 4000 and up are ours.
RESTART, NO_TABLE, TOO_SLOW, TOO_MUCH, INVALID = 1012, 4404, 4408, 4429, 4400
REMOVED, LOGGED_OUT, UNREADABLE = 4403, 4401, 4410

log = logging.getLogger("souk.server")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Socket:
    """A client at a table: handles one message after the other, and answers each."""

    def __init__(self, protocol: SocketProtocol, sockets: "Sockets", address: str) -> None:
        self.person: Person | None = None
        self.session = ""  # the id of the person's session
        self.counter = 0  # of its token
        self.limit_key = address  # the person or address that rate limits count
        self.address = address
        self._live: LiveTable | None = None
        self._request = ""  # the name of the action in progress
        self._sockets = sockets
        self._protocol = protocol
        self._inbox: deque[bytes | None] = deque()
        self._is_busy = True  # with a message, or with joining the table
        self._is_processing = False  # the inbox
        self._bad = 0  # invalid messages so far
        protocol.on_message = self._on_message
        protocol.on_slow_reader = self._on_slow_reader
        protocol.charge = self._is_command_allowed
        self.send = protocol.send_message

    @property
    def payer(self) -> Payer:
        """Return to whom the work for this client is charged."""
        return Payer(self.address, self.limit_key)

    # ---- sending --------------------------------------------------------------------------------

    @property
    def is_gone(self) -> bool:
        """Return whether nobody reads any more what is sent."""
        return self._protocol.close_sent or self._protocol.transport.is_closing()

    def _on_slow_reader(self) -> None:
        self.end(TOO_SLOW, "You read too slowly.", reconnect=True)

    def answer(self, message: Any) -> None:
        """Encode and send a message to this client alone."""
        metrics.MOVES.sent += 1
        self.send(views.encode(message))

    def end(self, code: int, reason: str, *, reconnect: bool) -> None:
        """Say goodbye, and close."""
        metrics.CLOSED.labels(str(code)).inc()
        self._protocol.on_slow_reader = do_nothing  # once is enough
        self.send(views.encode(views.Goodbye(reason, reconnect)))
        self._protocol.end(code, reason)

    def remove(self, sentence: str) -> None:
        """Say goodbye to somebody who was removed from the table or from the server."""
        self.end(REMOVED, sentence, reconnect=False)

    # ---- receiving ------------------------------------------------------------------------------

    def begin(self, live: LiveTable) -> None:
        """Handle messages from now on, for a table."""
        self._live = live
        self._on_answered()

    def _on_message(self, text: bytes | None) -> None:
        live = self._live
        if self._is_busy or self._inbox or live is None:
            self._inbox.append(text)
            self._protocol.pause()
        else:
            self._handle(text, live)

    def _is_command_allowed(self) -> bool:
        """Charge one command to the person and the address."""
        return self._sockets.limits.allow(rate_limits.COMMANDS, self.limit_key, self.address)

    def _on_answered(self) -> None:
        self._is_busy = False
        if self._inbox:
            self._process_inbox()
        elif self._protocol.is_paused:
            self._protocol.resume()

    def _process_inbox(self) -> None:
        """Handle the waiting messages as long as each is answered at once."""
        if self._is_processing or self._live is None:
            return
        self._is_processing = True
        while self._inbox and not self._is_busy and not self.is_gone:
            self._handle(self._inbox.popleft(), self._live)
        self._is_processing = False
        if not self._inbox:
            self._protocol.resume()

    def _handle(self, text: bytes | None, live: LiveTable) -> None:
        sockets = self._sockets
        self._is_busy = True
        if not self._is_command_allowed():
            self._inbox.appendleft(text)
            pause = 1 / rate_limits.COMMANDS.per_second  # meanwhile the network buffers the rest
            asyncio.get_running_loop().call_later(pause, self._on_answered)
            return
        metrics.MOVES.received += 1
        try:
            command = _decode(text)
        except Refusal as refusal:
            sockets.registry.start_task(self._refuse(live, None, refusal))
            return
        if isinstance(command, c.Act) and self.person is not None:  # nearly all messages
            self._request = command.request
            live.submit(live.queued(self.person, command), self._on_acted)
        elif isinstance(command, c.Ping):
            self.answer(views.Pong(now_ms()))
            self._on_answered()
        elif isinstance(command, c.Hint):  # takes a while: other commands need not wait for it
            sockets.registry.start_task(self._hint(live, command))
            self._on_answered()
        else:
            sockets.registry.start_task(self._execute(live, command))

    def _on_acted(self, outcome: Receipt | Refusal) -> None:
        """Answer an action."""
        if isinstance(outcome, Receipt):
            self.answer(views.Ack(self._request, outcome.n, outcome.version))
            self._on_answered()
        else:
            assert self._live is not None
            self._sockets.registry.start_task(self._refuse(self._live, self._request, outcome))

    async def _execute(self, live: LiveTable, command: c.Command) -> None:
        try:
            self.answer(await self._sockets.execute(live, self, command))
        except Refusal as refusal:
            await self._refuse(live, command.request, refusal)
        except Exception as error:  # or this client would never get an answer again
            await self._refuse(live, command.request, internal_error(error))
        else:
            self._on_answered()

    async def _hint(self, live: LiveTable, command: c.Hint) -> None:
        try:
            self.answer(await self._sockets.hint(live, self, command))
        except Refusal as refusal:
            self.answer(await _refused(live, command.request, refusal))

    async def _refuse(self, live: LiveTable, request: str | None, refusal: Refusal) -> None:
        metrics.REFUSALS.labels(refusal.code).inc()
        self._bad += refusal.code == "bad-message"
        self.answer(await _refused(live, request, refusal))
        if self._bad > MAX_BAD:
            self.end(INVALID, "Too many invalid messages.", reconnect=False)
        # Not from here: the next refusal would keep this one in memory, by its traceback.
        asyncio.get_running_loop().call_soon(self._on_answered)


class Sockets:
    """The sockets of this process, as an ASGI application."""

    def __init__(
        self,
        registry: Registry,
        identities: Identities,
        limits: RateLimits,
        origin: str,
        per_address: int,
    ) -> None:
        self.registry = registry
        self.identities = identities
        self.limits = limits
        self.origin = origin
        self.per_address = per_address  # sockets
        self.open: set[Socket] = set()
        self._log = RareLog(log)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket."""
        await receive()
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        address = rate_limits.network(scope["client"][0]) if scope.get("client") else "?"
        if (why := refusal_of_origin(headers, self.origin)) is not None:
            await refuse_handshake(send, 403, "cross-origin", why)
            return
        if not self.limits.allow(rate_limits.CONNECTIONS, address):
            await refuse_handshake(send, 429, "too-fast", "Too many connections: wait a moment.")
            return
        await send({"type": "websocket.accept"})
        socket = Socket(scope["extensions"][EXTENSION], self, address)
        try:
            if (ban := self.identities.bans.of_address(address, now_ms())) is not None:
                raise self.identities.bans.refusal(ban)
            session = await refuse_on_failure(self.identities.identify(headers, now_ms()))
        except Refusal as refusal:
            if refusal.code == "banned":
                socket.remove(refusal.sentence)
            else:
                socket.end(RESTART, refusal.sentence, reconnect=True)
            return
        if session is not None:
            socket.person, socket.session = session.person, session.id
            socket.counter = session.counter
        person = socket.person
        socket.limit_key = key = person.id if person is not None else address
        limits = self.limits
        if limits.is_on and limits.count("sockets", key) >= rate_limits.MAX_SOCKETS:
            socket.end(TOO_MUCH, "You have too many tables open.", reconnect=False)
            return
        if limits.is_on and limits.count("sockets of address", address) >= self.per_address:
            self._log.warning("sockets are refused: an address has too many", address=address)
            socket.end(TOO_MUCH, "Your address has too many tables open.", reconnect=False)
            return
        self.open.add(socket)
        counted = (("sockets", key), ("sockets of address", address))
        for name, who in counted:
            limits.change_count(name, who, 1, share_from=SHARE_FROM)
        metrics.SOCKETS.set(len(self.open))
        try:
            await self._serve(scope, receive, socket)
        finally:
            self.open.discard(socket)
            for name, who in counted:
                limits.change_count(name, who, -1, share_from=SHARE_FROM)
            metrics.SOCKETS.set(len(self.open))

    async def _serve(self, scope: Scope, receive: Receive, socket: Socket) -> None:
        try:
            live = await self.registry.get(scope["path_params"]["id"], socket.payer)
            if live is None:
                socket.end(NO_TABLE, "There is no such table.", reconnect=False)
                return
        except Refusal as refusal:
            _end_after(socket, refusal)
            return
        try:
            await live.subscribe(socket, _after(scope))
            socket.begin(live)
            while (await receive())["type"] != "websocket.disconnect":
                pass  # messages go to the socket, not through ASGI
        except Refusal as refusal:
            _end_after(socket, refusal)
        finally:
            live.unsubscribe(socket)

    async def execute(self, live: LiveTable, socket: Socket, command: c.Command) -> Any:
        """Carry out a command, and return the answer."""
        person = socket.person
        if isinstance(command, c.Preview):
            return await _preview(live, socket.payer, command)
        if person is None:
            raise Refusal("no-identity", "You are only watching: choose a name first.")
        allow, address = self.limits.allow, socket.address
        if isinstance(command, c.Say) and not allow(rate_limits.CHAT, person.id, address):
            raise Refusal("too-fast", "You are writing too fast: wait a moment.")
        if isinstance(command, c.Sit) and not allow(rate_limits.SEATS, f"{live.id} {address}"):
            raise Refusal("too-fast", "You have taken seats here very often: wait a minute.")
        await refuse_on_failure(self._check_people(live, person, command))
        table, computer_tables = live.table, self.registry.computer_tables
        is_for_computers = isinstance(command, c.Start) and table.is_for_computers_only
        if is_for_computers and table.status == "waiting":
            computer_tables.start(live.id, socket.payer)
        try:
            receipt = await live.execute(self.identities.with_current_name(person), command)
        finally:
            if is_for_computers and live.table.status != "playing":
                computer_tables.remove(live.id)
        if isinstance(command, c.Sit):
            await mark_connected(live, person.id)
        return views.Ack(command.request, receipt.n, receipt.version)

    async def _check_people(self, live: LiveTable, person: Person, command: c.Command) -> None:
        """Refuse a seat to those whom the host has blocked; note who writes in the chat."""
        people, host = self.identities.people, live.table.config.host
        if isinstance(command, c.Sit) and await people.has_blocked(host, person.id):
            raise Refusal("removed", "The host of this table does not want to play with you.")
        if isinstance(command, c.Say) and person.id not in live.chatters:
            await people.add_chatter(person.id, live.id)
            live.chatters.add(person.id)

    async def hint(self, live: LiveTable, socket: Socket, command: c.Hint) -> views.HintReply:
        """Return what the strongest computer player would do in a person's place."""
        person = socket.person
        if person is None:
            raise Refusal("no-identity", "You are only watching: choose a name first.")
        await live.read(partial(_state_to_play, person))
        workers = self.registry.workers
        if self.limits.is_on and workers.queue.waiting(socket.address) >= MAX_WAITING:
            raise Refusal("too-fast", "Too many hints wait at your address: try again later.")
        if not self.limits.allow(rate_limits.HINTS, person.id, socket.address):
            raise Refusal("too-fast", "Too many hints at once: wait a moment.")
        await live.execute(person, command)  # everybody sees it
        version, state = await live.read(partial(_state_to_play, person))
        level = strongest(state.game.name)

        def is_wanted() -> bool:
            return live.table.version == version and not socket.is_gone

        ranked = await workers.analyse(state, level, socket.payer, is_wanted)
        if ranked is None and live.table.version != version:
            raise Refusal("stale", "The position has changed.")
        if ranked is None:
            raise Refusal("not-possible", "There is no hint at the moment.")
        options = [views.Option(action, share) for action, share in ranked[:MAX_OPTIONS]]
        return views.HintReply(command.request, version, level, options)

    def log_out(self, *, session: str = "", person: str = "") -> None:
        """Say goodbye to the clients of a session or a person; they may watch on."""
        for socket in list(self.open):
            owner = socket.person
            if owner is not None and (socket.session == session or owner.id == person):
                socket.end(LOGGED_OUT, "You have logged out.", reconnect=True)

    def rename(self, person: Person) -> None:
        """Use the new name of a person who is connected."""
        for socket in self.open:
            if socket.person is not None and socket.person.id == person.id:
                socket.person = person

    def end_replaced(self, session: str, counter: int) -> None:
        """Disconnect the clients that used a token before the one with this number."""
        for socket in list(self.open):
            if socket.session == session and socket.counter < counter:
                socket.end(RESTART, "Your token was replaced: connect again.", reconnect=True)

    def end_banned(self, now: int) -> None:
        """Say goodbye to all who are banned by now."""
        bans = self.identities.bans
        for socket in list(self.open):
            person = socket.person
            ban = bans.of_address(socket.address, now)
            if ban is None and person is not None:
                ban = bans.of_person(person.id, now)
            if ban is not None:
                socket.remove(bans.refusal(ban).sentence)

    def close(self) -> None:
        """Say goodbye to all clients."""
        for socket in list(self.open):
            socket.end(RESTART, "The server is restarting; nothing is lost.", reconnect=True)


def _end_after(socket: Socket, refusal: Refusal) -> None:
    """Say goodbye to a client who cannot join the table; they return if the store failed."""
    code = {"removed": REMOVED, "unreadable": UNREADABLE}.get(refusal.code, RESTART)
    socket.end(code, refusal.sentence, reconnect=code == RESTART)


async def refuse_handshake(send: Send, status: int, code: str, sentence: str) -> None:
    """Refuse a handshake like any other request."""
    body = msgspec.json.encode({"code": code, "message": sentence})
    head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    start = "websocket.http.response.start"
    await send({"type": start, "status": status, "headers": head})
    await send({"type": "websocket.http.response.body", "body": body})


def _decode(text: bytes | None) -> c.AnyCommand:
    if text is None:
        raise Refusal("bad-message", "Messages are JSON texts, not binary.")
    try:
        return c.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal("bad-message", f"This is no message of the protocol: {error}.") from None


def _state_to_play(person: Person, table: Table) -> tuple[int, State]:
    """Return version and state of a table at which a person is to move."""
    if table.mover is None:
        raise Refusal("not-possible", "No player is to move.")
    owner = table.seats[table.mover]
    if owner.person != person.id or owner.is_played_by_computer or person.is_bot:
        raise Refusal("not-your-turn", "Hints are for the person to move.")
    if not table.are_hints_allowed:
        raise Refusal("hints-off", "Hints are not allowed at this table.")
    return table.version, table.copy_state()


async def _preview(live: LiveTable, payer: Payer, command: c.Preview) -> views.PreviewReply:
    def version_and_state(table: Table) -> tuple[int, State]:
        if table.mover is None:
            raise Refusal("not-possible", "No player is to move.")
        return table.version, table.copy_state()

    version, state = await live.read(version_and_state)
    preview = await live.registry.workers.preview(state, command.action, payer)
    return views.PreviewReply(command.request, version, preview)


async def _refused(live: LiveTable, request: str | None, refusal: Refusal) -> views.Refused:
    position = None
    if refusal.code in ("stale", "illegal", "not-your-turn"):
        with suppress(Refusal):  # the store failed, so the position is not certain
            position = await live.read(views.position_view)
    return views.Refused(request, refusal.code, refusal.sentence, live.broadcast_n, position)


def _after(scope: Scope) -> int | None:
    """Return the number of the last event that a client has seen, if it says so."""
    text = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("after", [""])[0]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
