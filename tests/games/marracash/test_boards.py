"""Boards: the two that come with souk are those of the rules, and a house can have its own."""

import copy
import itertools
import json
import os
import pickle
import subprocess
import sys
from importlib.resources import files
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import souk
from tests.games.marracash.board_facts import BOARDS, NAMES
from tests.games.marracash.custom_boards import as_board_file, entry, odd_town, save_board, town
from tests.games.marracash.positions import make_position, sensible
from tests.games.marracash.reference import COLOURS, Reference
from tests.games.marracash.test_against_reference import assert_agree

every_board = pytest.mark.parametrize("name", NAMES)


def shipped(name):
    """The board file that comes with souk."""
    return json.loads(files("souk.games.marracash").joinpath(f"boards/{name}.json").read_text())


def load(layout, **knobs):
    return souk.load_game("marracash", players=3, layout=layout, **knobs)


def load_board(board, tmp_path, **knobs):
    return load(save_board(board, tmp_path / "board.json"), **knobs)


# ---- the boards of the rules ---------------------------------------------------------------------


@every_board
def test_a_shipped_board_is_the_one_of_the_rules(name):
    ours, theirs = shipped(name), BOARDS[name]
    assert sorted(ours["gates"]) == sorted(theirs["gates"])
    for kind, facts in {
        "fountains": ["dark", "adjacent_shops"],
        "shops": ["color"],
        "streets": ["a", "b", "passed_a_to_b", "passed_b_to_a"],
    }.items():
        assert {one["id"]: [one[fact] for fact in facts] for one in ours[kind]} == {
            one["id"]: [one[fact] for fact in facts] for one in theirs[kind]
        }


@every_board
def test_a_shipped_board_has_16_fountains_23_streets_25_shops_and_3_gates(name):
    board = shipped(name)
    assert [len(board[kind]) for kind in ("fountains", "streets", "shops", "gates")] == [
        16,
        23,
        25,
        3,
    ]
    for colour in COLOURS:
        assert sum(shop["color"] == colour for shop in board["shops"]) == 5
    assert sorted(board["gates"]) == sorted(f["id"] for f in board["fountains"] if f["dark"])


@every_board
def test_shops_that_touch_where_a_group_arrives_are_met_and_those_only_where_it_left_are_not(name):
    """A fact of the data: what touches the arrival is met on every way there."""
    board = BOARDS[name]
    touching = {one["id"]: one["adjacent_shops"] for one in board["fountains"]}
    for street in board["streets"]:
        for there, met in ((street["b"], "passed_a_to_b"), (street["a"], "passed_b_to_a")):
            assert set(touching[there]) <= set(street[met])


@every_board
def test_shops_met_at_the_same_spot_are_listed_in_name_order_both_ways(name):
    """Shops at different spots change their order on the way back; the others have it by name."""
    together = 0
    for street in shipped(name)["streets"]:
        there, back = street["passed_a_to_b"], street["passed_b_to_a"]
        for one, other in itertools.combinations(there, 2):
            if one in back and other in back and back.index(one) < back.index(other):
                together += 1
                assert one < other, street["id"]
    assert together > 10


@pytest.mark.parametrize("way", ["F8>F9", "F9>F8"])
def test_shops_at_the_same_spot_are_entered_in_name_order_both_ways(way):
    """B2 and G4 face each other: the blue customer turns up the first card."""
    knobs = {"players": 3, "souvenirs": True}
    position = make_position(
        knobs,
        groups={way.split(">")[0]: "green blue"},
        shops={"B2": (1, 0), "G4": (2, 0)},
        cards={"open": [["green", 100], ["blue", 125]], "left": {"red": [50, 75]}},
    )
    state = souk.load_game("marracash", **knobs).state_from_dict(position)
    state.apply_action(state.string_to_action(f"move {way}"))
    assert state.to_dict()["shops"] == {
        "B2": {"owner": 1, "customers": 1},
        "G4": {"owner": 2, "customers": 0},
    }
    assert state.to_dict()["cards"]["open"] == [["green", 100]]


@every_board
def test_every_move_that_the_board_allows_is_an_action_and_no_other(name):
    game = load(name)
    texts = [game.action_to_string(action) for action in range(len(game.action_texts))]
    moves = {text for text in texts if text.startswith("move")}
    ways = [(one["a"], one["b"]) for one in BOARDS[name]["streets"]]
    assert moves == {f"move {a}>{b}" for a, b in ways} | {f"move {b}>{a}" for a, b in ways}
    shops = {text for text in texts if text.startswith("auction")}
    assert shops == {f"auction {one['id']}" for one in BOARDS[name]["shops"]}
    brings = {text.split()[1] for text in texts if text.startswith("bring")}
    assert brings == set(BOARDS[name]["gates"])


def test_classic1996_is_the_default():
    assert souk.load_game("marracash", players=3) == load("classic1996")


# ---- custom boards -------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(24))
def test_games_on_any_board_agree_with_the_reference(number, tmp_path):
    rng = Random(f"odd town {number}")
    board = odd_town(rng)
    knobs = {
        "commission": rng.choice(["per-customer", "per-group", "once"]),
        "souvenirs": rng.random() < 0.6,
        "pull_in": rng.random() < 0.7,
    }
    game = load_board(board, tmp_path, **knobs)
    state = game.new_initial_state(seed=number)
    other = Reference(state.to_dict(), board, players=3, layout=game.settings["layout"], **knobs)
    other.game_text = lambda: str(game)
    for _ in range(250):
        assert_agree(state, other)
        if other.is_terminal():
            break
        text = sensible(rng, other.legal())
        other.apply(text)
        state.apply_action(state.string_to_action(text))


def test_a_shipped_board_saved_under_another_name_plays_the_same(tmp_path):
    for name in NAMES:
        one, other = load(name), load_board(as_board_file(BOARDS[name]), tmp_path)
        states = [game.new_initial_state(seed=4) for game in (one, other)]
        rng = Random(name)
        for _ in range(80):
            texts = [sorted(map(s.action_to_string, s.legal_actions())) for s in states]
            assert texts[0] == texts[1]
            text = sensible(rng, texts[0])
            for state in states:
                state.apply_action(state.string_to_action(text))
        assert {**states[0].to_dict(), "game": 0} == {**states[1].to_dict(), "game": 0}


@pytest.mark.parametrize(
    "name",
    [
        "plain.json",
        "with blanks.json",
        "comma,equals=(brackets).json",
        "it's.json",
        'said "so".json',
        "back\\slash.json",
        "médina des pâtissiers ✿.json",
        "True",
        "3",
        "None",
        "line\nbreak.json",
        " edges ",
    ],
)
def test_whatever_a_file_is_called_the_games_string_gives_it_back(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_board(town(), tmp_path / name)
    for path in (name, str(tmp_path / name)):
        game = load(path)
        assert game.settings["layout"] == path
        assert str(souk.load_game(str(game))) == str(game)
        assert souk.load_game(str(game)) == game
        assert eval(repr(game), {"souk": souk}) == game
        assert pickle.loads(pickle.dumps(game)) == game
        state = game.new_initial_state(seed=1)
        assert state.to_dict()["game"] == str(game)
        assert game.state_from_dict(json.loads(json.dumps(state.to_dict()))) == state


def test_a_file_that_was_changed_is_read_again(tmp_path):
    board = town()
    before = load_board(board, tmp_path)
    entry(board, "shops", "R1")["id"] = "R9"
    for street in board["streets"]:
        for key in ("passed_a_to_b", "passed_b_to_a"):
            street[key] = ["R9" if shop == "R1" else shop for shop in street[key]]
    after = load_board(board, tmp_path)
    assert "auction R1" in map(before.action_to_string, range(len(before.action_texts)))
    assert "auction R9" in map(after.action_to_string, range(len(after.action_texts)))


def test_games_on_a_file_are_equal_only_while_it_says_the_same(tmp_path):
    board = town()
    before = load_board(board, tmp_path)
    state = before.new_initial_state(seed=1)
    again = load_board(board, tmp_path)
    assert again == before and hash(again) == hash(before)
    assert again.new_initial_state(seed=1) == state
    stored = pickle.dumps((before, state))
    board["streets"] = board["streets"][::-1]  # another numbering of the same moves
    after = load_board(board, tmp_path)
    assert str(after) == str(before) and after != before
    assert after.new_initial_state(seed=1) != state
    with pytest.raises(souk.SoukError, match=r"board\.json.*has changed"):
        pickle.loads(stored)
    assert copy.deepcopy(state) == state and copy.copy(before) is before
    (tmp_path / "board.json").unlink()
    with pytest.raises(souk.BadKnob, match=r"board\.json.*cannot be read"):
        pickle.loads(stored)


def test_other_fields_of_a_board_file_are_ignored(tmp_path):
    board = {**town(), "note": "ours", "origin": None, "picture": ["…"], "checks": {"planar": True}}
    for one in [*board["fountains"], *board["shops"], *board["streets"]]:
        one["remark"] = {"degree": 3}
    assert load_board(board, tmp_path).new_initial_state(seed=1).legal_actions()


def test_a_board_of_ones_own_is_drawn_and_printed(tmp_path):
    for number in range(4):
        game = load_board(odd_town(Random(f"drawn {number}")), tmp_path)
        state = game.new_initial_state(seed=number)
        assert str(state).strip()
        assert state.svg(options=True).startswith("<svg")


# ---- refusals ------------------------------------------------------------------------------------


def refusal(board, tmp_path):
    with pytest.raises(souk.BadKnob) as refused:
        load_board(board, tmp_path)
    text = str(refused.value)
    assert text.startswith("layout") and "board.json" in text
    assert len(text) < 3000
    return text


def put(kind, name, **changes):
    def edit(board):
        entry(board, kind, name).update(changes)

    return edit


def take(kind, name, key):
    def edit(board):
        del entry(board, kind, name)[key]

    return edit


def drop(kind, name):
    def edit(board):
        board[kind].remove(entry(board, kind, name))

    return edit


def add(kind, like, **changes):
    def edit(board):
        board[kind].append({**copy.deepcopy(entry(board, kind, like)), **changes})

    return edit


def top(key, value):
    def edit(board):
        if value is ...:
            del board[key]
        else:
            board[key] = value

    return edit


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def hide_shop(board):
    """Nobody passes Y1 any more."""
    for street in board["streets"]:
        for key in ("passed_a_to_b", "passed_b_to_a"):
            street[key] = [shop for shop in street[key] if shop != "Y1"]


def cut_off(board):
    """F14 and F8, F9, F4 … stay joined; only the streets of F2 go."""
    board["streets"] = [one for one in board["streets"] if "F2" not in (one["a"], one["b"])]
    put("streets", "E06", passed_a_to_b=["P3", "R1", "Y2", "G1", "P1", "G2", "P4"])(board)


def fourth_gate(board):
    put("fountains", "F2", dark=True)(board)
    board["gates"].append("F2")


BROKEN = {
    "unknown fountain of a street": (put("streets", "E05", b="F99"), ["E05", "F99"]),
    "street to nowhere": (put("streets", "E05", a=None), ["E05", "None"]),
    "street to itself": (put("streets", "E05", b="F3"), ["E05", "F3"]),
    "street twice": (add("streets", "E05", id="E99"), ["E99", "E05"]),
    "street back": (add("streets", "E05", id="E99", a="F5", b="F3"), ["E99", "E05"]),
    "street to a number": (put("streets", "E05", a=3), ["E05", "3"]),
    "street to a list": (put("streets", "E05", a=["F3"]), ["E05"]),
    "unknown shop on a street": (
        put("streets", "E05", passed_a_to_b=["B1", "X7"]),
        ["E05", "passed_a_to_b", "X7"],
    ),
    "shop met twice": (put("streets", "E05", passed_b_to_a=["B1", "B1"]), ["E05", "B1"]),
    "no list of shops": (put("streets", "E05", passed_a_to_b="B1"), ["E05", "passed_a_to_b"]),
    "shops by number": (put("streets", "E05", passed_a_to_b=[1]), ["E05", "passed_a_to_b", "1"]),
    "nested shops": (put("streets", "E05", passed_a_to_b=[["B1"]]), ["E05", "passed_a_to_b"]),
    "street without an end": (take("streets", "E05", "b"), ["streets[4]", "b"]),
    "street without shops": (take("streets", "E05", "passed_b_to_a"), ["passed_b_to_a"]),
    "street without id": (take("streets", "E05", "id"), ["streets[4]", "id"]),
    "duplicate street id": (put("streets", "E05", id="E06"), ["E06"]),
    "shop without a street": (hide_shop, ["Y1"]),
    "shop added to no street": (add("shops", "R1", id="R9"), ["R9"]),
    "shop dropped": (drop("shops", "R1"), ["R1", "E03"]),
    "duplicate shop id": (put("shops", "R1", id="R2"), ["R2"]),
    "unknown colour": (put("shops", "R1", color="pink"), ["R1", "color"]),
    "colour in another language": (put("shops", "R1", color="rouge"), ["R1", "color"]),
    "colour of another case": (put("shops", "R1", color="Red"), ["R1", "color"]),
    "no colour": (put("shops", "R1", color=None), ["R1", "color"]),
    "colour as a list": (put("shops", "R1", color=["red"]), ["R1", "color"]),
    "shop without colour": (take("shops", "R1", "color"), ["color"]),
    "shop as a text": (top("shops", ["R1", "R2"]), ["shops[0]"]),
    "no shops": (top("shops", []), ["shops"]),
    "shops missing": (top("shops", ...), ["shops"]),
    "shops by name": (top("shops", {"R1": {"color": "red"}}), ["shops"]),
    "too many shops": (top("shops", [{}] * 10_000), ["shops"]),
    "not connected": (cut_off, ["F2"]),
    "fountain nobody comes to": (add("fountains", "F2", id="F17"), ["F17"]),
    "duplicate fountain id": (put("fountains", "F2", id="F3"), ["F3"]),
    "fountain dropped": (drop("fountains", "F2"), ["F2", "E01"]),
    "fountain named by a number": (put("fountains", "F2", id=2), ["fountains[1]", "id"]),
    "fountain without a name": (put("fountains", "F2", id=""), ["fountains[1]", "id"]),
    "fountain with a blank": (put("fountains", "F2", id="F 2"), ["fountains[1]", "id"]),
    "fountain with an arrow": (put("fountains", "F2", id="F2>F3"), ["fountains[1]", "id"]),
    "fountain with a line break": (put("fountains", "F2", id="F2\n"), ["fountains[1]", "id"]),
    "dark by a number": (put("fountains", "F1", dark=1), ["F1", "dark"]),
    "dark by a word": (put("fountains", "F2", dark="no"), ["F2", "dark"]),
    "dark missing": (take("fountains", "F1", "dark"), ["fountains[0]", "dark"]),
    "unknown shop beside a fountain": (
        put("fountains", "F2", adjacent_shops=["X7"]),
        ["F2", "adjacent_shops", "X7"],
    ),
    "no list beside a fountain": (put("fountains", "F2", adjacent_shops=7), ["F2", "adjacent"]),
    "shop beside a fountain where nobody meets it": (
        put("fountains", "F2", adjacent_shops=["G5"]),
        ["F2", "adjacent_shops", "G5"],
    ),
    "unknown street of a shop": (put("shops", "R1", streets=["NOPE"]), ["R1", "streets", "NOPE"]),
    "no street of a shop": (put("shops", "R1", streets=[]), ["R1", "streets", "E03, E06"]),
    "streets of a shop by number": (put("shops", "R1", streets=5), ["R1", "streets", "5"]),
    "street that does not pass": (put("shops", "R1", streets=["E01", "E03", "E06"]), ["R1"]),
    "home in no street": (put("shops", "R1", home_street="NOPE"), ["R1", "home_street", "NOPE"]),
    "home in another street": (put("shops", "R1", home_street="E01"), ["R1", "home", "E01"]),
    "name by number": (top("name", 5), ["name", "5"]),
    "deep down": (top("note", nested(500)), ["deep"]),
    "deep down in an entry": (put("streets", "E05", polyline=nested(500)), ["deep"]),
    "no fountains": (top("fountains", []), ["fountains"]),
    "fountains missing": (top("fountains", ...), ["fountains"]),
    "null fountain": (top("fountains", [None]), ["fountains[0]"]),
    "streets missing": (top("streets", ...), ["streets"]),
    "streets null": (top("streets", None), ["streets"]),
    "two gates": (top("gates", ["F1", "F8"]), ["gates"]),
    "four gates": (fourth_gate, ["gates"]),
    "gates missing": (top("gates", ...), ["gates"]),
    "gate that is no fountain": (top("gates", ["F1", "F8", "F99"]), ["gates", "F99"]),
    "gate that is not dark": (top("gates", ["F1", "F8", "F2"]), ["gates"]),
    "dark fountain that is no gate": (put("fountains", "F2", dark=True), ["gates"]),
    "gate twice": (top("gates", ["F1", "F8", "F8"]), ["gates"]),
    "gate by number": (top("gates", [1, 2, 3]), ["gates", "1"]),
    "gates of lists": (top("gates", [["F1"], ["F8"], ["F16"]]), ["gates"]),
    "gates as a text": (top("gates", "F1 F8 F16"), ["gates"]),
    "no place": (take("fountains", "F2", "x"), ["fountains[1]", "x"]),
    "place by a word": (put("shops", "R1", y="top"), ["R1", "y"]),
    "place off the picture": (put("shops", "R1", x=7), ["R1", "x"]),
    "place nowhere": (put("fountains", "F2", x=float("nan")), ["F2", "x"]),
    "place at the end of the world": (put("fountains", "F2", y=float("inf")), ["F2", "y"]),
    "place by truth": (put("fountains", "F2", y=True), ["F2", "y"]),
    "place without end": (put("fountains", "F2", y=10**400), ["F2", "y"]),
}

# Invalid drawing data, in a board that has a drawing.
MISDRAWN = {
    "grid of words": (top("grid", {"rows": "many", "cols": 13}), ["grid"]),
    "grid of nothing": (top("grid", {"rows": 0, "cols": 13}), ["grid"]),
    "grid without end": (top("grid", {"rows": 10**9, "cols": 13}), ["grid"]),
    "grid by halves": (top("grid", {"rows": 9.5, "cols": 13}), ["grid"]),
    "grid as a list": (top("grid", [9, 13]), ["grid"]),
    "grid null": (top("grid", None), ["grid"]),
    "cells without a grid": (top("grid", ...), ["Y1", "grid"]),
    "cells by a word": (put("shops", "R1", cells="top"), ["R1", "top"]),
    "cells of words": (put("shops", "R1", cells=[[8, "x"]]), ["R1", "x"]),
    "cells off the grid": (put("shops", "R1", cells=[[0, 13]]), ["R1", "13"]),
    "cells before the grid": (put("shops", "R1", cells=[[-1, 0]]), ["R1", "-1"]),
    "no cells": (put("shops", "R1", cells=[]), ["R1"]),
    "cells of another shop": (put("shops", "R1", cells=[[0, 0]]), ["R1", "Y1"]),
    "cell of a fountain": (put("shops", "R1", cells=[[0, 9]]), ["R1", "F1"]),
    "row of a word": (put("fountains", "F1", row="abc"), ["F1", "abc"]),
    "column off the grid": (put("fountains", "F1", col=-99), ["F1", "-99"]),
    "blocked by a word": (top("blocked_cells", "none"), ["blocked_cells"]),
    "blocked by halves": (top("blocked_cells", [[1]]), ["blocked_cells", "1"]),
    "blocked shop": (top("blocked_cells", [[0, 0]]), ["blocked_cells", "Y1"]),
    "street by a word": (put("streets", "E05", polyline="straight"), ["E05", "polyline"]),
    "street of one point": (put("streets", "E05", polyline=[[0.5, 0.2]]), ["E05", "polyline"]),
    "street of no numbers": (put("streets", "E05", polyline=[["a", 0], [0, 1]]), ["E05", "a"]),
    "street nowhere": (put("streets", "E05", polyline=[[float("nan"), 0]] * 2), ["E05", "nan"]),
    "street without end": (put("streets", "E05", polyline=[[10**400, 0]] * 2), ["E05"]),
    "street out of town": (put("streets", "E05", polyline=[[0.5, 0.2], [0.5, 7]]), ["E05", "7"]),
    "street elsewhere": (put("streets", "E05", polyline=[[0.9, 0.9], [0.8, 0.8]]), ["E05", "F3"]),
    "street of many points": (put("streets", "E05", polyline=[[0.5, 0.5]] * 5000), ["E05"]),
}


@pytest.mark.parametrize("case", MISDRAWN)
def test_an_absurd_drawing_is_refused_and_the_entry_named(case, tmp_path):
    board = shipped("classic1996")
    breaks, named = MISDRAWN[case]
    breaks(board)
    text = refusal(board, tmp_path)
    for name in named:
        assert name in text, text


@pytest.mark.parametrize("case", BROKEN)
def test_an_absurd_board_is_refused_and_the_entry_named(case, tmp_path):
    board = town()
    breaks, named = BROKEN[case]
    breaks(board)
    text = refusal(board, tmp_path)
    for words in named:
        assert words in text, text


def test_everything_that_is_wrong_is_named_at_once(tmp_path):
    board = town()
    put("streets", "E05", b="F99")(board)
    put("shops", "R1", color="pink")(board)
    put("fountains", "F2", adjacent_shops=["X7"])(board)
    top("gates", ["F1", "F8"])(board)
    text = refusal(board, tmp_path)
    for words in ("E05", "F99", "R1", "F2", "X7", "gates"):
        assert words in text


@pytest.mark.parametrize(
    "value", [None, True, 3, "classic1996", [], [1], {}, {"layouts": []}, {"layouts": [1]}]
)
def test_json_that_is_no_board_is_refused(value, tmp_path):
    refusal(value, tmp_path)


def test_a_file_with_several_boards_is_refused(tmp_path):
    both = {"layouts": [as_board_file(BOARDS[name]) for name in NAMES]}
    assert "one board, and holds 2" in refusal(both, tmp_path)
    assert "one board, and holds none" in refusal({"layouts": []}, tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"not json",
        b"\xff\xfe\x00",
        b"\x89PNG\r\n\x1a\n\x00",
        b"[" * 100_000,
        b'{"fountains": ' * 50_000,
        b"1" * 10_000,
        b'{"fountains": [' + b"0," * 10_000 + b"0]}",
    ],
    ids=["empty", "brace", "words", "no text", "png", "deep", "deeper", "digits", "long"],
)
def test_invalid_or_huge_board_files_are_refused_briefly(content, tmp_path):
    path = tmp_path / "board.json"
    path.write_bytes(content)
    with pytest.raises(souk.BadKnob) as refused:
        load(str(path))
    assert str(refused.value).startswith("layout") and len(str(refused.value)) < 600


def test_a_huge_file_is_refused_without_being_read(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(10**12)  # a hole: it takes no space on disk
    with pytest.raises(souk.BadKnob, match=r"huge\.json"):
        load(str(path))


def test_monstrous_names_are_refused_in_few_words(tmp_path):
    for kind in ("fountains", "shops", "streets"):
        board = town()
        board[kind][0]["id"] = "x" * 100_000
        put("streets", "E05", b="y" * 100_000)(board)
        refusal(board, tmp_path)


@pytest.mark.parametrize("path", ["", ".", "no such file.json", "no/such/folder.json", "\0", "~"])
def test_a_file_that_is_not_there_is_refused(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(souk.BadKnob, match="layout"):
        load(path)


def test_a_name_longer_than_any_file_has_is_refused_in_few_words():
    with pytest.raises(souk.BadKnob, match="layout") as refused:
        load("x" * 100_000)
    assert len(str(refused.value)) < 500


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(souk.BadKnob, match="layout"):
        load(str(tmp_path))


@pytest.mark.parametrize("layout", [None, 3, True, ["classic1996"], {"id": "own"}, b"medina"])
def test_a_layout_is_named_by_a_text(layout):
    with pytest.raises(souk.BadKnob, match="layout"):
        load(layout)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_endless_files_are_not_read(tmp_path):
    """A pipe, or /dev/zero: only a file is a file."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    code = (
        "import souk, sys\n"
        "try: souk.load_game('marracash', players=3, layout=sys.argv[1])\n"
        "except souk.BadKnob as refused: print(refused)\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", code, str(pipe)],
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    assert output.stdout.startswith("layout")


# ---- anything at all -----------------------------------------------------------------------------


def places_in(value, path=()):
    """The way to every value inside a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else items:
        yield from places_in(inner, (*path, key))


NAMES_OF_ALL = ["F1", "F2", "F8", "F16", "R1", "B1", "G2", "E01", "red", "blue"]
likely = st.one_of(
    st.sampled_from(NAMES_OF_ALL),
    st.integers(-1, 2),
    st.floats(),
    st.booleans(),
    st.none(),
    st.just([]),
    st.just({}),
    st.lists(st.sampled_from(NAMES_OF_ALL), max_size=3),
)


@given(st.data())
@settings(max_examples=120)
def test_a_mutated_board_is_refused_or_can_be_played_on(tmp_path_factory, data):
    board = town()
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from([path for path in places_in(board) if path]))
        inner = board
        for key in way[:-1]:
            inner = inner[key]
        kind = data.draw(st.sampled_from(["other", "other", "gone", "twice"]))
        if kind == "gone":
            del inner[way[-1]]
        elif kind == "twice" and isinstance(inner, list):
            inner.append(copy.deepcopy(inner[way[-1]]))
        else:
            inner[way[-1]] = data.draw(likely)
    path = tmp_path_factory.getbasetemp() / "mutated.json"
    path.write_text(json.dumps(board), "utf-8")
    try:
        game = load(str(path), pull_in=True)
    except souk.BadKnob:
        return
    rng = Random(1)
    state = game.new_initial_state(seed=1)
    for _ in range(40):
        if state.is_terminal():
            break
        text = sensible(rng, [state.action_to_string(a) for a in state.legal_actions()])
        state.apply_action(state.string_to_action(text))
    assert game.state_from_dict(state.to_dict()) == state
