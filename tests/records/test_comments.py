"""Comments and variations that people write survive reading and writing."""

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import souk
from souk.records import Record, RecordError, Variation, read, read_games, write
from souk.records.fairness import verify
from souk.records.moves import MOST_NESTED
from souk.terminal.game_files import GameFile
from souk.terminal.saved_game import SavedGame
from tests.records.test_records import GAMES, SHEET, play_random

HEADER, MOVES = SHEET.split("\n\n")
FIRST, SECOND = MOVES.splitlines()


def annotated(*lines: str, above: str = "") -> str:
    return f"{above}{HEADER}\n\n" + "\n".join(lines) + "\n"


ANNOTATED = annotated(
    "; Both players are beginners.",
    FIRST,
    "; A quiet start.",
    ";   It leaves the corner open.",
    "(1. South: red, left, 1, e4e5  ; Assam d4 d5",
    "; The other side.",
    "2. North: blue, left, 1)  ; Assam d5 c5",
    "(",
    "; Straight on was possible, too.",
    "1. South: red, ahead, 1  ; Assam d4 e4",
    "(1. South: red, ahead, 2)  ; Assam d4 e4 f4",
    ")",
    SECOND,
    above="; The example of the sheet.\n",
)


def test_a_file_with_comments_and_variations_is_written_as_it_was_read() -> None:
    record = read(ANNOTATED)
    assert write(record) == ANNOTATED
    assert record.texts() == read(SHEET).texts()
    assert record.comment == "The example of the sheet."
    assert record.comments == {
        0: "Both players are beginners.",
        4: "A quiet start.\n  It leaves the corner open.",
    }
    first, second = record.variations
    assert (first.start, first.comments) == (0, {4: "The other side."})
    assert [souk.load_game("marrakech").action_to_string(one) for one in first.actions[1:3]] == [
        "left",
        "1",
    ]
    assert second.variations[0].start == 0 and len(second.variations[0].actions) == 3


@pytest.mark.parametrize(
    ("line", "comments"),
    [
        (FIRST, {}),
        (f"{FIRST}, solid", {4: "solid"}),
        (f"{FIRST}; solid, but slow", {4: "solid, but slow"}),
        (f"{FIRST.partition(';')[0]}; solid", {4: "solid"}),
        (FIRST.partition(";")[0].strip(), {}),
        (f"{FIRST}\n; solid", {4: "solid"}),
        (f"{FIRST}, so\n; lid", {4: "so\nlid"}),
        ("1. South: red, right ; brave\n2, c2c3", {2: "brave"}),
    ],
)
def test_words_of_people_are_told_from_notes(line: str, comments: dict[int, str]) -> None:
    record = read(annotated(line, SECOND))
    assert record.comments == comments
    text = write(record)
    assert read(text) == record and write(read(text)) == text
    assert all(f"; {one}" in text for comment in comments.values() for one in comment.split("\n"))
    assert "1. South: red, right, 2, c2c3  ; Assam d4 d3 d2\n" in text or "brave" in text


def test_notes_of_older_versions_are_no_comments() -> None:
    """They numbered seats from 0, or had no notes on bids."""
    old = Path(__file__).parents[1] / "fixtures" / "old" / "records"
    for file in (old / "marrakech-4-gigamic.souk", Path(__file__).with_name("fair.souk")):
        assert not read(file.read_text("utf-8")).comments


def test_a_signed_record_stays_valid_with_comments() -> None:
    text = Path(__file__).with_name("signed.souk").read_text("utf-8")
    assert write(read(text)) == text
    record = read(text)
    key = record.extra["server key"]
    noted = read(text.replace("\n\n", "\n\n; Well played.\n"))
    assert noted.comments == {0: "Well played."}
    assert verify(read(write(noted)), key=key).is_proven


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        (["(1. South: red, left)"], 7, "a variation stands below the line that it replaces"),
        ([FIRST, "(1. South: red, left", SECOND], 8, "begins here is not closed"),
        ([FIRST, "(1. South: red, fly)"], 8, "no action 'fly'"),
        ([FIRST, "(1. South: red, left, c2c3)"], 8, "is not legal now; legal: 1"),
        ([FIRST, "(2. South: red, left)"], 8, "says turn 2, but turn 1 comes next"),
        ([FIRST, "()"], 8, "a variation needs moves"),
        ([FIRST, "2. North: blue)"], 8, "there is no '(' before the ')' in 'blue)'"),
        ([FIRST, "(" * (MOST_NESTED + 1)], 8, "below the line"),
    ],
)
def test_a_wrong_variation_is_named_and_the_game_is_read(
    lines: list[str], line: int, reason: str
) -> None:
    with pytest.raises(RecordError) as caught:
        read(annotated(*lines))
    assert reason in caught.value.reason
    assert caught.value.line == line
    if lines[0] == FIRST:
        assert caught.value.record is not None
        assert caught.value.record.texts() == read(annotated(FIRST, SECOND)).texts()[:4]


def test_variations_count_for_the_limit_of_actions() -> None:
    text = annotated(FIRST, *["(1. South: red, left)"] * 5, SECOND)
    assert len(read(text, max_actions=18).variations) == 5
    with pytest.raises(RecordError, match="at most 17 actions"):
        read(text, max_actions=17)


def nested(depth: int) -> str:
    return annotated(FIRST, *["(1. South: red, left"] * depth, ")" * depth, SECOND)


def test_variations_nest() -> None:
    record = read(nested(MOST_NESTED))
    assert read(write(record)) == record
    with pytest.raises(RecordError, match="at most 50 deep"):
        read(nested(MOST_NESTED + 1))


def branch(state: souk.State, first: int, depth: int, choose: "st.DataObject") -> Variation:
    """A variation of a few actions from a state, with comments and variations of its own."""
    pick = choose.draw(st.randoms(use_true_random=False))
    actions = []
    at = state.clone()
    for _ in range(pick.randrange(1, 8)):
        if at.is_terminal():
            break
        actions.append(pick.choice(at.legal_actions()))
        at.apply_action(actions[-1])
    comments = {
        first + pick.randrange(len(actions) + 1): choose.draw(COMMENTS)
        for _ in range(pick.randrange(3))
    }
    inner = []
    if depth:
        start = pick.randrange(len(actions))
        before = state.clone()
        for action in actions[:start]:
            before.apply_action(action)
        inner = [branch(before, first + start, depth - 1, choose)]
    return Variation(first, tuple(actions), comments, tuple(inner))


COMMENTS = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=9),
    min_size=1,
    max_size=3,
).map("\n".join)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_is_annotated_reads_back(data: st.DataObject) -> None:
    pick = data.draw(st.randoms(use_true_random=False))
    state = play_random(pick.choice(GAMES), pick.randrange(99), actions=40, setup=5)
    record = Record.from_state(state, seed=5, date=datetime.date(2026, 11, 15))
    count = len(record.actions)
    starts = sorted(pick.randrange(count) for _ in range(pick.randrange(4)))
    record = replace(
        record,
        comment=data.draw(st.just("") | COMMENTS),
        comments={pick.randrange(count + 1): data.draw(COMMENTS) for _ in range(3)},
        variations=tuple(branch(record.replay(start), start, 2, data) for start in starts),
    )
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text


def test_comments_of_moves_that_were_undone_go_with_them(tmp_path: Path) -> None:
    record = read(ANNOTATED)
    game = SavedGame(record, GameFile(tmp_path / "game.souk"))
    for _ in record.actions:
        game.state.undo_action()
    game.save()
    saved = read((tmp_path / "game.souk").read_text("utf-8"))
    assert saved == game.record and not saved.variations
    assert saved.comments == {0: "Both players are beginners."}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"comments": {9: "late"}}, "no comment can follow 9 moves; accepted here: 0 to 8"),
        ({"comments": {-1: "early"}}, "no comment can follow -1 moves"),
        ({"variations": (Variation(8, (0,)),)}, "start 8; accepted here: 0 to 7"),
        ({"variations": (Variation(0, ()),)}, "start 0 needs moves"),
        ({"variations": (Variation(4, (0,), {3: "early"}),)}, "accepted here: 4 to 5"),
        ({"actions": ()}, "no comment can follow 4 moves; accepted here: 0 to 0"),
    ],
)
def test_a_comment_or_variation_without_a_place_is_refused(
    changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(souk.SoukError, match=reason):
        write(replace(read(ANNOTATED), **changes))


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 2000])
def test_variations_too_deep_to_be_read_are_not_written(depth: int) -> None:
    record = read(SHEET)
    variation = Variation(0, record.actions[:1])
    for _ in range(depth - 1):
        variation = Variation(0, record.actions[:1], {}, (variation,))
    with pytest.raises(souk.SoukError, match="nested deeper than 50"):
        write(replace(record, variations=(variation,)))


def test_an_illegal_action_is_not_written() -> None:
    record = read(SHEET)
    with pytest.raises(souk.IllegalAction, match="move 9: "):
        write(replace(record, actions=(*record.actions, record.actions[-1])))
    wrong = Variation(4, (record.actions[0], record.actions[0]))
    with pytest.raises(souk.IllegalAction, match="move 5: "):
        write(replace(record, variations=(wrong,)))


def test_annotated_games_in_a_file_read_back(tmp_path: Path) -> None:
    file = tmp_path / "games.souk"
    file.write_text("\n".join([SHEET, ANNOTATED, SHEET]), "utf-8")
    assert [*read_games(file)] == [read(SHEET), read(ANNOTATED), read(SHEET)]
