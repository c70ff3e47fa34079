"""Fitting MarraCash's judgement: small, but the real thing."""

import json
from dataclasses import replace

import numpy as np
import pytest

from souk.engine.errors import SoukError
from souk.engine.kernel import targets
from souk.games.marracash.ai import heuristic, trainer, weights
from souk.games.marracash.ai.fitting import BUNDLE, MIX, Lesson, fit, play
from souk.games.marracash.ai.self_play import LESSONS
from souk.games.marracash.ai.trainer import Fitting, Plan, kept_weights
from souk.games.marracash.game import MarraCash
from souk.terminal.train import train

PLAN = Plan("marracash(players=3)", rounds=2, games=30)


@pytest.fixture(scope="module", autouse=True)
def of_one_kind():
    """One kernel is enough: all rules of the mix that share it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer, "MIX", tuple(one for one in MIX if "layout" not in one[1]))
        yield


@pytest.fixture(scope="module")
def fitted():
    found = Fitting(PLAN)
    return found, list(found)


def test_the_same_seed_gives_the_same_weights(fitted):
    found, reports = fitted
    again = Fitting(PLAN)
    assert [replace(one, seconds=0) for one in again] == [
        replace(one, seconds=0) for one in reports
    ]
    assert (again.weights == found.weights).all()
    other = Fitting(replace(PLAN, rounds=1, seed=2))
    assert len(list(other)) == 1 and (other.weights != found.weights).any()


def test_any_seed_will_do():
    found = Fitting(replace(PLAN, rounds=1, games=20, seed=2**63 - 1))
    assert len(list(found)) == 1


def test_games_teach_more_than_was_guessed(fitted):
    found, reports = fitted
    assert [one.games for one in reports] == [30, 60]
    assert all(0 < one.foretold < 1 and one.surprise < np.log(3) for one in reports)
    lesson = play(MarraCash(players=3), [found.weights] * 3, 60, 99, 5).lesson()

    def missed(one):
        return ((lesson.foretold(one) - lesson.money) ** 2).sum()

    assert missed(found.weights) < missed(found.guesses), "in games it was not fitted to"


def test_weights_are_found_again_from_what_they_foretell():
    guesses = weights.of("hand", 3)
    hidden = guesses.copy()
    hidden[heuristic.EARNED], hidden[heuristic.UNOWNED], hidden[heuristic.SIGN] = 0.7, 0.2, 9
    seen = play(MarraCash(players=3), [guesses] * 3, 40, 1, 20).lesson()
    told = Lesson(seen.kernel, seen.rows, seen.foretold(hidden), seen.wins)
    found, foretold, _ = fit([told], guesses)
    assert foretold > 0.999
    assert found[heuristic.EARNED] == pytest.approx(0.7, rel=0.05)


def test_whoever_plays_as_the_others_do_has_the_fair_share():
    found = Fitting(replace(PLAN, games=300))
    share, within = found.measure()
    assert share == pytest.approx(1 / 3, abs=1.6 * within)
    found.weights = weights.of("fitted", 3)
    assert found.measure()[0] > 1 / 3 + 1.6 * within


def test_positions_of_a_game_all_have_the_same_chance_to_be_kept():
    game = MarraCash(players=3)
    k = targets.python_kernel(game.kernel, game.constants(), BUNDLE)
    state, stream = [0] * k.SIZE, [0] * k.STREAM_SIZE
    k.start_stream(stream, 1, 0)
    kept = np.zeros(4 * LESSONS)
    for _ in range(600):
        rows = [0] * (LESSONS * k.SIZE)
        for seen in range(1, 4 * LESSONS + 1):
            state[0] = seen
            k.keep_or_not(state, rows, 0, seen, stream)
        kept[np.array(rows[:: k.SIZE]) - 1] += 1
    assert kept.sum() == 600 * LESSONS
    assert kept.min() > 110 and kept.max() < 190  # 150 each, give or take


def test_what_was_kept_is_read_again_and_fitted_on(fitted, tmp_path):
    found, reports = fitted
    path = tmp_path / "kept.json"
    found.save(path)
    again, about = kept_weights(str(path))
    assert again == pytest.approx(found.weights, rel=1e-3)
    assert about["plan"]["games"] == 30 and len(about["reports"]) == len(reports)
    on = Fitting(replace(PLAN, begin_with=str(path)))
    assert (on.weights == again).all() and on.before == about


@pytest.mark.parametrize("players", [3, 4])
def test_the_weights_of_the_package_can_be_fitted_on_and_say_how_they_came_about(players):
    found, about = kept_weights(str(weights.FOLDER / f"{players}-players.json"))
    assert (found == weights.of("fitted", players)).all()
    assert about["plan"] and about["reports"]


def file_of(numbers):
    return json.dumps({"weights": dict.fromkeys(weights.PLACES, numbers)})


def with_one(name, *numbers):
    """The file of the package, but for one name."""
    content = json.loads((weights.FOLDER / "3-players.json").read_text())
    content["weights"][name] = numbers
    return json.dumps(content)


@pytest.mark.parametrize(
    ("content", "told"),
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
def test_a_file_without_weights_is_refused(content, told, tmp_path):
    path = tmp_path / "some.json"
    path.write_text(content)
    with pytest.raises(SoukError, match=told):
        Fitting(replace(PLAN, begin_with=str(path)))


def test_the_command(tmp_path, capsys):
    out = tmp_path / "three.json"
    start = str(weights.FOLDER / "3-players.json")
    wishes = {"rounds": 1, "games": 20, "begin_with": start, "rate": None}
    assert train("marracash(players=3)", str(out), wishes) == 0
    assert "Leads at the end" in capsys.readouterr().out
    assert json.loads(out.read_text())["about"]["plan"]["begin_with"] == start
