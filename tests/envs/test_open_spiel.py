"""The OpenSpiel games: OpenSpiel's own test, and some of its algorithms."""

import pickle
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

if sys.platform == "win32":
    pytest.skip("OpenSpiel has no package for Windows", allow_module_level=True)

import pyspiel
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    cfr,
    evaluate_bots,
    expected_game_score,
    exploitability,
    mcts,
    minimax,
    tabular_qlearner,
)
from open_spiel.python.observation import make_observation

import souk
import souk.envs.open_spiel

SMALL = "python_marrakech(players=2,two_player=one-colour,rugs=1,dirhams=3)"
VALUE = 7 / 18  # of the small game: examples/exact_value.py
GAMES = (
    "python_marrakech(players=3)",
    "python_marrakech(players=2,edition=pergioco,rugs=3,turn_last=may)",
    "python_marracash",
    "python_marracash(players=4,souvenirs=True,setups=3)",
)


@pytest.mark.parametrize("text", GAMES)
def test_a_game_passes_the_simulation_test(text: str) -> None:
    game = pyspiel.load_game(text)
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert pickle.loads(pickle.dumps(game)).game == game.game
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_defaults_are_those_of_the_knobs_given() -> None:
    ours = pyspiel.load_game("python_marrakech(players=2,edition=pergioco)").game
    assert ours == souk.load_game("marrakech", players=2, edition="pergioco")


@pytest.mark.parametrize("text", GAMES)
def test_a_state_agrees_with_ours(text: str) -> None:
    game = pyspiel.load_game(text)
    state, pick = game.new_initial_state(), np.random.default_rng(1)
    for _ in range(80):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            state.apply_action(int(pick.choice(outcomes, p=chances)))
            continue
        ours, seat = state.state, state.current_player()
        assert state.legal_actions() == ours.legal_actions()
        assert np.array_equal(state.observation_tensor(seat), ours.observation_tensor(seat))
        observation = make_observation(game)
        observation.set_from(state, seat)
        names = [name for name, _, _ in game.game.observation_layout()]
        assert [*observation.dict] == names
        action = int(pick.choice(state.legal_actions()))
        assert state.action_to_string(action) == ours.action_to_string(action)
        child = state.child(action)  # a copy
        assert str(state) == str(ours) != str(child)
        state = child


def test_a_setup_is_an_outcome_of_chance() -> None:
    state = pyspiel.load_game("python_marracash(setups=3)").new_initial_state()
    assert state.chance_outcomes() == [(seed, 1 / 3) for seed in range(3)]
    state.apply_action(2)
    assert state.state == souk.load_game("marracash").new_initial_state(2)


def test_a_tree_search_plays() -> None:
    game = pyspiel.load_game(GAMES[0])
    draw = np.random.RandomState(1)
    bots = [
        mcts.MCTSBot(game, 1.4, 2, mcts.RandomRolloutEvaluator(1, draw), random_state=draw)
        for _ in range(3)
    ]
    state = pyspiel.load_game("python_marrakech(players=3,rugs=2)").new_initial_state()
    assert sum(evaluate_bots.evaluate_bots(state, bots, draw)) == pytest.approx(1)


def test_two_solvers_find_the_exact_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples")
    from exact_value import SMALL as OURS
    from exact_value import solve

    game = pyspiel.load_game(SMALL)
    assert game.game == souk.load_game(OURS)
    theirs, _ = minimax.expectiminimax(game.new_initial_state(), 100, None, 0)
    share, positions = solve(game.game)
    assert share == Fraction(7, 18) and positions > 10_000
    assert theirs == pytest.approx(VALUE)
    with pytest.raises(souk.SoukError, match="two players"):
        solve(souk.load_game("marrakech", players=3))


def test_counterfactual_regret_minimisation_comes_closer_to_an_equilibrium() -> None:
    game = pyspiel.load_game(SMALL)
    solver = cfr.CFRSolver(game)
    for _ in range(2):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    even = policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, average) < exploitability.nash_conv(game, even)
    values = expected_game_score.policy_value(game.new_initial_state(), [average, average])
    assert sum(values) == pytest.approx(1)


def test_a_learning_algorithm_runs() -> None:
    env = rl_environment.Environment(pyspiel.load_game(SMALL))
    actions = env.action_spec()["num_actions"]
    agents = [tabular_qlearner.QLearner(seat, actions) for seat in range(2)]
    for _ in range(20):
        step = env.reset()
        while not step.last():
            seat = step.observations["current_player"]
            step = env.step([agents[seat].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == pytest.approx(1)
    assert agents[0]._q_values


@pytest.mark.parametrize("setups", [0, -5, 10**9])
def test_a_wrong_number_of_setups_is_refused(setups: int) -> None:
    with pytest.raises(souk.SoukError, match="setups is a whole number from 1 to"):
        pyspiel.load_game(f"python_marracash(setups={setups})")
