"""The store on SQLite: one file, one process, one writer thread.

All pending writes go into one transaction (group commit), so durability at every step
(synchronous=FULL) costs one flush for many. A flush takes milliseconds; meanwhile the next group
gathers. Event loop and thread exchange whole groups: each wait for the interpreter lock costs more
than an entry.
"""

import asyncio
import os
import queue
import shutil
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from souk.engine.errors import SoukError
from souk.engine.file_system import try_lock
from souk.server.store import (
    AppendCallback,
    Change,
    OnRemoteEntry,
    PersistError,
    PersonRow,
    Store,
    StoredTable,
    Summary,
    future_callback,
    migrations,
    notify,
)
from souk.server.store.sqlite_files import (
    connect,
    copy_database,
    create_private_file,
    migrate,
    new_file,
    reason,
    refuse_other_program,
    schema_version,
)
from souk.server.tables.entries import TableConfig, decode_config, encode

MAX_ROWS = 64  # entries appended by one statement
MIN_FREE_MEGABYTES = 16  # on the disk: the files grow by some megabytes at a time

Job = Callable[[sqlite3.Connection], Any]
Group = list[tuple[Job | Change, Callable[[Any], None]]]  # what to write, and its callback


class SqliteStore(Store):
    """Everything in one file, for one process."""

    is_single_process = True

    def __init__(self, path: str) -> None:
        self.path = path
        self._pending: Group = []
        self._is_writing = False
        # Work for the thread, a group at a time. Callbacks stay on this side: objects of one thread
        # are costly for another to free.
        self._groups: queue.SimpleQueue[list[Job | Change] | None] = queue.SimpleQueue()
        self._in_progress: deque[Group] = deque()
        self._readers = ThreadPoolExecutor(1, "souk-reads")
        self._present: dict[str, dict[str, int]] = {}  # table, person: until when
        self._lock: int | None = None
        self._thread: threading.Thread | None = None
        self._connections: list[sqlite3.Connection] = []

    # ---- opening and closing --------------------------------------------------------------------

    async def open(self, on_remote_entry: OnRemoteEntry) -> None:
        """Open the file, created if need be. No other process writes to it."""
        self._loop = asyncio.get_running_loop()
        try:
            Path(self.path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock_file()
            create_private_file(self.path)
            refuse_other_program(self.path)
            self._writes = self._connect(self.path)
            migrate(self._writes)
            self._reads = self._connect(self.path)
        except (OSError, sqlite3.Error) as error:
            self._release()
            why = self._disk_problem() or reason(error)
            raise SoukError(f"cannot use {self.path} as a database: {why}") from None
        except SoukError:
            self._release()
            raise
        self._start_thread()

    def _start_thread(self) -> None:
        self._thread = threading.Thread(target=self._write_loop, daemon=True)
        self._thread.start()

    def _connect(self, path: str, **options: Any) -> sqlite3.Connection:
        db = connect(path, **options)
        self._connections.append(db)
        if not options:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
        return db

    async def open_read_only(self) -> None:
        """Open the file to read, also while a server writes to it."""
        self._loop = asyncio.get_running_loop()
        try:
            uri = f"{Path(self.path).absolute().as_uri()}?mode=ro"
            self._reads = self._connect(uri, uri=True)
            self._reads.execute("SELECT count(*) FROM tables")
            migrations.check_is_newest(schema_version(self._reads))
        except sqlite3.Error as error:
            self._release()
            raise SoukError(f"cannot read {self.path} as a database: {reason(error)}") from None
        except SoukError:
            self._release()
            raise

    async def open_beside_server(self) -> None:
        """Open the file to read and write, also while a server writes to it."""
        await self.open_read_only()  # for its errors
        try:
            self._writes = self._connect(self.path)
        except sqlite3.Error as error:
            self._release()
            raise SoukError(f"cannot use {self.path} as a database: {reason(error)}") from None
        self._start_thread()

    def _lock_file(self) -> None:
        """Refuse a second server: the two would not learn of each other's entries."""
        self._lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        if not try_lock(self._lock):
            raise SoukError(
                f"another souk serve is using {self.path}; for several processes use PostgreSQL"
            )

    async def close(self) -> None:
        """Finish pending writes, and close the file."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._submit_group()
            self._groups.put(None)
            await asyncio.to_thread(thread.join)
        self._readers.shutdown()
        self._release()

    def _release(self) -> None:
        while self._connections:
            self._connections.pop().close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # ---- the writer thread ----------------------------------------------------------------------

    def _write_loop(self) -> None:
        while (group := self._groups.get()) is not None:
            outcomes = _commit_group(self._writes, group)
            del group
            self._loop.call_soon_threadsafe(self._on_group_done, outcomes)

    def _enqueue(self, what: Job | Change, callback: Callable[[Any], None]) -> None:
        """Queue work for the thread, together with all that comes until it is free."""
        if self._thread is None:
            self._loop.call_soon(callback, PersistError("the store is closed"))
            return
        self._pending.append((what, callback))
        if not self._is_writing:
            self._is_writing = True
            self._loop.call_soon(self._submit_group)

    def _submit_group(self) -> None:
        group, self._pending = self._pending, []
        if group:
            self._in_progress.append(group)
            self._groups.put([what for what, _ in group])

    def _on_group_done(self, outcomes: list[Any]) -> None:
        group = self._in_progress.popleft()
        self._is_writing = bool(self._pending)
        self._submit_group()  # so that it writes while we call back
        for (_, callback), outcome in zip(group, outcomes, strict=True):
            notify(callback, outcome)

    async def _run(self, job: Job) -> Any:
        """Run a job in the writer thread; return its result once it is durable."""
        future = self._loop.create_future()
        self._enqueue(job, future_callback(future))
        return await future

    async def _query(self, query: str, *values: object) -> list[Any]:
        try:
            return await self._loop.run_in_executor(self._readers, self._rows, query, values)
        except (sqlite3.Error, ValueError, OverflowError, RuntimeError) as error:
            raise PersistError(reason(error)) from None  # or SQLite does not take a value

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        return self._reads.execute(query, values).fetchall()

    async def check(self) -> None:
        """Write a meaningless row, and look at the space on the disk.

        SQLite reuses its files, so it can write for a while when the disk is full.
        """
        if problem := self._disk_problem():
            raise PersistError(problem)
        query = """INSERT INTO settings (key, value) VALUES ('check', '')
                   ON CONFLICT DO UPDATE SET value = ''"""
        await self._run(lambda db: db.execute(query))

    def _disk_problem(self) -> str | None:
        """Return a sentence if the disk is full or cannot be read."""
        try:
            free = shutil.disk_usage(Path(self.path).parent).free // 2**20
        except OSError as error:
            return reason(error)
        return f"the disk is full: it has {free} MB left" if free < MIN_FREE_MEGABYTES else None

    async def get_or_set(self, key: str, value: str) -> str:
        """Return the stored value of a key, or store the given one."""

        def job(db: sqlite3.Connection) -> str:
            query = "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING"
            db.execute(query, (key, value))
            return str(db.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()[0])

        return str(await self._run(job))

    async def setting(self, key: str) -> str | None:
        """Return the stored value of a key."""
        rows = await self._query("SELECT value FROM settings WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    async def query(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return await self._query(query, *values)

    async def transact(self, *steps: tuple[object, ...]) -> list[list[tuple[Any, ...]]]:
        """Run statements in one transaction."""

        def job(db: sqlite3.Connection) -> list[list[tuple[Any, ...]]]:
            return [db.execute(str(query), values).fetchall() for query, *values in steps]

        outcome: list[list[tuple[Any, ...]]] = await self._run(job)
        return outcome

    async def mark_alive(self, now: int) -> int | None:
        """Store the time; return the time that was stored."""

        def job(db: sqlite3.Connection) -> int | None:
            before = db.execute("SELECT value FROM settings WHERE key = 'alive'").fetchone()
            query = """INSERT INTO settings (key, value) VALUES ('alive', ?)
                       ON CONFLICT DO UPDATE SET value = excluded.value"""
            db.execute(query, (str(now),))
            return None if before is None else int(before[0])

        alive: int | None = await self._run(job)
        return alive

    # ---- tables ---------------------------------------------------------------------------------

    async def create(self, config: TableConfig, changes: Sequence[Change]) -> bool:
        """Store a new table."""
        last = changes[-1].summary
        assert last is not None
        values = (
            *(config.id, encode(config), config.host, int(config.public), last.status),
            *(config.created, last.at, last.wake_at, last.view),
        )

        query = """INSERT INTO tables
                       (id, terms, host, public, status, created, changed, wake_at, view)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"""

        def job(db: sqlite3.Connection) -> bool:
            is_new = db.execute(query, values).rowcount > 0
            if is_new:
                _append(db, changes)
            return is_new

        return bool(await self._run(job))

    def append(self, change: Change, callback: AppendCallback) -> None:
        """Append an entry."""
        self._enqueue(change, callback)

    async def load(self, table: str, after: int = 0) -> StoredTable | None:
        """Return a table and its entries."""
        rows = await self._query("SELECT terms, key FROM tables WHERE id = ?", table)
        if not rows:
            return None
        (config, key) = rows[0]
        query = "SELECT entry FROM entries WHERE table_key = ? AND n > ? ORDER BY n"
        entries = await self._query(query, key, after)
        return StoredTable(decode_config(config), [entry for (entry,) in entries])

    async def views(self, status: str, limit: int, since: int = 0) -> list[bytes]:
        """Return views of public tables."""
        query = """SELECT view FROM tables WHERE status = ? AND public = 1 AND changed >= ?
                   ORDER BY changed DESC LIMIT ?"""
        return [view for (view,) in await self._query(query, status, since, limit)]

    async def claim(self, now: int, until: int, limit: int) -> list[str]:
        """Reserve tables that need attention."""
        query = """UPDATE tables SET wake_at = ? WHERE id IN
                   (SELECT id FROM tables WHERE wake_at <= ? ORDER BY wake_at LIMIT ?)
                   RETURNING id"""

        def job(db: sqlite3.Connection) -> list[str]:
            return [id for (id,) in db.execute(query, (until, now, limit)).fetchall()]

        return list(await self._run(job))

    async def replace_entries(self, table: str, entries: Mapping[int, bytes]) -> None:
        """Replace entries."""
        query = """UPDATE entries SET entry = ?
                   WHERE table_key = (SELECT key FROM tables WHERE id = ?) AND n = ?"""
        await self.transact(*((query, entry, table, n) for n, entry in entries.items()))

    async def delete_table(self, id: str, before: int) -> None:
        """Delete a table."""
        old = "FROM tables WHERE id = ? AND changed < ?"
        await self.transact(
            (f"DELETE FROM entries WHERE table_key IN (SELECT key {old})", id, before),
            (f"DELETE FROM participants WHERE table_id IN (SELECT id {old})", id, before),
            (f"DELETE FROM chatters WHERE table_id IN (SELECT id {old})", id, before),
            (f"DELETE {old}", id, before),
        )

    # ---- presence: of one process, so it need not be stored -------------------------------------

    async def mark_present(
        self, process: str, pairs: Iterable[tuple[str, str]], until: int
    ) -> None:
        """Note that people are connected."""
        for table, person in pairs:
            self._present.setdefault(table, {})[person] = until

    async def remove_present(self, process: str, table: str, person: str) -> None:
        """Note that a person is no longer connected."""
        people = self._present.get(table, {})
        people.pop(person, None)
        if not people:
            self._present.pop(table, None)

    async def present(self, table: str, now: int) -> set[str]:
        """Return who is connected."""
        return {person for person, until in self._present.get(table, {}).items() if until > now}

    # ---- people ---------------------------------------------------------------------------------

    async def add_person(self, person: PersonRow, at: int) -> None:
        """Store a new identity."""
        values = (person.id, person.name, int(person.is_bot), at)
        query = "INSERT INTO people (id, name, bot, created) VALUES (?, ?, ?, ?)"
        await self._run(lambda db: db.execute(query, values))

    async def person(self, id: str) -> PersonRow | None:
        """Return a person."""
        rows = await self._query("SELECT id, name, bot FROM people WHERE id = ?", id)
        return PersonRow(rows[0][0], rows[0][1], bool(rows[0][2])) if rows else None

    async def add_link(self, digest: str, person: str, expires: int) -> None:
        """Store a device link."""
        values = (digest, person, expires)
        query = "INSERT INTO links (digest, person, expires) VALUES (?, ?, ?)"
        await self._run(lambda db: db.execute(query, values))

    async def use_link(self, digest: str, now: int) -> str | None:
        """Delete a link and those that expired; return its person."""

        def job(db: sqlite3.Connection) -> str | None:
            db.execute("DELETE FROM links WHERE expires <= ?", (now,))
            query = "DELETE FROM links WHERE digest = ? RETURNING person"
            rows = db.execute(query, (digest,)).fetchall()
            return rows[0][0] if rows else None

        person: str | None = await self._run(job)
        return person

    # ---- for the operator -----------------------------------------------------------------------

    async def tables(self, status: str | None, limit: int) -> list[bytes]:
        """Return views of all tables."""
        query = """SELECT view FROM tables WHERE status = coalesce(?, status)
                   ORDER BY changed DESC LIMIT ?"""
        return [view for (view,) in await self._query(query, status, limit)]

    async def ids(self, status: str) -> list[str]:
        """Return the ids of tables."""
        query = "SELECT id FROM tables WHERE status = ? ORDER BY changed DESC"
        return [id for (id,) in await self._query(query, status)]

    async def copy_to(self, file: Path) -> None:
        """Copy the file, also while a server writes to it."""
        copy_database(Path(self.path), file)

    async def copy_from(self, file: Path) -> None:
        """Copy a file to where there is none yet."""
        target = Path(self.path)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock_file()
        try:
            with new_file(target) as new:
                copy_database(file, new)
        finally:
            self._release()


def _commit_group(db: sqlite3.Connection, group: Sequence[Job | Change]) -> list[Any]:
    """Write a group durably; return its results, a PersistError for each part that failed."""
    try:
        _rollback(db)  # what an earlier group left open, or an entry would not be durable
        if all(isinstance(one, Change) for one in group):
            with suppress(sqlite3.IntegrityError, ValueError, OverflowError):
                _append_all(db, cast(Sequence[Change], group))
                return [True] * len(group)
            _rollback(db)  # the longer way shows which of them fails
        return _run_group(db, group)
    except Exception as error:  # the thread must go on, and every caller needs an answer
        with suppress(sqlite3.Error):  # then the next group tries again
            _rollback(db)
        return [PersistError(reason(error)) for _ in group]


def _rollback(db: sqlite3.Connection) -> None:
    if db.in_transaction:
        db.execute("ROLLBACK")


def _append_all(db: sqlite3.Connection, changes: Sequence[Change]) -> None:
    """Append all entries or none, with few calls: the thread waits for the interpreter at each."""
    if len(changes) <= MAX_ROWS and not any(one.summary for one in changes):
        _append(db, changes)  # a single statement is a transaction
    else:
        db.execute("BEGIN IMMEDIATE")
        _append(db, changes)
        db.execute("COMMIT")


def _run_group(db: sqlite3.Connection, group: Sequence[Job | Change]) -> list[Any]:
    """Run entries and jobs in one transaction; a failing one does not affect the others."""
    db.execute("BEGIN IMMEDIATE")
    outcomes: list[Any] = []
    for is_change, part in groupby(group, lambda one: isinstance(one, Change)):
        if is_change:
            outcomes += _append_each(db, cast(list[Change], list(part)))
        else:
            outcomes += [_in_savepoint(db, job) for job in cast(Iterator[Job], part)]
    db.execute("COMMIT")
    return outcomes


def _append_each(db: sqlite3.Connection, changes: Sequence[Change]) -> list[Any]:
    """Append entries; return for each whether it was appended."""
    if _in_savepoint(db, lambda db: _append(db, changes)) is None:
        return [True] * len(changes)
    # A number is used, which hardly ever happens: one by one, to see which.
    return [_in_savepoint(db, partial(_try_append, change=change)) for change in changes]


def _try_append(db: sqlite3.Connection, change: Change) -> bool:
    try:
        _append(db, [change])
    except sqlite3.IntegrityError:
        return False
    return True


def _append(db: sqlite3.Connection, changes: Sequence[Change]) -> None:
    """Append entries, many with one call."""
    for start in range(0, len(changes), MAX_ROWS):
        part = changes[start : start + MAX_ROWS]
        values = [value for one in part for value in (one.table, one.n, one.entry)]
        db.execute(_insert(len(part)), values)
    for change in changes:
        if change.summary is not None:
            _update_summary(db, change.table, change.summary)


@cache
def _insert(entries: int) -> str:
    """Return the statement that appends a number of entries; the connection caches it."""
    row = "((SELECT key FROM tables WHERE id = ?), ?, ?)"
    return f"INSERT INTO entries (table_key, n, entry) VALUES {', '.join([row] * entries)}"


def _update_summary(db: sqlite3.Connection, table: str, summary: Summary) -> None:
    db.execute(
        """UPDATE tables SET status = ?, changed = ?, wake_at = ?, view = coalesce(?, view)
           WHERE id = ?""",
        (summary.status, summary.at, summary.wake_at, summary.view, table),
    )
    if summary.participant is not None:
        query = """INSERT INTO participants (person, table_id) VALUES (?, ?)
                   ON CONFLICT DO UPDATE SET hidden = false"""
        db.execute(query, (summary.participant, table))


def _in_savepoint(db: sqlite3.Connection, job: Job) -> Any:
    """Run a job whose failure leaves the transaction intact."""
    db.execute("SAVEPOINT job")
    try:
        outcome = job(db)
    except (sqlite3.IntegrityError, ValueError, OverflowError) as error:
        outcome = PersistError(reason(error))
        db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")
    return outcome
