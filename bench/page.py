"""Measure the page: bytes transferred, time until a move is possible, and frame times.

A real Chromium loads it from a real server over a throttled connection (1.6 Mbit/s, 150 ms round
trip) on a CPU slowed down four times, with an empty cache. Bytes are counted as transferred,
compressed. `python -m bench page` runs this part alone.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, sync_playwright

from bench.server import Row, souk
from tools import chromium

NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
CPU_SLOWDOWN = 4
LATE_MS = 34.0  # at least one frame was dropped

# Records how long every frame takes.
RECORD_FRAMES = """() => {
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
    session = throttle(context, page)
    sizes, foreign = count_bytes(session, url)
    page.goto("/")
    button = page.get_by_role("button", name="Marrakech").first
    button.wait_for()
    seconds = page.evaluate("performance.now()") / 1000
    yield Row(
        "  s until Play can be pressed", [f"{seconds:.1f}"], promise="under 2", is_met=seconds < 2
    )
    button.click()
    page.locator("[data-action]").first.wait_for()
    light = (sizes["Script"] + sizes["Stylesheet"]) / 1000
    text = f"{light:.0f} ({sizes['Font'] / 1000:.0f} of fonts besides)"
    yield Row(
        "  kB of script and style until a game starts",
        [text],
        promise="at most 150",
        is_met=light <= 150,
    )
    yield Row("  requests to other hosts", [str(len(foreign))], promise="none", is_met=not foreign)


def throttle(context: BrowserContext, page: Page) -> CDPSession:
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    return session


def count_bytes(session: CDPSession, url: str) -> tuple[Counter[str], list[str]]:
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

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    return sizes, foreign


def motion(page: Page) -> Iterator[Row]:
    """Measure frames while Assam turns, the die rolls, Assam walks and a rug is laid."""
    page.evaluate(RECORD_FRAMES)
    for _ in range(6):
        button = page.locator("button[data-action]:enabled").first
        button.wait_for()
        button.click()
        again = page.get_by_role("button", name="Confirm")
        if again.count():
            again.first.click()
        page.wait_for_timeout(1500)
    frames = page.evaluate("window.frames_ms")
    late = sum(1 for ms in frames if ms > LATE_MS) / len(frames)
    yield Row("  frames dropped during animations", [f"{late:.1%} of {len(frames)}"])
