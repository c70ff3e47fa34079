"""The values that `python -m bench exact` calls exact are."""

from random import Random

import pytest

import souk
from bench.exact import FULL, Compared, Solver, differences, estimates, solvable_position
from examples.exact_value import SMALL, solve
from souk.players.levels import Master
from tests.analysis.example_games import ExactPlayer

TWO_EACH = "marrakech(players=2,two_player=one-colour,rugs=2,dirhams=4)"


def test_the_search_solves_a_small_game_as_the_example_does() -> None:
    game = souk.load_game(SMALL)
    solver = Master(game, nodes=100_000)
    best = solver.analyse(game.new_initial_state(1))[0]
    assert solver.nodes_searched() < 100_000
    assert best.shares[0] == pytest.approx(float(solve(game)[0]), abs=1e-5)


def test_positions_are_solved_to_the_end_or_refused() -> None:
    state, exact = solvable_position(TWO_EACH, 2, 100_000, Random(3))
    assert state.game.turn_number(state.buffer) == 3
    best = ExactPlayer(state.game).analyse(state)[0]
    assert exact == pytest.approx(best.shares[state.current_player()], abs=1e-5)
    assert 0 < exact < 1
    with pytest.raises(souk.SoukError, match="solve no position 3 turns before the end"):
        solvable_position(TWO_EACH, 3, 100, Random(3))


def test_auctions_are_solved_bid_by_bid() -> None:
    """An analysis judges an auction as a whole, which is not exact."""
    state, exact = solvable_position("marracash(players=3)", 1, 5_000, Random(1))
    assert exact == pytest.approx(Solver(state.game, nodes=10**6).solve(state))
    start = state.game.new_initial_state(1)
    analysis = Master(state.game, nodes=5_000)
    analysis.analyse(start)
    assert analysis.nodes_searched() < 5_000
    assert Solver(state.game, nodes=5_000).solve(start) is None


def test_differences_are_estimates_less_exact_values() -> None:
    found = [Compared(0.5, {FULL: (0.6, 0.01)}), Compared(0.25, {FULL: (0.05, 0.03)})]
    (one,) = differences("two positions", found)
    assert (one.signed, one.absolute) == (pytest.approx(-0.05), pytest.approx(0.15))
    assert one.signed_error == pytest.approx(1.96 * 0.15, rel=1e-3)
    assert one.noise == pytest.approx(0.02 * 0.798, rel=1e-3)


def test_in_the_last_turn_search_and_rollouts_are_exact() -> None:
    state, exact = solvable_position(TWO_EACH, 1, 10_000, Random(5))
    for share, _ in estimates(state, 1, 12).values():
        assert share == pytest.approx(exact, abs=1e-3)
