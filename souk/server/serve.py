"""`souk serve`: runs the application until it is told to stop."""

import signal
import sys
from importlib.util import find_spec
from socket import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from souk.server import logs
from souk.server.app import application
from souk.server.protocol import SocketProtocol
from souk.server.settings import Settings
from souk.server.sockets import MOST_FRAME


class Server(uvicorn.Server):
    """Uvicorn, which says where it listens, and lets clients know before it closes their line."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen, and say where."""
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                host, port = listening.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                print(f"Souk is at http://{shown}:{port}", flush=True)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Say goodbye, then stop."""
        self.app.state.sockets.close()
        await super().shutdown(sockets)


def serve(settings: Settings) -> int:
    """Serve until SIGTERM or Ctrl-C; then tell the clients, keep everything and go."""
    logs.set_up(settings.log_level)
    app = application(settings)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        http="httptools" if find_spec("httptools") else "h11",
        ws=SocketProtocol,
        ws_max_size=MOST_FRAME,
        ws_per_message_deflate=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        server_header=False,
        log_config=None,
        timeout_graceful_shutdown=5,
        backlog=4096,
    )
    server = Server(config, app)
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, _stopped)  # uvicorn raises them again when everything is done
    server.run()
    return 0 if server.started else 1


def _stopped(_: int, __: FrameType | None) -> None:
    """Being asked to stop is no failure."""
