"""Luck, decisions and hindsight, and that they add up."""

from pathlib import Path

import pytest

import souk
from souk.analysis import luck_and_skill
from souk.analysis.mistakes import Thresholds
from souk.analysis.winning_chances import WinningChances
from souk.players import player
from souk.records import write
from tests.analysis.example_games import ExactPlayer, random_record

SMALL = "marrakech(players=2,two_player=one-colour,rugs=2)"
TINY = "marrakech(players=2,two_player=one-colour,rugs=1)"
GAMES = [SMALL, "marrakech(players=2,rugs=2)", "marrakech(players=3,rugs=2)"]


def exact_player(_, game, **limits):
    return ExactPlayer(game, **limits)


def states(record):
    """Every position of a record, the last one included."""
    return [record.replay(moves) for moves in range(len(record.actions) + 1)]


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_luck_decisions_and_hindsight_add_up_to_the_result(text, seed):
    record = random_record(text, seed)
    analysis = souk.analyse(record, level="trader")
    result = record.replay().returns()
    assert analysis.over and [one.end for one in analysis.players] == pytest.approx(result)
    for one in analysis.players:
        parts = one.luck + one.own + one.others + one.hindsight
        assert one.end - one.start == pytest.approx(parts, abs=1e-5)
        assert one.own <= 1e-6
    for what in ("luck", "hindsight"):
        assert sum(getattr(one, what) for one in analysis.players) == pytest.approx(0, abs=1e-5)
    assert sum(one.own + one.others for one in analysis.players) == pytest.approx(0, abs=1e-5)


def test_every_step_leads_from_one_value_to_the_next():
    analysis = souk.analyse(random_record("marrakech(players=3,rugs=2)"), level="trader")
    before = analysis.start
    for step in analysis.steps:
        for seat, share in enumerate(before):
            reached = share + step.change[seat] + step.hindsight[seat]
            assert step.shares[seat] == pytest.approx(reached, abs=1e-6)
        assert sum(step.change) == pytest.approx(0, abs=1e-5)
        assert sum(step.shares) == pytest.approx(1, abs=1e-5)
        before = step.shares


def test_luck_is_the_difference_from_the_mean_of_all_outcomes():
    record = random_record("marrakech(players=2,rugs=2)")
    analysis = souk.analyse(record, level="trader")
    limits = {"nodes": luck_and_skill.DEFAULT_NODES, "seed": luck_and_skill.SEED}
    chances = WinningChances(player("trader", record.game, **limits))
    rolls = 0
    for state, step in zip(states(record), analysis.steps, strict=False):
        if not state.is_chance_node():
            assert step.seat == state.current_player()
            continue
        rolls += 1
        outcomes = state.chance_outcomes()
        assert [one.probability for one in step.alternatives] == [p for _, p in outcomes]
        for seat in range(2):
            each = []
            for action, _ in outcomes:
                after = state.clone()
                after.apply_action(action)
                each.append(chances.of(after)[seat])
            mean = sum(p * value for (_, p), value in zip(outcomes, each, strict=True))
            fallen = [one.action for one in step.alternatives].index(step.action)
            assert step.change[seat] == pytest.approx(each[fallen] - mean, abs=1e-6)
            # Luck is 0 on average.
            changes = (p * (value - mean) for (_, p), value in zip(outcomes, each, strict=True))
            assert sum(changes) == pytest.approx(0, abs=1e-6)
        assert (step.cost, step.best) == (0.0, None) and not any(step.hindsight)
    assert rolls > 4


def test_mistakes_are_named_by_their_cost_and_counted():
    analysis = souk.analyse(random_record(SMALL, seed=2), level="trader")
    names = {"inaccuracies": (0.02, 0.05), "mistakes": (0.05, 0.1), "blunders": (0.1, 1.1)}
    assert analysis.thresholds == Thresholds(0.02, 0.05, 0.1)
    for one in analysis.players:
        steps = [step for step in analysis.steps if step.seat == one.seat]
        costs = [step.cost for step in steps if len(step.alternatives) > 1]
        assert one.error_rate == pytest.approx(1000 * sum(costs) / len(costs))
        for name, (low, high) in names.items():
            assert getattr(one, name) == sum(low <= cost < high for cost in costs)
    assert sum(one.blunders for one in analysis.players) > 0, "they choose at random"
    for step in analysis.steps:
        assert (step.mistake is not None) == (step.cost >= 0.02)


def test_the_cost_is_the_difference_from_the_best_option():
    record = random_record(SMALL, seed=2)
    analysis = souk.analyse(record, level="trader")
    chose = 0
    for state, step in zip(states(record), analysis.steps, strict=False):
        if step.seat is None:
            continue
        texts = {state.action_to_string(action) for action in state.legal_actions()}
        assert {one.action for one in step.alternatives} == texts
        own = {one.action: one.shares[step.seat] for one in step.alternatives}
        assert step.cost == pytest.approx(max(own.values()) - own[step.action], abs=1e-9)
        assert own[step.best] == max(own.values())
        if len(texts) == 1:
            assert step.cost == 0 and not any(step.hindsight)
        chose += step.cost > 0
    assert chose > 1
    worst = sorted((step for step in analysis.steps), key=lambda step: -step.cost)[:3]
    assert analysis.costliest == [step.step for step in worst if step.cost >= 0.005]
    assert analysis.turning_points and len(analysis.turning_points) <= 3


def test_an_exact_evaluation_has_no_hindsight(monkeypatch):
    monkeypatch.setattr(
        luck_and_skill, "player", lambda _, game, **limits: ExactPlayer(game, **limits)
    )
    record = random_record(TINY, seed=3)
    analysis = souk.analyse(record)
    assert all(abs(part) < 1e-9 for step in analysis.steps for part in step.hindsight)
    for one in analysis.players:
        assert one.end - one.start == pytest.approx(one.luck + one.own + one.others, abs=1e-9)


def test_the_strongest_player_is_exact_near_the_end(monkeypatch):
    record = random_record(TINY, seed=3)
    analysis = souk.analyse(record, nodes=100_000)
    monkeypatch.setattr(
        luck_and_skill, "player", lambda _, game, **limits: ExactPlayer(game, **limits)
    )
    true = souk.analyse(record)
    assert analysis.level == "master"
    for one, other in zip(analysis.steps, true.steps, strict=True):
        assert one.shares == pytest.approx(other.shares, abs=1e-5)
        assert one.change == pytest.approx(other.change, abs=1e-5)


def test_an_analysis_is_repeatable():
    record = random_record(SMALL)
    for level, nodes in (("master", 1000), ("greedy", 40)):
        one, other = (souk.analyse(record, level=level, nodes=nodes) for _ in range(2))
        assert one == other and one.nodes == nodes


def test_an_unfinished_game_is_analysed_as_far_as_it_was_played():
    whole = souk.analyse(random_record(SMALL), level="trader")
    part = souk.analyse(random_record(SMALL, moves=4), level="trader")
    assert not part.over and len(part.steps) == 4
    assert part.steps == whole.steps[:4]
    assert part.players[0].end == part.steps[-1].shares[0]
    nothing = souk.analyse(random_record(SMALL, moves=0), level="trader")
    assert nothing.steps == [] and nothing.costliest == nothing.turning_points == []
    assert nothing.players[0].start == nothing.players[0].end == nothing.start[0]


def test_a_record_a_file_and_a_state_give_the_same(tmp_path: Path):
    record = random_record(SMALL)
    file = tmp_path / "game.souk"
    file.write_text(write(record), encoding="utf-8")
    analysis = souk.analyse(record, level="trader")
    assert souk.analyse(file, level="trader") == analysis == souk.analyse(str(file), level="trader")
    state = souk.analyse(record.replay(), level="trader")
    assert state.steps == analysis.steps
    assert [one.name for one in analysis.players] == ["Leila", "Karim"]


def test_invalid_input_is_refused(tmp_path: Path):
    with pytest.raises(souk.SoukError, match=r"cannot read .*no such file"):
        souk.analyse(tmp_path / "none.souk")
    (tmp_path / "cat.souk").write_bytes(bytes(range(256)))
    with pytest.raises(souk.SoukError, match="not a text file"):
        souk.analyse(tmp_path / "cat.souk")
    with pytest.raises(souk.SoukError, match="a record, its file or a state, not 7"):
        souk.analyse(7)
    with pytest.raises(souk.SoukError, match="no computer player 'nobody'"):
        souk.analyse(random_record(SMALL, moves=1), level="nobody")
    with pytest.raises(souk.SoukError, match="seconds or nodes"):
        souk.analyse(random_record(SMALL, moves=1), nodes=5, seconds=1)
    with pytest.raises(souk.SoukError, match=r"by master takes at least 1000 nodes .* not 999"):
        souk.analyse(random_record(SMALL, moves=1), nodes=999)


def test_progress_is_reported():
    seen = []
    souk.analyse(random_record(SMALL), level="trader", progress=lambda *far: seen.append(far))
    count = len(random_record(SMALL).actions)
    assert seen == [(number, count) for number in range(1, count + 1)]


@pytest.mark.parametrize(("level", "moves"), [("greedy", 9), ("master", None)])
def test_marracash_is_analysed_too(level, moves):
    record = random_record("marracash(players=3,souvenirs=True)", moves=moves)
    analysis = souk.analyse(record, level=level, nodes=1000 if level == "master" else 60)
    assert len(analysis.steps) == len(record.actions) and {
        one.colour for one in analysis.players
    } == {
        "red",
        "yellow",
        "blue",
    }
    for one in analysis.players:
        parts = one.luck + one.own + one.others + one.hindsight
        assert one.end - one.start == pytest.approx(parts, abs=1e-5)
