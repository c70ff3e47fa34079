"""Records round-trip, contain the sheet's own example, and name the line and move of an error."""

import datetime
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import souk
from souk.records import Record, RecordError, Seat, read, write

GAMES = [
    "marrakech(players=2,edition=gigamic,dirhams=12)",
    "marrakech(players=2,edition=gigamic-57,two_player=one-colour)",
    "marrakech(players=2,edition=pergioco,turn_last=True)",
    "marrakech(players=3,edition=gigamic,dirhams=6)",
    "marrakech(players=4,edition=gigamic,turn_last=True,first=2)",
    "marracash(players=3)",
    "marrakech(players=2,edition=pergioco,turn_last=must)",
    "marrakech(players=4,edition=gigamic-57,turn_last=may)",
    "marracash(players=4,commission=per-group,souvenirs=True,pull_in=True,layout=medina)",
    "marracash(players=3,commission=once,souvenirs=True)",
]
SHEET = Path(__file__).with_name("sheet004.souk").read_text("utf-8")


def play_random(
    text: str, seed: int, actions: int = 10_000, *, setup: int | None = None
) -> souk.State:
    state = souk.load_game(text).new_initial_state(setup)
    choose = random.Random(seed)
    while not state.is_terminal() and len(state.history()) < actions:
        state.apply_action(choose.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("actions", [0, 1, 17, 10_000])
def test_a_record_reads_back_as_it_was_written(game: str, actions: int) -> None:
    state = play_random(game, seed=actions, actions=actions, setup=5)
    seats = [Seat(f"Player {seat}, the {seat}th", "greedy") for seat in range(len(state.scores()))]
    record = Record.from_state(state, seed=5, seats=seats, date=datetime.date(2026, 11, 15))
    assert record.start is None
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text
    assert read(text).replay() == state
    assert read(text.replace("\n", "\r\n")) == record


def test_the_example_of_sheet_004_reads_naturally() -> None:
    record = read(SHEET)
    assert write(record) == SHEET
    state = record.replay()
    assert state.to_dict()["assam"] == {"square": "e3", "facing": "N"}
    squares = state.to_dict()["squares"]
    assert {name: half["colour"] for name, half in squares.items()} == {
        "c2": "red",
        "c3": "blue",
        "d3": "blue",
    }
    assert state.scores() == [31, 32]


@pytest.mark.parametrize("spelling", ["d3-c3", "c3-d3", "d3 c3", "c3 d3", "d3c3"])
def test_the_squares_of_a_rug_are_read_as_the_sheet_writes_them(spelling: str) -> None:
    assert "c3d3" in SHEET
    record = read(SHEET.replace("c2c3", "c2-c3").replace("c3d3", spelling))
    assert record == read(SHEET)
    assert write(record) == SHEET


def test_a_rug_that_no_place_has_is_refused_with_what_is_read() -> None:
    with pytest.raises(RecordError, match=r"line 8, move 8: .*two squares in any order like c2c3"):
        read(SHEET.replace("c3d3", "d3-c4"))


def test_a_record_stops_at_any_move() -> None:
    state = play_random(GAMES[0], seed=1)
    record = Record.from_state(state)
    again = record.initial_state()
    for move, action in enumerate(state.history()):
        assert record.replay(move) == again
        again.apply_action(action)
    with pytest.raises(souk.SoukError, match=f"moves 0 to {len(record.actions)}"):
        record.replay(len(record.actions) + 1)


def test_a_game_from_a_loaded_position_keeps_that_position() -> None:
    middle = play_random(GAMES[3], seed=2, actions=30)
    puzzle = middle.game.state_from_dict(middle.to_dict())
    puzzle.apply_action(puzzle.legal_actions()[0])
    record = read(write(Record.from_state(puzzle)))
    assert record.initial_state() == middle
    assert record.replay() == puzzle


MARKET = "marracash(players=3)"


def test_a_dealt_setup_is_never_dealt_again() -> None:
    """Without the seed and the position the game is unknown."""
    assert souk.load_game(MARKET).has_random_setup and not souk.load_game(GAMES[0]).has_random_setup
    moves = "\n1. A: auction P3, bid 100, pass, pass\n"
    for header in ("", "start: [[[[\n", "seeds: 7\n"):
        with pytest.raises(RecordError, match=r"needs the seed .* or a position") as caught:
            read(f"game: {MARKET}\n{header}{moves}")
        assert caught.value.line == 1
    with pytest.raises(souk.SoukError, match="needs the seed"):
        Record(souk.load_game(MARKET)).replay()
    assert read(f"game: {MARKET}\nseed: 7\n{moves}").replay().scores() == [1100, 1200, 1200]


def test_a_setup_without_a_seed_is_recorded_as_a_position() -> None:
    state = play_random(MARKET, seed=1, actions=20)
    record = Record.from_state(state)
    assert record.start is not None
    assert read(write(record)).replay() == state


def test_the_comments_of_a_record_describe_the_events() -> None:
    state = souk.load_game(MARKET).new_initial_state(7)
    for text in ("auction P3", "bid 525", "pass", "pass"):
        state.apply_action(state.string_to_action(text))
    last = write(Record.from_state(state, seed=7)).splitlines()[-1]
    assert last.startswith("1. Ali: auction P3, bid 525, pass, pass  ; ")
    assert "525" in last.partition(";")[2] and "P3" in last.partition(";")[2]


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A board file in a folder beside the records."""
    file = tmp_path / "boards" / "my town.json"
    file.parent.mkdir()
    shipped = Path(souk.__file__).parent / "games" / "marracash" / "boards" / "medina.json"
    file.write_text(shipped.read_text("utf-8"), "utf-8")
    return file


@pytest.mark.parametrize("seed", [5, None])
def test_a_board_file_is_found_from_the_folder_of_the_record(
    seed: int | None, board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = souk.load_game("marracash", layout="boards/my town.json")
    state = game.new_initial_state(seed)
    state.apply_action(state.legal_actions()[0])
    text = write(Record.from_state(state, seed=seed), tmp_path)
    assert text.startswith('game: marracash(players=4,layout="boards/my town.json")\n')
    assert str(tmp_path) not in text
    monkeypatch.chdir("/")
    again = read(text, tmp_path)
    assert again.texts() == [state.action_to_string(state.history()[0])]
    assert write(again, tmp_path) == text
    assert str(board) in write(again, tmp_path / "elsewhere")
    assert read(write(again, tmp_path / "elsewhere"), Path("/nowhere")).replay() == again.replay()
    board.rename(tmp_path / "moved.json")
    with pytest.raises(RecordError, match=r"layout accepts .* cannot be read"):
        read(text, tmp_path)


def test_records_of_games_without_files_do_not_depend_on_the_folder() -> None:
    for game in GAMES:
        record = Record.from_state(play_random(game, seed=3, actions=9, setup=5), seed=5)
        assert write(record, Path("/somewhere")) == write(record)
        assert read(write(record), Path("/somewhere")) == record


def edit_sheet(old: str, new: str) -> str:
    assert old in SHEET
    return SHEET.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "line", "move", "reason", "saved"),
    [
        (edit_sheet("c2c3", "a1a2"), 7, 4, "'a1a2' .* is not legal now; legal: .*c2c3", 3),
        (edit_sheet("ahead", "straight"), 8, 6, "no action 'straight'; actions are left, ahead", 5),
        (edit_sheet("2. North", "3. North"), 8, 5, "says turn 3, but turn 2 comes next", 4),
        (edit_sheet("blue,", "green,"), 8, 5, "no action 'green'", 4),
        (edit_sheet("31 32", "31 33"), 5, None, "scores '31 33', but the moves give '31 32'", 8),
        (edit_sheet("unfinished", "seat 1 wins"), 4, None, "but the moves give 'unfinished'", 8),
    ],
)
def test_an_error_is_named_and_the_moves_before_it_are_read(
    text: str, line: int, move: int | None, reason: str, saved: int
) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        read(text)
    assert (caught.value.line, caught.value.move) == (line, move)
    assert caught.value.record is not None
    assert caught.value.record.texts() == read(SHEET).texts()[:saved]
    assert str(caught.value).startswith(f"line {line}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the header needs a line like 'game: "),
        ("left, 3, c2c3", "the header needs a line like 'game: "),
        (edit_sheet("edition=pergioco", "edition=ravensburger"), "edition accepts gigamic"),
        (edit_sheet("marrakech(", "chess("), "there is no game 'chess'"),
        (edit_sheet("seat 1:", "seat 7:"), "the header has lines seat 1 to seat 2, not seat 7"),
        (edit_sheet("seat 2:", "seat 1:"), "'seat 1' is given twice"),
        (edit_sheet("seat 1:", "seat 0:"), "the header has lines seat 0 to seat 1, not seat 2"),
        (edit_sheet("result:", "date: yesterday\nresult:"), "the date is written like"),
        (edit_sheet("result:", "seed: 3.5\nresult:"), "a seed is a whole number from 0 to"),
        (
            edit_sheet("result:", f"seed: {9**99}\nresult:"),
            "a seed is a whole number from 0 to 2**63",
        ),
        (edit_sheet("result:", "position: {]\nresult:"), "the position is not JSON"),
        (edit_sheet("result:", "position: []\nresult:"), "the position is not a JSON object"),
        (edit_sheet("result:", 'position: {"a": 1}\nresult:'), "phase is missing"),
    ],
)
def test_a_header_that_makes_no_sense_is_refused(text: str, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(text)
    assert reason in str(caught.value)
    assert caught.value.move is None


def test_moves_after_the_end_are_refused() -> None:
    state = play_random(GAMES[1], seed=3)
    text = write(Record.from_state(state)) + "left\n"
    with pytest.raises(RecordError, match="the game is over") as caught:
        read(text)
    assert caught.value.move == len(state.history()) + 1


def test_unknown_header_lines_are_preserved() -> None:
    text = edit_sheet("result:", "event: Café evening; table 3\nresult:")
    assert read(text).extra == {"event": "Café evening; table 3"}
    assert read(write(read(text))) == read(text)


@pytest.mark.parametrize("name", ["a\nb", "x: y; z", "", "1. left", "\x1b[31mred", "  ", "a, b, c"])
def test_no_name_can_break_a_record(name: str) -> None:
    state = play_random(GAMES[4], seed=4)
    record = Record.from_state(state, seats=[Seat(name, "person")] * 4)
    again = read(write(record))
    assert again.actions == record.actions
    assert len(again.seats) == 4
    assert all("\n" not in seat.name and "\x1b" not in seat.name for seat in again.seats)


lines = st.lists(
    st.sampled_from(SHEET.splitlines()) | st.text(max_size=30) | st.just("1. A: left"), max_size=9
)


@settings(max_examples=300, deadline=None)
@given(lines)
def test_any_text_is_read_or_refused_with_a_record_error(parts: list[str]) -> None:
    try:
        record = read("\n".join(parts))
    except RecordError:
        return
    assert read(write(record)).actions == record.actions


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(SHEET) - 1), st.text(max_size=4), st.integers(0, 6))
def test_any_edit_of_a_record_is_read_or_refused_with_a_record_error(
    at: int, inserted: str, dropped: int
) -> None:
    try:
        read(SHEET[:at] + inserted + SHEET[at + dropped :])
    except RecordError as error:
        lines_of_file = SHEET.count("\n") + 1 + inserted.count("\n")
        if not 1 <= error.line <= lines_of_file:
            pytest.fail(f"line {error.line} of {lines_of_file}")


@pytest.mark.parametrize(
    "key", ["deal", "1x", "é", "result", "date", "seat 9", "key:x", "", "a ", " a", "a\nb", ";a"]
)
def test_a_header_line_that_would_not_be_read_back_is_not_written(key: str) -> None:
    with pytest.raises(souk.SoukError, match=f"header line cannot be {re.escape(repr(key))}"):
        write(replace(read(SHEET), extra={key: "x"}))


def test_extra_header_lines_are_read_back() -> None:
    record = replace(read(SHEET), extra={"a  b-c_1": "x: y", "clé": "é", "empty": "", "seat": "x"})
    assert read(write(record)) == record
