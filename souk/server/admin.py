"""`souk admin`: back up, restore and migrate a database; list and export its tables."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

from souk.engine.errors import SoukError, all_of, brief, one_of
from souk.records.signatures import Signer, new_key
from souk.server.http.record_export import RECORD_KEY, record_text
from souk.server.settings import Settings
from souk.server.store import PersistError, Store, migrations, store_at
from souk.server.store.backup import back_up, restore
from souk.server.store.sqlite import SqliteStore
from souk.server.store.sqlite_files import existing_database
from souk.server.tables.table import Status

T = TypeVar("T")
STATUSES = get_args(Status)


def list_tables(database: str | None, status: str | None, limit: int, *, as_json: bool) -> int:
    """Print a line for every table, newest first."""
    if status not in (None, *STATUSES):
        raise SoukError(f"status accepts {one_of(STATUSES)}, not {brief(status)}")

    async def job(store: Store) -> list[bytes]:
        return await store.tables(status, limit)

    damaged = 0
    for raw in _run(database, job):
        try:
            table = json.loads(raw)
        except ValueError:
            damaged += 1
            continue
        if as_json:
            print(json.dumps(table, ensure_ascii=False))
            continue
        names = [seat["name"] for seat in table["seats"]]
        result = f"  {_result(table['result'], names)}" if table["result"] else ""
        print(f"{table['id']}  {table['status']:8}{table['game']}  {', '.join(names)}{result}")
    if damaged:
        what = "table was" if damaged == 1 else "tables were"
        print(f"souk: {damaged} damaged {what} left out", file=sys.stderr)
    return 1 if damaged else 0


def _result(result: dict[str, Any], names: list[str]) -> str:
    """Return a result in words, with the names of the winners."""
    if result["how"] in ("drawn", "aborted"):
        return "draw" if result["how"] == "drawn" else "aborted"
    best = [names[seat] for seat in result["ranking"][0]]
    return f"{all_of(best)} {'wins' if len(best) == 1 else 'share the win'}"


def export(database: str | None, tables: list[str], folder: Path | None) -> int:
    """Write the records of tables, by default of all that are over, to files or to the output.

    They are read one at a time, so there may be any number; unreadable ones are reported last.
    """
    skipped: dict[str, str] = {}

    async def job(store: Store) -> int:
        count = 0
        signer = await _signer(store)
        for id in tables or await store.ids("over"):
            try:
                text = await _record(store, id, signer)
            except Unreadable as error:
                skipped[id] = str(error)
                continue
            _write(text, id, folder, is_first=not count)
            count += 1
        return count

    count = _run(database, job)
    if folder is not None:
        print(f"{count} {'record' if count == 1 else 'records'} in {folder}")
    for id, why in skipped.items():
        print(f"souk: table {brief(id)} was left out: {why}", file=sys.stderr)
    return 1 if skipped else 0


def print_key(database: str | None, *, replace: bool) -> int:
    """Print the public key that verifies the records of the servers on a database, or a new one."""
    if replace:
        asyncio.run(_replace_key(_store(database)))
    signer = _run(database, _signer)
    if signer is None:
        raise SoukError("the database has no key yet: a server creates it when it starts")
    print(signer.key)
    return 0


async def _replace_key(store: Store) -> None:
    """Add a key, with which servers sign once they have been restarted."""
    await store.open_beside_server()
    try:
        query = "UPDATE settings SET value = ? || ' ' || value WHERE key = ?"
        await store.transact((query, new_key(), RECORD_KEY))
    except PersistError as error:
        raise SoukError(f"the database cannot be written: {error}") from None
    finally:
        await store.close()


async def _signer(store: Store) -> Signer | None:
    """Return the signer of a database's records; None if no server has created its key."""
    key = await store.setting(RECORD_KEY)
    return None if key is None else Signer(key)


class Unreadable(Exception):
    """A table that cannot be read, with the reason."""


async def _record(store: Store, id: str, signer: Signer | None) -> str:
    try:
        stored = await store.load(id)
        if stored is None:
            raise Unreadable("there is no such table")
        return record_text(stored, signer)
    except Unreadable:
        raise
    except PersistError as error:
        await store.tables(None, 1)  # raises if the whole database is unreadable
        raise Unreadable(str(error)) from None
    except Exception as error:  # a damaged log can fail anywhere
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


def migrate(database: str | None) -> int:
    """Migrate a database to the schema of this version, as `souk serve` does when it starts."""

    async def run() -> None:
        store = _store(database)
        if isinstance(store, SqliteStore):
            with existing_database(Path(store.path)):
                pass  # else a mistyped name would become an empty database
        try:
            await store.open(lambda _table, _n: None)
        finally:
            await store.close()

    asyncio.run(run())
    print(f"the database has schema {migrations.newest()}")
    return 0


def backup(database: str | None, file: Path) -> int:
    """Write a snapshot of a database to a new file, also while a server uses it."""
    asyncio.run(back_up(_store(database), file))
    size = file.stat().st_size
    print(f"{file} has everything, and the keys of the server: protect it ({size:,} bytes)")
    return 0


def restore_backup(database: str | None, file: Path) -> int:
    """Write a backup to a new or empty database."""
    asyncio.run(restore(file, _store(database)))
    print(f"restored from {file}")
    return 0


def _store(database: str | None) -> Store:
    return store_at(Settings.from_sources({"database": database}, {}).database_url())


def _run(database: str | None, job: Callable[[Store], Awaitable[T]]) -> T:
    """Run a job on a database, opened to read."""

    async def run() -> T:
        store = _store(database)
        await store.open_read_only()
        try:
            return await job(store)
        except PersistError as error:
            raise SoukError(f"the database cannot be read: {error}") from None
        finally:
            await store.close()

    return asyncio.run(run())
