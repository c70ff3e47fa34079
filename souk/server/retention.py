"""Delete what nobody needs any more: tables without moves, people without games, old sessions."""

import logging
from dataclasses import dataclass

from souk.server.clock import DAY_MS
from souk.server.erasure import finish_erasures
from souk.server.store.people import People
from souk.server.tables import entries as e

REPORT_DAYS = 180  # closed reports stay for this long

log = logging.getLogger("souk.server")


@dataclass(frozen=True)
class Retention:
    """How many days things stay without being used; 0: for good."""

    table_days: int  # tables without a move
    person_days: int  # people without a table


@dataclass(frozen=True)
class Removable:
    """What is too old."""

    tables: list[str]
    people: list[str]


async def removable(people: People, retention: Retention, now: int) -> Removable:
    """Return the tables without moves and the people without tables that are too old."""
    tables, persons = [], []
    if retention.table_days:
        for id in await people.quiet_tables(now - retention.table_days * DAY_MS):
            stored = await people.store.load(id)
            if stored is not None and not any(map(_is_move, stored.entries)):
                tables.append(id)
    if retention.person_days:
        persons = await people.people_without_tables(now - retention.person_days * DAY_MS)
    return Removable(tables, persons)


def _is_move(entry: bytes) -> bool:
    return entry.startswith(b'{"entry":"%s"' % e.Acted.kind().encode())


async def clean_up(people: People, retention: Retention, now: int) -> Removable:
    """Delete what is too old, and finish deletions; return what was deleted."""
    await people.delete_expired(now, now - REPORT_DAYS * DAY_MS)
    await finish_erasures(people, now)
    old = await removable(people, retention, now)
    for table in old.tables:  # not one that somebody has just come back to
        await people.store.delete_table(table, now - retention.table_days * DAY_MS)
    await people.invalidate("table", old.tables, now)
    for person in old.people:
        await people.delete(person, now)
        await people.finish_erasure(person)
    if old.tables or old.people:
        counts = {"tables": len(old.tables), "people": len(old.people)}
        log.info("deleted what was too old", extra=counts)
    return old
