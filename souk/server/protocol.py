"""Uvicorn's WebSocket protocol, which also takes frames that are ready to be sent.

Everybody at a table is told the same, so a message is made into a frame once and written to every
socket at once: no task, no queue and no copy for each of them. Whoever does not read what was
written is closed when too much has gathered.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MOST_WAITING = 1_000_000  # bytes written and not yet taken by the network
LAST_SECONDS = 5.0  # for the reason to get through, before the line is cut
EXTENSION = "souk.socket"


def text_frame(message: bytes) -> bytes:
    r"""A text as a WebSocket frame.

    >>> text_frame(b"hello")
    b'\x81\x05hello'
    """
    return _frame(0x81, message)


def close_frame(code: int, reason: str) -> bytes:
    r"""The frame that closes a socket.

    >>> close_frame(1000, "bye")
    b'\x88\x05\x03\xe8bye'
    """
    return _frame(0x88, code.to_bytes(2, "big") + reason.encode()[:120])


def _frame(kind: int, data: bytes) -> bytes:
    size = len(data)
    if size < 126:
        head = bytes((kind, size))
    elif size < 65536:
        head = bytes((kind, 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((kind, 127)) + size.to_bytes(8, "big")
    return head + data


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that the application can write to at any moment."""

    def handle_connect(self, event: Any) -> None:
        """Give the application this object, under the name of an ASGI extension."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything at once: this object is in its own scope."""
        super().connection_lost(exc)
        if hasattr(self, "scope"):
            self.scope["extensions"] = {}

    async def send(self, message: Any) -> None:
        """What the application sends by ASGI: to accept a handshake, or to refuse it."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # which uvicorn forgets, and then complains of

    def data_received(self, data: bytes) -> None:
        """Take in what the other side sent; let it go if it does not read the answers."""
        super().data_received(data)
        if not self.handshake_initiated:  # a request that could not be read, like one too long
            self.transport.close()
        elif self.transport.get_write_buffer_size() > MOST_WAITING:  # pongs, for one
            self.transport.abort()

    def write(self, frame: bytes) -> bool:
        """Send a frame; False if the reader is too slow for it."""
        if not self.transport.is_closing() and not self.close_sent:
            self.transport.write(frame)
            return self.transport.get_write_buffer_size() <= MOST_WAITING
        return True

    def end(self, code: int, reason: str) -> None:
        """Close the socket, and cut the line soon if the other side does not answer."""
        if self.transport.is_closing() or self.close_sent:
            return
        self.transport.write(close_frame(code, reason))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(LAST_SECONDS, self.transport.abort)
