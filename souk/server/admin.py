"""`souk admin`: what an operator asks of a database, whether or not a server is using it."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar, get_args

from souk.engine.errors import SoukError, brief, one_of
from souk.server.export import record_text
from souk.server.settings import Settings
from souk.server.store import NotKept, Store, store_at
from souk.server.table import Status

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
    """Write the records of tables, of all that are over by default, to files or to the output."""

    async def job(store: Store) -> dict[str, str]:
        wanted = tables
        if not wanted:
            found = await store.tables("over", 1_000_000)
            wanted = [json.loads(raw)["id"] for raw in found]
        texts = {}
        for id in wanted:
            kept = await store.load(id)
            if kept is None:
                raise SoukError(f"there is no table {id}")
            texts[id] = record_text(kept)
        return texts

    texts = _with(database, job)
    if folder is None:
        sys.stdout.write("\n".join(texts.values()))
        return 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for id, text in texts.items():
            (folder / f"{id}.souk").write_text(text, "utf-8")
    except OSError as error:
        raise SoukError(f"cannot write to {folder}: {error.strerror}") from None
    print(f"{len(texts)} {'record' if len(texts) == 1 else 'records'} in {folder}")
    return 0


def _with(database: str | None, job: Callable[[Store], Awaitable[T]]) -> T:
    """Do something with a database that a server may be using: only reading."""

    async def run() -> T:
        store = store_at(Settings.chosen({"database": database}, {}).database_url())
        await store.open_to_read()
        try:
            return await job(store)
        except NotKept as error:
            raise SoukError(f"the database cannot be read: {error}") from None
        finally:
            await store.close()

    return asyncio.run(run())
