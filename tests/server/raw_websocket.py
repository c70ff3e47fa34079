"""A raw WebSocket: frames that no library would send, and clients that do not read."""

import asyncio
import base64
import contextlib
import os
import socket
import struct
from pathlib import Path


class RawSocket:
    """A connection, opened like a browser does, that can send anything."""

    def __init__(self, reader, writer, answer):
        self.reader = reader
        self.writer = writer
        self.answer = answer  # to the handshake

    @classmethod
    async def open(cls, server, path, *, buffer=None, after=b"", source=None, **headers):
        """Open a connection, from an address; send bytes right after the handshake's request."""
        line = socket.socket()
        if buffer is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        if source is not None:
            line.bind((source, 0))
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", server.port))
        reader, writer = await asyncio.open_connection(sock=line, limit=4096)
        lines = {
            "Host": f"127.0.0.1:{server.port}",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1"))
        if after:
            await asyncio.sleep(0)
            writer.write(after)
        try:
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer, answer.decode("latin-1"))

    @property
    def status(self):
        return int(self.answer.split()[1])

    async def send(self, opcode, data, *, fin=True, masked=True):
        self.writer.write(frame(opcode, data, fin=fin, masked=masked))
        with contextlib.suppress(ConnectionError):
            await self.writer.drain()

    async def next(self):
        """Return the next frame: opcode and data."""
        first, second = await self.reader.readexactly(2)
        size = second & 127
        if size > 125:
            size_bytes = await self.reader.readexactly(2 if size == 126 else 8)
            size = int.from_bytes(size_bytes, "big")
        return first & 15, await self.reader.readexactly(size)

    async def ending(self, seconds=10):
        """Read until the connection ends; return code and reason of its close frame, if any."""
        closing = None
        async with asyncio.timeout(seconds):
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    opcode, data = await self.next()
                    if opcode == 8:
                        closing = struct.unpack("!H", data[:2])[0], data[2:].decode()
                        await self.send(8, data)
        return closing

    async def close(self):
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


def frame(opcode, data, *, fin=True, masked=True):
    """Return a client's frame, with a mask of zeros."""
    head = bytes([opcode | (128 if fin else 0)])
    flag = 128 if masked else 0
    if len(data) < 126:
        head += bytes([flag | len(data)])
    elif len(data) < 65536:
        head += bytes([flag | 126]) + struct.pack("!H", len(data))
    else:
        head += bytes([flag | 127]) + struct.pack("!Q", len(data))
    return head + (bytes(4) + data if masked else data)  # a mask of zeros changes nothing


def memory(server):
    """Return the bytes of memory that a server's process uses."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024
