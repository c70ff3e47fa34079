"""One game of each kind in full: nothing the API says has changed without someone looking."""

import pytest

import souk
from tests.playthrough import FOLDER, files, playthrough, read_heading

MOST_BYTES = 200_000


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_playthrough_is_as_it_was(path):
    """If it differs on purpose: `python -m tests.playthrough --write`, and read the diff."""
    then = path.read_text("utf-8").splitlines()
    now = playthrough(*read_heading(path)).splitlines()
    for number, (old, new) in enumerate(zip(then, now, strict=False), 1):
        assert new == old, f"{path.name}, line {number}"
    assert len(now) == len(then)
    assert path.stat().st_size < MOST_BYTES


@pytest.mark.parametrize("name", souk.games())
def test_every_game_has_playthroughs(name):
    assert any((FOLDER / name / "playthroughs").glob("*.txt"))
