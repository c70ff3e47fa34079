"""`souk admin export`: any number of tables, and some of them may be damaged."""

import asyncio
import contextlib
import sqlite3
import subprocess
import sys

import pytest

from souk import records
from souk.engine.errors import SoukError
from souk.server import admin
from souk.server.live.stored_views import refresh_views
from souk.server.store import PersistError
from souk.server.store.people import People, ReportRow
from souk.server.store.sqlite import SqliteStore
from souk.server.tables import entries as e
from souk.server.tables.new_table import new_table
from souk.server.tables.request import Person
from souk.server.tables.table import Table
from souk.server.tables.table_request import MySeat, NewTable
from tests.server.store_helpers import append, change, open_store

ADA = Person("ada", "Ada")


async def store_table(store, id, at=1, second=None, end=None):
    """A game that is over: Ada resigned at once, or so. Its second entry may be damaged."""
    new = NewTable(game="marrakech(players=2)", seats=[MySeat(kind="me")] * 2, start=True)
    config, first = new_table(new, ADA, at, id=id)
    table, changes = Table(config), []
    for entry in (*first, end or e.Resigned(at=at, seat=0)):
        table.apply(entry)
        stored = second if second is not None and table.n == 2 else e.encode(entry)
        changes.append(change(id, table.n, entry=stored, status=table.status, at=at, view=b"{}"))
    assert await store.create(config, changes)


def damage(file, query, *values):
    with contextlib.closing(sqlite3.connect(file)) as db, db:
        assert db.execute(query, values).rowcount == 1


def export(file, *options):
    return admin_command(file, "export", *options)


def admin_command(file, name, *options):
    command = [sys.executable, "-m", "souk", "admin", name, "--database", str(file), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.asyncio
async def test_a_damaged_table_is_reported_last_and_the_others_are_written(
    tmp_path,
):
    file, folder = tmp_path / "souk.db", tmp_path / "records"
    async with open_store(str(file)) as store:
        damaged = {"b": b"\0", "d": e.encode(e.Acted(at=1, seat=0, action="left"))}
        for number, id in enumerate("abcdefg"):
            await store_table(store, id, number, damaged.get(id))
    damage(file, "UPDATE tables SET terms = x'7b7d' WHERE id = ?", "c")
    game = "UPDATE tables SET terms = CAST(replace(CAST(terms AS TEXT), 'rakech', '') AS BLOB)"
    damage(file, f"{game} WHERE id = ?", "e")
    done = export(file, "--to", str(folder))
    assert done.returncode == 1
    assert done.stdout == f"3 records in {folder}\n"
    assert sorted(one.name for one in folder.iterdir()) == ["a.souk", "f.souk", "g.souk"]
    for one in folder.iterdir():
        assert records.read(one.read_text("utf-8")).extra["ended"] == "seat 1 resigned"
    message = done.stderr.splitlines()
    assert [line.split(" was left out: ")[0] for line in message] == [
        f"souk: table '{id}'" for id in "edcb"
    ]
    assert all(line.split(" was left out: ")[1] for line in message), "and why"
    assert "Traceback" not in done.stderr


@pytest.mark.asyncio
async def test_a_missing_table_is_reported_and_the_others_are_written(tmp_path):
    file = tmp_path / "souk.db"
    async with open_store(str(file)) as store:
        await store_table(store, "a")
        await store_table(store, "b")
    done = export(file, "a", "nothing", "b")
    assert done.returncode == 1
    assert done.stderr == "souk: table 'nothing' was left out: there is no such table\n"
    assert done.stdout.count("seat 1 resigned") == 2
    good = export(file, "a", "b")
    assert (good.returncode, good.stderr, good.stdout) == (0, "", done.stdout)


@pytest.mark.asyncio
async def test_all_is_well_if_there_is_nothing_to_write(tmp_path):
    file = tmp_path / "souk.db"
    async with open_store(str(file)):
        pass
    done = export(file)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.asyncio
async def test_damaged_tables_do_not_hide_the_others_from_the_operator(tmp_path):
    file = tmp_path / "souk.db"
    async with open_store(str(file)) as store:
        for number, id in enumerate("abc"):
            await store_table(store, id, number)
        said = e.Said(at=1, by="ben", name="Ben", text="a rude line")
        n = len((await store.load("b")).entries) + 1
        await append(store, change("b", n, entry=e.encode(said), status="over", view=b"{}"))
        await refresh_views(store)
        people = People(store)
        await people.add_report(ReportRow(0, 1, "", "ben", "Ben", "b", "chat", "rude", None))
        await people.add_report(ReportRow(0, 2, "", "ben", "Ben", "c", "chat", "worse", None))
    damage(file, "UPDATE entries SET entry = x'ff' WHERE n = 1 AND table_key = 2")
    damage(file, "UPDATE tables SET view = x'ff' WHERE id = ?", "a")
    damage(file, "UPDATE tables SET terms = x'ff' WHERE id = ?", "c")
    for command, code, output, error in (
        ("list", 1, "b  over", "souk: 1 damaged table was left out\n"),
        ("reports", 0, "a rude line", ""),
        ("chat b", 0, "Ben (ben): a rude line", ""),
        ("chat c", 1, "", "souk: there is no table 'c', or it is damaged\n"),
        ("remove-line b 1", 1, "", "souk: table 'b' is damaged: JSON is malformed"),
    ):
        done = admin_command(file, *command.split())
        assert done.returncode == code and output in done.stdout, command
        assert done.stderr.startswith(error) and bool(error) == bool(done.stderr), command


@pytest.mark.asyncio
async def test_the_list_says_how_games_ended(tmp_path):
    file = tmp_path / "souk.db"
    async with open_store(str(file)) as store:
        await store_table(store, "a", end=e.Aborted(at=1, seat=0))
        await store_table(store, "b", 2)
        await refresh_views(store)
    ends = [line.split("  ")[-1] for line in admin_command(file, "list").stdout.splitlines()]
    assert ends == ["Ada wins", "aborted"]


@pytest.mark.parametrize(
    "arguments",
    ["list --limit 9999999999", "close 9999999999", "ban 10.0.0.1 --days 9999999999"],
)
def test_numbers_that_no_database_takes_are_refused_as_such(tmp_path, arguments):
    done = admin_command(tmp_path / "souk.db", *arguments.split())
    assert done.returncode == 2 and "Invalid value for" in done.stderr


@pytest.mark.asyncio
async def test_tables_are_written_one_by_one(tmp_path, monkeypatch, capsys):
    file, folder = tmp_path / "souk.db", tmp_path / "records"
    async with open_store(str(file)) as store:
        for number in range(5):
            await store_table(store, f"t{number}", number)
    seen = []
    real = admin.record_text

    def recorded(stored, signer):
        seen.append(len(list(folder.glob("*"))))
        return real(stored, signer)

    monkeypatch.setattr(admin, "record_text", recorded)
    code = await asyncio.to_thread(admin.export, str(file), [], folder)
    assert (code, seen) == (0, [0, 1, 2, 3, 4]), "what was read is written before the next is read"
    assert capsys.readouterr().out == f"5 records in {folder}\n"


@pytest.mark.asyncio
async def test_an_unreadable_database_is_not_blamed_on_single_tables(tmp_path, monkeypatch):
    file = tmp_path / "souk.db"
    async with open_store(str(file)) as store:
        await store_table(store, "a")

    async def broken(*_):
        raise PersistError("the disk is gone")

    monkeypatch.setattr(SqliteStore, "load", broken)
    assert await asyncio.to_thread(admin.export, str(file), ["a"], None) == 1, "only this table"
    monkeypatch.setattr(SqliteStore, "tables", broken)
    with pytest.raises(SoukError, match="the database cannot be read: the disk is gone"):
        await asyncio.to_thread(admin.export, str(file), ["a", "b"], None)
