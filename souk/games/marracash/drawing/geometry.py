"""Coordinates of the MarraCash drawing.

A board file says how its town is laid out: on a grid, with cells for the shops and the bends of
the streets, or only by a point for each fountain and shop. Everything of the former is optional.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import dist
from typing import Any

from souk.engine.drawing.pen import Point
from souk.games.marracash.board import grid_of

CELL = 72  # a grid's cell when nothing forces it to be smaller: what all sizes are drawn for
WIDTH, HEIGHT = 936, 720  # of the town at most
MARGIN = 40  # round a town without a grid
GAP = 5  # round a shop, in its cells
LEAST = 0.6  # of the usual size: smaller could not be read, even if things then overlap

# Side -> the step out of the town; in the order in which a tie is decided.
SIDES = {"right": (1, 0), "top": (0, -1), "left": (-1, 0), "bottom": (0, 1)}


@dataclass(frozen=True)
class Box:
    """A shop's ground."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Gate:
    """An opening of the wall at a dark fountain."""

    fountain: str
    side: str  # of the town
    at: Point  # on the wall's inner edge


@dataclass(frozen=True)
class Plan:
    """The town, its inner top left corner at the origin."""

    width: float
    height: float
    unit: float  # how large things are drawn, 1 for a grid of cells of the usual size
    fountains: Mapping[str, Point]
    dark: frozenset[str]
    shops: Mapping[str, Box]
    streets: Mapping[tuple[str, str], tuple[Point, ...]]  # in one direction
    gates: tuple[Gate, ...]
    gardens: tuple[Point, ...]  # cells with nothing on them

    @property
    def open_side(self) -> str:
        """Return the side without a gate, where the queue's U is open."""
        taken = {gate.side for gate in self.gates}
        return next((side for side in SIDES if side not in taken), "right")

    def way(self, start: str, end: str) -> tuple[Point, ...]:
        """Return the street from one fountain to another, a straight line if there is none."""
        if (end, start) in self.streets:
            return self.streets[end, start][::-1]
        straight = (self.fountains[start], self.fountains[end])
        return self.streets.get((start, end), straight)


def plan(board: Mapping[str, Any]) -> Plan:
    grid = grid_of(board)
    ground = _OnGrid(*grid) if grid else _ByPoints(board)
    fountains = {entry["id"]: ground.point(entry["x"], entry["y"]) for entry in board["fountains"]}
    dark = frozenset(entry["id"] for entry in board["fountains"] if entry.get("dark"))
    gates = _gates({name: fountains[name] for name in board["gates"]}, ground.width, ground.height)
    return Plan(
        ground.width,
        ground.height,
        ground.unit,
        fountains,
        dark,
        {entry["id"]: ground.box(entry) for entry in board["shops"]},
        {(s["a"], s["b"]): _street(ground, s, fountains) for s in board["streets"]},
        gates,
        ground.middles(board.get("blocked_cells", [])),
    )


class _OnGrid:
    """A town on a grid; the unit square of the board file is the whole grid."""

    def __init__(self, rows: int, cols: int) -> None:
        side = min(WIDTH / cols, HEIGHT / rows, 96)
        self.side, self.unit = side, side / CELL
        self.size = (cols * side, rows * side)
        self.width, self.height = max(self.size[0], 480), max(self.size[1], 360)
        self.corner = ((self.width - self.size[0]) / 2, (self.height - self.size[1]) / 2)

    def point(self, x: float, y: float) -> Point:
        return self.corner[0] + x * self.size[0], self.corner[1] + y * self.size[1]

    def middles(self, cells: Sequence[Point]) -> tuple[Point, ...]:
        """Return the middles of cells, each a (row, column)."""
        x, y = self.corner
        return tuple(
            (x + (col + 0.5) * self.side, y + (row + 0.5) * self.side) for row, col in cells
        )

    def box(self, shop: Mapping[str, Any]) -> Box:
        gap, half = GAP * self.unit, self.side / 2
        middles = self.middles(shop.get("cells", [])) or (self.point(shop["x"], shop["y"]),)
        left, right = min(x for x, _ in middles), max(x for x, _ in middles)
        top, bottom = min(y for _, y in middles), max(y for _, y in middles)
        inset = half - gap
        return Box(left - inset, top - inset, right - left + 2 * inset, bottom - top + 2 * inset)


class _ByPoints:
    """A town of which only points are known; it shrinks things until no two overlap."""

    def __init__(self, board: Mapping[str, Any]) -> None:
        self.width, self.height, self.unit = float(WIDTH), float(HEIGHT), 1.0
        places = [self.point(e["x"], e["y"]) for e in (*board["fountains"], *board["shops"])]
        apart = [max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in combinations(places, 2)]
        nearest = min(apart, default=CELL)
        self.unit = min(1.0, max(LEAST, nearest / CELL))

    def point(self, x: float, y: float) -> Point:
        return (
            MARGIN + x * (self.width - 2 * MARGIN),
            MARGIN + y * (self.height - 2 * MARGIN),
        )

    def middles(self, cells: Sequence[Point]) -> tuple[Point, ...]:
        return ()  # there are no cells

    def box(self, shop: Mapping[str, Any]) -> Box:
        x, y = self.point(shop["x"], shop["y"])
        side = (CELL - 2 * GAP) * self.unit
        return Box(x - side / 2, y - side / 2, side, side)


def _street(
    ground: _OnGrid | _ByPoints, street: Mapping[str, Any], fountains: Mapping[str, Point]
) -> tuple[Point, ...]:
    """Return a street from fountain to fountain, with a point at every bend."""
    bends = [ground.point(x, y) for x, y in street.get("polyline", [])[1:-1]]
    way = [fountains[street["a"]], *bends, fountains[street["b"]]]
    points = [way[0]]
    for before, here, after in zip(way, way[1:], way[2:], strict=False):
        if dist(before, here) + dist(here, after) - dist(before, after) > 0.5:
            points.append(here)
    return (*points, way[-1])


def _gates(at: Mapping[str, Point], width: float, height: float) -> tuple[Gate, ...]:
    """Return the gates, each on the wall nearest to its fountain.

    In a corner, where two walls are as near, a wall that has a gate already is taken, so that
    the queue has a side to be open on.
    """
    gates: dict[str, Gate] = {}
    reach = {name: _walls(point, width, height) for name, point in at.items()}
    clear_first = sorted(at, key=lambda name: len(_nearest(reach[name])))
    for name in clear_first:
        sides = _nearest(reach[name])
        taken = [gate.side for gate in gates.values()]
        side = next((side for side in sides if side in taken), sides[-1])
        x, y = at[name]
        spot = {"left": (0, y), "right": (width, y), "top": (x, 0), "bottom": (x, height)}[side]
        gates[name] = Gate(name, side, spot)
    return tuple(gates[name] for name in at)


def _walls(point: Point, width: float, height: float) -> dict[str, float]:
    x, y = point
    return {"right": width - x, "top": y, "left": x, "bottom": height - y}


def _nearest(reach: Mapping[str, float]) -> list[str]:
    least = min(reach.values())
    return [side for side, distance in reach.items() if distance < least + 1]


def along(way: Sequence[Point], distance: float) -> Point:
    """Return the point at a distance along a way; before its start or past its end, that end.

    >>> along([(0, 0), (10, 0), (10, 10)], 15)
    (10.0, 5.0)
    """
    for a, b in pairwise(way):
        step = dist(a, b)
        if distance <= step and step:
            part = max(0.0, distance) / step
            return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
        distance -= step
    return way[-1]


def length(way: Sequence[Point]) -> float:
    return sum(dist(a, b) for a, b in pairwise(way))
