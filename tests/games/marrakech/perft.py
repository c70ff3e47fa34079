"""Perft: count every line of play from a position. perft.json has the reference's counts.

    python -m tests.games.marrakech.perft    rewrites perft.json

For each depth: how many lines of play there are (chance included; games that ended earlier are
not counted again), how many of them have just ended, and the exact scores, shares of the win and
number of turns to be expected if chance is fair and players choose at random.
"""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

from tests.games.marrakech.positions import random_position
from tests.games.marrakech.reference import Reference

FILE = Path(__file__).parent / "perft.json"


def _from_the_start(depth, **knobs):
    return knobs, Reference(**knobs).to_dict(), depth


def _after(steps, depth, seed, **knobs):
    """Return a position of a random game that lasts for at least `depth` more steps."""
    rng = Random(f"{seed} {sorted(knobs.items())}")
    while True:
        reference = Reference(**knobs)
        for _ in range(steps):
            if not reference.is_terminal():
                reference.apply(rng.choice(reference.legal()))
        if not reference.is_terminal():
            return knobs, reference.to_dict(), depth


def _last_turns(phase, left, dirhams, seed, dyed=(), **knobs):
    """Return a position with a full board and few rugs, to be counted to the end of the game."""
    rng = Random(seed)
    position = random_position(rng, knobs)
    while position["phase"] != phase or position["to_move"] or len(position["squares"]) < 38:
        position = random_position(rng, knobs)
    for player, rugs, money in zip(position["players"], left, dirhams, strict=True):
        player.pop("out_order", None)
        player.update(dirhams=money, rugs=rugs, out=False)
        hides = phase == "draw" or not sum(rugs.values())
        player["next"] = None if hides else next(c for c, number in rugs.items() if number)
    for shown in position["squares"].values():
        if shown["colour"] in dyed:
            shown["colour"] = "red"
    return knobs, position, 99


def positions():
    """Return the positions by name: knobs, position and depth."""
    red, blue = {"red": 1, "yellow": 1}, {"blue": 0, "orange": 0}
    open_pile = {"players": 2, "edition": "gigamic"}
    return {
        "three players start": _from_the_start(6, players=3, edition="gigamic"),
        "four players, 40 steps in": _after(40, 6, 1, players=4, edition="gigamic", dirhams=6),
        "four players, 90 steps in": _after(90, 6, 2, players=4, edition="gigamic-57", dirhams=9),
        "the deal of open piles": _from_the_start(7, players=2, edition="gigamic", rugs=2),
        "open piles, 61 steps in": _after(61, 7, 3, players=2, edition="gigamic"),
        "face-down piles, 50 steps in": _after(50, 6, 4, players=2, edition="pergioco"),
        "must turn last": _after(60, 7, 5, players=2, edition="gigamic", turn_last=True),
        "may turn last": _after(61, 6, 6, players=3, edition="pergioco", turn_last=True),
        "must turn last with 57 rugs": _after(
            61, 5, 12, players=3, edition="gigamic-57", turn_last="must"
        ),
        "covering one's own": _after(75, 6, 7, players=3, edition="gigamic", cover_own=True),
        "a game of one rug each": _from_the_start(
            99, players=2, edition="gigamic-57", two_player="one-colour", rugs=1, dirhams=1
        ),
        "two rugs to come, hardly any money": _last_turns(
            "turn", [{"red": 1}, {"yellow": 1}, {"blue": 0}], [3, 2, 4], 8, players=3
        ),
        "two rugs of an open pile to come": _last_turns(
            "draw", [red, blue], [5, 4], 9, **open_pile
        ),
        "two rugs to come, may turn last": _last_turns(
            "draw", [red, blue], [6, 3], 10, players=2, edition="pergioco", turn_last=True
        ),
        # Blue walks on what red and yellow laid, so the colour drawn matters, and the turning.
        "three rugs to come, must turn last": _last_turns(
            "draw",
            [red, {"blue": 1, "orange": 0}],
            [5, 30],
            11,
            dyed=("yellow", "blue"),
            players=2,
            edition="gigamic",
            pile="face-down",
            turn_last=True,
        ),
    }


def count(reference, depth):
    """Return the counts for every depth."""
    level = [(reference, Fraction(1))]
    ended = [Fraction(0)] * (2 * reference.players + 1)
    records = []
    while level and len(records) < depth:
        following = []
        for position, weight in level:
            outcomes = (
                position.chance()
                if position.is_chance()
                else dict.fromkeys(position.legal(), Fraction(1, len(position.legal())))
            )
            for text, share in outcomes.items():
                following.append((position.after(text), weight * share))
        expected = list(ended)
        for position, weight in following:
            values = [*position.scores(), *position.returns(), position.turns]
            for at, value in enumerate(values):
                expected[at] += weight * value
                if position.is_terminal():
                    ended[at] += weight * value
        level = [(position, weight) for position, weight in following if not position.is_terminal()]
        seats = reference.players
        records.append(
            {
                "lines": len(following),
                "ended": len(following) - len(level),
                "scores": [str(value) for value in expected[:seats]],
                "returns": [str(value) for value in expected[seats:-1]],
                "turns": str(expected[-1]),
            }
        )
    return records


def write():
    counted = {}
    for name, (knobs, position, depth) in positions().items():
        reference = Reference.from_dict(position, **knobs)
        counted[name] = {"position": position, "depths": count(reference, depth)}
        print(name, [record["lines"] for record in counted[name]["depths"]])
    FILE.write_text(json.dumps(counted, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    write()
