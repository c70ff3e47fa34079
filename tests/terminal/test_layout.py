"""The page: the story is told to its end, without gaps, and what is left out is marked."""

import pytest

import souk
from souk.engine.styled_text import plain_text
from souk.terminal.layout import View, news, page, spread

NAMES = ("Abdelrahman-al-Fassi", "Bartholomew-Cuthbert", "Clementine-Augustina", "Dominique-Marie")


@pytest.fixture(scope="module")
def state() -> souk.State:
    """Some way into a game of MarraCash."""
    game = souk.load_game("marracash")
    state = game.new_initial_state(3)
    player = souk.player("random", game, seed=5)
    while len(state.history()) < 60:
        state.apply_action(player.choose(state))
    return state


def told(view: View, columns: int, rows: int) -> tuple[list[str], bool]:
    """The rows of the story under the board, and whether the page claims to tell all."""
    board = spread(view, columns, rows)
    shown = page(view, columns, rows)
    lines = [plain_text(line) for line in shown.lines[len(board) :]]
    todo = view.state.game.prompt(view.state, view.names)
    while lines and lines[-1] in todo:
        lines.pop()
    return [line for line in lines if line], shown.tells_all


@pytest.mark.parametrize("since", range(20, 60, 3))
@pytest.mark.parametrize("columns", [80, 100])
def test_the_story_ends_with_what_happened_last_and_has_no_gaps(
    state: souk.State, since: int, columns: int
) -> None:
    view = View(state, NAMES, since)
    new = " ".join(news(view).split())
    whole = " ".join(news(View(state, NAMES, 0)).split())
    seen = set()
    for rows in range(20, 60):
        lines, tells_all = told(view, columns, rows)
        story = " ".join(lines).removeprefix("…").strip()
        assert whole.endswith(story)
        assert tells_all == (len(story) >= len(new))
        assert tells_all or not lines or lines[0].startswith("…")
        seen.add(tells_all)
    assert True in seen


def test_options_leave_half_of_the_room_to_the_story(state: souk.State) -> None:
    early = state.game.new_initial_state(3)
    for action in state.history()[: state.movers().index(1)]:
        early.apply_action(action)
    lines = [plain_text(line) for line in page(View(early, NAMES, 0, asks=True), 80, 22).lines]
    assert len(lines) <= 22
    assert any("puts the" in line for line in lines)
