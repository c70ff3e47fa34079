"""Sets of decisions: what is in them, their files, and error rates."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

import souk
from bench import errors
from souk.analysis.decisions import (
    Decision,
    encode,
    make_decision,
    pick_decision,
    read_decisions,
)
from souk.analysis.error_rate import error_rate, loss, losses, noise
from souk.engine.state import State
from souk.players import Player

GAME = "marrakech(players=2,two_player=one-colour,rugs=3)"  # compiled for test_rollouts too
QUICK = {"random": 1, "novice": 1}  # these levels compile nothing


@pytest.fixture(scope="module")
def decisions() -> list[Decision]:
    return [
        make_decision(
            GAME, number, seed=1, games=100, error=0.05, truncate=2, player="trader", mix=QUICK
        )
        for number in range(12)
    ]


class ByLoss(Player):
    """Chooses the action with the smallest or the largest loss."""

    name = "by-loss"
    known: Iterator[Decision]  # in the order of its choices
    is_best: bool

    def think(self, state: State, actions: list[int]) -> int:
        one = next(self.known)
        loss = min(one.losses) if self.is_best else max(one.losses)
        action = state.string_to_action(one.actions[one.losses.index(loss)])
        assert action in actions
        return action


def test_a_decision_has_every_legal_action(decisions: list[Decision]) -> None:
    assert {one.phase for one in decisions} == {"turn", "lay"}
    for one in decisions:
        state = one.state()
        legal = [state.action_to_string(action) for action in state.legal_actions()]
        assert one.actions == legal and len(legal) > 1
        assert one.seat == state.current_player()
        assert min(one.losses) == 0
        reached = max(one.games)
        left = [
            error for error, games in zip(one.errors, one.games, strict=True) if games == reached
        ]
        assert max(left) <= 0.05 or reached == 100


def test_a_decision_repeats_by_its_number(decisions: list[Decision]) -> None:
    again = make_decision(
        GAME, 3, seed=1, games=100, error=0.05, truncate=2, player="trader", mix=QUICK
    )
    assert again == decisions[3] != decisions[4]


def test_files_are_read_back_without_an_unfinished_line(
    decisions: list[Decision], tmp_path: Path
) -> None:
    data = b"".join(map(encode, decisions))
    plain, packed = tmp_path / "set.jsonl", tmp_path / "set.jsonl.gz"
    plain.write_bytes(data[:-10])
    packed.write_bytes(gzip.compress(data))
    assert read_decisions(plain) == decisions[:-1]
    assert read_decisions(packed) == decisions
    plain.write_bytes(b"{}\n")
    with pytest.raises(souk.SoukError, match="line 1 is not a decision"):
        read_decisions(plain)


def test_a_part_is_held_back_by_a_hash(decisions: list[Decision]) -> None:
    held = [one.is_held_back for one in decisions]
    assert held == [one.is_held_back for one in reversed(decisions)][::-1]
    game = souk.load_game(GAME)
    random = Random(1)
    sample = [pick_decision(game, random, QUICK) for _ in range(100)]
    empty = {"number": 0, "phase": "", "turn": 0, "seat": 0}
    lists: dict[str, list[int]] = {
        name: [] for name in ("actions", "shares", "losses", "errors", "games")
    }
    parts = [Decision(position=one.to_dict(), **empty, **lists).is_held_back for one in sample]  # type: ignore[arg-type]
    assert 5 <= sum(parts) <= 40


def test_the_error_rate_is_the_mean_loss_in_thousandths(decisions: list[Decision]) -> None:
    chooser = ByLoss(souk.load_game(GAME))
    chooser.known, chooser.is_best = iter(decisions), True
    assert error_rate([loss(chooser, one) for one in decisions]).rate == 0
    chooser.known, chooser.is_best = iter(decisions), False
    expected = sum(max(one.losses) for one in decisions) / len(decisions)
    lost = [loss(chooser, one) for one in decisions]
    assert error_rate(lost).rate == pytest.approx(1000 * expected)


def test_losses_do_not_depend_on_processes_or_other_decisions(decisions: list[Decision]) -> None:
    names = ("random", "novice")
    alone = list(losses(names, decisions, seed=3, processes=1))
    assert alone == list(losses(names, decisions, seed=3, processes=2))
    assert [one[5:8] for one in alone] == list(losses(names, decisions[5:8], seed=3, processes=1))
    assert alone[0] != next(losses(names, decisions, seed=4, processes=1))


def test_noise_is_how_much_too_high_the_losses_are() -> None:
    """Gaps between the true values are spread evenly; every value is measured with noise."""
    random, error = Random(1), 0.01
    bias = estimate = 0.0
    empty = Decision(0, {}, "", 1, 0, ["a", "b"], [], [], [], [])
    for _ in range(20_000):
        gap = random.uniform(0, 6 * error)  # by which the first action is better than the second
        measured = gap + random.gauss(0, error)
        bias += max(0.0, -measured)  # the best value, less that of the action that is best
        found = msgspec.structs.replace(empty, losses=[0, abs(measured)], errors=[0, error])
        estimate += noise(found)
    assert bias > 0.5 * 20_000 * error / 24  # or there is nothing to estimate
    assert estimate == pytest.approx(bias, rel=0.1)


def test_bench_errors_writes_rates_and_paired_differences(
    decisions: list[Decision], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "set.jsonl", tmp_path / "figures.json"
    path.write_bytes(b"".join(map(encode, decisions)))
    held_back = [one for one in decisions if one.is_held_back]
    assert held_back, "this test needs one"
    given = ["--decisions", str(tmp_path), "--levels", "random,novice", "--json", str(out)]
    errors.main([*given, "--processes", "1"])
    (found,) = json.loads(out.read_text())
    random, novice = found["players"]["random"], found["players"]["novice"]
    lost = list(losses(["random", "novice"], held_back, processes=1))
    assert [random["losses"], novice["losses"]] == lost
    phases = random["phases"].values()
    assert sum(one["decisions"] for one in phases) == found["decisions"] == len(held_back)
    (difference,) = found["differences"]
    assert difference["less"] == "random"
    assert difference["rate"] == pytest.approx(novice["rate"] - random["rate"])
    assert "novice less random" in capsys.readouterr().out
    with pytest.raises(souk.SoukError, match="no computer player 'chess'"):
        errors.main([*given[:2], "--levels", "chess"])
