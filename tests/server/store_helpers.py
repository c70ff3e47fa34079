"""Helpers of the store tests: tables to store, and many requests at once."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace

from souk.server.store import Change, Store, Summary, future_callback, store_at
from souk.server.store.my_games import MyGames
from souk.server.tables.entries import ComputerSeat, OpenSeat, TableConfig


def ignore_remote_entry(table: str, n: int) -> None:
    """Ignore entries of other processes."""


@asynccontextmanager
async def open_store(
    url: str, on_remote_entry: Callable[[str, int], None] = ignore_remote_entry
) -> AsyncIterator[Any]:
    """Open a store, and close it at the end."""
    store = store_at(url)
    await store.open(on_remote_entry)
    try:
        yield store
    finally:
        await store.close()


def config(
    id: str = "t", *, host: str = "ann", public: bool = True, created: int = 1
) -> TableConfig:
    seats = (OpenSeat(), ComputerSeat("greedy"))
    return TableConfig(id, "marrakech", host, seats, public, 60, "grace", 30, "secret", created)


def change(table: str = "t", n: int = 1, *, entry: bytes | None = None, **more: Any) -> Change:
    """Return an entry with a summary; a view of None leaves the stored one."""
    summary = replace(Summary("waiting", None, n, b"view %d" % n), **more)
    return Change(table, n, b"entry %d" % n if entry is None else entry, summary)


async def append(store: Store, change: Change) -> bool:
    """Append an entry, and wait for the outcome."""
    future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    store.append(change, future_callback(future))
    return await future


async def create(store: Store, id: str = "t", *, host: str = "ann", **fields: Any) -> None:
    public, created = fields.pop("public", True), fields.pop("created", 1)
    await store.create(
        config(id, host=host, public=public, created=created), [change(id, **fields)]
    )


async def entries(store: Store, table: str = "t", after: int = 0) -> list[bytes]:
    stored = await store.load(table, after)
    assert stored is not None
    return list(stored.entries)


async def views_of(store: Store, person: str, limit: int) -> list[bytes]:
    return await MyGames(store).views(person, limit)


async def gather(requests: Iterable[Coroutine[Any, Any, Any]]) -> list[Any]:
    return await asyncio.gather(*requests)


async def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)
