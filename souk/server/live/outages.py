"""The times when this server could not take moves, so that they cost no player time.

The server was down, its process was stopped, or its database failed.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from souk.server.clock import now_ms

WATCH_SECONDS = 0.5  # between looks at the clock
STOPPED_MS = 500  # a process that is later than this was stopped
MAX_OUTAGES = 20  # remembered
RESTART_EXTRA_MS = 10_000  # for clients to reconnect
STOP_EXTRA_MS = 1_000  # to read what was sent meanwhile
STORE_EXTRA_MS = 5_000  # for clients to repeat what was refused


class Outage(NamedTuple):
    """A time without service, and the time that clients need afterwards, in milliseconds."""

    since: int
    until: int
    extra: int


class Outages:
    """The last outages of this server."""

    def __init__(self, on_end: Callable[[], None]) -> None:
        self.failing_since: int | None = None  # while the store fails
        self._on_end = on_end
        self._past: deque[Outage] = deque(maxlen=MAX_OUTAGES)

    def on_start(self, alive: int | None, now: int) -> None:
        """Note how long no server was running."""
        if alive is not None:
            self._past.append(Outage(alive, now, RESTART_EXTRA_MS))

    def on_store_failure(self, since: int) -> None:
        """Note that the store fails."""
        if self.failing_since is None:
            self.failing_since = since

    def on_store_success(self) -> None:
        """Note that the store works again."""
        if self.failing_since is not None:
            since, self.failing_since = self.failing_since, None
            self._end(Outage(since, now_ms(), STORE_EXTRA_MS))

    async def watch(self) -> None:
        """Notice when this process was stopped, by looking at the clock."""
        while True:
            before = now_ms()
            await asyncio.sleep(WATCH_SECONDS)
            late = now_ms() - before - round(1000 * WATCH_SECONDS)
            if late > STOPPED_MS:
                self._end(Outage(now_ms() - late, now_ms(), STOP_EXTRA_MS))

    def _end(self, outage: Outage) -> None:
        self._past.append(outage)
        self._on_end()

    def after(self, moment: int) -> Outage | None:
        """Return what was lost after a moment, also by an outage that goes on."""
        lost = [outage for outage in self._past if outage.until > moment]
        if self.failing_since is not None:
            lost.append(Outage(self.failing_since, now_ms(), STORE_EXTRA_MS))
        if not lost:
            return None
        since = max(moment, min(outage.since for outage in lost))
        return Outage(since, max(outage.until for outage in lost), max(o.extra for o in lost))
