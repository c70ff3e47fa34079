"""`souk admin` for people: reports, bans, names, lines of chat, deletion, retention.

All of it works while servers are running: they apply a change within seconds.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, TypeVar

import msgspec

from souk.engine.errors import SoukError, brief
from souk.server import erasure, retention
from souk.server.bans import ban_target
from souk.server.clock import DAY_MS, now_ms
from souk.server.settings import Settings
from souk.server.store import PersistError, store_at
from souk.server.store.people import BanRow, People, PersonSummary, ReportRow
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.names import checked_name

T = TypeVar("T")
MAX_LINES = 10  # of a reported person, shown with the report


# ---- reports ------------------------------------------------------------------------------------


def show_reports(database: str | None, limit: int, *, closed: bool, as_json: bool) -> int:
    """Print reports, newest first, with the last lines of the person at the table."""

    async def job(people: People) -> list[tuple[ReportRow, str, list[str]]]:
        shown = []
        for row in await people.reports(closed=closed, limit=limit):
            reporter = await people.store.person(row.reporter) if row.reporter else None
            said = await _chat(people, row.table) if row.table else []
            lines = [f"{n}: {line.text}" for n, line in said or () if line.by == row.person]
            shown.append((row, reporter.name if reporter else "somebody", lines[-MAX_LINES:]))
        return shown

    reports = _run(database, job)
    if as_json:
        _print_json({**asdict(row), "lines": lines} for row, _, lines in reports)
        return 0
    for row, reporter, lines in reports:
        state = f", closed {_day(row.closed)}" if row.closed else ""
        print(f"report {row.id}, {_day(row.created)}: {row.reason}{state}")
        print(f"  {_shown(row.name)} ({row.person}), reported by {_shown(reporter)}")
        if row.table:
            print(f"  at table {row.table}")
        if row.text:
            print(f"  “{_shown(row.text)}”")
        for line in lines:
            print(f"  line {_shown(line)}")
    if not reports:
        print("no reports" if closed else "no open reports")
    return 0


def close_report(database: str | None, id: int) -> int:
    """Close a report."""
    if not _run(database, lambda people: people.close_report(id, now_ms())):
        raise SoukError(f"there is no open report {id}")
    print(f"report {id} is closed")
    return 0


# ---- people -------------------------------------------------------------------------------------


def find_people(database: str | None, text: str, limit: int, *, as_json: bool) -> int:
    """Print the people whose id or name matches a text."""
    found = _run(database, lambda people: people.find(text, limit))
    if as_json:
        _print_json(map(asdict, found))
        return 0
    for person in found:
        print(_summary(person))
    if not found:
        print(f"nobody matches {brief(text)}")
    return 0


def show_person(database: str | None, id: str) -> int:
    """Print what the server knows about a person."""

    async def job(people: People) -> None:
        print(_summary(await _known(people, id)))
        for session in await people.sessions(id):
            used, expires = _day(session.renewed), _day(session.expires)
            address = session.network or "unknown"
            print(f"  logged in from {address}, last on {used}, until {expires}")
        for table in await people.tables_of(id):
            print(f"  table {table}")
        for ban in await people.bans(now_ms()):
            if (ban.kind, ban.target) == ("person", id):
                print(f"  {_ban(ban)}")

    _run(database, job)
    return 0


def rename(database: str | None, id: str, name: str) -> int:
    """Replace the name of a person everywhere."""
    try:
        name = checked_name(name) or "Guest"
    except Refusal as refusal:
        raise SoukError(refusal.sentence.rstrip(".")) from None

    async def job(people: People) -> erasure.Cleaned:
        await _known(people, id)
        return await erasure.rename_everywhere(people, id, name, now_ms())

    cleaned = _run(database, job)
    print(f"{id} is called {name} now, at {_count(cleaned.tables, 'table')}")
    return _report_damaged(cleaned)


def log_out(database: str | None, id: str) -> int:
    """End all sessions of a person."""

    async def job(people: People) -> None:
        await _known(people, id)
        await people.end_sessions(id, now_ms())

    _run(database, job)
    print(f"{id} is logged out everywhere")
    return 0


def delete_person(database: str | None, id: str, confirm: Callable[[str], bool]) -> int:
    """Delete a person with their data, after a question."""

    async def describe(people: People) -> str:
        return _summary(await _known(people, id))

    if not confirm(f"Delete {_run(database, describe)}"):
        return 1
    cleaned = _run(database, lambda people: erasure.erase(people, id, now_ms()))
    print(f"{id} is deleted, and gone from {_count(cleaned.tables, 'table')}")
    return _report_damaged(cleaned)


def _report_damaged(cleaned: erasure.Cleaned) -> int:
    """Name the tables that still have a name; return the exit code."""
    for table in cleaned.damaged:
        print(f"souk: table {brief(table)} was left as it is: it is damaged", file=sys.stderr)
    return 1 if cleaned.damaged else 0


# ---- bans ---------------------------------------------------------------------------------------


def ban(database: str | None, who: str, days: int | None, reason: str) -> int:
    """Ban a person or an address."""
    kind, target = ban_target(who)
    now = now_ms()
    row = BanRow(kind, target, now, None if days is None else now + days * DAY_MS, reason)

    async def job(people: People) -> None:
        if kind == "person":
            await _known(people, target)
        await people.ban(row)

    _run(database, job)
    print(_ban(row))
    return 0


def unban(database: str | None, who: str) -> int:
    """Lift a ban."""
    kind, target = ban_target(who)
    if not _run(database, lambda people: people.unban(kind, target, now_ms())):
        raise SoukError(f"{target} is not banned")
    print(f"{target} is no longer banned")
    return 0


def show_bans(database: str | None, *, as_json: bool) -> int:
    """Print the bans in force."""
    rows = _run(database, lambda people: people.bans(now_ms()))
    if as_json:
        _print_json(map(asdict, rows))
        return 0
    for row in rows:
        print(_ban(row))
    if not rows:
        print("nobody is banned")
    return 0


# ---- chat and retention -------------------------------------------------------------------------


def show_chat(database: str | None, table: str) -> int:
    """Print the chat of a table, with the numbers of its lines."""
    lines = _run(database, lambda people: _chat(people, table))
    if lines is None:
        raise SoukError(f"there is no table {brief(table)}, or it is damaged")
    for n, said in lines:
        print(f"{n}  {_shown(said.name)} ({said.by}): {_shown(said.text)}")
    return 0


def remove_line(database: str | None, table: str, n: int) -> int:
    """Remove a line of chat."""

    async def job(people: People) -> str | None:
        with _refuse_damaged(table):
            return await erasure.remove_line(people, table, n, now_ms())

    text = _run(database, job)
    if text is None:
        raise SoukError(f"there is no line {n} at table {brief(table)}; see souk admin chat")
    print(f"removed “{_shown(text)}”")
    return 0


def clean_up(
    database: str | None, table_days: int | None, person_days: int | None, *, dry_run: bool
) -> int:
    """Delete tables without moves and people without tables that are too old."""
    given = {"keep_table_days": table_days, "keep_person_days": person_days}
    kept = Settings.from_sources(given, os.environ).retention()
    work = retention.removable if dry_run else retention.clean_up
    done = _run(database, lambda people: work(people, kept, now_ms()))
    would = "would be " if dry_run else ""
    people = "1 person" if len(done.people) == 1 else f"{len(done.people)} people"
    print(f"{_count(len(done.tables), 'table')} and {people} {would}deleted")
    return 0


# ---- helpers ------------------------------------------------------------------------------------


async def _known(people: People, id: str) -> PersonSummary:
    summary = await people.summary(id)
    if summary is None:
        raise SoukError(f"there is no person {brief(id)}; find ids with souk admin people NAME")
    return summary


async def _chat(people: People, table: str) -> list[tuple[int, e.Said]] | None:
    """Return the lines of a table that can be read, with their numbers; None without a table."""
    try:
        stored = await people.store.load(table)
    except PersistError:
        raise
    except Exception:  # a damaged configuration can fail anywhere
        return None
    if stored is None:
        return None
    decoded = ((n, _decoded(raw)) for n, raw in enumerate(stored.entries, 1))
    return [(n, one) for n, one in decoded if isinstance(one, e.Said) and not one.removed]


def _decoded(raw: bytes) -> e.AnyEntry | None:
    """Return an entry; None for a damaged one."""
    try:
        return e.decode_entry(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


@contextmanager
def _refuse_damaged(table: str) -> Iterator[None]:
    """Turn whatever a damaged table fails with into a sentence."""
    try:
        yield
    except PersistError:
        raise
    except Exception as error:
        raise SoukError(f"table {brief(table)} is damaged: {error}") from None


def _summary(person: PersonSummary) -> str:
    kind = "program" if person.is_bot else "person"
    tables, reports = _count(person.tables, "table"), _count(person.open_reports, "open report")
    since = _day(person.created)
    return f"{person.id}  {_shown(person.name)}, a {kind} since {since}, {tables}, {reports}"


def _ban(ban: BanRow) -> str:
    until = f"until {_day(ban.expires)}" if ban.expires else "for good"
    return f"{ban.target} is banned {until}{f': {_shown(ban.reason)}' if ban.reason else ''}"


def _shown(text: str) -> str:
    """Return what people wrote without characters that a terminal acts upon."""
    return "".join(one if one.isprintable() else "�" for one in text)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _day(moment: int | None) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime((moment or 0) / 1000))


def _print_json(rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        print(json.dumps(row, ensure_ascii=False))


def _run(database: str | None, job: Callable[[People], Awaitable[T]]) -> T:
    """Run a job on a database, also while servers use it."""

    async def run() -> T:
        store = store_at(Settings.from_sources({"database": database}, {}).database_url())
        await store.open_beside_server()
        try:
            return await job(People(store))
        except PersistError as error:
            raise SoukError(f"the database cannot be used: {error}") from None
        finally:
            await store.close()

    return asyncio.run(run())
