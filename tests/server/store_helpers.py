"""What the tests of the stores share: tables to keep, and ways to ask for many things at once."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace

from souk.server.store import Change, Store, Summary, future_callback, store_at
from souk.server.tables.entries import ComputerSeat, OpenSeat, TableConfig


def ignore_remote_entry(table: str, n: int) -> None:
    """For those who do not care what others add."""


@asynccontextmanager
async def opened(
    url: str, heard: Callable[[str, int], None] = ignore_remote_entry
) -> AsyncIterator[Any]:
    """A store that is open, and closed in the end."""
    store = store_at(url)
    await store.open(heard)
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
    """An entry with the table as a whole; a view of None leaves it as lists show it."""
    summary = replace(Summary("waiting", None, n, b"view %d" % n), **more)
    return Change(table, n, b"entry %d" % n if entry is None else entry, summary)


async def append(store: Store, change: Change) -> bool:
    """Append an entry, and wait for what becomes of it."""
    future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    store.append(change, future_callback(future))
    return await future


async def create(store: Store, id: str = "t", *, host: str = "ann", **fields: Any) -> None:
    public, created = fields.pop("public", True), fields.pop("created", 1)
    await store.create(
        config(id, host=host, public=public, created=created), [change(id, **fields)]
    )


async def entries(store: Store, table: str = "t", after: int = 0) -> list[bytes]:
    kept = await store.load(table, after)
    assert kept is not None
    return list(kept.entries)


async def all_of(asked: Iterable[Coroutine[Any, Any, Any]]) -> list[Any]:
    return await asyncio.gather(*asked)


async def soon(is_so: Callable[[], bool], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.01)
