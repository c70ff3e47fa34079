"""Complete seeded games on the page: by mouse, by keyboard only, by touch only."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from souk import records
from souk.games import load_game
from tests.browser.seeded_server import seed_of
from tests.browser.visitor import PHONE, InputMethod, Keys, Pointer, Visitor, play_by_input

Visitors = Callable[..., Visitor]

GAMES = {"marracash": "marracash(players=3)", "marrakech": "marrakech(players=2,rugs=2)"}
NAMES = {"marracash": "MarraCash", "marrakech": "Marrakech"}  # the same in all languages
OTHERS = {"marracash": 2, "marrakech": 1}  # computers


def set_up(visitor: Visitor, method: InputMethod, game: str) -> str:
    """Start a game from the start page and return the id of its table."""
    page = visitor.go("/")
    method.press(page.locator("button[aria-controls=new-table]").last)
    form = page.locator("#new-table form")
    cards = form.locator("label").filter(has=page.locator("input[name=game]"))
    method.press(cards.filter(has_text=NAMES[game]).locator("input"))
    for seat in range(1, 1 + OTHERS[game]):
        method.choose(form.locator("ol select").nth(seat), "computer random")
    if game == "marrakech":
        method.press(form.locator("summary"))
        method.write(form.locator("input[id$='-rugs']"), "2")
    method.press(form.locator(".end button.primary"))
    page.wait_for_url("**/t/*")
    return page.url.rpartition("/")[2]


def check_result(visitor: Visitor, table: str, game: str) -> None:
    """Check that the page shows the same result as the server."""
    page = visitor.page
    expect(page.locator(".result-summary h2")).not_to_be_empty()
    about = visitor.position(table)["table"]
    assert about["status"] == "over"
    assert about["game"] == str(load_game(GAMES[game]))
    shown = page.locator(".result-details td.score")
    expect(shown).to_have_count(1 + OTHERS[game])
    assert sorted(map(int, shown.all_inner_texts())) == sorted(about["result"]["scores"])
    expect(page.locator(".result-details figure [role=img]")).to_be_visible()
    expect(page.locator(".result-summary button.primary")).to_be_enabled()  # a rematch


def recorded_actions(visitor: Visitor, table: str, game: str) -> list[str]:
    """Return the actions of seat 0 in the record of a seeded game."""
    text = visitor.context.request.get(f"/api/tables/{table}/record").text()
    record = records.read(text)
    assert record.seed == seed_of(GAMES[game]), "the game was not seeded"
    state = record.game.new_initial_state(seed=record.seed)
    mine = []
    for action in record.actions:
        if state.current_player() == 0:
            mine.append(state.action_to_string(action))
        state.apply_action(action)
    assert state.is_terminal()
    return mine


def whole_game(visitor: Visitor, method: InputMethod, game: str) -> None:
    """Play a game from the start page to the result and its replay."""
    table = set_up(visitor, method, game)
    chosen = play_by_input(visitor, table, method)
    assert len(chosen) >= 8
    check_result(visitor, table, game)
    assert recorded_actions(visitor, table, game) == chosen
    method.press(visitor.page.locator(".result-details button", has_text="Check the dice"))
    seen = visitor.page.locator(".good").get_by_text("the ones your browser saw")
    expect(seen).to_be_visible()
    method.press(visitor.page.locator(".result-summary a[href^='/replay/']"))
    expect(visitor.page.get_by_role("slider")).to_have_js_property("value", "0")


def test_a_stranger_plays_after_one_click(visitor: Visitors) -> None:
    one = visitor()
    page = one.go("/")
    page.locator(".games button.primary").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("svg [data-action=ahead]")).to_be_visible()
    table = page.url.rpartition("/")[2]
    assert one.position(table)["table"]["status"] == "playing"
    assert len(play_by_input(one, table, Pointer(page, Random(1)), moves=2)) == 2


@pytest.mark.parametrize("game", GAMES)
def test_by_mouse(visitor: Visitors, game: str) -> None:
    one = visitor()
    whole_game(one, Pointer(one.page, Random(f"mouse {game}")), game)
    assert one.inputs_used() == {"mouse"}


@pytest.mark.parametrize("game", GAMES)
def test_by_touch_on_a_small_phone(visitor: Visitors, game: str) -> None:
    one = visitor(**PHONE)
    whole_game(one, Pointer(one.page, Random(f"touch {game}"), is_touch=True), game)
    assert one.inputs_used() == {"touch"}
    assert one.page.evaluate("() => [innerWidth, visualViewport.scale]") == [360, 1]


@pytest.mark.parametrize("game", GAMES)
def test_by_keyboard_alone(visitor: Visitors, game: str) -> None:
    one = visitor()
    keys = Keys(one.page, Random(f"keys {game}"))
    whole_game(one, keys, game)
    assert one.inputs_used() == {"key"}
    assert keys.on_board >= 3
