"""Uvicorn's WebSocket protocol, with a short way in and out for messages.

Everybody at a table is told the same, so a message is made into a frame once and written to every
socket: no task and no copy for each of them. All of them are written in the next turn of the event
loop. So an answer travels together with the events before it, and the network is busy with all
moves that were kept together in one go: in turns with our own work it takes more of the processor's
time, as whoever reads gets in between. Whoever does not read what was written is closed when too
much has gathered.

A plain text that comes in as one frame, as every move does, goes straight to whoever hears it;
every other frame goes uvicorn's way.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the quick one

MAX_WAITING = 1_000_000  # bytes written and not yet taken by the network
LAST_SECONDS = 5.0  # for the reason to get through, before the line is cut
EXTENSION = "souk.socket"

log = logging.getLogger("souk.server")

# The first byte of a frame; a control frame may come amid the frames of a message.
FINAL, CONTROL, FINAL_TEXT, CLOSE = 0x80, 0x08, 0x81, 0x88
# The second: the size if it is below SHORT, and whether there is a mask, as clients must have one.
SHORT, MASKED = 126, 0x80


def frame(data: bytes, kind: int = FINAL_TEXT) -> bytes:
    r"""A text, or something else, as a WebSocket frame.

    >>> frame(b"hello")
    b'\x81\x05hello'
    """
    size = len(data)
    if size < SHORT:
        return bytes((kind, size)) + data
    if size < 65536:
        return bytes((kind, 126, size >> 8, size & 255)) + data
    return bytes((kind, 127)) + size.to_bytes(8, "big") + data


def close_frame(code: int, reason: str) -> bytes:
    r"""The frame that closes a socket.

    >>> close_frame(1000, "bye")
    b'\x88\x05\x03\xe8bye'
    """
    return frame(code.to_bytes(2, "big") + reason.encode()[:120], CLOSE)


def _mask_and_end(data: bytes, start: int) -> tuple[int, int] | None:
    r"""Where a client's frame has its mask, and where it ends; None if too little of it is there.

    >>> _mask_and_end(b"\x81\x85maskhello", 0)
    (2, 11)
    >>> _mask_and_end(b"\x81\x85m", 0), _mask_and_end(b"\x81", 0), _mask_and_end(b"\x81\xfe\x01", 0)
    ((2, 11), None, None)

    Without a mask, which a client's must have, it is at -1.
    """
    if len(data) - start < 2:
        return None
    size = data[start + 1] - 128
    if size < 0:
        return -1, start
    mask = start + 2
    if size > 125:
        mask += 2 if size == 126 else 8
        if len(data) < mask:
            return None
        size = int.from_bytes(data[start + 2 : mask], "big")
    return mask, mask + 4 + size


def do_nothing() -> None:
    """In the place of what is no longer wanted."""


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that the application can write to at any moment."""

    # Set once there is a handshake; hears every message, None for one that is no text.
    on_message: Callable[[bytes | None], None] | None = None
    on_slow_reader: Callable[[], None]  # set with it; called when the other side reads too slowly
    _told: list[bytes] | None = None  # frames to write in the next turn of the loop
    _outbox: "Outbox"
    _partial = b""  # of a frame that is not all there
    _is_fragmented = False  # whether a message in several frames is coming in
    _is_lost = False  # whether what comes in is no longer looked at by us
    _is_write_paused = False  # whether more was written than the network takes

    def handle_connect(self, event: Any) -> None:
        """Give the application this object, under the name of an ASGI extension."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self
            self._outbox = outbox_of(self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything: what forms a circle stays until garbage is looked for."""
        super().connection_lost(exc)
        self.on_message = None
        self.on_slow_reader = do_nothing
        self.conn.parser.close()
        if hasattr(self, "scope"):
            self.scope["extensions"] = {}

    async def send(self, message: Any) -> None:
        """What the application sends by ASGI: to accept a handshake, or to refuse it."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # which uvicorn forgets, and then complains of

    def data_received(self, data: bytes) -> None:
        """Take in what the other side sent; let it go if it does not read the answers."""
        on_message = self.on_message
        if on_message is None or self._is_lost:
            super().data_received(data)
        else:
            size = len(data) - 6
            if (
                0 <= size < SHORT
                and data[1] == size | MASKED
                and data[0] == FINAL_TEXT
                and not (self._partial or self._is_fragmented or self.close_sent)
            ):  # a short text and nothing else, as nearly always
                text = apply_mask(data[6:], data[2:6])
                if text.isascii():
                    on_message(text)
                    return
            self._parse_frames(self._partial + data if self._partial else data, on_message)
        if not self.handshake_initiated:  # a request that could not be read, like one too long
            self.transport.close()
        elif self.transport.get_write_buffer_size() > MAX_WAITING:  # pongs, for one
            self.transport.abort()

    def _parse_frames(self, data: bytes, on_message: Callable[[bytes | None], None]) -> None:
        """Hear the texts among frames; uvicorn gets the others, each as a whole."""
        start = 0
        while (found := _mask_and_end(data, start)) is not None:
            mask, end = found
            if mask < 0 or end - mask - 4 > self.config.ws_max_size:
                self._is_lost = True  # it will be refused
                super().data_received(data[start:])
                return
            if end > len(data):
                break
            text = None
            if data[start] == FINAL_TEXT and not self._is_fragmented and not self.close_sent:
                text = apply_mask(data[mask + 4 : end], data[mask : mask + 4])
            if text is not None and text.isascii():
                on_message(text)
            else:
                if not data[start] & CONTROL:
                    self._is_fragmented = not data[start] & FINAL
                super().data_received(data[start:end])
            start = end
        self._partial = data[start:]

    def send_receive_event_to_app(self) -> None:
        """A message that came uvicorn's way: not ASCII, binary, or in several frames."""
        text = b"".join(self.frames)
        is_text = self.curr_msg_data_type == "text"
        if self.on_message is None or self.close_sent or (is_text and not _is_utf8(text)):
            super().send_receive_event_to_app()
            return
        self.frames = []
        self.on_message(text if is_text else None)

    def pause(self) -> None:
        """Let the network hold what comes next."""
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        """Take in what the network holds."""
        if self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def keepalive_timeout(self) -> None:
        """Nobody answered a ping; but the answer may be among what the network holds for us."""
        if self.read_paused:
            self.pong_timer = None
            self.schedule_ping()
        else:
            super().keepalive_timeout()

    def pause_writing(self) -> None:
        """The network takes no more for the moment."""
        super().pause_writing()
        self._is_write_paused = True

    def resume_writing(self) -> None:
        """The network takes more again."""
        super().resume_writing()
        self._is_write_paused = False

    def tell(self, frame: bytes) -> None:
        """Send a frame soon, after those that were told before."""
        if self._told is None:
            self._told = [frame]
            self._outbox.add(self)
        else:
            self._told.append(frame)

    def flush(self) -> None:
        """Write what was told; whoever does not read is let go."""
        told, self._told = self._told, None
        transport = self.transport
        if told and not (self.close_sent or transport.is_closing()):
            transport.write(b"".join(told))
            if self._is_write_paused and transport.get_write_buffer_size() > MAX_WAITING:
                self.on_slow_reader()

    def end(self, code: int, reason: str) -> None:
        """Close the socket, and cut the line soon if the other side does not answer."""
        if self.transport.is_closing() or self.close_sent:
            return
        self.flush()
        self.transport.write(close_frame(code, reason))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.resume()
        self.close_timer = self.loop.call_later(LAST_SECONDS, self.transport.abort)


class Outbox:
    """The sockets with something to write in the next turn of their event loop.

    One call of the loop for all of them: a call for each would cost more than its frames.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._full: list[SocketProtocol] = []

    def add(self, socket: SocketProtocol) -> None:
        """Somebody has something to write."""
        if not self._full:
            self._loop.call_soon(self._send)
        self._full.append(socket)

    def _send(self) -> None:
        full, self._full = self._full, []
        for socket in full:
            try:
                socket.flush()
            except Exception as error:  # is no other socket's affair
                log.error("a socket failed", exc_info=error)
                socket.transport.abort()


@lru_cache(maxsize=1)
def outbox_of(loop: asyncio.AbstractEventLoop) -> Outbox:
    """The outbox that the sockets of a loop share."""
    return Outbox(loop)
