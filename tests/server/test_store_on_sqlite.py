"""SQLite files that cannot be opened, are locked, or are on a full disk."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from souk.engine.errors import SoukError
from souk.server.store import Change, PersistError, store_at
from tests.server.store_helpers import (
    append,
    change,
    create,
    entries,
    ignore_remote_entry,
    open_store,
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return an empty database."""
    return str(tmp_path / "souk.db")


@pytest.mark.asyncio
@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
async def test_a_database_is_created_with_its_folder(tmp_path: Path, form: str) -> None:
    file = tmp_path / "new" / "folder" / "souk.db"
    async with open_store(form.format(file)) as store:
        await create(store)
    assert file.is_file()
    async with open_store(str(file)) as store:
        assert await entries(store) == [b"entry 1"]


@pytest.mark.asyncio
@pytest.mark.parametrize("where", ["folder", "file/souk.db", "garbage", "/proc/souk.db"])
async def test_a_file_that_does_not_work_is_named(tmp_path: Path, where: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("", "utf-8")
    (tmp_path / "garbage").write_bytes(b"This is not a database. " * 99)
    path = tmp_path / where
    with pytest.raises(SoukError, match=f"^cannot use {path} as a database: [^\\n]+$"):
        await store_at(str(path)).open(ignore_remote_entry)


@pytest.mark.asyncio
async def test_every_step_is_flushed(file: str) -> None:
    async with open_store(file) as store:
        assert store._writes.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._writes.execute("PRAGMA journal_mode").fetchone() == ("wal",)


HOLD = """
import asyncio, sys
from tests.server.store_helpers import open_store

async def main():
    async with open_store(sys.argv[1]):
        print("open", flush=True)
        sys.stdin.read()

asyncio.run(main())
"""


@pytest.mark.asyncio
async def test_a_file_is_for_one_process(file: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None and holder.stdin is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(SoukError, match=r"another souk serve is using .* PostgreSQL"):
            await store_at(file).open(ignore_remote_entry)
        holder.stdin.close()
        assert holder.wait(20) == 0
    async with open_store(file) as store:
        await create(store)


@pytest.mark.asyncio
async def test_a_full_disk_refuses_and_loses_nothing(file: str) -> None:
    async with open_store(file) as store:
        await create(store, view=b"1")
        (pages,) = store._writes.execute("PRAGMA page_count").fetchone()
        store._writes.execute(f"PRAGMA max_page_count = {pages + 30}")
        stored = {1}

        async def add(n: int) -> None:
            if await append(
                store, change(n=n, entry=b"x" * 2000, view=b"%d" % n, participant=str(n))
            ):
                stored.add(n)

        async def add_many() -> None:
            for first in range(2, 100, 5):
                await asyncio.gather(*map(add, range(first, first + 5)))

        with pytest.raises(PersistError, match="full"):
            await add_many()
        count = len(stored)
        assert 10 < count < 98
        assert len(await entries(store)) == count, "a group is stored as a whole or not at all"
        assert await store.tables(None, 9) == [b"%d" % max(stored)]
        with pytest.raises(PersistError, match="full"):
            await append(store, change(n=count + 1, entry=b"x" * 200_000))
        store._writes.execute("PRAGMA max_page_count = 1000000")
        assert await append(store, change(n=count + 1))
    async with open_store(file) as store:
        assert len(await entries(store)) == count + 1


class Broken:
    """A connection on which some statements fail, once each."""

    def __init__(self, real: sqlite3.Connection, *bad: str) -> None:
        self.real = real
        self.bad = list(bad)

    @property
    def in_transaction(self) -> bool:
        return self.real.in_transaction

    def execute(self, query: str, *values: Any) -> sqlite3.Cursor:
        if query in self.bad:
            self.bad.remove(query)
            raise sqlite3.OperationalError("disk I/O error")
        return self.real.execute(query, *values)


@pytest.mark.asyncio
async def test_the_store_recovers_when_even_a_rollback_fails(file: str) -> None:
    async with open_store(file) as store, asyncio.timeout(20):
        await create(store)
        store._writes = Broken(store._writes, "COMMIT", "ROLLBACK")
        with pytest.raises(PersistError, match="disk i/o error"):
            await append(store, change(n=2))
        assert store._writes.in_transaction, "what it had begun is still open"
        assert await append(store, Change("t", 2, b"alone", None))
        assert not store._writes.in_transaction
        assert (await entries(store))[1:] == [b"alone"], "others see it, so it is on the disk"


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [1, 63, 64, 65, 130])
async def test_of_a_group_only_the_entry_with_a_used_number_is_refused(
    file: str, size: int
) -> None:
    async with open_store(file) as store, asyncio.timeout(20):
        await create(store)
        numbers = [*range(2, size + 2), size]
        group = [append(store, Change("t", n, b"%d" % n, None)) for n in numbers]
        assert await asyncio.gather(*group) == [True] * size + [False]
        assert len(await entries(store)) == size + 1
