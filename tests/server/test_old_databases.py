"""Databases of every earlier schema (tests/fixtures/old) open, and nothing is lost."""

import asyncio
import dataclasses
import gzip
import itertools
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from souk import records
from souk.server.store import migrations
from souk.server.tables.views import SeatView, TableView
from tests.server.server_process import Line, Person, Server, play_on

OLD = Path(__file__).parents[1] / "fixtures" / "old"
RENAMED = {"takeover": "taken"}  # fields that protocol 1 called otherwise


def admin(*arguments):
    command = [sys.executable, "-m", "souk", "admin", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def old_person(server, made, name):
    """Somebody of the old database, with the cookie or token of then."""
    person = Person.__new__(Person)
    person.server, person.id, person.headers = server, made["ids"][name], made["people"][name]
    person.http = httpx.Client(base_url=server.url, headers=person.headers, timeout=20)
    server.people.append(person)
    return person


def comparable(table):
    """A table with the names of protocol 1, without who is away by now.

    Without the text of the result, too, which counts seats from 1 now.
    """
    seats = [
        {RENAMED.get(key, key): seat[key] for key in seat if key != "away"}
        for seat in table["seats"]
    ]
    result = table["result"] and {**table["result"], "text": None}
    return {**table, "seats": seats, "deputy": None, "result": result}


def restricted(new, old):
    """Return what there was of something already, without fields that were added."""
    if isinstance(old, dict):
        return {key: restricted(new[key], old[key]) for key in old}
    if isinstance(old, list):
        return [restricted(*both) for both in zip(new, old, strict=True)]
    return new


def assert_same_record(new, text):
    """A record may have new headers; the rest is as it was."""
    old = records.read(text)
    assert restricted(new.extra, old.extra) == old.extra
    assert dataclasses.replace(new, extra={}) == dataclasses.replace(old, extra={})


COMMITS = ("05a16bf", "386ce27", "48d7759", "d1b2e10")  # make_fixtures.py says which schemas
ALL = [f"{commit} on {kind}" for commit in COMMITS for kind in ("sqlite", "postgres")]
SOME = ["05a16bf on sqlite", "386ce27 on sqlite", "48d7759 on postgres", "d1b2e10 on sqlite"]


@pytest.fixture
def old(request, tmp_path):
    """An old database: its address, and what the old server said of it."""
    commit, kind = request.param.split(" on ")
    made = json.loads((OLD / commit / f"{kind}.json").read_text("utf-8"))
    if kind == "sqlite":
        file = tmp_path / "souk.db"
        file.write_bytes(gzip.decompress((OLD / commit / "souk.db.gz").read_bytes()))
        yield str(file), made
        return
    postgres = request.getfixturevalue("postgres")
    with postgres.database() as url:
        text = gzip.decompress((OLD / commit / "souk.sql.gz").read_bytes()).decode()
        postgres.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + text, url=url)
        yield url, made


@pytest.mark.parametrize("old", SOME, indirect=True)
def test_records_are_exported_without_a_server(old, tmp_path):
    url, made = old
    ids = made["names"].values()
    options = ("--database", url, "--to", str(tmp_path), "--", *ids)
    done = admin("export", *options)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.search("the database has schema [12], but this .* reads", done.stderr)
    assert "run souk admin migrate" in done.stderr
    done = admin("migrate", "--database", url)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"the database has schema {migrations.newest()}\n"
    done = admin("export", *options)
    assert (done.returncode, done.stderr) == (0, "")
    for name, id in made["names"].items():
        text = (tmp_path / f"{id}.souk").read_text("utf-8")
        assert_same_record(records.read(text), made["records"][name])


@pytest.mark.asyncio
@pytest.mark.parametrize("old", ALL, indirect=True)
async def test_tables_load_as_they_were_and_people_keep_their_session(old):
    url, made = old
    with Server(url, "--no-limits") as server:
        ada, ben, bot = (old_person(server, made, name) for name in ("ada", "ben", "bot"))
        assert [one.http.get("/api/me").json()["id"] for one in (ada, ben, bot)] == [
            one.id for one in (ada, ben, bot)
        ]
        for name in ("waiting", "marracash", "resigned", "played", "rematch"):
            before, now = made["tables"][name], ada.look(made["names"][name])
            assert before["n"] <= now["n"] <= before["n"] + 1, name
            table = comparable(before["table"])
            assert restricted(comparable(now["table"]), table) == table, name
            for part in ("position", "chat"):
                assert restricted(now[part], before[part]) == before[part], name
            record = records.read(ada.record(made["names"][name]))
            assert_same_record(record, made["records"][name])
        listed = {table["id"]: table for table in ada.http.get("/api/me/tables").json()}
        mine = {name for name, id in made["names"].items() if id in listed}
        assert mine == {"waiting", "marrakech", "played", "rematch"}
        for one in listed.values():
            assert set(one) == set(TableView.__struct_fields__), "they are built again"
            for seat in one["seats"]:
                assert set(seat) == set(SeatView.__struct_fields__)
        history = ada.http.get("/api/me/history").json()
        finished = {id for id, table in listed.items() if table["status"] == "over"}
        assert {table["id"] for table in history} == finished
        counted = [
            table
            for table in history
            if [seat["person"] for seat in table["seats"]].count(ada.id) == 1
        ]
        statistics = ada.http.get("/api/me/statistics").json()
        assert sum(one["played"] for one in statistics) == len(counted)
        claimed = httpx.post(f"{server.url}/api/me/claim", json={"code": made["link"]})
        assert claimed.json()["id"] == ada.id
        if made["is_named"]:
            again = {"game": "marrakech(players=2,rugs=3)", "request": "mine"}
            seats = [{"kind": "me"}, {"kind": "open"}]
            answer = ada.http.post("/api/tables", json={**again, "seats": seats})
            assert answer.json()["table"]["id"] == made["names"]["played"], "created once"
        answer = ben.http.post(f"/api/tables/{made['names']['played']}/rematch")
        assert answer.json()["table"]["id"] == made["names"]["rematch"]


@pytest.mark.asyncio
@pytest.mark.parametrize("old", SOME, indirect=True)
async def test_games_go_on(old, monkeypatch):
    url, made = old
    monkeypatch.setattr(Line, "numbers", itertools.count(1000))  # the first were used then
    with Server(url, "--no-limits") as server:
        ada, ben = (old_person(server, made, name) for name in ("ada", "ben"))
        async with ben.connect(made["names"]["marracash"]) as line:
            await play_on(line, moves=5)
            assert line.position["version"] > made["tables"]["marracash"]["position"]["version"]
        async with ben.connect(made["names"]["waiting"]) as line:
            assert (await line.ask("say", text="Still here"))["type"] == "ack"
            assert (await line.ask("assign", seat=3, level="random"))["type"] == "ack"
            assert (await line.ask("start"))["type"] == "ack"
        # Everybody's grace was over long ago: the computer has taken over.
        async with asyncio.timeout(60):
            while ada.look(made["names"]["marrakech"])["table"]["status"] != "over":
                await asyncio.sleep(0.2)
    moves = records.read(made["records"]["marrakech"]).actions
    with Server(url, "--no-limits") as server:
        record = records.read(old_person(server, made, "ada").record(made["names"]["marrakech"]))
    assert record.actions[: len(moves)] == moves and len(record.actions) > len(moves)


@pytest.mark.asyncio
@pytest.mark.parametrize("old", SOME[:1], indirect=True)
async def test_a_migrated_database_stays_as_it_is(old):
    url, _ = old
    with closing(sqlite3.connect(url)) as db:
        log = set(db.execute("SELECT table_id, n, entry FROM entries"))
    for _ in range(2):
        with Server(url, "--no-limits") as server:
            await asyncio.sleep(0.1)
            server.stop()
    db = sqlite3.connect(url)
    assert db.execute("PRAGMA user_version").fetchone() == (migrations.newest(),)
    assert db.execute("SELECT count(*) FROM participants").fetchone()[0] > 0
    query = "SELECT id, n, entry FROM entries JOIN tables ON tables.key = table_key"
    assert log <= set(db.execute(query)), "the log is never rewritten"
    db.close()
