"""A store with trouble, and processes that miss each other: tables find out, and go on."""

import asyncio
import json

import pytest
import pytest_asyncio

from souk.engine.errors import BadKnob
from souk.server.http.request_bodies import ComputerSeat, MySeat, NewTable
from souk.server.live import live_table as rooms
from souk.server.live import sockets
from souk.server.live.registry import Hall
from souk.server.live.sockets import _preview, _refused
from souk.server.live.worker_pool import Thinkers
from souk.server.rate_limits import Limits
from souk.server.store import NotKept, store_at
from souk.server.tables.messages import Act, Preview, Refusal, Say
from souk.server.tables.new_table import founded
from souk.server.tables.referee import Person
from tests.server.live import Person as Client
from tests.server.live import Server

pytestmark = pytest.mark.asyncio

ADA = Person("ada", "Ada")
TWO = "marrakech(players=2)"


@pytest_asyncio.fixture
async def hall(tmp_path, monkeypatch):
    monkeypatch.setattr(rooms, "TROUBLE_SECONDS", 0.05)
    monkeypatch.setattr(rooms, "GONE_SECONDS", 0.05)
    hall = Hall(store_at(str(tmp_path / "souk.db")), Thinkers(1, 0.1))
    await hall.open()
    yield hall
    await hall.close()


class Ear:
    """Somebody who listens."""

    def __init__(self, person=ADA):
        self.person = person
        self.heard = []

    def tell(self, frame):
        self.heard.append(json.loads(frame[frame.index(b"{") :]))


async def new_room(hall, *seats, game=TWO):
    wanted = NewTable(game=game, seats=list(seats), start=True)
    return await hall.create(*founded(wanted, ADA, rooms.now_ms()))


def failing(hall, monkeypatch, when):
    """A store that cannot keep some entry, once."""
    real, failed = hall.store.append, []

    def append(change, then):
        if not failed and when(change):
            failed.append(change)
            asyncio.get_running_loop().call_soon(then, NotKept("the disk is full"))
        else:
            real(change, then)

    monkeypatch.setattr(hall.store, "append", append)
    return failed


async def until(is_so, seconds=20):
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.01)


def act(room, action=None):
    position = rooms.views.position_view(room.table)
    text = action or position.legal[0]
    return Act(request=f"r{position.version}", version=position.version, action=text)


async def test_a_computers_move_that_was_not_kept_is_made_again(hall, monkeypatch):
    """Also the one that ended its turn: then nobody but the server can find out."""
    computer = ComputerSeat(kind="computer", level="random")
    room = await new_room(hall, MySeat(kind="me"), computer)
    ear = Ear()
    await room.join(ear, None)

    def ends_the_turn(change):
        return room.table.mover == 0 and b'"computer":true' in change.entry

    failed = failing(hall, monkeypatch, ends_the_turn)
    while room.table.mover == 0:
        await room.do(ADA, act(room))
    await until(lambda: failed and room.table.mover == 0 and not room._is_busy)
    kept = await hall.store.load(room.id)
    assert len(kept.entries) == room.table.n == room.told
    numbers = [event["n"] for one in ear.heard for event in one.get("events", [])]
    assert numbers == list(range(numbers[0], room.told + 1))


async def test_what_was_not_kept_is_never_seen(hall, monkeypatch):
    """Or a player would know the die and could turn another way."""
    room = await new_room(hall, MySeat(kind="me"), MySeat(kind="me"))
    before = rooms.views.position_view(room.table)
    monkeypatch.setattr(rooms, "TROUBLE_SECONDS", 60)
    failing(hall, monkeypatch, lambda change: b"acted" in change.entry)
    with pytest.raises(Refusal, match="cannot be sure") as refused:
        await room.do(ADA, act(room, "left"))
    assert (await _refused(room, "r", refused.value)).n == room.told == 4
    preview = await _preview(room, Preview(request="p", action="left"))
    assert preview.version == before.version
    shown = await _refused(room, "r", Refusal("illegal", "No."))
    assert shown.position == before
    assert (await room.welcome()).position == before
    done = await room.do(ADA, act(room, "left"))
    assert done.n == 5, "and when it is asked again, it is done"


async def test_however_many_ask_on_as_soon_as_they_are_answered_all_are(hall):
    """Like sockets whose next message is there already: one answer is not given within another."""
    room = await new_room(hall, MySeat(kind="me"), MySeat(kind="me"))
    told = []

    def asks_on(outcome):
        told.append(outcome)
        room.ask(lambda: None, told.append)

    room.ask(room.wanted_by(ADA, act(room)), told.append)  # keeping it takes a moment
    for _ in range(1000):
        room.ask(lambda: None, asks_on)
    assert not told
    await until(lambda: len(told) == 2001)
    assert {one.n for one in told} == {5}


class Deaf(Ear):
    """Somebody whom telling goes wrong with."""

    def tell(self, frame):
        raise RuntimeError(f"deaf to {len(frame)} bytes")


async def test_whoever_cannot_be_told_keeps_nobody_waiting(hall, caplog):
    room = await new_room(hall, MySeat(kind="me"), ComputerSeat(kind="computer", level="random"))
    room.listeners.add(Deaf())
    while room.table.mover == 0:
        async with asyncio.timeout(10):
            await room.do(ADA, act(room))
    await until(lambda: room.table.mover == 0 and not room._is_busy)
    assert "deaf to" in caplog.text


async def test_a_table_that_could_not_be_looked_at_again_is_not_stuck(hall, monkeypatch):
    """Whatever goes wrong with it, those who wait are told, and it is tried once more."""
    room = await new_room(hall, MySeat(kind="me"), MySeat(kind="me"))
    real, bad = rooms.Table, []

    def broken(terms):
        if len(bad) < 2:
            bad.append(terms)
            raise ValueError("nobody thought of this")
        return real(terms)

    monkeypatch.setattr(rooms, "Table", broken)
    failing(hall, monkeypatch, lambda change: b"acted" in change.entry)
    with pytest.raises(Refusal, match="cannot be sure"):
        await room.do(ADA, act(room, "left"))
    async with asyncio.timeout(10):
        with pytest.raises(Refusal, match="went wrong"):
            await room.do(ADA, act(room, "left"))
        await until(lambda: not room._is_busy)
        assert (await room.do(ADA, act(room, "left"))).n == 5


async def test_lists_know_of_the_last_minute_however_late_a_table_is_to_be_woken(hall, monkeypatch):
    seats = [MySeat(kind="me"), MySeat(kind="me")]
    terms = {"seconds": 86_400, "grace": 86_400, "public": True, "start": True}
    wanted = NewTable(game=TWO, seats=seats, **terms)
    room = await hall.create(*founded(wanted, ADA, rooms.now_ms()))
    later = rooms.now_ms() + 25 * 3_600_000
    monkeypatch.setattr(rooms, "now_ms", lambda: later)
    await room.do(ADA, act(room))
    assert len(await hall.store.views("playing", 10, since=later - rooms.NOTE_MS)) == 1


async def test_a_timer_that_goes_off_too_early_is_set_again(hall):
    """It may, by less than a millisecond; the sweep would come seconds later."""
    seats = [MySeat(kind="me"), MySeat(kind="me")]
    wanted = NewTable(game=TWO, seats=seats, seconds=60, absent="at-once", start=True)
    room = await hall.create(*founded(wanted, ADA, rooms.now_ms()))
    first = room._timer
    first.cancel()
    await room._take_over()
    assert room._timer is not first and not room._timer.cancelled()


class Wire:
    """What a socket writes to, and hears from."""

    close_sent = read_paused = False

    def __init__(self):
        self.transport = self
        self.told = []

    def is_closing(self):
        return False

    def pause(self):
        pass

    def resume(self):
        pass

    def tell(self, frame):
        self.told.append(json.loads(frame[frame.index(b"{") :]))


async def test_a_command_that_goes_wrong_is_answered_and_so_is_the_next(hall, monkeypatch):
    room = await new_room(hall, MySeat(kind="me"), MySeat(kind="me"))

    async def broken(*_):
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(sockets, "_preview", broken)
    wire = Wire()
    sockets.Socket(wire, sockets.Sockets(hall, None, Limits(False), "")).begin(room)
    wire.hear(b'{"type":"preview","request":"r","action":"left"}')
    wire.hear(b'{"type":"ping"}')
    await until(lambda: len(wire.told) == 2)
    assert wire.told[0]["code"] == "not-possible" and wire.told[1]["type"] == "pong"


async def test_a_table_that_was_asked_for_while_it_was_created_begins_at_once(hall, monkeypatch):
    """The computer does not wait for somebody to find the table."""
    real = hall.store.create

    async def slow(terms, changes):
        is_new = await real(terms, changes)
        await hall.room(terms.id)
        return is_new

    monkeypatch.setattr(hall.store, "create", slow)
    computers = [ComputerSeat(kind="computer", level="random")] * 2
    room = await new_room(hall, *computers)
    assert room._thinking is not None


async def test_what_is_not_kept_is_not_tried_again_at_full_speed(hall, monkeypatch):
    """A full disk would keep the whole server busy, with one table at which somebody is away."""
    seats = [MySeat(kind="me"), MySeat(kind="me")]
    wanted = NewTable(game=TWO, seats=seats, absent="at-once", start=True)
    room = await hall.create(*founded(wanted, ADA, rooms.now_ms()))
    real, failed = hall.store.append, []

    def append(change, then):
        if b"taken-over" in change.entry:
            failed.append(change)
            asyncio.get_running_loop().call_soon(then, NotKept("the disk is full"))
        else:
            real(change, then)

    monkeypatch.setattr(hall.store, "append", append)
    await room.look_after()
    await asyncio.sleep(10 * rooms.TROUBLE_SECONDS)
    assert 2 <= len(failed) < 100, "it was hundreds"
    monkeypatch.setattr(hall.store, "append", real)
    await until(lambda: room.table.seats[0].takeover == "away")


async def test_a_table_that_cannot_be_opened_is_in_nobodys_way(hall, monkeypatch, caplog):
    computers = [ComputerSeat(kind="computer", level="random")] * 2
    room = await new_room(hall, MySeat(kind="me"), MySeat(kind="me"))
    bad = room.id
    hall.rooms.clear()

    real = rooms.Table.__post_init__

    def cannot(table):
        if table.terms.id == bad:
            raise BadKnob("there is no such game any more")
        real(table)

    monkeypatch.setattr(rooms.Table, "__post_init__", cannot)
    with pytest.raises(Refusal, match="cannot be opened"):
        await hall.room(bad)
    monkeypatch.setattr(hall.store, "claim", claim_once(hall.store.claim, bad))
    good = await new_room(hall, *computers)
    await until(lambda: good.table.status == "over", 60)
    await until(lambda: "a table cannot be opened" in caplog.text)
    assert any(task.get_coro().__name__ == "_sweep" for task in hall._tasks), "it goes on"


def claim_once(real, bad):
    waiting = [bad]

    async def claim(*args, **options):
        return [waiting.pop()] if waiting else await real(*args, **options)

    return claim


async def test_a_rematch_that_is_asked_for_twice_at_once_is_one_table(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada = Client(server)
        seats = [{"kind": "me"}, {"kind": "computer", "level": "random"}]
        table = ada.table(TWO, seats=seats, start=True)
        async with ada.sit_by(table) as line:
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
        async with ada.sit_by(table) as line:
            ada.http.post("/api/me", json={"name": "Countess"})
            await line.ask("sit", seat=0)
            assert line.table["seats"][0]["name"] == "Countess"


# ---- two processes ------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def two(postgres, monkeypatch):
    monkeypatch.setattr(rooms, "TROUBLE_SECONDS", 0.05)
    url = postgres.new_database()
    halls = [Hall(store_at(url), Thinkers(1, 0.1)) for _ in range(2)]
    for hall in halls:
        await hall.open()
    yield halls
    for hall in halls:
        await hall.close()


async def test_an_entry_that_comes_while_a_table_is_loaded_is_not_missed(two, monkeypatch):
    here, there = two
    room = await new_room(here, MySeat(kind="me"), MySeat(kind="me"))
    real, loaded = there.store.load, asyncio.Event()

    async def slow(table, after=0):
        found = await real(table, after)
        if after == 0:
            loaded.set()
            await asyncio.sleep(0.3)
        return found

    monkeypatch.setattr(there.store, "load", slow)
    loading = asyncio.create_task(there.room(room.id))
    await loaded.wait()
    await room.do(ADA, act(room))
    other = await loading
    await until(lambda: other.table.n == room.table.n)


async def test_whoever_is_connected_is_never_away_for_long(two):
    here, there = two
    room = await new_room(here, MySeat(kind="me"), MySeat(kind="me"))
    ear = Ear()
    await room.join(ear, None)
    await here.store.unmark_present(here.process, room.id, ADA.id)  # as if it had lapsed
    other = await there.room(room.id)
    await other.look_after()
    await until(lambda: room.table.seats[0].away_since is not None)
    assert room.has_lost_sight()
    await room.look_after()
    assert [seat.away_since for seat in room.table.seats] == [None, None]


async def test_what_was_acknowledged_by_one_process_is_seen_through_the_other(two):
    here, there = two
    room = await new_room(here, MySeat(kind="me"), MySeat(kind="me"))
    await there.room(room.id)
    there._heard = lambda *_: None  # it hears nothing at all
    there.store._heard = lambda *_: None
    done = await room.do(ADA, act(room))
    assert isinstance(done, rooms.Done)
    other = await there.room(room.id)
    assert (await other.welcome()).n == done.n
    ear = Ear()
    await other.join(ear, done.n)
    assert ear.heard[0]["type"] == "events" and ear.heard[0]["events"] == []


async def test_a_table_is_woken_in_time_whoever_noted_last_when(two, monkeypatch):
    """Or it sleeps for ever, if the process where the computer thinks is killed."""
    here, there = two
    seats = [MySeat(kind="me"), ComputerSeat(kind="computer", level="random")]
    wanted = NewTable(game=TWO, seats=seats, absent="never", start=True)
    room = await here.create(*founded(wanted, ADA, rooms.now_ms()))

    async def play_turn():
        while room.table.mover == 0:
            await room.do(ADA, act(room))

    await play_turn()
    await until(lambda: room.table.mover == 0 and not room._is_busy)
    other = await there.room(room.id)
    said = await other.do(ADA, Say("hello", "Nobody needs to be woken now."))
    await until(lambda: room.told == said.n)
    monkeypatch.setattr(here.thinkers, "choose", lambda *_: asyncio.sleep(60))
    await play_turn()
    soon = rooms.now_ms() + rooms.THINKING_MS
    assert room.id in await there.store.claim(soon, soon + 60_000, 10)
