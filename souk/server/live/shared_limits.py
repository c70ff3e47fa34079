"""Tell the other processes of a database what was spent here, so that limits hold across them."""

import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from souk.server.rate_limits import FORGET_SECONDS, RateLimits, Spent
from souk.server.store import PersistError, Store

MAX_ITEMS = 40  # of a message, which has at most souk.server.store.MAX_BROADCAST bytes
MAX_WHO = 100  # characters of a person or address; no real one is longer
PAUSE = 0.02  # seconds between two broadcasts
REFRESH = FORGET_SECONDS / 4  # seconds between two broadcasts of all numbers

log = logging.getLogger("souk.server")


class Message(msgspec.Struct, frozen=True, array_like=True):
    """What a process tells the others."""

    process: str
    spent: Spent
    counts: Spent


_decode = msgspec.json.Decoder(Message).decode


class SharedLimits:
    """The connection between the limits of several processes."""

    def __init__(self, limits: RateLimits, store: Store) -> None:
        self._limits = limits
        self._store = store
        self._process = secrets.token_hex(4)
        self._has_news = asyncio.Event()
        limits.on_unshared = self._has_news.set
        store.on_broadcast = self._on_broadcast

    async def run(self) -> None:
        """Broadcast what is spent, as long as the server runs."""
        if self._store.is_single_process or not self._limits.is_on:
            return
        loop = asyncio.get_running_loop()
        refresh_at = loop.time() + REFRESH
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_news.wait(), REFRESH)
            self._has_news.clear()
            is_refresh = loop.time() >= refresh_at
            if is_refresh:
                refresh_at = loop.time() + REFRESH
            spent = self._limits.take_unshared()
            counts = self._limits.take_unshared_counts(all=is_refresh)
            try:
                for text in messages(self._process, spent, counts):
                    await self._store.broadcast(text)
            except PersistError as error:  # until the database is back each process limits alone
                log.warning("limits are not shared", extra={"error": str(error)})
            await asyncio.sleep(PAUSE)

    def _on_broadcast(self, text: str) -> None:
        message = _decode(text)
        self._limits.charge(message.spent)
        self._limits.set_remote_counts(message.process, message.counts)


def messages(process: str, spent: Spent, counts: Spent) -> Iterator[str]:
    """Yield the messages of a broadcast, none of them longer than the store takes."""
    items = [(one, True) for one in spent] + [(one, False) for one in counts]
    short = [item for item in items if len(item[0][1]) <= MAX_WHO]
    for start in range(0, len(short), MAX_ITEMS):
        part = short[start : start + MAX_ITEMS]
        message = Message(
            process,
            [one for one, is_spent in part if is_spent],
            [one for one, is_spent in part if not is_spent],
        )
        yield msgspec.json.encode(message).decode()
