"""The base class of tables under load: three players and their sockets, at any server."""

import asyncio
import time
from typing import TYPE_CHECKING

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

if TYPE_CHECKING:
    from bench.load.generator import LoadGenerator

SEATS = 3
TIMEOUT = 60.0


class PlayerSocket(WSListener):
    """The socket of one player."""

    def __init__(self, table: "Table", seat: int) -> None:
        self.table = table
        self.seat = seat
        self.reply: asyncio.Future[bytes] | None = None

    def on_ws_frame(self, _: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self.table.on_message(self, frame.get_payload_as_bytes())

    def on_ws_disconnected(self, _: WSTransport) -> None:
        if not self.table.is_closing:
            self.table.generator.fail("the server closed a socket")

    async def open(self, url: str, headers: dict[str, str]) -> None:
        self.transport, _ = await ws_connect(
            lambda: self, url, extra_headers=headers, websocket_handshake_timeout=TIMEOUT
        )

    def send(self, message: bytes) -> None:
        self.transport.send(WSMsgType.TEXT, message)
        if self.table.generator.meter.is_on:
            self.table.generator.meter.result.bytes += len(message)

    async def ask(self, message: bytes) -> bytes:
        """Send a message and return the reply; not for moves."""
        self.send(message)
        return await self.answer()

    async def answer(self) -> bytes:
        self.reply = asyncio.get_running_loop().create_future()
        return await asyncio.wait_for(self.reply, TIMEOUT)

    def on_reply(self, payload: bytes) -> None:
        if self.reply is not None and not self.reply.done():
            self.reply.set_result(payload)


class Table:
    """A table. Each move is answered, and reaches all three sockets, before the next one."""

    def __init__(self, generator: "LoadGenerator", number: int) -> None:
        self.generator = generator
        self.number = number
        self.sockets = [PlayerSocket(self, seat) for seat in range(SEATS)]
        self.is_over = False
        self.is_closing = False
        self.is_playing = False
        self.due: float | None = None  # when the next move should have been made
        self._received = 0
        self._answered = 0.0
        self._sent = 0.0
        self.is_move_pending = False

    # ---- implemented for each protocol -----------------------------------------------------------

    async def set_up(self) -> None:
        """Connect all players and start the game."""
        raise NotImplementedError

    def on_message(self, socket: PlayerSocket, payload: bytes) -> None:
        """Handle a message."""
        raise NotImplementedError

    def read(self, payload: bytes) -> None:
        """Read the position from a message."""
        raise NotImplementedError

    def move(self) -> tuple[PlayerSocket, bytes]:
        """Return the socket of the player to move, and a message with a random move."""
        raise NotImplementedError

    async def leave(self) -> None:
        """End the game, so that the server can forget it."""

    # ---- the same for all protocols --------------------------------------------------------------

    def act(self, since: float | None = None) -> None:
        """Send a move; its latency counts from `since`, by default from now."""
        socket, message = self.move()
        self._received = 0
        self._answered = 0.0
        self.is_move_pending = True
        self._sent = since or time.perf_counter()
        socket.send(message)

    def schedule_move(self, when: float) -> None:
        """Send a move now, or as soon as the last one is complete."""
        if self.is_move_pending:
            self.due = self.due or when
        elif not self.is_over and self.generator.is_running:
            self.act()

    def on_event(self, payload: bytes) -> None:
        """Count the sockets that have received the event of a move."""
        self._received += 1
        if self._received == 1:
            self.read(payload)
        if self._received == SEATS and self._answered:
            self._complete_move()

    def on_ack(self) -> None:
        """Note that the player who moved has the answer."""
        self._answered = time.perf_counter()
        if self._received == SEATS:
            self._complete_move()

    def _complete_move(self) -> None:
        self.is_move_pending = False
        self.generator.count_move()
        now = time.perf_counter()
        meter = self.generator.meter
        if meter.is_on:
            meter.result.moves += 1
            meter.answered.append(self._answered - self._sent)
            meter.broadcast.append(now - self._sent)
        is_paced = self.generator.plan.pace is not None
        if self.is_over and is_paced:
            self.generator.ended.set()
        elif self.is_over or not self.generator.is_running:
            return  # without a pace the other tables continue to the end of the span
        elif not is_paced:
            self.act()
        elif self.due is not None:
            due, self.due = self.due, None
            self.act(since=due)

    async def close(self) -> None:
        await self.leave()
        self.is_closing = True
        for socket in self.sockets:
            socket.transport.disconnect()
