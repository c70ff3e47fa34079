"""`souk admin backup` and `restore`: snapshots under load, for both databases and between them."""

import asyncio
import gzip
import json
import sqlite3
import stat
import subprocess
import sys
from contextlib import ExitStack, closing
from itertools import count

import pytest

from souk.engine.errors import SoukError
from souk.server.admin import migrate
from souk.server.store import PersonRow, migrations, store_at
from souk.server.store.backup import back_up, restore
from souk.server.store.migrations import Migration
from tests.server.server_process import Person, Server, play_on
from tests.server.store_helpers import append, change, create, entries, open_store, views_of
from tests.server.test_old_databases import OLD

KINDS = ["sqlite", "postgres"]
PAIRS = [(one, other) for one in KINDS for other in KINDS]


@pytest.fixture
def empty(request, tmp_path):
    """Return a function that gives the address of an empty database of a kind."""
    numbers = count()
    with ExitStack() as stack:

        def database(kind):
            if kind == "sqlite":
                return str(tmp_path / f"{next(numbers)}" / "souk.db")
            return stack.enter_context(request.getfixturevalue("postgres").database())

        yield database


async def fill(url):
    async with open_store(url) as store:
        for number, id in enumerate(("one", "two", "three")):
            await create(store, id, participant="ann", public=number % 2 == 0, wake_at=number)
            for n in range(2, 5 + number):
                entry = bytes(range(256)) * n
                assert await append(store, change(id, n, entry=entry, participant="ben"))
        await store.add_person(PersonRow("ann", "Ann “ü” 𝄞", is_bot=False), 1)
        await store.add_person(PersonRow("ben", "Ben", is_bot=True), 2)
        await store.add_link("digest", "ann", 99)
        await store.get_or_set("key", "secret")


def rows(file):
    """Return all rows of a SQLite database, but the keys of tables."""
    with closing(sqlite3.connect(file)) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        queries = {name: f"SELECT * FROM {name}" for name in names}
        queries["entries"] = """SELECT id, n, entry FROM entries JOIN tables
                                ON tables.key = table_key"""
        columns = [name for _, name, *_ in db.execute("PRAGMA table_info(tables)")]
        queries["tables"] = f"SELECT {', '.join(columns[1:])} FROM tables"
        assert columns[0] == "key"
        return {name: sorted(db.execute(query), key=repr) for name, query in queries.items()}


@pytest.mark.asyncio
@pytest.mark.parametrize(("kind", "other"), PAIRS)
async def test_a_backup_has_every_row_and_restores_to_both_databases(kind, other, empty, tmp_path):
    old, new = empty(kind), empty(other)
    await fill(old)
    await back_up(store_at(old), tmp_path / "a.db")
    await restore(tmp_path / "a.db", store_at(new))
    await back_up(store_at(new), tmp_path / "b.db")
    stored = rows(tmp_path / "a.db")
    assert stored == rows(tmp_path / "b.db")
    assert {name: len(some) for name, some in stored.items() if some} == {
        "tables": 3, "entries": 15, "participants": 6, "people": 2, "links": 1, "settings": 1
    }  # fmt: skip
    for file in (tmp_path / "a.db", tmp_path / "b.db"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    async with open_store(new) as store:
        assert (await store.person("ann")).name == "Ann “ü” 𝄞"
        assert len(await entries(store, "three")) == 6
        assert not await append(store, change("three", 6)), "its number is used"
        assert await append(store, change("three", 7))
        assert len(await views_of(store, "ben", 9)) == 3
    assert sorted(one.name for one in tmp_path.glob("*.db*")) == ["a.db", "b.db"]


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", KINDS)
async def test_a_backup_under_load_is_one_moment(kind, empty, tmp_path):
    """Each table has all that was acknowledged before the backup, and no gap."""
    url = empty(kind)
    acknowledged = {f"t{number}": 1 for number in range(20)}
    async with open_store(url) as store:

        async def write(table):
            await create(store, table)
            for n in range(2, 10**9):
                assert await append(store, change(table, n))
                acknowledged[table] = n

        writers = [asyncio.create_task(write(table)) for table in acknowledged]
        while min(acknowledged.values()) < 20:
            await asyncio.sleep(0.01)
        before = dict(acknowledged)
        command = [sys.executable, "-m", "souk", "admin", "backup", "--database", url]
        process = await asyncio.create_subprocess_exec(*command, str(tmp_path / "copy.db"))
        assert await process.wait() == 0
        for writer in writers:
            writer.cancel()
        await asyncio.gather(*writers, return_exceptions=True)
        after = dict(acknowledged)
    assert sum(after.values()) > sum(before.values()), "it went on meanwhile"
    async with open_store(str(tmp_path / "copy.db")) as store:
        for table in before:
            stored = await entries(store, table)
            assert before[table] <= len(stored) <= after[table] + 1
            assert stored == [b"entry %d" % n for n in range(1, len(stored) + 1)]


@pytest.mark.asyncio
@pytest.mark.parametrize(("kind", "other"), [("sqlite", "postgres"), ("postgres", "sqlite")])
async def test_a_server_moves_to_the_other_database_in_the_middle_of_a_game(
    kind, other, empty, tmp_path
):
    old, new, file = empty(kind), empty(other), tmp_path / "copy.db"
    with Server(old, "--no-limits") as server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(table) as line:
            await play_on(line, moves=9)
        server.stop()
    for action, url in (("backup", old), ("restore", new)):
        command = [sys.executable, "-m", "souk", "admin", action, str(file), "--database", url]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    with Server(new, "--no-limits") as server:
        ada.server = server
        async with ada.connect(table) as line:
            assert line.position["version"] >= 9
            await play_on(line, moves=9)
            assert line.position["version"] >= 18


@pytest.mark.asyncio
@pytest.mark.parametrize("commit", ["05a16bf", "386ce27", "d1b2e10"])
@pytest.mark.parametrize(("kind", "other"), [("sqlite", "postgres"), ("postgres", "sqlite")])
async def test_an_old_database_is_backed_up_as_it_is_and_restored_with_the_new_schema(
    commit, kind, other, empty, tmp_path, request
):
    old, new = empty(kind), empty(other)
    if kind == "sqlite":
        old = str(tmp_path / "old.db")
        (tmp_path / "old.db").write_bytes(
            gzip.decompress((OLD / commit / "souk.db.gz").read_bytes())
        )
    else:
        text = gzip.decompress((OLD / commit / "souk.sql.gz").read_bytes()).decode()
        postgres = request.getfixturevalue("postgres")
        postgres.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + text, url=old)
    await back_up(store_at(old), tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == (2 if commit == "d1b2e10" else 1)
    await restore(tmp_path / "copy.db", store_at(new))
    made = json.loads((OLD / commit / f"{kind}.json").read_text("utf-8"))
    store = store_at(new)
    await store.open_read_only()
    for name, id in made["names"].items():
        assert len(await entries(store, id)) == made["tables"][name]["n"]
    await store.close()


@pytest.mark.asyncio
async def test_what_cannot_be_written_or_read_is_refused_with_a_sentence(empty, tmp_path):
    sqlite, postgres, file = empty("sqlite"), empty("postgres"), tmp_path / "copy.db"
    for url, sentence in (
        (sqlite, "cannot read .*souk.db as a database: unable to open"),
        (postgres, "postgresql://.* is not a database of souk"),
        ("postgresql://souk@127.0.0.1:1/souk", "cannot use postgresql://.*"),
    ):
        with pytest.raises(SoukError, match=sentence):
            await back_up(store_at(url), file)
    await fill(sqlite)
    await fill(postgres)
    for url in (sqlite, postgres):
        with pytest.raises(SoukError, match=r"cannot write .*nowhere.*: no such file"):
            await back_up(store_at(url), tmp_path / "nowhere" / "copy.db")
    assert list(tmp_path.glob("*.db*")) == [], "nothing is left behind"
    await back_up(store_at(sqlite), file)
    with pytest.raises(SoukError, match=r"copy.db exists already: choose another name"):
        await back_up(store_at(sqlite), file)
    with pytest.raises(SoukError, match=r"souk.db exists already: .* move it away"):
        await restore(file, store_at(sqlite))
    with pytest.raises(SoukError, match="has tables already: restore to an empty database"):
        await restore(file, store_at(postgres))
    (tmp_path / "garbage.db").write_text("no database " * 1000)
    with pytest.raises(SoukError, match=r"cannot read .*garbage.db as a database"):
        await restore(tmp_path / "garbage.db", store_at(empty("sqlite")))
    damaged = bytearray(file.read_bytes())
    damaged[8192:12288] = bytes(4096)
    (tmp_path / "damaged.db").write_bytes(damaged)
    with pytest.raises(SoukError, match=r"damaged.db (is damaged|as a database: .*malformed)"):
        await restore(tmp_path / "damaged.db", store_at(empty("sqlite")))
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE tables (id)")
    with pytest.raises(SoukError, match=r"other.db is no database of souk"):
        await back_up(store_at(str(tmp_path / "other.db")), tmp_path / "another.db")
    with pytest.raises(SoukError, match=r"other.db is no database of souk"):
        await restore(tmp_path / "other.db", store_at(empty("sqlite")))
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 99")
    for kind in KINDS:
        with pytest.raises(SoukError, match="has schema 99, but this version"):
            await restore(file, store_at(empty(kind)))


def test_only_a_database_of_souk_is_migrated(tmp_path):
    """A mistyped name became a new database, and another program's got our tables."""
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE notes (id)")
    before = (tmp_path / "other.db").read_bytes()
    with pytest.raises(SoukError, match=r"other.db is no database of souk"):
        migrate(str(tmp_path / "other.db"))
    assert (tmp_path / "other.db").read_bytes() == before
    with pytest.raises(SoukError, match=r"cannot read .*mistyped.db as a database: unable to open"):
        migrate(str(tmp_path / "mistyped.db"))
    assert [one.name for one in tmp_path.iterdir()] == ["other.db"]


@pytest.mark.asyncio
async def test_a_server_leaves_databases_of_other_programs_alone(tmp_path):
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE notes (id)")
    before = file.read_bytes()
    store = store_at(str(file))
    with pytest.raises(SoukError, match=r"other.db is the database of another program"):
        await store.open(lambda _table, _n: None)
    assert file.read_bytes() == before


@pytest.mark.asyncio
async def test_a_failed_restore_leaves_nothing(empty, tmp_path):
    sqlite, postgres, file = empty("sqlite"), empty("postgres"), tmp_path / "copy.db"
    await fill(sqlite)
    await back_up(store_at(sqlite), file)
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE people SET name = 'no' || char(0)")  # PostgreSQL takes no such text
        db.commit()
    with pytest.raises(SoukError, match="cannot use postgresql"):
        await restore(file, store_at(postgres))
    with pytest.raises(SoukError, match="is not a database of souk"):
        await back_up(store_at(postgres), tmp_path / "other.db")


@pytest.mark.asyncio
@pytest.mark.parametrize(("kind", "other"), PAIRS)
async def test_tables_of_later_migrations_are_copied_too(kind, other, empty, tmp_path, monkeypatch):
    """Also numbered rows, references between tables, and truth values."""
    sqlite = """CREATE TABLE abuse (key INTEGER PRIMARY KEY, is_open INTEGER NOT NULL,
                                    of TEXT REFERENCES zebra (id));
                CREATE TABLE zebra (id TEXT PRIMARY KEY)"""
    postgres = """CREATE TABLE zebra (id text PRIMARY KEY);
                  CREATE TABLE abuse (key bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                                      is_open boolean NOT NULL, of text REFERENCES zebra (id));
                  CREATE UNLOGGED TABLE passing (a bigint)"""
    later = (*migrations.MIGRATIONS, Migration("later", sqlite, postgres))
    monkeypatch.setattr(migrations, "MIGRATIONS", later)
    old, new = empty(kind), empty(other)
    insert = "INSERT INTO abuse (is_open, of) VALUES (true, 'z'), (false, NULL)"

    async def run(store, query):
        if hasattr(store, "path"):
            await store._run(lambda db: db.execute(query))
        else:
            await store._query(query)

    async with open_store(old) as store:
        await run(store, "INSERT INTO zebra VALUES ('z')")
        await run(store, insert)
    await back_up(store_at(old), tmp_path / "a.db")
    await restore(tmp_path / "a.db", store_at(new))
    async with open_store(new) as store:
        await run(store, insert)
        found = await store._query("SELECT key, is_open, of FROM abuse ORDER BY key")
        assert [tuple(row) for row in found] == [
            (1, True, "z"), (2, False, None), (3, True, "z"), (4, False, None)
        ]  # fmt: skip


@pytest.mark.asyncio
async def test_both_databases_have_the_same_columns(empty, postgres):
    """The copy relies on it."""
    sqlite, url = empty("sqlite"), empty("postgres")
    for one in (sqlite, url):
        async with open_store(one):
            pass
    with closing(sqlite3.connect(sqlite)) as db:
        on_sqlite = set(
            db.execute(
                """SELECT tables.name, columns.name FROM sqlite_master AS tables,
                   pragma_table_info(tables.name) AS columns
                   WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'"""
            )
        )
    query = """SELECT table_name, column_name FROM information_schema.columns
               JOIN pg_class ON relname = table_name
               WHERE table_schema = 'public' AND relpersistence = 'p'"""
    on_postgres = {tuple(line.split("|")) for line in postgres.sql(query, url=url).splitlines()}
    assert on_sqlite - on_postgres == {
        ("tables", "key"),
        ("entries", "key"),
        ("entries", "table_key"),
    }
    assert on_postgres - on_sqlite == {("entries", "table_id"), ("schema_version", "version")}
