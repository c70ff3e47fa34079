"""`souk admin`: what an operator asks of a database, whether or not a server is using it."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar, get_args

from souk.engine.errors import SoukError, brief, one_of
from souk.server.http.record_export import record_text
from souk.server.settings import Settings
from souk.server.store import PersistError, Store, store_at
from souk.server.tables.table import Status

T = TypeVar("T")
STATUSES = get_args(Status)


def list_tables(database: str | None, status: str | None, limit: int, *, as_json: bool) -> int:
    """A line for every table, the newest first."""
    if status not in (None, *STATUSES):
        raise SoukError(f"status accepts {one_of(STATUSES)}, not {brief(status)}")

    async def job(store: Store) -> list[bytes]:
        return await store.tables(status, limit)

    for raw in _with(database, job):
        table = json.loads(raw)
        if as_json:
            print(json.dumps(table, ensure_ascii=False))
            continue
        names = ", ".join(seat["name"] for seat in table["seats"])
        result = f"  {table['result']['text']}" if table["result"] else ""
        print(f"{table['id']}  {table['status']:8}{table['game']}  {names}{result}")
    return 0


def export(database: str | None, tables: list[str], folder: Path | None) -> int:
    """Write the records of tables, of all that are over by default, to files or to the output.

    One after the other, so that there may be any number; what cannot be read is told in the end.
    """
    bad: dict[str, str] = {}

    async def job(store: Store) -> int:
        written = 0
        for id in tables or await store.ids("over"):
            try:
                text = await _record(store, id)
            except Unreadable as error:
                bad[id] = str(error)
                continue
            _write(text, id, folder, is_first=not written)
            written += 1
        return written

    written = _with(database, job)
    if folder is not None:
        print(f"{written} {'record' if written == 1 else 'records'} in {folder}")
    for id, why in bad.items():
        print(f"souk: table {brief(id)} was left out: {why}", file=sys.stderr)
    return 1 if bad else 0


class Unreadable(Exception):
    """Something is wrong with a table, and it says what."""


async def _record(store: Store, id: str) -> str:
    try:
        kept = await store.load(id)
        if kept is None:
            raise Unreadable("there is no such table")
        return record_text(kept)
    except Unreadable:
        raise
    except PersistError as error:
        await store.tables(None, 1)  # or it is not this table alone, and there is no point
        raise Unreadable(str(error)) from None
    except Exception as error:  # a log that was damaged can fail anywhere; it is told, not hidden
        raise Unreadable(str(error) or type(error).__name__) from None


def _write(text: str, id: str, folder: Path | None, *, is_first: bool) -> None:
    if folder is None:
        sys.stdout.write(text if is_first else f"\n{text}")
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{id}.souk").write_text(text, "utf-8")
    except OSError as error:
        raise SoukError(f"cannot write to {folder}: {error.strerror}") from None


def _with(database: str | None, job: Callable[[Store], Awaitable[T]]) -> T:
    """Do something with a database that a server may be using: only reading."""

    async def run() -> T:
        store = store_at(Settings.from_sources({"database": database}, {}).database_url())
        await store.open_read_only()
        try:
            return await job(store)
        except PersistError as error:
            raise SoukError(f"the database cannot be read: {error}") from None
        finally:
            await store.close()

    return asyncio.run(run())
