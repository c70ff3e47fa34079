"""Build the stored views of tables again after an upgrade that added fields to them.

Lists show stored views, which only change with their table. The log of a table has everything that
a view needs, so views need no migrations.
"""

import asyncio
import hashlib
import logging

import msgspec

from souk.server.store import PersistError, Store, StoredTable
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.table import Table
from souk.server.tables.views import TableView

SETTING = "view format"
BATCH = 200

log = logging.getLogger("souk.server")
_decode = msgspec.json.Decoder(TableView).decode


def view_format() -> str:
    """Return a digest that changes with the fields of a view."""
    schema = msgspec.json.encode(msgspec.json.schema(TableView), order="sorted")
    return hashlib.sha256(schema).hexdigest()


async def refresh_views(store: Store) -> int:
    """Build the views that lack a field of today; return how many."""
    if await store.setting(SETTING) == view_format():
        return 0
    count, last = 0, ""
    query = "SELECT id, view FROM tables WHERE id > ? ORDER BY id LIMIT ?"
    while rows := await store.query(query, last, BATCH):
        stale = [(id, bytes(view)) for id, view in rows if not _is_current(view)]
        for id, view in stale:
            await _refresh(store, id, view)
        count, last = count + len(stale), rows[-1][0]
    insert = """INSERT INTO settings (key, value) VALUES (?, ?)
                ON CONFLICT (key) DO UPDATE SET value = excluded.value"""
    await store.transact((insert, SETTING, view_format()))
    if count:
        log.info("the views of tables were built again", extra={"tables": count})
    return count


def _is_current(view: bytes) -> bool:
    try:
        _decode(view)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


async def _refresh(store: Store, id: str, view: bytes) -> None:
    """Build a view, unless its table changed meanwhile. Damaged tables are left as they are."""
    try:
        stored = await store.load(id)
        new = None if stored is None else await asyncio.to_thread(_build, stored)
    except PersistError:
        raise
    except Exception as error:  # a damaged log can fail anywhere
        log.error("a table cannot be read", extra={"table": id, "error": str(error)})
        return
    if new is not None:
        await store.transact(
            ("UPDATE tables SET view = ? WHERE id = ? AND view = ?", new, id, view)
        )


def _build(stored: StoredTable) -> bytes:
    table = Table(stored.config)
    for raw in stored.entries:
        table.apply(e.decode_entry(raw))
    return views.encode(views.table_view(table))
