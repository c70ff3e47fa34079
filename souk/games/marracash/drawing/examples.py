"""The small drawings of the rulebook: a part of a board of their own."""

from typing import Any

from souk.engine.errors import SoukError, one_of
from souk.games.marracash.drawing.geometry import Box
from souk.games.marracash.drawing.picture import draw_part
from souk.games.marracash.drawing.scene import Scene, Seat, Shop, Walk

# One street with a gate at its end and shops on both sides.
TOWN: dict[str, Any] = {
    "grid": {"rows": 3, "cols": 5},
    "fountains": [
        {"id": "F1", "x": 0.1, "y": 0.5, "dark": True},
        {"id": "F2", "x": 0.9, "y": 0.5, "dark": False},
    ],
    "gates": ["F1"],
    "shops": [
        {"id": "R1", "color": "red", "cells": [[0, 1]]},
        {"id": "B1", "color": "blue", "cells": [[0, 2], [0, 3]]},
        {"id": "G1", "color": "green", "cells": [[2, 1]]},
        {"id": "R2", "color": "red", "cells": [[2, 2], [2, 3]]},
    ],
    "streets": [{"a": "F1", "b": "F2", "polyline": []}],
}
QUEUE = ("blue", "red", "green", "yellow", "purple", "yellow", "red", "blue", "green", "yellow",
         "purple", "red", "yellow", "blue")  # fmt: skip
SEATS = tuple(
    Seat(name, colour, 1000, 5)
    for name, colour in (("Leila", "red"), ("Yusuf", "yellow"), ("Nour", "blue"))
)
STREET = Box(-60, 16, 552, 328)
GROUP = {"red": 2, "blue": 1}


# By the name that rulebooks use: the scene, the box to draw, and the visitors with a ring.
EXAMPLES: dict[str, tuple[Scene, Box, tuple[int, ...]]] = {
    "street": (Scene(TOWN, {"F1": GROUP}, (), (), SEATS), STREET, ()),
    "auction": (Scene(TOWN, {}, (), (), SEATS, auction="B1"), Box(92, 16, 302, 160), ()),
    "walk": (
        Scene(
            TOWN,
            {"F2": {"blue": 1}},
            (),
            (Shop("R2", "red", 1, 2),),
            SEATS,
            walk=Walk("F1", "F2", (("R2", "red"), ("R2", "red"))),
        ),
        STREET,
        (),
    ),
    "queue": (
        Scene(TOWN, {}, QUEUE, (), SEATS),
        Box(-84, -84, 590, 340),
        (1, 2, 3, len(QUEUE) - 2, len(QUEUE) - 1, len(QUEUE)),
    ),
}


def draw_example(name: str) -> str:
    """Return the example with a name, as SVG for part of a page."""
    if name not in EXAMPLES:
        raise SoukError(f"there is no drawing {name!r}; choose {one_of(EXAMPLES)}")
    return draw_part(*EXAMPLES[name])
