"""Rate limits of people and addresses, as token buckets.

What a person may do counts for the person and for the address, so that many identities of one
address together get only a few times as much as one. Several processes that share a database tell
each other what was spent (see `souk.server.live.shared_limits`).
"""

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_KEYS = 100_000  # buckets, least recently used dropped first
RARE = 1.0  # per second: what is spent of rates up to this is shared at once
FORGET_SECONDS = 60.0  # after which a process that says nothing counts as ended
FULL = 0.75  # of the burst: above this what is spent of other rates is not shared


@dataclass(frozen=True)
class Rate:
    """A burst, then a number per second, of a person or an address."""

    name: str
    burst: float
    per_second: float
    people: int = 0  # all people of an address together get this many times the rate


COMMANDS = Rate("commands", 60, 20, people=10)
CHAT = Rate("chat", 8, 0.5, people=8)
NEW_TABLES = Rate("tables", 30, 0.2, people=4)
HINTS = Rate("hints", 8, 0.2, people=4)
REPORTS = Rate("reports", 5, 0.01, people=4)
# By address alone:
SEATS = Rate("seats", 10, 0.02)  # taken at one table
REPLAYS = Rate("replays", 20, 0.5)  # whole games replayed, verified or written as a record
RULES = Rate("rules", 30, 1)  # rulebooks and boards that are not cached
ANALYSES = Rate("analyses", 10, 0.1)  # whole games analysed
STUDIES = Rate("studies", 100, 10)  # steps and previews of study boards
EVALUATIONS = Rate("evaluations", 60, 2)  # of positions
NEW_PEOPLE = Rate("people", 60, 1)
FREE_PEOPLE = Rate("free people", 20, 0.05)  # identities without a proof of work
REQUESTS = Rate("requests", 300, 50)  # over HTTP
CONNECTIONS = Rate("connections", 200, 20)  # to tables
NEW_CONNECTIONS = Rate("new connections", 600, 60)  # of any kind, without proxies
# Not limits of clients:
USED_PROOFS = Rate("used proofs", 1, 0)  # each can be used once
ALL_FREE_PEOPLE = Rate("free people of all", 300, 3)
MAX_SOCKETS = 100  # per person or address without identity

LIMITS = (
    *(COMMANDS, CHAT, NEW_TABLES, HINTS, REPORTS, SEATS, REPLAYS, RULES, ANALYSES),
    *(STUDIES, EVALUATIONS),
    *(NEW_PEOPLE, FREE_PEOPLE, REQUESTS, CONNECTIONS, NEW_CONNECTIONS),
)
RATES = {rate.name: rate for rate in (*LIMITS, USED_PROOFS, ALL_FREE_PEOPLE)}

Key = tuple[str, str]
"""The name of a rate, and the person or address; the name ends with @ for all people of one."""
Spent = list[tuple[str, str, int]]
"""What was spent: the two parts of a key, and the number of tokens."""


class Bucket:
    """A token bucket. It can be in debt for what was spent in other processes."""

    __slots__ = ("_at", "_burst", "_left", "_per_second", "unshared")

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left = burst
        self._at = time.monotonic()
        self.unshared = 0.0  # tokens taken here that other processes do not know of

    def has_token(self, now: float) -> bool:
        """Return whether there is a token, after refilling the bucket."""
        left = self._left + (now - self._at) * self._per_second
        self._left = left = left if left < self._burst else self._burst
        self._at = now
        return left >= 1

    def take(self) -> None:
        """Take a token."""
        self._left -= 1

    def note_unshared(self) -> None:
        """Note that other processes do not know of a token, but of what was refilled since."""
        self.unshared = min(self.unshared, self._burst - self._left - 1) + 1

    def charge(self, count: float) -> None:
        """Take what was spent in another process; the debt is limited to a burst."""
        self.has_token(time.monotonic())
        self._left = max(-self._burst, self._left - count)

    @property
    def is_to_be_shared(self) -> bool:
        """Return whether other processes should know what was taken."""
        return self._per_second <= RARE or self._left < FULL * self._burst


@dataclass
class RemoteCounts:
    """What people and addresses have in another process, and when it said so."""

    counts: dict[Key, int]
    at: float


@dataclass
class RateLimits:
    """The buckets of a server, by rate and by person or address."""

    is_on: bool = True
    is_shared: bool = False  # whether other processes are told what was spent here
    on_unshared: Callable[[], None] = lambda: None  # called when there is something to share
    _buckets: OrderedDict[Key, Bucket] = field(default_factory=OrderedDict)
    _unshared: set[Key] = field(default_factory=set)
    _counts: Counter[Key] = field(default_factory=Counter)  # of this process
    _unshared_counts: set[Key] = field(default_factory=set)
    _remote: dict[str, RemoteCounts] = field(default_factory=dict)  # by process

    def allow(self, rate: Rate, who: str, address: str | None = None) -> bool:
        """Return whether a person or address may make one more request.

        With the address of a person, its people together have a limit too.
        """
        if not self.is_on:
            return True
        key, now = (rate.name, who), time.monotonic()
        bucket = self._bucket(key, rate, 1)
        if address is None or not rate.people:
            if not bucket.has_token(now):
                return False
            self._take(key, bucket)
            return True
        shared_key = (f"{rate.name}@", address)
        shared = self._bucket(shared_key, rate, rate.people)
        if not (bucket.has_token(now) and shared.has_token(now)):
            return False
        self._take(key, bucket)
        self._take(shared_key, shared)
        return True

    def _take(self, key: Key, bucket: Bucket) -> None:
        bucket.take()
        if self.is_shared:
            bucket.note_unshared()
            if bucket.is_to_be_shared:
                self._unshared.add(key)
                self.on_unshared()

    def _bucket(self, key: Key, rate: Rate, times: int) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(rate.burst * times, rate.per_second * times)
            if len(self._buckets) > MAX_KEYS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket

    # ---- numbers at a time ----------------------------------------------------------------------

    def count(self, name: str, who: str) -> int:
        """Return how many of something somebody has now, over all processes."""
        now = time.monotonic()
        remote = [one for one in self._remote.values() if now - one.at < FORGET_SECONDS]
        return self._counts[name, who] + sum(one.counts.get((name, who), 0) for one in remote)

    def change_count(self, name: str, who: str, by: int, *, share_from: int = 1) -> None:
        """Note that somebody has more or fewer of something; other processes learn of many."""
        key = (name, who)
        before = self._counts[key]
        self._counts[key] += by
        if self._counts[key] <= 0:
            del self._counts[key]
        if self.is_shared and max(before, before + by) >= share_from:
            self._unshared_counts.add(key)
            self.on_unshared()

    # ---- several processes ----------------------------------------------------------------------

    def take_unshared(self) -> Spent:
        """Return what was spent here since the last call and matters to other processes."""
        spent: Spent = []
        for key in self._unshared:
            bucket = self._buckets.get(key)
            if bucket is not None and bucket.unshared >= 1:
                spent.append((*key, int(bucket.unshared)))
                bucket.unshared = 0.0
        self._unshared.clear()
        return spent

    def take_unshared_counts(self, *, all: bool = False) -> Spent:
        """Return the numbers that changed here since the last call, or all of them."""
        keys = self._unshared_counts | set(self._counts) if all else self._unshared_counts
        changed = [(*key, self._counts[key]) for key in sorted(keys)]
        self._unshared_counts.clear()
        return changed

    def set_remote_counts(self, process: str, counts: Spent) -> None:
        """Set numbers of another process."""
        now = time.monotonic()
        self._remote = {
            name: one for name, one in self._remote.items() if now - one.at < FORGET_SECONDS
        }
        remote = self._remote.setdefault(process, RemoteCounts({}, now))
        remote.at = now
        for name, who, number in counts:
            if number:
                remote.counts[name, who] = number
            else:
                remote.counts.pop((name, who), None)

    def charge(self, spent: Spent) -> None:
        """Count what was spent in another process."""
        for name, who, count in spent:
            rate = RATES.get(name.removesuffix("@"))
            if rate is not None:
                times = rate.people if name.endswith("@") else 1
                self._bucket((name, who), rate, times).charge(count)


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
