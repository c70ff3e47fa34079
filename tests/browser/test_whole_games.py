"""Complete games of both through the page: by mouse, by keyboard alone, by touch alone."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from souk import records
from tests.browser.browsing import PHONE, Keys, Pointer, Visitor, play_out

Visitors = Callable[..., Visitor]

COMPUTER = {"kind": "computer", "level": "random"}
ME = {"kind": "me"}
GAMES = {
    "marrakech": ("marrakech(players=2,rugs=3)", [ME, COMPUTER]),
    "marracash": ("marracash(players=3)", [ME, COMPUTER, COMPUTER]),
}


def begun(visitor: Visitor, game: str) -> str:
    """A game that has started, on the visitor's page; the table's id."""
    text, seats = GAMES[game]
    table = visitor.table(text, seats, start=True, absent="never")
    visitor.go(f"/t/{table}")
    return table


def ended(visitor: Visitor, table: str) -> None:
    """The page shows the result, and the server has the same."""
    page = visitor.page
    expect(page.locator(".outcome h2")).to_contain_text("win")
    expect(page.get_by_role("table", name="Ranking").get_by_role("row")).not_to_have_count(0)
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.get_by_role("img", name="Scores over time")).to_be_visible()
    about = visitor.position(table)["table"]
    assert about["status"] == "over"
    shown = page.get_by_role("table", name="Ranking").locator("td.score").all_inner_texts()
    assert sorted(map(int, shown)) == sorted(about["result"]["scores"])


def test_a_stranger_plays_after_one_click(visitor: Visitors) -> None:
    one = visitor()
    page = one.go("/")
    page.get_by_role("button", name="Play Marrakech").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("svg [data-action=ahead]")).to_be_visible()
    table = page.url.rpartition("/")[2]
    assert one.position(table)["table"]["status"] == "playing"
    assert len(play_out(one, table, Pointer(page, Random(1)), moves=2)) == 2


@pytest.mark.parametrize("game", GAMES)
def test_by_mouse(visitor: Visitors, game: str) -> None:
    one = visitor()
    table = begun(one, game)
    chosen = play_out(one, table, Pointer(one.page, Random(f"mouse {game}")))
    ended(one, table)
    assert played(one, table) == chosen


@pytest.mark.parametrize("game", GAMES)
def test_by_touch_on_a_small_phone(visitor: Visitors, game: str) -> None:
    one = visitor(**PHONE)
    table = begun(one, game)
    chosen = play_out(one, table, Pointer(one.page, Random(f"touch {game}"), finger=True))
    ended(one, table)
    assert played(one, table) == chosen


@pytest.mark.parametrize("game", GAMES)
def test_by_keyboard_alone(visitor: Visitors, game: str) -> None:
    one = visitor()
    table = begun(one, game)
    Keys(one.page, Random(f"keys {game}")).play_out()
    ended(one, table)


def played(visitor: Visitor, table: str) -> list[str]:
    """What the record says that seat 0 did."""
    text = visitor.context.request.get(f"/api/tables/{table}/record").text()
    record = records.read(text)
    state = record.game.new_initial_state(seed=record.seed)
    mine = []
    for action in record.actions:
        if state.current_player() == 0:
            mine.append(state.action_to_string(action))
        state.apply_action(action)
    return mine
