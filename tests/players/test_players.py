"""Computer players choose legal actions, repeatably, and the better one wins."""

import random

import pytest

import souk
from souk.players import Player

GAMES = [
    "marrakech(players=2,rugs=4)",
    "marrakech(players=3,rugs=3)",
    "marrakech(players=4,rugs=3)",
]


def play(game: souk.Game, seats: list[Player], dice: random.Random) -> souk.State:
    state = game.new_initial_state()
    while not state.is_terminal():
        seat = state.current_player()
        if seat == souk.CHANCE:
            outcomes = state.chance_outcomes()
            drawn = dice.choices([a for a, _ in outcomes], [p for _, p in outcomes])
            state.apply_action(drawn[0])
        else:
            before = state.to_dict()
            action = seats[seat].choose(state)
            assert state.to_dict() == before, "a player must not change the state it is shown"
            state.apply_action(action)
    return state


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("name", souk.players("marrakech"))
def test_a_seeded_player_plays_the_same_game_again(text: str, name: str) -> None:
    game = souk.load_game(text)

    def once(seed: int) -> list[int]:
        seats = [souk.player(name, game, seed=seed + seat) for seat in range(game.num_players())]
        return play(game, seats, random.Random(1)).history()

    assert once(1) == once(1)
    assert any(once(1) != once(seed) for seed in (20, 40, 60))


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


def test_analysis_covers_every_action_and_shares_sum_to_one() -> None:
    game = souk.load_game("marrakech", players=3)
    state = game.new_initial_state()
    found = souk.player("greedy", game, nodes=300, seed=1).analyse(state)
    assert sorted(one.action for one in found) == state.legal_actions()
    for one in found:
        assert one.text == state.action_to_string(one.action)
        assert sum(one.shares) == pytest.approx(1)
    assert [one.shares[0] for one in found] == sorted(
        (one.shares[0] for one in found), reverse=True
    )
    assert found == souk.player("greedy", game, nodes=300, seed=1).analyse(state)


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
        ({"name": "deep blue"}, "no computer player 'deep blue'; there is random or greedy"),
        ({"seconds": 1, "nodes": 1}, "seconds or nodes, not both"),
        ({"seconds": 0}, "seconds is a number over 0"),
        ({"nodes": 0}, "nodes is a whole number over 0"),
    ],
)
def test_absurd_wishes_are_refused(wrong: dict[str, object], message: str) -> None:
    game = souk.load_game("marrakech")
    arguments: dict[str, object] = {"name": "greedy", **wrong}
    name = str(arguments.pop("name"))
    with pytest.raises(souk.SoukError, match=message):
        souk.player(name, game, **arguments)  # type: ignore[arg-type]
