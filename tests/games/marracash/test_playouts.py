"""Random games: the same on both targets, and with the outcomes that exact calculation expects."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest

import souk
from tests.games.marracash.board_facts import COLOUR_OF
from tests.games.marracash.positions import (
    every_knobs,
    game_text,
    make_position,
    mixed_knobs,
    random_position,
    reference,
)

ALL_KNOBS = [knobs for players in (3, 4) for knobs in every_knobs(players)]


def load(knobs):
    return souk.load_game("marracash", **knobs)


def assert_same(one, other):
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.returns, other.returns)
    assert np.array_equal(one.turns, other.turns)


# ---- both targets --------------------------------------------------------------------------------


@pytest.mark.parametrize("knobs", ALL_KNOBS, ids=game_text)
def test_both_targets_play_the_same_games_with_every_knob(knobs):
    game = load(knobs)
    plain = souk.playouts(game, games=5, seed=3, target="python")
    assert_same(souk.playouts(game, games=5, seed=3), plain)


def test_both_targets_go_on_alike_from_any_position():
    rng = Random("targets")
    for _ in range(60):
        knobs = mixed_knobs(rng)
        state = load(knobs).state_from_dict(random_position(rng, knobs))
        plain = souk.playouts(state, games=3, seed=8, target="python")
        assert_same(souk.playouts(state, games=3, seed=8), plain)


@pytest.mark.parametrize(
    "policy", [{"pass_chance": 100}, {"pass_chance": 5, "most_raise": 40}, {"most_raise": 1}]
)
def test_both_targets_bid_alike_by_any_policy(policy):
    game = load({"players": 4})
    plain = souk.playouts(game, games=5, seed=2, policy=policy, target="python")
    assert_same(souk.playouts(game, games=5, seed=2, policy=policy), plain)
    assert not np.array_equal(plain.scores, souk.playouts(game, games=5, seed=2).scores)


@pytest.mark.parametrize(
    "policy", [{"pass_chance": 0}, {"pass_chance": 101}, {"most_raise": 0}, {"bold": 1}, {"": 1}]
)
def test_a_policy_that_makes_no_sense_is_refused(policy):
    with pytest.raises(ValueError, match=next(iter(policy)) or "''"):
        souk.playouts(load({"players": 3}), games=1, policy=policy)


def test_money_and_wins_of_random_games_make_sense():
    for knobs in ALL_KNOBS:
        result = souk.playouts(load(knobs), games=500, seed=4)
        assert (result.scores >= 0).all() and (result.scores % 25 == 0).all()
        most = 1200 * knobs["players"] + 25_750
        assert (result.scores.sum(axis=1) <= most).all()
        assert result.returns.sum(axis=1) == pytest.approx(np.ones(500))
        assert (result.turns > 2 * knobs["players"]).all()


# ---- exact expectation ---------------------------------------------------------------------------


def shares(position, pass_chance, most_raise):
    """How likely a random player takes each legal action, as `playouts` says it does."""
    legal = position.legal()
    bids = [int(text.split()[1]) for text in legal if text.startswith("bid")]
    if not bids:
        return dict.fromkeys(legal, Fraction(1, len(legal)))
    passes = Fraction(pass_chance, 100) if "pass" in legal else Fraction(0)
    result = Counter({"pass": passes} if passes else {})
    for raised in range(most_raise):
        amount = min(bids[0] + 25 * raised, bids[-1])
        result[f"bid {amount}"] += (1 - passes) / most_raise
    return {text: share for text, share in result.items() if share}


def outcomes(position, pass_chance=50, most_raise=4):
    """{(scores, turns): probability} at the end of all lines of play."""
    waiting, result = [(position, Fraction(1))], Counter()
    while waiting:
        here, weight = waiting.pop()
        if here.is_terminal():
            result[tuple(here.scores()), here.turns] += weight
            continue
        for text, share in shares(here, pass_chance, most_raise).items():
            waiting.append((here.after(text), weight * share))
    assert sum(result.values()) == 1
    return result


FULL = {  # all signs but two are up
    **dict.fromkeys(["R1", "R2", "Y1", "Y2", "B1"], (0, 0)),
    **dict.fromkeys(["R3", "R4", "Y3", "Y4", "B2"], (1, 0)),
    **dict.fromkeys(["R5", "Y5", "B3", "B4", "G1", "G2"], (2, 0)),
    **dict.fromkeys(["G3", "G4", "P1", "P2", "P3", "B5"], (3, 0)),
}
HOMES = {"R5": (0, 0), "Y5": (0, 0), "B5": (1, 0), "G5": (2, 0), "P5": (0, 0)}  # out of the way
LAST = {"last_turns": 1, "step": 2, "first_step": "move", "round": 9, "queue": ""}
POSITIONS = {
    "a move or an auction by two who can bid": (
        {"players": 4},
        {"groups": {"F6": "blue yellow"}, "shops": FULL, "dirhams": [200, 225, 900, 50], **LAST},
    ),
    "two moves of a poor player": (
        {"players": 3},
        {
            "groups": {"F3": "blue yellow yellow", "F7": "green"},
            "shops": {"B1": (1, 2), "B4": (2, 0), **HOMES},
            "dirhams": [0, 0, 0],
            **LAST,
            "step": 1,
            "first_step": None,
        },
    ),
    "souvenirs and the owner's choice": (
        {"players": 3, "souvenirs": True, "commission": "per-group"},
        {
            "groups": {"F1": "green green green red purple purple"},
            "shops": {
                "G2": (1, 0),
                "P2": (2, 1),
                "R2": (1, 0),
                "R1": (0, 0),
                **HOMES,
            },
            "dirhams": [50, 50, 50],
            "cards": {
                "open": [["green", 100], ["green", 200]],
                "left": {"red": [50, 75], "green": [125], "purple": [175]},
            },
            **LAST,
        },
    ),
    "visitors pulled in, and new ones": (
        {"players": 4, "pull_in": True},
        {
            "groups": {"F11": "green green", "F8": "red", "F16": "red"},
            "shops": {name: state for name, state in FULL.items() if name != "G3"},
            "dirhams": [150, 125, 0, 175],
            "turn_of": 1,
            **LAST,
            "first_step": "auction",
            "queue": "red yellow blue",
        },
    ),
}
POSITIONS["souvenirs and one commission for a shop"] = (
    {"players": 3, "souvenirs": True, "commission": "once"},
    POSITIONS["souvenirs and the owner's choice"][1],
)


def arranged_end(knobs, arrangement):
    """Put all other visitors into the last shop of their colour, to keep the game tree small."""
    position = make_position(knobs, **arrangement)
    for colour, number in position["groups"].pop("F14").items():
        own = [name for name in position["shops"] if COLOUR_OF[name[0]] == colour]
        position["shops"][own[-1]]["customers"] += number
    return position


@pytest.mark.parametrize("policy", [{}, {"pass_chance": 20, "most_raise": 2}], ids=str)
@pytest.mark.parametrize("name", POSITIONS)
def test_random_games_come_out_as_exact_calculation_says(name, policy):
    """Means of money, of wins and of turns, within five standard errors."""
    knobs, arrangement = POSITIONS[name]
    position = arranged_end(knobs, arrangement)
    expected = outcomes(reference(position, knobs), **policy)
    games = 40_000
    result = souk.playouts(load(knobs).state_from_dict(position), games, seed=5, policy=policy)
    seen = Counter(map(tuple, result.scores.tolist()))
    assert set(seen) <= {scores for scores, _ in expected}
    for seat in range(knobs["players"]):
        exact = float(sum(scores[seat] * p for (scores, _), p in expected.items()))
        sample = result.scores[:, seat]
        assert abs(sample.mean() - exact) <= 5 * sample.std() / games**0.5 + 1e-9
        wins = float(
            sum(
                p / scores.count(max(scores))
                for (scores, _), p in expected.items()
                if scores[seat] == max(scores)
            )
        )
        sample = result.returns[:, seat]
        assert abs(sample.mean() - wins) <= 5 * sample.std() / games**0.5 + 1e-9
    for scores, _ in expected:
        p = float(sum(q for (others, _), q in expected.items() if others == scores))
        assert abs(seen[scores] / games - p) <= 5.5 * (p * (1 - p) / games) ** 0.5 + 1e-9
