"""Fitting MarraCash's heuristic: small, but the real thing."""

import json
from dataclasses import replace

import numpy as np
import pytest

from souk.engine.errors import SoukError
from souk.engine.kernel import targets
from souk.games.marracash.ai import heuristic, trainer, weights
from souk.games.marracash.ai.fitting import BUNDLE, MIX, Samples, fit, play
from souk.games.marracash.ai.self_play import SAMPLES
from souk.games.marracash.ai.trainer import HeuristicTrainer, Plan
from souk.games.marracash.game import MarraCash
from souk.terminal.train import train
from souk.train.checkpoint import restore_checkpoint, save_checkpoint

PLAN = Plan("marracash(players=3)", rounds=2, games=20)


@pytest.fixture(scope="module", autouse=True)
def one_kernel():
    """One kernel is enough: all rules of the mix that share it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer, "MIX", tuple(one for one in MIX if "layout" not in one[1]))
        yield


@pytest.fixture(scope="module")
def fitted():
    result = HeuristicTrainer(PLAN)
    return result, list(result)


def test_the_same_seed_gives_the_same_weights(fitted):
    result, reports = fitted
    again = HeuristicTrainer(PLAN)
    assert [replace(one, seconds=0) for one in again] == [
        replace(one, seconds=0) for one in reports
    ]
    assert (again.weights == result.weights).all()
    other = HeuristicTrainer(replace(PLAN, rounds=1, seed=2))
    assert len(list(other)) == 1 and (other.weights != result.weights).any()


def test_a_fitting_goes_on_from_its_checkpoint(fitted, tmp_path):
    result, reports = fitted
    half = HeuristicTrainer(PLAN)
    next(half.rounds())
    save_checkpoint(half, tmp_path / "checkpoint")
    on = HeuristicTrainer(PLAN)
    restore_checkpoint(on, tmp_path / "checkpoint")
    assert on.round == 1 and on.reports == half.reports
    assert len(list(on)) == 1 and (on.weights == result.weights).all()
    assert [one.share for one in on.reports] == [one.share for one in reports]


def test_any_seed_will_do():
    result = HeuristicTrainer(replace(PLAN, rounds=1, games=20, seed=2**63 - 1))
    assert len(list(result)) == 1


def test_fitted_weights_predict_better_than_estimates(fitted):
    result, reports = fitted
    assert [one.games for one in reports] == [20, 40]
    assert all(0 < one.explained < 1 and one.log_loss < np.log(3) for one in reports)
    samples = play(MarraCash(players=3), [result.weights] * 3, 60, 99, 5).samples()

    def squared_error(one):
        return ((samples.predicted(one) - samples.money) ** 2).sum()

    assert squared_error(result.weights) < squared_error(result.estimates), (
        "in games it was not fitted to"
    )


def test_weights_are_recovered_from_their_predictions():
    estimates = weights.load("heuristic", 3)
    hidden = estimates.copy()
    hidden[heuristic.EARNED], hidden[heuristic.UNOWNED], hidden[heuristic.SIGN] = 0.7, 0.2, 9
    seen = play(MarraCash(players=3), [estimates] * 3, 40, 1, 20).samples()
    predicted = Samples(seen.kernel, seen.rows, seen.predicted(hidden), seen.wins)
    result, explained, _ = fit([predicted], estimates)
    assert explained > 0.999
    assert result[heuristic.EARNED] == pytest.approx(0.7, rel=0.05)


def test_the_estimates_against_themselves_have_the_fair_share():
    result = HeuristicTrainer(replace(PLAN, games=200))
    measured = result.measure()
    margin = 0.8 * (measured.high - measured.low)
    assert measured.share == pytest.approx(1 / 3, abs=margin)
    result.weights = weights.load("fitted", 3)
    assert result.measure().share > 1 / 3 + margin


def test_all_positions_of_a_game_are_sampled_equally_often():
    game = MarraCash(players=3)
    k = targets.python_kernel(game.kernel, game.constants(), BUNDLE)
    state, stream = [0] * k.SIZE, [0] * k.STREAM_SIZE
    k.start_stream(stream, 1, 0)
    saved = np.zeros(4 * SAMPLES)
    for _ in range(600):
        rows = [0] * (SAMPLES * k.SIZE)
        for seen in range(1, 4 * SAMPLES + 1):
            state[0] = seen
            k.sample_position(state, rows, 0, seen, stream)
        saved[np.array(rows[:: k.SIZE]) - 1] += 1
    assert saved.sum() == 600 * SAMPLES
    assert saved.min() > 110 and saved.max() < 190  # 150 each, give or take


def test_saved_weights_can_be_loaded_and_fitted_further(fitted, tmp_path):
    result, reports = fitted
    path = tmp_path / "saved.json"
    result.save(path)
    again, about = weights.parse(path.read_bytes(), path.name)
    assert again == pytest.approx(result.weights, rel=1e-3)
    assert about["plan"]["games"] == 20 and len(about["reports"]) == len(reports)
    on = HeuristicTrainer(replace(PLAN, begin_with=str(path)))
    assert (on.weights == again).all() and on.previous == about


@pytest.mark.parametrize("players", [3, 4])
def test_the_weights_of_the_package_can_be_fitted_further(players):
    path = weights.FOLDER / f"{players}-players.json"
    result, about = weights.parse(path.read_bytes(), path.name)
    assert (result == weights.load("fitted", players)).all()
    assert about["plan"] and about["reports"]


def file_of(numbers):
    return json.dumps({"weights": dict.fromkeys(weights.SLOTS, numbers)})


def with_one(name, *numbers):
    """The file of the package, but for one name."""
    content = json.loads((weights.FOLDER / "3-players.json").read_text())
    content["weights"][name] = numbers
    return json.dumps(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not JSON", "is not a file of weights"),
        ("[1]", "is not a file of weights"),
        ("[" * 100_000, "is not a file of weights"),
        (json.dumps({"weights": {"BY_STEPS": [1]}}), "the 31 weights"),
        (file_of(["a"]), "is not a file of weights"),
        (file_of([1]), "the 31 weights"),
        (with_one("EARNED", 0.5, 0.5), "the 31 weights"),
        (with_one("EARNED", float("nan")), "is not a file of weights"),
        (with_one("EARNED", 10**400), "is not a file of weights"),
        (with_one("EARNED", 1e300), "EARNED 1e.300, which makes no sense"),
        (with_one("PER_TURN", 0), "PER_TURN 0, which makes no sense"),
    ],
)
def test_a_file_without_weights_is_refused(content, message, tmp_path):
    path = tmp_path / "some.json"
    path.write_text(content)
    with pytest.raises(SoukError, match=message):
        HeuristicTrainer(replace(PLAN, begin_with=str(path)))


def test_the_command(tmp_path, capsys):
    out = tmp_path / "three.json"
    start = str(weights.FOLDER / "3-players.json")
    options = {"rounds": 1, "games": 20, "begin_with": start}
    assert train("marracash(players=3)", str(out), options) == 0
    assert "Explained part of the final leads" in capsys.readouterr().out
    assert json.loads(out.read_text())["about"]["plan"]["begin_with"] == start
