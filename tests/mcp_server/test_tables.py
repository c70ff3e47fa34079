"""A model takes a seat at a table of a real server."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from souk.engine.errors import SoukError
from souk.mcp_server import tools
from tests.mcp_server.mcp_client import Refused, connected, game_id
from tests.server.server_process import Person, Server, play_on

pytestmark = pytest.mark.asyncio
SEATS = [{"kind": "me"}, {"kind": "open"}]
SMALL = "marrakech(players=2,rugs=3)"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("mcp") / "souk.db") as server:
        yield server


@pytest.mark.parametrize("game", [SMALL, "marracash(players=3)"])
async def test_a_whole_game_at_a_table(server: Server, game: str) -> None:
    ada = Person(server)
    seats = SEATS if game == SMALL else [*SEATS, {"kind": "computer", "level": "random"}]
    table = ada.table(game, seats=seats)
    async with connected() as caller, ada.connect(table) as line:
        joined = await caller.call("join_table", link=f"{server.url}/t/{table}", name="Deep Rug")
        assert "The game has not started. At the table: Ada, Deep Rug" in joined
        id = game_id(joined)
        with pytest.raises(Refused, match="The game has not started"):
            await caller.act(id, "left")
        await line.until(lambda line: line.table["seats"][1]["person"])
        await line.ask("start")

        playing = asyncio.create_task(play_on(line, seats={0}, choose=lambda legal: legal[-1]))
        readings = await caller.play(id)
        await playing
        result = json.loads(await caller.call("result", game_id=id))
    assert any(text.startswith("Ada") for reading in readings for text in reading["news"])
    final = ada.look(table)["table"]["result"]
    assert result["scores"] == final["scores"] and result["returns"] == final["returns"]
    assert result["players"][:2] == ["Ada", "Deep Rug"]


async def test_games_that_are_forgotten_are_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "MOST_GAMES", 2)
    games = tools.OpenGames()
    tables = [Person(server).table(SMALL, seats=SEATS) for _ in range(3)]
    playing = []
    for number, table in enumerate(tables, 1):
        await tools.JoinTable(link=f"{server.url}/t/{table}").run(games)
        task = games.get(f"table-{number}")._playing
        assert task is not None
        playing.append(task)
    await asyncio.wait(playing, timeout=20, return_when=asyncio.FIRST_COMPLETED)
    assert [one.cancelled() for one in playing] == [True, False, False]
    with pytest.raises(SoukError, match="there is no game 'table-1'"):
        games.get("table-1")
    for one in playing:
        one.cancel()


async def test_a_table_that_cannot_be_joined_is_named(server: Server) -> None:
    full = Person(server).table(SMALL)
    free = Person(server).table(SMALL, seats=SEATS)
    async with connected() as caller:
        for link, arguments, expected in (
            (f"t/{full}", {}, "there is no free seat at this table"),
            ("t/nowhere", {}, "There is no such table"),
            (f"t/{free}", {"token": "nobody.x"}, "this token is not valid at"),
        ):
            with pytest.raises(Refused, match=expected):
                await caller.call("join_table", link=f"{server.url}/{link}", **arguments)
        assert "You are Model" in await caller.call("join_table", link=f"{server.url}/t/{free}")


async def test_a_model_comes_back_with_its_token(server: Server) -> None:
    ada = Person(server)
    table = ada.table(SMALL, seats=SEATS, absent="never")
    link = f"{server.url}/t/{table}"
    async with connected() as caller:
        joined = await caller.call("join_table", link=link)
    token = re.search(r"token, .*: (\S+)", joined)
    assert token is not None
    async with ada.connect(table) as line:
        await line.ask("start")
        while line.position["mover"] == 0:
            await line.act(line.position["legal"][0])
        async with connected() as caller:
            back = game_id(await caller.call("join_table", link=link, token=token[1]))
            reading = await caller.read(back)
            assert reading["your_turn"] and reading["you"] == ["Model"]
            assert (await caller.act(back, "left"))["your_turn"], "to lay a rug"
            await line.until(lambda line: line.position["position"]["phase"] == "lay")
            with pytest.raises(Refused, match="'left' is not legal now; legal: "):
                await caller.act(back, "left")


async def test_a_model_goes_on_when_the_server_restarts(tmp_path: Path) -> None:
    with Server(tmp_path / "souk.db") as other:
        ada = Person(other)
        table = ada.table(SMALL, seats=[{"kind": "open"}, {"kind": "me"}], absent="never")
        async with connected() as caller:
            id = game_id(await caller.call("join_table", link=f"{other.url}/t/{table}"))
            async with ada.connect(table) as line:
                await line.ask("start")
            assert (await caller.read(id))["your_turn"]
            other.kill()
            other.restart()
            with pytest.raises(Refused, match=r"the connection to .* broke and is made again"):
                await caller.act(id, "left")
            assert (await caller.read(id))["your_turn"]
            assert (await caller.act(id, "left"))["position"]["phase"] == "lay"


async def test_the_computer_plays_on_for_a_killed_model_and_others_see_it(server: Server) -> None:
    ada = Person(server)
    table = ada.table(SMALL, seats=SEATS, absent="at-once")
    async with ada.connect(table) as line:
        async with connected() as caller:
            await caller.call("join_table", link=f"{server.url}/t/{table}")
            await line.until(lambda line: line.table["seats"][1]["person"])
            await line.ask("start")
        await play_on(line, seats={0})
    assert line.table["result"]["how"] == "played"
