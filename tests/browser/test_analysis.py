"""The analysis on the page: after the game, in the replay, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.socket_player import play_until
from tests.browser.test_views import ALL_TEXTS, CUT_OFF, KEY, LANGUAGES, PHONE, axe_violations
from tests.browser.visitor import Visitor
from tests.server.server_process import Server

Visitors = Callable[..., Visitor]

SEATS = [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Bela"}]


@pytest.fixture(scope="module")
def host(browser: Browser, server: Server) -> Iterator[Visitor]:
    host = Visitor(browser, server.url, "Ada")
    yield host
    host.close()
    assert not host.complaints


@pytest.fixture(scope="module")
def finished_table(host: Visitor) -> str:
    table = host.table("marrakech(players=2,rugs=4)", SEATS, start=True, absent="never")
    play_until(host, table, lambda _: False, "analysis")
    return table


def open_analysis(page: Page) -> Locator:
    """Request the analysis and wait for it."""
    tab = page.get_by_role("tab", name="Luck", exact=True)  # of a replay
    button = page.get_by_role("button", name="Luck or skill?")
    expect(tab.or_(button).first).to_be_visible()
    if tab.count():
        tab.click()
    button.click()
    result = page.get_by_role("region", name="Luck and skill")
    result.get_by_role("img", name="Winning chances").wait_for(timeout=150_000)
    return result


def expect_step(page: Page, step: int) -> None:
    expect(page.get_by_role("slider", name="Step")).to_have_js_property("value", str(step))


def fetch_analysis(host: Visitor, table: str) -> dict[str, list[dict[str, object]]]:
    answer = host.context.request.get(f"/api/tables/{table}/analysis")
    assert answer.status == 200
    return dict(answer.json()["analysis"])


def test_after_the_game_what_cost_most_leads_to_the_position(
    host: Visitor, finished_table: str
) -> None:
    page = host.go(f"/t/{finished_table}")
    result = open_analysis(page)
    analysis = fetch_analysis(host, finished_table)
    for player in analysis["players"]:
        words = result.get_by_role("listitem").filter(has_text=f"{player['name']}:")
        expect(words.first).to_contain_text(f"Best choice in {player['best']} of")
        expect(words.first).to_contain_text("Own decisions")
        expect(words.first).to_contain_text(f"Blunders ??{player['blunders']}")
    worst = analysis["costliest"]
    assert worst, "a game of random choices has bad ones"
    step = analysis["steps"][worst[0] - 1]
    buttons = result.locator("ol").get_by_role("button")
    expect(buttons).to_have_count(len(worst))
    expect(buttons.first).to_contain_text(f"Turn {step['turn']}, ")
    expect(buttons.first).to_contain_text("Better: ")
    expect(buttons.first.get_by_role("img")).to_have_accessible_name(str(step["mistake"]).title())
    buttons.first.click()
    page.wait_for_url(f"**/replay/{finished_table}?step={worst[0] - 1}")
    expect_step(page, worst[0] - 1)
    expect(page.get_by_role("img", name="Winning chances")).to_be_visible()  # still there
    page.get_by_role("tab", name="Moves").click()
    marked = [one for one in analysis["steps"] if one["mistake"]]
    marks = page.get_by_role("img", name=re.compile("^(Inaccuracy|Mistake|Blunder)$"))
    expect(marks).to_have_count(len(marked))


def test_in_the_replay_the_chart_and_its_table_lead_through_the_game(
    visitor: Visitors, host: Visitor, finished_table: str
) -> None:
    page = visitor().go(f"/replay/{finished_table}")  # a stranger with the link
    result = open_analysis(page)
    steps = fetch_analysis(host, finished_table)["steps"]
    chart = result.get_by_role("img", name="Winning chances")
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    expect_step(page, len(steps))
    result.get_by_text("Show as table").click()
    row = result.get_by_role("row").nth(2)
    turn = row.get_by_role("button")
    last = [step["step"] for step in steps if step["turn"] == int(turn.inner_text())][-1]
    turn.focus()
    page.keyboard.press("Enter")
    expect_step(page, int(str(last)))
    result.locator("ol").get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    expect_step(page, fetch_analysis(host, finished_table)["costliest"][0] - 1)  # type: ignore[operator]


def test_a_record_from_a_file_is_analysed_too(
    visitor: Visitors, host: Visitor, finished_table: str
) -> None:
    record = host.context.request.get(f"/api/tables/{finished_table}/record").text()
    page = visitor().go("/replay")
    page.get_by_label("Or paste the record").fill(record)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(open_analysis(page).locator("ol").get_by_role("button").first).to_be_visible()


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desktop", "phone"])
def test_for_everyone_in_every_language(
    visitor: Visitors, finished_table: str, screen: dict[str, object]
) -> None:
    page = visitor(**screen).go(f"/replay/{finished_table}")
    result = open_analysis(page)
    result.get_by_text("Show as table").click()
    assert not axe_violations(page)
    assert not page.evaluate(CUT_OFF)
    received = set()
    for language in (*LANGUAGES[1:], "en"):
        page.locator("header select").select_option(language, force=True)
        expect(page.locator("html")).to_have_attribute("lang", language)
        said = page.evaluate(ALL_TEXTS)
        assert not [text for text in said if KEY.match(text)], language
        assert not page.evaluate(CUT_OFF), language
        received.add(page.locator(".analysis").inner_text())
    assert len(received) == len(LANGUAGES)
