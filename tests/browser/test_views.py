"""Every view: in every language, for everyone (axe), at 320 pixels, by day and by night."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browsing import Pointer, Visitor, choosing, play_out
from tests.server.live import Server

Visitors = Callable[..., Visitor]

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
LANGUAGES = ("en", "fr", "it", "de", "es", "nl", "pt")
KEY = re.compile(
    r"^(app|start|me|settings|frame|table|lobby|chat|help|result|replay"
    r"|marrakech|marracash)(\.[\w-]+)+$"
)
ME = {"kind": "me"}
OPEN = {"kind": "open"}
COMPUTER = {"kind": "computer", "level": "random"}

SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True},
}

# Everything that is said, seen or not: texts of elements and their labels.
SAID = """() => {
  const found = [];
  const kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walk = document.createTreeWalker(document.body, kinds);
  for (let node = walk.currentNode; node; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data.trim());
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      if (node.getAttribute(name)) found.push(node.getAttribute(name));
  }
  return found.filter(Boolean);
}"""
FAULTS = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  const told = (node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 300)}`;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(told).join(' | ')}`);
}"""


class Tables:
    """One table of each kind, made once and looked at by everybody."""

    def __init__(self, host: Visitor) -> None:
        self.host = host
        self.lobby = host.table("marrakech(players=3)", [ME, OPEN, COMPUTER])
        self.marrakech = self._begun("marrakech(players=2)", [ME, COMPUTER], 3)
        self.marracash = self._begun("marracash(players=3)", [ME, COMPUTER, COMPUTER], 3)
        self.over = self._begun("marrakech(players=2,rugs=2)", [ME, COMPUTER], 1000)

    def _begun(self, game: str, seats: list[dict[str, Any]], moves: int) -> str:
        table = self.host.table(game, seats, start=True, absent="never")
        self.host.go(f"/t/{table}")
        play_out(self.host, table, Pointer(self.host.page, Random(game)), moves=moves)
        return table


@pytest.fixture(scope="module")
def tables(browser: Browser, server: Server) -> Iterator[Tables]:
    host = Visitor(browser, server.url, "Ada")
    yield Tables(host)
    host.close()


def start(page: Page, _: Tables) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".lists section")).not_to_have_count(0)


def choose(page: Page, tables: Tables) -> None:
    start(page, tables)
    page.locator("button[aria-controls=choose]").last.click()
    page.locator("form summary").click()


def lobby(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.lobby}")
    expect(page.locator(".seats li")).to_have_count(3)


def marrakech(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.marrakech}")
    assert choosing(page)


def marracash(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.marracash}")
    page.locator("svg.town").wait_for()
    assert choosing(page)


def rules(page: Page, tables: Tables) -> None:
    marracash(page, tables)
    page.get_by_role("tab").nth(-2).click()
    page.locator(".rules details").first.wait_for()


def result(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.over}")
    page.locator(".outcome h2").wait_for()
    page.locator(".result figure").wait_for()


def replay(page: Page, tables: Tables) -> None:
    page.goto(f"/replay/{tables.over}?step=4")
    page.locator("input[type=range]").wait_for()


def settings(page: Page, tables: Tables) -> None:
    start(page, tables)
    page.locator("header button[aria-haspopup=dialog]").click()
    page.get_by_role("dialog").wait_for()


VIEWS = (start, choose, lobby, marrakech, marracash, rules, result, replay, settings)


@pytest.fixture
def as_host(visitor: Visitors, tables: Tables) -> Callable[..., Visitor]:
    """Visitors who are the host of all tables."""

    def new(**options: Any) -> Visitor:
        return visitor(storage_state=tables.host.context.storage_state(), **options)

    return new


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language(as_host: Visitors, tables: Tables, language: str) -> None:
    one = as_host(locale=language)
    for view in VIEWS:
        view(one.page, tables)
        expect(one.page.locator("html")).to_have_attribute("lang", language)
        raw = [text for text in one.page.evaluate(SAID) if KEY.match(text)]
        assert not raw, view.__name__


def test_the_language_can_be_switched(visitor: Visitors) -> None:
    page = visitor().go("/")
    switch = page.get_by_role("combobox", name="Language")
    for language in LANGUAGES[1:]:
        page.locator("header select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator("header select").select_option("en")
    expect(switch).to_be_visible()
    page.locator("header select").select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.reload()  # it is kept
    expect(page.locator("html")).to_have_attribute("lang", "fr")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_for_everyone(as_host: Visitors, tables: Tables, screen: str, theme: str) -> None:
    assert AXE.exists(), "axe-core is not installed: npm ci in web/"
    one = as_host(color_scheme=theme, **SCREENS[screen])
    source = AXE.read_text("utf-8")
    faults = {}
    for view in VIEWS:
        view(one.page, tables)
        one.page.evaluate(source)  # the page's policy lets no other script in
        faults[view.__name__] = one.page.evaluate(FAULTS)
    assert not {view: found for view, found in faults.items() if found}


def test_nothing_is_wider_than_a_small_phone(as_host: Visitors, tables: Tables) -> None:
    one = as_host(**SCREENS["phone"])
    wide = {}
    for view in VIEWS:
        view(one.page, tables)
        wide[view.__name__] = one.page.evaluate("() => document.documentElement.scrollWidth")
    assert {view: width for view, width in wide.items() if width > 320} == {}
