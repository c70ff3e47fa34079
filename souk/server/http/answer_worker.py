"""Compute slow answers (replays, records, rules) in a worker that addresses share fairly."""

import gzip
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple, Unpack

import msgspec

from souk.server.live.analyses import GZIP_LEVEL
from souk.server.live.fair_queue import Payer, Urgency
from souk.server.live.fair_workers import FairWorkers, Order
from souk.server.tables.commands import Refusal

TIMEOUT = 60.0  # seconds before a call counts as hung
MAX_WAITING = 8  # calls of an address; further ones are refused
MAX_CACHED = 300  # answers, least recently used dropped first

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class AnswerWorker:
    """The worker for slow answers, and recent answers that depend on nothing but the request."""

    def __init__(self, *, limits: bool) -> None:
        self._limits = limits
        self._workers = FairWorkers(1, TIMEOUT)
        self._cache: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

    async def call(
        self, address: str, function: Callable[[Unpack[Arguments]], T], *arguments: *Arguments
    ) -> T:
        """Call a function in the worker, for an address."""
        if self._limits and self._workers.queue.waiting(address) >= MAX_WAITING:
            raise Refusal("too-fast", "Too many requests of your address wait: try again later.")
        order = Order(Payer(address, address), Urgency.REVIEW)
        try:
            return await self._workers.run(order, function, *arguments)
        except TimeoutError:
            raise Refusal("not-possible", "This took too long.") from None

    def cached(self, *key: object) -> bytes | None:
        """Return a cached answer."""
        if key in self._cache:
            self._cache.move_to_end(key)
        return self._cache.get(key)

    def remember(self, answer: bytes, *key: object) -> None:
        """Cache an answer."""
        self._cache[key] = answer
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)

    def close(self) -> None:
        """Kill the worker."""
        self._workers.close()


def as_json(function: Callable[[Unpack[Arguments]], object], *arguments: *Arguments) -> bytes:
    """Return the value of a function as JSON. In the worker."""
    return msgspec.json.encode(function(*arguments))


def as_gzip(function: Callable[[Unpack[Arguments]], object], *arguments: *Arguments) -> bytes:
    """Return the value of a function as compressed JSON. In the worker."""
    return gzip.compress(as_json(function, *arguments), GZIP_LEVEL)
