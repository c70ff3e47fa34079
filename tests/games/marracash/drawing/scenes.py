"""Scenes for the tests of the MarraCash drawing, and how to read a drawing again."""

import xml.etree.ElementTree as ET
from copy import deepcopy
from typing import Any

from souk.games.marracash import board_file
from souk.games.marracash.drawing import Route, Scene, Seat, Shop, Walk, draw

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = ("red", "yellow", "blue", "green", "purple")
BOARDS = {name: dict(board_file.load(name).layout) for name in board_file.SHIPPED}
QUEUE = tuple(COLOURS[i * i % 5] for i in range(45))

SEATS = (
    Seat("Leila", "red", 1200, 6),
    Seat("Yusuf", "yellow", 75, 1, to_move=True, note="bids 125"),
    Seat("Nour", "blue", 2450, 0, turn_of=True),
    Seat("Ama", "orange", 600, 4, note="passed"),
)


def points_only(name: str) -> dict[str, Any]:
    """A board file that says no more than it must."""
    bare = deepcopy(BOARDS[name])
    for key in ("grid", "blocked_cells"):
        bare.pop(key, None)
    for entry in bare["shops"] + bare["streets"]:
        entry.pop("cells", None)
        entry.pop("polyline", None)
    return bare


def shops(layout: dict[str, Any], **owned: tuple[int, int]) -> tuple[Shop, ...]:
    """All shops of a board; those named have an (owner, customers)."""
    return tuple(
        Shop(entry["id"], entry["color"], *owned.get(entry["id"], (None, 0)))
        for entry in layout["shops"]
    )


def start(name: str = "classic1996") -> Scene:
    layout = BOARDS[name]
    groups = {gate: {"red": 1, "blue": 1, "green": 1} for gate in layout["gates"]}
    return Scene(layout, groups, QUEUE, shops(layout), SEATS)


SCENE = Scene(
    BOARDS["classic1996"],
    {"F1": {"red": 2, "purple": 1}, "F5": {"yellow": 7, "green": 14, "blue": 0}},
    ("red", "yellow", "yellow", "blue"),
    shops(BOARDS["classic1996"], R3=(0, 2), Y2=(3, 0), P5=(1, 7)),
    SEATS,
)
MARKED = Scene(
    SCENE.board,
    SCENE.groups,
    SCENE.queue,
    SCENE.shops,
    SCENE.seats,
    cards=(("red", 125), ("blue", 200)),
    auction="B4",
    walk=Walk("F4", "F9", (("R3", "red"), ("R3", "red"))),
    routes=(
        Route("F1", "F6", "F1>F6", ((1, "+300"), (3, "≈+75"))),
        Route("F5", "F3", "F5>F3"),
    ),
    caption=("Two red visitors enter R3.", "Yusuf: bid or pass."),
)


def tree(scene: Scene, theme: str = "light") -> ET.Element:
    return ET.fromstring(draw(scene, theme=theme))


def part(root: ET.Element, name: str) -> ET.Element | None:
    return root.find(f".//*[@data-part='{name}']")


def words(root: ET.Element | None) -> list[str]:
    assert root is not None
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def copies(root: ET.Element | None, kind: str) -> list[str]:
    """What follows `kind` in the names of the things copied, e.g. colours of visitors."""
    assert root is not None
    names = [use.attrib["href"].split("-", 1)[1] for use in root.iter(f"{SVG}use")]
    return [name.removeprefix(f"{kind}-") for name in names if name.startswith(f"{kind}-")]
