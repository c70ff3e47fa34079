"""Records that were written before the code was renamed (commit 48d7759) still load."""

from pathlib import Path

import pytest

from souk.records import read, write
from souk.records.fairness import verify

FILES = sorted((Path(__file__).parents[1] / "fixtures" / "old" / "records").glob("*.souk"))
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
