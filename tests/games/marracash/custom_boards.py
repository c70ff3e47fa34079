"""Custom boards: a valid one for tests to change, and random ones to play on."""

import copy
import json

from tests.games.marracash.board_facts import BOARDS
from tests.games.marracash.reference import COLOURS


def as_board_file(board):
    """A board in the form of a board file: every fountain and shop gets a place."""
    board = copy.deepcopy(board)
    for kind, height in (("fountains", 0.25), ("shops", 0.75)):
        for number, entry in enumerate(board[kind], 1):
            entry["x"] = round(number / (len(board[kind]) + 1), 4)
            entry["y"] = height
    return board


def town():
    """The printed board, to be changed by a test."""
    return as_board_file(BOARDS["classic1996"])


def entry(board, kind, name):
    return next(one for one in board[kind] if one["id"] == name)


def met_at(streets, fountain):
    """The shops that a group meets on any street that leads to a fountain."""
    met = {}
    for street in streets:
        for end, key in (("b", "passed_a_to_b"), ("a", "passed_b_to_a")):
            if street[end] == fountain:
                met |= dict.fromkeys(street[key])
    return list(met)


def odd_town(rng):
    """A board that nobody would print: any size, any streets, shops that touch gates or nothing."""
    fountains = [f"Q{number}" for number in range(rng.randrange(3, 25))]
    rng.shuffle(fountains)
    colours = rng.sample(COLOURS, rng.randrange(1, 6))
    shops = [f"S{number}" for number in range(rng.randrange(1, 41))]
    joined = {(fountains[at], rng.choice(fountains[:at])) for at in range(1, len(fountains))}
    for _ in range(rng.randrange(12)):
        a, b = rng.sample(fountains, 2)
        if (b, a) not in joined:
            joined.add((a, b))
    streets = []
    for number, (a, b) in enumerate(sorted(joined)):
        going, coming = ([s for s in shops if rng.random() < 0.15] for _ in "12")
        rng.shuffle(going)
        rng.shuffle(coming)
        streets.append(
            {"id": f"E{number}", "a": a, "b": b, "passed_a_to_b": going, "passed_b_to_a": coming}
        )
    for shop in shops:
        street = rng.choice(streets)
        if shop not in street["passed_a_to_b"]:
            street["passed_a_to_b"].append(shop)
    gates = rng.sample(fountains, 3)
    return as_board_file(
        {
            "id": "odd",
            "name": "A town of its own",
            "fountains": [
                {
                    "id": name,
                    "dark": name in gates,
                    "adjacent_shops": [s for s in met_at(streets, name) if rng.random() < 0.4],
                }
                for name in fountains
            ],
            "gates": [name for name in fountains if name in gates],
            "shops": [{"id": name, "color": rng.choice(colours)} for name in shops],
            "streets": streets,
        }
    )


def save_board(board, path):
    """The board as a file; its path as a text."""
    path.write_text(json.dumps(board), "utf-8")
    return str(path)
