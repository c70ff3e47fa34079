"""The store on PostgreSQL: any number of processes, on as many machines.

What is asked for is one statement wherever possible, so that PostgreSQL itself keeps all of it or
nothing. Whatever waits to be appended goes into one statement (group commit), which also notifies
the other processes. A connection that failed is thrown away; nothing is tried for longer than
PATIENCE.
"""

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlsplit

import asyncpg
import msgspec
from asyncpg.pool import PoolConnectionProxy

from souk.engine.errors import SoukError
from souk.server.store import (
    SCHEMA,
    Change,
    OnRemoteEntry,
    PersistError,
    PersonRow,
    Store,
    StoredTable,
    Then,
    tell,
)
from souk.server.store.postgres_sql import APPEND, FORGET, MIGRATIONS
from souk.server.tables.entries import TableConfig, decode_config, encode

MAX_IN_GROUP = 1000
MAX_CONNECTIONS = 8  # beside the one that listens
PATIENCE = 10.0  # seconds for anything that is asked for
MIGRATING = 600.0  # seconds for a new schema, also if another process is at it
LISTENING = 1.0  # seconds after which to see whether the connection that listens is alive
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)  # before trying to listen again; the last one repeats
CHANNEL = "souk"
LOCK = 0x736F756B  # held while the schema changes

# Who sent a message, and the numbers of the entries it added to tables.
_decode_message = msgspec.json.Decoder(tuple[str, list[tuple[str, int]]]).decode

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Pooled: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
T = TypeVar("T")

TROUBLE = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,  # TimeoutError is one
)

log = logging.getLogger("souk.server")


class Asked(NamedTuple):
    """An entry to append, and whom to tell, till when."""

    change: Change
    then: Then
    until: float


class PostgresStore(Store):
    """Everything in one database, for many processes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._me = secrets.token_hex(8)  # so that we need not listen to ourselves
        self._asked: asyncio.Queue[Asked | None] = asyncio.Queue()
        self._is_open = False  # for writing
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    # ---- opening and closing --------------------------------------------------------------------

    async def open(self, on_remote_entry: OnRemoteEntry) -> None:
        """Connect, bring the schema up to date, and listen to the other processes."""
        self._on_remote_entry = on_remote_entry
        try:
            await self._first(_migrate)
            self._pool = await self._new_pool()
            ear = await self._listen()
        except TROUBLE as error:
            raise SoukError(f"cannot use {_shown(self.url)} as a database: {_why(error)}") from None
        self._is_open = True
        self._writes = asyncio.create_task(self._write())
        self._listens = asyncio.create_task(self._keep_listening(ear))

    async def open_read_only(self) -> None:
        """Connect to read, also while servers write; PostgreSQL itself refuses any change."""
        try:
            if not await self._first(_is_ours):
                raise SoukError(f"{_shown(self.url)} is no database of souk's")
            self._pool = await self._new_pool(default_transaction_read_only="on")
        except TROUBLE as error:
            shown = _shown(self.url)
            raise SoukError(f"cannot read {shown} as a database: {_why(error)}") from None

    async def _new_pool(self, **settings: str) -> "asyncpg.Pool[asyncpg.Record]":
        return await asyncpg.create_pool(
            self.url,
            min_size=0,
            max_size=MAX_CONNECTIONS,
            reset=_as_it_is,
            **_settings(**settings),
        )

    async def _first(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Let a connection of its own do what comes before everything else."""
        connection = await self._connect()
        try:
            async with asyncio.timeout(MIGRATING):
                done = await work(connection)
            await connection.close(timeout=PATIENCE)
            return done
        finally:
            connection.terminate()  # whatever was begun comes to nothing

    async def _connect(self) -> Connection:
        try:
            if urlsplit(self.url).netloc.count("@") > 1:
                raise ValueError("a password with @")
            return await asyncpg.connect(self.url, **_settings())
        except asyncpg.ClientConfigurationError:
            raise
        except ValueError:  # what it says may quote part of a password
            raise asyncpg.ClientConfigurationError(
                "an address is postgresql://USER:PASSWORD@HOST:PORT/NAME, and in a password"
                " everything but letters and digits must be percent-encoded"
            ) from None

    async def close(self) -> None:
        """Keep what was asked for, and disconnect."""
        if self._is_open:
            self._is_open = False
            self._asked.put_nowait(None)
            await self._writes
            self._listens.cancel()
            with suppress(asyncio.CancelledError):
                await self._listens
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                await pool.close()
        except TROUBLE:
            pool.terminate()

    # ---- asking ---------------------------------------------------------------------------------

    async def _do(self, work: Callable[[Pooled], Awaitable[T]]) -> T:
        """Let a connection do something, in time."""
        if self._pool is None:
            raise PersistError("the store is closed")
        try:
            async with asyncio.timeout(PATIENCE), self._pool.acquire() as connection:
                try:
                    return await work(connection)
                except BaseException:
                    # It may be in any state, and must not keep us waiting; or it is lost already.
                    with suppress(asyncpg.InterfaceError):
                        connection.terminate()
                    raise
        except TROUBLE as error:
            raise PersistError(_why(error)) from None

    async def _ask(self, query: str, *values: object) -> list[Any]:
        return await self._do(lambda connection: connection.fetch(query, *values))

    async def _views(self, query: str, *values: object) -> list[bytes]:
        return [row["view"] for row in await self._ask(query, *values)]

    async def check(self) -> None:
        """Write something that means nothing."""
        await self._ask(
            "INSERT INTO settings VALUES ('check', '') ON CONFLICT (key) DO UPDATE SET value = ''"
        )

    async def word(self, key: str, first: str) -> str:
        """The first word that was given."""
        await self._ask("INSERT INTO settings VALUES ($1, $2) ON CONFLICT DO NOTHING", key, first)
        return str((await self._ask("SELECT value FROM settings WHERE key = $1", key))[0]["value"])

    # ---- the task that appends ------------------------------------------------------------------

    def append(self, change: Change, then: Then) -> None:
        """One more entry."""
        loop = asyncio.get_running_loop()
        if self._is_open:
            self._asked.put_nowait(Asked(change, then, loop.time() + PATIENCE))
        else:
            loop.call_soon(then, PersistError("the store is closed"))

    async def _write(self) -> None:
        going_on = True
        while going_on:
            group = [await self._asked.get()]
            while len(group) < MAX_IN_GROUP and not self._asked.empty():
                group.append(self._asked.get_nowait())
            going_on = None not in group
            now = asyncio.get_running_loop().time()
            asked = [one for one in group if one is not None]
            for one in asked:
                if one.until < now:  # after so long nobody hopes for it any more
                    tell(one.then, PersistError(_why(TimeoutError())))
            if asked := [one for one in asked if one.until >= now]:
                await self._settle(asked)

    async def _settle(self, asked: "Sequence[Asked]") -> None:
        """Append what is asked, and tell everybody what became of it."""
        first: dict[tuple[str, int], Change] = {}  # whoever comes second finds the number taken
        for one in asked:
            first.setdefault((one.change.table, one.change.n), one.change)
        try:
            kept = await self._do(lambda connection: self._append(connection, first.values()))
        except Exception as error:  # whatever it is, the task must go on and nobody may wait
            reason = str(error) if isinstance(error, PersistError) else _why(error)
            for one in asked:
                tell(one.then, PersistError(reason))
            return
        for one in asked:
            number = (one.change.table, one.change.n)
            is_kept = number in kept
            kept.discard(number)
            tell(one.then, is_kept)

    async def _append(self, connection: Pooled, changes: Iterable[Change]) -> set[tuple[str, int]]:
        """Append entries whose numbers are all different; those that were kept."""
        rows = map(_columns, changes)
        sent = await connection.fetch(APPEND, *zip(*rows, strict=True), CHANNEL, self._me)
        return {entry for row in sent for entry in _decode_message(row["message"])[1]}

    # ---- listening ------------------------------------------------------------------------------

    async def _listen(self) -> Connection:
        """A connection that hears of others' entries."""
        connection = await self._connect()
        try:
            await connection.add_listener(CHANNEL, self._hear)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def _hear(self, _connection: object, _pid: int, _channel: str, message: object) -> None:
        sender, entries = _decode_message(str(message))
        if sender != self._me:
            for table, n in entries:
                self._on_remote_entry(table, n)

    async def _keep_listening(self, ear: Connection) -> None:
        """See to it that somebody listens. What was said while nobody did, nobody will repeat."""
        while True:
            try:
                while True:
                    await asyncio.sleep(LISTENING)
                    await ear.execute("SELECT 1", timeout=PATIENCE)
            except TROUBLE as error:
                log.warning("no longer listening to the database", extra={"error": _why(error)})
            finally:
                ear.terminate()
            ear = await self._listen_again()
            log.warning("listening to the database again")
            self._on_remote_entry("", 0)

    async def _listen_again(self) -> Connection:
        tried = 0
        while True:
            try:
                return await self._listen()
            except TROUBLE:
                await asyncio.sleep(PAUSES[min(tried, len(PAUSES) - 1)])
                tried += 1

    # ---- tables ---------------------------------------------------------------------------------

    async def create(self, config: TableConfig, changes: Sequence[Change]) -> bool:
        """A new table."""
        last = changes[-1].summary
        assert last is not None
        values = (
            *(config.id, encode(config), config.host, config.public, last.status),
            *(config.created, last.at, last.wake_at, last.view),
        )

        query = """INSERT INTO tables VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                   ON CONFLICT (id) DO NOTHING RETURNING id"""

        async def work(connection: Pooled) -> bool:
            await connection.execute("BEGIN")
            is_new = bool(await connection.fetch(query, *values))
            if is_new:
                await self._append(connection, changes)
            await connection.execute("COMMIT")
            return is_new

        return await self._do(work)

    async def load(self, table: str, after: int = 0) -> StoredTable | None:
        """A table and its entries."""
        if "\0" in table:
            return None  # PostgreSQL would not even look
        query = """SELECT terms, ARRAY(SELECT entry FROM entries WHERE table_id = id AND n > $2
                                       ORDER BY n) AS entries
                   FROM tables WHERE id = $1"""
        rows = await self._ask(query, table, after)
        return StoredTable(decode_config(rows[0]["terms"]), rows[0]["entries"]) if rows else None

    async def views(self, status: str, limit: int, since: int = 0) -> list[bytes]:
        """Public tables."""
        query = """SELECT view FROM tables WHERE status = $1 AND public AND changed >= $3
                   ORDER BY changed DESC LIMIT $2"""
        return await self._views(query, status, limit, since)

    async def views_of(self, person: str, limit: int) -> list[bytes]:
        """The tables of a person."""
        query = """SELECT view FROM tables JOIN participants ON id = table_id WHERE person = $1
                   ORDER BY changed DESC LIMIT $2"""
        return await self._views(query, person, limit)

    async def claim(self, now: int, until: int, limit: int) -> list[str]:
        """Tables to look after; those that another process claims just now are left to it."""
        query = """UPDATE tables SET wake_at = $1 WHERE id = ANY (ARRAY(
                       SELECT id FROM tables WHERE wake_at <= $2 ORDER BY wake_at LIMIT $3
                       FOR NO KEY UPDATE SKIP LOCKED))
                   RETURNING id"""
        return [row["id"] for row in await self._ask(query, until, now, limit)]

    # ---- who is there: every process keeps its own, and need not keep it for good ---------------

    async def mark_present(
        self, process: str, pairs: Iterable[tuple[str, str]], until: int
    ) -> None:
        """Connected."""
        if different := set(pairs):
            query = """INSERT INTO present
                       SELECT table_id, person, $3, $4
                       FROM unnest($1::text[], $2::text[]) AS pairs (table_id, person)
                       ON CONFLICT (table_id, person, process)
                       DO UPDATE SET until = excluded.until"""
            await self._ask(query, *zip(*different, strict=True), process, until)

    async def remove_present(self, process: str, table: str, person: str) -> None:
        """No longer connected."""
        query = "DELETE FROM present WHERE table_id = $1 AND person = $2 AND process = $3"
        await self._ask(query, table, person, process)

    async def present(self, table: str, now: int) -> set[str]:
        """Who is connected."""
        query = "SELECT person FROM present WHERE table_id = $1 AND until > $2"
        return {row["person"] for row in await self._ask(query, table, now)}

    # ---- people ---------------------------------------------------------------------------------

    async def add_person(self, person: PersonRow, at: int) -> None:
        """A new identity."""
        query = "INSERT INTO people VALUES ($1, $2, $3, $4)"
        await self._ask(query, person.id, person.name, person.is_bot, at)

    async def rename(self, person: str, name: str) -> None:
        """Another name."""
        await self._ask("UPDATE people SET name = $2 WHERE id = $1", person, name)

    async def person(self, id: str) -> PersonRow | None:
        """Somebody."""
        rows = await self._ask("SELECT id, name, bot FROM people WHERE id = $1", id)
        return PersonRow(*rows[0]) if rows else None

    async def add_link(self, digest: str, person: str, expires: int) -> None:
        """A link to another device."""
        await self._ask("INSERT INTO links VALUES ($1, $2, $3)", digest, person, expires)

    async def use_link(self, digest: str, now: int) -> str | None:
        """Take a link, and those that nobody used in time."""
        query = """DELETE FROM links WHERE digest = $1 OR expires <= $2
                   RETURNING digest, person, expires"""
        for row in await self._ask(query, digest, now):
            if row["digest"] == digest and row["expires"] > now:
                return str(row["person"])
        return None

    # ---- for the operator -----------------------------------------------------------------------

    async def tables(self, status: str | None, limit: int) -> list[bytes]:
        """All tables."""
        query = """SELECT view FROM tables WHERE status = coalesce($1, status)
                   ORDER BY changed DESC LIMIT $2"""
        return await self._views(query, status, limit)

    async def ids(self, status: str) -> list[str]:
        """The ids of tables."""
        query = "SELECT id FROM tables WHERE status = $1 ORDER BY changed DESC"
        return [row["id"] for row in await self._ask(query, status)]


def _columns(change: Change) -> tuple[object, ...]:
    """What APPEND wants to know of a change."""
    entry = (change.table, change.n, change.entry)
    summary = change.summary
    if summary is None:
        return (*entry, None, None, None, None, None)
    at = (summary.status, summary.wake_at, summary.at)
    return (*entry, *at, summary.view, summary.participant)


def _settings(**more: str) -> dict[str, Any]:
    """Whatever the operator has set for others: what we call kept must be on the disk."""
    return {
        "timeout": PATIENCE,
        "server_settings": {
            "application_name": "souk",
            "synchronous_commit": "on",
            "default_transaction_isolation": "read committed",
            "statement_timeout": str(int(PATIENCE * 1000)),
            **more,
        },
    }


async def _as_it_is(_connection: Connection) -> None:
    """A connection goes back to the pool as it is: nothing of ours changes its state."""


async def _is_ours(connection: Connection) -> bool:
    """Whether a database has our tables, in a version that we know."""
    found = "SELECT to_regclass('schema_version') IS NOT NULL AND to_regclass('tables') IS NOT NULL"
    if not await connection.fetchval(found):
        return False
    _check_version(await connection.fetchval("SELECT version FROM schema_version"))
    return True


def _check_version(version: int) -> None:
    if version > SCHEMA:
        raise SoukError(
            f"the database has schema {version}, but this souk knows {SCHEMA}: it is too old for it"
        )


async def _migrate(connection: Connection) -> None:
    """Bring the schema up to date, one version after the other; one process at a time."""
    await connection.execute(f"BEGIN; SET LOCAL statement_timeout = {int(MIGRATING * 1000)}")
    await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
    if await connection.fetchval("SELECT to_regclass('schema_version') IS NULL"):
        await connection.execute("CREATE TABLE schema_version AS SELECT 0 AS version")
    version: int = await connection.fetchval("SELECT version FROM schema_version")
    _check_version(version)
    for script in MIGRATIONS[version:SCHEMA]:
        await connection.execute(script)
    if version < SCHEMA:
        await connection.execute("UPDATE schema_version SET version = $1", SCHEMA)
    await connection.execute(FORGET)
    await connection.execute("COMMIT")


def _shown(url: str) -> str:
    """An address without its password.

    >>> _shown("postgresql://souk:a:b@c@db.example:5432/souk?sslpassword=d")
    'postgresql://souk@db.example:5432/souk?sslpassword=…'
    """
    without = re.sub(r"(://[^:@/?]*):.*@", r"\1@", url)
    return re.sub(r"(password=)[^&]*", r"\1…", without)


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return " ".join(str(error).split()) or type(error).__name__.lower()
