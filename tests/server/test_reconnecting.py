"""Reconnecting clients, dropped live tables, and presence."""

import asyncio

import pytest
import pytest_asyncio

from souk import bot as bots
from souk.server.live import live_table as live_module
from souk.server.live import presence
from souk.server.live.fair_queue import NOBODY
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.registry import Registry
from souk.server.live.sockets import Sockets
from souk.server.rate_limits import RateLimits
from souk.server.store.sqlite import SqliteStore
from souk.server.tables import table as tables
from souk.server.tables.commands import Sit, Start
from souk.server.tables.new_table import new_table
from souk.server.tables.request import Person as Somebody
from souk.server.tables.table_request import MySeat, NewTable, OpenSeat
from tests.server.server_process import Person, Server, play_on
from tests.server.store_helpers import wait_until

pytestmark = pytest.mark.asyncio


async def test_a_bot_that_was_away_takes_its_seat_back_and_plays_on(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada, machine = Person(server), Person(server, "Bot", bot=True)
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = ada.table("marrakech(players=2)", seats=seats, absent="at-once")
        token = machine.headers["Authorization"].partition(" ")[2]

        def start_bot():
            where = bots.Server(f"{server.url}/t/{table}")
            return asyncio.create_task(bots.Bot(where, token, "random", 1).play())

        first = start_bot()
        async with ada.connect(table) as line:
            await line.until(lambda line: line.table["seats"][1]["kind"] == "bot")
            await line.ask("start")
            await play_on(line, seats={0}, moves=6)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            await line.until(lambda line: line.table["seats"][1]["away"])
            while line.table["seats"][1]["takeover"] is None:
                if line.position["mover"] == 0:
                    await play_on(line, seats={0}, moves=1)
                else:
                    await line.next()
            second = start_bot()
            await line.until(lambda line: line.table["seats"][1]["takeover"] is None)
            since = line.n
            await play_on(line, seats={0})
        result = await asyncio.wait_for(second, 120)
        best = [line.table["seats"][seat]["name"] for seat in line.table["result"]["ranking"][0]]
        assert result.startswith((" and ".join(best), "draw"))
        its = [e for e in line.events if e["kind"] == "acted" and e.get("seat") == 1]
        later = [event for event in its if event["n"] > since]
        assert later and not any(event.get("computer") for event in later)


# ---- live tables --------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def registry(tmp_path, monkeypatch):
    monkeypatch.setattr(presence, "AWAY_SECONDS", 0.05)
    registry = Registry(SqliteStore(str(tmp_path / "souk.db")), PlayerWorkers(1, 0.1))
    await registry.open()
    yield registry
    await registry.close()


async def new_live_table(registry, **options):
    options.setdefault("seats", [MySeat(kind="me")] * 2)
    config = NewTable(game="marrakech(players=2)", **options)
    return await registry.create(*new_table(config, Somebody("ada", "Ada"), live_module.now_ms()))


class Listener:
    """A subscriber."""

    person = Somebody("ada", "Ada")
    address = "10.0.0.1"
    payer = NOBODY
    ended = None

    def send(self, message):
        pass

    def end(self, code, _, *, reconnect):
        self.ended = code, reconnect


async def test_a_table_is_loaded_once_even_if_the_first_request_is_cancelled(registry):
    id = (await new_live_table(registry)).table.config.id
    del registry.live_tables[id]
    first = asyncio.create_task(registry.get(id))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    second, third = await asyncio.gather(registry.get(id), registry.get(id))
    await asyncio.sleep(0.1)
    assert second is third is registry.live_tables[id] is await registry.get(id)
    assert registry._loading == {}


async def test_requests_for_unknown_tables_leave_nothing_in_memory(registry):
    result = await asyncio.gather(*(registry.get(f"nothing {number}") for number in range(500)))
    assert set(result) == {None}
    assert registry.live_tables == {} and registry._loading == {}


async def test_presence_is_not_stored_after_the_end(registry):
    live = await new_live_table(registry, start=True)
    listener = Listener()
    await live.subscribe(listener, None)
    assert await registry.store.present(live.table.config.id, live_module.now_ms()) == {"ada"}
    for seat in range(2):
        entry = live_module.e.Resigned(at=live_module.now_ms(), seat=seat)
        await live.perform(lambda entry=entry: entry if live.table.status == "playing" else None)
    assert live.table.status == "over"
    live.unsubscribe(listener)
    await wait_until(lambda: registry.store._present == {})


async def test_a_failing_store_leaves_no_subscriber_behind(registry, monkeypatch):
    async def broken(*_):
        raise live_module.PersistError("no")

    live = await new_live_table(registry, start=True)
    monkeypatch.setattr(registry.store, "mark_present", broken)
    listener = Listener()
    scope = {"path_params": {"id": live.table.config.id}}
    await Sockets(registry, None, RateLimits(False), "", 9)._serve(scope, None, listener)
    assert listener.ended == (1012, True) and live.subscribers == set()


async def test_an_unstable_connection_does_not_fill_the_log_and_the_computer_takes_over(
    registry, monkeypatch
):
    monkeypatch.setattr(tables, "MAX_RECONNECTS", 5)
    seats = [MySeat(kind="me"), OpenSeat(kind="open")]
    live = await new_live_table(registry, seats=seats, absent="at-once")
    ada, ben = Listener(), Listener()
    ben.person = Somebody("ben", "Ben")
    await live.subscribe(ben, None)
    await live.execute(ben.person, Sit("sit", 1))
    for _ in range(20):
        await live.subscribe(ada, None)
        live.unsubscribe(ada)
        await wait_until(lambda: live.table.seats[0].away_since is not None)
    entries = map(live_module.e.decode_entry, (await registry.store.load(live.id)).entries)
    kinds = [
        type(entry)
        for entry in entries
        if isinstance(entry, live_module.e.Here | live_module.e.Away)
    ]
    assert kinds == [live_module.e.Away, live_module.e.Here] * 5 + [live_module.e.Away]
    await live.execute(ada.person, Start("start"))
    await wait_until(lambda: live.table.mover == 1)
    assert live.table.seats[0].takeover == "away", "it was Ada's turn, and the computer played on"


async def test_a_host_who_went_together_with_the_server_can_be_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr("souk.server.live.registry.HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(tables, "DEPUTY_MS", 100)
    file = str(tmp_path / "souk.db")
    first = Registry(SqliteStore(file), PlayerWorkers(1, 0.1))
    await first.open()
    live = await new_live_table(first, seats=[MySeat(kind="me"), OpenSeat(kind="open")])
    await first.close()
    second = Registry(SqliteStore(file), PlayerWorkers(1, 0.1))
    await second.open()
    try:
        live = await second.get(live.id)
        ben = Listener()
        ben.person = Somebody("ben", "Ben")
        await live.subscribe(ben, None)
        await live.execute(ben.person, Sit("sit", 1))
        await presence.mark_connected(live, "ben")
        await wait_until(lambda: live.table.deputy == "ben")
        await live.execute(ben.person, Start("start"))
        assert live.table.status == "playing"
    finally:
        await second.close()
