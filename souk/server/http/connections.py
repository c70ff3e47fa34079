"""Count connections by address, and end those that are silent or slow.

An address has a rate of new connections and a number of open ones, sockets included. Connections of
trusted proxies belong to many people, so only their sum is limited; there each request counts for
the address that the proxy names. If all connections are in use, a new one replaces the connection
that has been idle for longest.
"""

import asyncio
import logging
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import h11
from msgspec import json
from uvicorn.protocols.http.h11_impl import H11Protocol

from souk.server import metrics, rate_limits
from souk.server.live.websocket import SocketProtocol
from souk.server.logs import RareLog
from souk.server.rate_limits import RateLimits, network
from souk.server.settings import contains

HEAD_SECONDS = 10.0  # for the line and the headers of a request, from connecting on
BODY_SECONDS = 20.0  # for the body
WRITE_SECONDS = 60.0  # for reading a response that the network cannot hold
CLOSE_SECONDS = 10.0  # for reading the rest before a closed connection is cut
SWEEP_SECONDS = 1.0
MAX_READS = 256  # pieces in which a request arrives
MAX_OPEN = 50_000  # connections, if there are enough file descriptors
MAX_DESCRIPTORS = 65_536
RESERVED_DESCRIPTORS = 100  # for the database, computer players and logs
FILES = Path("/proc/self/fd")

log = logging.getLogger("souk.server")


class Connections:
    """The open connections of this process."""

    def __init__(self, limits: RateLimits, proxies: str, per_address: int) -> None:
        self.limits = limits
        self.most = max_connections()
        # Less than all, so that one address never locks out all others.
        self.per_address = min(per_address, max(1, self.most // 2))
        self._proxies = proxies
        self._http: dict[HttpProtocol, None] = {}  # oldest first
        self._sockets: set[SocketProtocol] = set()
        self._counts: Counter[str] = Counter()  # by address, without proxies
        self._closing: set[HttpProtocol | SocketProtocol] = set()  # at the last sweep of these
        self._log = RareLog(log)

    def protocol(self, **arguments: Any) -> "HttpProtocol":
        """Return the protocol of a new connection, for uvicorn."""
        return HttpProtocol(self, **arguments)

    def __len__(self) -> int:
        return len(self._http) + len(self._sockets)

    def is_proxy(self, address: str) -> bool:
        """Return whether the connections of an address belong to many people."""
        return contains(self._proxies, address)

    # ---- opening and closing --------------------------------------------------------------------

    def add(self, protocol: "HttpProtocol") -> str | None:
        """Count a new connection; return why it is refused, if it is."""
        address = protocol.address
        if self.limits.is_on and address:
            if not self.limits.allow(rate_limits.NEW_CONNECTIONS, address):
                return self._refuse("an address opens connections too fast", address)
            if self._counts[address] >= self.per_address:
                return self._refuse("an address has too many connections", address)
        if len(self) >= self.most:
            idle = next((one for one in self._http if one.is_idle), None)
            if idle is None:
                return self._refuse("all connections are in use", address)
            metrics.CUT.labels("replaced").inc()
            self._log.warning("all connections are in use; idle ones are cut", open=self.most)
            idle.transport.abort()
            self._http.pop(idle)
        self._http[protocol] = None
        if address:
            self._counts[address] += 1
        metrics.CONNECTIONS.set(len(self))
        return None

    def _refuse(self, reason: str, address: str) -> str:
        metrics.CUT.labels("refused").inc()
        self._log.warning(f"connections are refused: {reason}", address=address, open=len(self))
        return reason

    def upgrade(self, protocol: "HttpProtocol", socket: SocketProtocol) -> None:
        """Count a connection as a socket from now on."""
        del self._http[protocol]
        self._sockets.add(socket)
        socket.on_lost = partial(self._remove_socket, socket, protocol.address)

    def remove(self, protocol: "HttpProtocol") -> None:
        """Forget a connection that is lost."""
        self._http.pop(protocol, None)
        self._forget(protocol.address)

    def _remove_socket(self, socket: SocketProtocol, address: str) -> None:
        self._sockets.discard(socket)
        self._forget(address)

    def _forget(self, address: str) -> None:
        if address:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]
        metrics.CONNECTIONS.set(len(self))

    def cut(self, addresses: Collection[str]) -> None:
        """Cut the connections to these addresses of ours."""
        for transport in [one.transport for each in (self._http, self._sockets) for one in each]:
            ours = transport.get_extra_info("sockname")
            if ours and ours[0] in addresses:
                transport.abort()

    # ---- deadlines ------------------------------------------------------------------------------

    async def watch(self) -> None:
        """End connections that are too slow, for ever."""
        closing_at = descriptors_at = time.monotonic()
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for protocol in [one for one in self._http if one.deadline <= now]:
                protocol.expire()
            if now >= closing_at + CLOSE_SECONDS:
                closing_at = now
                self._cut_closing()
            if now >= descriptors_at + 60:
                descriptors_at = now
                self._check_descriptors()

    def _cut_closing(self) -> None:
        """Cut connections that were closed long ago and whose clients do not read the rest."""
        closing = {
            one
            for each in (self._http, self._sockets)
            for one in each
            if one.transport.is_closing()
        }
        for protocol in closing & self._closing:
            metrics.CUT.labels("unread").inc()
            protocol.transport.abort()
        self._closing = closing

    def _check_descriptors(self) -> None:
        limit = descriptor_limit()
        with suppress(OSError):
            used = sum(1 for _ in FILES.iterdir())
            if limit is not None and used > limit * 0.9:
                self._log.warning("file descriptors run short", used=used, limit=limit)


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP protocol with deadlines."""

    def __init__(self, connections: Connections, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.address = ""  # by which the connection is counted; empty for a proxy
        self.deadline = math.inf  # of the request that is coming in, or the response
        self._connections = connections
        self._is_counted = False
        self._phase: object = None  # of the request that is coming in
        self._reads = 0  # pieces of it so far
        self._write_deadline = math.inf

    @property
    def is_idle(self) -> bool:
        """Return whether no request is being answered or has its headers."""
        return self.conn.their_state is h11.IDLE and self.conn.our_state is h11.IDLE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        if self.client is not None and not self._connections.is_proxy(self.client[0]):
            self.address = network(self.client[0])
        refused = self._connections.add(self)
        if refused is None:
            self._is_counted = True
            self._set_phase(h11.IDLE, HEAD_SECONDS)
        else:
            transport.write(_response(429, "too-fast", f"Connection refused: {refused}."))
            transport.close()
            self.connections.discard(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._is_counted:
            self._connections.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle a piece of a request."""
        self._reads += 1
        if self._reads > MAX_READS:
            self._cut("pieces", 400, "bad-request", "This request comes in too many pieces.")
            return
        super().data_received(data)
        phase = self.conn.their_state
        if phase is h11.IDLE:
            self._set_phase(phase, HEAD_SECONDS)
        elif phase is h11.SEND_BODY:
            self._set_phase(phase, BODY_SECONDS)
        else:
            self._set_phase(None, math.inf)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a socket."""
        super().handle_websocket_upgrade(event)
        socket = self.transport.get_protocol()
        assert isinstance(socket, SocketProtocol)
        self._connections.upgrade(self, socket)
        self._is_counted = False

    def on_response_complete(self) -> None:
        """Wait for the next request; uvicorn closes a connection on which none begins."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE:
            self._set_phase(None, math.inf)

    def pause_writing(self) -> None:
        """Give the client some time to read."""
        super().pause_writing()
        self._write_deadline = time.monotonic() + WRITE_SECONDS
        self.deadline = min(self.deadline, self._write_deadline)

    def resume_writing(self) -> None:
        """Note that the client has read."""
        super().resume_writing()
        self._write_deadline = math.inf

    def _set_phase(self, phase: object, seconds: float) -> None:
        """Set the deadline of a part of the request, when it begins."""
        if phase is not self._phase or phase is None:
            self._phase = phase
            self._reads = 0
            self.deadline = min(time.monotonic() + seconds, self._write_deadline)

    def expire(self) -> None:
        """End a connection whose deadline has passed."""
        if self._write_deadline <= time.monotonic():
            metrics.CUT.labels("unread").inc()
            self.transport.abort()
        elif self._phase is None:  # the client has read in time
            self.deadline = self._write_deadline
        else:
            self._cut("slow", 408, "too-slow", "This request comes in too slowly.")

    def _cut(self, reason: str, status: int, code: str, sentence: str) -> None:
        """Refuse a request that is coming in, and close."""
        metrics.CUT.labels(reason).inc()
        self.deadline = math.inf
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_response(status, code, sentence))
            self.transport.close()
        else:
            self.transport.abort()


def _response(status: int, code: str, sentence: str) -> bytes:
    body = json.encode({"code": code, "message": sentence})
    head = (
        f"HTTP/1.1 {status} \r\nContent-Type: application/json\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


# ---- file descriptors ---------------------------------------------------------------------------


def raise_descriptor_limit() -> None:
    """Allow as many file descriptors as the system lets a process have."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def descriptor_limit() -> int | None:
    """Return how many file descriptors this process may have; None for any number."""
    if sys.platform == "win32":
        return None
    import resource

    soft: int = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def max_connections(limit: Callable[[], int | None] = descriptor_limit) -> int:
    """Return how many connections there are file descriptors for.

    >>> max_connections(lambda: 1024), max_connections(lambda: 120), max_connections(lambda: None)
    (924, 80, 50000)
    """
    descriptors = limit()
    if descriptors is None:
        return MAX_OPEN
    return min(MAX_OPEN, descriptors - min(RESERVED_DESCRIPTORS, descriptors // 3))
