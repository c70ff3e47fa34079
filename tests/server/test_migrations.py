"""Databases of every earlier schema are migrated to the schema that a new database has."""

import pkgutil
import re
import sqlite3
from contextlib import ExitStack, closing
from itertools import count

import pytest

from souk.engine.errors import SoukError
from souk.server.store import PersonRow, migrations, store_at
from souk.server.store.migrations import MIGRATIONS, m0001_first_tables
from souk.server.tables.entries import encode
from tests.server.store_helpers import append, change, config, open_store, views_of

HOSTED = "CREATE INDEX tables_hosted ON tables (host, created);"  # until commit 614ee85

# Tables and entries on SQLite until commit 88e55c1.
WITHOUT_KEYS = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
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
    table_id TEXT NOT NULL REFERENCES tables (id),
    n INTEGER NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (table_id, n)
) STRICT, WITHOUT ROWID;
"""

_, _OTHERS = m0001_first_tables.SQLITE.split("CREATE TABLE sitters")

# Schema 1 was changed twice in place, so it has several shapes.
FIRST_ON_SQLITE = {
    "at first": f"{WITHOUT_KEYS} {HOSTED} CREATE TABLE sitters {_OTHERS}",
    "without the index": f"{WITHOUT_KEYS} CREATE TABLE sitters {_OTHERS}",
    "with keys": m0001_first_tables.SQLITE,
}
FIRST_ON_POSTGRES = {
    "at first": m0001_first_tables.POSTGRES + HOSTED,
    "without the index": m0001_first_tables.POSTGRES,
}

# Rows of schema 1: a table with three entries, its host, and the view of a seat.
VIEW = b'{"id":"t","seats":[{"name":"\\",\\"taken\\":","taken":true}],"public":true}'
TABLE = f"X'{encode(config()).hex()}', 'ann', true, 'waiting', 1, 3, 7, X'{VIEW.hex()}'"
ROWS = """
INSERT INTO people VALUES ('ann', 'Ann', false, 1);
INSERT INTO sitters VALUES ('ann', 't');
INSERT INTO links VALUES ('digest', 'ann', 99);
INSERT INTO words VALUES ('key', 'secret');
"""
ENTRY = b'{"entry":"chat","at":1,"open":true}'


class OnSqlite:
    """A database in a file."""

    first = FIRST_ON_SQLITE

    def __init__(self, url):
        self.url = url

    def create(self, shape):
        """Create a database of schema 1."""
        has_keys = "key INTEGER" in self.first[shape]
        with closing(sqlite3.connect(self.url)) as db:
            db.executescript(self.first[shape])
            key = "9, " if has_keys else ""
            db.executescript(f"INSERT INTO tables VALUES ({key} 't', {TABLE}); {ROWS}")
            for n in range(1, 4):
                row = (None, 9, n, ENTRY) if has_keys else ("t", n, ENTRY)
                db.execute(f"INSERT INTO entries VALUES ({', '.join('?' * len(row))})", row)
            db.commit()
            db.execute("PRAGMA user_version = 1")

    def schema(self):
        """Return the version, and every table, column, index and reference."""
        with closing(sqlite3.connect(self.url)) as db:
            assert db.execute("PRAGMA foreign_key_check").fetchall() == []
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            found = [db.execute("PRAGMA user_version").fetchone()]
            for table in sorted(db.execute("SELECT name, wr, strict FROM pragma_table_list")):
                found.append(table)
                for what in ("table_xinfo", "foreign_key_list", "index_list"):
                    columns = "name, origin, partial" if what == "index_list" else "*"
                    query = f"SELECT {columns} FROM pragma_{what}('{table[0]}')"
                    found += sorted(db.execute(query), key=repr)
            return found


class OnPostgres:
    """A database of a PostgreSQL server."""

    first = FIRST_ON_POSTGRES

    def __init__(self, url, postgres):
        self.url, self.postgres = url, postgres

    def create(self, shape):
        """Create a database of schema 1."""
        bytea = re.sub("X('[^']*')", r"decode(\1, 'hex')", TABLE)
        self.postgres.sql(
            self.first[shape],
            f"INSERT INTO tables VALUES ('t', {bytea}); {ROWS}",
            f"INSERT INTO entries SELECT 't', n, '{ENTRY.decode()}' FROM generate_series(1, 3) n",
            "CREATE TABLE schema_version AS SELECT 1 AS version",
            url=self.url,
        )

    def schema(self):
        """Return the version, and every column, index and reference."""
        return self.postgres.sql(
            "SELECT version FROM schema_version",
            """SELECT table_name, column_name, data_type, is_nullable, column_default
               FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2""",
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
            """SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
               WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2""",
            url=self.url,
        ).splitlines()


@pytest.fixture
def empty(request, tmp_path):
    """Return a function that gives an empty database of a kind."""
    numbers = count()
    with ExitStack() as stack:

        def database(kind):
            if kind == "sqlite":
                return OnSqlite(str(tmp_path / f"{next(numbers)}.db"))
            postgres = request.getfixturevalue("postgres")
            return OnPostgres(stack.enter_context(postgres.database()), postgres)

        yield database


KINDS = {"sqlite": OnSqlite, "postgres": OnPostgres}
EARLIER = [
    (kind, shape, version)
    for kind in KINDS
    for shape in KINDS[kind].first
    for version in range(1, migrations.newest())
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("kind", "shape", "version"), EARLIER)
async def test_every_earlier_schema_becomes_the_newest(kind, shape, version, empty, monkeypatch):
    old, new = empty(kind), empty(kind)
    old.create(shape)
    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "MIGRATIONS", MIGRATIONS[:version])
        async with open_store(old.url):
            pass
    with pytest.raises(SoukError, match=f"has schema {version}, .* run souk admin migrate"):
        await store_at(old.url).open_read_only()
    async with open_store(old.url) as store:
        stored = await store.load("t")
        assert stored.config == config()
        assert [bytes(entry) for entry in stored.entries] == [ENTRY] * 3
        view = VIEW.replace(b',"taken":', b',"takeover":')
        assert await views_of(store, "ann", 9) == [view]
        assert await store.views("waiting", 9) == [view]
        assert await store.person("ann") == PersonRow("ann", "Ann", is_bot=False)
        assert await store.use_link("digest", 1) == "ann"
        assert await store.get_or_set("key", "other") == "secret"
        assert await store.claim(7, 8, 9) == ["t"]
        assert not await append(store, change(n=3)), "its number is used"
        assert await append(store, change(n=4, participant="ben"))
        assert await store.create(config("u"), [change("u")])
        assert await views_of(store, "ben", 9) == [b"view 4"]
    async with open_store(new.url):
        pass
    assert old.schema() == new.schema()


def test_migrations_are_numbered_without_gaps(monkeypatch):
    module = pkgutil.ModuleInfo(None, "m0007_other", False)
    real = list(pkgutil.iter_modules(migrations.__path__))
    monkeypatch.setattr(pkgutil, "iter_modules", lambda _: [*real, module])
    with pytest.raises(RuntimeError, match=r"numbered without gaps, not m0001_.*m0007_other"):
        migrations._load()
