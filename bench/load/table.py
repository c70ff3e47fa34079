"""A table of three players and their sockets, whatever the server."""

import asyncio
import time
from typing import TYPE_CHECKING

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

if TYPE_CHECKING:
    from bench.load.games import Load

SEATS = 3
PATIENCE = 60.0


class Line(WSListener):
    """One player's socket."""

    def __init__(self, table: "Table", seat: int) -> None:
        self.table = table
        self.seat = seat
        self.reply: asyncio.Future[bytes] | None = None

    def on_ws_frame(self, _: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self.table.take(self, frame.get_payload_as_bytes())

    def on_ws_disconnected(self, _: WSTransport) -> None:
        if not self.table.is_closing:
            self.table.load.fail("the server closed a socket")

    async def open(self, url: str, headers: dict[str, str]) -> None:
        self.transport, _ = await ws_connect(
            lambda: self, url, extra_headers=headers, websocket_handshake_timeout=PATIENCE
        )

    def send(self, message: bytes) -> None:
        self.transport.send(WSMsgType.TEXT, message)
        if self.table.load.meter.is_on:
            self.table.load.meter.result.bytes += len(message)

    async def ask(self, message: bytes) -> bytes:
        """Send something and wait for the answer; not for moves."""
        self.send(message)
        return await self.answer()

    async def answer(self) -> bytes:
        self.reply = asyncio.get_running_loop().create_future()
        return await asyncio.wait_for(self.reply, PATIENCE)

    def replied(self, payload: bytes) -> None:
        if self.reply is not None and not self.reply.done():
            self.reply.set_result(payload)


class Table:
    """Three players. One move is under way at a time: answered, and seen by all three."""

    def __init__(self, load: "Load", number: int) -> None:
        self.load = load
        self.number = number
        self.lines = [Line(self, seat) for seat in range(SEATS)]
        self.is_over = False
        self.is_closing = False
        self.is_playing = False
        self.due: float | None = None  # when the next move should have been made
        self._heard = 0
        self._answered = 0.0
        self._sent = 0.0
        self.is_under_way = False

    # ---- what a dialect must do -----------------------------------------------------------------

    async def set_up(self) -> None:
        """Connect everybody and start the game."""
        raise NotImplementedError

    def take(self, line: Line, payload: bytes) -> None:
        """Note a message."""
        raise NotImplementedError

    def read(self, payload: bytes) -> None:
        """Take in a position."""
        raise NotImplementedError

    def move(self) -> tuple[Line, bytes]:
        """Who moves, and the message that does it."""
        raise NotImplementedError

    async def leave(self) -> None:
        """End the game, so that the server has nothing more to do for it."""

    # ---- the same for all -----------------------------------------------------------------------

    def act(self, since: float | None = None) -> None:
        """Make a move."""
        line, message = self.move()
        self._heard = 0
        self._answered = 0.0
        self.is_under_way = True
        self._sent = since or time.perf_counter()
        line.send(message)

    def make_due(self, when: float) -> None:
        """A move should be made now; if the last one is not through, as soon as it is."""
        if self.is_under_way:
            self.due = self.due or when
        elif not self.is_over and self.load.is_going:
            self.act()

    def heard(self, payload: bytes) -> None:
        """The event of a move has reached one more socket."""
        self._heard += 1
        if self._heard == 1:
            self.read(payload)
        if self._heard == SEATS and self._answered:
            self._through()

    def answered(self) -> None:
        """Whoever moved has the answer."""
        self._answered = time.perf_counter()
        if self._heard == SEATS:
            self._through()

    def _through(self) -> None:
        self.is_under_way = False
        self.load.moved()
        now = time.perf_counter()
        meter = self.load.meter
        if meter.is_on:
            meter.result.moves += 1
            meter.answered.append(self._answered - self._sent)
            meter.told.append(now - self._sent)
        is_paced = self.load.plan.pace is not None
        if self.is_over and is_paced:
            self.load.ended.set()
        elif self.is_over or not self.load.is_going:
            return  # in a closed loop the others play on to the end of the span
        elif not is_paced:
            self.act()
        elif self.due is not None:
            due, self.due = self.due, None
            self.act(since=due)

    async def close(self) -> None:
        await self.leave()
        self.is_closing = True
        for line in self.lines:
            line.transport.disconnect()
