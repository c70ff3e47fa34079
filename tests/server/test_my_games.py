"""The list, history and statistics of a person's games, on both stores and from a server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from msgspec.structs import replace

from souk.server.store import Store
from souk.server.store.my_games import BATCH, GameStatistics, MyGames
from souk.server.store.people import People
from souk.server.tables import views
from souk.server.tables.table import Table
from souk.server.tables.views import ResultView, SeatView, TableView
from tests.server.postgres import Postgres
from tests.server.server_process import Person, Server, play_on
from tests.server.store_helpers import append, change, config, create, open_store

ANN, BOB, COMPUTER = ("person", "ann"), ("person", "bob"), ("computer", None)
TINY = "marrakech(players=2,rugs=2)"


@pytest_asyncio.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        async with open_store(str(tmp_path / "souk.db")) as store:
            yield store
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        with postgres.database() as url:
            async with open_store(url) as store:
                yield store


def view(seats: list[tuple[Any, Any]], **more: Any) -> TableView:
    """Return the view of a table with people and computers in its seats."""
    base = views.table_view(Table(replace(config(), secret="00" * 32)))
    seat = base.seats[1]
    filled = [
        replace(seat, seat=number, kind=kind, person=person)
        for number, (kind, person) in enumerate(seats)
    ]
    return replace(base, name="marrakech", seats=filled, **more)


async def add(
    store: Store, id: str, shown: TableView | bytes, *, at: int = 1, status: str = "over"
) -> None:
    """Store a table with everybody who has a seat there."""
    raw = shown if isinstance(shown, bytes) else views.encode(replace(shown, id=id))
    await create(store, id, participant="ann", view=raw, status=status, at=at)
    people = [] if isinstance(shown, bytes) else [seat.person for seat in shown.seats]
    for n, person in enumerate(filter(None, people), 2):
        await append(store, change(id, n, participant=person, view=raw, status=status, at=at))


def over(
    seats: list[tuple[Any, Any]],
    ranking: list[list[int]],
    scores: list[int],
    *,
    at: int = 1,
    how: Any = "played",
    **more: Any,
) -> TableView:
    returns = [1 / len(ranking[0]) if seat in ranking[0] else 0.0 for seat in range(len(seats))]
    result = ResultView(how, ranking, returns, scores, "")
    return view(seats, status="over", ended=at, result=result, **more)


def ids(listed: list[bytes]) -> list[str]:
    return [msgspec.json.decode(one)["id"] for one in listed]


@pytest.mark.asyncio
async def test_statistics_are_apart_for_each_game_and_for_games_with_people(store: Store) -> None:
    mine = MyGames(store)
    assert await mine.statistics("ann") == []
    alone, both, three = [ANN, COMPUTER], [BOB, ANN], [ANN, COMPUTER, BOB]
    await add(store, "a", over(alone, [[0], [1]], [40, 20], at=1))
    await add(store, "b", over(alone, [[0], [1]], [50, 20], at=2))
    await add(store, "c", over(alone, [[1], [0]], [10, 20], at=3))
    await add(store, "d", over(alone, [[0], [1]], [60, 20], at=4))
    await add(store, "e", over(both, [[0, 1]], [30, 30], at=5))
    await add(store, "f", over(three, [[1, 2], [0]], [7, 9, 9], at=6))
    await add(store, "g", over(three, [[1], [2], [0]], [8, 9, 0], at=7, how="resigned"))
    cash = replace(over(both, [[1], [0]], [100, 300], at=8), name="marracash")
    await add(store, "h", cash)
    # These do not count: aborted, several seats, no seat, another's, in progress.
    await add(store, "i", over(alone, [[0, 1]], [30, 30], how="aborted"))
    await add(store, "j", over([ANN, ANN], [[0], [1]], [30, 20]))
    await add(store, "k", over([COMPUTER, COMPUTER], [[0], [1]], [30, 20]))
    await add(store, "l", view(alone, status="playing"), status="playing")
    await add(store, "m", b"damaged")
    await mine.set_luck("a", [0.25, -0.25])
    await mine.set_luck("c", [-0.125, 0.125])
    expected = [
        GameStatistics("marracash", True, 1, 1.0, 300.0, 1.0, 1, None, 0),
        GameStatistics("marrakech", False, 4, 3.0, 40.0, 1.25, 2, 0.0625, 2),
        GameStatistics("marrakech", True, 3, 0.5, 18.5, 7 / 3, 0, None, 0),
    ]
    assert await mine.statistics("ann") == expected
    (cash_of_bob, bob) = await mine.statistics("bob")
    assert (cash_of_bob.won, cash_of_bob.place) == (0.0, 2.0)
    assert (bob.played, bob.won, bob.streak) == (3, 1.0, 0)
    assert await mine.hide("ann", "h")
    assert await mine.statistics("ann") == expected[1:]


@pytest.mark.asyncio
async def test_history_has_pages_and_can_be_of_one_game(store: Store) -> None:
    mine = MyGames(store)
    count = BATCH + 5
    for number in range(count):
        shown = over([ANN, COMPUTER], [[0], [1]], [40, 20], at=number // 2)
        if number % 10 == 0:
            shown = replace(shown, name="marracash")
        await add(store, f"t{number:04}", shown, at=number)
    await add(store, "live", view([ANN, BOB], status="playing"), status="playing")
    await add(store, "bad", b'{"id":"bad"}', at=9999)
    newest = ["bad", *(f"t{number:04}" for number in reversed(range(count)))]
    assert ids(await mine.views("ann", 3)) == ["live", *newest[:2]]
    assert ids(await mine.views("bob", 3)) == ["live"]
    found: list[str] = []
    while page := ids(await mine.history("ann", 50, before=found[-1] if found else None)):
        found += page
    assert found == newest
    cash = ids(await mine.history("ann", 3, game="marracash"))
    assert cash == ["t0200", "t0190", "t0180"]
    assert ids(await mine.history("ann", 2, game="marracash", before=cash[-1])) == [
        "t0170",
        "t0160",
    ]
    assert await mine.history("ann", 9, game="other") == []
    assert await mine.history("ann", 9, before="unknown") == []
    assert await mine.history("bob", 9) == []


@pytest.mark.asyncio
async def test_a_table_is_removed_from_the_list_of_one_person(store: Store) -> None:
    mine = MyGames(store)
    await add(store, "over", over([ANN, BOB], [[0], [1]], [40, 20]))
    await add(store, "live", view([ANN, BOB], status="playing"), status="playing")
    for _ in range(2):
        assert await mine.hide("ann", "over")
        assert not await mine.hide("ann", "live"), "ann plays there"
    assert await mine.hide("ann", "unknown") and await mine.hide("eve", "live")
    assert ids(await mine.views("ann", 9)) == ["live"] and await mine.history("ann", 9) == []
    assert ids(await mine.views("bob", 9)) == ["live", "over"]
    playing = view([ANN, BOB], status="playing")
    for field in ({"resigned": True}, {"takeover": "left"}):
        gone: SeatView = replace(playing.seats[0], **field)
        raw = views.encode(replace(playing, id="live", seats=[gone, playing.seats[1]]))
        n = len((await store.load("live")).entries)  # type: ignore[union-attr]
        await append(store, change("live", n + 1, view=raw, status="playing"))
        assert await mine.hide("ann", "live")
        assert await mine.views("ann", 9) == []
        # Whoever takes a seat has the table in the list again.
        sat = [change("live", n + 2, participant="ann", view=raw)]
        sat.append(change("live", n + 3, participant="ann", view=raw, status="playing"))
        assert all(await asyncio.gather(*(append(store, one) for one in sat)))
        assert ids(await mine.views("ann", 9)) == ["live"]


@pytest.mark.asyncio
async def test_a_damaged_table_can_be_removed(store: Store) -> None:
    mine = MyGames(store)
    await add(store, "live", b"{}", status="playing")
    assert await mine.hide("ann", "live")
    await mine.set_luck("live", [0.0, 0.0])
    assert await mine.views("ann", 9) == []


@pytest.mark.asyncio
async def test_results_are_deleted_with_the_person_or_the_table(store: Store) -> None:
    mine, people = MyGames(store), People(store)
    for id in ("a", "b"):
        await add(store, id, over([ANN, BOB], [[0], [1]], [40, 20], at=5), at=5)
    assert [one.played for one in await mine.statistics("ann")] == [2]
    await store.delete_table("a", 9)
    assert [one.played for one in await mine.statistics("ann")] == [1]
    await people.finish_erasure("ann")
    assert await mine.statistics("ann") == [] and await mine.history("ann", 9) == []
    assert [one.played for one in await mine.statistics("bob")] == [1]


@pytest.mark.asyncio
async def test_a_game_that_ends_appears_in_history_and_statistics(tmp_path: Path) -> None:
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada, ben = Person(server), Person(server, "Ben")
        seats = [{"kind": "me"}, {"kind": "computer", "level": "random"}]
        table = ada.table(TINY, seats=seats, start=True)
        address = f"/api/me/tables/{table}"
        refused = ada.http.delete(address)
        assert (refused.status_code, refused.json()["code"]) == (409, "not-over")
        async with ada.connect(table) as line:
            await play_on(line, seats=[0])
            await line.until(lambda line: line.table["status"] == "over")
            result = line.table["result"]
        (listed,) = ada.http.get("/api/me/history").json()
        assert (listed["id"], listed["result"]) == (table, result)
        assert ada.http.get("/api/me/history", params={"game": "other"}).json() == []
        assert ada.http.get("/api/me/history", params={"game": "\0"}).status_code == 422
        assert ada.http.get("/api/me/history", params={"before": table}).json() == []
        expected = {
            "game": "marrakech",
            "people": False,
            "played": 1,
            "won": result["returns"][0],
            "score": result["scores"][0],
            "place": next(n for n, group in enumerate(result["ranking"], 1) if 0 in group),
            "streak": int(result["returns"][0] == 1),
            "luck": None,
            "analysed": 0,
        }
        assert ada.http.get("/api/me/statistics").json() == [expected]
        while not (reply := ada.http.get(f"/api/tables/{table}/analysis").json())["ready"]:
            await asyncio.sleep(0.2)
        luck = reply["analysis"]["players"][0]["luck"]
        for _ in range(100):  # it is stored just after the analysis is ready
            (found,) = ada.http.get("/api/me/statistics").json()
            if found["analysed"]:
                break
            await asyncio.sleep(0.1)
        assert found == expected | {"luck": pytest.approx(luck, abs=1e-4), "analysed": 1}
        assert ben.http.delete(address).status_code == 204, "it is not on Ben's list anyway"
        assert ada.http.get("/api/me/statistics").json() == [found]
        for _ in range(2):
            assert ada.http.delete(address).status_code == 204
        for what in ("tables", "history", "statistics"):
            assert ada.http.get(f"/api/me/{what}").json() == []
        assert ada.look(table)["table"]["status"] == "over", "the table itself stays"
        assert ada.http.delete("/api/me/tables/x").status_code == 404


@pytest.mark.asyncio
async def test_a_seat_that_is_taken_back_brings_a_removed_game_back(tmp_path: Path) -> None:
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada, ben = Person(server), Person(server, "Ben")
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
        async with ada.connect(table) as host, ben.connect(table) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("start")
            await guest.ask("leave", seat=1)
            assert ben.http.delete(f"/api/me/tables/{table}").status_code == 204
            assert ben.http.get("/api/me/tables").json() == []
            assert (await guest.ask("take-back", seat=1))["type"] == "ack"
            assert [one["id"] for one in ben.http.get("/api/me/tables").json()] == [table]
