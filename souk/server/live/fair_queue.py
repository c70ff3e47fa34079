"""Share a few workers fairly: by address, then by person, and urgent work first.

An address that used the workers little lately goes before one that used them much, however many
identities it has; within an address the same holds for people. Among equals moves go before hints,
hints before reviews of games, and all of them before tables at which no person waits. What has
waited for some seconds moves up, so that nothing waits for ever. A worker is never taken away, but
two measures bound how long others wait: while several addresses are active, none of them takes the
last worker, and work that is known to be quick has one more of its own.
"""

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from typing import NamedTuple

PROMOTION = 2.0  # seconds of waiting, after which work counts as more urgent by one
HALF_LIFE = 30.0  # seconds until half of what was used is forgotten
LIGHT = 2.0  # seconds used lately: addresses and people below this count as equal
QUICK = 0.1  # seconds: what takes no longer is quick
UNKNOWN = 0.5  # seconds charged in advance for work that was not measured yet
MAX_KNOWN = 10_000  # addresses, people and kinds of work, least recently used dropped first


class Urgency(IntEnum):
    """What goes first among equals."""

    MOVE = 0  # a person waits for the move of a computer player
    HINT = 1
    REVIEW = 2  # analyses, replays, records, rulebooks
    BACKGROUND = 3  # computer players at a table at which no person waits


class Payer(NamedTuple):
    """To whom work is charged. The address is empty if it is not known."""

    address: str
    person: str


NOBODY = Payer("", "")


@dataclass(eq=False)
class Job:
    """Work that waits for a worker or has one."""

    payer: Payer
    urgency: Urgency
    what: str  # the kind of work, by which its time is estimated; empty if it varies
    expected: float  # seconds; infinite if unknown
    number: int
    since: float  # when it began to wait
    granted: asyncio.Future[int]  # the number of the worker

    @property
    def is_quick(self) -> bool:
        """Return whether the work is known to be quick."""
        return self.expected <= QUICK

    @property
    def charge(self) -> float:
        """Return the seconds charged in advance."""
        return self.expected if self.expected < math.inf else UNKNOWN


class Usage:
    """The seconds that addresses or people used lately, halved every HALF_LIFE."""

    def __init__(self) -> None:
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()  # seconds, and when

    def of(self, who: str, now: float) -> float:
        """Return what somebody used lately."""
        used, at = self._used.get(who, (0.0, now))
        return used * math.exp2((at - now) / HALF_LIFE)

    def add(self, who: str, seconds: float, now: float) -> None:
        """Add used seconds, or subtract those charged too much."""
        self._used[who] = (max(0.0, self.of(who, now) + seconds), now)
        self._used.move_to_end(who)
        if len(self._used) > MAX_KNOWN:
            self._used.popitem(last=False)

    def has_others(self, who: str, now: float) -> bool:
        """Return whether somebody else used anything lately."""
        others = ((other, at) for other, (_, at) in reversed(self._used.items()))
        return now - next((at for other, at in others if other != who), -math.inf) < HALF_LIFE


class FairQueue:
    """The jobs that wait for a number of workers, plus one for quick jobs if requested."""

    def __init__(self, workers: int, *, quick: bool = False) -> None:
        self.workers = workers
        self._free = list(range(workers))  # the last one is taken first, so that few stay warm
        self._quick = [workers] if quick else []
        self._waiting: list[Job] = []
        self._held: Counter[str] = Counter()  # workers by address, without the quick one
        self._addresses, self._people = Usage(), Usage()
        self._took: OrderedDict[str, tuple[float, float]] = OrderedDict()  # the last two times
        self._numbers = count()

    def waiting(self, address: str | None = None) -> int:
        """Return how many jobs wait, of an address or of all."""
        if address is None:
            return len(self._waiting)
        return sum(job.payer.address == address for job in self._waiting)

    @asynccontextmanager
    async def turn(self, payer: Payer, urgency: Urgency, what: str) -> AsyncIterator[int]:
        """Wait for a worker, and hold it; yield its number."""
        expected = min(self._took.get(what, (math.inf, math.inf)))
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        job = Job(payer, urgency, what, expected, next(self._numbers), time.monotonic(), future)
        self._waiting.append(job)
        self._dispatch()
        try:
            worker = await job.granted
        except BaseException:  # cancelled
            if job.granted.done() and not job.granted.cancelled():
                self._release(job, job.granted.result(), None)
            else:
                self._waiting.remove(job)
            raise
        started = time.monotonic()
        try:
            yield worker
        finally:
            self._release(job, worker, time.monotonic() - started)

    def _release(self, job: Job, worker: int, seconds: float | None) -> None:
        """Take a worker back, and charge the time it took; None if it did nothing."""
        if worker < self.workers:
            self._free.append(worker)
            self._held[job.payer.address] -= 1
            if not self._held[job.payer.address]:
                del self._held[job.payer.address]
        else:
            self._quick.append(worker)
        now = time.monotonic()
        self._charge(job, (seconds or 0.0) - job.charge, now)
        if seconds is not None and job.what:
            # Of the last two times the shorter counts: a kernel is loaded only once.
            self._took[job.what] = (self._took.get(job.what, (math.inf,))[-1], seconds)
            self._took.move_to_end(job.what)
            if len(self._took) > MAX_KNOWN:
                self._took.popitem(last=False)
        self._dispatch()

    def _charge(self, job: Job, seconds: float, now: float) -> None:
        self._addresses.add(job.payer.address, seconds, now)
        self._people.add(job.payer.person, seconds, now)

    def _dispatch(self) -> None:
        """Give free workers to the jobs that come first."""
        while self._waiting and (self._free or self._quick):
            now = time.monotonic()
            jobs = [job for job in self._waiting if self._may_start(job, now)]
            if not jobs:
                return
            job = min(jobs, key=lambda job: self._rank(job, now))
            self._waiting.remove(job)
            if job.is_quick and self._quick:
                worker = self._quick.pop()
            else:
                worker = self._free.pop()
                self._held[job.payer.address] += 1
            self._charge(job, job.charge, now)
            job.granted.set_result(worker)

    def _may_start(self, job: Job, now: float) -> bool:
        if job.is_quick and self._quick:
            return True
        if not self._free:
            return False
        address = job.payer.address
        is_last = self.workers > 1 and self._held[address] >= self.workers - 1
        return not (is_last and self._addresses.has_others(address, now))

    def _rank(self, job: Job, now: float) -> tuple[float, ...]:
        """Return the place of a job: the least comes first."""
        by_address = self._addresses.of(job.payer.address, now)
        by_person = self._people.of(job.payer.person, now)
        levels = (_level(by_address), _level(by_person))
        urgency = max(Urgency.MOVE, job.urgency - int((now - job.since) / PROMOTION))
        return (*levels, urgency, not job.is_quick, by_address, by_person, job.number)


def _level(used: float) -> int:
    """Return 0 for little use, and one more each time it doubles.

    >>> [_level(seconds) for seconds in (0, 1.9, 2, 3.9, 4, 8)]
    [0, 0, 1, 1, 2, 3]
    """
    return 0 if used < LIGHT else 1 + int(math.log2(used / LIGHT))
