"""The lessons: from the start page through every step to a game, by touch and by keys."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import DESKTOP, PHONE, Keys, Pointer, Visitor, wait_for_turn
from tests.games.test_lessons import FOLDERS, LESSONS, legal, walk

Visitors = Callable[..., Visitor]


@pytest.mark.parametrize("game", LESSONS)
def test_lessons_lead_to_a_game(visitor: Visitors, game: str) -> None:
    is_touch = game == "marrakech"
    one = visitor(**PHONE if is_touch else DESKTOP)
    page = one.go("/")
    method = Pointer(page, Random(1), is_touch=True) if is_touch else Keys(page, Random(1))
    method.press(page.locator(f"a[href='/learn/{game}']"))
    steps, states = LESSONS[game], walk(game)
    texts = (FOLDERS / game / "lessons/en.ts").read_text("utf-8")
    following = page.locator(".lesson > .primary")
    for number, step in enumerate(steps, start=1):
        expect(page.locator("h1")).to_contain_text(f"Step {number} of {len(steps)}")
        possible = legal(states[step["name"]][0])
        choices = step.get("choices", [])
        if step["name"] in ("arc", "sell"):  # something else is refused with a friendly sentence
            method.act(next(action for action in possible if action not in choices))
            expect(page.locator(".lesson .other")).to_contain_text("this time")
        if "choices" in step:
            expect(following).to_have_count(0)
            method.act((choices or possible)[0])
        if "choices" not in step or f".{step['name']}.done'" in texts:
            expect(following).to_be_in_viewport()
            method.press(following)
    page.wait_for_url("**/t/*")
    assert wait_for_turn(page)
    expect(page.locator(".phase-help")).to_have_count(0)  # the lessons have explained it
    assert one.inputs_used() <= ({"touch"} if is_touch else {"key"})
