"""`souk serve`: runs the application until it is told to stop."""

import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from importlib.util import find_spec
from types import FrameType

import uvicorn

from souk.engine.errors import SoukError
from souk.server import logs
from souk.server.http.app import Souk
from souk.server.live.sockets import MAX_FRAME
from souk.server.live.websocket import SocketProtocol
from souk.server.settings import Settings

BACKLOG = 4096
GARBAGE = (20_000, 10, 5)  # look for it seldom: tables and sockets leave next to no circles
TURN_SECONDS = 0.0005  # till the thread that writes gets its turn; an answer waits for a few


class Server(uvicorn.Server):
    """Uvicorn, with everything of ours opened before and closed after it."""

    def __init__(self, config: uvicorn.Config, souk: Souk, *, opens: bool = False) -> None:
        super().__init__(config)
        self.souk = souk
        self.opens = opens  # whether it shows the page to whoever started it

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        await self.souk.open()
        try:
            await super().serve(sockets)
        finally:
            await self.souk.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say where in a line for people and programs."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is there by now stays, and need not be looked at again
        gc.set_threshold(*GARBAGE)
        sys.setswitchinterval(TURN_SECONDS)
        for listening in sockets or ():
            host, port = listening.getsockname()[:2]
            print(f"Souk is at http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)
            if self.opens:
                threading.Thread(target=open_page, args=(host, port), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let clients know before their line is closed."""
        self.souk.sockets.close()
        await super().shutdown(sockets)


def open_page(host: str, port: int) -> bool:
    """Show the page in a browser with windows, if there is one: not in the terminal."""
    has_windows = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    here = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return has_windows and webbrowser.open(f"http://{here}:{port}/")


def serve(settings: Settings, *, opens: bool = False) -> int:
    """Serve until SIGTERM or Ctrl-C; then tell the clients, keep everything and go."""
    logs.set_up(settings.log_level)
    listening = _listen(settings.host, settings.port)
    souk = Souk(settings)
    config = uvicorn.Config(
        souk.app,
        loop="uvloop" if find_spec("uvloop") else "asyncio",
        http="h11",  # whatever else is installed: it bounds headers, httptools does not
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
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, _stopped)  # uvicorn raises them again when everything is done
    Server(config, souk, opens=opens).run([listening])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        why = (error.strerror or str(error)).lower()
        raise SoukError(f"cannot listen on {host}, port {port}: {why}") from None
    return listening


def _stopped(_: int, __: FrameType | None) -> None:
    """Being asked to stop is no failure."""
