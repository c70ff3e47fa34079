"""Visitors of the page in a real Chromium, and how they play: by mouse, touch or keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Protocol

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

import tools.chromium

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
TIMEOUT_MS = 180_000  # a slow machine is no failure

# Console errors of the browser while a server is away on purpose.
AWAY = re.compile(r"ERR_CONNECTION|WebSocket connection to|net::ERR")
# Console errors of requests that are refused on purpose.
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")

# Records the kinds of input used: mouse, touch, pen or key.
INPUT_TRACKER = """
  globalThis.used = new Set();
  addEventListener('pointerdown', (event) => event.isTrusted && used.add(event.pointerType), true);
  addEventListener('keydown', (event) => event.isTrusted && used.add('key'), true);
"""

# Events are shown at once: with reduced motion alone, each would stay for a second.
NO_ANIMATION = """
  if (location.protocol === 'http:') localStorage.souk ??= JSON.stringify({ speed: 0 });
"""
# The page ignores clicks for half a second after the choices changed, by this clock: a visitor
# who knows the game need not wait that long.
FAST_CLOCK = """
  const now = performance.now.bind(performance);
  performance.now = () => 100 * now();
"""

expect.set_options(timeout=TIMEOUT_MS)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Debian's Chromium without a window."""
    path = tools.chromium.find()
    assert path is not None, "no chromium: python -m tools.chromium installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(tools.chromium.FLAGS))
        yield browser
        browser.close()


class Visitor:
    """A person with their own browser context: own cookies, own settings.

    Console errors and warnings are recorded as complaints unless they are `expected`, and so are
    requests to other servers.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str = "Ada",
        expected: re.Pattern[str] | None = None,
        **options: Any,
    ) -> None:
        settings = {**DESKTOP, "reduced_motion": "reduce", "locale": "en-GB", **options}
        self.context: BrowserContext = browser.new_context(base_url=url, **settings)
        self.context.add_init_script(INPUT_TRACKER + FAST_CLOCK)
        if settings["reduced_motion"] == "reduce":
            self.context.add_init_script(NO_ANIMATION)
        self.url = url
        self.name = name
        self.expected = expected
        self.complaints: list[str] = []
        self.context.on("console", self._on_console)
        self.context.on("weberror", lambda error: self._complain(f"uncaught: {error.error.stack}"))
        self.context.on("request", self._on_request)
        self.page: Page = self.new_page()

    def new_page(self) -> Page:
        """Open another tab."""
        page = self.context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        return page

    def _on_console(self, message: Any) -> None:
        is_expected = self.expected is not None and self.expected.search(message.text)
        if message.type in ("error", "warning") and not is_expected:
            self._complain(f"{message.type}: {message.text}")

    def _on_request(self, request: Any) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self._complain(f"a request to another server: {request.url}")

    def _complain(self, line: str) -> None:
        self.complaints.append(f"{self.name}: {line}")

    def inputs_used(self) -> set[str]:
        """Return the kinds of input used since the page was loaded."""
        return set(self.page.evaluate("() => [...used]"))

    def go(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def create_identity(self) -> str:
        """Create an identity and return its public id."""
        answer = self.context.request.post("/api/me", data={"name": self.name})
        assert answer.ok, answer.text()
        return str(answer.json()["id"])

    def table(self, game: str, seats: list[dict[str, Any]], **terms: Any) -> str:
        """Create a table without the page and return its id."""
        self.create_identity()
        body = {"game": game, "seats": seats, **terms}
        answer = self.context.request.post("/api/tables", data=body)
        assert answer.ok, answer.text()
        return str(answer.json()["table"]["id"])

    def position(self, table: str) -> dict[str, Any]:
        """Return the state of a table from the server."""
        return dict(self.context.request.get(f"/api/tables/{table}").json())

    def close(self) -> None:
        self.context.close()


# What can be chosen on the page, and what it shows when the game is over.
CHOICE = "[data-action]:not([disabled]), svg.town [data-target], .controls button:enabled"
OVER = ".result-summary"


def wait_for_turn(page: Page) -> bool:
    """Wait until it is this person's turn; return False if the game is over instead."""
    ready = page.locator(f"{CHOICE}, {OVER}").first
    ready.wait_for(state="attached")
    return page.locator(OVER).count() == 0


class InputMethod(Protocol):
    """A way to use the page."""

    rng: Random

    def press(self, what: Locator) -> None: ...
    def choose(self, field: Locator, value: str) -> None: ...
    def write(self, field: Locator, text: str) -> None: ...
    def act(self, action: str) -> None: ...


class Pointer:
    """Use mouse or touch: on the board where possible, else on the buttons."""

    def __init__(self, page: Page, rng: Random, is_touch: bool = False) -> None:
        self.page = page
        self.rng = rng
        self.is_touch = is_touch

    def act(self, action: str) -> None:
        word, _, rest = action.partition(" ")
        board = self.page.locator("svg.town")
        if board.count() == 0:
            self._marrakech(action)
        elif word == "move":
            start, _, end = rest.partition(">")
            self.press(board.locator(f'[data-target="fountain:{start}"]'))
            self._choose(board.locator(f'[data-target="fountain:{end}"]'))
        elif word == "auction":
            self._choose(board.locator(f'[data-target="shop:{rest}"]'))
        elif word == "bring":
            gate, end, count = rest.split()
            self._gate(gate)
            spot = board.locator(f'[data-target="queue:{end}:{count}"]')
            spot.scroll_into_view_if_needed()
            self._choose(spot)
        elif word == "bid":
            self._bid(rest)
        else:
            self._choose(self._button(action))

    def _button(self, action: str) -> Locator:
        return self.page.locator(f'.controls [data-action="{action}"]')

    def _marrakech(self, action: str) -> None:
        spot = self.page.locator(f'svg [data-action="{action}"]')
        spot.wait_for(state="attached")
        if action in ("left", "ahead", "right"):
            self._choose(spot.locator(".hit"))
            return
        self._at(spot)  # places overlap: the pointer's position decides
        if self.is_touch:
            self.page.locator("svg .rug-preview").first.wait_for(state="attached")
            self._confirm()

    def _gate(self, gate: str) -> None:
        button = self.page.locator(f'.controls [data-gate="{gate}"]')
        if button.count():
            self.press(button)
            expect(button).to_have_attribute("aria-pressed", "true")

    def _bid(self, amount: str) -> None:
        quick = self._button(f"bid {amount}")
        if quick.count():
            self._choose(quick)
            return
        self.page.locator(".controls input[type=number]").fill(amount)
        self._choose(self.page.locator(".controls form button.primary"))

    def choose(self, field: Locator, value: str) -> None:
        field.select_option(value)

    def write(self, field: Locator, text: str) -> None:
        field.fill(text)

    def press(self, what: Locator) -> None:
        if self.is_touch:
            what.tap()
        else:
            what.click()

    def _choose(self, what: Locator) -> None:
        """Press once with a mouse; with touch the tap selects, and a button confirms."""
        self.press(what)
        if self.is_touch:
            self._confirm()

    def _confirm(self) -> None:
        self.press(self.page.locator(".confirm .primary"))

    def _at(self, what: Locator) -> None:
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.is_touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.move(x, y)
            self.page.mouse.click(x, y)


def choose_action(legal: list[str], rng: Random) -> str:
    """Return a random action that brings the game forward: more moves, fewer bids."""
    if "pass" in legal and rng.random() < 0.6:
        return "pass"
    moves = [action for action in legal if action.startswith("move")]
    bids = [action for action in legal if action.startswith("bid")]
    if moves and rng.random() < 0.7:
        return rng.choice(moves)
    return rng.choice(bids[:12] or legal)


def play_by_input(
    visitor: Visitor, table: str, method: InputMethod, moves: int = 10_000
) -> list[str]:
    """Play the visitor's seats for a number of moves or to the end; return the actions."""
    chosen: list[str] = []
    while len(chosen) < moves and wait_for_turn(visitor.page):
        now = visitor.position(table)["position"]
        if now["mover"] is None or not now["legal"]:
            continue  # the page has not received it yet
        chosen.append(choose_action(now["legal"], method.rng))
        method.act(chosen[-1])
        wait_for_version(visitor, table, now["version"])
    return chosen


def wait_for_version(visitor: Visitor, table: str, before: int) -> None:
    """Wait until the server has a newer position."""
    for _ in range(TIMEOUT_MS // 25):
        if visitor.position(table)["position"]["version"] > before:
            return
        visitor.page.wait_for_timeout(25)
    raise AssertionError("the move did not arrive")


# Returns 0 if an element has the focus, else the direction of Tab towards it.
TAB_DIRECTION = """(element) => {
  const now = document.activeElement;
  if (now === element) return 0;
  return now.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING ? -1 : 1;
}"""
# Returns the arrow keys that lead from the focus to an element, better first; none if it is there.
ARROWS_TO = """(element) => {
  const now = document.activeElement;
  if (now === element) return [];
  const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
  const [x, y] = middle(now.getBoundingClientRect());
  const [toX, toY] = middle(element.getBoundingClientRect());
  const ways = [toX > x ? 'ArrowRight' : 'ArrowLeft', toY > y ? 'ArrowDown' : 'ArrowUp'];
  return Math.abs(toX - x) > Math.abs(toY - y) ? ways : ways.reverse();
}"""
MAX_TABS = 120
MAX_ARROWS = 16


class Keys:
    """Use the keyboard only: Tab between controls, arrows on the board, Enter."""

    def __init__(self, page: Page, rng: Random) -> None:
        self.page = page
        self.rng = rng
        self.on_board = 0  # number of actions chosen on the board

    def reach(self, what: Locator) -> None:
        """Press Tab until an element has the focus; fail if it is not reached."""
        for _ in range(MAX_TABS):
            way = what.evaluate(TAB_DIRECTION)
            if way == 0:
                return
            self.page.keyboard.press("Tab" if way > 0 else "Shift+Tab")
        raise AssertionError(f"the keyboard does not reach {what}")

    def press(self, what: Locator) -> None:
        if what.get_attribute("type") == "radio":
            self._pick(what)
            return
        self.reach(what)
        self.page.keyboard.press("Enter")

    def _pick(self, radio: Locator) -> None:
        """Select a radio button: Tab leads to its group, arrows change the selection."""
        group = self.page.locator(f"input[name={radio.get_attribute('name')}]")
        self.reach(group.and_(self.page.locator(":checked")))
        for _ in range(group.count()):
            if radio.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"the arrows do not reach {radio}")

    def choose(self, field: Locator, value: str) -> None:
        self.reach(field)
        values = field.locator("option").evaluate_all("(all) => all.map((one) => one.value)")
        for _ in values:
            steps = values.index(value) - values.index(field.input_value())
            if steps == 0:
                return
            self.page.keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")
        raise AssertionError(f"{value} cannot be chosen by keys")

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def act(self, action: str) -> None:
        """Choose an action on the board or by the buttons beside it."""
        word, _, rest = action.partition(" ")
        is_town = self.page.locator("svg.town").count() > 0
        prefers_board = self.rng.random() < 0.6
        if not is_town:
            spot = self.page.locator(f'section.board svg [data-action="{action}"]')
            if not (prefers_board and self._on_board([spot])):
                self._confirm(self._button(action))
        elif word == "move":
            start, _, end = rest.partition(">")
            spots = [self._spot(f"fountain:{start}"), self._spot(f"fountain:{end}")]
            if not (prefers_board and self._on_board(spots)):
                self._confirm(self.page.locator(f'.controls [data-group="{start}"]'))
                self._confirm(self._button(action))
        elif word == "auction":
            if not (prefers_board and self._on_board([self._spot(f"shop:{rest}")])):
                self._confirm(self._button(action))
        elif word == "bring":
            gate = self.page.locator(f'.controls [data-gate="{rest.split()[0]}"]')
            if gate.count():
                self._confirm(gate)
            self._confirm(self._button(action))
        elif word == "bid" and not self._button(action).count():
            self.write(self.page.locator(".controls input[type=number]"), rest)
            self.page.keyboard.press("Enter")
        else:
            self._confirm(self._button(action))

    def _button(self, action: str) -> Locator:
        return self.page.locator(f'.controls [data-action="{action}"]')

    def _spot(self, key: str) -> Locator:
        return self.page.locator(f'svg.town [data-target="{key}"]')

    def _confirm(self, what: Locator) -> None:
        """Go to a button and press it."""
        what.wait_for(state="attached")
        self.reach(what)
        self._enter(what)

    def _enter(self, what: Locator) -> None:
        if what.evaluate("(one) => one.matches('[data-group], [data-gate]')"):
            self._select(what)
        else:
            self.page.keyboard.press("Enter")

    def _select(self, what: Locator) -> None:
        if what.get_attribute("aria-pressed") == "false":
            self.page.keyboard.press("Enter")
            expect(what).to_have_attribute("aria-pressed", "true")

    def _on_board(self, spots: list[Locator]) -> bool:
        """Choose with arrow keys on the board; return False if they do not lead there."""
        for number, spot in enumerate(spots):
            spot.wait_for(state="attached")
            if not self.steer(spot):
                self.page.keyboard.press("Escape")  # undo a selection
                return False
            if number < len(spots) - 1:
                self._select(spot)
            else:
                self.on_board += 1
                self.page.keyboard.press("Enter")
        return True

    def steer(self, spot: Locator) -> bool:
        """Go to a place on the board with arrow keys; return False if they do not lead there."""
        self.reach(self.page.locator("section.board svg [tabindex='0']").first)
        way, here = 0, None
        for _ in range(MAX_ARROWS):
            arrows = spot.evaluate(ARROWS_TO)
            if not arrows:
                return True
            before, here = here, self.page.evaluate_handle("() => document.activeElement")
            is_stuck = before is not None and self.page.evaluate(
                "([one, other]) => one === other", [before, here]
            )
            way = 1 - way if is_stuck else 0
            self.page.keyboard.press(arrows[way])
        return False
