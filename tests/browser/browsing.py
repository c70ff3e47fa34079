"""People in front of a page: a real Chromium, real servers, and what a person can see and do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
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
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found is not None, "no chromium: python -m tools.chromium installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
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
