"""The drawing of a state shows its position, what just happened and what may happen next."""

import random
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import souk
from souk.engine.events import Event
from souk.games.marrakech.drawing import Option, Rug, Scene, Walk
from souk.games.marrakech.drawing.scene import visible
from souk.games.marrakech.drawing.scene_from_state import scene_from_state
from souk.games.marrakech.events import Laid, Paid, Walked
from souk.games.marrakech.game import Marrakech

GAMES = (
    "marrakech(players=2,edition=gigamic,rugs=4)",
    "marrakech(players=3,edition=gigamic,rugs=6)",
    "marrakech(players=4,edition=gigamic,dirhams=3,rugs=8)",
    "marrakech(players=2,edition=gigamic,rugs=6,two_player=one-colour,turn_last=True)",
    "marrakech(players=3,edition=gigamic-57,dirhams=2,rugs=6)",
    "marrakech(players=2,edition=pergioco,rugs=4,turn_last=True)",
)
NAMES = ["Leila", "Yusuf", "Nour", "Ama"]


def play(game: str, seed: int = 1) -> Iterator[souk.State]:
    """Every state of a random game, the first and the last included."""
    chance = random.Random(seed)
    state = souk.load_game(game).new_initial_state()
    yield state
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
        yield state


def play_until(game: str, is_wanted: Callable[[dict[str, Any]], bool]) -> souk.State:
    for seed in range(100):
        for state in play(game, seed):
            if is_wanted(state.to_dict()):
                return state
    raise AssertionError("no random game came to it")


def scene(state: souk.State, *, options: bool = False) -> Scene:
    assert isinstance(state.game, Marrakech)
    return scene_from_state(state.game, state, NAMES[: state.game.num_players()], options)


def apply_texts(state: souk.State, *texts: str) -> souk.State:
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def visible_halves(rugs: tuple[Rug, ...]) -> dict[str, tuple[str, frozenset[str]]]:
    """Colour and visible halves of the rug on top of every square."""
    top = {square: number for number, rug in enumerate(rugs) for square in rug.squares}
    halves = {number: {s for s in top if top[s] == number} for number in top.values()}
    return {s: (rugs[number].colour, frozenset(halves[number])) for s, number in top.items()}


def halves_of_position(position: dict[str, Any]) -> dict[str, tuple[str, frozenset[str]]]:
    """The same, as the position says it."""
    squares = position["squares"]
    return {
        square: (half["colour"], frozenset(s for s in squares if squares[s]["rug"] == half["rug"]))
        for square, half in squares.items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_state_of_a_game_is_drawn_as_it_is(game: str) -> None:
    for state in play(game):
        position, drawn = state.to_dict(), scene(state, options=True)
        assert ET.fromstring(state.svg(options=True)).attrib["role"] == "img"
        assert visible_halves(drawn.rugs) == halves_of_position(position)
        assert {"square": drawn.assam, "facing": drawn.facing} == position["assam"]
        for seat, player in zip(drawn.seats, position["players"], strict=True):
            own = [half for half in position["squares"].values() if half["colour"] in seat.colours]
            assert (seat.dirhams, seat.rugs, seat.next) == tuple(
                player[key] for key in ("dirhams", "rugs", "next")
            )
            assert seat.squares == len(own) and seat.out == player["out"]
        assert [seat.score for seat in drawn.seats] == state.scores()
        moving = [number for number, seat in enumerate(drawn.seats) if seat.to_move]
        assert moving == ([] if state.is_terminal() else [position["to_move"]])


@pytest.mark.parametrize("game", GAMES)
def test_the_last_walk_tax_and_rug_are_marked_until_the_next_roll(game: str) -> None:
    since_roll: list[Event] = []
    for state in play(game, seed=2):
        events = state.events()
        since_roll = events if events_of(events, Walked) else since_roll + events
        drawn = scene(state)
        [walked] = events_of(since_roll, Walked) or [None]
        assert (drawn.walk is None) == (walked is None)
        if drawn.walk and walked:
            steps = [(step.square, step.facing) for step in walked.steps]
            assert (drawn.walk.start, drawn.walk.path()) == (walked.start, steps)
        assert drawn.taxed == tuple(s for paid in events_of(since_roll, Paid) for s in paid.squares)
        [laid] = events_of(since_roll, Laid) or [None]
        assert (drawn.laid is None) == (laid is None)
        if drawn.laid is not None and laid:
            rug = drawn.rugs[drawn.laid]
            assert (rug.colour, rug.squares) == (laid.colour, laid.squares)


def events_of(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_rugs_lie_in_the_order_laid() -> None:
    state = souk.load_game("marrakech", players=3).new_initial_state()
    apply_texts(state, "ahead", "1", "c3c4", "left", "1", "d3d4", "ahead", "1")
    assert scene(state).rugs == (Rug("red", ("c3", "c4")), Rug("yellow", ("d3", "d4")))


def test_a_rug_that_nothing_is_seen_of_is_left_out() -> None:
    *_, end = play("marrakech(players=4,edition=gigamic)")
    assert len(scene(end).rugs) < 48
    assert len(set(visible(scene(end).rugs).values())) == len(scene(end).rugs)
    assert len(end.svg(theme="auto").encode()) < 60_000


def test_the_rugs_of_a_player_who_is_out_are_neutral() -> None:
    poor = "marrakech(players=3,edition=gigamic,dirhams=3)"
    state = play_until(poor, lambda position: any(p["out"] for p in position["players"]))
    drawn = scene(state)
    gone = {colour for seat in drawn.seats if seat.out for colour in seat.colours}
    assert gone and gone & {rug.colour for rug in drawn.rugs}
    assert all(rug.neutral == (rug.colour in gone) for rug in drawn.rugs)


def test_a_loaded_position_shows_rugs_and_single_halves() -> None:
    state = souk.load_game("marrakech", players=3).new_initial_state()
    position = state.to_dict()
    position["squares"] = {
        "a2": {"colour": "red", "rug": 1},
        "a3": {"colour": "red", "rug": 1},
        "b2": {"colour": "blue", "rug": 2},
        "d4": {"colour": "blue", "rug": 3},
    }
    loaded = state.game.state_from_dict(position)
    halves = (Rug("blue", ("b2",)), Rug("blue", ("d4",)))
    assert scene(loaded).rugs == (*halves, Rug("red", ("a2", "a3")))
    assert scene(loaded).walk is None and scene(loaded).laid is None
    apply_texts(loaded, "ahead", "1", "c4d4")
    assert scene(loaded).rugs == (halves[0], Rug("red", ("a2", "a3")), Rug("red", ("c4", "d4")))
    assert scene(loaded).laid == 2


@pytest.mark.parametrize("game", GAMES)
def test_a_loaded_position_plays_on_as_it_looks(game: str) -> None:
    *_, middle = (state for state, _ in zip(play(game), range(30), strict=False))
    for _ in range(2):
        loaded = reload(middle)
        assert visible_halves(scene(loaded).rugs) == visible_halves(scene(middle).rugs)
        middle = loaded
        for _ in range(6):
            if not middle.is_terminal():
                middle.apply_action(middle.legal_actions()[0])


def reload(state: souk.State) -> souk.State:
    return state.game.state_from_dict(state.to_dict())


def test_undoing_takes_the_drawing_back() -> None:
    state, drawings = None, []
    for state in play(GAMES[1]):
        drawings.append(state.svg())
    assert state is not None
    while drawings:
        assert state.svg() == drawings.pop()
        if drawings:
            state.undo_action()


def test_before_the_roll_four_stops_have_their_chance_and_cost() -> None:
    state = souk.load_game("marrakech", players=3).new_initial_state()
    position = {
        **state.to_dict(),
        "phase": "roll",
        "squares": {s: {"colour": "blue", "rug": 1} for s in ("d2", "d1")},
    }
    stops = scene(state.game.state_from_dict(position), options=True).options
    assert stops == (
        Option("d3", "1/6", "0", cost=False),
        Option("d2", "1/3", "\N{MINUS SIGN}2", cost=True),
        Option("d1", "1/3", "\N{MINUS SIGN}2", cost=True),
        Option("e1", "1/6", "0", cost=False),
    )
    for player in position["players"]:
        player["dirhams"] = 1
    stops = scene(state.game.state_from_dict(position), options=True).options
    assert [stop.note for stop in stops] == ["0", "out", "out", "0"]


def test_before_the_turning_each_stop_says_which_turning_leads_there() -> None:
    state = souk.load_game("marrakech", players=3).new_initial_state()
    labels = {stop.square: stop.label for stop in scene(state, options=True).options}
    assert len(labels) == 12
    assert (
        labels["d3"] == "ahead 1/6" and labels["c4"] == "right 1/6" and labels["g4"] == "left 1/3"
    )


@pytest.mark.parametrize("facing", "NESW")
def test_the_stops_of_every_turning_add_up_and_leave_room_for_each_other(facing: str) -> None:
    start = souk.load_game("marrakech", players=3).new_initial_state()
    for square in (file + rank for file in "abcdefg" for rank in "1234567"):
        position = {**start.to_dict(), "assam": {"square": square, "facing": facing}}
        stops = scene(start.game.state_from_dict(position), options=True).options
        places = [stop.square for stop in stops]
        assert max(map(places.count, places)) <= 2  # badges that one square holds
        for turning in ("left", "ahead", "right"):
            labels = [stop.label.split() for stop in stops]
            assert sum(Fraction(chance) for word, chance in labels if word == turning) == 1


@pytest.mark.parametrize("game", GAMES)
def test_options_are_shown_only_on_request_and_when_assam_is_about_to_walk(game: str) -> None:
    for state in play(game):
        phase = state.to_dict()["phase"]
        assert scene(state).options == ()
        if phase != "turn_last":
            about_to_walk = phase in ("turn", "roll")
        elif state.game.settings["pile"] == "open":
            about_to_walk = True
        else:
            continue  # a rug may be drawn first
        assert bool(scene(state, options=True).options) == about_to_walk


def test_the_caption_says_what_happened_and_what_to_do() -> None:
    state = souk.load_game("marrakech", players=3).new_initial_state()
    assert scene(state).caption == ("Leila: turn Assam (left, ahead or right).",)
    apply_texts(state, "ahead", "1", "c3c4")
    assert scene(state).caption == (
        "Leila rolls 1: Assam walks d3. Leila lays red on c3 and c4.",
        "Yusuf: turn Assam (left, ahead or right).",
    )


def test_a_finished_game_says_who_won_once() -> None:
    *_, end = play(GAMES[1])
    *_, result = scene(end).caption
    assert result.count("win") == 1
    assert "The game is over" not in " ".join(scene(end).caption)


def test_names_are_text_whatever_they_hold() -> None:
    state = souk.load_game("marrakech", players=2).new_initial_state()
    names = ['<b onclick="x">', "line\nbreak & \x00\ud800"]
    drawn = state.svg(names=names, theme="dark")
    drawn.encode("utf-8")
    assert "<b " not in drawn
    assert '<b onclick="x">' in "".join(ET.fromstring(drawn).itertext())


def test_invalid_options_of_a_drawing_are_refused() -> None:
    state = souk.load_game("marrakech", players=2).new_initial_state()
    with pytest.raises(souk.SoukError, match=r"'dusk'.*light, dark or auto"):
        state.svg(theme="dusk")
    with pytest.raises(souk.SoukError, match="2 seats"):
        state.svg(names=["Leila"])


def test_marks_say_how_the_last_walk_went_after_assam_was_turned_again() -> None:
    state = souk.load_game("marrakech", players=3).new_initial_state()
    apply_texts(state, "left", "2", "e4e5", "left")
    drawn = scene(state)
    assert (drawn.facing, drawn.walk) == ("N", Walk("d4", "E", 2))
