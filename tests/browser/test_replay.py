"""After the game: replay, records as files, fair dice, a rematch."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from souk.engine.state import CHANCE
from souk.games import load_game
from souk.records.fairness import FairDice
from tests.browser.seeded_server import SECRET
from tests.browser.socket_player import socket
from tests.browser.visitor import REFUSED, Pointer, Visitor, play_by_input, wait_for_turn
from tests.server.server_process import Server

Visitors = Callable[..., Visitor]

ME = {"kind": "me"}
COMPUTER = {"kind": "computer", "level": "random"}


@pytest.fixture(scope="module")
def host(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Return a visitor who hosts a finished game."""
    host = Visitor(browser, server.url, "Ada")
    yield host
    host.close()
    assert not host.complaints


@pytest.fixture(scope="module")
def finished_table(host: Visitor) -> str:
    table = host.table("marrakech(players=2,rugs=2)", [ME, COMPUTER], start=True, absent="never")
    host.go(f"/t/{table}")
    play_by_input(host, table, Pointer(host.page, Random("replay")))
    return table


def expect_step(page: Page, step: int, last: int) -> None:
    expect(page.get_by_text(f"Step {step} of {last}", exact=True)).to_be_visible()
    expect(page.get_by_role("slider", name="Step")).to_have_js_property("value", str(step))


def test_by_slider_and_keys(visitor: Visitors, finished_table: str) -> None:
    page = visitor().go(f"/replay/{finished_table}")  # a stranger with the link
    slider = page.get_by_role("slider", name="Step")
    slider.wait_for()
    last = int(slider.get_attribute("max") or 0)
    assert last >= 8
    expect_step(page, 0, last)
    message = page.get_by_role("region", name="Steps")
    expect(message.get_by_text("Start of the game.")).to_be_visible()

    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("ArrowLeft", last - 1),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        expect_step(page, step, last)
    page.keyboard.press("ArrowDown")  # a turn
    expect(page.get_by_text(f"Step 0 of {last}", exact=True)).to_have_count(0)
    page.keyboard.press("ArrowUp")
    expect_step(page, 0, last)

    slider.fill("5")
    expect_step(page, 5, last)
    page.wait_for_url("**?step=5")
    page.reload()  # the address leads to the step
    expect_step(page, 5, last)
    page.get_by_role("button", name="Last step").click()
    expect_step(page, last, last)
    page.get_by_role("tab", name="Result").click()
    expect(page.get_by_text("Won by")).to_be_visible()
    page.get_by_role("tab", name="Points").click()
    expect(page.get_by_role("img", name="Scores over time")).to_be_visible()
    page.get_by_role("button", name="First step").click()
    page.keyboard.press(" ")  # plays by itself
    expect(page.get_by_text(re.compile(rf"^Step [1-9]\d* of {last}$"))).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()


def test_by_the_list_of_moves(visitor: Visitors, finished_table: str) -> None:
    page = visitor().go(f"/replay/{finished_table}")
    moves = page.get_by_role("tabpanel", name="Moves").get_by_role("button")
    moves.first.wait_for()
    last = moves.count() - 1
    expect_step(page, 0, last)
    moves.nth(4).click()
    expect_step(page, 4, last)
    expect(moves.nth(4)).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowRight")  # goes on from there, and the focus with it
    expect_step(page, 5, last)
    expect(moves.nth(5)).to_be_focused()
    page.keyboard.press("End")
    expect(moves.nth(last)).to_be_in_viewport()


def test_the_record_goes_out_and_comes_in(
    visitor: Visitors, finished_table: str, tmp_path: Path
) -> None:
    one = visitor()
    page = one.go(f"/replay/{finished_table}")
    page.get_by_role("tab", name="Result").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download game record").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.suffix == ".souk"
    last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)

    page = one.go("/")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a game record").click()
    chooser.value.set_files(file)
    expect_step(page, 0, last)
    page.keyboard.press("End")
    expect_step(page, last, last)
    page.get_by_role("tab", name="Result").click()
    page.get_by_role("button", name="Check the dice").click()
    expect(page.locator(".good").get_by_text("The dice were fair")).to_be_visible()

    one.go("/")  # the same address at once would be a reload, which shows the record again
    page = one.go("/replay")
    page.get_by_label("Choose a file").set_input_files(file)
    expect_step(page, 0, last)
    one.go("/")
    page = one.go("/replay")
    forged = re.sub("^words: .*", 'words: ["other words",""]', file.read_text("utf-8"), flags=re.M)
    page.get_by_label("Or paste the record").fill(forged)
    page.get_by_role("button", name="Open", exact=True).click()
    expect_step(page, 0, last)
    page.get_by_role("tab", name="Result").click()
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_text("The record was changed after it was signed.")).to_be_visible()
    expect(page.get_by_text("not follow from the secret")).to_be_visible()


def test_a_bad_record_is_explained_in_a_sentence(visitor: Visitors, tmp_path: Path) -> None:
    page = visitor(expected=REFUSED).go("/replay")
    page.get_by_label("Or paste the record").fill("game: marrakech\n\n1. Ada: nowhere\n")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("This record cannot be shown.")
    expect(page.get_by_label("Or paste the record")).to_be_visible()

    file = tmp_path / "cat.souk"
    file.write_bytes(bytes(range(256)))
    page.get_by_label("Choose a file").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("This record cannot be shown.")


def test_dice_and_rematch(host: Visitor, finished_table: str) -> None:
    page = host.go(f"/t/{finished_table}")
    page.get_by_role("button", name="Check the dice").click()
    expect(page.locator(".good").get_by_text("The dice were fair")).to_be_visible()
    expect(page.locator(".good").get_by_text("This server signed the game")).to_be_visible()
    expect(page.locator(".open").get_by_text("did not see this game being played")).to_be_visible()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/t/" in url and finished_table not in url)
    table = page.url.rpartition("/")[2]
    start = page.get_by_role("button", name="Start game")
    expect(start.or_(page.locator("[data-action]").first).first).to_be_visible()
    if start.is_visible():
        start.click()
    assert wait_for_turn(page)
    assert len(play_by_input(host, table, Pointer(page, Random("rematch")), moves=2)) == 2
    page = host.go(f"/t/{finished_table}")
    expect(page.get_by_role("link", name="Join the rematch")).to_be_visible()


DRAWN = "marrakech(players=2,rugs=1,full_tie=draw)"


def to_a_draw() -> list[str]:
    """Return actions that lead to a draw: the dice are the same every time."""
    game = load_game(DRAWN)
    dice = FairDice(SECRET, game, ["", ""])
    for number in range(2000):
        rng, chosen = Random(number), []
        state = game.new_initial_state(seed=dice.seed())
        while not state.is_terminal():
            if state.current_player() == CHANCE:
                state.apply_action(dice.draw(state, len(state.history())))
            else:
                action = rng.choice(state.legal_actions())
                chosen.append(state.action_to_string(action))
                state.apply_action(action)
        if game.is_draw(state):
            return chosen
    raise AssertionError("no game ends in a draw")


def test_a_draw_has_no_winner(visitor: Visitors) -> None:
    one = visitor()
    seats = [ME, {"kind": "me", "name": "Bela"}]
    table = one.table(DRAWN, seats, start=True, absent="never")
    with socket(one, table) as line:
        for action in to_a_draw():
            line.act(action)
    page = one.go(f"/t/{table}")
    expect(page.locator(".result-summary h2")).to_have_text(
        re.compile(r"^A draw: Ada and Bela are level on \d+ points\.$")
    )
    page = one.go(f"/replay/{table}")
    page.get_by_role("tab", name="Result").click()
    expect(page.get_by_text("A draw.")).to_be_visible()
    page = one.go("/")
    row = page.locator(".lists li").filter(has=page.locator(f'a[href="/replay/{table}"]'))
    expect(row.locator(".status")).to_have_text("Draw")


def test_a_position_is_studied_shared_and_set_up_by_hand(
    visitor: Visitors, finished_table: str
) -> None:
    one = visitor(expected=REFUSED)
    page = one.go(f"/replay/{finished_table}?step=2")
    expect(page.get_by_text("Step 2 of")).to_be_visible()
    page.get_by_role("button", name="Study from here").click()
    page.wait_for_url("**/study#*")
    choices = page.locator("main ul [data-action]")
    expect(choices.first.locator(".share")).to_have_text(re.compile(r"^\d+\.\d%$"))
    page.locator("main ul [data-action=left]").click()
    expect(page.locator(".task")).to_contain_text("Chance is next")
    page.get_by_role("button", name="At random").click()
    choices.filter(has_text="Lay ").first.wait_for()
    page.get_by_role("button", name="Previous step").click()
    page.locator("[data-action='3']").click()
    line = page.get_by_role("region", name="Moves tried").get_by_role("listitem")
    expect(line).to_have_count(3)
    choices.filter(has_text="Lay ").first.click()
    expect(line).to_have_count(4)
    expect(line.nth(3).locator("[aria-current]")).to_have_count(1)
    page.get_by_role("button", name="First step").click()
    page.keyboard.press("ArrowRight")
    page.locator("[data-action='1']").click()  # replaces the rest of the line
    expect(line).to_have_count(3)
    page.get_by_role("button", name="Previous step").click()
    expect(line.nth(1).locator("[aria-current]")).to_have_count(1)
    texts = line.all_inner_texts()

    friend = visitor("Ben", expected=REFUSED).go(page.url.removeprefix(one.url))
    line = friend.get_by_role("region", name="Moves tried").get_by_role("listitem")
    expect(line).to_have_text([re.compile(re.escape(text)) for text in texts])
    expect(line.nth(1).locator("[aria-current]")).to_have_count(1)
    expect(friend.locator(".task")).to_contain_text("Chance is next")

    friend.get_by_role("button", name="Set up a position").click()
    for tool, square in (("yellow", "a1"), ("yellow", "a2"), ("puts Assam", "g7")):
        friend.get_by_role("radio", name=tool).check()
        friend.locator(f"[data-square={square}]").click()
    friend.get_by_label("Next step").select_option("Turn Assam after laying")
    expect(friend.get_by_text("turn_last does not occur")).to_be_visible()
    expect(friend.get_by_role("button", name="Study this position")).to_be_disabled()
    friend.get_by_label("Next step").select_option("Turn Assam")
    expect(friend.get_by_text("This position is possible.")).to_be_visible()
    before = friend.url
    friend.get_by_role("button", name="Study this position").click()
    expect(line).to_have_count(1)
    friend.wait_for_url(lambda url: url != before)
    expect(friend.locator(".board p").first).to_contain_text("g7")

    friend.evaluate("location.hash = location.hash.slice(0, 40)")
    expect(friend.get_by_role("alert")).to_contain_text("incomplete or damaged")
