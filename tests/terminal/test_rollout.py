"""`souk rollout`: the table, its JSON, positions, and errors."""

import json
from pathlib import Path
from typing import Any

import pytest

import souk
from souk.engine.styled_text import cell_width
from souk.records import Record, write
from souk.terminal.rollout import RolloutOptions, run_rollout
from tests.analysis.example_games import random_record
from tests.cli.run_souk import run

SMALL = "marrakech(players=2,two_player=one-colour,rugs=2)"  # compiled for tests/analysis too


@pytest.fixture
def record() -> Record:
    return random_record(SMALL)


@pytest.fixture
def file(record: Record, tmp_path: Path) -> str:
    path = tmp_path / "game.souk"
    path.write_text(write(record), encoding="utf-8")
    return str(path)


def roll_out(file: str, **given: Any) -> int:
    default = {"number": None, "at": None, "player": "trader", "games": 60, "seconds": None}
    options = {**default, "truncate": None, "seed": 1, "json": None, **given}
    return run_rollout(file, RolloutOptions(**options))


def test_the_table_has_every_action_best_first(
    record: Record, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert roll_out(file, at=0) == 0
    out = capsys.readouterr().out
    assert all(cell_width(line) <= 80 for line in out.splitlines())
    lines = out.splitlines()
    heading = next(at for at, line in enumerate(lines) if line.startswith("action"))
    rows = [line.split() for line in lines[heading + 1 : heading + 4]]
    assert {row[0] for row in rows} == {"left", "ahead", "right"}
    losses = [float(row[3]) for row in rows]
    assert losses[0] == 0 and losses == sorted(losses)
    played = record.game.action_to_string(record.actions[0])
    assert [row[0] for row in rows if row[-1] == "played"] == [played]


def test_json_has_the_results_of_souk_rollout(
    record: Record, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert roll_out(file, at=0, json="-", seed=4) == 0
    out, err = capsys.readouterr()
    values = json.loads(out)
    state = record.replay(0)
    assert values["position"] == state.to_dict()
    expected = souk.rollout(state, "trader", 60, seed=4, actions=state.legal_actions())
    by_text = {state.action_to_string(one.action or 0): one for one in expected}
    for one in values["results"]:
        assert tuple(one["shares"]) == by_text[one["action"]].shares
        assert one["loss_error"] == by_text[one["action"]].loss_error
    assert "action" in err


def test_a_position_and_a_chance_step(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(record.replay(1).to_dict()), encoding="utf-8")
    assert roll_out(str(path)) == 0
    out = capsys.readouterr().out
    assert "Chance acts here" in out and "after 60 games" in out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "the game is over in this position; choose an earlier one with --at"),
        ({"at": 99}, "this record has moves 0 to"),
        ({"at": 0, "player": "nobody"}, "are played by random, greedy, trader or expert"),
    ],
)
def test_errors_are_one_sentence(file: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(souk.SoukError, match=message):
        roll_out(file, **given)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("{}", 'has no "game"'),
        ("[]", 'has no "game"'),
        ('{"game": "marrakech(players=9)"}', "players"),
    ],
)
def test_broken_positions_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "position.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(souk.SoukError, match=message):
        roll_out(str(path))


def test_the_command_line_passes_its_options_on(file: str) -> None:
    done = run("rollout", file, "--at", "-2", "--player", "trader", "--games", "12", "--json", "-")
    values = json.loads(done.stdout)
    assert values["player"] == "trader"
    assert {one["games"] for one in values["results"]} == {12}
