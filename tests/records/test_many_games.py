"""Files with many games: compiled and plain replays agree, and damaged games stay alone."""

import gzip
import io
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import souk
from souk.records import (
    FileError,
    Record,
    RecordError,
    Seat,
    append_games,
    read,
    read_games,
    write,
    write_all,
    write_games,
)
from souk.records.compiled_replay import replay_compiled
from souk.records.file_reading import read_entries, read_game
from souk.records.replay import Job, replay
from souk.records.splitting import split_content, split_games
from tests.records.test_records import GAMES, SHEET, play_random


def random_games(text: str, count: int, *, whole: bool = False) -> list[Record]:
    game, pick = souk.load_game(text), random.Random(text)
    records = []
    for seed in range(count):
        state = game.new_initial_state(seed)
        end = 10_000 if whole or seed % 3 else pick.randrange(60)
        while not state.is_terminal() and len(state.history()) < end:
            state.apply_action(game.random_action(state, pick))
        seats = [Seat(f"P{seat}: {seed % 7}; x", "random") for seat in range(game.num_players())]
        records.append(Record.from_state(state, seed=seed, seats=seats))
    return records


@pytest.mark.parametrize("text", [text.replace(",layout=medina", "") for text in GAMES])
def test_compiled_code_replays_as_plain_python_does(text: str) -> None:
    """Every note, label and result is the same, wherever lines have to start."""
    pick = random.Random(text)
    jobs = []
    for record in random_games(text, 25):
        starts = sorted(pick.sample(range(len(record.actions) + 1), min(4, len(record.actions))))
        jobs.append(Job(record, starts))
    jobs.append(Job(random_position(text), ()))
    compiled = replay_compiled(jobs, may_compile=True)
    assert [*compiled] == [*range(len(jobs))]
    for number, job in enumerate(jobs):
        plain = replay(job)
        assert compiled[number].lines == plain.lines
        assert replace(compiled[number], state=plain.state) == plain


def random_position(text: str) -> Record:
    """A record that starts from a position in the middle of a game."""
    middle = play_random(text, seed=4, actions=30, setup=5)
    state = middle.game.state_from_dict(middle.to_dict())
    while not state.is_terminal() and len(state.history()) < 20:
        state.apply_action(middle.game.random_action(state, random.Random(1)))
    return Record.from_state(state)


@pytest.mark.parametrize("text", ["marrakech(players=3,edition=gigamic)", "marracash(players=4)"])
def test_compiled_code_stops_at_every_illegal_action(text: str) -> None:
    record = random_games(text, 1, whole=True)[0]
    pick = random.Random(1)
    jobs = []
    for number in pick.sample(range(len(record.actions)), 40):
        other = pick.randrange(len(record.game.action_texts))
        actions = (*record.actions[:number], other, *record.actions[number + 1 :])
        jobs.append(Job(replace(record, actions=actions)))
    compiled = replay_compiled(jobs, may_compile=True)
    legal = {number for number, job in enumerate(jobs) if not replay(job).problem}
    assert {*compiled} == legal and len(legal) < len(jobs)


@pytest.fixture(scope="module")
def games() -> list[Record]:
    return [*random_games(GAMES[3], 120), *random_games(GAMES[5], 8), *random_games(GAMES[0], 30)]


def test_many_games_read_back_as_they_were_written(games: list[Record], tmp_path: Path) -> None:
    texts = [*write_all(games)]
    assert texts[:20] == [write(record) for record in games[:20]]
    for name in ("games.souk", "games.souk.gz"):
        assert write_games(tmp_path / name, games) == len(games)
        assert [*read_games(tmp_path / name)] == games
        assert [*read_games(str(tmp_path / name))][-1].outcome == games[-1].outcome
    content = (tmp_path / "games.souk").read_bytes()
    assert content == "\n".join(texts).encode()
    assert gzip.decompress((tmp_path / "games.souk.gz").read_bytes()) == content
    assert [*read_games(io.BytesIO(content.replace(b"\n", b"\r\n")))] == games
    assert [
        *read_games(io.BytesIO(b"\xef\xbb\xbf" + content), tmp_path / "games.souk")
    ] == games * 2


def test_a_game_without_a_notes_kernel_is_replayed_in_python(
    games: list[Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.souk"
    write_games(file, games)
    content = file.read_bytes()
    for game in {type(record.game) for record in games}:
        monkeypatch.setattr(game, "notes_kernel", ())
    assert replay_compiled([Job(games[0])], may_compile=True) == {}
    assert [*read_games(file)] == games
    write_games(file, games)
    assert file.read_bytes() == content


def test_games_are_read_as_they_are_needed(games: list[Record]) -> None:
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, _size: int = -1) -> bytes:
            self.taken += 1
            return content

    content = "\n".join([*write_all(games), ""]).encode()
    source = Endless()
    stream = read_games(source)
    assert [next(stream) for _ in games] == games
    assert source.taken * len(content) < 3 * (1 << 20)


def damage(text: str, how: str) -> bytes:
    """A record with one fault."""
    header, moves = text.split("\n\n")
    lines = moves.split("\n")
    if how == "word":
        lines[3] = lines[3].replace(", ", ", jump, ", 1)
    elif how == "line is missing":
        del lines[2]
    elif how == "line twice":
        lines.insert(2, lines[2])
    elif how == "cut off":
        lines = [*lines[:4], lines[4][:12]]
    elif how == "game line":
        header = header.replace("game:", "gmae:")
    elif how == "unknown game":
        header = "game: chess"
    elif how == "scores":
        header = header.replace("scores: ", "scores: 1")
    elif how == "open variation":
        lines.insert(3, "(")
    data = f"{header}\n\n{chr(10).join(lines)}".rstrip("\n").encode()
    return data.replace(b"P0", b"P\xff") if how == "bytes" else data


FAULTS = {
    "word": "no action 'jump'",
    "line is missing": "but turn 3 comes next",
    "line twice": "but turn 4 comes next",
    "cut off": "",
    "game line": "the header needs a line like",
    "unknown game": "there is no game 'chess'",
    "scores": "but the moves give",
    "open variation": "is not closed",
    "bytes": "this is not text in UTF-8",
}


def test_a_damaged_game_is_named_and_all_others_are_read(
    games: list[Record], tmp_path: Path
) -> None:
    whole = [record for record in games[:120] if record.outcome.is_finished]
    file = tmp_path / "games.souk"
    texts = [*write_all(whole)]
    at = {5 * number + 2: how for number, how in enumerate(FAULTS)}
    parts = [damage(text, at.get(n, "")).rstrip(b"\n") for n, text in enumerate(texts)]
    file.write_bytes(b"\n\n".join(parts) + b"\n")
    entries = [*read_entries([file])]
    assert [entry.number for entry in entries] == [*range(1, len(whole) + 1)]
    content = file.read_text("utf-8", errors="replace").split("\n")
    for n, (entry, record) in enumerate(zip(entries, whole, strict=True)):
        if n not in at:
            assert entry.record == record, n
            continue
        error = entry.error
        assert isinstance(error, RecordError)
        assert str(error).startswith(f"{file}, game {n + 1}, line {error.line}")
        assert FAULTS[at[n]] in error.reason
        first = sum(part.count(b"\n") + 2 for part in parts[:n])
        assert first < error.line <= first + parts[n].count(b"\n") + 1, content[error.line - 1]
        if error.move is not None:
            assert error.record is not None
            kept = error.record.actions
            assert kept == record.actions[: len(kept)] and len(kept) >= error.move - 1
    problems: list[souk.SoukError] = []
    read_on = [*read_games(file, on_error=problems.append)]
    assert len(read_on) + len(problems) == len(whole) and len(problems) == len(at)
    stream = read_games(file)
    assert [next(stream), next(stream)] == whole[:2]
    with pytest.raises(RecordError, match="game 3, "):
        next(stream)


def test_files_that_cannot_be_read_do_not_hide_others(games: list[Record], tmp_path: Path) -> None:
    good, cut, empty = tmp_path / "good.souk", tmp_path / "cut.souk.gz", tmp_path / "empty"
    write_games(good, games[:3])
    write_games(cut, games)
    cut.write_bytes(cut.read_bytes()[:-9])
    empty.write_bytes(b"\n \n")
    problems: list[str] = []
    sources = (tmp_path / "missing", cut, empty, tmp_path, good)
    read_on = [*read_games(*sources, on_error=lambda error: problems.append(str(error)))]
    assert read_on[-3:] == games[:3]
    assert [text.rpartition(": ")[2] for text in problems] == [
        "no such file or directory",
        "compressed file ended before the end-of-stream marker was reached",
        f"{empty} has no game",
        "is a directory",
    ]


def test_one_game_of_several(games: list[Record], tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    write_games(file, games)
    assert read_game(file, 7) == games[6]
    for number, reason in ((None, "has several games"), (999, "games 1 to 158"), (0, "no game 0")):
        with pytest.raises(souk.SoukError, match=reason):
            read_game(file, number)
    with pytest.raises(RecordError, match="line 10: another game begins here"):
        read(f"{SHEET}\n{SHEET}")


def test_games_are_appended(games: list[Record], tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    for record in games[:4]:
        assert append_games(file, [record]) == 1
    once = tmp_path / "once.souk"
    write_games(once, games[:4])
    assert file.read_bytes() == once.read_bytes()
    file.write_bytes(file.read_bytes()[:-100])  # the last one was cut off by a crash
    append_games(file, games[4:6])
    problems: list[souk.SoukError] = []
    read_on = [*read_games(file, on_error=problems.append)]
    assert read_on == [*games[:3], *games[4:6]] and "game 4, " in str(problems[0])
    with pytest.raises(FileError, match=r"cannot append to .*gz: it is compressed"):
        append_games(tmp_path / "games.souk.gz", games)


def test_a_file_stays_as_it_was_if_games_cannot_be_written(
    games: list[Record], tmp_path: Path
) -> None:
    file = tmp_path / "games.souk"
    write_games(file, games[:2])
    before = file.read_bytes()
    illegal = replace(games[0], actions=(0, 0, 0))
    for add in (write_games, append_games):
        with pytest.raises(souk.IllegalAction):
            add(file, [games[1], illegal])
        assert file.read_bytes() == before and len([*tmp_path.iterdir()]) == 1


def test_a_disk_that_is_full_leaves_the_file_as_it_was(games: list[Record], tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    write_games(file, games[:2])
    before = file.read_bytes()
    program = (
        "import resource, signal, sys\n"
        "from souk.records import append_games, read_games\n"
        "records = [*read_games(sys.argv[1])] * 20\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 4000},) * 2)\n"
        "try:\n    append_games(sys.argv[1], records)\n"
        "except ValueError as error:\n    print(error)\n"
    )
    command = [sys.executable, "-c", program, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "cannot write" in done.stdout, done.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        "game: a\n\n1. A: left\n\n|game: b",
        "game: a\n\n1. A: left\n|game: b\n\n1. A: left\n|; c\n; d\ngame: e",
        "game: a\n\n1. A: left\nseat 1: B\n|game: b",
        "; file\n\ngame: a\nseat 1: A\n\n1. A: left\n\n2. B: right\n\n|; next\ngame: b\n\n1. B:",
        "game: a\n\nseat 1: A\n\n|game: b",
        "seat 1: A\ngame: a\n1. A: left\n\n|seat 1: B\ngame: b\n1. A: left",
        "game: a\n\ndeal: red\n\n; so\n\n(1. A: left\n\n2. B: right)\n\n|gmae: b\n\n1. A: left",
        "game: a\ngame: b\n\nleft, 3\n\nLeila is late",
    ],
)
def test_games_begin_where_the_page_says(content: str) -> None:
    parts = [part.encode() for part in content.split("|")]
    assert split_content(b"".join(parts)) == parts


def test_files_may_simply_be_joined(games: list[Record]) -> None:
    annotated = replace(games[1], comment="The second one.\nWell played.")
    chosen = [games[0], annotated, games[2]]
    content = "".join(map(write, chosen)).encode()
    assert b"\n\n;" not in content and b"\n\ngame" not in content
    assert [*read_games(io.BytesIO(content))] == chosen


MARK = "\ufeff".encode()


@pytest.mark.parametrize(
    "joined",
    [
        ["", MARK, ""],
        ["", MARK + b"; Theirs.\n; And mine.\n", ""],
        ["\n", MARK, "\n"],
        ["; Ours.\n", MARK + MARK, ""],
    ],
)
def test_files_with_byte_order_marks_may_be_joined(joined: list[bytes | str]) -> None:
    texts = [one if isinstance(one, bytes) else one.encode() for one in joined]
    content = b"".join(text + SHEET.encode() for text in texts)
    assert [record.actions for record in read_games(io.BytesIO(content))] == [
        read(SHEET).actions
    ] * 3
    cut = SHEET.rstrip().encode() + MARK + SHEET.encode()  # without a line feed between them
    assert [*read_games(io.BytesIO(cut))] == [read(SHEET)] * 2


@pytest.mark.parametrize("gap", [b"", b"\n"])
def test_what_is_no_text_damages_no_game_beside_it(games: list[Record], gap: bytes) -> None:
    whole = [write(record).encode() for record in games[:60]]
    damaged = {10: "utf-16", 20: "utf-16-be", 30: "utf-16-le", 40: ""}
    parts = []
    for number, text in enumerate(whole):
        encoding = damaged.get(number)
        if encoding == "":
            text = random.Random(1).randbytes(3000) + b"\n"
        elif encoding:
            text = ("\ufeff" * (encoding != "utf-16") + text.decode()).encode(encoding)
        parts.append((b"\n" if encoding == "" else gap) + text)
    problems: list[souk.SoukError] = []
    read_on = [*read_games(io.BytesIO(b"".join(parts)), on_error=problems.append)]
    assert read_on == [record for n, record in enumerate(games[:60]) if n not in damaged]
    assert ["not text in UTF-8" in str(problem) for problem in problems] == [True] * 4
    no_text = b"\xff\n\n\xff\n\n" + whole[0]
    for size in range(1, 9):
        pieces = [no_text[at : at + size] for at in range(0, len(no_text), size)]
        assert [line for line, _ in split_games(pieces)] == [1, 5]
