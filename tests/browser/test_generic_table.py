"""A game without code on the page, installed from a package: played, replayed and analysed."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import souk
from tests.browser.conftest import seeded_server
from tests.browser.test_views import axe_violations
from tests.browser.visitor import PHONE, InputMethod, Keys, Pointer, Visitor, play_by_input
from tests.example_packages import install
from tests.server.server_process import Server

Visitors = Callable[..., Visitor]

LARGE = {"viewport": {"width": 1400, "height": 900}}
SMALL_WINDOW = {"viewport": {"width": 360, "height": 740}}
PIG = "pig(players=2,target=12)"
ME, OTHER = {"kind": "me"}, {"kind": "computer", "level": "random"}


KINDS = """
from souk.games.marrakech import game

class Kinds(game):
    name = "kinds"

    def action_kind(self, action):
        return "turn"
"""


def add_game_with_kinds(packages: Path) -> None:
    """Add a game that groups its actions by kinds."""
    book = packages / "kinds" / "rulebook"
    shutil.copytree(Path(souk.__file__).parent / "games" / "marrakech" / "rulebook", book)
    (packages / "kinds" / "__init__.py").write_text(KINDS, "utf-8")
    information = packages / "souk_kinds-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: souk-kinds\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[souk.games]\nkinds = kinds:Kinds\n")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server with the example package, which its own environment does not have."""
    folder = tmp_path_factory.mktemp("generic")
    server = seeded_server(folder / "souk.db", "--no-limits")
    path = install("examples/pig", folder / "packages")["PYTHONPATH"]
    add_game_with_kinds(folder / "packages")
    server.environment["PYTHONPATH"] += f"{os.pathsep}{path}"
    with server:
        yield server
        log = server.stop()
        assert "a computer player failed" not in log
        assert "Traceback" not in log, log


class Buttons(Pointer):
    """Use mouse or touch on the buttons of the actions."""

    def act(self, action: str) -> None:
        self._choose(self._button(action))


class Arrows(Keys):
    """Use the keyboard: arrows lead from action to action."""

    def act(self, action: str) -> None:
        buttons = self.page.locator(".controls [data-action]")
        self._button(action).wait_for()
        if self.page.evaluate("() => !document.activeElement.closest('.controls')"):
            self.reach(buttons.first)
        for _ in range(buttons.count()):
            if self._button(action).evaluate("(one) => one === document.activeElement"):
                break
            self.page.keyboard.press("ArrowRight")
        expect(self._button(action)).to_be_focused()
        self.page.keyboard.press("Enter")


def set_up(visitor: Visitor, method: InputMethod) -> str:
    """Create a table with the form on the start page, which knows the game from the server."""
    visitor.create_identity()
    page = visitor.go("/")
    expect(page.locator(".games button", has_text="Pig")).to_be_visible()
    method.press(page.locator("button[aria-controls=new-table]").last)
    form = page.locator("#new-table form")
    card = form.locator("label", has=page.locator("input[name=game]")).filter(has_text="Pig")
    expect(card).to_contain_text("Roll as often as you dare")
    method.press(card.locator("input"))
    method.choose(form.locator("ol select").nth(1), "computer random")
    method.press(form.locator("summary"))
    method.write(form.get_by_label("Points to reach"), "12")
    method.press(form.locator(".end button.primary"))
    page.wait_for_url("**/t/*")
    return str(page.url.rpartition("/")[2])


def drawing(page: Page) -> Locator:
    return page.locator("section.board img")


def check_drawing(page: Page, *words: str) -> None:
    """Check that the drawing is shown, with words for those who do not see it."""
    expect(drawing(page)).to_be_visible()
    assert drawing(page).evaluate("(image) => image.decode().then(() => image.naturalWidth > 100)")
    for word in words:
        assert word in (drawing(page).get_attribute("alt") or "")


def check_end(visitor: Visitor, table: str, method: InputMethod) -> None:
    """Check the result and the replay of a finished game."""
    page = visitor.page
    about = visitor.position(table)["table"]
    assert about["status"] == "over"
    assert about["game"].startswith("pig(") and "target=12" in about["game"]
    expect(page.locator(".result-summary h2")).to_contain_text("points")
    method.press(page.locator(".result-summary a[href^='/replay/']"))
    slider = page.get_by_role("slider")
    slider.wait_for()
    check_drawing(page, "Ada")
    before = drawing(page).get_attribute("src")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".description")).to_have_text("Ada rolls the die.")
    page.keyboard.press("End")
    expect(page.locator(".description")).to_contain_text("The game is over")
    expect(drawing(page)).not_to_have_attribute("src", before or "")


def check_hint(page: Page) -> None:
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".task.hint")).to_contain_text("Roll")
    expect(page.locator(".controls .hinted")).to_have_accessible_name(
        "Roll (the computer would do this)"
    )


def check_rules(page: Page) -> None:
    page.get_by_role("tab", name="Rules").click()
    expect(page.locator(".rulebook h2")).to_have_text("Pig")
    page.get_by_role("tab", name="Moves").click()


def check_analysis(page: Page) -> None:
    page.get_by_role("button", name="Luck or skill?").click()
    expect(page.locator(".result-details figure [role=img]")).to_have_count(2)
    expect(page.get_by_text("luck", exact=False).first).to_be_visible()


def test_a_whole_game_by_mouse(visitor: Visitors) -> None:
    one = visitor(**LARGE)
    page = one.page
    mouse = Buttons(page, Random(1))
    table = set_up(one, mouse)
    page.locator(".controls [data-action=roll]").wait_for()
    check_drawing(page, "Pig", "Ada")
    expect(page.locator(".turn .task")).to_contain_text("Ada")
    check_hint(page)
    check_rules(page)
    play_by_input(one, table, mouse, moves=3)
    expect(page.locator(".info-tabs ol")).to_contain_text("Ada rolls the die.")
    expect(page.locator("[role=log]")).to_contain_text("It shows")  # screen readers hear it
    assert not axe_violations(page)
    play_by_input(one, table, mouse)
    assert one.inputs_used() == {"mouse"}
    check_analysis(page)
    assert not axe_violations(page)
    check_end(one, table, mouse)
    assert not axe_violations(page, by_night=False)


def test_a_whole_game_by_keyboard_in_a_small_window(visitor: Visitors) -> None:
    one = visitor(**SMALL_WINDOW)
    keys = Arrows(one.page, Random(2))
    table = set_up(one, keys)
    assert play_by_input(one, table, keys)
    assert one.inputs_used() == {"key"}
    check_end(one, table, keys)


def test_by_touch_on_a_phone_at_one_screen(visitor: Visitors) -> None:
    """Two people share the phone: a tap selects, the page says whose turn it is."""
    one = visitor(**PHONE)
    seats: list[dict[str, Any]] = [ME, {**ME, "name": "Bo"}]
    table = one.table(PIG, seats, start=True, absent="never")
    page = one.go(f"/t/{table}")
    touch = Buttons(page, Random(3), is_touch=True)
    play_by_input(one, table, touch, moves=12)
    assert one.inputs_used() == {"touch"}
    small = (
        "(all) => all.map((one) => one.getBoundingClientRect()).filter((box) => box.height < 44)"
    )
    assert not page.locator(".controls button").evaluate_all(small)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    assert not axe_violations(page)
    log = one.context.request.get(f"/api/tables/{table}/record").text()
    assert "Bo" in log


def test_the_lobby_and_the_study_know_the_game(visitor: Visitors) -> None:
    one = visitor(**LARGE)
    table = one.table(PIG, [ME, {"kind": "open"}])
    page = one.go(f"/t/{table}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pig")
    expect(page.locator("dl")).to_contain_text("Points to reach")
    page = one.go("/study")
    page.get_by_role("button", name="Pig").click()
    page.locator(".options [data-action=roll]").click()
    page.locator(".options [data-action='5']").click()
    expect(page.locator(".line")).to_contain_text("It shows 5: 5 this turn.")
    expect(page.locator(".options [data-action=hold] .share")).to_be_visible()
    check_drawing(page, "turn total 5")
    page.get_by_role("button", name="Set up a position").click()
    assert '"turn_total": 5' in page.locator("textarea").input_value()


@pytest.mark.parametrize("screen", [PHONE, LARGE], ids=["phone", "large"])
def test_kinds_of_actions_are_named_for_everyone(visitor: Visitors, screen: dict[str, Any]) -> None:
    one = visitor(**screen)
    table = one.table("kinds(players=2)", [ME, {**ME, "name": "Bo"}], start=True, absent="never")
    page = one.go(f"/t/{table}")
    expect(page.get_by_role("group", name="Turn", exact=True)).to_be_visible()
    assert not axe_violations(page)
