"""Uvicorn's WebSocket protocol with a fast path for messages.

All subscribers of a table get the same message, so it is framed once and written to every socket,
without a task or a copy for each. All sockets are written to in the next iteration of the event
loop: an answer travels with the events before it, and the moves of a group commit are sent
together, which takes less CPU time than sending them in turns with other work. A client that does
not read is disconnected when too much has gathered.

A text that arrives in one frame, as every move does, goes straight to the message handler; every
other frame goes through uvicorn. The handler charges messages to their sender; all other frames and
pieces of frames are charged here. A client that sends more than its rate allows is not read for a
moment, and what it has sent stays unparsed, so that no client can keep the server busy.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the fast one

MAX_UNSENT = 1_000_000  # bytes written and not yet sent
CLOSE_SECONDS = 5.0  # for the close frame to arrive, before the connection is cut
THROTTLE_SECONDS = 0.05  # without reading from a client that sends too much
MAX_FRAGMENTS = 256  # frames of a message
TOO_LARGE = 1009  # why a socket is closed
EXTENSION = "souk.socket"

log = logging.getLogger("souk.server")

# The first byte of a frame; a control frame may come amid the frames of a message.
FINAL, CONTROL, FINAL_TEXT, CLOSE = 0x80, 0x08, 0x81, 0x88
# The second byte: the size if below SHORT, and whether there is a mask, which clients must use.
SHORT, MASKED = 126, 0x80


def frame(data: bytes, kind: int = FINAL_TEXT) -> bytes:
    r"""Return a text, or another payload, as a WebSocket frame.

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
    r"""Return the frame that closes a socket.

    >>> close_frame(1000, "bye")
    b'\x88\x05\x03\xe8bye'
    """
    return frame(code.to_bytes(2, "big") + reason.encode()[:120], CLOSE)


def _mask_and_end(data: bytes, start: int) -> tuple[int, int] | None:
    r"""Return where a client's frame has its mask and where it ends; None if it is incomplete.

    >>> _mask_and_end(b"\x81\x85maskhello", 0)
    (2, 11)
    >>> _mask_and_end(b"\x81\x85m", 0), _mask_and_end(b"\x81", 0), _mask_and_end(b"\x81\xfe\x01", 0)
    ((2, 11), None, None)

    The mask is at -1 if there is none, which the protocol forbids.
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
    """Replace a callback that is no longer needed."""


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that the application can write to at any time."""

    __slots__ = (  # uvicorn's attributes fill a dictionary; these are found more quickly
        *("_fragments", "_is_app_ready", "_is_invalid", "_is_throttled", "_is_write_paused"),
        *("_outbox", "_outgoing", "_partial"),
        *("charge", "is_paused", "on_lost", "on_message", "on_slow_reader"),
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        # Set after the handshake; called with every message, None for one that is no text.
        self.on_message: Callable[[bytes | None], None] | None = None
        # Set with it; called when the client reads too slowly.
        self.on_slow_reader: Callable[[], None] = do_nothing
        # Set with it; charges a frame, and returns whether it is allowed.
        self.charge: Callable[[], bool] = bool
        self.on_lost: Callable[[], None] | None = None  # called when the connection is lost
        self.is_paused = False  # whether frames of the client stay unparsed
        self._outbox = outbox_of(self.loop)
        self._outgoing: list[bytes] | None = None  # frames to write in the next iteration
        self._partial = b""  # of a frame that is not complete, or whatever came before a pause
        self._fragments = 0  # frames of a message in several frames that is coming in
        self._is_invalid = False  # whether uvicorn alone handles the input, to refuse it
        self._is_throttled = False  # whether the client sent more than its rate allows
        self._is_app_ready = True  # whether the application wants to read
        self._is_write_paused = False  # whether more was written than the network takes

    def handle_connect(self, event: Any) -> None:
        """Give the application this object, under the name of an ASGI extension."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop all references: cycles would stay in memory until the next garbage collection."""
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()
        self.on_lost = self.on_message = None
        self.on_slow_reader = do_nothing
        self.charge = bool
        self.conn.parser.close()
        if hasattr(self, "scope"):
            self.scope["extensions"] = {}

    async def send(self, message: Any) -> None:
        """Send what ASGI sends: the acceptance or refusal of a handshake."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # uvicorn forgets this, and then complains

    def data_received(self, data: bytes) -> None:
        """Handle incoming bytes; cut the connection if the client does not read the answers."""
        on_message = self.on_message
        if on_message is not None and not self._is_invalid:
            size = len(data) - 6
            if (
                0 <= size < SHORT
                and data[1] == size | MASKED
                and data[0] == FINAL_TEXT
                and not (self._partial or self._fragments or self.close_sent)
            ):  # a short text and nothing else, as nearly always
                text = apply_mask(data[6:], data[2:6])
                if text.isascii():
                    on_message(text)
                    return
            self._partial += data
            self._parse_frames()
        elif self.handshake_initiated and not self._is_invalid:  # not answered yet
            self._partial += data
            self.pause()
        else:
            super().data_received(data)
        if not self.handshake_initiated:  # a request that could not be parsed, such as a long one
            self.transport.close()
        elif self.transport.get_write_buffer_size() > MAX_UNSENT:  # pongs, for instance
            self.transport.abort()

    def _parse_frames(self) -> None:
        """Handle the frames that have arrived, until one is incomplete or the client is paused."""
        data, start = self._partial, 0
        while not self.is_paused and (bounds := _mask_and_end(data, start)) is not None:
            mask, end = bounds
            if mask < 0 or end - mask - 4 > self.config.ws_max_size:
                self._is_invalid, self._partial = True, b""
                super().data_received(data[start:])
                return
            if end > len(data):
                break
            text = None
            if data[start] == FINAL_TEXT and not self._fragments and not self.close_sent:
                text = apply_mask(data[mask + 4 : end], data[mask : mask + 4])
            if text is not None and self.on_message is not None and _is_utf8(text):
                self.on_message(text)
            elif self._charge():
                self._handle_by_uvicorn(data[start:end])
            else:
                break
            start = end
        self._partial = data[start:]
        if self._partial and not start:
            self._charge()  # or a frame could come in very many pieces

    def _charge(self) -> bool:
        """Charge a frame to the client; stop reading for a moment if it has sent too many."""
        if self.charge():
            return True
        self._is_throttled = True
        self._update_reading()
        self.loop.call_later(THROTTLE_SECONDS, self._unthrottle)
        return False

    def _unthrottle(self) -> None:
        self._is_throttled = False
        self._update_reading()

    def _handle_by_uvicorn(self, frame: bytes) -> None:
        """Handle a frame that is not a whole text."""
        if not frame[0] & CONTROL:
            self._fragments = 0 if frame[0] & FINAL else self._fragments + 1
            if self._fragments > MAX_FRAGMENTS:
                self.end(TOO_LARGE, "This message has too many parts.")
                return
        if frame[0] == CLOSE and self.close_sent:  # uvicorn objects to one amid a message
            self.transport.close()
        else:
            super().data_received(frame)

    def send_receive_event_to_app(self) -> None:
        """Handle a message that came through uvicorn: not ASCII, binary, or in several frames."""
        text = b"".join(self.frames)
        is_text = self.curr_msg_data_type == "text"
        if self.on_message is None or self.close_sent or (is_text and not _is_utf8(text)):
            super().send_receive_event_to_app()
            return
        self.frames = []
        self.on_message(text if is_text else None)

    def pause(self) -> None:
        """Stop reading; the network buffers what comes next."""
        self._is_app_ready = False
        self._update_reading()

    def resume(self) -> None:
        """Read again."""
        self._is_app_ready = True
        self._update_reading()

    def _update_reading(self) -> None:
        """Read if the application is ready and the client may send."""
        if self.transport.is_closing():
            return
        if not self._is_app_ready or self._is_throttled:
            self.is_paused = True
            if not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
        elif self.is_paused:
            self.loop.call_soon(self._continue)  # not from here: a message handler may call this

    def _continue(self) -> None:
        """Handle what had arrived before the pause, then read on."""
        if not self.is_paused or not self._is_app_ready or self._is_throttled:
            return
        if self.transport.is_closing():
            return
        self.is_paused = False
        if self._partial:
            self._parse_frames()
        if not self.is_paused and self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def keepalive_timeout(self) -> None:
        """Handle an unanswered ping; the pong may be among what the network buffers for us."""
        if self.is_paused:
            self.pong_timer = None
            self.schedule_ping()
        else:
            super().keepalive_timeout()

    def pause_writing(self) -> None:
        """Note that the network takes no more for the moment."""
        super().pause_writing()
        self._is_write_paused = True

    def resume_writing(self) -> None:
        """Note that the network takes more again."""
        super().resume_writing()
        self._is_write_paused = False

    def send_message(self, message: bytes) -> None:
        """Send a text soon, after the messages before it."""
        outbox = self._outbox
        if message is not outbox.message:  # a broadcast sends one object to many sockets
            outbox.message, outbox.frame = message, frame(message)
        if self._outgoing is None:
            self._outgoing = [outbox.frame]
            if not outbox.sockets:
                self.loop.call_soon(outbox.flush)
            outbox.sockets.append(self)
        else:
            self._outgoing.append(outbox.frame)

    def flush(self) -> None:
        """Write what is to be sent; report a client that does not read."""
        outgoing, self._outgoing = self._outgoing, None
        transport = self.transport
        if outgoing and not (self.close_sent or transport.is_closing()):
            transport.write(b"".join(outgoing))
            if self._is_write_paused and transport.get_write_buffer_size() > MAX_UNSENT:
                self.on_slow_reader()

    def end(self, code: int, reason: str) -> None:
        """Close the socket, and cut the connection soon if the client does not answer."""
        if self.transport.is_closing() or self.close_sent:
            return
        self.flush()
        self.transport.write(close_frame(code, reason))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.resume()
        self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


class Outbox:
    """The sockets to write to in the next iteration of an event loop, and the last frame.

    One callback serves all sockets: a callback for each would cost more than its frames.
    """

    def __init__(self) -> None:
        self.message = b""  # the last that was sent
        self.frame = frame(b"")  # of that message
        self.sockets: list[SocketProtocol] = []

    def flush(self) -> None:
        """Flush the sockets."""
        sockets, self.sockets = self.sockets, []
        for socket in sockets:
            try:
                socket.flush()
            except Exception as error:  # must not affect the other sockets
                log.error("a socket failed", exc_info=error)
                socket.transport.abort()


@lru_cache(maxsize=1)
def outbox_of(_loop: asyncio.AbstractEventLoop) -> Outbox:
    """Return the outbox that the sockets of a loop share."""
    return Outbox()
