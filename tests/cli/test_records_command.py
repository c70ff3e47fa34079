"""`souk records`, and files with several games for the other commands."""

import gzip
import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from souk.records import Record, Seat, read_games, write, write_games
from tests.cli.run_souk import RunMain, random_record

MARKET = "marracash(players=3)"


@pytest.fixture(scope="module")
def games() -> list[Record]:
    small = [random_record(seed=seed) for seed in range(6)]
    first = replace(small[0], date=date(2026, 1, 2), extra={"event": "Café evening"})
    duel = replace(small[1], seats=(Seat("Ada"), Seat("Bob [x]", "master")), date=date(2026, 5, 6))
    return [first, duel, *small[2:], random_record(text=MARKET), random_record(moves=5)]


@pytest.fixture
def file(games: list[Record], tmp_path: Path) -> Path:
    write_games(tmp_path / "games.souk", games)
    return tmp_path / "games.souk"


def test_games_are_summed_up(run_main: RunMain, file: Path, games: list[Record]) -> None:
    code, out, err = run_main("records", str(file))
    assert (code, err) == (0, "")
    first, *blocks = out.split("\n\n")
    assert first == "8 games; 2026-01-02 to 2026-05-06"
    assert [block.split("(")[0] for block in blocks] == ["marracash", "marrakech"]
    assert "7 games, 1 of them unfinished" in blocks[1] and "12.0 turns on average" in blocks[1]
    wins = sum(record.outcome.returns[0] for record in games if record.game == games[0].game)
    row = next(line.split() for line in blocks[1].splitlines() if line.split()[0] == "Ada")
    assert row[:3] == ["Ada", "6", f"{wins:g}"]


def test_games_are_listed_with_their_numbers(run_main: RunMain, file: Path) -> None:
    _, out, _ = run_main("records", str(file), "--list", "--game", "marrakech(rugs=3)")
    lines = out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        f"{file}, game {number}" for number in (1, 2, 3, 4, 5, 6, 8)
    ]
    assert "2026-01-02, " in lines[0] and lines[-1].endswith(
        "5 moves, unfinished (Ada 32, Leila 30)"
    )


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--game", "marracash"], [7]),
        (["--game", "marrakech(players=2,rugs=4)"], []),
        (["--player", "ada", "--player", "BOB*"], [2]),
        (["--player", "master"], [2]),
        (["--result", "unfinished"], [8]),
        (["--turns", "12"], [1, 2, 3, 4, 5, 6]),
        (["--turns", "13-"], [7]),
        (["--turns", "-11"], [8]),
        (["--since", "2026-01-02", "--until", "2026-05-05"], [1]),
        (["--header", "event=*evening"], [1]),
        (["--limit", "2"], [1, 2]),
        (["--limit", str(10**20), "--turns", "-11"], [8]),
    ],
)
def test_games_are_filtered(
    run_main: RunMain, file: Path, games: list[Record], options: list[str], numbers: list[int]
) -> None:
    chosen = file.with_name("chosen.souk")
    code, out, err = run_main("records", str(file), *options, "-o", str(chosen))
    assert (code, err) == (0, "")
    assert out == f"{len(numbers)} game{'' if len(numbers) == 1 else 's'} in {chosen}\n"
    content = chosen.read_text("utf-8")
    assert content == "\n".join(write(games[number - 1]) for number in numbers)


def test_winners_are_filtered(run_main: RunMain, file: Path, games: list[Record]) -> None:
    _, out, _ = run_main("records", str(file), "--winner", "Ada", "--result", "won", "--list")
    assert out.count("\n") == sum(record.outcome.returns[0] == 1 for record in games) > 0


def test_files_are_merged(run_main: RunMain, file: Path, games: list[Record]) -> None:
    folder = file.parent / "more"
    folder.mkdir()
    (folder / "one.souk.gz").write_bytes(gzip.compress(write(games[0]).encode()))
    (folder / "two.souk").write_text(write(games[1]), "utf-8")
    (folder / "notes.txt").write_text("not a game")
    run_main("records", str(file), str(folder), f"{folder}/*.souk", "-o", str(file))
    assert [*read_games(file)] == [*games, games[0], games[1], games[1]]
    run_main("records", str(folder), "-o", str(file), "--append")
    assert [*read_games(file)][-3:] == [games[1], games[0], games[1]]


def test_exports(run_main: RunMain, file: Path, games: list[Record]) -> None:
    out = file.with_name("games.jsonl")
    assert run_main("records", str(file), "-o", str(out), "--no-positions")[0] == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["result"] for row in rows] == [record.outcome.result for record in games]


def test_damaged_games_are_left_out_and_reported(
    run_main: RunMain, file: Path, games: list[Record]
) -> None:
    parts = file.read_text().split("\n\ngame: ")
    file.write_text("\n\ngame: ".join([*parts[:2], parts[2].replace("left", "fly"), *parts[3:]]))
    out = file.with_name("good.souk")
    code, said, err = run_main("records", str(file), "-o", str(out))
    assert code == 1 and said == f"7 games in {out}\n"
    assert err.startswith(f"{file}, game 3, line ") and "no action 'fly'" in err
    assert [*read_games(out)] == [*games[:2], *games[3:]]
    code, said, err = run_main("check", str(file), str(out))
    assert code == 1 and f"{out}: ok, 7 games\n" in said and "7 of 8 games are ok" in said


def test_a_file_is_left_as_it_was_if_no_game_can_be_read(run_main: RunMain, file: Path) -> None:
    before = file.read_bytes()
    code, out, err = run_main("records", str(file.with_name("flie.souk")), "-o", str(file))
    assert (code, out) == (1, "") and f"no game could be read, so {file} is left as it was" in err
    code, out, err = run_main("records", str(file), "--winner", "nobody", "-o", str(file))
    assert (code, out) == (1, "") and f"so {file} is left as it was" in err
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--turns", "many"], "a number of turns is written like"),
        (["--turns", "50-40"], "no number of turns is from 50 to 40: write 40-50"),
        (["--since", "yesterday"], "a date is written like 2026-11-15"),
        (["--result", "lost"], "a result is finished, unfinished, won, shared or draw, not 'lost'"),
        (["--game", "chess"], "there is no game 'chess'"),
        (["--game", "marrakech(camels=2)"], "has no knob 'camels'"),
        (["--header", "event"], "a header line is given as KEY=VALUE"),
        (["--append"], "--append needs --output"),
        (["--append", "-o", "x.parquet"], "--append is for files of records"),
        (["-o", "-", "--format", "csv"], "a format is souk, jsonl or parquet, not 'csv'"),
        (["-o", "games.csv"], "ends with none of .souk, .jsonl or .parquet: choose a --format"),
        (["-o", "/", "--format", "souk"], "it is not a plain file"),
    ],
)
def test_wrong_options_are_named(
    run_main: RunMain, file: Path, arguments: list[str], reason: str
) -> None:
    code, out, err = run_main("records", str(file), *arguments)
    assert (code, out) == (1, "") and reason in err and err.startswith("souk: ")


def test_files_that_are_not_there_are_named(run_main: RunMain, tmp_path: Path) -> None:
    code, _, err = run_main("records", str(tmp_path / "missing.souk"))
    assert code == 1 and "no such file or directory" in err
    for name, reason in ((f"{tmp_path}/*.souk", "no file matches"), (str(tmp_path), "no files")):
        code, _, err = run_main("records", name)
        assert code == 1 and reason in err


def test_other_commands_take_the_number_of_a_game(run_main: RunMain, file: Path) -> None:
    for command in ("show", "analyse"):
        code, _, err = run_main(command, str(file))
        assert code == 1 and "has several games: choose one with --number" in err
    code, out, _ = run_main("show", str(file), "--number", "8")
    assert code == 0 and "after move 5 of 5" in out
    for number in (-1, 0, 99, 10**20):
        code, out, err = run_main("verify", str(file), "--number", str(number))
        assert (code, out) == (1, "") and err.endswith(f"games 1 to 8, not {number}\n")
    assert "there is no game 0" in run_main("show", str(file), "--number", "0")[2]
    assert f"not {10**20}" in run_main("show", str(file), "--number", str(10**20))[2]
    assert "game 8: the record has no commitment" in run_main("verify", str(file))[2]
    code, _, err = run_main("play", "--resume", str(file))
    assert code == 1 and "another game begins here" in err and len([*read_games(file)]) == 8
