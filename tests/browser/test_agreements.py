"""Two people agree on a pause, a draw and an abort; hints are off between them."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import Visitor, wait_for_turn

Visitors = Callable[..., Visitor]

ME = {"kind": "me"}
OPEN = {"kind": "open"}
GAME = "marrakech(players=2,full_tie=draw)"


def click(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def task(page: Page) -> Locator:
    """Return the panel that says what to do."""
    return page.get_by_role("region", name="What to do now")


def seated(visitor: Visitors, **terms: object) -> tuple[Visitor, Visitor, str]:
    """Return two people whose game has started, and the table."""
    host, guest = visitor("Ada"), visitor("Bela")
    table = host.table(GAME, [ME, OPEN], **terms)
    guest.create_identity()
    host.go(f"/t/{table}")
    guest.go(f"/t/{table}")
    click(guest.page, "Take seat")
    click(host.page, "Start game")
    assert wait_for_turn(host.page)
    for one in (host, guest):
        one.page.get_by_role("tab", name="Table", exact=True).click()
    return host, guest, table


def test_two_people_agree_on_a_pause_and_on_a_draw(visitor: Visitors) -> None:
    host, guest, table = seated(visitor, seconds=60)
    click(host.page, "Propose a pause")
    expect(task(host.page)).to_contain_text("Waiting for the others to answer.")
    expect(task(guest.page)).to_contain_text("Ada proposes a pause.")
    click(guest.page, "Agree")
    for one in (host, guest):
        expect(
            one.page.get_by_text("The game is paused and the clocks are stopped.")
        ).to_be_visible()
        expect(one.page.locator("[data-action]")).to_have_count(0)
        expect(one.page.locator(".clock")).to_have_count(0)
    click(guest.page, "Resume the game")
    click(host.page, "Agree")
    assert wait_for_turn(host.page), "the game goes on"
    expect(host.page.locator(".clock")).to_have_count(1)

    click(guest.page, "Offer a draw")
    click(host.page, "Decline")
    expect(task(guest.page)).not_to_contain_text("Bela offers a draw.")
    click(guest.page, "Offer a draw")  # refused until the game has gone on
    expect(task(guest.page)).to_contain_text("This is not possible right now.")
    click(host.page, "Offer a draw")
    click(guest.page, "Agree")
    for one in (host, guest):
        expect(one.page.locator(".result-summary h2")).to_contain_text("A draw")
    assert host.position(table)["table"]["result"]["how"] == "drawn"


def test_a_game_that_has_hardly_begun_can_be_aborted(visitor: Visitors) -> None:
    host, guest, _ = seated(visitor)
    click(guest.page, "Abort the game")
    expect(guest.page.get_by_role("dialog")).to_contain_text("without a result")
    guest.page.get_by_role("dialog").get_by_role("button", name="Abort the game").click()
    for one in (host, guest):
        expect(one.page.locator(".result-summary h2")).to_contain_text("The game was aborted")


def test_hints_are_off_between_people_unless_the_table_allows_them(visitor: Visitors) -> None:
    host, guest, _ = seated(visitor)
    expect(host.page.get_by_text("Hints are not allowed at this table.")).to_be_visible()
    expect(host.page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    host, guest, _ = seated(visitor, hints=True)
    click(host.page, "Hint")
    expect(host.page.locator("p.hint")).to_contain_text(
        re.compile(r"Second best: .+, [0-9.]+ percentage points? less\.|About as good: .+")
    )
    expect(guest.page.get_by_text("1 hint", exact=True)).to_be_visible()
    guest.page.get_by_role("tab", name="Moves").click()
    expect(guest.page.get_by_role("tabpanel")).to_contain_text("Ada asks for a hint.")


def test_the_host_allows_hints_when_opening_a_table(visitor: Visitors) -> None:
    host = visitor("Ada")
    page = host.go("/")
    page.locator("button[aria-controls=new-table]").last.click()
    page.locator("#new-table ol select").nth(1).select_option("open")
    page.get_by_text("Allowed (everyone sees when one is used)").click()
    click(page, "Create table")
    page.wait_for_url("**/t/*")
    expect(page.get_by_text("Hints are allowed.")).to_be_visible()
    assert host.position(Path(page.url).name)["table"]["hints"] is True
