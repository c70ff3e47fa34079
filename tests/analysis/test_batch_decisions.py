"""Decisions that are rolled out side by side get the values of ordinary rollouts."""

from random import Random

import pytest

import souk
from souk.analysis.batch_decisions import BatchRunner, GameRunner, batch_runner
from souk.analysis.decisions import pick_decision
from souk.analysis.rollouts import rollout
from souk.engine.seeds import derive_seed
from souk.engine.state import State

GAME = "marrakech(players=2,two_player=one-colour,rugs=3)"  # compiled for test_rollouts too
QUICK = {"random": 1}


@pytest.fixture(scope="module")
def runner() -> BatchRunner:
    return batch_runner(souk.load_game(GAME), "cpu", rows=2400)


def states(least_turn: int) -> list[State]:
    game = souk.load_game(GAME)
    picked = [pick_decision(game, Random(number), QUICK) for number in range(60)]
    return [one for one in picked if game.turn_number(one.buffer) >= least_turn]


def test_in_the_last_turn_the_values_are_exact(runner: BatchRunner) -> None:
    last = states(6)
    assert len(last) > 3
    for state, results in zip(
        last, runner.roll_out(last, games=24, error=1.0, seed=1), strict=True
    ):
        exact = rollout(state, games=2, actions=state.legal_actions(), stop_early=False)
        for one, other in zip(results, exact, strict=True):
            assert one.action == other.action
            assert one.shares == pytest.approx(other.shares, abs=1e-5)
            assert one.errors == pytest.approx([0, 0], abs=1e-5)


def test_before_they_agree_within_their_errors(runner: BatchRunner) -> None:
    early = states(3)[:4]
    all_results = runner.roll_out(early, games=200, error=1e-6, seed=1)
    for state, results in zip(early, all_results, strict=True):
        others = rollout(state, games=400, seed=2, actions=state.legal_actions(), stop_early=False)
        for one, other in zip(results, others, strict=True):
            for seat in range(2):
                error = (one.errors[seat] ** 2 + other.errors[seat] ** 2) ** 0.5
                assert abs(one.shares[seat] - other.shares[seat]) < 4.5 * error + 0.01


def test_games_without_nets_get_the_values_of_ordinary_rollouts() -> None:
    game = souk.load_game(GAME)
    early = states(3)[:3]
    runner = GameRunner(game, "cpu", rows=300, truncate=2)
    all_results = runner.roll_out(early, games=48, error=1e-6, seed=5)
    same = 0
    for number, (state, results) in enumerate(zip(early, all_results, strict=True)):
        others = rollout(
            state,
            games=48,
            seed=derive_seed(5, number),
            actions=state.legal_actions(),
            truncate=2,
            threads=1,
        )
        for one, other in zip(results, others, strict=True):
            if one.games == other.games:  # rounds differ, so some may be dropped later
                assert one.shares == pytest.approx(other.shares, abs=1e-6)
                same += 1
    assert same > len(early)
