"""Rollouts: the same numbers everywhere, no bias, and standard errors that hold."""

import sys
from math import sqrt
from typing import Any

import numpy as np
import pytest

import souk
from souk.analysis.rollouts import RolloutRunner, Samples
from souk.engine.state import State
from tests.analysis.example_games import ExactPlayer
from tests.example_packages import ROOT

# `trader` compiles fastest. All games of Marrakech here share one compiled kernel.
TINY = "marrakech(players=2,two_player=one-colour,rugs=2,dirhams=4)"
LONGER = "marrakech(players=2,two_player=one-colour,rugs=6)"
MARRACASH = "marracash(players=3)"


def start(text: str, *actions: str) -> State:
    state = souk.load_game(text).new_initial_state(seed=1)
    for action in actions:
        state.apply_action(state.string_to_action(action))
    return state


def exact_share(k: Any, buffer: list[int], weights: list[float]) -> float:
    """Return the first seat's share if everybody chooses as in rollouts, over all dice."""
    if k.mover(buffer) == souk.TERMINAL:
        return float(k.win_in_sixtieths(buffer, 0) / 60)
    options = [0] * k.MOST_LEGAL
    count = k.legal_actions(buffer, options)
    if k.mover(buffer) != souk.CHANCE:
        table, luck = [0.0] * k.SHARE_TABLE, [0.0] * k.PLAYERS
        chosen = k.choose_by_share(buffer, weights, 0.0, options, count, [], 0, table, luck)
        after = buffer[:]
        k.apply(after, chosen)
        return exact_share(k, after, weights)
    mean = 0.0
    for outcome in options[:count]:
        after = buffer[:]
        k.apply(after, outcome)
        part = k.chance_weight(buffer, outcome) / k.chance_total(buffer)
        mean += part * exact_share(k, after, weights)
    return mean


def test_means_are_exact_and_standard_errors_hold() -> None:
    """Of intervals of 1.96 standard errors, about 95 in 100 cover the exact value."""
    state = start(TINY)
    plain = RolloutRunner(state, "trader", target="python")
    exact = exact_share(plain.kernel, list(state.buffer), plain.weights.tolist())
    assert 0.2 < exact < 0.8
    repeats, games = 400, 72
    shares, luck = RolloutRunner(state, "trader", temperature=0, threads=2).play(
        [-1], 0, repeats * games
    )
    for values in (shares, shares - luck):
        samples = values[:, 0, 0].reshape(repeats, games)
        errors = samples.std(axis=1, ddof=1) / sqrt(games)
        covered = np.mean(abs(samples.mean(axis=1) - exact) <= 1.96 * errors)
        assert 0.91 <= covered <= 0.985
        assert abs(samples.mean() - exact) <= 4 * samples.std() / sqrt(repeats * games)
    assert (shares - luck)[..., 0].var() < shares[..., 0].var() / 2


def test_in_the_last_turn_nothing_is_left_but_luck() -> None:
    """The search then sees the end of the game, so every single game has the exact value."""
    state = start(TINY)
    while state.game.turn_number(state.buffer) < 4:
        state.apply_action(state.legal_actions()[0])
    exact = {one.action: one.shares for one in ExactPlayer(state.game).analyse(state)}
    legal = state.legal_actions()
    for one in souk.rollout(state, "trader", 20, actions=legal, temperature=0, stop_early=False):
        assert one.action is not None
        assert one.shares == pytest.approx(exact[one.action], abs=1e-5)
        assert max(one.errors) < 1e-5


@pytest.mark.parametrize(
    ("text", "temperature", "truncate"), [(LONGER, 0.05, 0), (MARRACASH, None, 3)]
)
def test_luck_has_the_mean_zero(text: str, temperature: float | None, truncate: int) -> None:
    state = start(text)
    runner = RolloutRunner(
        state, "trader", temperature=temperature, truncate=truncate, threads=2, seed=5
    )
    _, luck = runner.play([state.legal_actions()[0]], 0, 400)
    errors = luck[:, 0].std(axis=0, ddof=1) / sqrt(len(luck))
    assert np.all(abs(luck[:, 0].mean(axis=0)) <= 4 * errors)
    assert np.all(errors > 0)


@pytest.mark.parametrize(("text", "truncate"), [(LONGER, 0), (MARRACASH, 1)])
def test_compiled_and_plain_rollouts_are_the_same(text: str, truncate: int) -> None:
    state = start(text)
    actions = state.legal_actions()[:2]
    plain, compiled = (
        RolloutRunner(state, "trader", truncate=truncate, target=target).play(actions, 3, 2)
        for target in ("python", "numba")
    )
    assert np.allclose(plain, compiled, atol=1e-4)


def test_results_do_not_depend_on_threads_and_repeat() -> None:
    state = start(LONGER)
    one, other, seeded = (
        souk.rollout(
            state, "trader", 100, seed=seed, actions=state.legal_actions(), threads=threads
        )
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    )
    assert one == other != seeded


def test_actions_get_the_same_dice() -> None:
    state = start(LONGER)
    left = state.legal_actions()[0]
    twice = souk.rollout(state, "trader", 50, actions=[left, left], stop_early=False)
    assert twice[0] == twice[1]
    assert twice[0].loss == twice[0].loss_error == 0


def test_clearly_worse_actions_are_dropped_and_the_rest_goes_on() -> None:
    state = start(MARRACASH)
    while state.game.turn_number(state.buffer) < 3:
        state.apply_action(state.legal_actions()[-1])
    results = souk.rollout(
        state, "trader", 144, actions=state.legal_actions(), truncate=2, threads=2
    )
    games = {one.games for one in results}
    assert min(games) < max(games)
    best = max(results, key=lambda one: one.shares[state.current_player()])
    assert best.games == max(games) and best.loss == 0
    assert all(one.loss > 4 * one.loss_error for one in results if one.games < best.games)


def test_dropping_and_stopping_leave_losses_that_their_errors_cover() -> None:
    """An action is dropped when it looks worst, so its loss is too high, but not by much."""
    state = start(LONGER)
    truth = [0.5, 0.46, 0.4]
    normal = np.random.default_rng(1).normal
    drift, errors = [], []
    for _ in range(200):
        samples = Samples(state, [0, 1, 2])
        for more in (12, 12, 24, 48, 96, 192):
            values = np.array([truth[place] + normal(0, 0.1, more) for place in samples.left])
            samples.add(np.stack([values.T, 1 - values.T], axis=-1))
            if samples.drop_worse() or samples.largest_error() <= 0.01:
                break
        results = samples.results()
        drift.append([one.loss - (0.5 - share) for one, share in zip(results, truth, strict=True)])
        errors.append([one.loss_error for one in results])
    for place in (1, 2):
        bias = np.array(drift)[:, place] / np.array(errors)[:, place]
        assert np.mean(abs(bias) <= 1.96) >= 0.88
        assert abs(bias.mean()) < 0.6


def test_rollouts_end_when_the_error_is_small() -> None:
    state = start(LONGER)
    result = souk.rollout(state, "trader", 100_000, error=0.02)
    assert max(result.errors) <= 0.02
    assert result.games < 2000
    assert abs(sum(result.shares) - 1) < 1e-6


def test_rollouts_do_not_end_because_the_first_games_are_alike() -> None:
    """Who leads clearly wins nearly always: a dozen wins do not mean that the error is small."""
    state = start(LONGER)
    position = state.to_dict()
    position["players"][0]["dirhams"] = 45
    position["players"][1]["dirhams"] = 30
    state = state.game.state_from_dict(position)
    truth = souk.rollout(state, "random", 50_000).shares[0]
    assert 0.9 < truth < 0.98
    results = [souk.rollout(state, "random", 100_000, seed, error=0.02) for seed in range(60)]
    assert min(one.games for one in results) >= 1 / 0.02
    covered = [abs(one.shares[0] - truth) <= 1.96 * one.errors[0] for one in results]
    assert sum(covered) >= 51


def test_a_finished_game_has_its_result() -> None:
    state = start(LONGER)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    result = souk.rollout(state, "trader", 2)
    assert list(result.shares) == state.returns()
    assert result.errors == (0.0, 0.0)


def test_a_game_without_an_evaluation_is_played_greedily_or_at_random(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "pig"))
    from pig import Pig

    state = Pig(players=2, target=10).new_initial_state()
    greedy = RolloutRunner(state, target="python")
    assert greedy.player == "greedy"
    shares, _ = greedy.play([-1], 0, 40)
    assert np.allclose(shares.sum(axis=2), 1)
    assert 0.5 < shares[:, 0, 0].mean() < 1  # who begins is ahead
    shares, _ = RolloutRunner(state, "random", target="python").play([-1], 0, 40)
    assert set(np.unique(shares)) == {0.0, 1.0}
    with pytest.raises(souk.SoukError, match="cannot be truncated"):
        souk.rollout(state, truncate=3)
    with pytest.raises(souk.SoukError, match="random or greedy, not 'expert'"):
        souk.rollout(state, "expert")
    sys.modules.pop("pig")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"player": "chess"}, "random, greedy, trader or expert, not 'chess'"),
        ({"games": 1}, "games is a whole number from 2"),
        ({"actions": [99]}, "99 is not a legal action here; legal are 0, 1 or 2"),
        ({"actions": []}, "there is no action to roll out"),
        ({"truncate": 0}, "truncate is a whole number from 1"),
        ({"error": 0}, "error is a number above 0"),
        ({"error": "small"}, "error is a number above 0, not 'small'"),
        ({"seconds": [1]}, "seconds is a number above 0"),
        ({"temperature": -1}, "a temperature is a number from 0 to 1000"),
        ({"temperature": 1e37}, "a temperature is a number from 0 to 1000"),  # shares summed to 4
        ({"actions": 5}, "actions is a list of actions, not 5"),
        ({"actions": np.array([], int)}, "there is no action to roll out"),
        ({"actions": [1.0]}, "1.0 is not a legal action here"),
        ({"seed": -1}, "a seed is a whole number"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(souk.SoukError, match=message):
        souk.rollout(start(LONGER), **options)


def test_actions_are_rolled_out_at_decisions_only() -> None:
    state = start(LONGER, "left")
    with pytest.raises(souk.SoukError, match="where a player decides"):
        souk.rollout(state, actions=state.legal_actions())


def test_actions_may_be_any_iterable_and_seconds_unlimited() -> None:
    state = start(LONGER)
    for actions in (np.array([0, 1]), (action for action in (0, 1))):
        results = souk.rollout(state, "trader", 12, actions=actions, seconds=float("inf"))
        assert [(type(one.action), one.action) for one in results] == [(int, 0), (int, 1)]


def test_a_single_action_gets_all_its_games() -> None:
    (result,) = souk.rollout(start(LONGER), "trader", 30, actions=[1])
    assert result.games == 30
