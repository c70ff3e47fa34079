"""Refuse requests that pages of other sites make.

A browser names the page that makes a request in the Origin header and the address that it asks in
the Host header. Without a public address of our own to compare with, both could name a site that
points its name to this machine (DNS rebinding). So only addresses are accepted then that no public
name can lead to: IP addresses, names without a dot and those of local networks.
"""

import ipaddress
import socket
from collections.abc import Mapping
from functools import lru_cache

PROXY_HEADERS = ("forwarded", "via", "x-real-ip", "cf-connecting-ip")  # and X-Forwarded-…
LOCAL_ENDINGS = (".localhost", ".local", ".lan", ".home", ".home.arpa", ".internal", ".test")


def refusal_of_origin(headers: Mapping[str, str], origin: str) -> str | None:
    """Return why a request is refused; None if it comes from our own page, or from no page."""
    host = headers.get("host", "")
    if not origin and not is_local(host):
        return (
            "This server does not know this name as its own: use its IP address,"
            " or start it with --origin and its public address."
        )
    given = headers.get("origin")
    ours = (origin,) if origin else (f"http://{host}", f"https://{host}")
    return None if given is None or given in ours else "This request is from another site."


@lru_cache(maxsize=1000)
def is_local(host: str) -> bool:
    """Return whether no public name can be the host of a URL.

    >>> [is_local(host) for host in ("127.0.0.1:8080", "[::1]:80", "localhost", "pc.local:8080")]
    [True, True, True, True]
    >>> [is_local(host) for host in ("play.example", "evil.example:8080", "127.0.0.1.evil.example")]
    [False, False, False]
    """
    if len(host) > 260:
        return False  # longer than any name
    name = _without_port(host)
    if "." not in name.strip("[]") and ":" not in name:
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return name.endswith(LOCAL_ENDINGS) or name == socket.gethostname().lower()
    return True


def is_from_this_computer(client: str, headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from this computer, to a name that only it has.

    A header of a proxy says that it comes from elsewhere.

    >>> is_from_this_computer("127.0.0.1", {"host": "localhost:8080"})
    True
    >>> is_from_this_computer("127.0.0.1", {"host": "localhost", "x-forwarded-for": "127.0.0.1"})
    False
    """
    if any(name in PROXY_HEADERS or name.startswith("x-forwarded-") for name in headers):
        return False
    return _is_loopback(client) and is_trustworthy("http", headers.get("host", ""))


def is_trustworthy(scheme: str, host: str) -> bool:
    """Return whether browsers trust that nobody has changed what an address answers.

    >>> is_trustworthy("http", "127.0.0.1:80"), is_trustworthy("http", "192.168.1.20")
    (True, False)
    """
    name = _without_port(host)
    return scheme == "https" or name == "localhost" or _is_loopback(name)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.strip("[]").removeprefix("::ffff:")).is_loopback
    except ValueError:
        return False


def _without_port(host: str) -> str:
    name = host.lower()
    if not name.endswith("]"):
        name = name.rpartition(":")[0] if ":" in name else name
    return name.removesuffix(".")
