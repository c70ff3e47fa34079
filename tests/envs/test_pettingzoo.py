"""The PettingZoo environments."""

import warnings
from typing import Any

import numpy as np
import pytest

import souk
import souk.envs.pettingzoo

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where pygame is installed, it loads games of its own
    from pettingzoo.test import api_test, render_test, seed_test

GAMES = ("marrakech(players=3)", "marrakech(players=2)", "marracash(players=4,souvenirs=True)")


@pytest.mark.filterwarnings("ignore:Observation")  # it expects arrays of all but its own games
@pytest.mark.parametrize("game", GAMES)
def test_the_framework_accepts_an_environment(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(**settings: Any) -> souk.envs.pettingzoo.GameEnv:
        return souk.envs.pettingzoo.env(game, **settings)

    api_test(make(), num_cycles=300)
    seed_test(make, num_cycles=100)
    render_test(make)
    assert "dirhams" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("is_reduced", [False, True])
def test_agents_see_a_game_as_its_state_shows_it(game: str, is_reduced: bool) -> None:
    if is_reduced and "marracash" not in game:
        return
    env = souk.envs.pettingzoo.env(game, reduced_actions=is_reduced)
    pick = np.random.default_rng(1)
    env.reset(seed=1)
    rewards = {}
    for agent in env.agent_iter():
        seen, reward, is_over, _, _ = env.last()
        state = env._rows.state(0)
        seat = int(agent.removeprefix("player_"))
        assert np.array_equal(seen["observation"], state.observation_tensor(seat))
        if is_over:
            rewards[seat] = reward
            assert not seen["action_mask"].any()
            env.step(None)
            continue
        assert state.current_player() == seat and reward == 0
        if not is_reduced:
            assert np.array_equal(seen["action_mask"], state.legal_actions_mask())
        other = env.observe(f"player_{(seat + 1) % state.game.num_players()}")
        assert not other["action_mask"].any()
        env.step(pick.choice(np.flatnonzero(seen["action_mask"])))
    assert [rewards[seat] for seat in sorted(rewards)] == pytest.approx(state.returns())
    with pytest.raises(souk.SoukError, match="the game is over: call reset"):
        env.step(0)


def test_an_illegal_action_changes_nothing() -> None:
    env = souk.envs.pettingzoo.env("marrakech", players=2)
    env.reset(seed=1)
    before = env.last()[0]["observation"]
    for action, message in ((50, r"^'.*legal: left, ahead, right"), (None, "a whole number")):
        with pytest.raises(souk.IllegalAction, match=message):
            env.step(action)
    assert np.array_equal(env.last()[0]["observation"], before)
    with pytest.raises(souk.SoukError, match="render_mode is human or ansi"):
        souk.envs.pettingzoo.env("marrakech", render_mode="rgb_array")
