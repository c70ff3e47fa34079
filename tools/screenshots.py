"""Take screenshots of the main views in light and dark mode: docs/pictures/page-*.png.

    python -m tools.screenshots            all of them
    python -m tools.screenshots start      those whose names begin with "start"

Needs the page (make page) and chromium. The dice are random, so the pictures differ a little from
run to run.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser

from tests.browser.visitor import PHONE, Pointer, Visitor, chromium, play_by_input
from tests.server.server_process import Server

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
ME = {"kind": "me"}
OTHER = {"kind": "computer", "level": "random"}
SMALL = {**PHONE, "viewport": {"width": 390, "height": 780}}
QUIET = "localStorage.setItem('souk', JSON.stringify({hints: false, name: 'Ada', speed: 0}))"


@dataclass
class Scenes:
    """Tables for the screenshots, at different points of a game."""

    host: Visitor
    lobby: str
    marrakech: str
    marracash: str
    over: str


def play_moves(host: Visitor, table: str, moves: int) -> None:
    """Play a number of moves."""
    host.go(f"/t/{table}")
    play_by_input(host, table, Pointer(host.page, Random(7)), moves=moves)


def set_up(browser: Browser, server: Server) -> Scenes:
    host = Visitor(browser, server.url, "Ada")
    host.context.add_init_script(QUIET)
    lobby = host.table("marrakech(players=4)", [ME, OTHER, {"kind": "open"}, {"kind": "open"}])

    def start(game: str, others: int, moves: int) -> str:
        table: str = host.table(game, [ME, *[OTHER] * others], start=True, absent="never")
        play_moves(host, table, moves)
        return table

    return Scenes(
        host=host,
        lobby=lobby,
        marrakech=start("marrakech(players=3)", 2, 15),
        marracash=start("marracash(players=3)", 2, 14),
        over=start("marrakech(players=2,rugs=5)", 1, 100),
    )


def views(scenes: Scenes) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return for each picture its path, a selector to wait for, and the device."""
    board, town = "section.board svg", "svg.town"
    return {
        "start": ("/", ".lists section", {}),
        "lobby": (f"/t/{scenes.lobby}", ".seats li", {}),
        "marrakech": (f"/t/{scenes.marrakech}", f"{board} [data-action]", {}),
        "marrakech-phone": (f"/t/{scenes.marrakech}", f"{board} [data-action]", SMALL),
        "marracash": (f"/t/{scenes.marracash}", town, {}),
        "marracash-phone": (f"/t/{scenes.marracash}", town, SMALL),
        "result": (f"/t/{scenes.over}", ".result-details figure", {}),
        "replay": (f"/replay/{scenes.over}?step=21", "input[type=range]", {}),
    }


def take(browser: Browser, scenes: Scenes, prefix: str, say: Callable[[str], None]) -> None:
    storage = scenes.host.context.storage_state()
    for name, (path, ready, device) in views(scenes).items():
        if not name.startswith(prefix):
            continue
        for theme in ("light", "dark"):
            options = {**device, "color_scheme": theme, "storage_state": storage}
            one = Visitor(browser, scenes.host.url, **options)
            one.context.add_init_script(QUIET)
            one.go(path).locator(ready).first.wait_for()
            one.page.wait_for_load_state("networkidle")
            one.page.evaluate("() => document.fonts.ready.then(() => true)")
            file = FOLDER / f"page-{name}-{theme}.png"
            one.page.screenshot(path=file, animations="disabled")
            one.close()
            say(f"{file.relative_to(FOLDER.parents[1])}: {file.stat().st_size // 1024} kB")


def main(arguments: list[str]) -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "souk.db", "--no-limits") as server,
        chromium() as browser,
    ):
        take(browser, set_up(browser, server), "".join(arguments[:1]), print)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
