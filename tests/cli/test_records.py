"""`souk show` and `souk check`."""

from pathlib import Path

import pytest

import souk
from souk.records import read, write
from tests.cli.run_souk import random_record, run


def test_show_a_position(record: Path) -> None:
    count = len(random_record().actions)
    end = run("show", str(record)).stdout
    assert f"after move {count} of {count}" in end and "wins:" in end and "\x1b" not in end
    assert end == run("show", "-", stdin=record.read_bytes()).stdout
    assert end == run("show", str(record), "--at", "-1").stdout
    start = run("show", str(record), "--at", "0").stdout
    assert start == run("show", str(record), "--at", str(-count - 1)).stdout
    assert "Ada <RR> =YY=" in start
    assert "not 999" in run("show", str(record), "--at", "999", code=1).stderr


def test_show_the_moves(record: Path) -> None:
    lines = run("show", str(record), "--moves").stdout.splitlines()
    assert len(lines) == len(random_record().actions)
    assert lines[0].lstrip().startswith("1. ") and "Ada's next rug is" in lines[0]


def test_show_draws(record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    done = run("show", str(record), "--at", "5", "--svg", str(picture), "--theme", "dark")
    assert done.stdout == f"The drawing is in {picture}\n"  # and no board beside it
    assert "<svg" in picture.read_text() and "Ada" in picture.read_text()
    assert "<svg" in run("show", str(record), "--svg", "-").stdout
    assert "a theme is" in run("show", str(record), "--svg", "-", "--theme", "x", code=1).stderr


def test_show_the_moves_before_an_error(record: Path) -> None:
    text = record.read_text()
    record.write_text(text.replace("\n3. ", "\n3. Ada: jump, "))
    done = run("show", str(record), code=1)
    assert "jump" in done.stderr and "after move" in done.stdout


def test_control_characters_in_a_record_are_not_printed(record: Path, tmp_path: Path) -> None:
    evil = record.read_text().replace("Ada", "A\x1b[2Jda\x9b31m")
    record.write_text(evil)
    for command in (("check",), ("show", "--moves"), ("show",), ("show", "--svg", "-")):
        done = run(command[0], str(record), *command[1:])
        assert "da" in done.stdout
        assert "\x1b" not in done.stdout + done.stderr and "\x9b" not in done.stdout + done.stderr
    record.write_text(evil.replace("\n3. ", "\n3. \x1b]0;x\a"))
    assert "\x1b" not in run("check", str(record), code=1).stderr
    assert "\x1b" not in run("play", "\x1b[31mchess", code=1).stderr
    done = run("play", "--seed", "1", data=tmp_path, stdin="\x1b[2Jboo\n")
    assert "boo" in done.stdout and "\x1b" not in done.stdout


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """A whole game of MarraCash with everything in it."""
    file = tmp_path / "market.souk"
    game = "marracash(players=3,souvenirs=True,pull_in=True,layout=medina)"
    file.write_text(write(random_record(text=game)), "utf-8")
    return file


def test_marracash_is_shown_listed_drawn_and_checked(market: Path) -> None:
    record = read(market.read_text("utf-8"))
    count, names = len(record.actions), ["Ada", "Leila", "Karim"]
    assert record.names() == names
    end = run("show", str(market)).stdout
    assert f"after move {count} of {count}" in end and "dirhams" in end
    assert all(
        f"{name} {score}" in end
        for name, score in zip(names, record.replay().scores(), strict=True)
    )
    moves = run("show", str(market), "--moves").stdout.splitlines()
    assert len(moves) == count and "Ada auctions the" in moves[0]
    assert "<svg" in run("show", str(market), "--svg", "-", "--at", "40").stdout
    assert run("check", str(market)).stdout.startswith(f"{market}: ok, {count} moves, ")


def test_a_dealt_game_without_its_seed_is_refused(market: Path) -> None:
    text = market.read_text("utf-8")
    market.write_text(text.replace("seed: 1\n", ""), "utf-8")
    for command in ("check", "show"):
        done = run(command, str(market), code=1)
        assert "line 1: " in done.stderr and "needs the seed that dealt its setup" in done.stderr


def test_a_board_lies_beside_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played in one folder, then shown, checked and resumed from another."""
    shipped = Path(souk.__file__).parent / "games" / "marracash" / "boards" / "medina.json"
    home = tmp_path / "evening"
    home.mkdir()
    (home / "it's ours.json").write_text(shipped.read_text("utf-8"), "utf-8")
    file = home / "game.souk"
    program = str(Path(souk.__file__).parents[1])
    monkeypatch.chdir(home)
    new = ("play", "marracash", "--layout", "it's ours.json", "--save", "game.souk")
    run(*new, stdin="auction P3\nquit\n", PYTHONPATH=program)
    header = file.read_text("utf-8").splitlines()[0]
    assert header == 'game: marracash(players=4,layout="it\'s ours.json")'
    monkeypatch.chdir("/")
    assert "ok, 1 move" in run("check", str(file), PYTHONPATH=program).stdout
    assert "after move 1 of 1" in run("show", str(file), PYTHONPATH=program).stdout
    run("play", "--resume", str(file), stdin="bid 100\nquit\n", PYTHONPATH=program)
    assert file.read_text("utf-8").splitlines()[0] == header
    assert "bid 100" in file.read_text("utf-8")


def test_check(record: Path, tmp_path: Path) -> None:
    good = run("check", str(record)).stdout
    count = len(random_record().actions)
    assert good.startswith(f"{record}: ok, {count} moves, ") and good.count("\n") == 1
    assert " wins (Ada " in good
    files = {
        "broken": write(random_record()).replace("\n1. Ada: ", "\n1. Ada: fly, ").encode(),
        "result": write(random_record()).replace("scores: ", "scores: 9").encode(),
        "empty": b"",
        "binary": bytes(range(256)),
        "nul": b"game: marrakech\n\x00\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    paths = [str(tmp_path / name) for name in (*files, "missing")] + [str(tmp_path)]
    done = run("check", str(record), *paths, code=1)
    assert done.stdout == good
    complaints = done.stderr.splitlines()
    assert len(complaints) == len(paths)
    assert "line" in complaints[0] and "move 3" in complaints[0] and "fly" in complaints[0]
    assert "the header says scores" in complaints[1]
    assert complaints[2].endswith("empty has no game")
    assert complaints[3].endswith("line 2: this is not text in UTF-8")
    assert complaints[5].endswith("no such file or directory")
    assert complaints[6].endswith("is a directory")
