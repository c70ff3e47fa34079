"""Back up and restore a database, also between SQLite and PostgreSQL.

A backup is a SQLite database with the schema of what was backed up, whichever database that is:
`souk serve` can use it as it is. It is a snapshot of one moment; servers go on meanwhile.
"""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from souk.engine.errors import SoukError
from souk.server.store import Store
from souk.server.store.sqlite_files import connect, copy_database, migrate, new_file, reason


async def back_up(store: Store, file: Path) -> None:
    """Write a snapshot of a database to a new file."""
    with new_file(file) as new:
        await store.copy_to(new)


async def restore(file: Path, store: Store) -> None:
    """Write a backup to a database that is new or empty, with the schema of this version."""
    with tempfile.TemporaryDirectory(prefix="souk-restore-") as folder:
        copy = Path(folder) / "souk.db"
        copy_database(file, copy)
        try:
            with closing(connect(copy)) as db:
                migrate(db)
        except sqlite3.Error as error:  # of another program, with tables of the same names
            raise SoukError(f"{file} is no database of souk: {reason(error)}") from None
        await store.copy_from(copy)
