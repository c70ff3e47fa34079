"""Every town finds its place on the page, however little its board file says."""

from itertools import combinations
from typing import Any

import pytest

from souk.games.marracash.drawing.geometry import Box, along, plan
from souk.games.marracash.drawing.queue import road
from tests.games.marracash.drawing.scenes import BOARDS, points_only

TOWNS = {**BOARDS, **{f"{name}, points": points_only(name) for name in BOARDS}}


@pytest.mark.parametrize("name", TOWNS)
def test_everything_lies_inside_the_walls(name: str) -> None:
    town = plan(TOWNS[name])
    for x, y in town.fountains.values():
        assert 0 < x < town.width and 0 < y < town.height
    for box in town.shops.values():
        assert box.x > 0 and box.x + box.width < town.width
        assert box.y > 0 and box.y + box.height < town.height


@pytest.mark.parametrize("name", TOWNS)
def test_no_shop_lies_on_another_or_on_a_fountain(name: str) -> None:
    town = plan(TOWNS[name])
    for one, other in combinations(town.shops.values(), 2):
        assert not overlap(one, other)
    for x, y in town.fountains.values():
        assert not any(overlap(box, Box(x - 28, y - 28, 56, 56)) for box in town.shops.values())


def overlap(a: Box, b: Box) -> bool:
    return (
        a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    )


@pytest.mark.parametrize("name", BOARDS)
def test_no_street_runs_through_a_shop(name: str) -> None:
    town = plan(BOARDS[name])
    for way in town.streets.values():
        for i in range(0, 900, 12):
            x, y = along(way, i)
            assert not any(overlap(box, Box(x, y, 0.1, 0.1)) for box in town.shops.values())


@pytest.mark.parametrize(
    ("name", "sides", "open_side"),
    [
        ("classic1996", ["top", "left", "bottom"], "right"),
        ("medina", ["left", "right", "bottom"], "top"),
    ],
)
def test_gates_are_where_the_board_has_them_and_the_queue_is_open_opposite(
    name: str, sides: list[str], open_side: str
) -> None:
    for layout in (BOARDS[name], points_only(name)):
        town = plan(layout)
        assert [gate.side for gate in town.gates] == sides
        assert [gate.fountain for gate in town.gates] == layout["gates"]
        assert town.open_side == open_side


def test_a_gate_in_a_corner_leaves_a_side_open() -> None:
    places = {"A": (0.0, 0.5), "B": (1.0, 0.5), "C": (0.0, 0.0)}
    fountains = [{"id": i, "x": x, "y": y, "dark": True} for i, (x, y) in places.items()]
    board: dict[str, Any] = {"fountains": fountains, "gates": [*"ABC"], "shops": [], "streets": []}
    town = plan(board)
    assert [gate.side for gate in town.gates] == ["left", "right", "left"]
    assert town.open_side == "top"


@pytest.mark.parametrize("open_side", ["right", "top", "left", "bottom"])
def test_the_queue_runs_outside_the_wall_and_not_on_its_open_side(open_side: str) -> None:
    away = {"right": (0.9, 0.5), "top": (0.5, 0.1), "left": (0.1, 0.5), "bottom": (0.5, 0.9)}
    places = [place for side, place in away.items() if side != open_side]
    fountains = [{"id": f"F{i}", "x": x, "y": y, "dark": True} for i, (x, y) in enumerate(places)]
    gates = [fountain["id"] for fountain in fountains]
    town = plan({"fountains": fountains, "gates": gates, "shops": [], "streets": []})
    assert town.open_side == open_side
    way = road(town)
    assert len(way) == 4
    outside = {
        "left": min(x for x, _ in way) < 0,
        "top": min(y for _, y in way) < 0,
        "right": max(x for x, _ in way) > town.width,
        "bottom": max(y for _, y in way) > town.height,
    }
    assert [side for side, out in outside.items() if not out] == [open_side]


def test_a_street_has_a_point_only_where_it_bends() -> None:
    town = plan(BOARDS["classic1996"])
    assert len(town.way("F1", "F6")) == 2 and len(town.way("F3", "F4")) == 3
    assert town.way("F4", "F3") == town.way("F3", "F4")[::-1]
    assert town.way("F1", "F16") == (town.fountains["F1"], town.fountains["F16"])


@pytest.mark.parametrize("rows", [1, 3, 40])
@pytest.mark.parametrize("cols", [1, 5, 40])
def test_a_grid_of_any_shape_fits_the_page(rows: int, cols: int) -> None:
    layout = {**points_only("medina"), "grid": {"rows": rows, "cols": cols}}
    town = plan(layout)
    assert 480 <= town.width <= 936 and 360 <= town.height <= 720
