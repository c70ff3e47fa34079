"""The town of MarraCash on the page: zoom, shops, auctions and the result."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.socket_player import play_until
from tests.browser.visitor import PHONE, Keys, Visitor

Visitors = Callable[..., Visitor]

NAMES = ("Maximilian-Alexander", "Bela", "Cleo", "Dora")
SEATS = [{"kind": "me", "name": name} for name in NAMES]
NO_HINTS = "localStorage.setItem('souk', JSON.stringify({ hints: false }))"
SCALE = "(svg) => svg.getScreenCTM().a"  # pixels per unit of the drawing


def scale(page: Page) -> float:
    return float(page.locator("svg.town").evaluate(SCALE))


def touch(page: Page) -> Callable[..., None]:
    """Return a function that puts fingers on the page: start, move, end."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": fingers})

    return send


def test_a_phone_zooms_shows_shops_and_confirms_bids(visitor: Visitors) -> None:
    one = visitor(**PHONE)
    one.context.add_init_script(NO_HINTS)
    table = one.table("marracash(players=4)", SEATS, start=True, absent="never")
    page = one.go(f"/t/{table}")
    page.locator("svg.town [data-target]").first.wait_for()
    whole = scale(page)
    box = page.locator("svg.town").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    fingers = touch(page)
    fingers("Start", (x - 20, y))
    fingers("Start", (x - 20, y), (x + 20, y))
    for apart in range(20, 61, 5):
        fingers("Move", (x - apart, y), (x + apart, y))
    fingers("End")
    pinched = scale(page)
    assert 2.5 * whole < pinched < 3.5 * whole
    assert page.evaluate("() => visualViewport.scale") == 1  # the board, not the page
    fountain = page.locator("svg.town [aria-label^=Fountain]").first.bounding_box()
    assert fountain is not None and min(fountain["width"], fountain["height"]) >= 44
    shown = page.locator("svg.town").get_attribute("viewBox")
    fingers("Start", (x, y))
    for moved in range(0, 60, 10):
        fingers("Move", (x - moved, y - moved))
    fingers("End")
    assert page.locator("svg.town").get_attribute("viewBox") != shown  # panned
    assert page.locator(".confirm").count() == 0  # and nothing was chosen
    page.touchscreen.tap(x, y)
    page.touchscreen.tap(x, y)
    assert abs(scale(page) - whole) < 0.01
    page.get_by_role("button", name="Zoom in").tap()
    assert scale(page) > 1.5 * whole
    page.get_by_role("button", name="Zoom out").tap()
    assert abs(scale(page) - whole) < 0.01

    page.locator("[data-shop=B3]").tap()
    card = page.locator(".shop-card")
    expect(card).to_contain_text("B3 (blue)")
    expect(card.locator("ol li")).to_have_text(["100", "200", "300", "400", "500+"])
    page.locator(".confirm .primary", has_text="Auction B3").tap()
    bid = page.locator('.controls [data-action="bid 100"]')
    bid.tap()
    assert one.position(table)["position"]["position"]["auction"]["bid"] is None
    page.locator(".confirm .primary", has_text="Bid 100").tap()
    expect(page.locator("svg.town .said")).to_have_text("100")  # at the bidder's tower
    page.locator('.controls [data-action="pass"]').tap()
    page.locator(".confirm .primary", has_text="Pass").tap()
    expect(page.locator("svg.town .said")).to_have_text("passes")


def test_a_desktop_shows_the_buttons_of_four_players(visitor: Visitors) -> None:
    one = visitor(viewport={"width": 1400, "height": 900})
    table = one.table("marracash(players=4)", SEATS, start=True, absent="never")
    page = one.go(f"/t/{table}")
    page.locator("[data-shop=B3]").hover()
    expect(page.locator(".shop-card")).to_contain_text("B3 (blue)")
    expect(page.locator(".phase-help")).to_contain_text("First round")
    page.locator("[data-target='shop:B3']").click()
    for button in ('[data-action="bid 100"]', "form button.primary"):
        expect(page.locator(f".controls {button}")).to_be_in_viewport(ratio=1)
    page.locator('.controls [data-action="bid 100"]').click()
    expect(page.locator('.controls [data-action="pass"]')).to_be_in_viewport(ratio=1)

    whole = scale(page)
    shop = page.locator("[data-shop=R2]")  # nothing to choose, but something to know
    known = re.compile(r"Shop R2 \(red\), unowned\. The next customer brings 100\.")
    expect(shop).to_have_attribute("aria-label", known)
    assert Keys(page, Random()).steer(shop)
    expect(page.locator(".shop-card")).to_contain_text("R2 (red)")
    page.keyboard.press("+")
    assert scale(page) > 1.4 * whole
    page.keyboard.press("0")
    assert abs(scale(page) - whole) < 0.01


def test_the_end_is_announced_and_the_result_explained(visitor: Visitors) -> None:
    one = visitor()
    one.context.add_init_script(NO_HINTS)
    table = one.table("marracash(players=3)", SEATS[:3], start=True, absent="never")

    def is_last_round(now: dict[str, Any]) -> bool:
        return now["position"]["last_turns"] is not None

    play_until(one, table, is_last_round, "town")
    page = one.go(f"/t/{table}")
    expect(page.locator("svg.town").get_by_text("Last round: 3 turns left")).to_be_visible()
    play_until(one, table, lambda _: False, "town")
    details = page.locator(".result-details")
    expect(details).to_contain_text("The game ended because the queue ran out")
    rows = details.locator("table", has_text="Where the money came from").locator("tbody tr")
    numbers = rows.evaluate_all(
        "(rows) => rows.map((row) => [...row.querySelectorAll('td')]"
        ".map((cell) => Number(cell.textContent.replace('–', '0'))))"
    )
    *parts, totals = numbers
    assert [sum(column) for column in zip(*parts, strict=True)] == totals
    scores = one.position(table)["table"]["result"]["scores"]
    assert sorted(totals) == sorted(scores)
    expect(details.locator("figure")).to_be_visible()  # the money over time
    expect(page.get_by_role("button", name="Luck or skill?")).to_have_count(0)
    one.go(f"/replay/{table}")
    page.get_by_role("tab").last.click()
    expect(page.get_by_role("tab", name="Luck", exact=True)).to_have_count(0)
    expect(page.get_by_role("tabpanel")).to_contain_text("Where the money came from")
