"""The first tables."""

SQLITE = """
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
"""

POSTGRES = """
CREATE TABLE tables (
    id text PRIMARY KEY,
    terms bytea NOT NULL,
    host text NOT NULL,
    public boolean NOT NULL,
    status text NOT NULL,
    created bigint NOT NULL,
    changed bigint NOT NULL,
    wake_at bigint,
    view bytea NOT NULL
);
CREATE INDEX tables_listed ON tables (status, public, changed);
CREATE INDEX tables_waking ON tables (wake_at) WHERE wake_at IS NOT NULL;
CREATE TABLE entries (
    table_id text NOT NULL REFERENCES tables (id),
    n bigint NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (table_id, n)
);
CREATE TABLE sitters (
    person text NOT NULL,
    table_id text NOT NULL REFERENCES tables (id),
    PRIMARY KEY (person, table_id)
);
CREATE TABLE people (
    id text PRIMARY KEY,
    name text NOT NULL,
    bot boolean NOT NULL,
    created bigint NOT NULL
);
CREATE TABLE links (
    digest text PRIMARY KEY,
    person text NOT NULL REFERENCES people (id),
    expires bigint NOT NULL
);
CREATE TABLE words (key text PRIMARY KEY, word text NOT NULL);
CREATE UNLOGGED TABLE present (
    table_id text NOT NULL,
    person text NOT NULL,
    process text NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (table_id, person, process)
);
"""
