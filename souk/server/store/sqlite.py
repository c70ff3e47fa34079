"""The store on SQLite: one file, one process, one thread that writes.

Whatever waits to be written goes into one transaction (group commit), so being durable at every
step (synchronous=FULL) costs one flush for many. A flush takes milliseconds; in the meantime
the next group gathers. Event loop and thread hand each other whole groups: each time one of them
waits for the interpreter's lock costs more than an entry.
"""

import asyncio
import fcntl
import os
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from souk.engine.errors import SoukError
from souk.server.store import (
    SCHEMA,
    Change,
    OnRemoteEntry,
    PersistError,
    PersonRow,
    Store,
    StoredTable,
    Summary,
    Then,
    future_callback,
    tell,
)
from souk.server.tables.entries import TableConfig, decode_config, encode

AT_ONCE = 64  # entries appended by one statement at most
WAIT = 5.0  # seconds for another program that holds the file

# One entry for each version of the schema, in order.
MIGRATIONS = (
    """
    CREATE TABLE tables (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        terms BLOB NOT NULL,
        host TEXT NOT NULL,
        public INTEGER NOT NULL,
        status TEXT NOT NULL,
        created INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        wake_at INTEGER,
        view BLOB NOT NULL
    ) STRICT;
    CREATE INDEX tables_listed ON tables (status, public, changed);
    CREATE INDEX tables_waking ON tables (wake_at) WHERE wake_at IS NOT NULL;
    CREATE TABLE entries (
        key INTEGER PRIMARY KEY, -- in the order they come, so that a group of them shares its pages
        table_key INTEGER NOT NULL REFERENCES tables (key),
        n INTEGER NOT NULL,
        entry BLOB NOT NULL,
        UNIQUE (table_key, n)
    ) STRICT;
    CREATE TABLE sitters (
        person TEXT NOT NULL,
        table_id TEXT NOT NULL REFERENCES tables (id),
        PRIMARY KEY (person, table_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        bot INTEGER NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE links (
        digest TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES people (id),
        expires INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE words (key TEXT PRIMARY KEY, word TEXT NOT NULL) STRICT;
    """,
    # Protocol 2 calls `taken` of a seat `takeover`; inside a JSON string a quote has a backslash.
    """
    ALTER TABLE words RENAME TO settings;
    ALTER TABLE settings RENAME COLUMN word TO value;
    ALTER TABLE sitters RENAME TO participants;
    UPDATE tables
    SET view = CAST(replace(CAST(view AS TEXT), ',"taken":', ',"takeover":') AS BLOB);
    """,
)

Job = Callable[[sqlite3.Connection], Any]
Asked = list[tuple[Job | Change, Callable[[Any], None]]]  # what to do, and whom to tell of it


class SqliteStore(Store):
    """Everything in one file, for one process."""

    is_single_process = True

    def __init__(self, path: str) -> None:
        self.path = path
        self._waiting: Asked = []
        self._is_writing = False
        # What the thread is to do, a group at a time. Whom to tell of it stays on this side: what
        # one thread has made is costly for another to let go of.
        self._groups: queue.SimpleQueue[list[Job | Change] | None] = queue.SimpleQueue()
        self._under_way: deque[Asked] = deque()
        self._readers = ThreadPoolExecutor(1, "souk-reads")
        self._present: dict[str, dict[str, int]] = {}  # table, person: connections
        self._lock: int | None = None
        self._thread: threading.Thread | None = None
        self._connections: list[sqlite3.Connection] = []

    # ---- opening and closing --------------------------------------------------------------------

    async def open(self, on_remote_entry: OnRemoteEntry) -> None:
        """Open the file, create it if need be; nobody else writes, so nothing will be heard."""
        self._loop = asyncio.get_running_loop()
        try:
            Path(self.path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._take_lock()
            _create_for_us_alone(self.path)
            self._writes = self._connect(self.path)
            _migrate(self._writes)
            self._reads = self._connect(self.path)
        except (OSError, sqlite3.Error) as error:
            self._let_go()
            raise SoukError(f"cannot use {self.path} as a database: {_reason(error)}") from None
        except SoukError:
            self._let_go()
            raise
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def _connect(self, path: str, **options: Any) -> sqlite3.Connection:
        # Transactions are begun and ended by hand.
        db: sqlite3.Connection = sqlite3.connect(
            path, timeout=WAIT, isolation_level=None, check_same_thread=False, **options
        )
        self._connections.append(db)
        if not options:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
        return db

    async def open_read_only(self) -> None:
        """Open the file to read it, also while a server writes to it."""
        self._loop = asyncio.get_running_loop()
        try:
            only_reading = f"{Path(self.path).absolute().as_uri()}?mode=ro"
            self._reads = self._connect(only_reading, uri=True)
            self._reads.execute("SELECT count(*) FROM tables")
        except sqlite3.Error as error:
            self._let_go()
            raise SoukError(f"cannot read {self.path} as a database: {_reason(error)}") from None

    def _take_lock(self) -> None:
        """Two servers on one file would not hear of each other's entries."""
        self._lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SoukError(
                f"another souk serve is using {self.path}; for several processes use PostgreSQL"
            ) from None

    async def close(self) -> None:
        """Write what was asked for, and close the file."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._hand_over()
            self._groups.put(None)
            await asyncio.to_thread(thread.join)
        self._readers.shutdown()
        self._let_go()

    def _let_go(self) -> None:
        while self._connections:
            self._connections.pop().close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # ---- the thread that writes -----------------------------------------------------------------

    def _write(self) -> None:
        while (group := self._groups.get()) is not None:
            outcomes = _written(self._writes, group)
            del group
            self._loop.call_soon_threadsafe(self._settle, outcomes)

    def _put(self, what: Job | Change, then: Callable[[Any], None]) -> None:
        """Let the thread do something, together with all that comes until it is free."""
        if self._thread is None:
            self._loop.call_soon(then, PersistError("the store is closed"))
            return
        self._waiting.append((what, then))
        if not self._is_writing:
            self._is_writing = True
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        group, self._waiting = self._waiting, []
        if group:
            self._under_way.append(group)
            self._groups.put([what for what, _ in group])

    def _settle(self, outcomes: list[Any]) -> None:
        group = self._under_way.popleft()
        self._is_writing = bool(self._waiting)
        self._hand_over()  # so that it writes while we tell
        for (_, then), outcome in zip(group, outcomes, strict=True):
            tell(then, outcome)

    async def _do(self, job: Job) -> Any:
        """Let the writing thread do something; what it gave, once it is on the disk."""
        future = self._loop.create_future()
        self._put(job, future_callback(future))
        return await future

    async def _ask(self, query: str, *values: object) -> list[Any]:
        try:
            return await self._loop.run_in_executor(self._readers, self._rows, query, values)
        except (sqlite3.Error, ValueError, OverflowError, RuntimeError) as error:
            raise PersistError(_reason(error)) from None  # also what SQLite cannot even be asked

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        return self._reads.execute(query, values).fetchall()

    async def check(self) -> None:
        """Write something that means nothing."""
        set_word = "INSERT INTO settings VALUES ('check', '') ON CONFLICT DO UPDATE SET value = ''"
        await self._do(lambda db: db.execute(set_word))

    async def word(self, key: str, first: str) -> str:
        """The first word that was given."""

        def job(db: sqlite3.Connection) -> str:
            db.execute("INSERT INTO settings VALUES (?, ?) ON CONFLICT DO NOTHING", (key, first))
            return str(db.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()[0])

        return str(await self._do(job))

    # ---- tables ---------------------------------------------------------------------------------

    async def create(self, config: TableConfig, changes: Sequence[Change]) -> bool:
        """A new table."""
        last = changes[-1].summary
        assert last is not None
        values = (
            *(config.id, encode(config), config.host, int(config.public), last.status),
            *(config.created, last.at, last.wake_at, last.view),
        )

        query = """INSERT INTO tables VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (id) DO NOTHING"""

        def job(db: sqlite3.Connection) -> bool:
            is_new = db.execute(query, values).rowcount > 0
            if is_new:
                _append(db, changes)
            return is_new

        return bool(await self._do(job))

    def append(self, change: Change, then: Then) -> None:
        """One more entry."""
        self._put(change, then)

    async def load(self, table: str, after: int = 0) -> StoredTable | None:
        """A table and its entries."""
        rows = await self._ask("SELECT terms, key FROM tables WHERE id = ?", table)
        if not rows:
            return None
        (config, key) = rows[0]
        query = "SELECT entry FROM entries WHERE table_key = ? AND n > ? ORDER BY n"
        entries = await self._ask(query, key, after)
        return StoredTable(decode_config(config), [entry for (entry,) in entries])

    async def views(self, status: str, limit: int, since: int = 0) -> list[bytes]:
        """Public tables."""
        query = """SELECT view FROM tables WHERE status = ? AND public = 1 AND changed >= ?
                   ORDER BY changed DESC LIMIT ?"""
        return [view for (view,) in await self._ask(query, status, since, limit)]

    async def views_of(self, person: str, limit: int) -> list[bytes]:
        """The tables of a person."""
        query = """SELECT view FROM tables JOIN participants ON id = table_id WHERE person = ?
                   ORDER BY changed DESC LIMIT ?"""
        return [view for (view,) in await self._ask(query, person, limit)]

    async def claim(self, now: int, until: int, limit: int) -> list[str]:
        """Tables to look after."""
        query = """UPDATE tables SET wake_at = ? WHERE id IN
                   (SELECT id FROM tables WHERE wake_at <= ? ORDER BY wake_at LIMIT ?)
                   RETURNING id"""

        def job(db: sqlite3.Connection) -> list[str]:
            return [id for (id,) in db.execute(query, (until, now, limit)).fetchall()]

        return list(await self._do(job))

    # ---- who is there: one process, so it need not be written -----------------------------------

    async def mark_present(
        self, process: str, pairs: Iterable[tuple[str, str]], until: int
    ) -> None:
        """Connected."""
        for table, person in pairs:
            self._present.setdefault(table, {})[person] = until

    async def remove_present(self, process: str, table: str, person: str) -> None:
        """No longer connected."""
        people = self._present.get(table, {})
        people.pop(person, None)
        if not people:
            self._present.pop(table, None)

    async def present(self, table: str, now: int) -> set[str]:
        """Who is connected."""
        return {person for person, until in self._present.get(table, {}).items() if until > now}

    # ---- people ---------------------------------------------------------------------------------

    async def add_person(self, person: PersonRow, at: int) -> None:
        """A new identity."""
        values = (person.id, person.name, int(person.is_bot), at)
        await self._do(lambda db: db.execute("INSERT INTO people VALUES (?, ?, ?, ?)", values))

    async def rename(self, person: str, name: str) -> None:
        """Another name."""
        query = "UPDATE people SET name = ? WHERE id = ?"
        await self._do(lambda db: db.execute(query, (name, person)))

    async def person(self, id: str) -> PersonRow | None:
        """Somebody."""
        rows = await self._ask("SELECT id, name, bot FROM people WHERE id = ?", id)
        return PersonRow(rows[0][0], rows[0][1], bool(rows[0][2])) if rows else None

    async def add_link(self, digest: str, person: str, expires: int) -> None:
        """A link to another device."""
        values = (digest, person, expires)
        await self._do(lambda db: db.execute("INSERT INTO links VALUES (?, ?, ?)", values))

    async def use_link(self, digest: str, now: int) -> str | None:
        """Take a link, and those that nobody used in time."""

        def job(db: sqlite3.Connection) -> str | None:
            db.execute("DELETE FROM links WHERE expires <= ?", (now,))
            query = "DELETE FROM links WHERE digest = ? RETURNING person"
            rows = db.execute(query, (digest,)).fetchall()
            return rows[0][0] if rows else None

        found: str | None = await self._do(job)
        return found

    # ---- for the operator -----------------------------------------------------------------------

    async def tables(self, status: str | None, limit: int) -> list[bytes]:
        """All tables."""
        query = """SELECT view FROM tables WHERE status = coalesce(?, status)
                   ORDER BY changed DESC LIMIT ?"""
        return [view for (view,) in await self._ask(query, status, limit)]

    async def ids(self, status: str) -> list[str]:
        """The ids of tables."""
        query = "SELECT id FROM tables WHERE status = ? ORDER BY changed DESC"
        return [id for (id,) in await self._ask(query, status)]


def _create_for_us_alone(path: str) -> None:
    """A file that nobody else may read, as it holds secrets; SQLite gives its others the same."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _written(db: sqlite3.Connection, asked: Sequence[Job | Change]) -> list[Any]:
    """What came of everything, all of it on the disk; NotKept for each whose work is not."""
    try:
        _give_up(db)  # what an earlier group left open, or one entry would not be on the disk
        if all(isinstance(one, Change) for one in asked):
            with suppress(sqlite3.IntegrityError, ValueError, OverflowError):
                _append_all(db, cast(Sequence[Change], asked))
                return [True] * len(asked)
            _give_up(db)  # the longer way tells whose trouble it is
        return _in_one_transaction(db, asked)
    except Exception as error:  # whatever it is, the thread must go on and nobody may wait
        with suppress(sqlite3.Error):  # then the next group tries again
            _give_up(db)
        return [PersistError(_reason(error)) for _ in asked]


def _give_up(db: sqlite3.Connection) -> None:
    if db.in_transaction:
        db.execute("ROLLBACK")


def _append_all(db: sqlite3.Connection, changes: Sequence[Change]) -> None:
    """Append entries or none, with as few calls as can be: the thread waits at each of them."""
    if len(changes) <= AT_ONCE and not any(one.summary for one in changes):
        _append(db, changes)  # one statement is a transaction of its own
    else:
        db.execute("BEGIN IMMEDIATE")
        _append(db, changes)
        db.execute("COMMIT")


def _in_one_transaction(db: sqlite3.Connection, asked: Sequence[Job | Change]) -> list[Any]:
    """Entries and whatever else, each so that its trouble is its own affair."""
    db.execute("BEGIN IMMEDIATE")
    outcomes: list[Any] = []
    for is_change, some in groupby(asked, lambda one: isinstance(one, Change)):
        if is_change:
            outcomes += _appended(db, cast(list[Change], list(some)))
        else:
            outcomes += [_apart(db, job) for job in cast(Iterator[Job], some)]
    db.execute("COMMIT")
    return outcomes


def _appended(db: sqlite3.Connection, changes: Sequence[Change]) -> list[Any]:
    """Whether each of these entries was appended."""
    if _apart(db, lambda db: _append(db, changes)) is None:
        return [True] * len(changes)
    # A number was taken, which hardly ever happens: one by one, to see whose.
    return [_apart(db, partial(_append_one, change=change)) for change in changes]


def _append_one(db: sqlite3.Connection, change: Change) -> bool:
    try:
        _append(db, [change])
    except sqlite3.IntegrityError:
        return False
    return True


def _append(db: sqlite3.Connection, changes: Sequence[Change]) -> None:
    """Append entries, many with one call: the thread waits for the interpreter but once."""
    for start in range(0, len(changes), AT_ONCE):
        some = changes[start : start + AT_ONCE]
        values = [value for one in some for value in (one.table, one.n, one.entry)]
        db.execute(_insert(len(some)), values)
    for change in changes:
        if change.summary is not None:
            _note(db, change.table, change.summary)


@cache
def _insert(entries: int) -> str:
    """The statement that appends so many entries; the connection keeps each ready to run."""
    row = "(NULL, (SELECT key FROM tables WHERE id = ?), ?, ?)"
    return f"INSERT INTO entries VALUES {', '.join([row] * entries)}"


def _note(db: sqlite3.Connection, table: str, summary: Summary) -> None:
    db.execute(
        """UPDATE tables SET status = ?, changed = ?, wake_at = ?, view = coalesce(?, view)
           WHERE id = ?""",
        (summary.status, summary.at, summary.wake_at, summary.view, table),
    )
    if summary.participant is not None:
        sits = "INSERT INTO participants VALUES (?, ?) ON CONFLICT DO NOTHING"
        db.execute(sits, (summary.participant, table))


def _apart(db: sqlite3.Connection, job: Job) -> Any:
    """Do a job so that what is wrong with it is its own affair."""
    db.execute("SAVEPOINT job")
    try:
        outcome = job(db)
    except (sqlite3.IntegrityError, ValueError, OverflowError) as error:
        outcome = PersistError(_reason(error))
        db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")
    return outcome


def _migrate(db: sqlite3.Connection) -> None:
    """Bring the schema up to date, one version after the other."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA:
        raise SoukError(
            f"the database has schema {version}, but this souk knows {SCHEMA}: it is too old for it"
        )
    for number, script in enumerate(MIGRATIONS[version:SCHEMA], start=version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
