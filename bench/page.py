"""Measure the page: bytes transferred, time until a move is possible, and frame times.

A real Chromium loads it from a real server over a slowed line (1.6 Mbit/s, 150 ms there and back)
on a processor slowed four times, with nothing in its cache. What is counted is what came over the
line, compressed as it was. `python -m bench page` runs this part alone.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, sync_playwright

from bench.server import Row, souk
from tools import chromium

LINE = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
SLOWER = 4  # times
LATE = 34.0  # milliseconds: at least one frame was dropped

# Notes how long every frame takes, from the moment it is asked for.
WATCH = """() => {
  window.frames_ms = [];
  let last = performance.now();
  const note = (now) => {
    window.frames_ms.push(now - last);
    last = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}"""


def figures() -> Iterator[Row]:
    """Yield all figures."""
    with souk() as server, sync_playwright() as playwright:
        flags = [flag for flag in chromium.FLAGS if flag != "--headless"]
        browser = playwright.chromium.launch(executable_path=chromium.install(), args=flags)
        context = browser.new_context(base_url=server.url, service_workers="block")
        page = context.new_page()
        yield from first_load(context, page, server.url)
        yield from motion(page)
        browser.close()


def first_load(context: BrowserContext, page: Page, url: str) -> Iterator[Row]:
    """Measure a visit from an empty cache to a board with legal actions."""
    line = slowed(context, page)
    sizes, foreign = counted(line, url)
    page.goto("/")
    button = page.get_by_role("button", name="Marrakech").first
    button.wait_for()
    seconds = page.evaluate("performance.now()") / 1000
    yield Row(
        "  s until one can press Play", [f"{seconds:.1f}"], promise="under 2", is_met=seconds < 2
    )
    button.click()
    page.locator("[data-action]").first.wait_for()
    light = (sizes["Script"] + sizes["Stylesheet"]) / 1000
    text = f"{light:.0f} ({sizes['Font'] / 1000:.0f} of fonts beside)"
    yield Row(
        "  kB of script and style till a game is on",
        [text],
        promise="at most 150",
        is_met=light <= 150,
    )
    yield Row("  requests to anybody else", [str(len(foreign))], promise="none", is_met=not foreign)


def slowed(context: BrowserContext, page: Page) -> CDPSession:
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return line


def counted(line: CDPSession, url: str) -> tuple[Counter[str], list[str]]:
    """Return counters of bytes by type and of foreign addresses, which responses fill."""
    kinds: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    foreign: list[str] = []

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]
        if not event["response"]["url"].startswith((url, "data:")):
            foreign.append(event["response"]["url"])

    def finished(event: dict[str, Any]) -> None:
        sizes[kinds.get(event["requestId"], "?")] += int(event["encodedDataLength"])

    line.on("Network.responseReceived", answered)
    line.on("Network.loadingFinished", finished)
    return sizes, foreign


def motion(page: Page) -> Iterator[Row]:
    """Measure frames while Assam turns, the die rolls, Assam walks and a rug is laid."""
    page.evaluate(WATCH)
    for _ in range(6):
        button = page.locator("button[data-action]:enabled").first
        button.wait_for()
        button.click()
        again = page.get_by_role("button", name="Do it")
        if again.count():
            again.first.click()
        page.wait_for_timeout(1500)
    frames = page.evaluate("window.frames_ms")
    late = sum(1 for ms in frames if ms > LATE) / len(frames)
    yield Row("  frames dropped while things move", [f"{late:.1%} of {len(frames)}"])
