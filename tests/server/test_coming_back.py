"""Those who go and come back: bots with their token, rooms let go, who counts as there."""

import asyncio

import pytest
import pytest_asyncio

from souk import bot as bots
from souk.server.http.request_bodies import FreeSeat, MySeat, NewTable
from souk.server.live import live_table as rooms
from souk.server.live.registry import Hall
from souk.server.live.sockets import Sockets
from souk.server.live.worker_pool import Thinkers
from souk.server.rate_limits import Limits
from souk.server.store.sqlite import SqliteStore
from souk.server.tables import table as tables
from souk.server.tables.messages import Sit, Start
from souk.server.tables.new_table import founded
from souk.server.tables.referee import Person as Somebody
from tests.server.keeping import soon
from tests.server.live import Person, Server, play_on

pytestmark = pytest.mark.asyncio


async def test_a_bot_that_was_away_takes_its_seat_back_and_plays_on(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada, machine = Person(server), Person(server, "Bot", bot=True)
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = ada.table("marrakech(players=2)", seats=seats, absent="at-once")
        token = machine.headers["Authorization"].partition(" ")[2]

        def seated():
            where = bots.Server(f"{server.url}/t/{table}")
            return asyncio.create_task(bots.Bot(where, token, "random", 1).play())

        first = seated()
        async with ada.sit_by(table) as line:
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
            second = seated()
            await line.until(lambda line: line.table["seats"][1]["takeover"] is None)
            since = line.n
            await play_on(line, seats={0})
        assert line.table["result"]["text"] in await asyncio.wait_for(second, 120)
        its = [e for e in line.events if e["kind"] == "acted" and e.get("seat") == 1]
        later = [event for event in its if event["n"] > since]
        assert later and not any(event.get("computer") for event in later)


# ---- rooms --------------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def hall(tmp_path, monkeypatch):
    monkeypatch.setattr(rooms, "GONE_SECONDS", 0.05)
    hall = Hall(SqliteStore(str(tmp_path / "souk.db")), Thinkers(1, 0.1))
    await hall.open()
    yield hall
    await hall.close()


async def new_room(hall, **wanted):
    wanted.setdefault("seats", [MySeat(kind="me")] * 2)
    terms = NewTable(game="marrakech(players=2)", **wanted)
    return await hall.create(*founded(terms, Somebody("ada", "Ada"), rooms.now_ms()))


class Ear:
    """Somebody who listens."""

    person = Somebody("ada", "Ada")
    ended = None

    def tell(self, frame):
        pass

    def end(self, code, _, *, again):
        self.ended = code, again


async def test_one_table_is_one_room_even_if_the_first_who_asked_goes_away(hall):
    id = (await new_room(hall)).table.terms.id
    del hall.rooms[id]
    first = asyncio.create_task(hall.room(id))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    second, third = await asyncio.gather(hall.room(id), hall.room(id))
    await asyncio.sleep(0.1)
    assert second is third is hall.rooms[id] is await hall.room(id)
    assert hall._loading == {}


async def test_asking_for_tables_that_are_not_there_leaves_nothing_behind(hall):
    found = await asyncio.gather(*(hall.room(f"nothing {number}") for number in range(500)))
    assert set(found) == {None}
    assert hall.rooms == {} and hall._loading == {}


async def test_nobody_is_counted_as_there_after_the_end(hall):
    room = await new_room(hall, start=True)
    ear = Ear()
    await room.join(ear, None)
    assert await hall.store.present(room.table.terms.id, rooms.now_ms()) == {"ada"}
    for seat in range(2):
        entry = rooms.e.Resigned(at=rooms.now_ms(), seat=seat)
        await room.change(lambda entry=entry: entry if room.table.status == "playing" else None)
    assert room.table.status == "over"
    room.leave(ear)
    await soon(lambda: hall.store._present == {})


async def test_a_store_in_trouble_leaves_no_listener_behind(hall, monkeypatch):
    async def broken(*_):
        raise rooms.NotKept("no")

    room = await new_room(hall, start=True)
    monkeypatch.setattr(hall.store, "mark_present", broken)
    ear = Ear()
    scope = {"path_params": {"id": room.table.terms.id}}
    await Sockets(hall, None, Limits(False), "")._serve(scope, None, ear)
    assert ear.ended == (1012, True) and room.listeners == set()


async def test_a_line_that_flaps_does_not_fill_the_log_and_who_is_gone_is_played_on_for(
    hall, monkeypatch
):
    monkeypatch.setattr(tables, "MOST_COMINGS", 5)
    seats = [MySeat(kind="me"), FreeSeat(kind="open")]
    room = await new_room(hall, seats=seats, absent="at-once")
    ada, ben = Ear(), Ear()
    ben.person = Somebody("ben", "Ben")
    await room.join(ben, None)
    await room.do(ben.person, Sit("sit", 1))
    for _ in range(20):
        await room.join(ada, None)
        room.leave(ada)
        await soon(lambda: room.table.seats[0].away_since is not None)
    entries = map(rooms.e.decode_entry, (await hall.store.load(room.id)).entries)
    noted = [type(entry) for entry in entries if isinstance(entry, rooms.e.Here | rooms.e.Away)]
    assert noted == [rooms.e.Away, rooms.e.Here] * 5 + [rooms.e.Away]
    await room.do(ben.person, Start("start"))
    await soon(lambda: room.table.mover == 1)
    assert room.table.seats[0].takeover == "away", "it was Ada's turn, and the computer played on"


async def test_a_host_who_went_together_with_the_server_can_be_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr("souk.server.live.registry.BEAT_SECONDS", 0.1)
    file = str(tmp_path / "souk.db")
    first = Hall(SqliteStore(file), Thinkers(1, 0.1))
    await first.open()
    room = await new_room(first, seats=[MySeat(kind="me"), FreeSeat(kind="open")])
    await first.close()
    second = Hall(SqliteStore(file), Thinkers(1, 0.1))
    await second.open()
    try:
        room = await second.room(room.id)
        ben = Ear()
        ben.person = Somebody("ben", "Ben")
        await room.join(ben, None)
        await room.do(ben.person, Sit("sit", 1))
        await room.arrive("ben")
        await soon(lambda: room.table.deputy == "ben")
        await room.do(ben.person, Start("start"))
        assert room.table.status == "playing"
    finally:
        await second.close()
