"""The game screen: the board keeps its size, nothing moves, and the next choice is in sight."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.socket_player import Position, play_until
from tests.browser.visitor import PHONE, Pointer, Visitor, play_by_input

Visitors = Callable[..., Visitor]

# Phones upright and not, a tablet, small and large desktops; the last one is 1400x900 at 200 %.
SIZES = (
    *((320, 568), (360, 740), (390, 844), (740, 360)),
    *((800, 1100), (1024, 600), (1400, 900), (700, 450)),
)
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
NAMES = ("Maximilian-Alexander WWW", "Bartholomew Featherston", "Anneliese-Charlotte M.", "Ö")
COMPUTER = {"kind": "computer", "level": "random"}

# Returns the size of the board and what is wrong: a task or choice out of sight, or too wide.
CHECK = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const wrong = [];
  const box = (element) => element.getBoundingClientRect();
  const isInside = (inner, outer) =>
    inner.left >= outer.left - 1 && inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  const turn = document.querySelector('#turn');
  const windowBox = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const task = turn.querySelector('.task, .result-summary h2');
  if (!isInside(box(turn), windowBox) || !isInside(box(task), box(turn))) wrong.push('task');
  const choices = '[data-action], [data-group], [data-gate], .result-summary .primary';
  const first = [...turn.querySelectorAll(choices)].find((one) => one.checkVisibility());
  const onBoard = document.querySelector('section.board :is([data-action], [data-target])');
  const isSeen = isInside(box(first ?? onBoard), first ? box(turn) : windowBox);
  if (!isSeen) wrong.push(`choice ${first?.textContent}`);
  const main = document.querySelector('main');
  for (const one of [document.documentElement, main, turn, turn.querySelector('.scroll')])
    if (one.scrollWidth > one.clientWidth + 1) wrong.push(`too wide: ${one.className}`);
  const { width, height } = box(document.querySelector('section.board svg'));
  return [`${Math.round(width)}x${Math.round(height)}`, wrong];
}"""


def is_legal(word: str, least: int = 0) -> Callable[[Position], bool]:
    return lambda now: now["version"] >= least and any(one.startswith(word) for one in now["legal"])


PHASES: dict[str, list[Callable[[Position], bool]]] = {
    "marrakech(players=4,rugs=2)": [
        is_legal("ahead"),
        lambda now: len(now["legal"]) > 4,
        lambda _: False,
    ],
    "marracash(players=4)": [
        is_legal("auction"),
        lambda now: "pass" in now["legal"] and is_legal("bid")(now),
        is_legal("bring"),
        is_legal("move", 14),
    ],
}


@pytest.mark.parametrize("game", PHASES)
def test_the_next_choice_is_in_sight_and_the_board_keeps_its_size(
    visitor: Visitors, game: str
) -> None:
    one = visitor(has_touch=True)
    seats = [{"kind": "me", "name": name} for name in NAMES]
    table = one.table(game, seats, start=True, absent="never")
    boards: dict[tuple[int, int], set[str]] = {size: set() for size in SIZES}
    problems = []

    def check(size: tuple[int, int], *where: object) -> None:
        one.page.set_viewport_size({"width": size[0], "height": size[1]})
        board, wrong = one.page.evaluate(CHECK)
        boards[size].add(board)
        problems.extend((size, *where, one) for one in wrong)

    for phase, is_reached in enumerate(PHASES[game]):
        play_until(one, table, is_reached, game)
        one.go(f"/t/{table}")
        one.page.locator("#turn .scroll").wait_for()
        for language in LANGUAGES:
            one.page.locator("header select").select_option(language, force=True)
            expect(one.page.locator("html")).to_have_attribute("lang", language)
            for size in SIZES if language == "de" else SIZES[:1]:
                check(size, phase, language)
        for size in SIZES:
            one.page.set_viewport_size({"width": size[0], "height": size[1]})
            one.page.get_by_role("tab").nth(-2).click()
            one.page.locator(".rulebook").wait_for()
            check(size, phase, "rules")
            one.page.get_by_role("tab").first.click()
        one.page.set_viewport_size({"width": 320, "height": 568})
        check_confirm_button(one.page)
    assert not problems, "\n".join(map(str, problems))
    assert {size: len(seen) for size, seen in boards.items()} == dict.fromkeys(SIZES, 1), boards


def check_confirm_button(page: Page) -> None:
    """Check that a choice made by touch is confirmed by a button that is large and in sight."""
    choice = page.locator("#turn [data-action]:visible").first
    if not choice.count():
        return
    choice.tap()
    confirm = page.locator(".confirm .primary")
    expect(confirm).to_be_in_viewport(ratio=1)
    box = confirm.bounding_box()
    assert box is not None and box["height"] >= 44
    page.locator(".confirm button").last.tap()
    expect(confirm).to_have_count(0)


SHIFTS = """
  globalThis.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map((one) => one.value)))
    .observe({ type: 'layout-shift', buffered: true });
  if (location.protocol === 'http:') localStorage.souk ??= JSON.stringify({ speed: 8 });
"""


@pytest.mark.parametrize("screen", ["phone", "desktop"])
@pytest.mark.parametrize(
    ("game", "others", "moves"),
    [("marrakech(players=2,rugs=2)", 1, 99), ("marracash(players=3)", 2, 8)],
)
def test_nothing_moves(visitor: Visitors, screen: str, game: str, others: int, moves: int) -> None:
    size: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}
    one = visitor(reduced_motion="no-preference", **(PHONE if screen == "phone" else size))
    one.context.add_init_script(SHIFTS)
    seats = [{"kind": "me"}, *[COMPUTER] * others]
    table = one.table(game, seats, start=True, absent="never")
    one.go(f"/t/{table}")
    pointer = Pointer(one.page, Random(game), is_touch=screen == "phone")
    assert play_by_input(one, table, pointer, moves)
    # Even those that a click causes, which are usually not counted.
    assert sum(one.page.evaluate("() => shifts")) <= 0.1


def test_rematches_leave_nothing_behind(visitor: Visitors) -> None:
    one = visitor()
    page = one.page
    table = one.table("marrakech(players=2,rugs=1)", [{"kind": "me"}, COMPUTER], start=True)
    one.go(f"/t/{table}")
    metrics = one.context.new_cdp_session(page)
    metrics.send("Performance.enable")
    counts = []
    for _ in range(6):
        play_by_input(one, table, Pointer(page, Random(1)))
        page.locator(".result-details figure").first.wait_for()
        page.locator(".result-summary button.primary").click()
        page.wait_for_url(lambda url, before=table: not url.endswith(before))
        table = page.url.rpartition("/")[2]
        page.locator(".turn-panel .task").wait_for()
        for _ in range(2):
            metrics.send("HeapProfiler.collectGarbage")
        values = {x["name"]: x["value"] for x in metrics.send("Performance.getMetrics")["metrics"]}
        counts.append((values["Nodes"], values["JSEventListeners"]))
    (nodes, listeners), (last_nodes, last_listeners) = counts[1], counts[-1]
    assert last_nodes < nodes + 500
    assert last_listeners < listeners + 3
