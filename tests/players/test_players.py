"""Computer players choose legal actions, repeatably, and the better one wins."""

import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import souk
from souk.players import Player

GAMES = [
    "marrakech(players=2,rugs=4)",
    "marrakech(players=3,rugs=3)",
    "marrakech(players=4,rugs=3)",
    "marracash(players=3)",
]


def play(game: souk.Game, seats: list[Player], dice: random.Random) -> souk.State:
    state = game.new_initial_state(1)
    while not state.is_terminal():
        seat = state.current_player()
        if seat == souk.CHANCE:
            outcomes = state.chance_outcomes()
            drawn = dice.choices([a for a, _ in outcomes], [p for _, p in outcomes])
            state.apply_action(drawn[0])
        else:
            before = state.to_dict()
            action = seats[seat].choose(state)
            assert action in state.legal_actions()
            assert state.to_dict() == before, "a player must not change the state it is shown"
            state.apply_action(action)
            assert min(state.scores()) >= 0, "nobody spends more than they have"
    return state


@pytest.mark.parametrize(
    ("text", "name"), [(text, name) for text in GAMES for name in souk.players(text.split("(")[0])]
)
def test_a_seeded_player_plays_the_same_game_again(text: str, name: str) -> None:
    game = souk.load_game(text)

    def play_once(seed: int) -> list[int]:
        chairs = range(game.num_players())
        seats = [souk.player(name, game, nodes=300, seed=seed + seat) for seat in chairs]
        return play(game, seats, random.Random(1)).history()

    assert play_once(1) == play_once(1)
    # A fine evaluation hardly ever has ties to break at random.
    assert name in ("expert", "master") or any(
        play_once(1) != play_once(seed) for seed in (20, 40, 60)
    )


def test_greedy_beats_random() -> None:
    game = souk.load_game("marrakech", players=2, rugs=6)
    wins = 0.0
    for number in range(40):
        seats = [souk.player("greedy", game, seed=number), souk.player("random", game, seed=number)]
        if number % 2:
            seats.reverse()
        wins += play(game, seats, random.Random(number)).returns()[number % 2]
    assert wins > 30


def test_greedy_turns_assam_away_from_the_dearest_rugs() -> None:
    game = souk.load_game("marrakech", players=2, two_player="one-colour")
    position = game.new_initial_state().to_dict()
    for number, squares in enumerate([("d3", "d2"), ("d1", "e1"), ("e2", "e3"), ("e4", "f4")]):
        for square in squares:
            position["squares"][square] = {"colour": "yellow", "rug": number}
    state = game.state_from_dict(position)  # Assam on d4 facing south: left is east
    assert state.action_to_string(souk.player("greedy", game).choose(state)) == "right"


def auction(shop: str, bid: int, position: dict[str, Any] | None = None) -> souk.State:
    """MarraCash with four: seat 0 opens an auction, seat 1 is asked."""
    game = souk.load_game("marracash")
    state = game.state_from_dict(position) if position else game.new_initial_state(3)
    for text in (f"auction {shop}", f"bid {bid}"):
        state.apply_action(state.string_to_action(text))
    return state


def answer(name: str, state: souk.State, seed: int = 1) -> str:
    return state.action_to_string(souk.player(name, state.game, seed=seed).choose(state))


def all_served(colour: str, shop: str) -> dict[str, Any]:
    """A setup in which all visitors of a colour are customers of one shop already."""
    position = souk.load_game("marracash").new_initial_state(3).to_dict()
    count = position["queue"].count(colour)
    position["queue"] = [one for one in position["queue"] if one != colour]
    for group in position["groups"].values():
        count += group.pop(colour, 0)
    position["shops"] = {shop: {"owner": 2, "customers": count}}
    position["players"][2]["signs"] -= 1
    return position


def test_greedy_buys_what_is_cheap_with_the_smallest_raise() -> None:
    assert answer("greedy", auction("P3", 100)) == "bid 125"


def test_greedy_passes_when_a_shop_costs_more_than_it_can_earn() -> None:
    state = auction("P3", 100)
    while answer("greedy", state) != "pass":
        state.apply_action(state.string_to_action(answer("greedy", state)))
    price = int(state.action_to_string(state.history()[-1]).split()[1])
    assert 200 <= price <= 900
    assert answer("greedy", auction("P3", 1000)) == "pass"


def test_greedy_does_not_bid_for_a_shop_without_visitors() -> None:
    position = all_served("purple", "P1")
    assert answer("greedy", auction("P3", 100, position)) == "pass"
    assert answer("greedy", auction("R3", 100, position)) == "bid 125"


def test_greedy_leads_a_group_into_its_own_shop() -> None:
    """Shop B3 on the way from F1 to F6: the one move that earns anything, if it is one's own."""
    game = souk.load_game("marracash")
    position = game.new_initial_state(3).to_dict() | {"round": 2}
    position["shops"] = {"B3": {"owner": 0, "customers": 0}}
    position["players"][0]["signs"] -= 1
    state = game.state_from_dict(position)
    assert answer("greedy", state) == "move F1>F6"
    state.apply_action(state.string_to_action("move F1>F6"))
    assert state.scores()[0] > 1200


def test_random_bids_are_small() -> None:
    """Even bids would ruin everyone in the first auction: raises are of four steps at most."""
    state = auction("P3", 100)
    answers = {answer("random", state, seed) for seed in range(200)}
    assert answers == {"pass", "bid 125", "bid 150", "bid 175", "bid 200"}


def test_greedy_beats_random_in_the_market_too() -> None:
    game = souk.load_game("marracash", players=3)
    wins = 0.0
    for number in range(4):
        seats = [souk.player("random", game, seed=number + seat) for seat in range(3)]
        seats[number % 3] = souk.player("greedy", game, seed=number)
        wins += play(game, seats, random.Random(number)).returns()[number % 3]
    assert wins == 4


def test_analysis_covers_every_action_and_shares_sum_to_one() -> None:
    game = souk.load_game("marrakech", players=3)
    state = game.new_initial_state()
    result = souk.player("greedy", game, nodes=300, seed=1).analyse(state)
    assert sorted(one.action for one in result) == state.legal_actions()
    for one in result:
        assert one.text == state.action_to_string(one.action)
        assert sum(one.shares) == pytest.approx(1)
    assert [one.shares[0] for one in result] == sorted(
        (one.shares[0] for one in result), reverse=True
    )
    assert result == souk.player("greedy", game, nodes=300, seed=1).analyse(state)


def test_analysis_of_a_chance_node_has_every_outcome() -> None:
    game = souk.load_game("marrakech", players=3)
    state = game.new_initial_state()
    state.apply_action(0)
    result = souk.player("expert", game, nodes=50, seed=1).analyse(state)
    assert [one.text for one in result] == ["1", "2", "3", "4"]
    state.apply_action(result[2].action)
    assert (
        result[2].shares == souk.player("expert", game, nodes=50, seed=1).analyse(state)[0].shares
    )
    # Two colours each: after the first deal, chance deals again.
    game = souk.load_game("marrakech", players=2)
    for one in souk.player("random", game, nodes=40, seed=1).analyse(game.new_initial_state()):
        assert sum(one.shares) == pytest.approx(1)


def test_analysis_takes_the_time_it_is_given() -> None:
    game = souk.load_game("marrakech", players=3)
    state = game.new_initial_state()
    souk.player("greedy", game, nodes=1).analyse(state)  # compiled from now on
    started = time.perf_counter()
    result = souk.player("greedy", game, seconds=0.3, seed=1).analyse(state)
    assert 0.25 < time.perf_counter() - started < 2
    assert len(result) == 3 and all(sum(one.shares) == pytest.approx(1) for one in result)


class Meddler(Player):
    """Changes what it is shown, then returns a given answer."""

    name = "meddler"
    answer: object = None

    def think(self, state: souk.State, actions: list[int]) -> int:
        state.apply_action(actions[0])
        actions.clear()
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_player_cannot_change_the_game_it_is_shown() -> None:
    game = souk.load_game("marrakech")
    state = game.new_initial_state()
    player = Meddler(game)
    player.answer = np.int64(2)
    before = state.to_dict()
    action = player.choose(state)
    assert action == 2 and type(action) is int
    assert state.to_dict() == before and state.history() == []


@pytest.mark.parametrize("answer", [None, 99_999, -1, "left", True])
def test_an_illegal_answer_names_the_player(answer: object) -> None:
    game = souk.load_game("marrakech")
    player = Meddler(game)
    player.answer = answer
    with pytest.raises(souk.SoukError, match=r"the player 'meddler' chose .* not legal"):
        player.choose(game.new_initial_state())


def test_a_failure_names_the_player() -> None:
    game = souk.load_game("marrakech")
    player = Meddler(game)
    player.answer = ZeroDivisionError("by zero")
    with pytest.raises(souk.SoukError, match="'meddler' failed: ZeroDivisionError: by zero"):
        player.choose(game.new_initial_state())


def test_numpy_numbers_are_numbers_and_texts_are_no_games() -> None:
    game = souk.load_game("marrakech")
    player = souk.player("greedy", game, nodes=np.int64(5), seed=np.int64(1))
    assert type(player.nodes) is int
    assert souk.player("greedy", game, seconds=np.float32(0.5)).seconds == 0.5
    with pytest.raises(souk.SoukError, match="as load_game gives it, not 'marrakech'"):
        souk.player("greedy", "marrakech")


def test_a_player_is_asked_only_when_a_player_is_to_move() -> None:
    game = souk.load_game("marrakech")
    state = game.new_initial_state()
    state.apply_action(0)
    with pytest.raises(souk.SoukError, match="only when a player is to move"):
        souk.player("random", game).choose(state)
    with pytest.raises(souk.SoukError, match="was made for"):
        souk.player("random", souk.load_game("marrakech", players=2)).choose(state)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": "deep blue"}, "no computer player 'deep blue'; choose random, novice,"),
        ({"seconds": 1, "nodes": 1}, "seconds or nodes, not both"),
        ({"seconds": 0}, "seconds is a number over 0"),
        ({"seconds": "x"}, "seconds is a number over 0 and under 1000000, not 'x'"),
        ({"seconds": 10**400}, "seconds is a number over 0 and under 1000000, not 1000"),
        ({"seconds": float("nan")}, "seconds is a number over 0"),
        ({"nodes": 0}, "nodes is a whole number over 0"),
        ({"nodes": True}, "nodes is a whole number over 0, not True"),
        ({"nodes": 2**63}, f"nodes is a whole number up to {10**18}, not {2**63}"),
        ({"seed": []}, r"a seed is a whole number from 0 to 2\*\*63 - 1, not \[\]"),
        ({"seed": -1}, "a seed is a whole number"),
    ],
)
def test_bad_arguments_are_refused(wrong: dict[str, object], message: str) -> None:
    game = souk.load_game("marrakech")
    arguments: dict[str, object] = {"name": "greedy", **wrong}
    name = str(arguments.pop("name"))
    with pytest.raises(souk.SoukError, match=message):
        souk.player(name, game, **arguments)


class Puller(Player):
    """Leads a group there and back as long as it can; else anything will do."""

    name = "puller"
    cycle = ("move F1>F2", "move F2>F1")

    def think(self, state: souk.State, actions: list[int]) -> int:
        texts = {state.action_to_string(action): action for action in actions}
        return next((texts[text] for text in self.cycle if text in texts), actions[-1])


def test_players_stop_repeating_a_cycle_of_moves() -> None:
    """The rules of MarraCash set no limit to the turns, so a computer player does."""
    game = souk.load_game("marracash(players=3)")
    state, pick = game.new_initial_state(1), random.Random(1)
    while not all(can_play(state.clone(), Puller.cycle * times) for times in (1, 2)):
        state.apply_action(game.random_action(state, pick))
    puller, texts = Puller(game), []
    while len(texts) < 30:
        texts.append(state.action_to_string(action := puller.choose(state)))
        state.apply_action(action)
    # Two turns there and back are the shortest cycle of three players.
    assert texts[:12] == [*Puller.cycle] * 6, "three cycles are allowed"
    assert texts[12] not in Puller.cycle


def can_play(state: souk.State, texts: Sequence[str]) -> bool:
    for text in texts:
        if text not in map(state.action_to_string, state.legal_actions()):
            return False
        state.apply_action(state.string_to_action(text))
    return True
