"""Every view: in every language, accessible (axe), on every screen size, in light and dark mode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.socket_player import Position, play_until, socket
from tests.browser.visitor import AWAY, REFUSED, Pointer, Visitor, play_by_input, wait_for_turn
from tests.server.server_process import Server

Visitors = Callable[..., Visitor]

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
LANGUAGES = ("en", "fr", "it", "de", "es", "nl", "pt")
KEY = re.compile(
    r"^(app|start|me|settings|error|table|lobby|chat|games|help|result|replay|analysis"
    r"|marrakech|marracash)(\.[\w-]+)+$"
)
ME = {"kind": "me"}
OPEN = {"kind": "open"}
COMPUTER = {"kind": "computer", "level": "random"}

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
# The least, upright and not, a desktop at 200 %, a tablet; and the largest, which is slow to draw.
SIZES = ((320, 640), (640, 320), (640, 400), (768, 1024))
LARGEST = (3840, 2160)

# Returns all texts of elements and labels, visible or not.
ALL_TEXTS = """() => {
  const texts = [];
  const kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walk = document.createTreeWalker(document.body, kinds);
  for (let node = walk.currentNode; node; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data.trim());
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      if (node.getAttribute(name)) texts.push(node.getAttribute(name));
  }
  return texts.filter(Boolean);
}"""
RUN_AXE = """async (only) => {
  const options = { resultTypes: ['violations'], ...(only && { runOnly: only }) };
  const { violations } = await axe.run(document, options);
  const summary = (node) => `${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 300)}`;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(summary).join(' | ')}`);
}"""


def is_legal_after(word: str, least: int = 0) -> Callable[[Position], bool]:
    """Return a test whether an action is legal after a number of moves."""
    return lambda now: (
        now["version"] >= least and any(action.startswith(word) for action in now["legal"])
    )


class Tables:
    """One table of each kind, shared by all tests."""

    def __init__(self, host: Visitor) -> None:
        self.host = host
        self.lobby = host.table("marrakech(players=3)", [ME, OPEN, COMPUTER], public=True)
        self.turning = self._begun("marrakech(players=2)", is_legal_after("ahead", 9))
        self.laying = self._begun("marrakech(players=2)", lambda now: len(now["legal"]) > 6)
        cash = "marracash(players=3,souvenirs=True)"
        self.bringing = self._begun(cash, is_legal_after("bring"))
        self.walking = self._begun(cash, is_legal_after("move", 14))
        self.offering = self._begun(cash, is_legal_after("auction", 4))
        self.bidding = self._begun(
            cash, lambda now: "pass" in now["legal"] and is_legal_after("bid")(now)
        )
        self.card = self._begun(cash, is_legal_after("card"))
        self.over = self._begun("marrakech(players=2,rugs=2)", lambda _: False)
        self.over_cash = self._begun("marracash(players=3)", lambda _: False)
        resigned = host.table("marrakech(players=2)", [ME, COMPUTER], start=True)
        with socket(host, resigned) as line:
            line.send(type="resign", seat=0)

    def _begun(self, game: str, enough: Callable[[Position], bool]) -> str:
        players = 3 if "players=3" in game else 2
        seats = [{"kind": "me", "name": name} for name in ("Ada", "Bela", "Cleo")[:players]]
        table = self.host.table(game, seats, start=True, absent="never")
        play_until(self.host, table, enough, game)
        is_over = self.host.position(table)["table"]["status"] == "over"
        assert is_over == (not enough({"version": 10**6, "legal": LEGAL}))
        return table


LEGAL = [f"{word} x" for word in ("ahead", "bring", "move", "auction", "bid", "card")] + ["pass"]


@pytest.fixture(scope="module")
def tables(browser: Browser, server: Server) -> Iterator[Tables]:
    host = Visitor(browser, server.url, "Ada")
    yield Tables(host)
    host.close()
    assert not host.complaints


# ---- how to come to every view; each ends when everything is there ------------------------------


def start(page: Page, _: Tables) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".lists section")).to_have_count(2)  # mine, and those to join


def choose(page: Page, tables: Tables) -> None:
    start(page, tables)
    page.locator("button[aria-controls=new-table]").last.click()
    page.locator("form summary").click()
    expect(page.locator("form .rules input").first).to_be_visible()


def invite(page: Page, tables: Tables) -> None:
    start(page, tables)
    page.locator("button[aria-controls=new-table]").first.click()
    page.locator("#new-table button").first.wait_for()


def open_all_sections(page: Page) -> None:
    """Open all sections of the rules."""
    page.locator(".rulebook details").first.wait_for()
    page.locator(".rulebook details").evaluate_all(
        "(all) => all.forEach((one) => (one.open = true))"
    )


def lobby(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.lobby}")
    expect(page.locator(".seats li")).to_have_count(3)
    below = page.get_by_role("tab").nth(-2).or_(page.locator(".side > details > summary").last)
    below.first.click()  # tabs where there is no space beside the seats
    open_all_sections(page)


def turning(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.turning}")
    page.locator("svg [data-action=ahead]").focus()  # shows where he may come to
    expect(page.locator(".turn-arrow.considered")).to_have_count(1)


def laying(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.laying}")
    page.locator("svg .place[tabindex='0']").focus()
    expect(page.locator("svg .rug-preview")).to_have_count(1)


def at_table(page: Page, table: str, there: str) -> None:
    page.goto(f"/t/{table}")
    page.locator("svg.town").wait_for()
    page.locator(there).first.wait_for()


def bringing(page: Page, tables: Tables) -> None:
    at_table(page, tables.bringing, ".controls [data-action^='bring']")


def walking(page: Page, tables: Tables) -> None:
    at_table(page, tables.walking, "svg [data-target^='fountain:']")
    folded = page.locator("details:not([open]):has([data-group]) > summary")
    if folded.count():  # on a phone
        folded.click()
    page.locator(".controls [data-group]").first.click()
    page.locator(".controls [data-action^='move']").first.focus()


def offering(page: Page, tables: Tables) -> None:
    at_table(page, tables.offering, "svg [data-target^='shop:']")


def bidding(page: Page, tables: Tables) -> None:
    at_table(page, tables.bidding, ".controls [data-action^='bid']")
    page.locator(".controls input[type=number]").fill("7")  # and why that is no bid
    expect(page.locator(".controls [aria-invalid=true]")).to_have_count(1)


def card(page: Page, tables: Tables) -> None:
    at_table(page, tables.card, ".controls [data-action^='card']")


def hint(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.turning}")
    page.locator(".turn-panel .line button.quiet").last.click()
    page.locator("p.hint").wait_for()


def tab(page: Page, number: int) -> None:
    page.get_by_role("tab").nth(number).click()


def chat(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.turning}")
    tab(page, -3)
    page.locator(".chat form").wait_for()


def rules(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.walking}")
    tab(page, -2)
    open_all_sections(page)


def marrakech_rules(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.turning}")
    tab(page, -2)
    open_all_sections(page)


def about(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.turning}")
    tab(page, -1)
    page.locator(".table-info").wait_for()


def resigning(page: Page, tables: Tables) -> None:
    about(page, tables)
    page.locator(".table-info .row button").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def result(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.over}")
    page.locator(".result-details figure").wait_for()


def result_cash(page: Page, tables: Tables) -> None:
    page.goto(f"/t/{tables.over_cash}")
    page.locator(".result-details figure").wait_for()


def replay(page: Page, tables: Tables) -> None:
    page.goto(f"/replay/{tables.over}?step=4")
    expect(page.get_by_role("slider")).to_have_js_property("value", "4")
    tab(page, 1)
    page.locator("figure").wait_for()


def replay_end(page: Page, tables: Tables) -> None:
    page.goto(f"/replay/{tables.over}")
    tab(page, -1)
    page.locator("p.outcome").first.wait_for()


def replay_cash(page: Page, tables: Tables) -> None:
    page.goto(f"/replay/{tables.over_cash}?step=40")
    page.locator("svg.town").wait_for()
    expect(page.get_by_role("slider")).to_have_js_property("value", "40")


def study(page: Page, tables: Tables) -> None:
    page.goto(f"/replay/{tables.over}?step=4")
    page.locator("button.study").click()
    page.locator(".share, .random").first.wait_for()


def set_up(page: Page, tables: Tables) -> None:
    study(page, tables)
    page.locator(".line .buttons > button").click()
    page.locator("fieldset").first.wait_for()
    page.locator("select").last.select_option(index=0)
    page.locator("main p[role=status]:not(:empty)").wait_for()


def lesson(page: Page, _: Tables) -> None:
    page.goto("/learn/marracash")
    page.locator(".lesson > .primary").click()
    page.locator("[data-target='shop:P2']").wait_for()


def my_games(page: Page, _: Tables) -> None:
    page.goto("/games")
    page.locator("main table").wait_for()
    page.locator("main li.detailed button").first.wait_for()


def open_record(page: Page, _: Tables) -> None:
    page.goto("/replay")
    page.locator("textarea").fill("nothing of the kind")
    page.locator("textarea ~ *, form button.primary").last.click()
    page.get_by_role("alert").wait_for()


def settings(page: Page, tables: Tables) -> None:
    start(page, tables)
    page.locator("header button[aria-haspopup=dialog]").click()
    page.get_by_role("dialog").locator("section button").first.click()  # a link for another device
    page.get_by_role("dialog").locator("input[readonly]").wait_for()


def device(page: Page, _: Tables) -> None:
    page.goto("/device/some-word#Zo%C3%AB")
    page.locator("main button.primary").wait_for()


def unknown(page: Page, _: Tables) -> None:
    page.goto("/nowhere")
    page.locator("main a[href='/']").wait_for()


def no_table(page: Page, _: Tables) -> None:
    page.goto("/t/AAAAAAAAAAAAAAAAAAAAAA")
    page.locator("main a[href='/']").wait_for()


def offline(page: Page, _: Tables) -> None:
    page.goto("/offline.html")
    page.locator("#retry").wait_for()


VIEWS = (
    *(start, choose, invite, lobby, settings, open_record, device, unknown, no_table, offline),
    *(turning, laying, hint, chat, marrakech_rules, about, resigning, result),
    *(replay, replay_end, study, set_up),
    *(bringing, walking, offering, bidding, card, rules, result_cash, replay_cash),
    *(lesson, my_games),
)
LARGE = (start, lobby, turning, result, walking, replay_cash)  # one of each arrangement
PARTS = {"around": VIEWS[:10], "marrakech": VIEWS[10:22], "marracash": VIEWS[22:]}
EXPECTED = re.compile(f"{REFUSED.pattern}|WebSocket connection to")  # what is not there


@pytest.fixture
def as_host(visitor: Visitors, tables: Tables) -> Callable[..., Visitor]:
    """Return a function that creates visitors with the identity of the host."""

    def new(**options: Any) -> Visitor:
        state = tables.host.context.storage_state()
        return visitor(storage_state=state, expected=EXPECTED, **options)

    return new


def axe_violations(page: Page, by_night: bool = True) -> list[str]:
    """Return axe's violations in light mode, and those of colour contrast in dark mode."""
    page.evaluate(AXE.read_text("utf-8"))  # the page's policy lets no other script in
    page.emulate_media(color_scheme="light")
    outcome = [f"light: {fault}" for fault in page.evaluate(RUN_AXE)]
    if by_night:
        page.emulate_media(color_scheme="dark")
        outcome += [f"dark: {fault}" for fault in page.evaluate(RUN_AXE, ["color-contrast"])]
    return outcome


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_for_everyone(as_host: Visitors, tables: Tables, screen: dict[str, Any], part: str) -> None:
    assert AXE.exists(), "axe-core is not installed: npm ci in web/"
    one = as_host(**screen)
    outcome = []
    for view in PARTS[part]:
        view(one.page, tables)
        by_night = screen is DESKTOP  # a phone has the same colours
        outcome += [f"{view.__name__}: {fault}" for fault in axe_violations(one.page, by_night)]
    assert not outcome, "\n".join(outcome)


def test_axe_finds_what_is_wrong(visitor: Visitors) -> None:
    page = visitor().go("/")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("main button").first).to_be_visible()
    page.evaluate("""() => {
      document.querySelector('h1').style.color = 'light-dark(#d4cbbd, #363a4b)';
      document.querySelector('main button').replaceChildren();
    }""")
    message = "\n".join(axe_violations(page))
    for fault in ("light: color-contrast", "dark: color-contrast", "light: button-name"):
        assert fault in message


def test_for_everyone_while_the_server_is_away(
    visitor: Visitors, tables: Tables, server: Server
) -> None:
    with CuttableProxy(server.port) as proxy:
        state = tables.host.context.storage_state()  # cookies know nothing of ports
        one = visitor(url=proxy.url, storage_state=state, expected=AWAY)
        laying(one.page, tables)
        proxy.cut()
        # Of the table, or of the page if it asked the server for something else.
        expect(one.page.locator(".banner.shown, .away").first).to_be_visible()
        assert not axe_violations(one.page)
        one.page.locator("header a[href='/']").click()
        expect(one.page.locator(".away")).to_be_visible()  # of the page
        assert not axe_violations(one.page)
        proxy.restore()
        one.page.locator(".away button").click()
        expect(one.page.locator(".away")).to_have_count(0)


# Whatever is cut off, or lies outside: nobody should have to scroll sideways.
TOO_WIDE = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame); // what fits itself has done so
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? `${scrollWidth} > ${clientWidth}` : '';
}"""


@pytest.mark.parametrize("part", PARTS)
def test_on_every_screen(as_host: Visitors, tables: Tables, part: str) -> None:
    one = as_host()
    wide = {}
    for view in PARTS[part]:
        view(one.page, tables)
        for width, height in (*SIZES, LARGEST) if view in LARGE else SIZES:
            one.page.set_viewport_size({"width": width, "height": height})
            board = one.page.locator("section.board svg").first
            if board.count():
                box = board.bounding_box()
                assert box is not None
                assert box["height"] >= 0.3 * min(width, height), (view.__name__, width, height)
            wide[view.__name__, width, height] = one.page.evaluate(TOO_WIDE)
        one.page.set_viewport_size({"width": 1280, "height": 800})
    assert not {where: message for where, message in wide.items() if message}


# Returns the texts, buttons and selects that do not fit into the page or into what is around them.
# A select needs space for its longest option.
CUT_OFF = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const naturalWidth = (select) => {
    const copy = select.cloneNode(true);
    copy.style.cssText = 'position: absolute; width: max-content; max-width: none';
    select.after(copy);
    const { width } = copy.getBoundingClientRect();
    copy.remove();
    return width;
  };
  const isOutside = (box, around) => {
    if (around === null) return false;
    const { left, right } = around.getBoundingClientRect();
    const { display, overflowX } = getComputedStyle(around);
    const clips = display !== 'contents' && overflowX !== 'visible';
    if (clips && (box.left < left - 1 || box.right > right + 1)) return true;
    return isOutside(box, around.parentElement);
  };
  const isCut = (one) => {
    const box = one.getBoundingClientRect();
    if (one.localName === 'select' && naturalWidth(one) > box.width + 1) return true;
    if (box.right > document.documentElement.clientWidth + 1) return true;
    if (isOutside(box, one.parentElement)) return true;
    const isBlock = getComputedStyle(one).display !== 'inline' && one.localName !== 'input';
    return isBlock && one.scrollWidth > one.clientWidth + 1;
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const hasText = (one) => [...one.childNodes].some(isText);
  return [...document.body.querySelectorAll('*')]
    .filter((one) => !one.closest('svg, .visually-hidden, option'))
    .filter((one) => one.matches('input, select') || hasText(one))
    .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter(isCut)
    .map((one) => `${one.localName}.${one.className}: ${one.textContent.trim().slice(0, 60)}`);
}"""
IN_SIGHT = """(all) => Promise.all(all.map((one) => new Promise((done) =>
  new IntersectionObserver(([seen]) => done(seen.intersectionRatio > 0.9)).observe(one))))"""


def test_a_desktop_shows_the_bid_and_some_moves(as_host: Visitors, tables: Tables) -> None:
    page = as_host(**DESKTOP).page
    bidding(page, tables)
    page.locator(".controls input[type=number]").press("ArrowUp")
    expect(page.locator(".controls form button.primary")).to_be_in_viewport(ratio=1)
    replay_cash(page, tables)
    moves = page.get_by_role("tabpanel").locator("li")
    assert sum(moves.evaluate_all(IN_SIGHT)) >= 3


def test_what_has_to_be_scrolled_can_be_reached_by_tab(as_host: Visitors, tables: Tables) -> None:
    page = as_host().page
    turning(page, tables)
    players = page.locator("section.players")
    expect(players).not_to_have_attribute("tabindex", "0")
    players.evaluate("""(section) => {
      const more = document.createElement('p');
      more.id = 'long';
      more.style.height = '2000px';
      section.append(more);
    }""")
    expect(players).to_have_attribute("tabindex", "0")
    page.locator("#long").evaluate("(one) => one.remove()")
    expect(players).not_to_have_attribute("tabindex", "0")


@pytest.mark.parametrize("part", PARTS)
def test_every_language_in_every_view(as_host: Visitors, tables: Tables, part: str) -> None:
    one = as_host(viewport={"width": 360, "height": 740})
    cut_off = {}
    for view in PARTS[part]:
        if view is offline:
            continue
        view(one.page, tables)
        received = {}
        for language in (*LANGUAGES[1:], "en"):
            one.page.locator("header select").select_option(language, force=True)
            expect(one.page.locator("html")).to_have_attribute("lang", language)
            message = one.page.evaluate(ALL_TEXTS)
            assert not [text for text in message if KEY.match(text)], (view.__name__, language)
            received[language] = frozenset(message)
            cut_off[view.__name__, language] = one.page.evaluate(CUT_OFF)
        assert len(set(received.values())) == len(LANGUAGES), view.__name__
    assert not {where: texts for where, texts in cut_off.items() if texts}


# A game for each language, turn by turn: every view is looked at in all of them above.
PLAYED = (
    ("marrakech(players=2)", [ME, COMPUTER]),
    ("marracash(players=3)", [ME, COMPUTER, COMPUTER]),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_loads_and_plays(visitor: Visitors, language: str) -> None:
    one = visitor(locale=language)
    one.go("/offline.html")
    expect(one.page.locator("html")).to_have_attribute("lang", language)
    game, seats = PLAYED[LANGUAGES.index(language) % 2]
    table = one.table(game, seats, start=True, absent="never")
    one.go(f"/t/{table}")
    expect(one.page.locator("html")).to_have_attribute("lang", language)
    assert len(play_by_input(one, table, Pointer(one.page, Random(language)), moves=2)) == 2
    assert wait_for_turn(one.page)
    assert not [text for text in one.page.evaluate(ALL_TEXTS) if KEY.match(text)]


def test_the_language_is_remembered(visitor: Visitors) -> None:
    page = visitor().go("/")
    page.locator("header select").select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_the_start_page_is_light(visitor: Visitors) -> None:
    one = visitor()
    session = one.context.new_cdp_session(one.page)
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    one.page.goto("/", wait_until="networkidle")
    assert len(sizes) > 10
    assert sum(sizes) < 110_000, "bytes, compressed, with headers"
