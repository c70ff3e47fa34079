"""`souk play` through a pipe."""

import os
from pathlib import Path

import souk
from souk.records import read, write
from tests.cli.run_souk import SMALL, random_record, run


def test_a_game_through_a_pipe_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "pipe.souk"
    answers = ""
    options = (
        "play",
        "marrakech(rugs=1)",
        "--seat",
        "person",
        "--seat",
        "greedy",
        "--seed",
        "4",
        "--name",
        "Ada",
    )
    for _ in range(40):
        done = run(*options, "--save", str(file), "--force", stdin=answers)
        state = read(file.read_text("utf-8")).replay()
        assert "\x1b" not in done.stdout
        if state.is_terminal():
            break
        assert f"The game is saved in {file}" in done.stdout
        answers += state.action_to_string(state.legal_actions()[-1]) + "\n"
    assert state.is_terminal()
    assert " win" in done.stdout and f"The record is saved in {file}" in done.stdout
    assert run("check", str(file)).stdout.startswith(f"{file}: ok, ")


def test_a_player_that_fails_is_reported_and_the_game_is_saved(tmp_path: Path) -> None:
    others = install_players(
        tmp_path,
        "class Lazy(Player):\n    name = 'lazy'\n    def think(self, state, actions):\n"
        "        raise KeyError('oh')\n",
        lazy="theirs:Lazy",
    )
    file = tmp_path / "game.souk"
    seats = ("--seat", "lazy", "--seat", "greedy")
    done = run("play", "--seed", "1", *seats, "--save", str(file), code=1, PYTHONPATH=others)
    assert done.stderr == "souk: the player 'lazy' failed: KeyError: 'oh'\n"
    assert f"The game is saved in {file}" in done.stdout
    assert run("check", str(file)).stdout
    for threads in ("1", "2"):
        many = ("simulate", SMALL, "-n", "5", *seats, "--threads", threads)
        done = run(*many, code=1, PYTHONPATH=others)
        assert done.stderr == "souk: the player 'lazy' failed: KeyError: 'oh'\n"


def test_a_player_that_crashes_its_process_stops_a_simulation(tmp_path: Path) -> None:
    others = install_players(
        tmp_path,
        "import os\nclass Crash(Player):\n    name = 'crash'\n"
        "    def think(self, state, actions):\n        os._exit(3)\n",
        crash="theirs:Crash",
    )
    many = ("simulate", SMALL, "-n", "5", "--seat", "crash", "--seat", "random", "--threads", "2")
    done = run(*many, code=1, PYTHONPATH=others)
    assert done.stderr.startswith("souk: a worker process ended unexpectedly")


def test_a_fault_in_a_game_of_another_package_is_a_sentence(tmp_path: Path) -> None:
    others = install_players(tmp_path, "")
    (tmp_path / "theirs-1.0.dist-info/entry_points.txt").write_text("[souk.games]\nodd = odd:Odd\n")
    (tmp_path / "rulebook").mkdir()
    (tmp_path / "rulebook/en.md").write_text("# Odd\n")
    (tmp_path / "odd.py").write_text(
        "from souk.games.marrakech.game import Marrakech\n"
        "class Odd(Marrakech):\n"
        "    name = 'odd'\n"
        "    def prompt(self, state, names):\n"
        "        raise KeyError('oh')\n"
    )
    done = run("play", "odd", "--players", "2", data=tmp_path, code=1, PYTHONPATH=others)
    where = "KeyError: 'oh' (odd.py, line 5, in prompt)"
    assert done.stderr == f"souk: this should not happen: {where}; SOUK_TRACEBACK=1 shows more\n"


def install_players(folder: Path, code: str, **players: str) -> str:
    """Install a third-party package with players; return its PYTHONPATH."""
    about = folder / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    lines = [f"{name} = {value}\n" for name, value in players.items()]
    (about / "entry_points.txt").write_text("[souk.players]\n" + "".join(lines))
    (folder / "theirs.py").write_text(f"from souk.players import Player\n{code}")
    return f"{folder}{os.pathsep}{Path(souk.__file__).parents[1]}"


def test_a_broken_third_party_player_does_not_affect_others(tmp_path: Path) -> None:
    others = install_players(
        tmp_path,
        "class Last(Player):\n    name = 'last'\n    def think(self, state, actions):\n"
        "        return actions[-1]\n",
        broken="nosuchmodule:X",
        leaving="leaving:X",
        nothing="os:path",
        last="theirs:Last",
        greedy="nosuchmodule:Y",  # ours stays ours
    )
    (tmp_path / "leaving.py").write_text("raise SystemExit('not here')")
    names = run("players", PYTHONPATH=others).stdout.split()
    ours = souk.players("marrakech")
    assert names[: len(ours)] == ours and set(names[len(ours) :]) == {
        *("broken", "leaving", "nothing", "last")
    }
    small = ("simulate", SMALL, "-n", "2")
    for seat, why in (
        ("broken", "No module named 'nosuchmodule'"),
        ("leaving", "SystemExit: not here"),
        ("nothing", "no subclass of"),
    ):
        done = run(*small, "--seat", seat, code=1, PYTHONPATH=others)
        assert f"the player '{seat}' of package theirs cannot be loaded: " in done.stderr
        assert why in done.stderr and done.stderr.count("\n") == 1
    assert "2 games" in run(*small, "--seat", "last", PYTHONPATH=others).stdout
    done = run("play", "--seed", "1", "--name", "Ada", data=tmp_path, PYTHONPATH=others)
    assert "(greedy)" in done.stdout and "(last)" not in done.stdout


def test_an_existing_file_is_not_replaced(record: Path) -> None:
    before = record.read_text()
    done = run("play", "--seed", "1", "--save", str(record), code=1)
    assert "exists already; --force replaces it" in done.stderr
    assert record.read_text() == before


def test_a_device_is_not_replaced() -> None:
    done = run("play", "--seed", "1", "--save", "/dev/null", "--force", code=1)
    assert "not a plain file" in done.stderr
    assert not Path("/dev/null").is_file()


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "mine.souk"
    file.write_text(write(random_record(5)), "utf-8")
    file.chmod(0o600)
    run("play", "--resume", str(file), stdin="left\n")
    assert file.stat().st_mode & 0o777 == 0o600


def test_resume_takes_the_newest_unfinished_game(tmp_path: Path) -> None:
    assert "no unfinished game" in run("play", "--resume", data=tmp_path, code=1).stderr
    folder = tmp_path / "games"
    folder.mkdir()
    for number, text in enumerate(
        [write(random_record(9)), write(random_record(5)), write(random_record()), "no record"]
    ):
        file = folder / f"{number}.souk"
        file.write_text(text)
        os.utime(file, (number, number))
    done = run("play", "--resume", data=tmp_path, stdin="")
    assert f"The game is saved in {folder / '1.souk'}" in done.stdout


def test_resume_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.souk"
    bad.write_text(write(random_record()).replace("deal: red", "deal: green"))
    assert "move 1" in run("play", "--resume", str(bad), code=1).stderr
    missing = tmp_path / "none.souk"
    assert "no such file" in run("play", "--resume", str(missing), code=1).stderr
    foreign = tmp_path / "foreign.souk"
    foreign.write_text(write(random_record(5)).replace("Leila, random", "Leila, oracle"))
    assert "not 'oracle'" in run("play", "--resume", str(foreign), code=1).stderr


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert "cannot write" in run("play", "--seed", "1", data=blocked, code=1).stderr
