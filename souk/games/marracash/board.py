"""The board of MarraCash as validated data, with its visitors."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

COLOURS = ("red", "yellow", "blue", "green", "purple")
VISITORS = {"red": 10, "yellow": 14, "blue": 10, "green": 10, "purple": 10}
GATES = 3


@dataclass(frozen=True)
class Street:
    """A street in one direction: the shops whose door a group meets, in order."""

    start: str
    end: str
    shops: tuple[str, ...]


@dataclass(frozen=True)
class Board:
    """A town that has been checked."""

    layout: Mapping[str, Any]  # as read, for the drawing
    digest: str  # of the layout; empty for a board that comes with the package
    fountains: tuple[str, ...]
    gates: tuple[str, ...]  # the dark fountains
    shops: tuple[str, ...]
    colours: tuple[str, ...]  # of the shops
    streets: tuple[Street, ...]  # every street twice, once in each direction
    touching: Mapping[str, tuple[str, ...]]  # shop -> fountains that touch it

    def sizes(self) -> dict[str, int]:
        """Return how many fountains, shops and streets there are: constants of the kernel."""
        return {
            "FOUNTAINS": len(self.fountains),
            "SHOPS": len(self.shops),
            "STREETS": len(self.streets),
            "MOST_PASSED": max(len(street.shops) for street in self.streets),
        }

    def tables(self) -> dict[str, tuple[int, ...]]:
        """Return the board as tables of the kernel."""
        fountain = {name: number for number, name in enumerate(self.fountains)}
        shop = {name: number for number, name in enumerate(self.shops)}
        longest = self.sizes()["MOST_PASSED"]
        passed = [[shop[name] for name in street.shops] for street in self.streets]
        touching = [[fountain[name] for name in self.touching[one]] for one in self.shops]
        return {
            "STREET_START": tuple(fountain[street.start] for street in self.streets),
            "STREET_END": tuple(fountain[street.end] for street in self.streets),
            "PASSED": tuple(n for row in passed for n in [*row, *[-1] * (longest - len(row))]),
            "GATE": tuple(fountain[name] for name in self.gates),
            "SHOP_COLOUR": tuple(COLOURS.index(colour) for colour in self.colours),
            "TOUCHING": tuple(sum(1 << number for number in row) for row in touching),
            "BY_COLOUR": tuple(
                sorted(shop.values(), key=lambda one: COLOURS.index(self.colours[one]))
            ),
            "STEPS_TO": tuple(steps for row in self._steps_to_shops for steps in row),
        }

    @cached_property
    def _steps_to_shops(self) -> list[list[int]]:
        """Return for every fountain how many moves bring a group past the door of each shop.

        A shop that cannot be reached from there has a number larger than any other.
        """
        far = len(self.streets)
        steps = {(start, shop): far for start in self.fountains for shop in self.shops}
        changed = True
        while changed:
            changed = False
            for street in self.streets:
                for shop in self.shops:
                    after = 0 if shop in street.shops else steps[street.end, shop]
                    if after + 1 < steps[street.start, shop]:
                        steps[street.start, shop] = after + 1
                        changed = True
        return [[steps[start, shop] for shop in self.shops] for start in self.fountains]


def grid_of(layout: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the rows and columns of a layout that has a grid, else None."""
    grid = layout.get("grid")
    return (grid["rows"], grid["cols"]) if grid else None
