"""Records that were written before the code was renamed (commit 48d7759) still load.

Those named `draw` were written by commit 15f69c7, where a draw paid every seat. A record says only
that the game was a draw, so it reads the same.
"""

from pathlib import Path

import pytest

from souk.records import read, write
from souk.records.fairness import verify
from souk.records.record import format_result
from souk.terminal.check import UNPROVEN, check
from souk.terminal.check import verify as verify_files

FILES = sorted((Path(__file__).parents[1] / "fixtures" / "old" / "records").glob("*.souk"))
DRAWS = [file for file in FILES if "draw" in file.stem]
FAIR = [file for file in FILES if "\nsecret: " in file.read_text("utf-8")]


def header(text, key):
    """The value of a header line."""
    (value,) = [line.partition(": ")[2] for line in text.splitlines() if line.startswith(f"{key}:")]
    return value


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_record_of_the_old_code_loads_and_is_written_again(file):
    text = file.read_text("utf-8")
    record = read(text)
    state = record.replay()
    assert str(record.game) == header(text, "game")
    assert " ".join(map(str, state.scores())) == header(text, "scores")
    assert state.is_terminal() == (header(text, "result") != "unfinished")
    assert read(write(record)) == record


@pytest.mark.parametrize("file", FAIR, ids=lambda file: file.stem)
def test_the_dice_of_a_record_of_the_old_code_are_still_verified(file):
    record = read(file.read_text("utf-8"))
    verdict = verify(record, record.extra["commitment"])
    assert verdict.is_fair and (verdict.draws > 0 or record.game.has_random_setup)


def test_both_games_and_several_editions_are_among_them():
    games = {header(file.read_text("utf-8"), "game") for file in FILES}
    assert {game.partition("(")[0] for game in games} == {"marrakech", "marracash"}
    assert len(games) == len(FILES) >= 7 and len(FAIR) >= 6


@pytest.mark.parametrize("file", DRAWS, ids=lambda file: file.stem)
def test_an_old_draw_of_three_or_four_is_a_draw_that_pays_the_tied_leaders(file, capsys):
    text = file.read_text("utf-8")
    record = read(text)
    state = record.replay()
    assert header(text, "result") == format_result(state) == "draw"
    assert write(record) == text
    leaders = state.ranking()[0]
    assert len(leaders) == 2 < len(state.returns())
    assert state.returns() == [0.5 if seat in leaders else 0 for seat in range(len(record.seats))]
    assert check([str(file)]) == 0
    assert verify_files([str(file)]) == UNPROVEN, "it is not signed"
    said = capsys.readouterr().out
    assert f"ok, {len(record.actions)} moves, draw (Ada" in said and "proven" in said


def test_three_and_four_players_are_among_the_draws():
    assert {read(file.read_text("utf-8")).game.num_players() for file in DRAWS} == {3, 4}
