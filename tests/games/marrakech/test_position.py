"""Positions as JSON: what is written is read back, and what makes no sense is refused by name."""

import copy
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import souk
from tests.games.marrakech.positions import (
    TABLES,
    make_position,
    mixed_knobs,
    plain_knobs,
    random_position,
)
from tests.games.marrakech.reference import EDITIONS, SQUARES, neighbours
from tests.games.marrakech.strategies import states

THREE = {"players": 3, "edition": "gigamic"}
DECKS = {"players": 2, "edition": "gigamic"}
FACE_DOWN = {"players": 2, "edition": "pergioco"}

every_table = pytest.mark.parametrize("table", TABLES)
every_edition = pytest.mark.parametrize("edition", EDITIONS)


def load(knobs, position):
    return souk.load_game("marrakech", **knobs).state_from_dict(position)


# ---- round trips -----------------------------------------------------------------------------


@every_table
@every_edition
def test_every_position_of_a_game_goes_through_json_and_back(edition, table):
    rng = Random(f"round trip {edition} {table}")
    mixes = [plain_knobs(edition, table)] + [mixed_knobs(rng, edition, table) for _ in range(5)]
    for knobs in mixes:
        game = souk.load_game("marrakech", **knobs)
        state = game.new_initial_state()
        while True:
            written = state.to_dict()
            loaded = game.state_from_dict(json.loads(json.dumps(written)))
            assert loaded.to_dict() == written
            assert loaded == state
            assert loaded.legal_actions() == state.legal_actions()
            if state.is_terminal():
                break
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            loaded.apply_action(action)
            assert loaded == state, "they go on alike"


@every_table
@every_edition
def test_positions_that_play_may_never_reach_go_through_json_and_back(edition, table):
    rng = Random(f"unreachable {edition} {table}")
    for _ in range(25):
        knobs = mixed_knobs(rng, edition, table)
        written = load(knobs, random_position(rng, knobs)).to_dict()
        assert load(knobs, json.loads(json.dumps(written))).to_dict() == written


@given(states())
def test_a_position_has_the_contracts_form(state):
    position = state.to_dict()
    assert list(position) == ["game", "phase", "to_move", "assam", "squares", "players"]
    assert position["game"] == str(state.game)
    assert position["phase"] in ("draw", "turn", "roll", "lay", "turn_last", "over")
    assert list(position["assam"]) == ["square", "facing"]
    assert all(list(shown) == ["colour", "rug"] for shown in position["squares"].values())
    assert len(position["players"]) == state.game.num_players()
    outs = []
    for player in position["players"]:
        fields = ["dirhams", "rugs", "next", "out"]
        assert list(player) == ([*fields, "out_order"] if player["out"] else fields)
        assert player["out"] in (True, False)
        if player["out"]:
            outs.append(player["out_order"])
            assert player["dirhams"] == 0 and not any(player["rugs"].values())
            assert player["next"] is None
    assert sorted(outs) == list(range(1, len(outs) + 1))
    types = {bool: 0, int: 0, str: 0, dict: 0, list: 0, type(None): 0}
    waiting = [position]
    while waiting:
        value = waiting.pop()
        assert type(value) in types, "plain JSON and nothing else"
        waiting += value.values() if type(value) is dict else value if type(value) is list else []


def test_rugs_of_all_colours_are_listed_zeros_too():
    game = souk.load_game("marrakech", players=2, rugs=1)
    state = game.new_initial_state()
    for text in ("red", "orange", "ahead", "1", "d4d5"):
        state.apply_action(state.string_to_action(text))
    players = state.to_dict()["players"]
    assert [player["rugs"] for player in players] == [
        {"red": 0, "yellow": 1},
        {"blue": 1, "orange": 1},
    ]
    assert [player["next"] for player in players] == ["yellow", "orange"]


def test_next_is_null_where_unknown_and_where_none_is_left():
    state = souk.load_game("marrakech", **FACE_DOWN).new_initial_state()
    assert [player["next"] for player in state.to_dict()["players"]] == [None, None]
    last = load(THREE, make_position(THREE, "lay", "d4 N", left=[1, 2, 2]))
    last.apply_action(last.string_to_action("d5d6"))
    assert [player["next"] for player in last.to_dict()["players"]] == [None, "yellow", "blue"]


@given(states(), st.randoms(use_true_random=False))
def test_rug_numbers_only_say_which_halves_belong_together(state, rng):
    """Other numbers, and the same number again for every colour: the same position."""
    position = state.to_dict()
    new_numbers = {}
    for shown in position["squares"].values():
        of_colour = new_numbers.setdefault(shown["colour"], {})
        if shown["rug"] not in of_colour:
            free = set(range(100)) - set(of_colour.values())
            of_colour[shown["rug"]] = rng.choice(sorted(free))
        shown["rug"] = of_colour[shown["rug"]]
    shuffled = list(position["squares"].items())
    rng.shuffle(shuffled)
    position["squares"] = dict(shuffled)
    loaded = state.game.state_from_dict(position)
    assert loaded == state
    assert loaded.to_dict() == state.to_dict()


def test_loading_does_not_change_its_argument():
    given_position = make_position(THREE, "lay", "d4 N", rugs=["red d5d6", "blue a1"])
    before = copy.deepcopy(given_position)
    state = load(THREE, given_position)
    state.apply_action(state.legal_actions()[0])
    assert given_position == before


def test_changing_a_written_position_does_not_change_the_state():
    state = souk.load_game("marrakech").new_initial_state()
    position = state.to_dict()
    position["players"][0]["dirhams"] = 1
    position["squares"]["a1"] = {"colour": "red", "rug": 1}
    assert state.to_dict()["players"][0]["dirhams"] == 30
    assert state.to_dict()["squares"] == {}


def test_a_loaded_position_has_no_history():
    state = load(THREE, make_position(THREE, "lay", "d4 N"))
    assert state.history() == []
    with pytest.raises(ValueError, match="undo"):
        state.undo_action()
    state.apply_action(state.legal_actions()[0])
    state.undo_action()
    assert state == load(THREE, make_position(THREE, "lay", "d4 N"))


def test_the_game_may_be_named_in_any_way_that_means_it():
    for name in ("marrakech", "marrakech(edition=gigamic, players=3)", "marrakech(dirhams=30)"):
        load(THREE, {**make_position(THREE, "turn", "d4 N"), "game": name})


@pytest.mark.parametrize(
    "changes",
    [
        {"rugs": {"red": 1000}},
        {"dirhams": 4_000_000},
        {"dirhams": 0},
    ],
)
def test_counts_and_sums_are_not_checked_since_house_rules_and_puzzles_differ(changes):
    position = make_position(THREE, "turn", "d4 N", rugs=["red a1a2"])
    position["players"][0].update(changes)
    load(THREE, position)


# ---- refusals ----------------------------------------------------------------------------------


def edited(path, value):
    """A change of one value in a position; `...` takes it away."""

    def edit(position):
        *way, last = path
        inner = position
        for key in way:
            inner = inner[key]
        if value is ...:
            del inner[last]
        else:
            inner[last] = value

    return edit


def player(seat, **changes):
    def edit(position):
        position["players"][seat].update(changes)

    return edit


def two(square, other, colour="red"):
    def edit(position):
        for at in (square, other):
            position["squares"][at] = {"colour": colour, "rug": 9}

    return edit


def as_it_is(position):
    """Nothing is changed: the phase alone is wrong."""


def no_rugs(position):
    for player in position["players"]:
        player.update(rugs=dict.fromkeys(player["rugs"], 0), next=None)


def all_out(position):
    for seat, player in enumerate(position["players"]):
        player.update(dirhams=0, rugs=dict.fromkeys(player["rugs"], 0), next=None, out=True)
        player["out_order"] = seat + 1


GONE = {"dirhams": 0, "rugs": {"red": 0}, "next": None, "out": True}

BROKEN = [
    (THREE, "turn", edited(["game"], ...), "position: game is missing"),
    (THREE, "turn", edited(["game"], "chess"), "game: 'chess' is not the game"),
    (THREE, "turn", edited(["game"], "marrakech(players=2)"), "game: 'marrakech(players=2)'"),
    (THREE, "turn", edited(["game"], "marrakech(self=3)"), "game: 'marrakech(self=3)'"),
    (THREE, "turn", edited(["game"], 3), "game: 3 is not the game"),
    (THREE, "turn", edited(["phase"], ...), "position: phase is missing"),
    (THREE, "turn", edited(["phase"], "nap"), "phase: must be draw, turn, roll, lay, turn_last or"),
    (THREE, "turn", edited(["phase"], None), "phase: must be"),
    (THREE, "turn", edited(["phase"], ["turn"]), "phase: must be"),
    (THREE, "turn", edited(["to_move"], 3), "to_move: must be a whole number from 0 to 2, not 3"),
    (THREE, "turn", edited(["to_move"], -1), "to_move: must be a whole number from 0 to 2, not -1"),
    (THREE, "turn", edited(["to_move"], True), "to_move: must be a whole number"),
    (THREE, "turn", edited(["to_move"], 1.0), "to_move: must be a whole number"),
    (THREE, "turn", edited(["to_move"], "0"), "to_move: must be a whole number"),
    (THREE, "turn", edited(["extra"], 1), "position: 'extra' is not known here"),
    (THREE, "turn", edited(["assam"], None), "assam: must be an object with square, facing"),
    (THREE, "turn", edited(["assam"], "d4"), "assam: must be an object with square, facing"),
    (THREE, "turn", edited(["assam", "square"], ...), "assam: square is missing"),
    (THREE, "turn", edited(["assam", "square"], "h9"), "assam.square: 'h9' is not a square"),
    (THREE, "turn", edited(["assam", "square"], 24), "assam.square: 24 is not a square"),
    (THREE, "turn", edited(["assam", "facing"], "north"), "assam.facing: must be N, E, S or W"),
    (THREE, "turn", edited(["assam", "facing"], ""), "assam.facing: must be N, E, S or W"),
    (THREE, "turn", edited(["assam", "facing"], "NE"), "assam.facing: must be N, E, S or W"),
    (THREE, "turn", edited(["assam", "hat"], "fez"), "assam: 'hat' is not known here"),
    (THREE, "turn", edited(["squares"], []), "squares: must be an object"),
    (THREE, "turn", edited(["squares", "a8"], {"colour": "red", "rug": 1}), "'a8' is not a square"),
    (THREE, "turn", edited(["squares", "a1"], "red"), "squares.a1: must be an object"),
    (THREE, "turn", edited(["squares", "a1"], {"colour": "red"}), "squares.a1: rug is missing"),
    (
        THREE,
        "turn",
        edited(["squares", "a1"], {"colour": "pink", "rug": 1}),
        "squares.a1.colour: must be red, yellow or blue, not 'pink'",
    ),
    (
        THREE,
        "turn",
        edited(["squares", "a1"], {"colour": "orange", "rug": 1}),
        "squares.a1.colour: must be red, yellow or blue, not 'orange'",
    ),
    (
        THREE,
        "turn",
        edited(["squares", "a1"], {"colour": "red", "rug": "1"}),
        "squares.a1.rug: must be a whole number",
    ),
    (THREE, "turn", two("a1", "b2"), "red rug 9, a1 and b2, do not touch"),
    (THREE, "turn", two("a1", "c1"), "red rug 9, a1 and c1, do not touch"),
    (THREE, "turn", two("g1", "a2"), "red rug 9, g1 and a2, do not touch"),
    (
        THREE,
        "turn",
        lambda position: (two("a1", "b1")(position), two("b1", "c1")(position)),
        "red rug 9 has more than two halves: a1, b1, c1",
    ),
    (THREE, "turn", edited(["players"], None), "players: must be a list of 3 players"),
    (THREE, "turn", edited(["players", 2], ...), "players: must be a list of 3 players"),
    (THREE, "turn", edited(["players", 1], None), "players[1]: must be an object"),
    (THREE, "turn", edited(["players", 1, "next"], ...), "players[1]: next is missing"),
    (THREE, "turn", edited(["players", 1, "out_order"], 1), "players[1]: 'out_order' is not known"),
    (THREE, "turn", player(0, dirhams=-1), "players[0].dirhams: must be a whole number from 0"),
    (THREE, "turn", player(0, dirhams=2.5), "players[0].dirhams: must be a whole number"),
    (THREE, "turn", player(0, dirhams=10**12), "players[0].dirhams: must be a whole number"),
    (THREE, "turn", player(0, rugs=3), "players[0].rugs: must be an object with red"),
    (THREE, "turn", player(0, rugs={}), "players[0].rugs: red is missing"),
    (THREE, "turn", player(0, rugs={"red": 1, "blue": 1}), "players[0].rugs: 'blue' is not known"),
    (THREE, "turn", player(0, rugs={"red": -1}), "players[0].rugs.red: must be a whole number"),
    (THREE, "turn", player(0, rugs={"red": 10**9}), "players[0].rugs.red: must be a whole number"),
    (THREE, "turn", player(1, next="red"), "players[1].next: must be yellow, not 'red'"),
    (THREE, "turn", player(1, next=None), "players[1].next: must be yellow while rugs are left"),
    (THREE, "turn", player(1, rugs={"yellow": 0}), "players[1].next: there is no yellow rug left"),
    (THREE, "turn", player(1, out=None), "players[1].out: must be true or false"),
    (THREE, "turn", player(1, out=0), "players[1].out: must be true or false"),
    (THREE, "turn", player(1, out=True), "players[1]: out_order is missing"),
    (
        THREE,
        "turn",
        player(1, out=True, out_order=1),
        "players[1]: a player who is out has no dirhams, no rugs and no next rug",
    ),
    (
        THREE,
        "turn",
        player(1, **{**GONE, "rugs": {"yellow": 0}, "out_order": 2}),
        "players: out_order must count from 1, each number once",
    ),
    (
        THREE,
        "turn",
        player(1, **{**GONE, "rugs": {"yellow": 0}, "out_order": 0}),
        "players[1].out_order: must be a whole number from 1",
    ),
    (THREE, "over", all_out, "players: at least one player must still be in"),
    (THREE, "turn", player(0, **GONE, out_order=1), "to_move: players[0] is out"),
    (THREE, "turn", edited(["phase"], "over"), "phase: over, but players still in have rugs"),
    (THREE, "turn", edited(["phase"], "turn_last"), "phase: turn_last does not occur"),
    (THREE, "turn", edited(["phase"], "draw"), "phase: draw does not occur"),
    ({**THREE, "turn_last": True}, "turn", as_it_is, "phase: turn does not occur"),
    (
        THREE,
        "turn",
        player(0, rugs={"red": 0}, next=None),
        "to_move: players[0] has no rug to lay and would be skipped",
    ),
    (
        THREE,
        "lay",
        no_rugs,
        "phase: lay, but the game is over",
    ),
    (DECKS, "turn", player(0, next=None), "players[0].next: must be known: this pile lies open"),
    (DECKS, "roll", player(1, next=None), "players[1].next: must be known: this pile lies open"),
    (DECKS, "turn", player(1, next="red"), "players[1].next: must be blue or orange"),
    (DECKS, "turn", edited(["phase"], "draw"), "phase: draw, but there is no pile to draw from"),
    (
        DECKS,
        "draw",
        player(0, next=None, rugs={"red": 0, "yellow": 2}),
        "phase: draw, but the pile of players[0] has one colour",
    ),
    (
        DECKS,
        "turn",
        player(0, rugs={"red": 0, "yellow": 2}),
        "players[0].next: there is no red rug left to lay",
    ),
    (FACE_DOWN, "turn", player(1, next="blue"), "players[1].next: must be null: this pile lies"),
    (FACE_DOWN, "turn", player(0, next=None), "players[0].next: must be known in phase turn"),
    (FACE_DOWN, "draw", as_it_is, "phase: draw, but there is no pile to draw from"),
    (
        FACE_DOWN,
        "draw",
        lambda p: (player(0, next=None)(p), player(1, next="blue")(p)),
        "players[1].next: must be null: this pile lies face down",
    ),
]


@pytest.mark.parametrize(
    ("knobs", "phase", "breaks", "problem"), BROKEN, ids=[problem for *_, problem in BROKEN]
)
def test_a_position_whose_pieces_make_no_sense_is_refused(knobs, phase, breaks, problem):
    position = make_position(knobs, phase, "d4 N")
    breaks(position)
    with pytest.raises(souk.BadPosition) as refusal:
        load(knobs, position)
    assert any(problem in result for result in refusal.value.problems), refusal.value.problems
    assert problem in str(refusal.value)


@pytest.mark.parametrize("position", [None, 3, "marrakech", [], [1, 2], True, 2.5, {}])
def test_values_other_than_positions_are_refused(position):
    with pytest.raises(souk.BadPosition):
        load(THREE, position)


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [10**5000, -(10**5000), nested(5000), "x" * 10**6], ids=type)
@pytest.mark.parametrize(
    "path",
    [
        ["game"],
        ["phase"],
        ["to_move"],
        ["assam"],
        ["assam", "square"],
        ["squares", "a1"],
        ["players", 0],
        ["players", 0, "dirhams"],
        ["players", 0, "next"],
        ["players", 0, "out"],
    ],
    ids=str,
)
def test_monstrous_values_are_refused_in_few_words(path, value):
    position = make_position(THREE, "turn", "d4 N")
    edited(path, value)(position)
    with pytest.raises(souk.BadPosition) as refusal:
        load(THREE, position)
    assert len(str(refusal.value)) < 500


def test_a_monstrous_name_is_refused_in_few_words():
    for path in (["x" * 10**6], ["squares", "x" * 10**6], ["players", 0, "rugs", "x" * 10**6]):
        position = make_position(THREE, "turn", "d4 N")
        edited(path, {})(position)
        with pytest.raises(souk.BadPosition) as refusal:
            load(THREE, position)
        assert len(str(refusal.value)) < 500


def test_everything_that_is_wrong_is_named_at_once():
    position = make_position(THREE, "turn", "d4 N")
    position["assam"]["square"] = "h9"
    position["squares"]["b2"] = {"colour": "pink", "rug": 1}
    two("a1", "c3", "blue")(position)
    position["players"][2]["dirhams"] = -4
    position["phase"] = "asleep"
    with pytest.raises(souk.BadPosition) as refusal:
        load(THREE, position)
    assert len(refusal.value.problems) == 5
    for where in ("assam.square", "squares.b2.colour", "a1 and c3", "players[2]", "phase"):
        assert where in str(refusal.value)


def test_a_refused_position_is_a_value_error():
    with pytest.raises(ValueError, match="cannot be loaded"):
        load(THREE, {})


def test_every_two_squares_that_touch_can_be_a_rug_and_no_others():
    base = make_position(THREE, "turn", "d4 N")
    game = souk.load_game("marrakech", **THREE)
    for one in SQUARES:
        for other in SQUARES:
            if one == other:
                continue
            rug = {"colour": "red", "rug": 1}
            position = {**base, "squares": {one: rug, other: rug}}
            if other in neighbours(one):
                game.state_from_dict(position)
            else:
                with pytest.raises(souk.BadPosition):
                    game.state_from_dict(position)


# ---- anything at all -------------------------------------------------------------------------


def loads_and_plays_or_is_refused(game, position, rng):
    """The whole of the promise: a state that works, or BadPosition and nothing else."""
    try:
        state = game.state_from_dict(position)
    except souk.BadPosition:
        return False
    written = state.to_dict()
    assert game.state_from_dict(written).to_dict() == written
    for _ in range(60):
        assert str(state)
        assert len(state.scores()) == len(state.returns()) == game.num_players()
        assert sorted(seat for group in state.ranking() for seat in group) == list(
            range(game.num_players())
        )
        if state.is_terminal():
            assert state.legal_actions() == []
            break
        if state.is_chance_node():
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
            assert len(state.chance_outcomes()) > 1
        state.apply_action(rng.choice(state.legal_actions()))
        assert state.events()
    souk.playouts(state, games=1, seed=1, target="python")
    return True


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["red", "yellow", "blue", "orange", "d4", "g7", "N", "lay", "draw", "over"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["a1", "b1", "colour", "rug", "next", "out", "red"])
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(anything)
@settings(max_examples=150)
def test_any_json_is_refused_as_a_bad_position(value):
    game = souk.load_game("marrakech")
    assert not loads_and_plays_or_is_refused(game, value, Random(1))


def places_in(value, path=()):
    """The way to every value inside a JSON value."""
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield from places_in(inner, (*path, key))


LIKELY = {
    "phase": st.sampled_from(["draw", "turn", "roll", "lay", "turn_last", "over"]),
    "to_move": st.integers(-1, 4),
    "square": st.sampled_from(SQUARES),
    "facing": st.sampled_from("NESW"),
    "colour": st.sampled_from(["red", "yellow", "blue", "orange"]),
    "rug": st.integers(0, 6),
    "next": st.sampled_from([None, "red", "yellow", "blue", "orange"]),
    "out": st.booleans(),
    "out_order": st.integers(0, 4),
    "dirhams": st.integers(0, 40),
}


@st.composite
def mutated(draw):
    """A valid position with some values changed, taken away or added."""
    state = draw(states())
    position = json.loads(json.dumps(state.to_dict()))
    for _ in range(draw(st.integers(1, 4))):
        way = draw(st.sampled_from([path for path in places_in(position) if path]))
        inner = position
        for key in way[:-1]:
            inner = inner[key]
        kind = draw(st.sampled_from(["likely", "likely", "likely", "anything", "gone", "added"]))
        if kind == "gone":
            del inner[way[-1]]
        elif kind == "added" and isinstance(inner, dict):
            key = draw(st.sampled_from([*LIKELY, *SQUARES]))
            inner[key] = draw(LIKELY.get(key, st.just({"colour": "red", "rug": 1})))
        else:
            likely = LIKELY.get(way[-1], st.integers(0, 5))
            inner[way[-1]] = draw(likely if kind == "likely" else anything)
        if not position:
            break
    return state.game, position


@given(mutated(), st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_a_mutated_position_works_or_is_refused(given_position, rng):
    game, position = given_position
    loads_and_plays_or_is_refused(game, position, rng)


def test_every_position_of_a_game_can_be_loaded():
    """At the limit too: who has everything can still be paid no more than there is."""
    position = make_position(THREE, "turn", "d4 N", rugs=["red a1a2"])
    for player, dirhams in zip(position["players"], (99_999_999, 1, 0), strict=True):
        player["dirhams"] = dirhams
    load(THREE, position)
    position["players"][2]["dirhams"] = 1
    with pytest.raises(souk.BadPosition, match="players: have 100000001 dirhams together"):
        load(THREE, position)
