"""The store on PostgreSQL, for any number of processes and machines.

Each request is one statement wherever possible, which makes it atomic. All pending entries are
appended by one statement (group commit), which also notifies the other processes. A connection that
failed is dropped; nothing takes longer than TIMEOUT.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import asyncpg
import msgspec
from asyncpg.pool import PoolConnectionProxy

from souk.engine.errors import SoukError
from souk.server.store import (
    RELEASED,
    AppendCallback,
    Change,
    OnRemoteEntry,
    PersistError,
    PersonRow,
    Store,
    StoredTable,
    notify,
    postgres_backup,
)
from souk.server.store.postgres_connection import (
    ERRORS,
    TIMEOUT,
    Connection,
    connect,
    connection_settings,
    has_schema,
    migrate,
    no_reset,
    open_schema,
    reason,
    with_connection,
    without_password,
)
from souk.server.store.postgres_sql import APPEND, HAS_SCHEMA, HAS_TABLES
from souk.server.store.sqlite_files import connect as connect_to_file
from souk.server.tables.entries import TableConfig, decode_config, encode

MAX_GROUP = 1000
MAX_CONNECTIONS = 8  # besides the one that listens
COPY_TIMEOUT = 86_400.0  # seconds for a backup
LISTEN_CHECK = 1.0  # seconds between checks of the listening connection
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)  # seconds before reconnecting; the last one repeats
CHANNEL = "souk"
BROADCASTS = "souk_broadcasts"  # the channel of texts

# The process that notifies, and its new entries as (table, number).
_decode_message = msgspec.json.Decoder(tuple[str, list[tuple[str, int]]]).decode

Pooled: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
T = TypeVar("T")

log = logging.getLogger("souk.server")


class PendingAppend(NamedTuple):
    """An entry to append, its callback and its deadline."""

    change: Change
    callback: AppendCallback
    deadline: float


class PostgresStore(Store):
    """Everything in one database, for many processes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._process = secrets.token_hex(8)  # to ignore our own notifications
        self._pending: asyncio.Queue[PendingAppend | None] = asyncio.Queue()
        self._is_open = False  # for writing
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    # ---- opening and closing --------------------------------------------------------------------

    async def open(self, on_remote_entry: OnRemoteEntry) -> None:
        """Connect, migrate the schema, and listen to the other processes."""
        self._on_remote_entry = on_remote_entry
        try:
            await with_connection(self.url, open_schema)
            self._pool = await self._new_pool()
            connection = await self._listen()
        except ERRORS as error:
            raise SoukError(
                f"cannot use {without_password(self.url)} as a database: {reason(error)}"
            ) from None
        self._is_open = True
        self._writer = asyncio.create_task(self._write_loop())
        self._listener = asyncio.create_task(self._listen_forever(connection))

    async def open_read_only(self) -> None:
        """Connect to read, also while servers write; PostgreSQL refuses any change."""
        try:
            if not await with_connection(self.url, has_schema):
                raise SoukError(f"{without_password(self.url)} is not a database of souk")
            self._pool = await self._new_pool(default_transaction_read_only="on")
        except ERRORS as error:
            shown = without_password(self.url)
            raise SoukError(f"cannot read {shown} as a database: {reason(error)}") from None

    async def open_beside_server(self) -> None:
        """Connect to read and write; the schema stays as it is."""
        await self.open_read_only()  # for its errors
        await self.close()
        await self.open(lambda _table, _n: None)

    async def _new_pool(self, **settings: str) -> "asyncpg.Pool[asyncpg.Record]":
        return await asyncpg.create_pool(
            self.url,
            min_size=0,
            max_size=MAX_CONNECTIONS,
            reset=no_reset,
            **connection_settings(**settings),
        )

    async def close(self) -> None:
        """Finish pending writes, and disconnect."""
        if self._is_open:
            self._is_open = False
            self._pending.put_nowait(None)
            await self._writer
            self._listener.cancel()
            with suppress(asyncio.CancelledError):
                await self._listener
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            async with asyncio.timeout(TIMEOUT):
                await pool.close()
        except ERRORS:
            pool.terminate()

    # ---- queries --------------------------------------------------------------------------------

    async def _run(self, job: Callable[[Pooled], Awaitable[T]]) -> T:
        """Run a job on a connection of the pool, within TIMEOUT."""
        if self._pool is None:
            raise PersistError("the store is closed")
        try:
            async with asyncio.timeout(TIMEOUT), self._pool.acquire() as connection:
                try:
                    return await job(connection)
                except BaseException:
                    # It may be in any state or lost already, and must not block.
                    with suppress(asyncpg.InterfaceError):
                        connection.terminate()
                    raise
        except ERRORS as error:
            raise PersistError(reason(error)) from None

    async def _query(self, query: str, *values: object) -> list[Any]:
        return await self._run(lambda connection: connection.fetch(query, *values))

    async def _views(self, query: str, *values: object) -> list[bytes]:
        return [row["view"] for row in await self._query(query, *values)]

    async def check(self) -> None:
        """Write a meaningless row."""
        await self._query(
            """INSERT INTO settings (key, value) VALUES ('check', '')
               ON CONFLICT (key) DO UPDATE SET value = ''"""
        )

    async def get_or_set(self, key: str, value: str) -> str:
        """Return the stored value of a key, or store the given one."""
        query = "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        await self._query(query, key, value)
        stored = await self.setting(key)
        assert stored is not None
        return stored

    async def setting(self, key: str) -> str | None:
        """Return the stored value of a key."""
        rows = await self._query("SELECT value FROM settings WHERE key = $1", key)
        return str(rows[0]["value"]) if rows else None

    async def mark_alive(self, now: int) -> int | None:
        """Store the time; return the time that was stored."""
        rows = await self._query(
            """WITH before AS (SELECT value FROM settings WHERE key = 'alive')
               INSERT INTO settings (key, value) VALUES ('alive', $1)
               ON CONFLICT (key) DO UPDATE SET value = excluded.value
               RETURNING (SELECT value FROM before) AS value""",
            str(now),
        )
        return None if rows[0]["value"] is None else int(rows[0]["value"])

    async def query(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return [tuple(row) for row in await self._query(_numbered(query), *values)]

    async def transact(self, *steps: tuple[object, ...]) -> list[list[tuple[Any, ...]]]:
        """Run statements in one transaction."""

        async def job(connection: Pooled) -> list[list[tuple[Any, ...]]]:
            await connection.execute("BEGIN")
            done = []
            for query, *values in steps:
                rows = await connection.fetch(_numbered(str(query)), *values)
                done.append([tuple(row) for row in rows])
            await connection.execute("COMMIT")
            return done

        return await self._run(job)

    # ---- the writer task ------------------------------------------------------------------------

    def append(self, change: Change, callback: AppendCallback) -> None:
        """Append an entry."""
        loop = asyncio.get_running_loop()
        if self._is_open:
            self._pending.put_nowait(PendingAppend(change, callback, loop.time() + TIMEOUT))
        else:
            loop.call_soon(callback, PersistError("the store is closed"))

    async def _write_loop(self) -> None:
        is_open = True
        while is_open:
            group = [await self._pending.get()]
            while len(group) < MAX_GROUP and not self._pending.empty():
                group.append(self._pending.get_nowait())
            is_open = None not in group
            now = asyncio.get_running_loop().time()
            pending = [one for one in group if one is not None]
            for one in pending:
                if one.deadline < now:
                    notify(one.callback, PersistError(reason(TimeoutError())))
            if pending := [one for one in pending if one.deadline >= now]:
                await self._append_group(pending)

    async def _append_group(self, pending: "Sequence[PendingAppend]") -> None:
        """Append a group of entries, and call the callbacks."""
        first: dict[tuple[str, int], Change] = {}  # a second entry of the same number is refused
        for one in pending:
            first.setdefault((one.change.table, one.change.n), one.change)
        try:
            stored = await self._run(lambda connection: self._append(connection, first.values()))
        except Exception as error:  # the task must go on, and every caller needs an answer
            why = str(error) if isinstance(error, PersistError) else reason(error)
            for one in pending:
                notify(one.callback, PersistError(why))
            return
        for one in pending:
            number = (one.change.table, one.change.n)
            is_stored = number in stored
            stored.discard(number)
            notify(one.callback, is_stored)

    async def _append(self, connection: Pooled, changes: Iterable[Change]) -> set[tuple[str, int]]:
        """Append entries of different numbers; return those that were stored."""
        rows = map(_columns, changes)
        sent = await connection.fetch(APPEND, *zip(*rows, strict=True), CHANNEL, self._process)
        return {entry for row in sent for entry in _decode_message(row["message"])[1]}

    # ---- listening ------------------------------------------------------------------------------

    async def _listen(self) -> Connection:
        """Open a connection that receives notifications."""
        connection = await connect(self.url)
        try:
            await connection.add_listener(CHANNEL, self._on_notification)
            await connection.add_listener(BROADCASTS, self._on_text)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def _on_notification(
        self, _connection: object, _pid: int, _channel: str, message: object
    ) -> None:
        sender, entries = _decode_message(str(message))
        if sender != self._process:
            for table, n in entries:
                self._on_remote_entry(table, n)

    async def broadcast(self, text: str) -> None:
        """Send a text to the other processes."""
        await self._query("SELECT pg_notify($1, $2)", BROADCASTS, f"{self._process} {text}")

    def _on_text(self, _connection: object, _pid: int, _channel: str, message: object) -> None:
        sender, _, text = str(message).partition(" ")
        if sender != self._process:
            self.on_broadcast(text)

    async def _listen_forever(self, connection: Connection) -> None:
        """Keep a listening connection open. Notifications missed meanwhile are lost."""
        while True:
            try:
                while True:
                    await asyncio.sleep(LISTEN_CHECK)
                    await connection.execute("SELECT 1", timeout=TIMEOUT)
            except ERRORS as error:
                log.warning("no longer listening to the database", extra={"error": reason(error)})
            finally:
                connection.terminate()
            connection = await self._listen_again()
            log.warning("listening to the database again")
            self._on_remote_entry("", 0)

    async def _listen_again(self) -> Connection:
        tried = 0
        while True:
            try:
                return await self._listen()
            except ERRORS:
                await asyncio.sleep(PAUSES[min(tried, len(PAUSES) - 1)])
                tried += 1

    # ---- tables ---------------------------------------------------------------------------------

    async def create(self, config: TableConfig, changes: Sequence[Change]) -> bool:
        """Store a new table."""
        last = changes[-1].summary
        assert last is not None
        values = (
            *(config.id, encode(config), config.host, config.public, last.status),
            *(config.created, last.at, last.wake_at, last.view),
        )

        query = """INSERT INTO tables
                       (id, terms, host, public, status, created, changed, wake_at, view)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                   ON CONFLICT (id) DO NOTHING RETURNING id"""

        async def job(connection: Pooled) -> bool:
            await connection.execute("BEGIN")
            is_new = bool(await connection.fetch(query, *values))
            if is_new:
                await self._append(connection, changes)
            await connection.execute("COMMIT")
            return is_new

        return await self._run(job)

    async def load(self, table: str, after: int = 0) -> StoredTable | None:
        """Return a table and its entries."""
        if "\0" in table:
            return None  # PostgreSQL takes no such text
        query = """SELECT terms, ARRAY(SELECT entry FROM entries WHERE table_id = id AND n > $2
                                       ORDER BY n) AS entries
                   FROM tables WHERE id = $1"""
        rows = await self._query(query, table, after)
        return StoredTable(decode_config(rows[0]["terms"]), rows[0]["entries"]) if rows else None

    async def views(self, status: str, limit: int, since: int = 0) -> list[bytes]:
        """Return views of public tables."""
        query = """SELECT view FROM tables WHERE status = $1 AND public AND changed >= $3
                   ORDER BY changed DESC LIMIT $2"""
        return await self._views(query, status, limit, since)

    async def claim(self, now: int, until: int, limit: int) -> list[str]:
        """Reserve tables that need attention, but those that another process is claiming."""
        query = """UPDATE tables SET wake_at = $1 WHERE id = ANY (ARRAY(
                       SELECT id FROM tables WHERE wake_at <= $2 ORDER BY wake_at LIMIT $3
                       FOR NO KEY UPDATE SKIP LOCKED))
                   RETURNING id"""
        return [row["id"] for row in await self._query(query, until, now, limit)]

    async def release(self, tables: Sequence[str], now: int) -> None:
        """Make tables due that somebody must attend to sooner or later, and tell the others."""
        query = """WITH released AS (
                       UPDATE tables SET wake_at = $2 WHERE id = ANY ($1) AND wake_at > $2)
                   SELECT pg_notify($3, $4)"""
        message = msgspec.json.encode((self._process, [RELEASED])).decode()
        await self._query(query, list(tables), now, CHANNEL, message)

    async def replace_entries(self, table: str, entries: Mapping[int, bytes]) -> None:
        """Replace entries."""
        query = "UPDATE entries SET entry = ? WHERE table_id = ? AND n = ?"
        await self.transact(*((query, entry, table, n) for n, entry in entries.items()))

    async def delete_table(self, id: str, before: int) -> None:
        """Delete a table; nobody can append to it meanwhile."""
        old = "FROM tables WHERE id = ? AND changed < ?"
        await self.transact(
            (f"SELECT id {old} FOR UPDATE", id, before),
            (f"DELETE FROM entries WHERE table_id IN (SELECT id {old})", id, before),
            (f"DELETE FROM participants WHERE table_id IN (SELECT id {old})", id, before),
            (f"DELETE FROM chatters WHERE table_id IN (SELECT id {old})", id, before),
            (f"DELETE {old}", id, before),
        )

    # ---- presence: of every process, need not be durable ----------------------------------------

    async def mark_present(
        self, process: str, pairs: Iterable[tuple[str, str]], until: int
    ) -> None:
        """Note that people are connected."""
        if unique := set(pairs):
            query = """INSERT INTO present (table_id, person, process, until)
                       SELECT table_id, person, $3, $4
                       FROM unnest($1::text[], $2::text[]) AS pairs (table_id, person)
                       ON CONFLICT (table_id, person, process)
                       DO UPDATE SET until = excluded.until"""
            await self._query(query, *zip(*unique, strict=True), process, until)

    async def remove_present(self, process: str, table: str, person: str) -> None:
        """Note that a person is no longer connected."""
        query = "DELETE FROM present WHERE table_id = $1 AND person = $2 AND process = $3"
        await self._query(query, table, person, process)

    async def present(self, table: str, now: int) -> set[str]:
        """Return who is connected."""
        query = "SELECT person FROM present WHERE table_id = $1 AND until > $2"
        return {row["person"] for row in await self._query(query, table, now)}

    # ---- people ---------------------------------------------------------------------------------

    async def add_person(self, person: PersonRow, at: int) -> None:
        """Store a new identity."""
        query = "INSERT INTO people (id, name, bot, created) VALUES ($1, $2, $3, $4)"
        await self._query(query, person.id, person.name, person.is_bot, at)

    async def person(self, id: str) -> PersonRow | None:
        """Return a person."""
        rows = await self._query("SELECT id, name, bot FROM people WHERE id = $1", id)
        return PersonRow(*rows[0]) if rows else None

    async def add_link(self, digest: str, person: str, expires: int) -> None:
        """Store a device link."""
        query = "INSERT INTO links (digest, person, expires) VALUES ($1, $2, $3)"
        await self._query(query, digest, person, expires)

    async def use_link(self, digest: str, now: int) -> str | None:
        """Delete a link and those that expired; return its person."""
        query = """DELETE FROM links WHERE digest = $1 OR expires <= $2
                   RETURNING digest, person, expires"""
        for row in await self._query(query, digest, now):
            if row["digest"] == digest and row["expires"] > now:
                return str(row["person"])
        return None

    # ---- for the operator -----------------------------------------------------------------------

    async def tables(self, status: str | None, limit: int) -> list[bytes]:
        """Return views of all tables."""
        query = """SELECT view FROM tables WHERE status = coalesce($1, status)
                   ORDER BY changed DESC LIMIT $2"""
        return await self._views(query, status, limit)

    async def ids(self, status: str) -> list[str]:
        """Return the ids of tables."""
        query = "SELECT id FROM tables WHERE status = $1 ORDER BY changed DESC"
        return [row["id"] for row in await self._query(query, status)]

    async def copy_to(self, file: Path) -> None:
        """Copy all rows to a SQLite file, also while servers write."""

        async def job(connection: Connection) -> None:
            if not await connection.fetchval(HAS_SCHEMA):
                raise SoukError(f"{without_password(self.url)} is not a database of souk")
            await postgres_backup.read(connection, db)

        with closing(connect_to_file(file)) as db:
            await self._copy(job)

    async def copy_from(self, file: Path) -> None:
        """Copy all rows of a SQLite file, in one transaction."""

        async def job(connection: Connection) -> None:
            if await connection.fetchval(HAS_TABLES):
                shown = without_password(self.url)
                raise SoukError(f"{shown} has tables already: restore to an empty database")
            async with connection.transaction():
                await migrate(connection)
                await postgres_backup.write(db, connection)

        with closing(connect_to_file(file)) as db:
            await self._copy(job)

    async def _copy(self, job: Callable[[Connection], Awaitable[None]]) -> None:
        try:
            await with_connection(self.url, job, COPY_TIMEOUT)
        except ERRORS as error:
            shown = without_password(self.url)
            raise SoukError(f"cannot use {shown} as a database: {reason(error)}") from None


def _numbered(query: str) -> str:
    """Return a query with PostgreSQL's placeholders.

    >>> _numbered("SELECT ? + ?")
    'SELECT $1 + $2'
    """
    first, *rest = query.split("?")
    return first + "".join(f"${n}{part}" for n, part in enumerate(rest, 1))


def _columns(change: Change) -> tuple[object, ...]:
    """Return a change as the columns of APPEND."""
    entry = (change.table, change.n, change.entry)
    summary = change.summary
    if summary is None:
        return (*entry, None, None, None, None, None)
    at = (summary.status, summary.wake_at, summary.at)
    return (*entry, *at, summary.view, summary.participant)
