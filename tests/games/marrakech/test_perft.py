"""Every line of play from some positions: the same counts and values as the reference's."""

import json
from fractions import Fraction

import pytest

import souk
from tests.games.marrakech.perft import FILE, count, positions
from tests.games.marrakech.reference import Reference

MOST_LINES = 15_000  # deeper ones only serve as exact expectations of random games
COUNTED = json.loads(FILE.read_text("utf-8"))


def walk_tree(state, depth, weight, counts):
    """Add up, for every depth still to go, the lines of play and what they are worth."""
    legal = state.legal_actions()
    outcomes = (
        state.chance_outcomes()
        if state.is_chance_node()
        else [(action, 1 / len(legal)) for action in legal]
    )
    for action, share in outcomes:
        state.apply_action(action)
        here = counts[-depth]
        here["lines"] += 1
        here["weight"] += weight * share
        is_over = state.is_terminal()
        here["ended"] += is_over
        scores, returns = state.scores(), state.returns()
        for record in counts[-depth:] if is_over else [here]:  # an ended game stays as it is
            for seat, score in enumerate(scores):
                record["scores"][seat] += weight * share * score
                record["returns"][seat] += weight * share * returns[seat]
        if is_over:
            for record in counts[len(counts) - depth + 1 :]:
                record["weight"] += weight * share
        elif depth > 1:
            walk_tree(state, depth - 1, weight * share, counts)
        state.undo_action()


@pytest.mark.parametrize("name", COUNTED)
def test_lines_of_play_have_the_counts_and_values_of_the_reference(name):
    position = COUNTED[name]["position"]
    depths = [depth for depth in COUNTED[name]["depths"] if depth["lines"] < MOST_LINES]
    state = souk.load_game(position["game"]).state_from_dict(position)
    seats = range(state.game.num_players())
    result = [
        {
            "lines": 0,
            "ended": 0,
            "weight": 0.0,
            "scores": [0.0 for _ in seats],
            "returns": [0.0 for _ in seats],
        }
        for _ in depths
    ]
    walk_tree(state, len(depths), 1.0, result)
    for ours, theirs in zip(result, depths, strict=True):
        assert (ours["lines"], ours["ended"]) == (theirs["lines"], theirs["ended"])
        assert ours["weight"] == pytest.approx(1)
        assert ours["scores"] == pytest.approx([float(Fraction(text)) for text in theirs["scores"]])
        assert ours["returns"] == pytest.approx(
            [float(Fraction(text)) for text in theirs["returns"]]
        )
    assert state.to_dict() == souk.load_game(position["game"]).state_from_dict(position).to_dict()


def test_counts_json_is_what_the_reference_counts():
    """The file was not edited by hand: its shallow depths are counted again."""
    for name, (knobs, position, depth) in positions().items():
        assert COUNTED[name]["position"] == position
        shallow = min(depth, 4)
        assert COUNTED[name]["depths"][:shallow] == count(
            Reference.from_dict(position, **knobs), shallow
        )


WHOLE_GAMES = [
    name
    for name, counted in COUNTED.items()
    if sum(map(Fraction, counted["depths"][-1]["returns"])) == 1
]


@pytest.mark.parametrize("name", WHOLE_GAMES)
def test_random_games_come_out_as_exact_expectation_says(name):
    """The law of large numbers, for every seat: within five standard errors of the exact mean."""
    position, last = COUNTED[name]["position"], COUNTED[name]["depths"][-1]
    state = souk.load_game(position["game"]).state_from_dict(position)
    games = 300_000
    result = souk.playouts(state, games=games, seed=11)
    for seat in range(state.game.num_players()):
        for sample, exact in (
            (result.scores[:, seat], last["scores"][seat]),
            (result.returns[:, seat], last["returns"][seat]),
            (result.turns, last["turns"]),
        ):
            error = sample.std() / games**0.5
            assert abs(sample.mean() - float(Fraction(exact))) <= 5 * error + 1e-9


def test_whole_games_are_among_the_positions():
    assert len(WHOLE_GAMES) == 5
