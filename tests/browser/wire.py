"""A line between a browser and a server that can be cut and mended."""

from __future__ import annotations

import contextlib
import socket
import threading


class Wire:
    """Passes on what it gets, in both directions, until it is cut."""

    def __init__(self, port: int) -> None:
        self.far = ("127.0.0.1", port)
        self.lines: list[tuple[socket.socket, socket.socket]] = []
        self.is_cut = False
        self.near = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.near.getsockname()[1]}"
        self.threads = [threading.Thread(target=self._accept)]
        self.threads[0].start()

    def cut(self) -> None:
        """End every line; new ones end at once."""
        self.is_cut = True
        for line in list(self.lines):
            for end in line:
                _end(end)

    def mend(self) -> None:
        self.is_cut = False

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                here, _ = self.near.accept()
                if self.is_cut:
                    here.close()
                    continue
                there = socket.create_connection(self.far)
                self.lines.append((here, there))
                for pair in ((here, there), (there, here)):
                    self.threads.append(threading.Thread(target=_pass_on, args=pair))
                    self.threads[-1].start()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        _end(self.near)
        self.cut()
        for thread in self.threads:
            thread.join(timeout=10)
        for end in (self.near, *(end for line in self.lines for end in line)):
            end.close()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
    _end(one)
    _end(other)


def _end(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
