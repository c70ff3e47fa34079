"""Create, migrate and copy SQLite databases."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from souk.engine.errors import SoukError
from souk.engine.file_system import sync
from souk.server.store import migrations

LOCK_SECONDS = 5.0  # to wait for another program that locks the file


def connect(file: str | Path, **options: Any) -> sqlite3.Connection:
    """Connect to a file; transactions are explicit."""
    db: sqlite3.Connection = sqlite3.connect(
        file, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False, **options
    )
    return db


def create_private_file(path: str | Path) -> None:
    """Create a file that only our user may read; SQLite gives its other files the same mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def schema_version(db: sqlite3.Connection) -> int:
    """Return the version of the schema; 0 if there is none."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: sqlite3.Connection, to: int | None = None) -> None:
    """Migrate the schema to a version, by default the newest, one version after the other."""
    version = schema_version(db)
    steps = None if to is None else to - version
    db.execute("PRAGMA foreign_keys = OFF")  # else a table that others refer to cannot be replaced
    for number, migration in enumerate(migrations.pending(version)[:steps], version + 1):
        script = migration.sqlite if isinstance(migration.sqlite, str) else migration.sqlite(db)
        db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")
    db.execute("PRAGMA foreign_keys = ON")


@contextmanager
def existing_database(file: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to read a database of souk; refuse any other file."""
    try:
        with closing(connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            if not _is_of_souk(db):
                raise SoukError(f"{file} is no database of souk")
            yield db
    except sqlite3.Error as error:
        raise SoukError(f"cannot read {file} as a database: {reason(error)}") from None


def refuse_other_program(path: str | Path) -> None:
    """Refuse a database with tables that are not ours."""
    with closing(connect(path)) as db:
        is_used = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        if is_used and not _is_of_souk(db):
            raise SoukError(f"{path} is the database of another program: name another file")


def _is_of_souk(db: sqlite3.Connection) -> bool:
    if schema_version(db) == 0:
        return False
    try:
        db.execute("SELECT tables.id, view, entry FROM tables, entries LIMIT 0")
    except sqlite3.OperationalError:  # it has no such tables
        return False
    return True


def copy_database(source: Path, target: Path) -> None:
    """Copy a database of souk as it is at one moment, to an empty file."""
    with existing_database(source) as old, closing(connect(target)) as new:
        migrations.pending(schema_version(old))  # refuses a newer one
        old.backup(new)
        (problem,) = new.execute("PRAGMA integrity_check(1)").fetchone()
    if problem != "ok":
        raise SoukError(f"{source} is damaged: {problem}")


@contextmanager
def new_file(file: Path) -> Iterator[Path]:
    """Yield the path of a private file that gets its name when it is complete and on the disk."""
    if file.exists():
        raise SoukError(f"{file} exists already: choose another name, or move it away")
    partial = file.with_name(f"{file.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        create_private_file(partial)
        try:
            yield partial
            with closing(connect(partial)) as db:
                db.execute("PRAGMA journal_mode = DELETE")  # so that it is a single file
            sync(partial)
            partial.rename(file)
            sync(file.parent)
        finally:
            partial.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise SoukError(f"cannot write {file}: {reason(error)}") from None


def reason(error: Exception) -> str:
    """Return what went wrong."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
