"""Connections to PostgreSQL: addresses, settings, errors, and the schema."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

import asyncpg

from souk.server.store import migrations
from souk.server.store.postgres_sql import DELETE_STALE, HAS_SCHEMA

TIMEOUT = 10.0  # seconds for any request
MIGRATION_TIMEOUT = 600.0  # seconds, waiting for another process included
LOCK = 0x736F756B  # held while the schema changes

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
T = TypeVar("T")

ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,  # TimeoutError is one
)


async def connect(url: str) -> Connection:
    """Connect to a database."""
    try:
        if urlsplit(url).netloc.count("@") > 1:
            raise ValueError("a password with @")
        return await asyncpg.connect(url, **connection_settings())
    except asyncpg.ClientConfigurationError:
        raise
    except ValueError:  # its message may quote part of a password
        raise asyncpg.ClientConfigurationError(
            "an address is postgresql://USER:PASSWORD@HOST:PORT/NAME, and in a password"
            " everything but letters and digits must be percent-encoded"
        ) from None


async def with_connection(
    url: str, job: Callable[[Connection], Awaitable[T]], timeout: float = MIGRATION_TIMEOUT
) -> T:
    """Run a job on a connection of its own."""
    connection = await connect(url)
    try:
        async with asyncio.timeout(timeout):
            done = await job(connection)
        await connection.close(timeout=TIMEOUT)
        return done
    finally:
        connection.terminate()  # rolls back


def connection_settings(**more: str) -> dict[str, Any]:
    """Return the settings of a connection: commits are durable, whatever the server's defaults."""
    return {
        "timeout": TIMEOUT,
        "server_settings": {
            "application_name": "souk",
            "synchronous_commit": "on",
            "default_transaction_isolation": "read committed",
            "statement_timeout": str(int(TIMEOUT * 1000)),
            **more,
        },
    }


async def no_reset(_connection: Connection) -> None:
    """Do not reset a connection that returns to the pool: we never change its state."""


async def has_schema(connection: Connection) -> bool:
    """Return whether a database has our tables; refuse another version of them."""
    if not await connection.fetchval(HAS_SCHEMA):
        return False
    migrations.check_is_newest(await connection.fetchval("SELECT version FROM schema_version"))
    return True


async def open_schema(connection: Connection) -> None:
    """Migrate the schema, and forget who was present through processes that died."""
    async with connection.transaction():
        await migrate(connection)
        await connection.execute(DELETE_STALE)


async def migrate(connection: Connection) -> None:
    """Migrate the schema, one version after the other; one process at a time."""
    await connection.execute("SET LOCAL statement_timeout = 0")
    await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
    if await connection.fetchval("SELECT to_regclass('schema_version') IS NULL"):
        await connection.execute("CREATE TABLE schema_version AS SELECT 0 AS version")
    version: int = await connection.fetchval("SELECT version FROM schema_version")
    for migration in migrations.pending(version):
        await connection.execute(migration.postgres)
    if version < migrations.newest():
        await connection.execute("UPDATE schema_version SET version = $1", migrations.newest())


def without_password(url: str) -> str:
    """Return an address without its password.

    >>> without_password("postgresql://souk:a:b@c@db.example:5432/souk?sslpassword=d")
    'postgresql://souk@db.example:5432/souk?sslpassword=…'
    """
    without = re.sub(r"(://[^:@/?]*):.*@", r"\1@", url)
    return re.sub(r"(password=)[^&]*", r"\1…", without)


def reason(error: Exception) -> str:
    """Return an error in words."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return " ".join(str(error).split()) or type(error).__name__.lower()
