"""Serve the local network too, when somebody at this computer asks for it.

A server listens on 127.0.0.1 unless told otherwise, so nobody else reaches it. Friends in the same
Wi-Fi do once it also listens at the computer's addresses in private networks, with the same port.
Public addresses are left to `--host`.
"""

import asyncio
import ipaddress
import socket
import struct
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

from souk.engine.errors import SoukError
from souk.server.http.connections import Connections
from souk.server.tables.commands import Refusal

# Choosing a route to these addresses, which nobody has, tells our own address without sending.
PROBES = ("192.0.2.1", "2001:db8::1")
# Names of interfaces that lead to programs on this computer, or far away.
VIRTUAL = ("lo", "docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "podman", "tun", "tap", "wg")
SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of an interface

Listen = Callable[[str, int], Awaitable[asyncio.AbstractServer]]


class LocalNetwork:
    """The listening sockets in the local network; none until `open`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._host = ""
        self._port = 0
        self._listen: Listen | None = None
        self._servers: dict[str, asyncio.AbstractServer] = {}  # by address
        self._lock = asyncio.Lock()

    def start(self, host: str, port: int, listen: Listen) -> None:
        """Note where the server listens, and how it listens elsewhere."""
        self._host, self._port, self._listen = host, port, listen

    @property
    def can_switch(self) -> bool:
        """Return whether the server listens on this computer alone unless it is opened."""
        return self._listen is not None and _parse(self._host).is_loopback

    def origins(self) -> list[str]:
        """Return how others reach this server, best first; empty if nobody else does."""
        if self._listen is None or self.can_switch:
            return [origin(address, self._port) for address in self._servers]
        if _parse(self._host).is_unspecified:
            addresses = own_addresses()
            return [origin(one, self._port) for one in addresses if ":" in self._host or "." in one]
        return [origin(self._host, self._port)]

    async def open(self) -> None:
        """Listen at the addresses that this computer has by now; refuse if it has none."""
        async with self._lock:
            addresses = private_addresses()
            self._close([one for one in self._servers if one not in addresses])
            if self.can_switch and self._listen is not None:
                for address in addresses:
                    with suppress(OSError, SoukError):  # one may be in use, others not
                        if address not in self._servers:
                            self._servers[address] = await self._listen(address, self._port)
            if not self._servers:
                raise Refusal(
                    "no-network", "This computer is in no local network, or the port is used."
                )

    async def close(self) -> None:
        """Listen on this computer only, and cut the connections of others."""
        async with self._lock:
            self._close(list(self._servers))

    def _close(self, addresses: list[str]) -> None:
        for address in addresses:
            self._servers.pop(address).close()
        self._connections.cut(addresses)


def origin(address: str, port: int) -> str:
    """Return the address of the page at an IP address.

    >>> origin("192.168.1.20", 8080), origin("::1", 80)
    ('http://192.168.1.20:8080', 'http://[::1]')
    """
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}" + (f":{port}" if port != 80 else "")


def own_addresses() -> list[str]:
    """Return the addresses by which others can reach this computer, IPv4 first. Sends nothing."""
    by_route = list(_by_route())
    by_name = list(_by_name())
    best = [one for one in by_route if one in by_name or ":" in one or not by_name]
    found = dict.fromkeys(sorted([*best, *by_name], key=lambda one: ":" in one))
    return [one for one in found if _is_reachable(one)]


def private_addresses() -> list[str]:
    """Return the addresses by which only private networks reach this computer; IPv4 if any."""
    private = [one for one in own_addresses() if not _parse(one).is_global]
    return [one for one in private if ":" not in one] or private


def _by_route() -> Iterator[str]:
    """Yield the addresses from which this computer talks to others."""
    for target in PROBES:
        family = socket.AF_INET6 if ":" in target else socket.AF_INET
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            yield probe.getsockname()[0]


def _by_name() -> Iterator[str]:
    """Yield the IPv4 addresses of interfaces, without those of virtual networks; on Linux only."""
    if sys.platform != "linux":
        return
    import fcntl

    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            if not name.startswith(VIRTUAL):
                with suppress(OSError):  # it has none
                    request = struct.pack("256s", name.encode()[:15])
                    answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
                    yield socket.inet_ntoa(answer[20:24])


def _is_reachable(address: str) -> bool:
    parsed = _parse(address)
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)


def _parse(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(address)
