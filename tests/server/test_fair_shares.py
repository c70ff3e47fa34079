"""Thinking, hints and games of computers are shared by address, then by person."""

import asyncio
import time

import pytest

from souk.server.live.computer_tables import MAX_OF_ADDRESS, MAX_OF_PERSON
from souk.server.live.fair_queue import NOBODY, Payer
from souk.server.live.live_table import LiveTable
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.registry import Registry
from souk.server.live.shared_limits import MAX_ITEMS, messages
from souk.server.rate_limits import RateLimits
from souk.server.store import MAX_BROADCAST, store_at
from souk.server.tables.commands import Act, Leave, Refusal, TakeBack
from souk.server.tables.hosted_games import levels
from souk.server.tables.new_table import new_table
from souk.server.tables.referee import check_level
from souk.server.tables.request import Person as Somebody
from souk.server.tables.table_request import MySeat, NewTable
from tests.server.server_process import Person, Server
from tests.server.store_helpers import wait_until
from tests.server.test_load_and_limits import forwarded_header, remote_person
from tests.server.test_processes import at

pytestmark = pytest.mark.asyncio
MASTERS = [{"kind": "computer", "level": "master"}] * 4
SECONDS = 1.0  # a move of `master`


@pytest.fixture  # for each test: computers that go on thinking would slow down the next ones
def server(tmp_path):
    options = ("--workers", "2", "--seconds", str(SECONDS))
    with Server(tmp_path / "souk.db", *options) as server:
        yield server
        server.stop()
        assert server.code == 0


def ask_for_masters(person):
    """Request a table at which only masters play; return the answer."""
    table = {"game": "marrakech(players=4)", "seats": MASTERS, "start": True}
    return person.http.post("/api/tables", json=table)


async def test_one_address_cannot_slow_down_the_computer_opponents_of_others(server):
    """30 tables of masters made a stranger wait for `greedy` for 20 s and more."""
    ada = remote_person(server, 1)
    seats = [{"kind": "me"}, {"kind": "computer", "level": "greedy"}]
    table = ada.table("marrakech(players=2)", seats=seats, start=True)
    async with ada.connect(table) as line:
        await answer_times(line, 4)  # the workers have started
        eves = [remote_person(server, 2, "Eve") for _ in range(5)]
        answers = [ask_for_masters(eve) for eve in eves for _ in range(6)]
        assert 201 in {one.status_code for one in answers}
        hints = [asyncio.create_task(many_hints(eve)) for eve in eves[:2]]
        await asyncio.sleep(SECONDS)
        slowest = max(await answer_times(line, 6))
        await asyncio.gather(*hints)
    assert slowest < 3 * SECONDS, slowest


async def answer_times(line, turns):
    """Play turns against a computer; return how long it took for each of its turns."""
    took = []
    for _ in range(turns):
        await line.until(lambda line: line.position["mover"] == 0 or line.table["status"] == "over")
        while line.position["mover"] == 0:
            assert (await line.act(line.position["legal"][0]))["type"] == "ack"
        started = time.perf_counter()
        await line.until(lambda line: line.position["mover"] != 1)
        took.append(time.perf_counter() - started)
    return took


async def many_hints(person):
    """Request as many hints as the limits allow, and do not wait for them."""
    table = person.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
    async with person.connect(table) as line:
        for _ in range(20):
            await line.send("hint")
        await asyncio.sleep(2 * SECONDS)


async def test_tables_at_which_only_computers_play_are_capped(server):
    eve, other, ada = (remote_person(server, number, "Eve") for number in (3, 3, 4))
    answers = [ask_for_masters(eve) for _ in range(MAX_OF_PERSON + 1)]
    assert [one.status_code for one in answers] == [201] * MAX_OF_PERSON + [429]
    assert answers[-1].json()["message"] == (
        "Only computers play at 4 of your tables: wait until one of these games is over."
    )
    more = [ask_for_masters(other) for _ in range(MAX_OF_PERSON)]
    assert {one.status_code for one in more} == {201}
    third = remote_person(server, 3, "Eve")
    assert ask_for_masters(third).json()["message"] == (
        "Only computers play at 8 tables of your address: wait until one of these games is over."
    )
    waiting = third.http.post(
        "/api/tables", json={"game": "marrakech(players=4)", "seats": MASTERS}
    )
    async with third.connect(waiting.json()["table"]["id"]) as line:
        assert (await line.ask("start"))["code"] == "too-fast", "nor through a socket"
    assert MAX_OF_ADDRESS == 8 and ask_for_masters(ada).status_code == 201


async def test_a_finished_game_of_computers_makes_room_for_another(server):
    eve = remote_person(server, 5, "Eve")
    quick = {
        "game": "marrakech(players=2,rugs=1)",
        "seats": [{"kind": "computer", "level": "random"}] * 2,
        "start": True,
    }
    for _ in range(2 * MAX_OF_PERSON):

        def is_created():
            return eve.http.post("/api/tables", json=quick).status_code == 201

        await wait_until(is_created, 60)


async def test_tables_that_everybody_left_wait_beyond_the_cap(tmp_path, monkeypatch):
    monkeypatch.setattr("souk.server.live.live_table.WAIT_SECONDS", 0.05)
    store, ada = store_at(str(tmp_path / "souk.db")), Somebody("ada", "Ada")
    registry = Registry(store, PlayerWorkers(1, 0.01), RateLimits())
    await registry.open()
    game = NewTable(game="marrakech(players=2,rugs=1)", seats=[MySeat(kind="me")] * 2, start=True)
    try:
        tables = []
        for _ in range(MAX_OF_PERSON + 2):
            tables.append(await registry.create(*new_table(game, ada, 0)))
            for seat in (0, 1):
                await tables[-1].execute(ada, Leave(f"leave {seat}", seat))
        assert [registry.computer_tables.must_wait(live.id) for live in tables[-3:]] == [
            *(False, True, True)
        ]
        await tables[-1].execute(ada, TakeBack("back", 0))
        assert not registry.computer_tables.must_wait(tables[-1].id), "who returns need not wait"
        await wait_until(lambda: all(live.table.status == "over" for live in tables[:-1]))
    finally:
        await registry.close()


async def test_a_repeated_request_for_a_game_of_computers_is_not_refused(server):
    eve = remote_person(server, 6, "Eve")
    table = {"game": "marrakech(players=4)", "seats": MASTERS, "start": True, "request": "same"}
    answers = [eve.http.post("/api/tables", json=table) for _ in range(MAX_OF_PERSON + 2)]
    assert {one.status_code for one in answers} == {201}
    assert len({one.json()["table"]["id"] for one in answers}) == 1


async def test_creating_a_table_does_not_look_for_packages(monkeypatch):
    """It took 15 ms each time, in which the server did nothing else."""
    levels("marrakech")
    monkeypatch.setattr("souk.players.entry_points", None)
    check_level("marrakech", "master")
    with pytest.raises(Refusal, match="no computer player 'nobody'"):
        check_level("marrakech", "nobody")


async def test_loading_a_long_table_does_not_hold_up_the_others(tmp_path, monkeypatch):
    """A table with thousands of entries blocked the server for as long as it took to load it."""
    for module in ("registry", "live_table"):
        monkeypatch.setattr(f"souk.server.live.{module}.LOAD_STEP", 10)
    registry = Registry(store_at(str(tmp_path / "souk.db")), PlayerWorkers(1, 0.1))
    await registry.open()
    ada = Somebody("ada", "Ada")
    request = NewTable(game="marrakech(players=2)", seats=[MySeat(kind="me")] * 2, start=True)
    live = await registry.create(*new_table(request, ada, 1_000))
    for number in range(60):
        state = live.table.copy_state()
        action = state.action_to_string(state.legal_actions()[0])
        await live.execute(ada, Act(str(number), live.table.version, action))
    before = live.table.n
    registry.drop(live)
    steps = 0

    async def count_steps():
        nonlocal steps
        while True:
            await asyncio.sleep(0)
            steps += 1

    counting = asyncio.create_task(count_steps())
    stored = await registry.store.load(live.id)
    turns = [Payer("10.0.0.1", "ada"), NOBODY]
    for payer in turns:
        fresh, steps = LiveTable(registry, stored.config), 0
        await registry._apply_all(fresh, stored.entries, payer)
        assert steps >= 5, "other tasks ran meanwhile"
        assert fresh.table.n == before
    steps, old = 0, live.table
    assert await live._try_reload() is None
    assert steps >= 5 and live.table is not old and live.table.n == before
    counting.cancel()
    assert (await registry.get(live.id, turns[0])).table.n == before
    await registry.close()


# ---- several processes --------------------------------------------------------------------------


async def test_limits_hold_across_processes(postgres):
    database = postgres.new_database()
    with Server(database) as one, Server(database) as other:
        eve = Person(one, "Eve")
        both = [eve, at(eve, other)]
        for person in both:
            person.http.headers.update(forwarded_header(7))
        answers = []
        for number in range(60):
            answers.append(both[number % 2].http.post("/api/tables", json={"game": "marrakech"}))
            await asyncio.sleep(0.03)
        created = [answer.status_code for answer in answers].count(201)
        assert 28 <= created <= 36, "30, and a few that were on their way"
        assert answers[-1].status_code == answers[-2].status_code == 429, "in both processes"
        late = [Person(server, "Eve") for server in (one, other)]
        for person in late:
            person.http.headers.update(forwarded_header(8))
        codes = [ask_for_masters(late[number % 2]).status_code for number in range(2)]
        assert codes == [201, 201]
        games = []
        for number in range(10):
            games.append(ask_for_masters(late[number % 2]).status_code)
            await asyncio.sleep(0.03)
        assert 5 <= games.count(201) <= 7 and games[-1] == 429


async def test_broadcasts_are_never_too_long():
    spent = [("seats", f"{'x' * 22} 2001:db8:1234:5678::/64 {number}", 5) for number in range(99)]
    texts = list(messages("a" * 8, spent, [*spent, ("sockets", "y" * 5000, 1)]))
    assert len(texts) == -(-2 * 99 // MAX_ITEMS)
    assert max(map(len, texts)) < MAX_BROADCAST
    assert list(messages("a", [], [])) == []
