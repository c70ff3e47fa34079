"""Boards of MarraCash: the town as data, read from JSON, checked, and turned into tables.

Two boards come with the package; a house can load a file of its own in the same form. A bad one
is refused with everything that is wrong with it, entry by entry.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from souk.engine.errors import BadKnob, brief, one_of

COLOURS = ("red", "yellow", "blue", "green", "purple")
VISITORS = {"red": 10, "yellow": 14, "blue": 10, "green": 10, "purple": 10}
CARDS = {  # souvenirs, in dirhams
    "red": (50, 75, 100, 125, 150),
    "yellow": (150, 175, 200, 225, 250),
    "blue": (125, 150, 175, 200, 225),
    "green": (100, 125, 150, 175, 200),
    "purple": (75, 100, 125, 150, 175),
}
GATES = 3
FOLDER = Path(__file__).parent / "boards"
SHIPPED = ("classic1996", "medina")  # the default first
MOST = 60  # fountains, streets or shops of a house's board
LARGEST = 1_000_000  # bytes of a board file


_ID = re.compile(r"[A-Za-z0-9]{1,8}")


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
    fountains: tuple[str, ...]
    gates: tuple[str, ...]  # the dark fountains
    shops: tuple[str, ...]
    colours: tuple[str, ...]  # of the shops
    streets: tuple[Street, ...]  # every street twice, once in each direction
    touching: Mapping[str, tuple[str, ...]]  # shop -> fountains that touch it

    def sizes(self) -> dict[str, int]:
        """How large everything is: constants of the kernel."""
        return {
            "FOUNTAINS": len(self.fountains),
            "SHOPS": len(self.shops),
            "STREETS": len(self.streets),
            "MOST_PASSED": max(len(street.shops) for street in self.streets),
        }

    def tables(self) -> dict[str, tuple[int, ...]]:
        """The board by numbers: tables of the kernel."""
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
        }


def load(layout: str) -> Board:
    """The board of a name, or of a file."""
    if layout in SHIPPED:
        return _shipped(layout)
    try:
        text = _text(Path(layout))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text file"
        raise BadKnob(
            f"layout accepts {one_of(SHIPPED)} or a board file; {brief(layout)} cannot be read: "
            f"{reason}"
        ) from None
    return parse(text, layout)


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise ValueError  # a folder, or something without an end
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError
    return data.decode("utf-8")


@cache
def _shipped(layout: str) -> Board:
    return parse((FOLDER / f"{layout}.json").read_text("utf-8"), layout)


def parse(text: str, name: str) -> Board:
    """A board from the text of its file; the name is for the error messages."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError, ValueError) as error:
        raise BadKnob(f"layout: {brief(name)} is not JSON: {error}") from None
    if isinstance(data, Mapping) and isinstance(data.get("layouts"), list):
        if len(data["layouts"]) != 1:
            raise BadKnob(f"layout: {brief(name)} must hold one board, not several")
        data = data["layouts"][0]
    reader = _Reader()
    board = reader.read(data)
    if reader.problems or board is None:
        lines = "".join(f"\n- {problem}" for problem in reader.problems[:20])
        raise BadKnob(f"layout: {brief(name)} is not a board that can be played on:{lines}")
    return board


class _Reader:
    """Reads a board piece by piece and collects the problems."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def wrong(self, where: str, problem: str) -> None:
        self.problems.append(f"{where}: {problem}")

    def read(self, data: object) -> Board | None:
        if not isinstance(data, Mapping):
            self.wrong("board", f"must be an object, not {brief(data)}")
            return None
        fountains = self.entries(data, "fountains", ("id", "x", "y", "dark"))
        shops = self.entries(data, "shops", ("id", "color", "x", "y"))
        streets = self.entries(data, "streets", ("id", "a", "b", "passed_a_to_b", "passed_b_to_a"))
        gates = data.get("gates")
        if self.problems:
            return None
        self.check_places([*fountains.values(), *shops.values()])
        self.check_gates(fountains, gates)
        for name, shop in shops.items():
            if shop["color"] not in COLOURS:
                self.wrong(f"shops.{name}", f"color must be {one_of(COLOURS)}")
        directed = self.read_streets(streets, fountains, shops)
        self.check_reach(list(fountains), list(shops), directed)
        touching = self.read_touching(fountains, shops)
        if self.problems:
            return None
        return Board(
            layout=data,
            fountains=tuple(fountains),
            gates=tuple(name for name in fountains if fountains[name]["dark"]),
            shops=tuple(shops),
            colours=tuple(shop["color"] for shop in shops.values()),
            streets=tuple(directed),
            touching={shop: tuple(at) for shop, at in touching.items()},
        )

    def entries(
        self, data: Mapping[str, Any], kind: str, keys: Sequence[str]
    ) -> dict[str, dict[str, Any]]:
        """The entries of a list by their id."""
        given = data.get(kind)
        if not isinstance(given, list) or not 1 <= len(given) <= MOST:
            self.wrong(kind, f"must be a list of 1 to {MOST} entries")
            return {}
        found: dict[str, dict[str, Any]] = {}
        for number, entry in enumerate(given):
            where = f"{kind}[{number}]"
            if not isinstance(entry, Mapping):
                self.wrong(where, f"must be an object, not {brief(entry)}")
            elif missing := [key for key in keys if key not in entry]:
                self.wrong(where, f"{', '.join(missing)} missing")
            elif not isinstance(entry["id"], str) or not _ID.fullmatch(entry["id"]):
                self.wrong(where, f"id must be 1 to 8 letters and digits, not {brief(entry['id'])}")
            elif entry["id"] in found:
                self.wrong(where, f"id {entry['id']} is used twice")
            else:
                found[entry["id"]] = dict(entry)
        return found

    def check_places(self, entries: Sequence[Mapping[str, Any]]) -> None:
        for entry in entries:
            for axis in ("x", "y"):
                value = entry[axis]
                if isinstance(value, bool) or not isinstance(value, int | float):
                    self.wrong(entry["id"], f"{axis} must be a number, not {brief(value)}")
                elif not 0 <= value <= 1:
                    self.wrong(entry["id"], f"{axis} must be from 0 to 1, not {brief(value)}")

    def check_gates(self, fountains: Mapping[str, Mapping[str, Any]], gates: object) -> None:
        for name, fountain in fountains.items():
            if not isinstance(fountain["dark"], bool):
                self.wrong(f"fountains.{name}", "dark must be true or false")
        dark = {name for name, fountain in fountains.items() if fountain["dark"] is True}
        if not isinstance(gates, list) or len(gates) != GATES:
            self.wrong("gates", f"must be a list of {GATES} fountains")
            return
        for gate in gates:
            if not isinstance(gate, str) or gate not in fountains:
                self.wrong("gates", f"{brief(gate)} is not a fountain")
        if all(isinstance(gate, str) for gate in gates) and set(gates) != dark:
            self.wrong("gates", "must be the dark fountains, each once")

    def read_streets(
        self,
        streets: Mapping[str, Mapping[str, Any]],
        fountains: Mapping[str, Any],
        shops: Mapping[str, Any],
    ) -> list[Street]:
        directed: list[Street] = []
        seen: dict[frozenset[str], str] = {}
        for name, street in streets.items():
            where = f"streets.{name}"
            ends = [street["a"], street["b"]]
            unknown = [end for end in ends if not isinstance(end, str) or end not in fountains]
            for end in unknown:
                self.wrong(where, f"{brief(end)} is not a fountain")
            if unknown:
                continue
            if ends[0] == ends[1]:
                self.wrong(where, f"joins {ends[0]} with itself")
            other = seen.setdefault(frozenset(ends), name)
            if other != name:
                self.wrong(where, f"joins the same fountains as {other}")
            for start, end, key in ((*ends, "passed_a_to_b"), (*ends[::-1], "passed_b_to_a")):
                passed = self.read_passed(f"{where}.{key}", street[key], shops)
                directed.append(Street(start, end, passed))
        return directed

    def read_passed(self, where: str, passed: object, shops: Mapping[str, Any]) -> tuple[str, ...]:
        if not isinstance(passed, list):
            self.wrong(where, f"must be a list of shops, not {brief(passed)}")
            return ()
        good = []
        for shop in passed:
            if not isinstance(shop, str) or shop not in shops:
                self.wrong(where, f"{brief(shop)} is not a shop")
            elif shop in good:
                self.wrong(where, f"{shop} is passed twice")
            else:
                good.append(shop)
        return tuple(good)

    def check_reach(
        self, fountains: Sequence[str], shops: Sequence[str], streets: Sequence[Street]
    ) -> None:
        """Every fountain can be walked to, and every shop is passed by some street."""
        reached = {fountains[0]}
        while new := {s.end for s in streets if s.start in reached} - reached:
            reached |= new
        if lost := [name for name in fountains if name not in reached]:
            self.wrong("streets", f"no way leads from {fountains[0]} to {', '.join(lost)}")
        passed = {shop for street in streets for shop in street.shops}
        for shop in shops:
            if shop not in passed:
                self.wrong(f"shops.{shop}", "no street passes it")

    def read_touching(
        self, fountains: Mapping[str, Mapping[str, Any]], shops: Mapping[str, Any]
    ) -> dict[str, list[str]]:
        touching: dict[str, list[str]] = {shop: [] for shop in shops}
        for name, fountain in fountains.items():
            beside = fountain.get("adjacent_shops", [])
            for shop in self.read_passed(f"fountains.{name}.adjacent_shops", beside, shops):
                touching[shop].append(name)
        return touching
