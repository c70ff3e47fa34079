"""A family plays: a laptop invites, three phones join by its address in the local network."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from souk.server.local_network import private_addresses
from tests.browser.conftest import seeded_server
from tests.browser.visitor import PHONE, Pointer, Visitor, wait_for_turn, wait_for_version

Visitors = Callable[..., Visitor]
MOVES = 12  # each of the four has a turn


@pytest.mark.skipif(not private_addresses(), reason="this machine is in no private network")
def test_three_phones_join_a_laptop_over_wifi(visitor: Visitors, tmp_path: Path) -> None:
    with seeded_server(tmp_path / "souk.db") as server:
        laptop = visitor("Ada", url=server.url)
        page = laptop.go("/")
        page.set_viewport_size({"width": 1280, "height": 600})
        page.locator("button[aria-controls=new-table]").last.click()  # all options
        expect(page.locator("#new-table form")).to_be_focused()
        expect(page.locator("#new-table h2")).to_be_in_viewport()
        page.get_by_role("button", name="Invite friends").click()
        games = page.get_by_role("region", name="Which game")
        expect(games).to_be_focused()
        expect(games).to_be_in_viewport(ratio=0.99)
        games.get_by_role("group", name="Marrakech").get_by_text("4 players").click()

        # Nobody else can open the link before it is asked for.
        field = page.get_by_role("textbox", name="Link to this table")
        expect(page.get_by_text("This link works on this computer only.")).to_be_visible()
        expect(page.get_by_role("region", name="Invite friends")).to_be_focused()
        expect(field).to_have_value(page.url)
        code = page.get_by_role("img", name="QR code")
        expect(code).to_have_count(0)
        page.get_by_role("switch", name="Play over Wi-Fi").check()
        origin = f"http://{private_addresses()[0]}:{server.port}"
        expect(field).to_have_value(re.compile(re.escape(f"{origin}/t/")))
        expect(code).to_be_visible()
        link = field.input_value()

        phones = [visitor(name, url=origin, **PHONE) for name in ("Bela", "Cleo", "Dora")]
        for number, phone in enumerate(phones):
            phone.go(link)
            seats = phone.page.get_by_role("region", name="Seats")
            seats.get_by_role("textbox", name="What should we call you?").fill(phone.name)
            seats.get_by_role("button", name="OK").tap()
            seats.get_by_role("button", name="Take seat").nth(number % 2).tap()
            expect(page).to_have_title(f"{phone.name} sat down · Souk")
            expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-marked.svg")
            if number < 2:  # a guest is not told to do what only the host can
                expect(seats).to_contain_text("still free")
                expect(seats).not_to_contain_text("computer")
            expect(phone.page.get_by_role("switch", include_hidden=True)).to_have_count(0)
        expect(page.get_by_text("Whoever opens this link can watch.")).to_be_visible()
        expect(field).to_have_value(link)
        page.get_by_role("button", name="Start game").click()

        table = link.rpartition("/")[2]
        names = [seat["name"] for seat in laptop.position(table)["table"]["seats"]]
        laptop.name = names[0]  # the page gave them one
        family = {one.name: one for one in (laptop, *phones)}
        players = [family[name] for name in names]
        pointers = [
            Pointer(one.page, Random(f"family {one.name}"), is_touch=one is not laptop)
            for one in players
        ]
        moved = set()
        is_sound_on = False  # it is offered once, after a turn
        for _ in range(MOVES):
            now = laptop.position(table)["position"]
            mover = players[now["mover"]]
            assert wait_for_turn(mover.page)
            expect(mover.page.locator("link[rel=icon]")).to_have_attribute(
                "href", "/icon-marked.svg"
            )
            pointers[now["mover"]].act(pointers[now["mover"]].rng.choice(now["legal"]))
            wait_for_version(laptop, table, now["version"])
            moved.add(mover.name)
            offer = mover.page.get_by_text("Play a sound when it is your turn?")
            if laptop.position(table)["position"]["mover"] != now["mover"] and not is_sound_on:
                expect(offer).to_be_visible()
                is_sound_on = True
                pointers[now["mover"]].press(mover.page.get_by_role("button", name="Turn on"))
                stored = mover.page.evaluate("() => JSON.parse(localStorage.getItem('souk'))")
                assert stored["sound"] and stored["soundOffered"]
        assert moved == set(family)
        for one in players:
            mine = re.compile(rf"{one.name}\s*\(you\)")
            expect(one.page.locator("ol.players").first).to_contain_text(mine)

        # The link is still there, for those who watch.
        phone = phones[0].page
        phone.get_by_role("tab", name="Table").tap()
        expect(phone.get_by_role("textbox", name="Link to this table")).to_have_value(link)

        for one in phones:
            one.page.goto("about:blank")  # or they would complain
        page.get_by_role("tab", name="Table").click()
        page.get_by_role("switch", name="Play over Wi-Fi").uncheck()
        expect(field).to_have_value(page.url)
        with pytest.raises(Exception, match="ECONNREFUSED"):
            phones[0].context.request.get("/healthz")
        page.goto("about:blank")
