"""Several servers on one PostgreSQL: each serves any table, and each may die."""

import asyncio
import contextlib
import random
import re
import time

import httpx
import pytest

from souk import records
from souk.records import fairness
from tests.server.server_process import Person, Server
from tests.server.test_crash import Stubborn, check, load_with_kills

pytestmark = pytest.mark.asyncio


@pytest.fixture
def database(postgres):
    return postgres.new_database()


@contextlib.contextmanager
def two_servers(database):
    with Server(database, "--no-limits") as one, Server(database, "--no-limits") as other:
        yield one, other


def at(person, server):
    """The same person, through another server."""
    other = object.__new__(Person)
    other.__dict__.update(person.__dict__)
    other.server = server
    other.http = httpx.Client(base_url=server.url, timeout=20, headers=person.headers)
    server.people.append(other)
    return other


async def test_two_people_at_one_table_on_two_processes_just_play(database):
    with two_servers(database) as (one, other):
        ada, ben = Person(one), Person(other, "Ben")
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = ada.table("marrakech(players=2)", seats=seats)
        pick = random.Random(3)
        async with ada.connect(table) as host, ben.connect(table) as guest:
            assert (await guest.ask("sit", seat=1))["type"] == "ack"
            await host.until(lambda line: line.table["seats"][1]["name"] == "Ben")
            await host.ask("start")
            await guest.until(lambda line: line.position is not None)
            lines = [host, guest]
            while host.table["status"] != "over":
                version, mover = host.position["version"], host.position["mover"]
                await guest.until(lambda line, v=version: line.position["version"] >= v)
                assert guest.position == host.position
                answer = await lines[mover].act(pick.choice(host.position["legal"]))
                assert answer["type"] == "ack"
                await host.until(lambda line, v=version: line.position["version"] > v)
            await guest.until(lambda line: line.table["status"] == "over")
            numbers = [event["n"] for event in guest.events]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert fairness.verify(records.read(ben.record(table))).is_fair


async def test_both_processes_may_be_asked_at_the_same_moment(database):
    """One seat, two people, two processes: exactly one of them gets it."""
    with two_servers(database) as (one, other):
        ada, ben = Person(one), Person(other, "Ben")
        for _ in range(10):
            seats = [{"kind": "open"}, {"kind": "open"}]
            table = ada.table("marrakech(players=2)", seats=seats)
            async with ada.connect(table) as first, ben.connect(table) as second:
                answers = await asyncio.gather(first.ask("sit", seat=0), second.ask("sit", seat=0))
                kinds = sorted(answer["type"] for answer in answers)
                assert kinds == ["ack", "refused"], answers
                refused = next(answer for answer in answers if answer["type"] == "refused")
                assert refused["code"] == "seat-not-free"


async def test_a_process_that_is_killed_only_makes_its_clients_connect_again(database):
    with two_servers(database) as (one, other):
        ada = Person(one)
        seats = [{"kind": "me"}] * 2
        player = Stubborn(ada, ada.table("marrakech(players=2)", seats=seats, start=True), 5)
        computers = [{"kind": "computer", "level": "greedy"}] * 2
        alone = ada.table("marrakech(players=2)", seats=computers, start=True)
        stop = asyncio.Event()
        task = asyncio.create_task(player.play(stop))
        await asyncio.sleep(0.3)
        one.kill()
        there = at(ada, other)
        player.person = there
        end = time.monotonic() + 180
        while there.look(alone)["table"]["status"] != "over":
            assert time.monotonic() < end, "nobody took the computers' table over"
            await asyncio.sleep(0.5)
        await asyncio.wait_for(task, 60)
        check(there, [player])


async def test_a_database_that_is_restarted_under_load_loses_nothing(postgres, database):
    with Server(database, "--no-limits") as server:
        ada, players, alone = await load_with_kills(server, 3, postgres.restart)
        check(ada, players)
        end = time.monotonic() + 180
        for table in alone:
            while ada.look(table)["table"]["status"] != "over":
                assert time.monotonic() < end, "a table of computers is stuck"
                await asyncio.sleep(0.5)


async def test_a_computer_player_searches_in_one_process_only(database):
    with two_servers(database) as (one, other):
        ada, ben = Person(one), Person(other, "Ben")
        computers = [{"kind": "computer", "level": "greedy"}] * 2
        table = ada.table("marrakech(players=2)", seats=computers, start=True)
        async with ben.connect(table) as line:
            await line.until(lambda line: line.table["status"] == "over", seconds=60)
        assert count_searches(one) > 20
        assert count_searches(other) == 0


def count_searches(server):
    text = httpx.get(f"{server.url}/metrics").text
    return float(re.search(r"^souk_thinking_seconds_count (\S+)", text, re.MULTILINE)[1])


async def test_logging_out_renaming_and_deleting_reach_the_other_process(database):
    with two_servers(database) as (one, other):
        ada, ben = Person(one), Person(one, "Ben")
        elsewhere = at(ben, other)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
        async with at(ada, other).connect(table) as host, elsewhere.connect(table) as guest:
            await guest.ask("sit", seat=1)
            await guest.ask("say", text="my secret")
            assert elsewhere.http.get("/api/me").json()["name"] == "Ben"
            assert ben.http.post("/api/me", json={"name": "Benno"}).status_code == 200
            async with asyncio.timeout(10):
                while elsewhere.http.get("/api/me").json()["name"] != "Benno":
                    await asyncio.sleep(0.05)
            assert ben.http.delete("/api/me").status_code == 204
            assert (await guest.closed())[0] == 4401
            await host.until(lambda line: any(e["kind"] == "renamed" for e in line.events))
            assert host.table["seats"][1]["kind"] == "open"
        assert elsewhere.http.get("/api/me").status_code == 401
        for server in (one, other):
            assert "my secret" not in httpx.get(f"{server.url}/api/tables/{table}").text
