"""`souk serve`: run the application until it is stopped."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import FrameType

import uvicorn

from souk.engine.errors import SoukError
from souk.server import logs
from souk.server.http.app import SoukApp
from souk.server.http.connections import raise_descriptor_limit
from souk.server.live.sockets import MAX_FRAME
from souk.server.live.websocket import SocketProtocol
from souk.server.local_network import origin
from souk.server.settings import Settings
from souk.server.tables.commands import Refusal

BACKLOG = 4096
GC_THRESHOLD = (20_000, 10, 5)  # rarely: tables and sockets leave hardly any cycles
HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # how this computer reaches all its addresses
SWITCH_SECONDS = 0.0005  # until the writer thread gets the interpreter; answers wait for that


class Server(uvicorn.Server):
    """Uvicorn; our parts are opened before it and closed after it."""

    def __init__(self, config: uvicorn.Config, souk: SoukApp, *, opens: bool = False) -> None:
        super().__init__(config)
        self.souk = souk
        self.opens = opens  # whether to open the page in a browser

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped."""
        await self.souk.open()
        try:
            if not self.should_exit:  # it may have been stopped meanwhile
                await super().serve(sockets)
        finally:
            await self.souk.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and print the address.

        Not before: while nobody listens, a proxy sends clients to another process.
        """
        for bound in sockets or ():
            with _explained(*bound.getsockname()[:2]):
                bound.listen(BACKLOG)
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # objects so far stay for good
        gc.set_threshold(*GC_THRESHOLD)
        sys.setswitchinterval(SWITCH_SECONDS)
        for listening in sockets or ():
            host, port = listening.getsockname()[:2]
            self.souk.local_network.start(host, port, self.listen)
            here = origin(HERE.get(host, host), port)
            print(f"Souk is at {here}", flush=True)
            print(await self._how_friends_join(), flush=True)
            if self.opens:
                threading.Thread(target=open_page, args=(here,), daemon=True).start()

    async def listen(self, host: str, port: int) -> asyncio.AbstractServer:
        """Serve another address too, until the server that is returned is closed."""
        config = self.config
        server = await asyncio.get_running_loop().create_server(
            lambda: self.souk.connections.protocol(
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            ),
            sock=_bind(host, port),
            backlog=BACKLOG,
        )
        self.servers = [*(one for one in self.servers if one.is_serving()), server]
        return server

    async def _how_friends_join(self) -> str:
        settings, local = self.souk.settings, self.souk.local_network
        if settings.lan and local.can_switch:
            try:
                await local.open()
            except Refusal as refusal:
                return f"Friends cannot join yet: {refusal.sentence}"
        origins = [settings.origin] if settings.origin else local.origins()
        if origins:
            return f"Friends join at {' or '.join(origins)}"
        return "Friends in your Wi-Fi join if you switch that on: on the page, or by --lan."

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye to clients before their sockets are closed, and release the tables.

        No client can come back in between: `super().shutdown` stops to listen before it waits.
        """
        self.souk.sockets.close()
        releasing = asyncio.create_task(self.souk.registry.release())
        await super().shutdown(sockets)
        await releasing


def open_page(here: str) -> bool:
    """Open the page in a graphical browser, if there is one."""
    has_windows = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    return has_windows and webbrowser.open(f"{here}/")


def serve(settings: Settings, *, opens: bool = False) -> int:
    """Serve until SIGTERM or Ctrl-C; then say goodbye to clients and finish pending writes."""
    logs.set_up(settings.log_level)
    raise_descriptor_limit()
    bound = _bind(settings.host, settings.port)
    souk = SoukApp(settings)
    config = uvicorn.Config(
        souk.app,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        http=souk.connections.protocol,  # type: ignore[arg-type]  # a class to uvicorn
        ws=SocketProtocol,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        lifespan="off",
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        server_header=False,
        log_config=None,
        timeout_graceful_shutdown=5,
        backlog=BACKLOG,
    )
    server = Server(config, souk, opens=opens)

    def stop(_: int, __: FrameType | None) -> None:
        server.should_exit = True

    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, stop)  # until uvicorn handles them; it raises them again at its end
    server.run([bound])
    return 0


def _bind(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address, or raise an error with the reason."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        with _explained(host, port):
            if sys.platform != "win32":
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host, port))
    except SoukError:
        bound.close()
        raise
    return bound


@contextmanager
def _explained(host: str, port: int) -> Iterator[None]:
    """Raise the error of a socket as a sentence."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise SoukError(f"cannot listen on {host}, port {port}: {why}") from None
