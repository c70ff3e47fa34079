"""The example of self-play with PPO: its advantage estimation, and a short training."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import souk

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def ppo(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example as a module."""
    pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "ppo", raising=False)
    import ppo

    return ppo


def test_advantages_sum_the_surprises_of_a_game_for_each_seat(ppo: Any) -> None:
    pick = np.random.default_rng(1)
    steps, rows, seats, trace = 6, 3, 2, 0.8
    values = pick.random((steps + 1, rows, seats))
    goes_on = np.ones((steps, rows, 1))
    goes_on[3, 0] = goes_on[0, 1] = goes_on[5, 1] = 0
    rewards = pick.random((steps, rows, seats)) * (1 - goes_on)
    found = ppo.advantages(values, rewards, goes_on, trace)
    for row in range(rows):
        for step in range(steps):
            expected, weight = np.zeros(seats), 1.0
            for later in range(step, steps):
                after = rewards[later, row] + goes_on[later, row] * values[later + 1, row]
                expected += weight * (after - values[later, row])
                weight *= trace * goes_on[later, row, 0]
            assert np.allclose(found[step, row], expected)


def test_training_saves_a_player_and_its_curve(ppo: Any, tmp_path: Path) -> None:
    game = "marrakech(players=3,rugs=2)"
    sizes = "--rows 64 --steps 20 --width 16 --updates 2 --games 6 --device cpu --against random"
    ppo.train(ppo.parse_arguments(["--game", game, "--folder", str(tmp_path), *sizes.split()]))
    lines = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert lines[-1]["update"] == 2 and 0 <= lines[-1]["against_random"]["share"] <= 1
    state = souk.load_game(game).new_initial_state()
    player = ppo.PpoPlayer(state.game, weights=tmp_path / "weights.pt")
    assert player.choose(state) in state.legal_actions()


def test_decisions_belong_to_the_player_who_makes_them(ppo: Any) -> None:
    """With an untrained network, a decision gains what its player wins over an even share."""
    torch = ppo.torch
    net = ppo.Net("marrakech(players=2,rugs=1)", 8, 1)
    games = ppo.Games(net.game, 32, 1, "cpu", autoreset=False)
    with torch.no_grad():
        *_, gain, target = ppo.play(net, games, net.game.max_game_length(), 1.0)
    assert games.is_over.all()
    assert torch.allclose(
        gain, target[:, 0] - 0.5, atol=0.05
    )  # before it learns, all shares are even
    assert torch.allclose(target.sum(-1), torch.ones(len(target)))


def test_an_evaluation_ends_though_its_games_do_not(ppo: Any, monkeypatch: Any) -> None:
    """Players of MarraCash who always take the first action move one group back and forth."""
    net = ppo.Net("marracash(players=3)", 8, 1)
    net.last.weight.data.zero_()  # all actions are equal, so it takes the first
    first = SimpleNamespace(choose=lambda state: state.legal_actions()[0])
    monkeypatch.setattr(souk, "player", lambda *_, **__: first)
    monkeypatch.setattr(ppo, "MOST_STEPS", 300)
    assert str(ppo.evaluate(net, "first", 2, "cpu", seed=1)) == "0.000 (0.000–0.658)"
