"""The town in characters: streets, shops, groups, the queue, and what is to be done."""

import copy
import json
from importlib.resources import files
from random import Random

import pytest

import souk
from souk.engine.styled_text import plain_text
from tests.games.marracash.custom_boards import odd_town, save_board, town
from tests.games.marracash.positions import make_position

NAMES = ["Zoe", "Yves", "Xenia"]


def shipped(name):
    return json.loads(files("souk.games.marracash").joinpath(f"boards/{name}.json").read_text())


def set_up(knobs=None, **arrangement):
    knobs = {"players": 3, **(knobs or {})}
    return souk.load_game("marracash", **knobs).state_from_dict(make_position(knobs, **arrangement))


def play(state, *texts):
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def lines(state):
    return [plain_text(line).rstrip() for line in state.game.board_lines(state)]


def start(board, tmp_path):
    game = souk.load_game("marracash", players=3, layout=save_board(board, tmp_path / "board.json"))
    return game.new_initial_state(seed=1)


# ---- streets -------------------------------------------------------------------------------------


def joined_fountains(drawn, fountains):
    """The pairs of fountains that lines of characters join, read off the map alone."""
    drawn = [line.ljust(100) for line in drawn]
    at = {}
    for row, line in enumerate(drawn):
        for name in fountains:
            for text in (f"({name})", f"[{name}]"):
                if text in line:
                    at |= {(row, line.index(text) + k): name for k in range(len(text))}
    result = set()
    for (row, column), name in at.items():
        for step in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            end = follow(drawn, at, row, column, step)
            if end and end != name:
                result.add(frozenset((name, end)))
    return result


def follow(drawn, at, row, column, step):
    came = step
    while True:
        row, column = row + came[0], column + came[1]
        if not 0 <= row < len(drawn) or not 0 <= column < len(drawn[row]):
            return None
        if (row, column) in at:
            return at[row, column]
        here = drawn[row][column]
        if here == "+":
            turns = [(came[1], came[0]), (-came[1], -came[0])]
            came = next((t for t in turns if continues(drawn, at, row, column, t)), came)
        elif here != ("-" if came[0] == 0 else "|"):
            return None


def continues(drawn, at, row, column, step):
    row, column = row + step[0], column + step[1]
    if not 0 <= row < len(drawn) or not 0 <= column < len(drawn[row]):
        return False
    sign = "-" if step[0] == 0 else "|"
    return (row, column) in at or drawn[row][column] in (sign, "+")


@pytest.mark.parametrize("name", ["classic1996", "medina"])
def test_the_map_of_a_shipped_board_shows_its_streets_and_no_others(name):
    state = souk.load_game("marracash", layout=name).new_initial_state(seed=1)
    board = shipped(name)
    drawn = lines(state)[: board["grid"]["rows"]]
    streets = {frozenset((street["a"], street["b"])) for street in board["streets"]}
    assert joined_fountains(drawn, [fountain["id"] for fountain in board["fountains"]]) == streets
    assert max(map(len, drawn)) <= 80
    words = " ".join(drawn).replace("-", " ").replace("|", " ").split()
    for fountain in board["fountains"]:
        sides = "[]" if fountain["dark"] else "()"
        assert words.count(sides[0] + fountain["id"] + sides[1]) == 1
    for shop in board["shops"]:
        assert words.count(shop["id"]) == 1


def test_a_board_without_a_grid_lists_its_streets_with_the_shops_on_the_way(tmp_path):
    drawn = lines(start(town(), tmp_path))
    assert any("to F2: G2  to F6: G2 P2 R2 B3  to F3: P2 B1 R1" in line for line in drawn)
    assert any(line.startswith("[F1]") for line in drawn)
    assert any(line.startswith("shops   R1 -  R2 -") for line in drawn)


def test_a_map_that_would_be_wrong_is_not_drawn(tmp_path):
    wide = shipped("classic1996")
    wide["grid"] = {"rows": 9, "cols": 40}
    for entry in (*wide["fountains"], *wide["shops"]):
        for key in ("row", "col", "cells"):
            entry.pop(key, None)
    through_another = shipped("classic1996")
    through_another["streets"][3].pop("polyline")
    two_in_a_cell = copy.deepcopy(wide)
    two_in_a_cell["grid"] = {"rows": 2, "cols": 3}
    wide.pop("blocked_cells")
    two_in_a_cell.pop("blocked_cells")
    for board in (wide, through_another, two_in_a_cell):
        assert any("to F2: G2" in line for line in lines(start(board, tmp_path)))


def little_town(size, places, streets):
    """A board on a grid: fountains A, B … by row and column, and streets like "AB"."""
    rows, columns = size
    names = "ABCDEFGH"[: len(places)]
    return {
        "grid": {"rows": rows, "cols": columns},
        "fountains": [
            {
                "id": name,
                "x": (column + 0.5) / columns,
                "y": (row + 0.5) / rows,
                "dark": name in "ABC",
            }
            for name, (row, column) in zip(names, places, strict=True)
        ],
        "gates": [*"ABC"],
        "shops": [{"id": "R1", "color": "red", "x": 0.99, "y": 0.01}],
        "streets": [
            {"id": way, "a": way[0], "b": way[1], "passed_a_to_b": ["R1"], "passed_b_to_a": []}
            for way in streets
        ],
    }


def test_streets_that_cross_or_have_no_length_on_the_map_are_listed(tmp_path):
    around = [(0, 2), (4, 2), (2, 0), (2, 4), (4, 4)]
    clear = little_town((5, 5), around, ["AC", "BC", "BE"])
    clear["fountains"] = clear["fountains"][:3] + clear["fountains"][4:]
    drawn = lines(start(clear, tmp_path))
    assert joined_fountains(drawn[:5], "ABCE") == {
        frozenset("CA"),
        frozenset("CB"),
        frozenset("BE"),
    }
    crossing = little_town((5, 5), around, ["AB", "CD", "BE", "DE"])
    beside = little_town((5, 5), [(0, 0), (0, 1), (3, 3)], ["AB", "BC"])
    for board in (crossing, beside):
        assert any("to B: R1" in line for line in lines(start(board, tmp_path)))


def test_long_names_are_not_cut_and_show_their_colour(tmp_path):
    board = {
        "grid": {"rows": 1, "cols": 5},
        "fountains": [
            {"id": f"FOUNT{n:03}", "x": 0.1 + 0.4 * n, "y": 0.5, "dark": True} for n in range(3)
        ],
        "gates": [f"FOUNT{n:03}" for n in range(3)],
        "shops": [
            {"id": f"SHOPS{n:03}", "color": "red", "x": 0.2 + 0.4 * n, "y": 0.2} for n in range(2)
        ],
        "streets": [
            {
                "id": f"E{n}",
                "a": f"FOUNT{n:03}",
                "b": f"FOUNT{n + 1:03}",
                "passed_a_to_b": [f"SHOPS{n:03}"],
                "passed_b_to_a": [],
            }
            for n in range(2)
        ],
    }
    drawn = "\n".join(lines(start(board, tmp_path)))
    for n in range(3):
        assert f"[FOUNT{n:03}]" in drawn
    assert "SHOPS000/R -" in drawn and "SHOPS001/R -" in drawn


def test_any_board_is_printed_with_every_name(tmp_path):
    for number in range(12):
        board = odd_town(Random(f"printed {number}"))
        drawn = "\n".join(lines(start(board, tmp_path)))
        for kind in ("fountains", "shops"):
            assert all(entry["id"] in drawn for entry in board[kind])
        assert max(map(len, drawn.splitlines())) <= 80


# ---- owners, queue, walkers ----------------------------------------------------------------------


def test_owners_are_marked_by_their_seats_whatever_they_are_called():
    state = set_up(shops={"Y3": (1, 12), "Y2": (2, 0)})
    drawn = "\n".join(lines(state))
    assert "2:12" in drawn and "3:0" in drawn
    output = plain_text(state.game.board_text(state, NAMES))
    assert "Yves (2)" in output and "Y3 12" in output and "an" not in output.split()


def test_the_queue_is_a_u_with_head_and_tail():
    state = set_up(queue="red blue green yellow yellow")
    upper, lower = (line for line in lines(state) if "head" in line or "tail" in line)
    assert upper.split("head")[1].split() == ["R", "B", "G", "\\"]
    assert lower.split("tail")[1].split() == ["Y", "Y", "-", "/"]
    assert any(line.split() == ["queue", "empty"] for line in lines(set_up(queue="")))


def test_the_board_shows_who_bids_and_who_has_passed():
    state = play(set_up(), "auction R3", "bid 100", "pass")
    output = plain_text(state.game.board_text(state, NAMES)).splitlines()
    assert any(line.endswith("Zoe (1)  bids 100") for line in output)
    assert any(line.endswith("Yves (2)  passed") for line in output)
    assert any(line.endswith("> Xenia (3)") for line in output)


def test_in_the_middle_of_a_walk_one_sees_who_walks_where_and_who_comes_next():
    state = set_up(
        {"souvenirs": True},
        groups={"F4": "red red blue"},
        shops={"R3": (1, 3), "B4": (2, 0)},
        cards={"open": [["red", 50], ["red", 75]], "left": {"green": [100, 150]}},
    )
    play(state, "move F4>F9")
    assert any(line == "walk    RB, at R3, then B4, to F9" for line in lines(state))
    todo = state.game.prompt(state, NAMES)
    assert (
        todo
        == "Yves: choose the souvenir for customer 4 of R3; still on the way: 1 red and 1 blue."
    )
    play(state, "card 75")
    assert state.game.prompt(state, NAMES) == (
        "A new souvenir card is turned up; still on the way: 1 red and 1 blue."
    )
