"""Failing stores and processes that miss each other's entries: live tables recover."""

import asyncio
import json

import pytest
import pytest_asyncio

from souk.engine.errors import BadKnob
from souk.server.live import live_table as live_module
from souk.server.live import presence, sockets
from souk.server.live.automatic_actions import take_over
from souk.server.live.failures import UNREADABLE
from souk.server.live.fair_queue import NOBODY
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.registry import Registry
from souk.server.live.sockets import _preview, _refused
from souk.server.rate_limits import RateLimits
from souk.server.store import PersistError, store_at
from souk.server.tables import table as table_module
from souk.server.tables.commands import Act, Preview, Refusal, Say
from souk.server.tables.new_table import new_table
from souk.server.tables.request import Person
from souk.server.tables.table_request import ComputerSeat, MySeat, NewTable
from tests.server.server_process import Person as Client
from tests.server.server_process import Server

pytestmark = pytest.mark.asyncio

ADA = Person("ada", "Ada")
TWO = "marrakech(players=2)"


@pytest_asyncio.fixture
async def registry(tmp_path, monkeypatch):
    monkeypatch.setattr(live_module, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(presence, "AWAY_SECONDS", 0.05)
    registry = Registry(store_at(str(tmp_path / "souk.db")), PlayerWorkers(1, 0.1))
    await registry.open()
    yield registry
    await registry.close()


class Listener:
    """A subscriber that records its messages."""

    address = "10.0.0.1"

    def __init__(self, person=ADA):
        self.person = person
        self.received = []

    def send(self, message):
        self.received.append(json.loads(message))


async def new_live_table(registry, *seats, game=TWO):
    new = NewTable(game=game, seats=list(seats), start=True)
    return await registry.create(*new_table(new, ADA, live_module.now_ms()))


def fail_once(registry, monkeypatch, when):
    """Let the store fail once, for some entry."""
    real, failed = registry.store.append, []

    def append(change, then):
        if not failed and when(change):
            failed.append(change)
            asyncio.get_running_loop().call_soon(then, PersistError("the disk is full"))
        else:
            real(change, then)

    monkeypatch.setattr(registry.store, "append", append)
    return failed


async def until(is_so, seconds=20):
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.01)


def act(live, action=None):
    position = live_module.views.position_view(live.table)
    text = action or position.legal[0]
    return Act(request=f"r{position.version}", version=position.version, action=text)


async def test_a_computer_players_move_that_was_not_saved_is_repeated(registry, monkeypatch):
    """Also the one that ended its turn: then only the server can notice."""
    computer = ComputerSeat(kind="computer", level="random")
    live = await new_live_table(registry, MySeat(kind="me"), computer)
    listener = Listener()
    await live.subscribe(listener, None)

    def ends_the_turn(change):
        return live.table.mover == 0 and b'"computer":true' in change.entry

    failed = fail_once(registry, monkeypatch, ends_the_turn)
    while live.table.mover == 0:
        await live.execute(ADA, act(live))
    await until(lambda: failed and live.table.mover == 0 and not live.is_busy)
    saved = await registry.store.load(live.id)
    assert len(saved.entries) == live.table.n == live.broadcast_n
    numbers = [event["n"] for one in listener.received for event in one.get("events", [])]
    assert numbers == list(range(numbers[0], live.broadcast_n + 1))


async def test_an_entry_that_was_not_persisted_is_never_seen(registry, monkeypatch):
    """Or a player would know the die and could turn another way."""
    live = await new_live_table(registry, MySeat(kind="me"), MySeat(kind="me"))
    before = live_module.views.position_view(live.table)
    monkeypatch.setattr(live_module, "RETRY_SECONDS", 60)
    fail_once(registry, monkeypatch, lambda change: b"acted" in change.entry)
    with pytest.raises(Refusal, match="may not have saved") as refused:
        await live.execute(ADA, act(live, "left"))
    assert (await _refused(live, "r", refused.value)).n == live.broadcast_n == 4
    preview = await _preview(live, NOBODY, Preview(request="p", action="left"))
    assert preview.version == before.version
    shown = await _refused(live, "r", Refusal("illegal", "No."))
    assert shown.position == before
    assert (await live.welcome()).position == before
    done = await live.execute(ADA, act(live, "left"))
    assert done.n == 5, "and when it is asked again, it is done"


async def test_replies_may_submit_further_commands(registry):
    """Replies that submit further commands do not nest."""
    live = await new_live_table(registry, MySeat(kind="me"), MySeat(kind="me"))
    replies = []

    def submit_again(outcome):
        replies.append(outcome)
        live.submit(lambda: None, replies.append)

    live.submit(live.queued(ADA, act(live)), replies.append)  # keeping it takes a moment
    for _ in range(1000):
        live.submit(lambda: None, submit_again)
    assert not replies
    await until(lambda: len(replies) == 2001)
    assert {one.n for one in replies} == {5}


class FailingListener(Listener):
    """A subscriber that raises."""

    def send(self, message):
        raise RuntimeError(f"cannot take {len(message)} bytes")


async def test_a_failing_subscriber_does_not_block_the_others(registry, caplog):
    live = await new_live_table(
        registry, MySeat(kind="me"), ComputerSeat(kind="computer", level="random")
    )
    live.subscribers.add(FailingListener())
    while live.table.mover == 0:
        async with asyncio.timeout(10):
            await live.execute(ADA, act(live))
    await until(lambda: live.table.mover == 0 and not live.is_busy)
    assert "cannot take" in caplog.text


async def test_a_table_that_could_not_be_reloaded_is_not_stuck(registry, monkeypatch):
    """Waiting clients are refused, and the reload is repeated."""
    live = await new_live_table(registry, MySeat(kind="me"), MySeat(kind="me"))
    real, bad = live_module.Table, []

    def broken(config):
        if len(bad) < 2:
            bad.append(config)
            raise ValueError("nobody thought of this")
        return real(config)

    monkeypatch.setattr(live_module, "Table", broken)
    fail_once(registry, monkeypatch, lambda change: b"acted" in change.entry)
    with pytest.raises(Refusal, match="may not have saved"):
        await live.execute(ADA, act(live, "left"))
    async with asyncio.timeout(10):
        with pytest.raises(Refusal, match="went wrong"):
            await live.execute(ADA, act(live, "left"))
        await until(lambda: not live.is_busy)
        assert (await live.execute(ADA, act(live, "left"))).n == 5


async def test_lists_know_of_the_last_minute_however_late_a_table_is_to_be_woken(
    registry, monkeypatch
):
    seats = [MySeat(kind="me"), MySeat(kind="me")]
    config = {"seconds": 86_400, "grace": 86_400, "public": True, "start": True}
    new = NewTable(game=TWO, seats=seats, **config)
    live = await registry.create(*new_table(new, ADA, live_module.now_ms()))
    later = live_module.now_ms() + 25 * 3_600_000
    monkeypatch.setattr(live_module, "now_ms", lambda: later)
    await live.execute(ADA, act(live))
    assert len(await registry.store.views("playing", 10, since=later - live_module.SUMMARY_MS)) == 1


async def test_a_timer_that_goes_off_too_early_is_set_again(registry):
    """It may, by less than a millisecond; the sweep would come seconds later."""
    seats = [MySeat(kind="me"), MySeat(kind="me")]
    new = NewTable(game=TWO, seats=seats, seconds=60, absent="at-once", start=True)
    live = await registry.create(*new_table(new, ADA, live_module.now_ms()))
    first = live._timer
    first.cancel()
    await take_over(live)
    assert live._timer is not first and not live._timer.cancelled()


class Wire:
    """A stub of SocketProtocol."""

    close_sent = is_paused = False

    def __init__(self):
        self.transport = self
        self.received = []

    def is_closing(self):
        return False

    def pause(self):
        pass

    def resume(self):
        pass

    def send_message(self, message):
        self.received.append(json.loads(message))


async def test_a_command_that_goes_wrong_is_answered_and_so_is_the_next(registry, monkeypatch):
    live = await new_live_table(registry, MySeat(kind="me"), MySeat(kind="me"))

    async def broken(*_):
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(sockets, "_preview", broken)
    wire = Wire()
    sockets.Socket(wire, sockets.Sockets(registry, None, RateLimits(False), "", 9), "?").begin(live)
    wire.on_message(b'{"type":"preview","request":"r","action":"left"}')
    wire.on_message(b'{"type":"ping"}')
    await until(lambda: len(wire.received) == 2)
    assert wire.received[0]["code"] == "not-possible" and wire.received[1]["type"] == "pong"


async def test_a_table_that_is_requested_while_it_is_created_begins_at_once(registry, monkeypatch):
    """The computer player does not wait for a client."""
    real = registry.store.create

    async def slow(config, changes):
        is_new = await real(config, changes)
        await registry.get(config.id)
        return is_new

    monkeypatch.setattr(registry.store, "create", slow)
    computers = [ComputerSeat(kind="computer", level="random")] * 2
    live = await new_live_table(registry, *computers)
    assert live.computer_task is not None


async def test_computers_stop_when_a_game_has_as_many_actions_as_it_may_have(registry, monkeypatch):
    monkeypatch.setattr(table_module, "MAX_ACTIONS", 12)
    chosen, real = [], registry.workers.choose

    async def choose(*arguments):
        chosen.append(arguments)
        return await real(*arguments)

    monkeypatch.setattr(registry.workers, "choose", choose)
    computers = [ComputerSeat(kind="computer", level="random")] * 2
    live = await new_live_table(registry, *computers)
    registry.computer_tables.add(live.id, NOBODY)
    await until(lambda: live.table.is_full and live.computer_task is None)
    count = len(chosen)
    await presence.update(live)  # as when the server starts
    live.schedule()
    await asyncio.sleep(0.2)
    assert live.table.status == "playing" and live.computer_task is None
    assert len(chosen) == count and live._timer is None
    assert not registry.computer_tables._running, "others of the same person may start"
    await asyncio.sleep(0)
    later = live_module.now_ms() + 10**9
    assert await registry.store.claim(later, later + 1, 9) == [], "no process attends to it"


async def test_an_entry_that_was_not_persisted_is_retried_after_a_pause(registry, monkeypatch):
    """On a full disk one table with an absent player would keep the server busy."""
    seats = [MySeat(kind="me"), MySeat(kind="me")]
    new = NewTable(game=TWO, seats=seats, absent="at-once", start=True)
    live = await registry.create(*new_table(new, ADA, live_module.now_ms()))
    real, failed = registry.store.append, []

    def append(change, then):
        if b"taken-over" in change.entry or b"interrupted" in change.entry:
            failed.append(change)
            asyncio.get_running_loop().call_soon(then, PersistError("the disk is full"))
        else:
            real(change, then)

    monkeypatch.setattr(registry.store, "append", append)
    await presence.update(live)
    await asyncio.sleep(10 * live_module.RETRY_SECONDS)
    assert 2 <= len(failed) < 100, "it was hundreds"
    monkeypatch.setattr(registry.store, "append", real)
    await until(lambda: live.table.seats[0].takeover == "away")


async def test_a_table_that_stays_unreadable_is_given_up(registry, monkeypatch):
    live = await new_live_table(registry, MySeat(kind="me"), MySeat(kind="me"))
    listener = Listener()
    listener.remove = listener.received.append
    await live.subscribe(listener, None)
    command = act(live, "left")

    def broken(_):
        raise ValueError("the log is damaged")

    monkeypatch.setattr(live_module.e, "decode_entry", broken)
    fail_once(registry, monkeypatch, lambda change: b"acted" in change.entry)
    with pytest.raises(Refusal, match="may not have saved"):
        await live.execute(ADA, command)
    await until(lambda: listener.received[-1] == UNREADABLE)
    assert live.id not in registry.live_tables
    for call in (live.execute(ADA, command), live.welcome(), registry.get(live.id)):
        with pytest.raises(Refusal) as refused:
            await asyncio.wait_for(call, 10)
        assert refused.value.code == "unreadable"
    monkeypatch.undo()
    assert (await registry.get(live.id)).table.n == live.broadcast_n, "once it can be read again"


async def test_a_table_that_cannot_be_loaded_does_not_affect_others(registry, monkeypatch, caplog):
    computers = [ComputerSeat(kind="computer", level="random")] * 2
    live = await new_live_table(registry, MySeat(kind="me"), MySeat(kind="me"))
    bad = live.id
    registry.live_tables.clear()

    real = live_module.Table.__post_init__

    def fail_to_load(table):
        if table.config.id == bad:
            raise BadKnob("there is no such game any more")
        real(table)

    monkeypatch.setattr(live_module.Table, "__post_init__", fail_to_load)
    with pytest.raises(Refusal, match="cannot be read any more"):
        await registry.get(bad)
    monkeypatch.setattr(registry.store, "claim", claim_once(registry.store.claim, bad))
    good = await new_live_table(registry, *computers)
    await until(lambda: good.table.status == "over", 60)
    await until(lambda: "a table cannot be read" in caplog.text)
    assert any(task.get_coro().__name__ == "_sweep" for task in registry._tasks), "it goes on"


def claim_once(real, bad):
    waiting = [bad]

    async def claim(*args, **options):
        return [waiting.pop()] if waiting else await real(*args, **options)

    return claim


async def test_a_rematch_that_is_requested_twice_at_once_is_one_table(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada = Client(server)
        seats = [{"kind": "me"}, {"kind": "computer", "level": "random"}]
        table = ada.table(TWO, seats=seats, start=True)
        async with ada.connect(table) as line:
            await line.ask("resign", seat=0)
            assert line.table["status"] == "over"

        def ask():
            answer = ada.http.post(f"/api/tables/{table}/rematch")
            return answer.json()["table"]["id"]

        ids = await asyncio.gather(*(asyncio.to_thread(ask) for _ in range(6)))
        assert len(set(ids)) == 1
        mine = ada.http.get("/api/me/tables").json()
        playing = [one["id"] for one in mine if one["status"] == "playing"]
        assert playing == [ids[0]]


async def test_a_new_name_is_used_at_once(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        ada = Client(server)
        table = ada.table(TWO, seats=[{"kind": "open"}] * 2)
        async with ada.connect(table) as line:
            ada.http.post("/api/me", json={"name": "Countess"})
            await line.ask("sit", seat=0)
            assert line.table["seats"][0]["name"] == "Countess"


# ---- two processes ------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def two_registries(postgres, monkeypatch):
    monkeypatch.setattr(live_module, "RETRY_SECONDS", 0.05)
    url = postgres.new_database()
    registries = [Registry(store_at(url), PlayerWorkers(1, 0.1)) for _ in range(2)]
    for registry in registries:
        await registry.open()
    yield registries
    for registry in registries:
        await registry.close()


async def test_an_entry_that_comes_while_a_table_is_loaded_is_not_missed(
    two_registries, monkeypatch
):
    here, there = two_registries
    live = await new_live_table(here, MySeat(kind="me"), MySeat(kind="me"))
    real, loaded = there.store.load, asyncio.Event()

    async def slow(table, after=0):
        result = await real(table, after)
        if after == 0:
            loaded.set()
            await asyncio.sleep(0.3)
        return result

    monkeypatch.setattr(there.store, "load", slow)
    loading = asyncio.create_task(there.get(live.id))
    await loaded.wait()
    await live.execute(ADA, act(live))
    other = await loading
    await until(lambda: other.table.n == live.table.n)


async def test_a_connected_person_is_never_away_for_long(two_registries):
    here, there = two_registries
    live = await new_live_table(here, MySeat(kind="me"), MySeat(kind="me"))
    listener = Listener()
    await live.subscribe(listener, None)
    await here.store.remove_present(here.process, live.id, ADA.id)  # as if it had lapsed
    other = await there.get(live.id)
    await presence.update(other)
    await until(lambda: live.table.seats[0].away_since is not None)
    assert presence.is_wrong(live)
    await presence.update(live)
    assert [seat.away_since for seat in live.table.seats] == [None, None]


async def test_what_was_acknowledged_by_one_process_is_seen_through_the_other(two_registries):
    here, there = two_registries
    live = await new_live_table(here, MySeat(kind="me"), MySeat(kind="me"))
    await there.get(live.id)
    there._on_remote_entry = lambda *_: None  # it is never notified
    there.store._on_remote_entry = lambda *_: None
    done = await live.execute(ADA, act(live))
    assert isinstance(done, live_module.Receipt)
    other = await there.get(live.id)
    assert (await other.welcome()).n == done.n
    listener = Listener()
    await other.subscribe(listener, done.n)
    assert listener.received[0]["type"] == "events" and listener.received[0]["events"] == []


async def test_a_table_is_woken_in_time_by_the_last_summary(two_registries, monkeypatch):
    """Or it would never wake, if the process of its computer player is killed."""
    here, there = two_registries
    seats = [MySeat(kind="me"), ComputerSeat(kind="computer", level="random")]
    new = NewTable(game=TWO, seats=seats, absent="never", start=True)
    live = await here.create(*new_table(new, ADA, live_module.now_ms()))

    async def play_turn():
        while live.table.mover == 0:
            await live.execute(ADA, act(live))

    await play_turn()
    await until(lambda: live.table.mover == 0 and not live.is_busy)
    other = await there.get(live.id)
    said = await other.execute(ADA, Say("hello", "Nobody needs to be woken now."))
    await until(lambda: live.broadcast_n == said.n)
    monkeypatch.setattr(here.workers, "choose", lambda *_: asyncio.sleep(60))
    await play_turn()
    soon = live_module.now_ms() + live_module.COMPUTER_MS
    assert live.id in await there.store.claim(soon, soon + 60_000, 10)
