"""Repeated requests for tables, because an answer got lost or a button was pressed again."""

import asyncio
import contextlib
import sqlite3

import httpx
import pytest

from tests.server.server_process import Person, Server

TWO = "marrakech(players=2)"
BOTH = [{"kind": "me"}, {"kind": "me"}]
REQUEST = {"game": TWO, "seats": BOTH, "request": "my first table"}


def ask(person, **fields):
    return person.http.post("/api/tables", json={**REQUEST, **fields})


def my_tables(person):
    return {table["id"] for table in person.http.get("/api/me/tables").json()}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("twice") / "souk.db", "--no-limits") as server:
        yield server


@pytest.fixture
def ada(server):
    return Person(server)


def test_a_table_that_is_requested_twice_is_created_once(ada):
    first, second = ask(ada), ask(ada)
    assert first.status_code == second.status_code == 201
    assert first.json()["table"] == second.json()["table"]
    assert my_tables(ada) == {first.json()["table"]["id"]}


def test_defaults_may_be_given_or_left_out(ada):
    first, second = ask(ada), ask(ada, public=False, grace=60, start=False)
    assert first.json()["table"] == second.json()["table"]


@pytest.mark.parametrize(
    "other", [{"public": True}, {"game": "marrakech(players=2,rugs=3)"}, {"seats": None}]
)
def test_another_table_under_the_same_name_is_refused(ada, other):
    first, second = ask(ada), ask(ada, **other)
    assert (second.status_code, second.json()["code"]) == (409, "request-used")
    assert ask(ada).json()["table"] == first.json()["table"]
    assert len(my_tables(ada)) == 1


def test_the_name_of_a_refused_request_can_be_used_again(ada):
    assert ask(ada, game="chess").status_code == 400
    assert ask(ada).status_code == 201


def test_other_names_other_people_and_no_name_are_other_tables(server, ada):
    ben = Person(server, "Ben")
    answers = [ask(ada), ask(ben), ask(ada, request="2"), ask(ada, request=None)]
    answers.append(ask(ada, request=None))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["table"]["id"] for answer in answers}) == 5


def test_a_repeated_request_returns_the_table_in_its_current_state(ada):
    first = ask(ada, start=True).json()
    assert ada.http.post("/api/me", json={"name": "Ada Lovelace"}).status_code == 200
    second = ask(ada, start=True)
    assert second.status_code == 201 and second.json()["n"] == first["n"]
    assert second.json()["table"]["seats"] == first["table"]["seats"]


def test_requests_are_idempotent_across_a_restart(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada = Person(server)
        first = ask(ada).json()["table"]
        server.kill()
        server.restart()
        assert ask(ada).json()["table"]["id"] == first["id"]
        assert ask(ada, public=True).json()["code"] == "request-used"
        assert my_tables(ada) == {first["id"]}


@pytest.mark.parametrize("name", ["", "x" * 65, 1, ["a"]])
def test_a_request_name_has_a_limited_length(ada, name):
    assert ask(ada, request=name).status_code == 422


async def send_together(*urls, body, headers):
    """Return the ids of the answers to simultaneous requests."""
    async with httpx.AsyncClient(timeout=60, headers=headers) as client:
        answers = await asyncio.gather(*(client.post(url, json=body) for url in urls))
    assert {answer.status_code for answer in answers} == {201}, [one.text for one in answers]
    return {answer.json()["table"]["id"] for answer in answers}


@pytest.mark.asyncio
async def test_two_processes_with_the_same_request_create_one_table(postgres):
    database = postgres.new_database()
    with Server(database, "--no-limits") as one, Server(database, "--no-limits") as other:
        ada = Person(one)
        for number in range(5):
            urls = [f"{server.url}/api/tables" for server in (one, other)] * 4
            body = {**REQUEST, "request": str(number)}
            assert len(await send_together(*urls, body=body, headers=ada.headers)) == 1
        assert len(my_tables(ada)) == 5
        for server in (one, other):
            assert '"error"' not in server.stop(), "nothing went wrong"


@pytest.mark.asyncio
async def test_a_rematch_is_the_same_table_for_everybody_and_every_process(postgres):
    database = postgres.new_database()
    with Server(database, "--no-limits") as one, Server(database, "--no-limits") as other:
        ada = Person(one)
        table = ada.table(TWO, seats=BOTH, start=True)
        async with ada.connect(table) as line:
            await line.ask("resign", seat=0)
        urls = [f"{server.url}/api/tables/{table}/rematch" for server in (one, other)] * 4
        (following,) = await send_together(*urls, body=None, headers=ada.headers)
        assert my_tables(ada) == {table, following}, "there is no table that nobody knows of"
        assert ada.look(table)["table"]["rematch"] == following
        assert ada.look(following)["table"]["status"] == "playing"


@pytest.mark.asyncio
async def test_a_rematch_that_was_created_but_not_announced_is_used(tmp_path):
    """The server may die between the two: then the entry of the rematch is missing."""
    file = tmp_path / "souk.db"
    with Server(file, "--no-limits") as server:
        ada = Person(server)
        table = ada.table(TWO, seats=BOTH, start=True)
        async with ada.connect(table) as line:
            await line.ask("resign", seat=0)
        first = ada.http.post(f"/api/tables/{table}/rematch").json()["table"]["id"]
        server.kill()
        with contextlib.closing(sqlite3.connect(file)) as db, db:
            message = "DELETE FROM entries WHERE instr(CAST(entry AS TEXT), 'rematched')"
            assert db.execute(message).rowcount == 1
        server.restart()
        assert ada.look(table)["table"]["rematch"] is None
        again = ada.http.post(f"/api/tables/{table}/rematch").json()["table"]["id"]
        assert again == first and ada.look(table)["table"]["rematch"] == first
        assert my_tables(ada) == {table, first}
