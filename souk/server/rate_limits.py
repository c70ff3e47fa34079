"""Rate limits of people and addresses, as token buckets."""

import ipaddress
import time
from collections import OrderedDict
from dataclasses import dataclass, field

MAX_KEYS = 100_000  # buckets, least recently used dropped first


@dataclass(frozen=True)
class Rate:
    """A burst, then a number per second."""

    burst: float
    per_second: float


COMMANDS = Rate(60, 20)  # per person, or per address without identity
CHAT = Rate(8, 0.5)  # per person
NEW_TABLES = Rate(30, 0.2)  # per person
REPLAYS = Rate(20, 0.5)  # per address: whole games replayed
HINTS = Rate(8, 0.2)  # per person
ANALYSES = Rate(10, 0.1)  # per address: whole games analysed
NEW_PEOPLE = Rate(60, 1)  # per address
REQUESTS = Rate(300, 50)  # per address, over HTTP
CONNECTIONS = Rate(200, 20)  # per address
MAX_SOCKETS = 100  # per person or address without identity


class Bucket:
    """A token bucket."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = time.monotonic()

    def take(self) -> bool:
        """Take a token; return whether there was one."""
        now = time.monotonic()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def network(address: str) -> str:
    """Return the key by which an address is limited: for IPv6 its /64 network.

    >>> network("203.0.113.7"), network("2001:db8::7"), network("::ffff:203.0.113.7")
    ('203.0.113.7', '2001:db8::/64', '203.0.113.7')
    """
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed), 64), strict=False))


@dataclass
class RateLimits:
    """The buckets of a server, by rate and by person or address."""

    is_on: bool = True
    _buckets: OrderedDict[tuple[Rate, str], Bucket] = field(default_factory=OrderedDict)

    def allow(self, rate: Rate, who: str) -> bool:
        """Return whether a person or address may make one more request."""
        if not self.is_on:
            return True
        key = (rate, who)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(rate)
            if len(self._buckets) > MAX_KEYS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take()
