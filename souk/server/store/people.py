"""People in the store: sessions, bans, block lists, reports, and the deletion of people.

The statements are the same for both databases. Servers read `invalidations` every second, so that
a change by another process, or by `souk admin`, takes effect everywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from souk.server.store import Store

BanKind = Literal["person", "address"]
InvalidationKind = Literal["session", "person", "name", "bans", "table"]
OVERLAP = 100  # invalidations read again: PostgreSQL may commit them out of order


@dataclass(frozen=True)
class SessionRow:
    """A stored session."""

    id: str
    person: str
    counter: int  # of its tokens so far
    created: int
    renewed: int  # when the last token was first used
    expires: int
    network: str  # the address that used it last


@dataclass(frozen=True)
class BanRow:
    """A ban of a person or an address by the operator."""

    kind: BanKind
    target: str
    created: int
    expires: int | None  # None: for good
    reason: str


@dataclass(frozen=True)
class ReportRow:
    """A report of a person."""

    id: int
    created: int
    reporter: str
    person: str
    name: str  # of the person, when they were reported
    table: str  # empty if they were not met at a table
    reason: str
    text: str
    closed: int | None


@dataclass(frozen=True)
class PersonSummary:
    """A person as the operator sees them."""

    id: str
    name: str
    is_bot: bool
    created: int
    tables: int
    open_reports: int


_SESSION = "id, person, counter, created, renewed, expires, network"
_REPORT = "id, created, reporter, person, name, table_id, reason, text, closed"
_SUMMARY = """SELECT id, name, bot, created,
    (SELECT count(*) FROM participants WHERE participants.person = people.id),
    (SELECT count(*) FROM reports WHERE reports.person = people.id AND closed IS NULL)
    FROM people"""
_INVALIDATE = "INSERT INTO invalidations (kind, id, created) VALUES (?, ?, ?)"


class People:
    """Read and write what the store has about people."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._newest = 0  # invalidation
        self._seen: set[int] = set()  # the last invalidations

    # ---- sessions -------------------------------------------------------------------------------

    async def add_session(self, row: SessionRow) -> None:
        """Store a new session."""
        query = f"INSERT INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        await self.store.transact(
            (query, *_values(row)),
            ("DELETE FROM sessions WHERE person = ? AND expires <= ?", row.person, row.created),
        )

    async def session(self, id: str) -> SessionRow | None:
        """Return a session."""
        query = f"SELECT {_SESSION} FROM sessions WHERE id = ?"
        rows = await self.store.query(query, id)
        return SessionRow(*rows[0]) if rows else None

    async def sessions(self, person: str) -> list[SessionRow]:
        """Return the sessions of a person, the last used first."""
        query = f"SELECT {_SESSION} FROM sessions WHERE person = ? ORDER BY renewed DESC"
        return [SessionRow(*row) for row in await self.store.query(query, person)]

    async def advance_session(self, id: str, counter: int, now: int) -> None:
        """Note the first use of a session's newest token."""
        query = "UPDATE sessions SET counter = ?, renewed = ? WHERE id = ? AND counter < ?"
        await self.store.transact((query, counter, now, id, counter))

    async def extend_session(self, id: str, expires: int, network: str) -> None:
        """Let a session last longer."""
        query = "UPDATE sessions SET expires = ?, network = ? WHERE id = ?"
        await self.store.transact((query, expires, network, id))

    async def end_session(self, id: str, now: int) -> None:
        """End a session everywhere."""
        await self.store.transact(
            ("DELETE FROM sessions WHERE id = ?", id), (_INVALIDATE, "session", id, now)
        )

    async def end_sessions(self, person: str, now: int, *, but: str = "") -> None:
        """End the sessions of a person but one, and their device links."""
        ids = [row.id for row in await self.sessions(person) if row.id != but]
        await self.store.transact(
            *(("DELETE FROM sessions WHERE id = ?", id) for id in ids),
            ("DELETE FROM links WHERE person = ?", person),
            *((_INVALIDATE, "session", id, now) for id in ids),
        )

    # ---- bans -----------------------------------------------------------------------------------

    async def ban(self, row: BanRow) -> None:
        """Ban a person or an address."""
        query = """INSERT INTO bans (kind, target, created, expires, reason) VALUES (?, ?, ?, ?, ?)
                   ON CONFLICT (kind, target) DO UPDATE SET created = excluded.created,
                   expires = excluded.expires, reason = excluded.reason"""
        await self.store.transact(
            (query, *_values(row)), (_INVALIDATE, "bans", row.target, row.created)
        )

    async def unban(self, kind: BanKind, target: str, now: int) -> bool:
        """Lift a ban; return whether there was one."""
        query = "DELETE FROM bans WHERE kind = ? AND target = ? RETURNING target"
        done = await self.store.transact((query, kind, target), (_INVALIDATE, "bans", target, now))
        return bool(done[0])

    async def bans(self, now: int) -> list[BanRow]:
        """Return the bans in force, newest first."""
        query = """SELECT kind, target, created, expires, reason FROM bans
                   WHERE expires IS NULL OR expires > ? ORDER BY created DESC"""
        return [BanRow(*row) for row in await self.store.query(query, now)]

    # ---- block lists ----------------------------------------------------------------------------

    async def block(self, person: str, blocked: str, name: str, now: int) -> None:
        """Add somebody to the block list of a person."""
        query = """INSERT INTO blocks (person, blocked, name, created) VALUES (?, ?, ?, ?)
                   ON CONFLICT DO NOTHING"""
        await self.store.transact((query, person, blocked, name, now))

    async def unblock(self, person: str, blocked: str) -> None:
        """Remove somebody from the block list of a person."""
        query = "DELETE FROM blocks WHERE person = ? AND blocked = ?"
        await self.store.transact((query, person, blocked))

    async def blocks(self, person: str) -> list[tuple[str, str]]:
        """Return the block list of a person: ids and names, newest first."""
        query = "SELECT blocked, name FROM blocks WHERE person = ? ORDER BY created DESC, blocked"
        return [(id, name) for id, name in await self.store.query(query, person)]

    async def has_blocked(self, person: str, other: str) -> bool:
        """Return whether a person has blocked another."""
        query = "SELECT 1 FROM blocks WHERE person = ? AND blocked = ?"
        return bool(await self.store.query(query, person, other))

    # ---- reports --------------------------------------------------------------------------------

    async def add_report(self, row: ReportRow) -> None:
        """Store a report; its id is ignored."""
        columns = _REPORT.removeprefix("id, ")
        query = f"INSERT INTO reports ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        await self.store.transact((query, *_values(row)[1:]))

    async def reports(self, *, closed: bool, limit: int) -> list[ReportRow]:
        """Return reports, newest first; with the closed ones, or without."""
        query = f"""SELECT {_REPORT} FROM reports WHERE ? = 1 OR closed IS NULL
                    ORDER BY created DESC, id DESC LIMIT ?"""
        rows = await self.store.query(query, int(closed), limit)
        return [ReportRow(*row) for row in rows]

    async def close_report(self, id: int, now: int) -> bool:
        """Close a report; return whether it was open."""
        query = "UPDATE reports SET closed = ? WHERE id = ? AND closed IS NULL RETURNING id"
        return bool((await self.store.transact((query, now, id)))[0])

    # ---- chat -----------------------------------------------------------------------------------

    async def add_chatter(self, person: str, table: str) -> None:
        """Note that a person wrote at a table, so that their lines can be found."""
        query = "INSERT INTO chatters (person, table_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
        await self.store.transact((query, person, table))

    async def tables_of(self, person: str) -> list[str]:
        """Return the tables at which a person sat or wrote."""
        query = """SELECT table_id FROM participants WHERE person = ?
                   UNION SELECT table_id FROM chatters WHERE person = ?"""
        return [id for (id,) in await self.store.query(query, person, person)]

    # ---- people ---------------------------------------------------------------------------------

    async def find(self, text: str, limit: int) -> list[PersonSummary]:
        """Return people by id, then by part of their name, newest first."""
        query = f"""{_SUMMARY} WHERE id = ? OR lower(name) LIKE ?
            ORDER BY id <> ?, created DESC LIMIT ?"""
        escaped = text.lower().replace("%", "").replace("_", "")
        rows = await self.store.query(query, text, f"%{escaped}%", text, limit)
        return [_summary(row) for row in rows]

    async def summary(self, id: str) -> PersonSummary | None:
        """Return a person as the operator sees them, by their id."""
        rows = await self.store.query(f"{_SUMMARY} WHERE id = ?", id)
        return _summary(rows[0]) if rows else None

    async def rename(self, person: str, name: str, now: int) -> None:
        """Rename a person in all processes."""
        await self.store.transact(
            ("UPDATE people SET name = ? WHERE id = ?", name, person),
            ("UPDATE blocks SET name = ? WHERE blocked = ?", name, person),
            (_INVALIDATE, "name", person, now),
        )

    async def delete(self, person: str, now: int) -> None:
        """Delete a person and end their sessions; their tables are still to be cleaned.

        Reports about them stay until they are closed, without their name.
        """
        await self.store.transact(
            ("DELETE FROM sessions WHERE person = ?", person),
            ("DELETE FROM links WHERE person = ?", person),
            ("DELETE FROM blocks WHERE person = ? OR blocked = ?", person, person),
            ("UPDATE reports SET reporter = '' WHERE reporter = ?", person),
            ("UPDATE reports SET name = '' WHERE person = ?", person),
            ("INSERT INTO erasures (person) VALUES (?) ON CONFLICT DO NOTHING", person),
            ("DELETE FROM people WHERE id = ?", person),
            (_INVALIDATE, "person", person, now),
        )

    async def erasures(self) -> list[str]:
        """Return the deleted people whose tables are still to be cleaned."""
        return [person for (person,) in await self.store.query("SELECT person FROM erasures")]

    async def finish_erasure(self, person: str) -> None:
        """Forget a deleted person whose tables are clean."""
        await self.store.transact(
            ("DELETE FROM participants WHERE person = ?", person),
            ("DELETE FROM chatters WHERE person = ?", person),
            ("DELETE FROM erasures WHERE person = ?", person),
        )

    # ---- retention ------------------------------------------------------------------------------

    async def quiet_tables(self, before: int) -> list[str]:
        """Return the tables that are not over and have not changed since a time."""
        query = "SELECT id FROM tables WHERE status <> 'over' AND changed < ? ORDER BY changed"
        return [id for (id,) in await self.store.query(query, before)]

    async def people_without_tables(self, before: int) -> list[str]:
        """Return the people without a table who were not here since a time."""
        query = """SELECT id FROM people WHERE created < ?
            AND NOT EXISTS (SELECT 1 FROM participants WHERE participants.person = people.id)
            AND NOT EXISTS (SELECT 1 FROM sessions
                            WHERE sessions.person = people.id AND renewed >= ?)"""
        return [id for (id,) in await self.store.query(query, before, before)]

    async def delete_expired(self, now: int, closed_before: int) -> None:
        """Delete sessions, links, bans, closed reports and invalidations that are too old."""
        await self.store.transact(
            ("DELETE FROM sessions WHERE expires <= ?", now),
            ("DELETE FROM links WHERE expires <= ?", now),
            ("DELETE FROM bans WHERE expires <= ?", now),
            ("DELETE FROM reports WHERE closed < ?", closed_before),
            ("DELETE FROM invalidations WHERE created < ?", now - 3_600_000),
        )

    # ---- invalidations --------------------------------------------------------------------------

    async def invalidate(self, kind: InvalidationKind, ids: Iterable[str], now: int) -> None:
        """Tell all processes that something changed."""
        await self.store.transact(*((_INVALIDATE, kind, id, now) for id in ids))

    async def skip_invalidations(self) -> None:
        """Ignore what was invalidated so far: nothing is cached yet."""
        query = "SELECT max(key) FROM invalidations"
        self._newest = (await self.store.query(query))[0][0] or 0
        self._seen = set(range(max(0, self._newest - OVERLAP), self._newest + 1))

    async def invalidations(self) -> list[tuple[int, InvalidationKind, str]]:
        """Return keys, kinds and ids of what was invalidated and is not yet marked as applied."""
        query = "SELECT key, kind, id FROM invalidations WHERE key > ? ORDER BY key"
        rows = await self.store.query(query, self._newest - OVERLAP)
        return [(key, kind, id) for key, kind, id in rows if key not in self._seen]

    def mark_applied(self, key: int) -> None:
        """Note that this process has applied an invalidation."""
        self._newest = max(self._newest, key)
        self._seen.add(key)
        if len(self._seen) > 2 * OVERLAP:
            self._seen = {seen for seen in self._seen if seen > self._newest - OVERLAP}


def _summary(row: Sequence[Any]) -> PersonSummary:
    id, name, is_bot, created, tables, reports = row
    return PersonSummary(id, name, bool(is_bot), created, tables, reports)


def _values(row: Any) -> tuple[object, ...]:
    return tuple(vars(row).values())
