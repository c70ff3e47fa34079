"""Games of tournaments and simulations, kept as records in one file."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import souk
from souk.arena import Tournament, TournamentRunner, simulate
from souk.arena.records_file import RecordsFile, make_record
from souk.arena.results_file import read_results
from souk.records import Variation, read, write
from tests.arena.test_arena_command import processes_with
from tests.cli.run_souk import run

SMALL = "marrakech(players=2,rugs=2)"
SHEET = Path("tests/records/sheet004.souk").read_text()


def tournament(games: int = 6) -> Tournament:
    players = ["greedy:nodes=9", "random", "random"]
    return Tournament.of(souk.load_game(SMALL), players, games=games, seed=3)


def play(records: Path, stop_after: int | None = None, **options: object) -> int:
    """Play a tournament; return the number of games."""
    with TournamentRunner(tournament(), records=records, **options) as runner:  # type: ignore[arg-type]
        playing = runner.play()
        count = 0
        for count, _ in enumerate(playing, start=1):
            if count == stop_after:
                playing.close()
        return count


def texts(path: Path) -> list[str]:
    """Return the records of a file."""
    first, *others = path.read_text().split("\n\ngame: ")
    return [first + "\n", *(f"game: {text.strip()}\n" for text in others)]


def test_a_tournament_keeps_its_games_in_the_same_order_for_any_number_of_workers(
    tmp_path: Path,
) -> None:
    one, three = tmp_path / "one.souk", tmp_path / "folder" / "three.souk"
    results = tmp_path / "games.jsonl"
    assert play(one, workers=1, results=results) == 18 == play(three, workers=3)
    assert one.read_bytes() == three.read_bytes()
    games = {game.key: game for game in read_results(results)}
    seen = set()
    for text in texts(one):
        record = read(text)
        assert write(record) == text
        key = int(record.extra["round"]) - 1, tuple(seat.name for seat in record.seats)
        assert record.extra["event"] == "souk arena, seed 3"
        assert {"greedy:nodes=9": "greedy"}.get(key[1][0], "random") == record.seats[0].plays
        assert record.replay().scores() == list(games[key].scores)
        assert str(record.date) == games[key].date
        seen.add(key)
    assert seen == games.keys()


def test_a_continued_tournament_adds_each_record_once(tmp_path: Path) -> None:
    file, whole, results = (tmp_path / name for name in ("a.souk", "b.souk", "games.jsonl"))
    assert play(file, stop_after=5, workers=2, results=results) == 5
    assert len(texts(file)) == 5
    assert play(file, workers=2, results=results) == 13
    play(whole, workers=1, results=results)
    assert sorted(texts(file)) == sorted(texts(whole))
    before = file.read_bytes()
    assert play(file, results=results) == 0
    assert file.read_bytes() == before
    file.unlink()  # the results file has the actions
    assert play(file, results=results) == 0
    assert file.read_bytes() == whole.read_bytes()


def test_an_incomplete_record_at_the_end_is_replaced(tmp_path: Path) -> None:
    file, results = tmp_path / "games.souk", tmp_path / "games.jsonl"
    play(file, workers=1, results=results)
    whole = file.read_text()
    last = texts(file)[-1]
    middle = last.index("\n", len(last) // 2)
    moves = last.rindex(", ", 0, last.rindex(";"))  # what follows the moves may be missing
    for left in (last.index("event: souk") + 20, middle - 3, middle + 1, moves):
        file.write_text(whole[: len(whole) - len(last) + left])
        play(file, results=results)
        assert file.read_text() == whole


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("game: marrakech(", "game: not-installed("),
        ("scores: ", "scores: 1"),
        ("\n1. ", "\n2. "),
        ("\n2. ", "\n(1. greedy: sideways)\n2. "),
        ("\n2. ", "\n(1. greedy: left\n2. "),
    ],
)
def test_a_record_of_ours_that_is_not_cut_is_kept(old: str, new: str, tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    simulate(SMALL, games=2, records=file)
    first, last = texts(file)
    for end in ("", "\n"):
        content = f"{first}\n{last.replace(old, new, 1).rstrip()}{end}"
        assert last not in content
        file.write_text(content)
        with pytest.raises(souk.SoukError, match=r"the last record in .* cannot be read .*correct"):
            RecordsFile(file)
        assert file.read_text() == content


def test_a_whole_record_needs_no_newline_at_its_end(tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    simulate(SMALL, games=2, records=file)
    content = file.read_text()
    file.write_text(content.rstrip())
    simulate(SMALL, games=1, seed=2, records=file)
    assert file.read_text().startswith(f"{content}\n")


@pytest.mark.parametrize(
    "content", ["\xff", SHEET[:-70], SHEET + "\ngame: chess\n\n1. White: e4\n"]
)
def test_a_file_that_is_not_ours_to_mend_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(souk.SoukError, match=r"cannot be read|is not a file of game records"):
        RecordsFile(file)
    assert file.read_bytes() == content.encode("latin-1")


def test_records_are_added_after_other_peoples(tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    reordered = "\n".join(
        [*SHEET.splitlines()[1:4], SHEET.splitlines()[0], *SHEET.splitlines()[4:]]
    )
    file.write_text(f"{SHEET}\n{reordered}")
    record = make_record(souk.load_game(SMALL), ["random"] * 2, [], event="test", round=1)
    for _ in range(2):
        with RecordsFile(file) as records:
            records.add([write(record), write(record)])
    assert file.read_text() == f"{SHEET}\n{reordered}\n\n{write(record)}"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("games.souk.gz", "it is compressed; name one such as games.souk"),
        ("-", "it is not a plain file; name one such as games.souk"),
        ("/dev/full", "it is not a plain file"),
        (".", "it is not a plain file"),
    ],
)
def test_what_records_cannot_be_added_to_is_refused(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(souk.SoukError, match=f"^cannot add records to {name}: {why}"):
        simulate(SMALL, games=1, records=name)
    assert not list(tmp_path.iterdir())


def test_a_game_with_other_moves_is_added(tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    game = souk.load_game(SMALL)
    red, yellow = game.new_initial_state().legal_actions()
    for actions in ([], [red], [yellow], [red]):
        record = make_record(game, ["random"] * 2, actions, event="test", round=1)
        with RecordsFile(file) as records:
            records.add([write(record)])
    assert [read(text).actions for text in texts(file)] == [(), (red,), (yellow,)]


def test_an_annotated_game_is_not_added_again(tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    simulate(SMALL, games=1, records=file)
    record = read(file.read_text())
    inner = Variation(0, record.actions[:2], {1: "two"})
    variation = Variation(0, record.actions[:4], {4: "one (1)"}, (inner,))
    annotated = replace(record, comment="a", comments={2: "b, c"}, variations=(variation,))
    for text in (write(annotated), write(annotated).replace("\n", "\r\n")):
        file.write_bytes(text.encode())
        simulate(SMALL, games=1, records=file)
        assert file.read_bytes() == text.encode()


def test_two_processes_cannot_add_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    with RecordsFile(file), pytest.raises(souk.SoukError, match="is in use: another process"):
        RecordsFile(file)


def test_random_games_of_a_simulation_are_those_of_playouts(tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    words = ("simulate", "marrakech", "--seed", "4", "--records", str(file))
    assert "30 records added to" in run(*words, "-n", "30").stdout
    assert "20 records added to" in run(*words, "-n", "50", "--threads", "2").stdout
    played = souk.playouts(souk.load_game("marrakech"), games=50, seed=4)
    records = [read(text) for text in texts(file)]
    assert [record.replay().scores() for record in records] == played.scores.tolist()
    assert [record.extra["round"] for record in records] == [str(n) for n in range(1, 51)]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_simulation_keeps_whole_records_and_leaves_no_process(
    how: signal.Signals, tmp_path: Path
) -> None:
    file, mark = tmp_path / "games.souk", f"SOUK_MARK={tmp_path}"
    words = ("simulate", SMALL, "--seat", "greedy", "--threads", "2", "--records", str(file))
    process = subprocess.Popen(
        [sys.executable, "-m", "souk", *words, "-n", "1000000"],
        env={**os.environ, "SOUK_MARK": str(tmp_path)},
        stdout=subprocess.DEVNULL,
    )
    limit = time.monotonic() + 60
    while not (file.exists() and file.stat().st_size > 9000) and time.monotonic() < limit:
        time.sleep(0.02)
    process.send_signal(how)
    process.wait(60)
    assert [read(text).extra["round"] for text in texts(file)[:9]] == list("123456789")
    played = len(texts(file))
    added = run(*words, "-n", str(played + 5)).stdout.split("\n")[-2]
    assert added in (f"5 records added to {file}.", f"6 records added to {file}."), "one was cut"
    assert len(texts(file)) == played + 5
    while (left := processes_with(mark)) and time.monotonic() < limit:
        time.sleep(0.05)
    assert left == []


@pytest.mark.parametrize("name", souk.games())
def test_a_simulation_of_players_writes_records(name: str, tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    game = souk.load_game(name)
    players = ["novice", *["random"] * (game.num_players() - 1)]
    summary = simulate(game, *players, games=2, seed=4, records=file, workers=1)
    records = [read(text) for text in texts(file)]
    assert [write(record) for record in records] == texts(file)
    first, second = (record.replay().scores()[0] for record in records)
    assert summary.seat(0).score == (first + second) / 2
    with pytest.raises(souk.SoukError, match="seats, not 1"):
        simulate(game, "novice")


def test_a_random_setup_is_kept_as_a_position() -> None:
    game = souk.load_game("marracash")
    played = souk.playouts(game, games=2, seed=4, target="python", actions=True)
    start = played.initial_state(1).to_dict()
    actions = played.actions[1].tolist()
    record = make_record(game, ["random"] * 4, actions, event="test", round=2, start=start)
    assert read(write(record)).replay().scores() == played.scores[1].tolist()
