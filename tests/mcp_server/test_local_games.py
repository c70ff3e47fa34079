"""Whole games over real standard input and output, against computer players."""

import json
from pathlib import Path

import jsonschema
import pytest

from souk import records
from tests.example_packages import install
from tests.mcp_server.mcp_client import Refused, connected, package

pytestmark = pytest.mark.asyncio
SMALL = "marrakech(players=2,rugs=3)"
ODDITIES = """
from souk.players import Player

class Chatty(Player):
    name = "chatty"
    def think(self, state, actions):
        import os
        print("I think")
        os.system("echo so do I")
        return actions[0]

class Slow(Player):
    name = "slow"
    def think(self, state, actions):
        import time
        time.sleep(2)
        return actions[0]

class Broken(Player):
    name = "broken"
    def think(self, state, actions):
        raise RuntimeError("no idea")
"""


async def test_there_are_at_most_eight_tools_with_descriptions_and_schemas() -> None:
    async with connected() as caller:
        tools = (await caller.client.list_tools()).tools
    assert len(tools) <= 8
    for tool in tools:
        assert tool.description
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.input_schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("game", "opponents"),
    [
        ("marrakech(players=2)", ["greedy"]),
        ("marrakech", ["random", "novice"]),
        ("marracash(players=3)", ["random", "novice"]),
    ],
)
async def test_a_whole_game(game: str, opponents: list[str], tmp_path: Path) -> None:
    save = tmp_path / "games.souk"
    async with connected("--save", str(save)) as caller:
        started = await caller.start(game, seats=["me", *opponents], name="Ada")
        readings = await caller.play(started)
        result = json.loads(await caller.call("result", game_id=started))
    assert sum(result["returns"]) == pytest.approx(1)
    assert result["players"][:2] == ["Ada", "Leila"]
    assert all(reading["news"] for reading in readings[1:])
    assert any(line.startswith("Leila") for reading in readings for line in reading["news"])
    assert readings[-1]["prompt"] == result["text"]
    (record,) = records.read_games(save)
    assert list(record.outcome.scores) == result["scores"]
    assert [seat.plays for seat in record.seats] == ["person", *opponents]


async def test_a_whole_game_of_another_package(tmp_path: Path) -> None:
    async with connected(**install("examples/pig", tmp_path)) as caller:
        assert "Players of pig, weakest first: random" in await caller.call("list_games")
        assert "hold" in await caller.call("rules", game="pig")
        started = await caller.start("pig(target=30)", seats=["greedy", "me"])
        await caller.play(started)
        assert max(json.loads(await caller.call("result", game_id=started))["scores"]) >= 30


async def test_the_same_seed_gives_the_same_game() -> None:
    async with connected() as caller:
        games = []
        for seed in (5, 5, 6):
            started = await caller.start(SMALL, seats=["me", "random"], seed=seed)
            games.append(await caller.play(started))
    assert games[0] == games[1] != games[2]


async def test_a_client_plays_several_seats_and_names_the_player() -> None:
    async with connected() as caller:
        game = await caller.start(SMALL, seats=["me", "me"])
        first = await caller.read(game, player="Model 2")
        assert (first["you"], first["your_turn"]) == (["Model 2"], False)
        with pytest.raises(Refused, match=r"Model 2 cannot act now\. Model: turn Assam"):
            await caller.act(game, "left", player="Model 2")
        with pytest.raises(Refused, match="you do not play 'Leila'; you play Model or Model 2"):
            await caller.act(game, "left", player="Leila")
        laid = await caller.act(game, "left", player="Model")
        reading = await caller.act(game, laid["legal_actions"][0])
        assert reading["your_turn"] and reading["prompt"].startswith("Model 2")
        turned = await caller.act(game, "ahead", player="Model 2")
        news = await caller.read(game, player="Model")
        assert news["news"][-len(turned["news"]) :] == turned["news"], "since Model laid a rug"
        assert len(news["news"]) > len(turned["news"])
        await caller.play(game)


async def test_positions_are_texts_or_json_and_actions_are_listed_on_request() -> None:
    async with connected() as caller:
        game = await caller.start(SMALL)
        text = await caller.call("read_position", game_id=game)
        assert "7 |" in text and text.endswith("Legal actions: left, ahead, right")
        short = await caller.call("act", game_id=game, action=" left ", format="none")
        assert "7 |" not in short and "Model turns Assam left" in short
        reading = await caller.read(game, legal_actions=False)
        assert reading["position"]["phase"] == "lay" and "legal_actions" not in reading


async def test_a_thousand_bids_are_condensed() -> None:
    async with connected() as caller:
        game = await caller.start("marracash(players=3)", seats=["me", "me", "me"])
        assert (await caller.act(game, "auction R3"))["legal_actions"] == ["bid 100, 125 … 1200"]
        bids = (await caller.act(game, "bid 800"))["legal_actions"]
        assert sorted(bids) == ["bid 825, 850 … 1200", "pass"]
        with pytest.raises(Refused, match=r"'bid 810' is not legal now; legal: .*bid 825, 850 … "):
            await caller.act(game, "bid 810")


async def test_a_player_that_thinks_long_is_waited_for_as_long_as_requested(tmp_path: Path) -> None:
    async with connected(**package(tmp_path, ODDITIES)) as caller:
        game = await caller.start(SMALL, seats=["me", "slow"])
        laid = await caller.act(game, "left")
        reading = await caller.act(game, laid["legal_actions"][0], wait=0)
        assert not reading["your_turn"]
        with pytest.raises(Refused, match=r"Model cannot act now\. Leila: "):
            await caller.act(game, "left")
        assert (await caller.read(game, wait=60))["your_turn"]


async def test_what_players_print_disturbs_nobody_and_a_broken_one_is_named(
    tmp_path: Path,
) -> None:
    variables = package(tmp_path, ODDITIES)
    # Buffered, as for a user: what is printed must not be flushed to the protocol at exit.
    async with connected(log=["I think", "so do I"], PYTHONUNBUFFERED="", **variables) as caller:
        await caller.play(await caller.start(SMALL, seats=["me", "chatty"]))
        game = await caller.start(SMALL, seats=["me", "broken"])
        laid = await caller.act(game, "left")
        with pytest.raises(Refused, match=r"^this game cannot go on: the player 'broken' failed: "):
            await caller.act(game, laid["legal_actions"][0])


async def test_the_oldest_games_are_forgotten() -> None:
    async with connected() as caller:
        games = [await caller.start(SMALL, seats=["me", "me"]) for _ in range(101)]
        await caller.read(games[1])
        with pytest.raises(Refused, match=f"there is no game '{games[0]}'; choose {games[1]}, "):
            await caller.read(games[0])
