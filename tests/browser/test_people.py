"""What people can do about each other and about their own data, on the page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import seeded_server
from tests.browser.test_together import expect_chat, say
from tests.browser.visitor import PHONE, REFUSED, Visitor

Visitors = Callable[..., Visitor]
ME, OPEN = {"kind": "me"}, {"kind": "open"}
GAME = "marrakech(players=2,rugs=2)"


def open_chat(page: Page) -> None:
    """Show the chat of a lobby, which is a tab on narrow screens."""
    chat, tab = page.get_by_role("list", name="Chat"), page.get_by_role("tab", name="Chat")
    expect(chat.or_(tab).first).to_be_visible()
    if tab.count():
        tab.click()


def menu(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Options for {name}").last.click()


def choose(page: Page, name: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def settings(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()


def at_table(visitor: Visitors, **options: object) -> tuple[Visitor, Visitor, str]:
    """Return a host, a guest who wrote a line in the lobby, and the table."""
    host, guest = visitor("Ada", **options), visitor("Bela")
    table = host.table(GAME, [ME, OPEN])
    guest.create_identity()
    for one in (host, guest):
        one.go(f"/t/{table}")
        open_chat(one.page)
    guest.page.get_by_role("button", name="Take seat").click()
    say(guest.page, "hello")
    expect_chat(host.page, "hello")
    return host, guest, table


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_the_host_mutes_removes_and_lets_back(visitor: Visitors, device: dict[str, object]) -> None:
    host, guest, table = at_table(visitor, **device)
    menu(host.page, "Bela")
    choose(host.page, "Mute at this table")
    guest.page.get_by_role("textbox", name="Write a message").fill("more")
    guest.page.get_by_role("button", name="Send").click()
    expect(guest.page.get_by_text("The host has muted you at this table.").first).to_be_visible()
    menu(host.page, "Bela")
    choose(host.page, "Remove for good")
    expect(guest.page.get_by_text("The host has removed you from this table.")).to_be_visible()
    expect(host.page.get_by_text("Free seat").first).to_be_attached()
    guest.go(f"/t/{table}")
    expect(guest.page.get_by_text("The host has removed you from this table.")).to_be_visible()
    host.page.get_by_role("button", name="Let Bela back in").click()
    guest.go(f"/t/{table}")
    expect(guest.page.get_by_role("button", name="Take seat")).to_be_visible()


def test_a_blocked_person_is_not_seen_and_can_be_reported(visitor: Visitors) -> None:
    host, guest, _ = at_table(visitor)
    menu(host.page, "Bela")
    choose(host.page, "Report")
    host.page.get_by_label("What is wrong?").select_option("Name")
    host.page.get_by_label("Details (optional)").fill("That is not her name.")
    choose(host.page, "Send report")
    expect(host.page.get_by_text("Thank you. The operator")).to_be_visible()
    menu(host.page, "Bela")
    choose(host.page, "Block")
    expect(host.page.get_by_role("list", name="Chat").get_by_text("hello")).to_be_hidden()
    say(guest.page, "can you hear me")
    expect_chat(guest.page, "can you hear me")
    expect(host.page.get_by_text("can you hear me")).to_be_hidden()
    settings(host.page)
    host.page.get_by_role("button", name="Unblock Bela").click()
    host.page.keyboard.press("Escape")
    expect_chat(host.page, "can you hear me")


def test_logging_out_and_deleting_oneself(visitor: Visitors) -> None:
    host, guest, _ = at_table(visitor)
    settings(guest.page)
    choose(guest.page, "Log out on all other devices")
    expect(guest.page.get_by_text("All other devices are logged out.")).to_be_visible()
    choose(guest.page, "Delete my data")
    question = guest.page.get_by_role("dialog", name="Delete your name and your data?")
    question.get_by_role("button", name="Delete my data").click()
    expect(guest.page.get_by_text("Your data has been deleted.")).to_be_visible()
    expect(host.page.get_by_role("list", name="Chat").get_by_text("hello")).to_be_hidden()
    expect(host.page.get_by_text("Free seat").first).to_be_attached()
    assert guest.context.request.get("/api/me").status == 401

    settings(host.page)
    choose(host.page, "Log out on this device")
    host.page.get_by_role("dialog", name="Log out on this device?").get_by_role(
        "button", name="Log out on this device"
    ).click()
    expect(host.page.get_by_text("You are logged out.")).to_be_visible()
    assert host.context.request.get("/api/me").status == 401


def test_a_misleading_name_is_refused_with_a_sentence(visitor: Visitors) -> None:
    one = visitor("Ada", expected=REFUSED)
    one.create_identity()
    one.go("/")
    settings(one.page)
    one.page.get_by_label("Your name").fill("Аda")  # with a Cyrillic letter
    one.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(one.page.get_by_text("This name could mislead others.")).to_be_visible()


def test_the_footer_has_the_operators_terms_and_contact(browser: Browser, tmp_path: Path) -> None:
    options = ("--terms", "https://play.example/terms", "--contact", "ops@play.example")
    with seeded_server(tmp_path / "souk.db", *options) as server:
        one = Visitor(browser, server.url)
        page = one.go("/")
        terms = page.get_by_role("link", name="Terms of use")
        expect(terms).to_have_attribute("href", "https://play.example/terms")
        mail = page.get_by_role("link", name="ops@play.example")
        expect(mail).to_have_attribute("href", "mailto:ops@play.example")
        one.close()
        assert not one.complaints
