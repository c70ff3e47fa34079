"""A TCP proxy between a browser and a server that can be cut and restored."""

from __future__ import annotations

import contextlib
import socket
import threading


class CuttableProxy:
    """Forward data in both directions until cut."""

    def __init__(self, port: int) -> None:
        self.target = ("127.0.0.1", port)
        self.connections: list[tuple[socket.socket, socket.socket]] = []
        self.is_cut = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.threads = [threading.Thread(target=self._accept)]
        self.threads[0].start()

    def cut(self) -> None:
        """Close all connections; new ones are closed at once."""
        self.is_cut = True
        for connection in list(self.connections):
            for end in connection:
                _shut(end)

    def restore(self) -> None:
        self.is_cut = False

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                here, _ = self.listener.accept()
                if self.is_cut:
                    here.close()
                    continue
                there = socket.create_connection(self.target)
                self.connections.append((here, there))
                for pair in ((here, there), (there, here)):
                    self.threads.append(threading.Thread(target=_forward, args=pair))
                    self.threads[-1].start()

    def __enter__(self) -> CuttableProxy:
        return self

    def __exit__(self, *_: object) -> None:
        _shut(self.listener)
        self.cut()
        for thread in self.threads:
            thread.join(timeout=10)
        for end in (self.listener, *(end for pair in self.connections for end in pair)):
            end.close()


def _forward(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    _shut(source)
    _shut(target)


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
