"""The board as plain JSON, for clients that draw it themselves.

The town's inner top left corner is the origin, y points downwards, and lengths are those of the
drawing: a cell of a grid is 72 wide where nothing forces it to be smaller.
"""

from collections.abc import Sequence
from math import dist
from typing import Any

from souk.engine.drawing.pen import Point
from souk.games.marracash.amounts import HIGHEST_RANK, RANK_PAYMENT
from souk.games.marracash.board import Board
from souk.games.marracash.drawing.geometry import Box, Plan, along, length, plan
from souk.games.marracash.drawing.queue import road

_CLEAR = 50  # nobody stops at a door this near to a fountain: the basin would hide them


def board_data(board: Board) -> dict[str, Any]:
    """Return everything a client needs to draw a board and to animate walks on it."""
    ground = plan(board.layout)
    passed = {(street.start, street.end): street.shops for street in board.streets}
    return {
        "width": _round(ground.width),
        "height": _round(ground.height),
        "unit": round(ground.unit, 4),
        "open_side": ground.open_side,
        "fountains": [
            {"id": name, **_point(at), "dark": name in ground.dark}
            for name, at in ground.fountains.items()
        ],
        "shops": [
            {"id": shop, "colour": colour, **_box(ground.shops[shop])}
            for shop, colour in zip(board.shops, board.colours, strict=True)
        ],
        "payments": [RANK_PAYMENT * rank for rank in range(1, HIGHEST_RANK + 1)],
        "touching": {shop: list(at) for shop, at in board.touching.items()},
        "streets": [
            {
                "start": start,
                "end": end,
                "way": [[_round(x), _round(y)] for x, y in way],
                "doors": _doors(ground, way, passed[start, end]),
                "doors_back": _doors(ground, way[::-1], passed[end, start]),
            }
            for (start, end), way in ground.streets.items()
        ],
        "gates": [
            {"fountain": gate.fountain, "side": gate.side, **_point(gate.at)}
            for gate in ground.gates
        ],
        "gardens": [[_round(x), _round(y)] for x, y in ground.gardens],
        "queue": [[_round(x), _round(y)] for x, y in road(ground)],
    }


def _doors(ground: Plan, way: Sequence[Point], shops: Sequence[str]) -> list[dict[str, Any]]:
    """Return each shop that is passed and where on the way its door is, from 0 to 1."""
    whole = length(way)
    clear = min(_CLEAR * ground.unit, whole / 2)
    steps = [clear + (whole - 2 * clear) * part / 40 for part in range(41)]
    doors, last = [], 0.0
    for shop in shops:
        box = ground.shops[shop]
        middle = (box.x + box.width / 2, box.y + box.height / 2)
        nearest = min(steps, key=lambda step: dist(along(way, step), middle))
        last = max(last, nearest)  # in the order in which they are met
        doors.append({"shop": shop, "at": round(last / whole, 3) if whole else 0.0})
    return doors


def _box(box: Box) -> dict[str, float]:
    sides = {"width": _round(box.width), "height": _round(box.height)}
    return {**_point((box.x, box.y)), **sides}


def _point(point: Point) -> dict[str, float]:
    return {"x": _round(point[0]), "y": _round(point[1])}


def _round(value: float) -> float:
    return round(value, 1)
