"""The drawing of a state shows its position, what just happened and what may happen next."""

from random import Random
from typing import Any

import souk
from souk.games.marracash.drawing import Scene
from souk.games.marracash.drawing.scene_from_state import scene_from_state
from souk.games.marracash.events import Entered
from souk.games.marracash.game import MarraCash
from tests.games.marracash.positions import make_position

NAMES = ["Leila", "Yusuf", "Nour"]
CARDS = {"open": [["red", 50], ["red", 75]], "left": {"red": [100, 125, 150], "green": [100, 150]}}


def set_up(knobs: dict[str, Any] | None = None, **arrangement: Any) -> souk.State:
    chosen = {"players": 3, **(knobs or {})}
    return souk.load_game("marracash", **chosen).state_from_dict(
        make_position(chosen, **arrangement)
    )


def on_the_way(customers: int = 3) -> souk.State:
    """A walk past R3 and B4 that sells one red card after another."""
    red = " ".join(["red"] * customers)
    return set_up(
        {"souvenirs": True},
        groups={"F4": f"{red} blue"},
        shops={"R3": (1, 0), "B4": (2, 0)},
        cards=CARDS,
    )


def apply_texts(state: souk.State, *texts: str) -> souk.State:
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def scene(state: souk.State, *, options: bool = False, names: list[str] = NAMES) -> Scene:
    assert isinstance(state.game, MarraCash)
    return scene_from_state(state.game, state, names, options)


def test_a_move_shows_its_way_and_who_entered() -> None:
    state = apply_texts(set_up(groups={"F4": "red red"}, shops={"R3": (1, 0)}), "move F4>F9")
    walk = scene(state).walk
    assert walk is not None
    assert (walk.start, walk.end) == ("F4", "F9")
    assert walk.entered == (("R3", "red"), ("R3", "red"))


def test_a_walk_with_many_cards_is_shown_from_its_beginning() -> None:
    state = apply_texts(on_the_way(9), "move F4>F9")
    entered = [e for e in state.events() if isinstance(e, Entered)]
    steps = 1
    while "walk" in state.to_dict():
        state.apply_action(state.legal_actions()[0])
        entered += [e for e in state.events() if isinstance(e, Entered)]
        steps += 1
    walk = scene(state).walk
    assert walk is not None and steps > 5
    assert walk.entered == tuple((e.shop, e.colour) for e in entered)
    assert len(walk.entered) == 10


def test_the_last_move_is_no_longer_shown_after_something_else() -> None:
    state = apply_texts(
        set_up(groups={"F4": "red"}, shops={"R3": (1, 0)}), "move F4>F9", "auction R1"
    )
    assert scene(state).walk is None


def test_in_the_middle_of_a_walk_the_walkers_are_shown() -> None:
    state = apply_texts(on_the_way(), "move F4>F9")
    played, loaded = scene(state), scene(state.game.state_from_dict(state.to_dict()))
    for shown in (played, loaded):
        assert shown.walkers == {"red": 2, "blue": 1} and shown.at == "R3"
        assert shown.walk is not None and (shown.walk.start, shown.walk.end) == ("F4", "F9")
    assert played.walk is not None and played.walk.entered == (("R3", "red"),)
    assert scene(on_the_way()).walkers == {}


def test_options_show_what_each_move_brings_each_player() -> None:
    state = on_the_way(2)
    routes = {route.label: dict(route.gains) for route in scene(state, options=True).routes}
    seen = state.preview(state.string_to_action("move F4>F9"))
    assert [seat for seat, gain in enumerate(seen.gains) if gain.most] == [0, 1, 2]
    assert routes["F4>F9"] == {
        seat: f"{'' if gain.is_certain else '≈'}{round(gain.expected):+}"
        for seat, gain in enumerate(seen.gains)
    }
    assert routes["F4>F9"][1].startswith("≈+") and routes["F4>F9"][2] == "+50"
    assert routes["F4>F3"] == {}
    assert scene(state).routes == ()


def test_the_caption_says_everything_that_happened() -> None:
    rng = Random(1)
    game = souk.load_game("marracash", players=3)
    state = game.new_initial_state(seed=2)
    while not state.is_terminal():
        state.apply_action(game.random_action(state, rng))
        caption = " ".join(scene(state).caption)
        for event in state.events():
            assert event.sentence(NAMES) in caption
        assert caption.endswith(game.prompt(state, NAMES))


def test_long_names_leave_room_for_the_result() -> None:
    rng = Random(1)
    game = souk.load_game("marracash", players=3)
    state = game.new_initial_state(seed=2)
    while not state.is_terminal():
        state.apply_action(game.random_action(state, rng))
    drawing = state.svg(names=["Maximiliana " * 40, "W" * 300, "Nour"])
    result = drawing[drawing.rindex(" wins: ") :]
    for score in state.scores():
        assert str(score) in result
