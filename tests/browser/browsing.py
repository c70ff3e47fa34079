"""People in front of a page: a real Chromium, real servers, and what a person can see and do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

import tools.chromium

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
PATIENCE = 60_000  # milliseconds: a slow machine is no failure

# What a browser complains of by itself when a server is away on purpose.
EXPECTED = re.compile(r"ERR_CONNECTION|WebSocket connection to|Failed to load resource|net::ERR")

expect.set_options(timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    found = tools.chromium.find()
    assert found is not None, "no chromium: python -m tools.chromium installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(tools.chromium.FLAGS))
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser of their own: own cookies, own settings."""

    def __init__(self, browser: Browser, url: str, name: str = "Ada", **options: Any) -> None:
        settings = {**DESKTOP, "reduced_motion": "reduce", "locale": "en-GB", **options}
        self.context: BrowserContext = browser.new_context(base_url=url, **settings)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.url = url
        self.name = name
        self.complaints: list[str] = []
        self.page.on("console", self._noted)
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))

    def _noted(self, message: Any) -> None:
        if message.type in ("error", "warning") and not EXPECTED.search(message.text):
            self.complaints.append(f"{message.type}: {message.text}")

    def go(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def be_somebody(self) -> str:
        """Have an identity; its public name."""
        answer = self.context.request.post("/api/me", data={"name": self.name})
        assert answer.ok, answer.text()
        return str(answer.json()["id"])

    def table(self, game: str, seats: list[dict[str, Any]], **terms: Any) -> str:
        """A new table, set up without the page; its id."""
        self.be_somebody()
        wanted = {"game": game, "seats": seats, **terms}
        answer = self.context.request.post("/api/tables", data=wanted)
        assert answer.ok, answer.text()
        return str(answer.json()["table"]["id"])

    def position(self, table: str) -> dict[str, Any]:
        """What the server says about a table."""
        return dict(self.context.request.get(f"/api/tables/{table}").json())

    def close(self) -> None:
        self.context.close()


def enabled(buttons: Locator) -> list[Locator]:
    """Those that can be pressed."""
    return [one for one in buttons.all() if one.is_visible() and one.is_enabled()]


# What can be chosen on the page now, or what it says when the game is over.
CHOICE = "[data-action]:not([disabled]), svg.town [data-key], .controls button:enabled"
OVER = ".outcome"


def choosing(page: Page) -> bool:
    """Wait until it is this person's turn; false if the game is over instead."""
    ready = page.locator(f"{CHOICE}, {OVER}").first
    ready.wait_for(state="attached")
    return page.locator(OVER).count() == 0


class Pointer:
    """Plays by mouse or by finger, on the board where the board offers it, else by the buttons."""

    def __init__(self, page: Page, rng: Random, finger: bool = False) -> None:
        self.page = page
        self.rng = rng
        self.finger = finger

    def act(self, action: str) -> None:
        word, _, rest = action.partition(" ")
        board = self.page.locator("svg.town")
        if board.count() == 0:
            self._marrakech(action)
        elif word == "move":
            start, _, end = rest.partition(">")
            self._press(board.locator(f'[data-key="fountain:{start}"]'))
            self._twice(board.locator(f'[data-key="fountain:{end}"]'))
        elif word == "auction":
            self._twice(board.locator(f'[data-key="shop:{rest}"]'))
        elif word == "bring":
            gate, end, count = rest.split()
            self._gate(gate)
            spot = board.locator(f'[data-key="queue:{end}:{count}"]')
            spot.scroll_into_view_if_needed()
            self._twice(spot)
        elif word == "bid":
            self._bid(rest)
        else:
            self._press(self._button(action))

    def _button(self, action: str) -> Locator:
        return self.page.locator(f'.controls [data-action="{action}"]')

    def _marrakech(self, action: str) -> None:
        spot = self.page.locator(f'svg [data-action="{action}"]')
        spot.wait_for(state="attached")
        if action in ("left", "ahead", "right"):
            self._twice(spot.locator(".hit"))
            return
        self._at(spot)  # places lie across each other: what counts is where one points
        if self.finger:
            self.page.locator("svg .ghost").first.wait_for(state="attached")
            self._at(spot)

    def _gate(self, gate: str) -> None:
        button = self.page.locator(f'.controls [data-gate="{gate}"]')
        if button.count():
            self._press(button)
            expect(button).to_have_attribute("aria-pressed", "true")

    def _bid(self, amount: str) -> None:
        quick = self._button(f"bid {amount}")
        if quick.count():
            self._press(quick)
            return
        self.page.locator(".controls input[type=number]").fill(amount)
        self._press(self.page.locator(".controls form button.main"))

    def _press(self, what: Locator) -> None:
        if self.finger:
            what.tap()
        else:
            what.click()

    def _twice(self, what: Locator) -> None:
        """A mouse has shown what it is over; a finger shows first and acts when it comes again."""
        self._press(what)
        if self.finger:
            self._press(what)

    def _at(self, what: Locator) -> None:
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.finger:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.move(x, y)
            self.page.mouse.click(x, y)


def wanted(legal: list[str], rng: Random) -> str:
    """A choice that leads on: groups walk, nobody bids for ever."""
    if "pass" in legal and rng.random() < 0.6:
        return "pass"
    walks = [action for action in legal if action.startswith("move")]
    bids = [action for action in legal if action.startswith("bid")]
    if walks and rng.random() < 0.7:
        return rng.choice(walks)
    return rng.choice(bids[:12] or legal)


def play_out(visitor: Visitor, table: str, pointer: Pointer, moves: int = 10_000) -> list[str]:
    """Play my seats to the end of the game, or so many moves; what was chosen."""
    chosen: list[str] = []
    while len(chosen) < moves and choosing(visitor.page):
        now = visitor.position(table)["position"]
        if now["mover"] is None or not now["legal"]:
            continue  # the page has yet to hear of it
        chosen.append(wanted(now["legal"], pointer.rng))
        pointer.act(chosen[-1])
    return chosen


# Where the keys are: on the board, among the buttons of a choice, or elsewhere.
WHERE = """() => {
  const now = document.activeElement;
  if (document.querySelector('.outcome')) return 'over';
  if (now?.closest('section.board svg')) return 'board';
  if (now?.matches('.controls button, .controls input')) return 'controls';
  return document.querySelector('[data-action], svg.town [data-key]') ? 'elsewhere' : 'waiting';
}"""
PICKED = "() => document.activeElement.matches('[data-pick][aria-pressed=true]')"
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


class Keys:
    """Plays with the keyboard alone: Tab to what can be chosen, arrows within it, Enter."""

    def __init__(self, page: Page, rng: Random) -> None:
        self.page = page
        self.rng = rng

    def play_out(self, presses: int = 3000) -> None:
        """Play to the end of the game; fails if the keyboard gets stuck."""
        for _ in range(presses):
            where = self.page.evaluate(WHERE)
            if where == "over":
                return
            if where == "waiting":
                self.page.wait_for_function(f"() => ({WHERE})() !== 'waiting'")
            elif where == "elsewhere":
                self.page.keyboard.press("Tab")
            else:
                self._choose(where)
        raise AssertionError("the game did not end")

    def _choose(self, where: str) -> None:
        """Go on a little, and press what is there, unless it would only undo a choice."""
        onward = ARROWS if where == "board" else ("Tab", "Tab", "Tab", "Shift+Tab")
        for _ in range(self.rng.randrange(4 if where == "board" else 9)):
            self.page.keyboard.press(self.rng.choice(onward))
        if self.page.evaluate(WHERE) != where:
            return
        if self.page.evaluate(PICKED):
            self.page.keyboard.press(self.rng.choice(onward))
        else:
            self.page.keyboard.press("Enter")
