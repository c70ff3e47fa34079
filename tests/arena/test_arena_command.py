"""`souk arena`: reports, files, errors, Ctrl-C, kill and continuing."""

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.terminal.pseudo_terminal import terminal

ROOT = Path(__file__).parents[2]
SMALL = ("--game", "marrakech(players=2,rugs=2)")


def run(*words: str, code: int = 0, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [sys.executable, "-m", "souk", "arena", *words],
        cwd=cwd or ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    return done


def count_games(path: Path) -> int:
    """Return the number of games in a file."""
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def test_a_report_for_people_and_for_programs(tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    arguments = ("greedy", "random", *SMALL, "--games", "8", "--results", file)
    files = [str(tmp_path / name) for name in ("all.csv", "all.json", "all.svg", "all.png")]
    done = run(*arguments, "--csv", files[0], "--json", files[1], "--chart", files[2])
    assert "8 games, each setup in all 2 rotations of the seats" in done.stdout
    for word in (
        "greedy  random",
        "rating",
        "mean score",
        "seat",
        "turns per game",
        f"8 games saved in {file}",
    ):
        assert word in done.stdout
    rows = list(csv.DictReader(Path(files[0]).read_text().splitlines()))
    assert len(rows) == 8
    assert {row["player_0"] for row in rows} == {"greedy", "random"}
    assert all(float(row["share_0"]) + float(row["share_1"]) == 1 for row in rows)
    report = json.loads(Path(files[1]).read_text())
    assert report["games"] == 8 and report["settings"]["plan"] == "gauntlet"
    share = report["shares"][0]
    own = [row["share_0"] if row["player_0"] == "greedy" else row["share_1"] for row in rows]
    assert share["share"] == pytest.approx(sum(map(float, own)) / 8)
    assert Path(files[2]).read_text().startswith("<svg") and "greedy" in Path(files[2]).read_text()
    done = run(*arguments, "--json", "-", "--chart", files[3])
    assert json.loads(done.stdout) == report
    assert "greedy" in done.stderr
    assert Path(files[3]).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("greedy",), "souk: a tournament needs at least two players"),
        (("greedy", "nobody"), "souk: marrakech has no computer player 'nobody'"),
        (
            ("greedy", "marrakech(players=2)"),
            "souk: marrakech(players=2) is a game: name one game,",
        ),
        (("marrakech", "greedy", *SMALL), "souk: marrakech is a game: name one game, before the"),
        (("marrakech", "greedy"), "souk: a tournament needs at least two players"),
        (("greedy", "random", "--chart", "a.pdf"), "souk: a chart is an .svg or .png file"),
        (("greedy", "random", "--json", "-", "--csv", "-"), "souk: only one of --csv and --json"),
        (("greedy", "random", "--until", "never"), "souk: a stopping rule is decided"),
        (("greedy", "random", "--chart", "no/such/a.svg"), "souk: cannot write no/such/a.svg"),
        (("greedy", "random", "--ray", "127.0.0.1:1"), "souk: cannot reach a Ray cluster at 127"),
        (("greedy", "--ladder"), "souk: --ladder can only be combined with"),
        (("greedy", "random", "--seats", "9"), "souk: players"),
    ],
)
def test_an_error_is_one_sentence(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = run(*words, code=1, cwd=tmp_path)
    assert done.stderr.startswith(message), done.stderr
    assert done.stderr.count("\n") == 1 and not done.stdout


def test_the_game_may_be_named_before_the_players(tmp_path: Path) -> None:
    options = ("--games", "2", "--results", str(tmp_path / "games.jsonl"))
    done = run("marrakech(players=2,edition=pergioco)", "greedy", "random", *options)
    assert done.stdout.startswith("marrakech(players=2,edition=pergioco), seed 1: 2 games,")


def test_ctrl_c_loses_no_game_and_the_same_command_continues(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ("greedy", "random", *SMALL, "--games", "60000", "--results", str(file))
    with terminal("arena", *arguments, data=tmp_path, columns=250) as screen:
        while count_games(file) < 6 or "greedy" not in screen.text.partition("/60000")[2]:
            assert screen.more(), screen.text
        assert "/60000" in screen.text
        screen.press(b"\x03")
        assert screen.end(60) == 130
        output = screen.text
    assert "Traceback" not in output
    played = count_games(file)
    saved = f"Stopped. {played:,} games saved in {file}."
    assert f"{saved} To continue: souk arena greedy random" in output
    few = (*arguments[:5], str(played + 10), *arguments[6:])
    report = json.loads(run(*few, "--json", "-").stdout)
    assert count_games(file) >= played + 10
    apart = tmp_path / "apart.jsonl"
    again = json.loads(run(*few[:-1], str(apart), "--json", "-").stdout)
    assert report["shares"] == again["shares"] and report["seats"] == again["seats"]


def test_ctrl_c_names_the_default_file(tmp_path: Path) -> None:
    arguments = ("greedy", "random", *SMALL, "--games", "60000")
    with terminal("arena", *arguments, data=tmp_path, columns=250) as screen:
        while "/60000" not in screen.text or "greedy" not in screen.text.partition("/60000")[2]:
            assert screen.more(), screen.text
        screen.press(b"\x03")
        assert screen.end(60) == 130
        output = screen.text
    (file,) = (tmp_path / "arena").iterdir()
    assert f"--games 60000 --results {file}" in output
    assert count_games(file) > 0


def test_kill_9_loses_no_game_and_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ("greedy", "random", *SMALL, "--games", "60000", "--results", str(file))
    process = subprocess.Popen(
        [sys.executable, "-m", "souk", "arena", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "SOUK_MARK": str(tmp_path)},
    )
    limit = time.monotonic() + 60
    while count_games(file) < 6 and time.monotonic() < limit:
        time.sleep(0.02)
    process.kill()
    process.wait()
    played = count_games(file)
    assert played >= 6
    done = run(*arguments[:5], str(played + 4), *arguments[6:])
    assert count_games(file) >= played + 4
    assert f"{played + 4 + played % 2} games, each setup" in done.stdout
    mark = f"SOUK_MARK={tmp_path}"
    limit = time.monotonic() + 10
    while (left := processes_with(mark)) and time.monotonic() < limit:
        time.sleep(0.1)
    assert left == []


def processes_with(mark: str) -> list[str]:
    """Return the processes that have a text in their environment."""
    processes = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                processes.append(entry.name)
        except OSError:
            continue
    return processes


def test_the_ladder_is_a_table_of_every_level(tmp_path: Path) -> None:
    """The ladder has every level at tables of every size; here with few games."""
    import souk

    words = ("--ladder", "--game", "marrakech", "--games", "2", "--nodes", "1")
    done = run(*words, "--results", str(tmp_path / "ladder"))
    levels = souk.players("marrakech")
    table = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert table[0].count("players (fair") == 3
    assert len(table) == 2 + len(levels) - 1
    assert f"| {levels[1]} | {levels[0]} | 1.000 (" in table[-1]
    assert done.stdout.startswith("**marrakech**, 1 nodes per move: share of the win")
    assert sorted(path.name for path in (tmp_path / "ladder").iterdir()) == [
        "marrakech-2.jsonl",
        "marrakech-3.jsonl",
        "marrakech-4.jsonl",
    ]
    assert run(*words, "--results", str(tmp_path / "ladder")).stdout == done.stdout
