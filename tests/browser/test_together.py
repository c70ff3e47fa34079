"""Several people at one table, reloads, lost connections and a server that is killed."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from playwright.sync_api import Page, expect

from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.visitor import (
    AWAY,
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


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Write a message").fill(text)
    page.get_by_role("button", name="Send").click()


def expect_chat(page: Page, text: str) -> None:
    expect(page.get_by_role("list", name="Chat").get_by_text(text)).to_be_visible()


def moves_of(page: Page) -> list[str]:
    """Return the lines of the log."""
    page.get_by_role("tab", name="Moves").click()
    return page.get_by_role("tabpanel").get_by_role("listitem").all_inner_texts()


def version(visitor: Visitor, table: str) -> int:
    return int(visitor.position(table)["position"]["version"])


def test_two_browsers_and_a_spectator(visitor: Visitors) -> None:
    host, guest, watcher = visitor("Ada"), visitor("Bela"), visitor("Cleo")
    page = host.go("/")
    page.locator("button[aria-controls=new-table]").last.click()
    page.locator("#new-table ol select").nth(1).select_option("open")
    page.get_by_text("House rules").click()
    page.get_by_label("Rugs of each colour").fill("2")
    page.get_by_role("button", name="Create table").click()
    link = page.get_by_role("textbox", name="Link to this table").input_value()
    assert page.url == link
    expect(page.get_by_role("button", name="Start game")).to_be_disabled()

    for one in (guest, watcher):  # the link is all they have
        one.go(link)
        seats = one.page.get_by_role("region", name="Seats")
        seats.get_by_role("textbox", name="What should we call you?").fill(one.name)
        seats.get_by_role("button", name="OK").click()
    guest.page.get_by_role("button", name="Take seat").click()
    for one in (host, guest, watcher):
        expect(one.page.get_by_role("region", name="Seats")).to_contain_text("Bela")
    say(guest.page, "Salam!")
    for one in (host, guest, watcher):
        expect_chat(one.page, "Salam!")
    page.get_by_role("button", name="Start game").click()

    table = link.rpartition("/")[2]
    players = [host, guest]
    pointers = [Pointer(one.page, Random(f"together {one.name}")) for one in players]
    expect(watcher.page.get_by_text("You are watching this game.")).to_be_visible()
    turns = 0
    while (now := host.position(table)["position"])["mover"] is not None:
        mover = now["mover"]
        assert wait_for_turn(players[mover].page)
        expect(players[1 - mover].page.locator("[data-action]")).to_have_count(0)
        expect(watcher.page.locator("[data-action]")).to_have_count(0)
        pointers[mover].act(pointers[mover].rng.choice(now["legal"]))
        wait_for_version(host, table, now["version"])
        turns += 1
        if turns == 2:
            watcher.page.get_by_role("tab", name="Chat").click()
            say(watcher.page, "Well laid.")
    assert turns >= 8
    for one in (host, guest, watcher):
        expect(one.page.locator(".result-summary h2")).to_contain_text("win")
        one.page.get_by_role("tab", name="Chat").click()
        expect_chat(one.page, "Well laid.")
    message = [moves_of(one.page) for one in (host, guest, watcher)]
    assert len(message[0]) > 8
    assert message[0][-5:] == message[1][-5:] == message[2][-5:]


def check_hand_over(page: Page, name: str, earlier: list[str]) -> None:
    """Check that the page asks for another person only if it is another person's turn."""
    expect(page.locator("p.task")).to_contain_text(name)
    expect(page.locator(".hand-over")).to_have_count(int(bool(earlier) and earlier[-1] != name))
    earlier.append(name)


def test_hot_seat(visitor: Visitors) -> None:
    one = visitor()
    page = one.go("/")
    page.locator("button[aria-controls=new-table]").last.click()
    form = page.locator("#new-table form")
    form.locator("ol select").nth(1).select_option("here")
    form.locator("ol input").fill("Bela")
    form.locator("summary").click()
    form.locator("input[id$='-rugs']").fill("2")
    form.locator(".end button.primary").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    names = [seat["name"] for seat in one.position(table)["table"]["seats"]]
    assert names[1] == "Bela"
    pointer = Pointer(page, Random("hot seat"))
    handed: list[str] = []
    while wait_for_turn(page):
        name = names[one.position(table)["position"]["mover"]]
        check_hand_over(page, name, handed)
        assert play_by_input(one, table, pointer, moves=1)
    assert handed.count("Bela") == handed.count(names[0]) == 8
    expect(page.locator(".result-summary h2")).not_to_be_empty()
    assert one.position(table)["table"]["status"] == "over"


def test_assam_is_turned_last_in_any_edition(visitor: Visitors) -> None:
    one = visitor()
    page = one.go("/")
    page.locator("button[aria-controls=new-table]").last.click()
    form = page.locator("#new-table form")
    form.locator("input[name=preset]").nth(1).check()
    form.locator("summary").click()
    turn_last = form.get_by_label("turn Assam after laying")
    turn_last.select_option("may be turned")
    form.locator(".end button.primary").click()
    page.wait_for_url("**/t/*")
    game = one.position(page.url.rpartition("/")[2])["table"]["game"]
    assert game == "marrakech(players=2,edition=gigamic-57,turn_last=may)"


def test_hot_seat_in_town(visitor: Visitors) -> None:
    one = visitor()
    seats = [{"kind": "me", "name": name} for name in ("Ada", "Bela", "Cleo")]
    table = one.table("marracash(players=3)", seats, start=True, absent="never")
    page = one.go(f"/t/{table}")
    pointer = Pointer(page, Random("hot seat in town"))
    handed: list[str] = []
    for _ in range(12):
        assert wait_for_turn(page)
        name = ("Ada", "Bela", "Cleo")[one.position(table)["position"]["mover"]]
        check_hand_over(page, name, handed)
        assert play_by_input(one, table, pointer, moves=1)
    assert set(handed) == {"Ada", "Bela", "Cleo"}


def test_reload_in_mid_turn(visitor: Visitors) -> None:
    one = visitor()
    table = one.table("marracash(players=3)", [ME, COMPUTER, COMPUTER], start=True, absent="never")
    one.go(f"/t/{table}")
    pointer = Pointer(one.page, Random("reload"))
    play_by_input(one, table, pointer, moves=3)
    assert wait_for_turn(one.page)
    before = moves_of(one.page)
    at = version(one, table)
    one.page.reload()
    assert wait_for_turn(one.page)
    assert version(one, table) == at
    expect(one.page.get_by_role("tabpanel").get_by_role("listitem")).not_to_have_count(0)
    assert moves_of(one.page)[-3:] == before[-3:]
    assert len(play_by_input(one, table, pointer, moves=2)) == 2


def check_game_survives(
    one: Visitor, cut: Callable[[], object], restore: Callable[[], object]
) -> None:
    """Play a game whose connection is cut in the middle, to its end after it is restored.

    A tab opened meanwhile says that the server is away, and loads the game after it.
    """
    table = one.table(SHORT, [ME, COMPUTER], start=True, absent="never")
    one.go(f"/t/{table}")
    pointer = Pointer(one.page, Random("cut"))
    play_by_input(one, table, pointer, moves=3)
    assert wait_for_turn(one.page)
    one.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    cut()
    banner = one.page.locator(".banner.shown, .away")
    expect(banner.first).to_be_visible()
    another = one.new_page()
    another.goto(f"/t/{table}")
    expect(another.locator("#message")).to_be_visible()  # the page for a server that is away
    restore()
    expect(banner).to_have_count(0)
    assert wait_for_turn(another)  # it looked again by itself
    another.close()
    play_by_input(one, table, pointer)
    expect(one.page.locator(".result-summary h2")).to_contain_text("win")
    assert one.position(table)["table"]["status"] == "over"


def test_server_killed_in_mid_game(visitor: Visitors, tmp_path: Path) -> None:
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        check_game_survives(visitor(url=server.url, expected=AWAY), server.kill, server.restart)


def test_connection_cut_and_restored(visitor: Visitors, server: Server) -> None:
    with CuttableProxy(server.port) as proxy:
        check_game_survives(visitor(url=proxy.url, expected=AWAY), proxy.cut, proxy.restore)


def test_a_rug_is_taken_back_until_the_next_player_acts(visitor: Visitors) -> None:
    ada = visitor("Ada")
    game = "marrakech(players=2,two_player=one-colour)"  # no chance follows a lay
    table = ada.table(game, [ME, {"kind": "me", "name": "Bela"}], start=True, undo=True)
    page = ada.go(f"/t/{table}")
    undo = page.get_by_role("button", name="Undo")
    pointer = Pointer(page, Random("undo"))
    assert len(play_by_input(ada, table, pointer, moves=1)) == 1
    expect(undo).to_have_count(0)  # the die was rolled
    before = ada.position(table)["position"]
    assert len(play_by_input(ada, table, pointer, moves=1)) == 1
    undo.click()
    expect(page.locator(".task")).to_contain_text("Ada")
    after = ada.position(table)["position"]
    assert (after["position"], after["mover"]) == (before["position"], 0)
    lines = " ".join(moves_of(page))
    assert "undoes" in lines and "lays" not in lines
