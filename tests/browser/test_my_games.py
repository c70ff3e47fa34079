"""A finished game in My games: its numbers, its picture, and its removal."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

from playwright.sync_api import expect

from tests.browser.visitor import Pointer, Visitor, play_by_input

SEATS = [{"kind": "me"}, {"kind": "computer", "level": "random"}]


def test_a_finished_game_is_counted_shared_and_removed(
    visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    ada = visitor()
    page = ada.page
    table = ada.table("marrakech(players=2,rugs=2)", SEATS, start=True)
    ada.go("/games")
    expect(page.locator("main")).to_contain_text("No finished games yet")
    expect(page.get_by_role("link", name="Continue")).to_be_visible()
    expect(page.get_by_role("button", name="Remove from the list")).to_have_count(0)

    ada.go(f"/t/{table}")
    play_by_input(ada, table, Pointer(page, Random(2)))
    result = ada.position(table)["table"]["result"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Share result as picture").click()
    file = tmp_path / "picture.png"
    download.value.save_as(file)
    picture = file.read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    assert width == 1080 and 1200 < height < 1700
    assert len(picture) > 200_000, "the board is on it"

    page.goto("/")
    page.get_by_role("link", name="All my games").click()
    place = next(n for n, group in enumerate(result["ranking"], 1) if 0 in group)
    score, share = result["scores"][0], result["returns"][0]
    row = page.locator("main li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(f"Place {place} of 2 · {score} point")
    rows = [["1"], [f"{share:g} ({share:.0%})"], [f"{score}"], [f"{place}"], [f"{int(share)}"]]
    cells = page.locator("main tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent))"
    )
    assert cells == [*rows, ["–"]], "nobody has asked for the analysis"
    page.get_by_role("combobox", name="Game").select_option(index=2)
    expect(row).to_have_count(0)
    page.get_by_role("combobox", name="Game").select_option(index=0)
    page.get_by_role("button", name="Remove from the list").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    expect(page.locator("main table")).to_have_count(0)
    expect(page.locator("main section:focus")).to_have_count(1)
    page.reload()
    expect(page.locator("main")).to_contain_text("No finished games yet")
