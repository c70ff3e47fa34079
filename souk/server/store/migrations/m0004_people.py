"""Sessions, bans, block lists, reports, and what other processes must know of changes to them.

Tokens from before are the first ones of a session with the person's own id.
"""

_DAY_MS = 24 * 3600 * 1000
_OLD_SESSIONS = """
INSERT INTO sessions (id, person, counter, created, renewed, expires, network)
    SELECT id, id, 0, created, created, {now} + {lifetime}, '' FROM people;
"""

SQLITE = """
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    counter INTEGER NOT NULL, -- of tokens so far
    created INTEGER NOT NULL,
    renewed INTEGER NOT NULL, -- when the last token was first used
    expires INTEGER NOT NULL,
    network TEXT NOT NULL -- the address that used it last
) STRICT;
CREATE INDEX sessions_of_person ON sessions (person);
CREATE TABLE bans (
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    reason TEXT NOT NULL,
    PRIMARY KEY (kind, target)
) STRICT;
CREATE TABLE blocks (
    person TEXT NOT NULL,
    blocked TEXT NOT NULL,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (person, blocked)
) STRICT, WITHOUT ROWID;
CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created INTEGER NOT NULL,
    reporter TEXT NOT NULL,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    table_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    text TEXT NOT NULL,
    closed INTEGER
) STRICT;
CREATE INDEX reports_open ON reports (closed, created);
CREATE TABLE chatters (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE erasures (person TEXT PRIMARY KEY) STRICT;
CREATE TABLE invalidations (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
""" + _OLD_SESSIONS.format(now="1000 * strftime('%s', 'now')", lifetime=400 * _DAY_MS)

POSTGRES = """
CREATE TABLE sessions (
    id text PRIMARY KEY,
    person text NOT NULL,
    counter bigint NOT NULL,
    created bigint NOT NULL,
    renewed bigint NOT NULL,
    expires bigint NOT NULL,
    network text NOT NULL
);
CREATE INDEX sessions_of_person ON sessions (person);
CREATE TABLE bans (
    kind text NOT NULL,
    target text NOT NULL,
    created bigint NOT NULL,
    expires bigint,
    reason text NOT NULL,
    PRIMARY KEY (kind, target)
);
CREATE TABLE blocks (
    person text NOT NULL,
    blocked text NOT NULL,
    name text NOT NULL,
    created bigint NOT NULL,
    PRIMARY KEY (person, blocked)
);
CREATE TABLE reports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created bigint NOT NULL,
    reporter text NOT NULL,
    person text NOT NULL,
    name text NOT NULL,
    table_id text NOT NULL,
    reason text NOT NULL,
    text text NOT NULL,
    closed bigint
);
CREATE INDEX reports_open ON reports (closed, created);
CREATE TABLE chatters (
    person text NOT NULL,
    table_id text NOT NULL,
    PRIMARY KEY (person, table_id)
);
CREATE TABLE erasures (person text PRIMARY KEY);
CREATE TABLE invalidations (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    id text NOT NULL,
    created bigint NOT NULL
);
""" + _OLD_SESSIONS.format(now="(1000 * extract(epoch FROM now()))::bigint", lifetime=400 * _DAY_MS)
