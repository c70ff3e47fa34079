"""Copy all rows between PostgreSQL and a SQLite database of the same schema.

The tables of both have the same columns, but entries: they refer to their table by its key on
SQLite, and by its id on PostgreSQL. Unlogged tables, such as presence, are not copied.
"""

import sqlite3
from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

import asyncpg

from souk.server.store import migrations
from souk.server.store.sqlite_files import migrate

ROWS = 1000  # read at a time

INSERT_ENTRY = """
    INSERT INTO entries (table_key, n, entry) VALUES ((SELECT key FROM tables WHERE id = ?), ?, ?)
"""
SELECT_ENTRIES = """
    SELECT id AS table_id, n, entry FROM entries JOIN tables ON tables.key = table_key
    ORDER BY entries.key
"""
COLUMNS = """
    SELECT relname::text, attname::text, atttypid = 'bool'::regtype,
           pg_get_serial_sequence(quote_ident(relname), attname)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relpersistence = 'p'
          AND attnum > 0 AND NOT attisdropped AND relname <> 'schema_version'
    ORDER BY relname, attnum
"""
REFERENCES = """
    SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS parent
    FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid <> confrelid
"""


class Column(NamedTuple):
    """A column on PostgreSQL."""

    name: str
    is_boolean: bool
    sequence: str | None  # that numbers new rows


async def read(connection: "asyncpg.Connection[asyncpg.Record]", db: sqlite3.Connection) -> None:
    """Copy a database to an empty one on SQLite, as it is at one moment."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute("SET LOCAL statement_timeout = 0")
        version = await connection.fetchval("SELECT version FROM schema_version")
        migrations.pending(version)  # refuses a newer one
        migrate(db, version)
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("BEGIN")
        tables = await _tables(connection)
        for table in sorted(tables, key=lambda table: table == "entries"):  # these need the tables
            names = ", ".join(f'"{column.name}"' for column in tables[table])
            values = ", ".join("?" * len(tables[table]))
            insert = f"INSERT INTO {table} ({names}) VALUES ({values})"
            rows = await connection.cursor(f"SELECT {names} FROM {table}")
            while some := await rows.fetch(ROWS):
                db.executemany(INSERT_ENTRY if table == "entries" else insert, map(tuple, some))
        db.execute("COMMIT")


async def write(db: sqlite3.Connection, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Copy a database on SQLite to one that has the same schema and no rows."""
    tables = await _tables(connection)
    order = TopologicalSorter({table: set() for table in tables})
    for row in await connection.fetch(REFERENCES):
        order.add(row["table"], row["parent"])
    for table in order.static_order():
        columns = tables[table]
        names = [column.name for column in columns]
        await connection.copy_records_to_table(
            table, records=_rows(db, table, columns), columns=names
        )
        for column in columns:
            if column.sequence is not None:
                query = (
                    f"SELECT setval($1::text::regclass, coalesce(max({column.name}), 0) + 1, false)"
                    f" FROM {table}"
                )
                await connection.execute(query, column.sequence)


async def _tables(connection: "asyncpg.Connection[asyncpg.Record]") -> dict[str, list[Column]]:
    """Return the columns of each table."""
    tables: dict[str, list[Column]] = {}
    for table, *column in await connection.fetch(COLUMNS):
        tables.setdefault(table, []).append(Column(*column))
    return tables


def _rows(db: sqlite3.Connection, table: str, columns: list[Column]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table on SQLite as PostgreSQL takes them."""
    names = ", ".join(f'"{column.name}"' for column in columns)
    query = SELECT_ENTRIES if table == "entries" else f"SELECT {names} FROM {table}"
    is_boolean = [column.is_boolean for column in columns]
    for row in db.execute(query):
        pairs = zip(row, is_boolean, strict=True)
        yield tuple(bool(value) if flag and value is not None else value for value, flag in pairs)
