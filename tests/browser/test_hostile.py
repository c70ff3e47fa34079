"""Unexpected input: odd addresses, stored settings, names, files, tabs, clicks and networks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.socket_player import Position, play_until, socket
from tests.browser.visitor import (
    AWAY,
    REFUSED,
    Pointer,
    Visitor,
    play_by_input,
    wait_for_turn,
    wait_for_version,
)
from tests.server.server_process import Server

Visitors = Callable[..., Visitor]

ME = {"kind": "me"}
OPEN = {"kind": "open"}
COMPUTER = {"kind": "computer", "level": "random"}
SHORT = "marrakech(players=2,rugs=2)"
NOT_THERE = re.compile(f"{REFUSED.pattern}|WebSocket connection to")
HOME = "main a[href='/']"


def hot_seat(visitor: Visitor, game: str = SHORT) -> str:
    players = 3 if "players=3" in game else 2
    seats = [{"kind": "me", "name": name} for name in ("Ada", "Bela", "Cleo")[:players]]
    return visitor.table(game, seats, start=True, absent="never")


@pytest.mark.parametrize(
    "path",
    [
        "/t/xyz",
        "/t/%3Cscript%3E",
        "/t/a%20b%00",
        "/t/%E0%A4%A",
        "/t/" + "x" * 3000,
        "/t/..%2F..%2Fme",
    ],
)
def test_an_address_of_no_table(visitor: Visitors, path: str) -> None:
    page = visitor(expected=NOT_THERE).go(path)
    expect(page.locator(HOME)).to_be_visible()
    page.locator(HOME).click()
    expect(page.locator(".games button.primary")).to_be_visible()


def test_addresses_of_nothing(visitor: Visitors) -> None:
    one = visitor(expected=NOT_THERE)
    for path in (
        "/t",
        "/t/",
        "/#/table/xyz",
        "/replay/xyz",
        "/replay/%E0%A4%A",
        "/device/",
        "/a/b/c",
    ):
        page = one.go(path)
        expect(page.locator("main")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).not_to_be_empty()
    page = one.go("/replay/xyz")
    expect(page.get_by_role("alert")).not_to_be_empty()


STORED = {
    "wrong kinds": json.dumps(
        {"language": 7, "theme": 5, "speed": "quick", "explained": None, "name": [], "hints": "x"}
    ),
    "no settings": "[1, 2]",
    "null": "null",
    "no JSON": "{",
}
STORAGE_DENIED = """Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('denied', 'SecurityError'); } });"""
STORAGE_FULL = """Storage.prototype.setItem = () => {
  throw new DOMException('full', 'QuotaExceededError'); };"""


@pytest.mark.parametrize("saved", [*STORED, "denied", "full"])
def test_the_page_works_with_any_stored_settings(visitor: Visitors, saved: str) -> None:
    one = visitor()
    scripts = {"denied": STORAGE_DENIED, "full": STORAGE_FULL}
    set_it = f"localStorage.setItem('souk', {json.dumps(STORED.get(saved, ''))})"
    one.page.add_init_script(scripts.get(saved, set_it))
    one.go("/offline.html")
    expect(one.page.locator("html")).to_have_attribute("lang", "en")
    table = hot_seat(one)
    one.go(f"/t/{table}")
    assert len(play_by_input(one, table, Pointer(one.page, Random(saved)), moves=2)) == 2
    one.page.locator("header button[aria-haspopup=dialog]").click()
    expect(one.page.get_by_role("dialog").locator("select").last).to_be_visible()


def test_a_lost_identity(visitor: Visitors) -> None:
    one = visitor(expected=REFUSED)
    one.create_identity()
    page = one.go("/")
    expect(page.locator("header .my-name")).to_have_text("Ada")
    one.context.clear_cookies()  # they expire after 400 days, unless the visitor deletes them
    page.locator(".games button.primary").click()
    page.wait_for_url("**/t/*")
    assert wait_for_turn(page)


def test_an_identity_that_is_lost_in_mid_game(visitor: Visitors, server: Server) -> None:
    with CuttableProxy(server.port) as proxy:
        one = visitor(url=proxy.url, expected=re.compile(f"{AWAY.pattern}|{REFUSED.pattern}"))
        table = one.table("marrakech(players=2)", [ME, COMPUTER], start=True, absent="never")
        page = one.go(f"/t/{table}")
        assert wait_for_turn(page)
        before = one.position(table)["position"]["version"]
        one.context.clear_cookies()
        proxy.cut()  # an open connection keeps the identity it was opened with
        banner = page.locator(".banner.shown, .away")  # of the table, or of the whole page
        expect(banner.first).to_be_visible()
        proxy.restore()
        expect(banner).to_have_count(0)
        page.locator(".controls [data-action=ahead]").click()
        expect(page.locator("p.watching")).to_be_visible()
        expect(page.locator("[data-action]")).to_have_count(0)
        expect(page.locator(".turn-panel .error")).not_to_be_empty()
        assert one.position(table)["position"]["version"] == before


def test_two_tabs_of_one_person(visitor: Visitors) -> None:
    one = visitor()
    table = one.table(SHORT, [ME, COMPUTER], start=True, absent="never")
    one.go(f"/t/{table}")
    other = one.new_page()
    other.goto(f"/t/{table}")
    hands = [Pointer(one.page, Random("tab 1")), Pointer(other, Random("tab 2"))]
    turn = 0
    while wait_for_turn(one.page) and wait_for_turn(other):
        one.page, turn = hands[turn].page, 1 - turn
        if not play_by_input(one, table, hands[1 - turn], moves=1):
            break
    for page in (hands[0].page, hands[1].page):
        expect(page.locator(".result-summary h2")).not_to_be_empty()


def test_double_clicks(visitor: Visitors) -> None:
    one = visitor()
    page = one.go("/")
    page.locator(".games button.primary").dblclick()
    page.wait_for_url("**/t/*")
    assert wait_for_turn(page)
    assert len(one.context.request.get("/api/me/tables").json()) == 1

    table = one.table("marrakech(players=3)", [OPEN, OPEN, COMPUTER])
    page = one.go(f"/t/{table}")
    page.locator(".seats li button.primary").first.dblclick(delay=0)
    expect(page.locator(".seats li").first).to_contain_text("Ada")
    expect(page.locator(".seats .error")).to_be_empty()
    page.locator(".chat input").fill("Salam!")
    page.locator(".chat form button").dblclick(delay=0)
    expect(page.locator(".chat li")).to_have_count(1)
    page.locator(".chat input").fill("Goodbye.")  # that is there when the other would be
    page.locator(".chat input").press("Enter")
    expect(page.locator(".chat li").last).to_contain_text("Goodbye.")
    expect(page.locator(".chat li")).to_have_count(2)


RIGHT_TO_LEFT = "محمد بن عبد الله"
NAMES = [
    "<img src=x onerror=alert(1)>",
    "👩‍👩‍👧‍👦" * 50,
    "W" * 24,
    RIGHT_TO_LEFT,
    "\u202eevil\u2066",
]


@pytest.mark.parametrize("name", NAMES, ids=["markup", "emojis", "wide", "rtl", "turned"])
def test_names(visitor: Visitors, name: str) -> None:
    one = visitor(viewport={"width": 320, "height": 640})
    page = one.go("/")
    page.locator("main .my-name button").click()
    page.locator(".renaming input").fill(name)
    page.locator(".renaming button").click()
    expect(page.locator(".renaming")).to_have_count(0)
    if name == RIGHT_TO_LEFT:
        expect(page.locator("main .my-name")).to_contain_text(
            f"\u2068{name}\u2069."
        )  # turns no full stop
    saved = one.context.request.get("/api/me").json()["name"]
    assert 1 <= len(saved) <= 24
    one.name = saved
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", saved), (
        "it would turn what stands after it"
    )
    table = one.table("marracash(players=3)", [ME, COMPUTER, OPEN])
    for where in (f"/t/{table}", "/"):
        page = one.go(where)
        expect(page.get_by_text(saved, exact=False).first).to_be_attached()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, where
        assert page.locator("img[src=x]").count() == 0
    table = hot_seat(one)
    page = one.go(f"/t/{table}")
    assert wait_for_turn(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_a_misleading_name_is_refused(visitor: Visitors) -> None:
    one = visitor(expected=REFUSED)
    page = one.go("/")
    page.locator("main .my-name button").click()
    page.locator(".renaming input").fill("Z̷̢͇̈a̵l̶g̸o̶")
    page.locator(".renaming button").click()
    expect(page.locator(".toast, .renaming [role=alert]").first).not_to_be_empty()
    expect(page.locator(".renaming input")).to_be_visible()  # it can be corrected


# As fast as a script can, so that it is a flood on a slow machine too.
FLOOD = """async () => {
  const field = document.querySelector(".chat input");
  const isRefused = () => document.querySelector(".chat [role=status]") !== null;
  for (let number = 0; number < 100 && !isRefused(); number++) {
    field.value = `line ${number} ${"x".repeat(280)}`;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await Promise.resolve();
    field.form.requestSubmit();
    while (field.value && !isRefused()) await new Promise((done) => setTimeout(done, 1));
  }
}"""


def test_a_flood_of_chat(visitor: Visitors, tmp_path: Path) -> None:
    with Server(tmp_path / "souk.db") as server:  # with limits
        one = visitor(url=server.url, expected=AWAY)  # when the server stops, below
        table = one.table("marrakech(players=2)", [ME, OPEN])
        page = one.go(f"/t/{table}")
        field = page.locator(".chat input")
        expect(field).to_be_visible()
        page.evaluate(FLOOD)
        expect(page.locator(".chat [role=status]")).not_to_be_empty()
        expect(field).not_to_have_value("")  # what was refused can be sent again
        assert 8 <= page.locator(".chat li").count() < 100
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280


def drop(page: Page, name: str, script: str) -> None:
    """Drop a file on the page; `script` is a JavaScript expression for its content."""
    page.locator("header a[href='/']").wait_for()  # the page is loaded
    page.evaluate(
        f"""(name) => {{
          const data = new DataTransfer();
          data.items.add(new File([{script}], name));
          dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, cancelable: true }}));
        }}""",
        name,
    )


def test_dropped_files(visitor: Visitors) -> None:
    one = visitor(expected=REFUSED)
    table = hot_seat(one)
    play_until(one, table, lambda _: False)
    record = one.context.request.get(f"/api/tables/{table}/record").text()
    page = one.go("/")
    for name, script in (
        ("huge.souk", "'x'.repeat(5e6)"),
        ("cat.png", "new Uint8Array([137, 80, 78, 71, 0, 1, 2])"),
    ):
        drop(page, name, script)
        expect(page.locator(".toast.error")).to_have_count(1)
        page.locator(".toast.error button").click()
    action = re.search(r"\b(left|right|ahead)\b", record)
    assert action is not None
    edited = record[: action.start()] + "nowhere" + record[action.end() :]
    for text in ("", "just words", edited, record.replace("marrakech", "chess"), record[:200]):
        drop(page, "edited.souk", json.dumps(text))
        page.wait_for_url("**/replay*")
        expect(page.get_by_role("alert").or_(page.get_by_role("slider")).first).to_be_visible()
        page.locator("header a[href='/']").click()
        page.locator(".games").wait_for()
    drop(page, "good.souk", json.dumps(record))
    expect(page.get_by_role("slider")).to_be_visible()
    drop(page, "bad.souk", "'just words'")  # what is shown stays
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("slider")).to_be_visible()

    one.go("/")
    page = one.go("/replay")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.locator("input[type=file]").set_input_files(
        {"name": "huge.souk", "mimeType": "text/plain", "buffer": b"x" * 5_000_000}
    )
    expect(page.get_by_role("alert")).to_be_visible()
    assert not [url for url in requests if url.endswith("/api/replay")], (
        "nobody needs the server to see that this is no record"
    )


def test_back_and_forward_between_records(visitor: Visitors) -> None:
    one = visitor(expected=REFUSED)
    table = hot_seat(one)
    play_until(one, table, lambda _: False)
    record = one.context.request.get(f"/api/tables/{table}/record").text()
    page = one.go("/replay")
    drop(page, "good.souk", json.dumps(record))
    slider, form = page.get_by_role("slider"), page.locator("textarea")
    expect(slider).to_be_visible()
    page.keyboard.press("End")
    last = slider.get_attribute("max")
    page.wait_for_url(f"**/replay?step={last}")
    page.go_back()
    expect(form).to_be_visible()
    expect(slider).to_have_count(0)
    page.go_forward()
    expect(slider).to_have_js_property("value", last)
    page.reload()
    expect(slider).to_have_js_property("value", last)
    drop(page, "bad.souk", "'just words'")
    expect(page.get_by_role("alert")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(slider).to_be_visible()


def test_back_and_forward(visitor: Visitors) -> None:
    one = visitor()
    table = hot_seat(one)
    page = one.go("/")
    page.locator(f".lists a[href='/t/{table}']").click()
    assert wait_for_turn(page)
    page.go_back()
    expect(page.locator(".games button.primary")).to_be_visible()
    page.go_forward()
    assert wait_for_turn(page)
    assert len(play_by_input(one, table, Pointer(page, Random("forward")), moves=1)) == 1
    page.locator("header button[aria-haspopup=dialog]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    page.keyboard.press("Escape")
    expect(page.locator(".games button.primary")).to_be_visible()


def test_a_dialog_while_the_line_is_cut(visitor: Visitors, server: Server) -> None:
    with CuttableProxy(server.port) as proxy:
        one = visitor(url=proxy.url, expected=AWAY)
        table = one.table("marrakech(players=2)", [ME, COMPUTER], start=True, absent="never")
        page = one.go(f"/t/{table}")
        assert wait_for_turn(page)
        page.get_by_role("tab").last.click()
        page.locator(".table-info .row button").last.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        proxy.cut()
        expect(page.locator(".banner.shown, .away").first).to_be_visible()
        expect(dialog).to_be_visible()
        dialog.locator("button.primary").click()
        proxy.restore()
        expect(page.locator(".result-summary")).to_be_visible()  # what was wished meanwhile is done
        assert one.position(table)["table"]["status"] == "over"


def test_a_clock_that_is_wrong(visitor: Visitors) -> None:
    one = visitor()
    one.page.add_init_script("{ const now = Date.now; Date.now = () => now() - 86_400_000; }")
    seats = [ME, {"kind": "me", "name": "Bela"}]
    table = one.table(SHORT, seats, start=True, seconds=300, absent="grace")
    page = one.go(f"/t/{table}")
    assert wait_for_turn(page)
    shown = page.locator(".clock").first.inner_text()
    minutes, seconds = map(int, re.findall(r"\d+", shown)[-2:])
    assert 200 <= 60 * minutes + seconds <= 300, shown


def test_a_window_that_changes_while_a_rug_is_dragged(visitor: Visitors) -> None:
    one = visitor()
    table = hot_seat(one)
    play_until(one, table, lambda now: len(now["legal"]) > 3)
    page = one.go(f"/t/{table}")
    hand = page.locator("svg .draggable-rug").bounding_box()
    assert hand is not None
    page.mouse.move(hand["x"] + hand["width"] / 2, hand["y"] + hand["height"] / 2)
    page.mouse.down()
    page.mouse.move(hand["x"] + 200, hand["y"] + 200)
    page.set_viewport_size({"width": 700, "height": 900})  # another arrangement of everything
    now = one.position(table)["position"]
    spot = page.locator(f'svg [data-action="{now["legal"][0]}"]').bounding_box()
    assert spot is not None
    page.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2, steps=3)
    expect(page.locator("svg .rug-preview")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(f'svg [data-action="{now["legal"][0]}"]')).to_have_count(0)
    wait_for_version(one, table, now["version"])


PHASES = {
    "marrakech(players=2)": ("turn", "lay"),
    "marracash(players=3,souvenirs=True)": ("choose", "bid", "bring", "card"),
}


def is_in(phase: str) -> Callable[[Position], bool]:
    return lambda now: bool(now["position"]["phase"] == phase)


@pytest.mark.parametrize("game", PHASES)
def test_reload_in_every_phase(visitor: Visitors, game: str) -> None:
    one = visitor()
    for phase in PHASES[game]:
        table = hot_seat(one, game)
        play_until(one, table, is_in(phase), game)
        page = one.go(f"/t/{table}")
        assert wait_for_turn(page)
        before = one.position(table)["position"]
        page.reload()
        assert wait_for_turn(page)
        assert one.position(table)["position"]["version"] == before["version"]
        assert len(play_by_input(one, table, Pointer(page, Random("again")), moves=1)) == 1


def test_a_stranger_with_the_link_only_watches(visitor: Visitors) -> None:
    host, stranger = visitor("Ada"), visitor("Eve")
    waiting = host.table("marrakech(players=2)", [ME, COMPUTER])
    table = host.table("marrakech(players=2)", [ME, COMPUTER], start=True, absent="never")
    stranger.create_identity()
    page = stranger.go(f"/t/{waiting}")
    expect(page.locator(".seats li")).to_have_count(2)
    expect(page.locator(".seats .actions button, .seats select")).to_have_count(0)
    page = stranger.go(f"/t/{table}")
    expect(page.locator("p.watching")).to_be_visible()
    expect(page.locator("[data-action]")).to_have_count(0)
    page.get_by_role("tab").last.click()
    expect(page.locator(".table-info .row button")).to_have_count(0)
    with socket(stranger, table) as connection:  # and without the page
        version = connection.position["version"]
        answer = connection.send(type="act", version=version, action="ahead")
        assert answer["type"] == "refused"
    assert host.position(table)["position"]["version"] == version


def test_a_slow_network(visitor: Visitors) -> None:
    one = visitor()
    table = hot_seat(one)
    slow = one.context.new_cdp_session(one.page)
    slow.send("Network.enable")
    slow.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 400,
            "downloadThroughput": 50_000,
            "uploadThroughput": 20_000,
        },
    )
    one.go(f"/t/{table}")
    assert len(play_by_input(one, table, Pointer(one.page, Random("slow")), moves=2)) == 2
