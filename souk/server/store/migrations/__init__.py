"""The schema of the database, as numbered migrations for both databases.

To change the schema, add a module with the next number, `m0004_what_changes.py`, that has

- `SQLITE`: a script, or a function that looks at the database and returns one
- `POSTGRES`: a script

and never change an older one: databases in use have run it. A script is run once, in a transaction
with its number. Processes of the version before may still be writing to PostgreSQL, so add columns
with defaults, and name columns where rows are inserted. The log of a table is never rewritten: its
entries get new fields with defaults. Stored views are built from it again when they lack a field.
tests/server/test_migrations.py and test_old_databases.py open databases of every earlier schema.
"""

import importlib
import pkgutil
import sqlite3
from collections.abc import Callable, Sequence
from typing import NamedTuple

from souk.engine.errors import SoukError


class Migration(NamedTuple):
    """One step of the schema."""

    name: str
    sqlite: str | Callable[[sqlite3.Connection], str]
    postgres: str


def _load() -> tuple[Migration, ...]:
    """Return the migrations in order; their numbers are 1, 2, 3, …"""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    if [name[:6] for name in names] != [f"m{n:04}_" for n in range(1, len(names) + 1)]:
        raise RuntimeError(f"migrations are numbered without gaps, not {', '.join(names)}")
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return tuple(Migration(one.__name__, one.SQLITE, one.POSTGRES) for one in modules)


MIGRATIONS = _load()


def newest() -> int:
    """Return the version of the schema that this version of souk uses."""
    return len(MIGRATIONS)


def pending(version: int) -> Sequence[Migration]:
    """Return the migrations that a database of a version needs; refuse a newer database."""
    if version > newest():
        raise SoukError(
            f"the database has schema {version}, but this version of souk supports only {newest()}:"
            " it was used by a newer version, so install that one"
        )
    return MIGRATIONS[version:]


def check_is_newest(version: int) -> None:
    """Refuse to read a database of another version."""
    if pending(version):
        raise SoukError(
            f"the database has schema {version}, but this version of souk reads {newest()}:"
            " back it up, and run souk admin migrate"
        )
