"""Give the databases of the first days the shape of the others.

Schema 1 was changed twice in place: an index was dropped, and on SQLite tables and entries got a
key. Databases from before have schema 1, or 2 if they were opened since.
"""

import sqlite3

POSTGRES = "DROP INDEX IF EXISTS tables_hosted;"

_ADD_KEYS = """
CREATE TABLE new_tables (
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
INSERT INTO new_tables (id, terms, host, public, status, created, changed, wake_at, view)
    SELECT id, terms, host, public, status, created, changed, wake_at, view
    FROM tables ORDER BY created, id;
CREATE TABLE new_entries (
    key INTEGER PRIMARY KEY,
    table_key INTEGER NOT NULL REFERENCES new_tables (key),
    n INTEGER NOT NULL,
    entry BLOB NOT NULL,
    UNIQUE (table_key, n)
) STRICT;
INSERT INTO new_entries (table_key, n, entry)
    SELECT key, n, entry FROM entries JOIN new_tables ON id = table_id ORDER BY key, n;
DROP TABLE entries;
DROP TABLE tables;
ALTER TABLE new_tables RENAME TO tables;
ALTER TABLE new_entries RENAME TO entries;
CREATE INDEX tables_listed ON tables (status, public, changed);
CREATE INDEX tables_waking ON tables (wake_at) WHERE wake_at IS NOT NULL;
"""


def SQLITE(db: sqlite3.Connection) -> str:  # noqa: N802, a script like those of the others
    """Return the script for a database, depending on its shape."""
    columns = {name for (name,) in db.execute("SELECT name FROM pragma_table_info('entries')")}
    return _ADD_KEYS if "table_id" in columns else POSTGRES
