"""Remove names and texts from stored tables: for the operator, and for people who leave for good.

Entries keep their numbers; those with the name or text are replaced, and a new entry tells clients.
Moves stay, and so do the words that a player added to the dice of a game: without them its dice
could not be verified.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from souk.server.store import Change, PersistError, Store, Summary, future_callback
from souk.server.store.people import People
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.entries import AnyEntry
from souk.server.tables.table import Table

ERASED_NAME = "Deleted player"
ATTEMPTS = 20  # to append an entry while a server appends others

log = logging.getLogger("souk.server")


class Cleaned(NamedTuple):
    """The tables from which a name was removed."""

    tables: int
    damaged: Mapping[str, str]  # those that cannot be read and stay as they are, and why


async def remove_line(people: People, table: str, n: int, now: int) -> str | None:
    """Remove a line of chat; return its text, or None if there is no such line."""
    stored = await people.store.load(table)
    if stored is None or not 1 <= n <= len(stored.entries):
        return None
    entry = e.decode_entry(stored.entries[n - 1])
    if not isinstance(entry, e.Said) or entry.removed:
        return None
    await people.store.replace_entries(table, {n: e.encode(_without_text(entry))})
    await _append(people.store, table, lambda _: e.LineRemoved(at=now, line=n), now)
    await people.invalidate("table", [table], now)
    return entry.text


async def rename_everywhere(people: People, person: str, name: str, now: int) -> Cleaned:
    """Replace a person's name, also at all their tables."""
    await people.rename(person, name, now)
    return await _replace_everywhere(people, person, name, now, is_erased=False)


async def erase(people: People, person: str, now: int) -> Cleaned:
    """Delete a person: their name, sessions, lists and lines.

    They leave tables that wait, and resign from games. If this is interrupted, `finish_erasures`
    goes on with it.
    """
    await people.delete(person, now)
    return await erase_from_tables(people, person, now)


async def finish_erasures(people: People, now: int) -> None:
    """Go on with deletions that were interrupted."""
    for person in await people.erasures():
        log_damaged(await erase_from_tables(people, person, now))


async def erase_from_tables(people: People, person: str, now: int) -> Cleaned:
    """Remove a deleted person from their tables."""
    cleaned = await _replace_everywhere(people, person, ERASED_NAME, now, is_erased=True)
    await people.finish_erasure(person)
    return cleaned


def log_damaged(cleaned: Cleaned) -> None:
    """Log the tables that stay as they are."""
    for table, error in cleaned.damaged.items():
        log.error("a table was not cleaned", extra={"table": table, "error": error})


async def _replace_everywhere(
    people: People, person: str, name: str, now: int, *, is_erased: bool
) -> Cleaned:
    tables, damaged = await people.tables_of(person), {}
    for table in tables:
        try:
            await _replace_name(people, table, person, name, now, is_erased=is_erased)
        except PersistError:
            raise
        except Exception as error:  # a damaged log can fail anywhere
            damaged[table] = repr(error)
    return Cleaned(len(tables) - len(damaged), damaged)


async def _replace_name(
    people: People, table: str, person: str, name: str, now: int, *, is_erased: bool
) -> None:
    store = people.store
    if is_erased:
        while await _append(store, table, lambda one: _parting(one, person, now), now):
            pass
    renamed = e.Renamed(at=now, person=person, name=name, erased=is_erased)
    await _append(store, table, lambda _: renamed, now)
    stored = await store.load(table)
    if stored is None:
        return
    # In a thread, as below: a long table takes a while, and others play meanwhile.
    changed = await asyncio.to_thread(_changed, stored.entries, person, name, is_erased)
    await store.replace_entries(table, changed)
    await people.invalidate("table", [table], now)


def _changed(entries: Sequence[bytes], person: str, name: str, is_erased: bool) -> dict[int, bytes]:
    """Return the entries that change with a name, by their numbers."""
    changed: dict[int, bytes] = {}
    for n, raw in enumerate(entries, 1):
        entry = e.decode_entry(raw)
        new = _with_name(entry, person, name, is_erased=is_erased)
        if new is not entry:
            changed[n] = e.encode(new)
    return changed


def _with_name(entry: AnyEntry, person: str, name: str, *, is_erased: bool) -> AnyEntry:
    """Return an entry with another name of a person; without the text of a line if erased."""
    if isinstance(entry, e.Said) and entry.by == person:
        return replace(_without_text(entry) if is_erased else entry, name=name)
    if isinstance(entry, e.Sat | e.Muted | e.Kicked | e.Unbanned) and entry.person == person:
        return replace(entry, name=name)
    return entry


def _without_text(entry: e.Said) -> e.Said:
    return replace(entry, text="", removed=True)


def _parting(table: Table, person: str, now: int) -> AnyEntry | None:
    """Return the next entry by which a person leaves a table; None if they have left."""
    for number, seat in enumerate(table.seats):
        if seat.person == person and table.status == "waiting":
            return e.Left(at=now, by=person, seat=number)
        if seat.person == person and table.status == "playing" and not seat.resigned:
            return e.Resigned(at=now, by=person, seat=number)
    return None


async def _append(
    store: Store, id: str, make: Callable[[Table], AnyEntry | None], now: int
) -> bool:
    """Append an entry to a stored table, while a server may append others.

    Return False if there is nothing to append, or no such table.
    """
    for attempt in range(ATTEMPTS):
        stored = await store.load(id)
        if stored is None:
            return False
        table = await asyncio.to_thread(_table, stored.config, stored.entries)
        entry = make(table)
        if entry is None:
            return False
        table.apply(entry)
        view = views.encode(views.table_view(table))
        wake_at = now if table.status == "playing" else None  # so that a server attends to it
        summary = Summary(table.status, wake_at, now, view)
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        store.append(Change(id, table.n, e.encode(entry), summary), future_callback(future))
        if await future:
            return True
        await asyncio.sleep(0.01 * attempt)
    raise PersistError(f"table {id} changes too fast")


def _table(config: e.TableConfig, entries: Sequence[bytes]) -> Table:
    table = Table(config)
    for raw in entries:
        table.apply(e.decode_entry(raw))
    return table
