"""Luck in chance steps, and shares of the win without it, checked on players of known strength."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

import souk
from souk.arena import Entrant, compete
from souk.arena.game_runner import SetupDice
from souk.arena.intervals import FEWEST_SETUPS, AdjustedTest
from souk.arena.luck import LuckMeter
from souk.arena.ratings import SCALE, ratings
from souk.arena.report import standings_text
from souk.arena.standings import Share, compute_standings
from souk.arena.stopping_rule import StoppingRule
from tests.arena.synthetic_games import make_tournament, play_synthetic

STRENGTHS = {"random": 2.0, "random#2": 1.0}


def measure(seats: int, seed: int, evaluation: float, games: int = 72) -> Share:
    """Return the share of the stronger of two players after a synthetic tournament."""
    tournament = make_tournament(2, seats, games=games)
    return compute_standings(play_synthetic(tournament, STRENGTHS, seed, evaluation)).shares[0]


@pytest.mark.parametrize(("seats", "evaluation"), [(2, 1.0), (4, 0.7), (3, -1.0)])
def test_adjusted_shares_have_no_bias_and_intervals_that_hold(
    seats: int, evaluation: float
) -> None:
    """The strengths are planted; the evaluation may be right, half right or quite wrong."""
    truth = 2 / (seats + 1)
    adjusted = []
    inside = 0
    trials = 40
    for seed in range(trials):
        share = measure(seats, seed, evaluation).adjusted
        assert share is not None
        adjusted.append(share.share)
        inside += share.low <= truth <= share.high
    error = np.std(adjusted, ddof=1) / trials**0.5
    assert abs(np.mean(adjusted) - truth) < 3.5 * error
    assert inside >= 0.95 * trials - 3 * (0.05 * 0.95 * trials) ** 0.5


def test_luck_that_is_subtracted_saves_games() -> None:
    def gain(evaluation: float) -> float:
        share = measure(3, 1, evaluation, games=1200)
        assert share.adjusted is not None
        return ((share.high - share.low) / (2 * share.adjusted.error)) ** 2

    for evaluation in (1.0, 0.5):  # the regression finds how much luck counts
        assert gain(evaluation) > 5
    assert gain(-1.0) > 1  # even if good luck is taken for bad


def test_ratings_are_more_exact_without_luck() -> None:
    progress = play_synthetic(make_tournament(2, 3, games=600), STRENGTHS, 3, evaluation=1.0)
    games = progress.complete_games()
    players = list(STRENGTHS)
    adjusted = ratings(games, players)[1]
    plain = ratings([replace(game, luck=(0.0,) * 3) for game in games], players)[1]
    assert adjusted.low < SCALE * math.log(1 / 2) < adjusted.high
    assert plain.high - plain.low > 2 * (adjusted.high - adjusted.low)


def test_the_test_without_luck_keeps_its_error_rate() -> None:
    """Most setups are about even, some are far off: equal players must seldom be told apart."""
    draw = np.random.default_rng(1)
    trials, setups = 400, 400
    values = 0.5 + draw.normal(0, 0.06, (trials, setups))
    values += draw.choice([-0.5, 0.5], (trials, setups)) * (draw.random((trials, setups)) < 0.05)
    wrong = sum(
        any(
            StoppingRule("decided").answer(row[:count].tolist(), 0.5, 0.05, is_adjusted=True)
            for count in range(FEWEST_SETUPS, setups + 1, 10)
        )
        for row in values
    )
    assert wrong / trials <= 0.05
    small = AdjustedTest([0.9] * (FEWEST_SETUPS - 1))
    assert not small.is_above(0.5) and small.interval().low == 0


def test_a_tournament_without_luck_stops_sooner() -> None:
    def games(evaluation: float) -> int:
        tournament = make_tournament(2, 2, games=3000, until="width=0.08")
        return play_synthetic(tournament, STRENGTHS, 1, evaluation).played

    assert games(1.0) < games(0.0) / 5


def test_the_luck_of_a_chance_step_is_0_on_average() -> None:
    """Whoever plays: known levels and strangers, here with a thorough search."""
    game = souk.load_game("marrakech(players=3)")
    entrants = [Entrant.parse(text) for text in ("master:nodes=2000", "trader", "somebody")]
    state = game.new_initial_state(1)
    pick = random.Random(1)
    steps = 0
    while not state.is_terminal():
        if state.is_chance_node() and pick.random() < 0.2:
            total = np.zeros(3)
            for outcome, probability in state.chance_outcomes():
                meter = LuckMeter(game, entrants)
                meter.add(state, outcome)
                assert sum(meter.luck) == pytest.approx(0, abs=1e-5)
                total += probability * np.array(meter.luck)
            assert total == pytest.approx(np.zeros(3), abs=1e-9)
            steps += 1
        state.apply_action(
            SetupDice(1, steps).draw(state)
            if state.is_chance_node()
            else pick.choice(state.legal_actions())
        )
    assert steps > 3


def test_real_games_are_adjusted() -> None:
    game = "marrakech(players=2,two_player=one-colour,rugs=6)"
    standings = compete(game, "trader", "greedy", games=80, workers=1)
    share = standings.shares[0]
    assert share.adjusted is not None and share.efficiency is not None
    assert share.efficiency > 2 and share.adjusted.error < (share.high - share.low) / 2
    assert share.low < share.adjusted.share < share.high
    assert "luck-adjusted" in standings_text(standings)


def test_a_game_without_luck_has_no_adjusted_shares() -> None:
    standings = compute_standings(play_synthetic(make_tournament(2, 2, games=8), STRENGTHS, 1))
    assert standings.shares[0].adjusted is None
    assert "luck-adjusted" not in standings_text(standings)
