"""Outages cost no player time, actions come before timers, hosts have a minute to come back."""

import asyncio
import contextlib
import os
import signal
import time

import pytest
import pytest_asyncio

from souk.server.live import automatic_actions, presence
from souk.server.live import live_table as live_module
from souk.server.live import outages as outages_module
from souk.server.live.outages import STORE_EXTRA_MS, Outage, Outages
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.registry import Registry
from souk.server.store import PersistError, store_at
from souk.server.tables import table as table_module
from souk.server.tables.commands import Act, Answer, Propose, Refusal, Sit, Start
from souk.server.tables.new_table import new_table
from souk.server.tables.request import Person as Somebody
from souk.server.tables.table_request import ComputerSeat, MySeat, NewTable, OpenSeat
from tests.server.server_process import Person, Server
from tests.server.store_helpers import wait_until
from tests.server.test_store_failures import Listener

pytestmark = pytest.mark.asyncio

ADA, BEN = Somebody("ada", "Ada"), Somebody("ben", "Ben")
ME, OPEN = MySeat(kind="me"), OpenSeat(kind="open")
TWO = "marrakech(players=2)"
TIMED = {"seats": [{"kind": "me"}] * 2, "start": True, "seconds": 5, "absent": "at-once"}


# ---- a real server ------------------------------------------------------------------------------


async def test_a_server_that_was_killed_and_down_costs_no_player_time(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada = Person(server)
        table = ada.table(TWO, **TIMED)
        server.kill()
        await asyncio.sleep(6)  # longer than a turn
        server.restart()
        async with ada.connect(table) as line:
            await line.until(lambda line: line.position["deadline"] / 1000 > time.time() + 4)
            assert (await line.act("left"))["type"] == "ack"
            assert line.table["seats"][0]["takeover"] is None


async def test_actions_sent_while_the_server_was_stopped_come_before_its_timers(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada = Person(server)
        tables = [ada.table(TWO, **TIMED) for _ in range(5)]
        async with asyncio.timeout(40), contextlib.AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(ada.connect(table)) for table in tables]
            os.kill(server.process.pid, signal.SIGSTOP)
            for line in lines[1:]:
                await line.send("act", "x", version=line.position["version"], action="left")
            await asyncio.sleep(5.5)
            os.kill(server.process.pid, signal.SIGCONT)
            for line in lines[1:]:
                while (answer := await line.next()).get("request") != "x":
                    pass
                assert answer["type"] == "ack", answer
            idle = lines[0]
            await idle.until(lambda line: any(one["kind"] == "interrupted" for one in line.events))
            assert idle.position["deadline"] / 1000 > time.time() + 3, "and no time is lost"
            assert (await idle.act("left"))["type"] == "ack"


async def test_a_stranger_does_not_run_the_table_of_a_host_who_reconnects(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada, ben = Person(server), Person(server, "Ben")
        table = ada.table(TWO, seats=[{"kind": "me"}, {"kind": "open"}])
        async with ben.connect(table) as line:
            async with ada.connect(table):
                await line.ask("sit", seat=1)
            await line.until(lambda line: line.table["seats"][0]["away"])
            assert line.table["deputy"] is None
            for command in ({"type": "assign", "seat": 0, "level": None}, {"type": "start"}):
                assert (await line.ask(**command))["code"] == "not-the-host"


# ---- in this process ----------------------------------------------------------------------------


@pytest_asyncio.fixture
async def registry(tmp_path, monkeypatch):
    monkeypatch.setattr(live_module, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(presence, "AWAY_SECONDS", 0.05)
    registry = Registry(store_at(str(tmp_path / "souk.db")), PlayerWorkers(1, 0.1))
    await registry.open()
    yield registry
    await registry.close()


async def create(registry, **options):
    options = {"game": TWO, "seats": [ME, ME], "start": True, **options}
    return await registry.create(*new_table(NewTable(**options), ADA, live_module.now_ms()))


async def test_a_deputy_is_announced_when_the_host_was_absent_for_long(registry, monkeypatch):
    monkeypatch.setattr(table_module, "DEPUTY_MS", 300)
    live = await create(registry, seats=[ME, OPEN], start=False)
    ben = Listener(BEN)
    await live.subscribe(ben, None)
    await live.execute(BEN, Sit("sit", 1))
    await presence.update(live)
    assert live.table.seats[0].away_since is not None and live.table.deputy is None

    def kinds():
        return [event["kind"] for one in ben.received for event in one.get("events", [])]

    await wait_until(lambda: "deputised" in kinds())
    assert live.table.deputy == "ben" and kinds()[-1] == "deputised"


async def test_the_computer_does_not_move_while_the_game_is_paused(registry):
    computer = ComputerSeat(kind="computer", level="random")
    live = await create(registry, seats=[ME, computer])
    await live.execute(ADA, Propose("pause", "pause"))
    assert live.table.paused_since is not None
    with pytest.raises(Refusal, match="paused"):
        await live.execute(ADA, Act("a", live.table.version, "left"))
    await live.execute(ADA, Propose("resume", "resume"))
    while live.table.mover == 0:
        legal = live_module.views.position_view(live.table).legal
        await live.execute(ADA, Act(str(live.table.version), live.table.version, legal[0]))
    await live.execute(ADA, Propose("again", "pause"))
    version = live.table.version
    await asyncio.sleep(1.0)
    assert live.table.version == version and live.table.mover == 1
    await live.execute(ADA, Propose("go on", "resume"))
    await wait_until(lambda: live.table.version > version)


async def test_an_action_that_was_on_its_way_at_the_deadline_counts(registry, monkeypatch):
    assert automatic_actions.LAG_SECONDS == 0.3
    monkeypatch.setattr(automatic_actions, "LAG_SECONDS", 3.0)  # a slow machine is no failure
    live = await create(registry, seconds=5, absent="at-once")
    live.table.turn_since -= 4900
    live.schedule()
    await wait_until(lambda: live_module.now_ms() > live.table.deadline() + 500)
    await live.execute(ADA, Act("a", live.table.version, "left"))
    assert live.table.seats[0].takeover is None


async def test_time_is_not_up_while_the_store_fails(registry, monkeypatch):
    live = await create(registry, seconds=5, absent="at-once")
    deadline, real = live.table.deadline(), registry.store.append

    def fail(_, callback):
        error = PersistError("the disk is full")
        asyncio.get_running_loop().call_soon(callback, error)

    monkeypatch.setattr(registry.store, "append", fail)
    live.table.turn_since -= 4800  # nearly over
    with pytest.raises(Refusal, match="may not have saved"):
        await live.execute(ADA, Act("a", live.table.version, "left"))
    await asyncio.sleep(0.6)
    monkeypatch.setattr(registry.store, "append", real)
    await wait_until(lambda: registry.outages.failing_since is None or live.table.n > 4)
    await live.execute(ADA, Act("a", live.table.version, "left"))
    assert live.table.seats[0].takeover is None and live.table.deadline() >= deadline


async def test_a_table_whose_process_died_gets_time_back_in_another(registry):
    new = NewTable(game=TWO, seats=[ME, ME], start=True, seconds=5, absent="at-once")
    config, entries = new_table(new, ADA, live_module.now_ms() - 8000)
    dead, changes = live_module.LiveTable(registry, config), []
    for entry in entries:
        dead.table.apply(entry)
        changes.append(dead.change_for(entry, "waiting"))
    await registry.store.create(config, changes)
    live = await registry.get(config.id)
    await wait_until(lambda: live.table.interrupted > 0)
    assert live.table.deadline() > live_module.now_ms() + 4000
    assert live.table.seats[0].takeover is None


async def test_two_processes_give_the_time_of_an_outage_back_once(postgres):
    url, registries = postgres.new_database(), []
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(2):
            registries.append(Registry(store_at(url), PlayerWorkers(1, 0.1)))
            await registries[-1].open()
            stack.push_async_callback(registries[-1].close)
        config, entries = new_table(
            NewTable(game=TWO, seats=[ME, ME], start=True, seconds=60),
            ADA,
            live_module.now_ms() + 1,  # after these processes started, which is an outage too
        )
        live = await registries[0].create(config, entries)
        other, deadline = await registries[1].get(live.id), live.table.deadline()
        live.table.turn_since -= 10_000
        other.table.turn_since -= 10_000
        for registry in registries:
            registry.outages.on_store_failure(live_module.now_ms() - 3000)
        for registry in registries:
            registry.outages.on_store_success()
            await asyncio.sleep(0.3)  # they notice at different times
        await wait_until(lambda: live.table.interrupted and live.table.n == other.table.n)
        given = live.table.deadline() - (deadline - 10_000)
        assert 3000 + STORE_EXTRA_MS <= given < 3700 + STORE_EXTRA_MS


async def test_outages_are_remembered_and_merged(monkeypatch):
    ended = []
    outages = Outages(lambda: ended.append(1))
    assert outages.after(0) is None
    outages.on_start(1000, 5000)
    assert outages.after(0) == Outage(1000, 5000, outages_module.RESTART_EXTRA_MS)
    assert outages.after(2000).since == 2000 and outages.after(5000) is None
    monkeypatch.setattr(outages_module, "now_ms", lambda: 9000)
    outages.on_store_failure(7000)
    outages.on_store_failure(8000)
    assert outages.after(6000) == Outage(7000, 9000, outages_module.STORE_EXTRA_MS)
    outages.on_store_success()
    assert ended and outages.failing_since is None
    assert outages.after(0)[:2] == (1000, 9000)


async def test_a_first_start_is_no_outage(tmp_path):
    store = store_at(str(tmp_path / "new.db"))
    registry = Registry(store, PlayerWorkers(1, 0.1))
    await registry.open()
    assert registry.outages.after(0) is None
    await registry.close()


async def test_a_pause_by_agreement_reaches_all_clients(registry):
    live = await create(registry, seats=[ME, OPEN], start=False, seconds=60)
    ben = Listener(BEN)
    await live.subscribe(ben, None)
    await live.execute(BEN, Sit("sit", 1))
    await live.execute(ADA, Start("start"))
    await live.execute(ADA, Propose("p", "pause"))
    proposal = ben.received[-1]["table"]["proposal"]
    assert (proposal["what"], proposal["seat"], proposal["agreed"]) == ("pause", 0, [0])
    await live.execute(BEN, Answer("a", proposal["n"], True))
    assert ben.received[-1]["table"]["paused"] and ben.received[-1]["position"]["legal"] == []
