"""The screen shows the end of the log without gaps, and marks what is left out."""

import pytest

import souk
from souk.engine.styled_text import plain_text
from souk.terminal.screen_layout import View, board_and_players, layout_screen, news_text

NAMES = ("Abdelrahman-al-Fassi", "Bartholomew-Cuthbert", "Clementine-Augustina", "Dominique-Marie")


@pytest.fixture(scope="module")
def state() -> souk.State:
    """Return a position in the middle of a game of MarraCash."""
    game = souk.load_game("marracash")
    state = game.new_initial_state(3)
    player = souk.player("random", game, seed=5)
    while len(state.history()) < 60:
        state.apply_action(player.choose(state))
    return state


def log_lines(view: View, columns: int, rows: int) -> tuple[list[str], bool]:
    """Return the log under the board, and whether the screen claims to show all news."""
    board = board_and_players(view, columns, rows)
    shown = layout_screen(view, columns, rows)
    lines = [plain_text(line) for line in shown.lines[len(board) :]]
    todo = view.state.game.prompt(view.state, view.names)
    while lines and lines[-1] in todo:
        lines.pop()
    return [line for line in lines if line], shown.shows_all_news


@pytest.mark.parametrize("since", range(20, 60, 3))
@pytest.mark.parametrize("columns", [80, 100])
def test_the_log_ends_with_the_last_event_and_has_no_gaps(
    state: souk.State, since: int, columns: int
) -> None:
    view = View(state, NAMES, since)
    new = " ".join(news_text(view).split())
    whole = " ".join(news_text(View(state, NAMES, 0)).split())
    seen = set()
    for rows in range(20, 60):
        lines, shows_all = log_lines(view, columns, rows)
        log = " ".join(lines).removeprefix("…").strip()
        assert whole.endswith(log)
        assert shows_all == (len(log) >= len(new))
        assert shows_all or not lines or lines[0].startswith("…")
        seen.add(shows_all)
    assert True in seen


def test_actions_leave_half_of_the_space_to_the_log(state: souk.State) -> None:
    early = state.game.new_initial_state(3)
    for action in state.history()[: state.movers().index(1)]:
        early.apply_action(action)
    lines = [
        plain_text(line) for line in layout_screen(View(early, NAMES, 0, asks=True), 80, 22).lines
    ]
    assert len(lines) <= 22
    assert any("auctions the" in line for line in lines)
