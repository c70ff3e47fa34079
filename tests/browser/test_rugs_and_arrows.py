"""Marrakech's board: arrows that point, and rugs laid by finger."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import PHONE, Visitor, wait_for_version

Visitors = Callable[..., Visitor]

POINTS = {"ArrowLeft": "west", "ArrowDown": "south", "ArrowRight": "east"}  # Assam faces south
LOW_PHONE = {**PHONE, "viewport": {"width": 320, "height": 568}}


def drag_by_finger(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Put a finger down, move it in steps and lift it."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", start)
    for step in range(1, 9):
        send("touchMove", tuple(a + (b - a) * step / 8 for a, b in zip(start, end, strict=True)))
    send("touchEnd")


def middle(of: Locator) -> tuple[float, float]:
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("screen", [PHONE, LOW_PHONE], ids=["phone", "low phone"])
def test_a_phone_turns_assam_and_lays_a_rug(visitor: Visitors, screen: dict[str, object]) -> None:
    one = visitor(**screen)
    seats = [{"kind": "me"}, {"kind": "computer", "level": "random"}]
    table = one.table("marrakech(players=2)", seats, start=True, absent="never")
    page = one.go(f"/t/{table}")

    # Arrow keys, arrows on the board and words on buttons agree.
    for where in ("section.board svg", ".controls"):
        page.locator(f"{where} [data-action=ahead]").focus()
        for key, facing in POINTS.items():
            page.keyboard.press(key)
            focused = page.locator(f"{where} [data-action]:focus")
            expect(focused).to_have_accessible_name(re.compile(facing))
    assert page.locator(".controls svg + span").all_inner_texts() == ["West", "South", "East"]

    confirm = page.locator(".confirm .primary")
    page.locator("svg [data-action=ahead] .hit").tap()
    expect(confirm).to_have_text("Roll")
    confirm.tap()

    square = page.locator("svg .free").first.bounding_box()
    assert square is not None
    cell = square["width"] * 80 / 74  # its outline is smaller
    assert cell > 43.9
    places = one.position(table)["position"]["legal"]
    selected = page.locator(".controls [data-action].primary")  # in the list, which is folded away
    expect(selected).to_have_count(0)

    # A rug dragged by finger lies above it, and is confirmed.
    x, y = middle(page.locator(f'svg [data-action="{places[0]}"]'))
    drag_by_finger(page, middle(page.locator("svg .draggable-rug")), (x, y + 0.8 * cell))
    expect(confirm).to_have_text("Lay here")
    expect(selected).to_have_attribute("data-action", places[0])
    expect(selected).to_be_hidden()

    # Taps on one square select its places in turn.
    halves = [half for place in places for half in (place[:2], place[2:])]
    shared = next(half for half in halves if halves.count(half) > 1)
    x, y = middle(page.locator("svg .free").nth([*dict.fromkeys(halves)].index(shared)))
    page.touchscreen.tap(x, y)
    first = selected.get_attribute("data-action")
    page.touchscreen.tap(x, y)
    expect(selected).not_to_have_attribute("data-action", str(first))
    place = str(selected.get_attribute("data-action"))
    before = one.position(table)["position"]
    assert before["legal"] == places
    confirm.tap()
    wait_for_version(one, table, before["version"])
    record = one.context.request.get(f"/api/tables/{table}/record").text()
    assert place in record
