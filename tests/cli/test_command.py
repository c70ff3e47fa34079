"""The command line: help, wrong usage, streams that fail, knobs by name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import souk
from tests.cli.run_souk import RunMain, run


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys, souk.cli\n"
        "sys.argv = ['souk', '--help']\n"
        "try:\n    souk.cli.main()\n"
        "except SystemExit as end:\n    assert not end.code\n"
        "heavy = {'numpy', 'numba', 'rich', 'pydantic', 'multiprocessing'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    environ = {key: value for key, value in os.environ.items() if "COVERAGE" not in key}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environ
    )
    assert done.returncode == 0, done.stderr
    assert "simulate" in done.stdout


def test_version_and_help(run_main: RunMain) -> None:
    assert run("--version").stdout == f"souk {souk.__version__}\n"
    assert run().stdout == run("--help").stdout
    for command in ("play", "simulate", "show", "check", "rules", "games", "players", "prepare"):
        code, out, _ = run_main(command, "--help")
        assert code == 0 and "Usage: " in out and "[[" not in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("dance",),
        ("simulate", "-n", "many"),
        ("show",),
        ("play", "--nope"),
        ("simulate", "-n", "0"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: tuple[str, ...], run_main: RunMain) -> None:
    code, _, said = run_main(*arguments)
    assert code == 2 and said.startswith("Usage:")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "chess"), "there is no game 'chess'"),
        (("play", "--players", "9"), "players accepts a whole number from 2 to 4, not 9"),
        (("play", "--edition", "x"), "edition accepts gigamic, gigamic-57 or pergioco"),
        (("play", "--edition"), "edition accepts gigamic, gigamic-57 or pergioco, not ''"),
        (("play", "marracash", "--edition=x"), "marracash has no knob 'edition'; it has players,"),
        (("play", "--edition", "gigamic", "-k", "edition=gigamic"), "edition is set twice"),
        (
            ("simulate", "marracash", "--commission", "x"),
            "commission accepts per-customer, per-group or",
        ),
        (("simulate", "marracash", "--layout", "3"), "'3' cannot be read"),
        (("play", "-k", "rugs"), "a knob is written name=value"),
        (("play", "-k", "colour=red"), "marrakech has no knob 'colour'"),
        (
            ("play", "--seat", "god"),
            "a seat is person, random, novice, greedy, trader, expert or master, not 'god'",
        ),
        (("play", "--seed", "-1"), "a seed is a whole number"),
        (("play", "--name", "A", "--name", "a"), "two seats have the same name"),
        (("play", *["--seat", "greedy"] * 5), "players accepts"),
        (("play", "--players", "2", *["--seat", "greedy"] * 3), "has 2 seats, but 3"),
        (
            ("simulate", "--seat", "person"),
            "a seat is random, novice, greedy, trader, expert or master, not 'person'",
        ),
        (
            ("simulate", "--seat", "nobody"),
            "a seat is random, novice, greedy, trader, expert or master, not 'nobody'",
        ),
        (("simulate", "--csv", "-", "--json", "-"), "only one of"),
        (("simulate", "--device", "gpu"), "device accepts cpu or cuda, not 'gpu'"),
        (("simulate", "--device", "cuda", "--seat", "greedy"), "a GPU plays random games without"),
        (("simulate", "--csv", "/nonexistent/x.csv"), "cannot write /nonexistent/x.csv"),
        (("simulate", "--seat", "greedy", "--seconds", "-1"), "seconds is a number over 0"),
        (("simulate", "--seat", "master", "--nodes", str(2**63)), "nodes is a whole number up to"),
        (("rules", "--language", "tlh"), "no rulebook in language 'tlh'"),
        (("rules", "marrakech", "--knob", "pile=tall"), "pile accepts open or face-down"),
        (("players", "chess"), "there is no game 'chess'"),
        (("prepare", "chess"), "there is no game 'chess'"),
    ],
)
def test_invalid_input_is_one_sentence(
    arguments: tuple[str, ...],
    sentence: str,
    run_main: RunMain,
) -> None:
    code, _, said = run_main(*arguments)
    assert code == 1
    assert sentence in said
    assert said.startswith("souk: ") and said.count("\n") == 1


def test_a_closed_pipe_prints_no_error(record: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m souk show {record} --moves | head -1",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == "" and done.stdout.count("\n") == 1


@pytest.mark.parametrize("arguments", ["show {} --moves", "rules", "simulate -n 9000 --csv -"])
def test_a_closed_pipe_is_exit_code_1(arguments: str, record: Path) -> None:
    command = f"{sys.executable} -m souk {arguments.format(record)}"
    done = subprocess.run(
        ["bash", "-c", f"({command}; echo $? >&2) | true"], capture_output=True, text=True
    )
    assert done.stderr == "1\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "show {} --moves > /dev/full",
        "--help > /dev/full",
        "simulate -n 9000 --csv - > /dev/full",
        "simulate -n 9000 --csv /dev/full",
        "simulate -n 9 --json /dev/full",
        "play --seed 1 --save {}.new > /dev/full",
    ],
)
def test_a_full_disk_is_one_sentence(arguments: str, record: Path) -> None:
    command = f"{sys.executable} -m souk {arguments.format(record)}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, stdin=-3)
    assert done.returncode == 1
    assert done.stderr == "souk: cannot write the output: no space left on device\n"


def test_closed_streams_raise_no_exception(tmp_path: Path) -> None:
    for closing in ("<&-", ">&-", "2>&-"):
        done = subprocess.run(
            f"{sys.executable} -m souk play --seed 1 {closing}",
            shell=True,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "SOUK_DATA_DIR": str(tmp_path)},
        )
        assert "Traceback" not in done.stderr, done.stderr


# ---- knobs by name -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "game"),
    [
        (("--edition", "pergioco", "-p", "2"), "marrakech(players=2,edition=pergioco)"),
        (("--edition=gigamic-57", "--rugs", "3"), "marrakech(players=3,edition=gigamic-57,rugs=3)"),
        (
            ("marracash", "--souvenirs", "--pull-in"),
            "marracash(players=4,souvenirs=True,pull_in=True)",
        ),
        (("marracash", "--souvenirs", "true", "-p3"), "marracash(players=3,souvenirs=True)"),
        (("marracash", "--no-souvenirs", "--pull_in=False"), "marracash(players=4)"),
        (("marracash", "--commission", "per-group"), "marracash(players=4,commission=per-group)"),
        (("marracash", "--commission", "once"), "marracash(players=4,commission=once)"),
        (("--turn-last", "-p", "2"), "marrakech(players=2,edition=gigamic,turn_last=True)"),
        (("--turn-last", "may"), "marrakech(players=3,edition=gigamic,turn_last=may)"),
        (("--turn-last=must",), "marrakech(players=3,edition=gigamic,turn_last=True)"),
        (("--no-turn-last",), "marrakech(players=3,edition=gigamic)"),
    ],
)
def test_every_knob_of_a_game_is_an_option(
    arguments: tuple[str, ...], game: str, run_main: RunMain
) -> None:
    code, said, _ = run_main("simulate", "-n", "1", *arguments)
    assert code == 0 and said.startswith(f"{game}, seed 1: 1 game")


def test_the_last_player_takes_the_remaining_seats(run_main: RunMain) -> None:
    for game, players in (("marracash", 4), ("marrakech", 2)):
        code, said, _ = run_main(
            "simulate", game, "-n", "1", "--seat", "random", "--seat", "greedy"
        )
        assert code == 0 and said.startswith(f"{game}(players={players}")
        assert said.count("random") == 1 and said.count("greedy") == players - 1


def test_no_option_of_a_command_is_named_like_a_knob() -> None:
    """Otherwise the knob could not be given by name; the number of players is both on purpose."""
    knobs = {knob.name for name in souk.games() for knob in type(souk.load_game(name)).knobs}
    for command in ("play", "simulate", "rules"):
        text = run(command, "--help").stdout
        taken = {name for name in knobs if f"--{name.replace('_', '-')} " in text}
        assert taken == {"players"}
