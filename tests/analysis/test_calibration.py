"""Reliability tables: intervals that hold, and biased predictions that are found."""

from collections.abc import Iterator
from random import Random

import pytest

from bench.calibration import MIXES, STATIC, predict_game, predictions
from bench.mixed_games import play_mixed, static_shares
from souk.analysis.calibration import Prediction, reliability
from souk.analysis.decisions import undo_to
from souk.analysis.rollouts import RolloutRunner
from souk.games import load_game
from souk.players.levels import Expert

GAME = "marrakech(players=2,two_player=one-colour,rugs=3)"


def predicted(random: Random, games: int, too_high: float = 0.0) -> Iterator[Prediction]:
    """Yield five predictions of every game, whose result they share."""
    for game in range(games):
        share = random.uniform(0.1, 0.8)
        result = float(random.random() < share)
        for turn in range(5):
            yield Prediction(game, share + too_high, result, turn % 2 == 0)


def test_intervals_cover_the_expected_result() -> None:
    """About 95 in 100 do; if the predictions of a game were independent, 60 would."""
    random, covered, bins = Random(1), 0, 0
    for _ in range(60):
        found = reliability([*predicted(random, 150)])
        covered += sum(one.low <= one.predicted <= one.high for one in found.bins)
        bins += len(found.bins)
    assert 0.91 <= covered / bins <= 0.98


def test_the_distance_is_as_by_chance_for_right_predictions_only() -> None:
    random = Random(2)
    right = [reliability([*predicted(random, 200)]) for _ in range(30)]
    by_chance = sum(one.by_chance for one in right)
    assert sum(one.error for one in right) == pytest.approx(by_chance, rel=0.15)
    assert sum(abs(one.mover) <= one.mover_error for one in right) >= 25
    wrong = reliability([*predicted(random, 200, too_high=0.15)])
    assert wrong.error > 2 * wrong.by_chance
    assert wrong.mover - wrong.mover_error > 0
    assert abs(wrong.mover - 0.15) <= wrong.mover_error


def test_games_without_a_win_in_a_bin_do_not_give_an_empty_interval() -> None:
    (one,) = reliability([Prediction(game, 0.05, 0.0, True) for game in range(4)] * 10).bins
    assert (one.count, one.result, one.low) == (40, 0.0, 0.0)
    assert one.high > 0.3  # four games show no more


def test_predictions_belong_to_the_number_of_the_game() -> None:
    job = (GAME, MIXES["mixed"], (STATIC, "expert"), 3, 1)
    one, again, other = (predict_game(*job, number) for number in (7, 7, 8))
    assert one == again != other
    rows = predictions([one, other], "expert")
    assert [row.game for row in rows] == [0] * 6 + [1] * 6
    assert sum(row.is_mover for row in rows) == 6
    assert sum(row.predicted for row in rows) == pytest.approx(6)
    assert [row.result for row in rows[:2]] == list(one.returns)


def test_the_evaluation_alone_is_that_of_the_kernel() -> None:
    state, starts = play_mixed(load_game(GAME), Random(1), {"random": 1})
    assert len(starts) == 5  # of six turns
    undo_to(state, starts[2])
    runner = RolloutRunner(state, "expert", target="python")
    shares = [0.0, 0.0]
    runner.kernel.evaluate(list(state.buffer), runner.weights.tolist(), shares)
    assert static_shares(Expert(state.game), state) == pytest.approx(shares, abs=1e-4)
    assert abs(shares[0] - 0.5) > 0.01
