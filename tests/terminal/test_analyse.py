"""`souk analyse`: the report, its files, and errors."""

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import souk
from souk.engine.styled_text import cell_width
from souk.records import Record, Seat, write
from tests.analysis.example_games import random_record
from tests.cli.run_souk import run
from tests.terminal.pseudo_terminal import terminal

SMALL = "marrakech(players=2,rugs=2)"
QUICK = ("--level", "trader")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.souk"
    path.write_text(write(random_record(SMALL)), encoding="utf-8")
    return path


def run_analyse(*arguments: object, **more: object) -> "subprocess.CompletedProcess[str]":
    return run("analyse", *map(str, arguments), *QUICK, seconds=200, **more)  # type: ignore[arg-type]


def test_the_report_fits_eighty_columns_and_adds_up(file: Path) -> None:
    out = run_analyse(file).stdout
    assert all(cell_width(line) <= 80 for line in out.splitlines())
    analysis = souk.analyse(file, level="trader")
    lines = out.splitlines()
    heading = next(at for at, line in enumerate(lines) if line.split()[:2] == ["start", "luck"])
    for one, line in zip(analysis.players, lines[heading + 1 :], strict=False):
        row = line.split()
        assert row[0] == one.name
        numbers = [float(cell.replace("−", "-")) for cell in row[1:]]
        start, *parts, end = numbers
        assert end - start == pytest.approx(sum(parts), abs=0.35)  # each is rounded
        assert numbers[1] == pytest.approx(100 * one.luck, abs=0.051)
    heading = next(at for at, line in enumerate(lines) if line.split()[:1] == ["error"])
    for one, line in zip(analysis.players, lines[heading + 1 :], strict=False):
        counts = f"{one.inaccuracies} {one.mistakes} {one.blunders} {one.best} of {one.decisions}"
        assert line.split() == [one.name, f"{one.error_rate:.1f}", *counts.split()]
    worst = analysis.step(analysis.costliest[0])
    assert f"1.  Move {worst.step}, turn {worst.turn}: " in out
    assert "Turning points" in out and "Winning chances over time" in out


def test_every_move_can_be_listed(file: Path) -> None:
    out = run_analyse(file, "--moves").stdout
    analysis = souk.analyse(file, level="trader")
    firsts = [line.split(".")[0].strip() for line in out.splitlines() if line[:4].strip()]
    assert firsts == [str(step.step) for step in analysis.steps]
    assert all(cell_width(line) <= 80 for line in out.splitlines())
    assert "chance" in out and "; or " in out and "lost" in out


def test_json_and_chart_go_to_files(file: Path, tmp_path: Path) -> None:
    data, chart = tmp_path / "a.json", tmp_path / "a.svg"
    done = run_analyse(file, "--json", data, "--chart", chart, "--theme", "auto")
    analysis = souk.analyse(file, level="trader")
    assert json.loads(data.read_text("utf-8")) == json.loads(json.dumps(analysis.to_dict()))
    assert chart.read_text("utf-8") == analysis.svg(theme="auto")
    assert f"The JSON is in {data}" in done.stderr and "evaluated by trader" in done.stdout


def test_standard_output_has_only_the_data(file: Path) -> None:
    done = run_analyse(file, "--json", "-")
    assert json.loads(done.stdout)["level"] == "trader" and "evaluated by trader" in done.stderr
    done = run_analyse("-", "--chart", "-", stdin=file.read_bytes())
    ElementTree.fromstring(done.stdout)
    done = run_analyse(file, "--json", "-", "--chart", "-", code=1)
    assert done.stderr == "souk: only one of --json and --chart can go to standard output\n"


def test_an_unfinished_game_is_analysed_as_far_as_it_was_played(tmp_path: Path) -> None:
    path = tmp_path / "game.souk"
    path.write_text(write(random_record(SMALL, moves=5)), encoding="utf-8")
    assert "5 moves. Not over yet." in run_analyse(path).stdout
    path.write_text(write(random_record(SMALL, moves=0)), encoding="utf-8")
    assert "0 moves. Not over yet." in run_analyse(path).stdout
    assert run_analyse(path, "--moves").stdout == "No moves yet.\n"


def test_a_broken_record_is_analysed_up_to_the_error(file: Path) -> None:
    text = file.read_text("utf-8").replace("result: ", "x: ").replace("scores: ", "y: ")
    file.write_text(text + "99. Leila: nowhere\n", encoding="utf-8")
    done = run_analyse(file, code=1)
    assert "showing what comes before" in done.stderr and "evaluated by trader" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nothing.souk",), "cannot read nothing.souk: no such file or directory"),
        (("FILE", "--level", "nobody"), "has no computer player 'nobody'"),
        (("FILE", "--nodes", "0"), "nodes is a whole number over 0, not 0"),
        (("FILE", "--nodes", "9", "--seconds", "1"), "give seconds or nodes, not both"),
        (("FILE", "--theme", "pink"), "a theme is light, dark or auto, not 'pink'"),
    ],
)
def test_errors_are_sentences(file: Path, arguments: tuple[str, ...], sentence: str) -> None:
    given = [str(file) if one == "FILE" else one for one in arguments]
    assert sentence in run("analyse", *given, code=1).stderr


def test_control_characters_in_names_are_not_printed(file: Path) -> None:
    record = random_record(SMALL, moves=3)
    nasty = (Seat("Eve\x1b[2J"), Seat("a very long name that goes on and on and on"))
    record = Record(record.game, record.actions, record.seed, nasty)
    file.write_text(write(record), encoding="utf-8")
    out = run_analyse(file).stdout
    assert "\x1b" not in out and all(cell_width(line) <= 80 for line in out.splitlines())


def test_a_progress_bar_is_shown_and_ctrl_c_stops(file: Path, tmp_path: Path) -> None:
    count = len(random_record(SMALL).actions)
    slow = ("analyse", str(file), "--level", "greedy", "--seconds", "1")
    with terminal(*slow, data=tmp_path, columns=100) as screen:
        while f"/{count}" not in screen.text:
            assert screen.more(60), screen.text
        assert screen.interrupt() == 130
        assert "Traceback" not in screen.text
