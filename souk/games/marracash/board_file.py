"""Read and validate the board files of MarraCash.

Two boards come with the package; a board file of one's own has the same form. An invalid one is
refused with every problem named, entry by entry; a valid one can be played on, drawn and printed
without further checks. Unknown fields are ignored.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from souk.engine.errors import BadKnob, as_int, brief, one_of
from souk.games.marracash.board import COLOURS, GATES, Board, Street, grid_of

FOLDER = Path(__file__).parent / "boards"
SHIPPED = ("classic1996", "medina")  # the default first
MOST = 60  # fountains, streets or shops of a custom board
MOST_CELLS = 40  # along a side of a grid
MOST_BENDS = 100  # points of a street
DEEPEST = 20  # nested lists and objects
LARGEST = 1_000_000  # bytes of a board file
MOST_REPORTED = 20  # problems in one message
NEAR = 0.02  # how far from its fountains a street may start and end

_ID = re.compile(r"[A-Za-z0-9]{1,8}")

_Entries = Mapping[str, Mapping[str, Any]]  # by id


def load(layout: str) -> Board:
    """Return the board with a name, or the board in a file."""
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
        raise ValueError  # a folder, or a device without an end
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError
    return data.decode("utf-8-sig")


@cache
def _shipped(layout: str) -> Board:
    return parse((FOLDER / f"{layout}.json").read_text("utf-8"), layout)


def parse(text: str, name: str) -> Board:
    """Return the board in the text of a board file; `name` is for error messages."""
    try:
        data = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise BadKnob(f"layout: {brief(name)} is not JSON: {error}") from None
    if isinstance(data, Mapping) and isinstance(data.get("layouts"), list):
        if len(data["layouts"]) != 1:
            held = f"{len(data['layouts'])} boards" if data["layouts"] else "none"
            raise BadKnob(f"layout: {brief(name)} must hold one board, and holds {held}")
        data = data["layouts"][0]
    reader = _Reader()
    board = reader.read(data, name)
    if reader.problems or board is None:
        lines = [f"\n- {problem}" for problem in reader.problems[:MOST_REPORTED]]
        lines += ["\n- …"] if len(reader.problems) > MOST_REPORTED else []
        raise BadKnob(
            f"layout: {brief(name)} is not a board that can be played on:{''.join(lines)}"
        )
    return board


def _is_deep(data: object) -> bool:
    """Return whether lists and objects are nested deeper than DEEPEST."""
    level = [data]
    for _ in range(DEEPEST):
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner += value.values()
            elif isinstance(value, list):
                inner += value
        level = inner
    return bool(level)


def _number(value: object) -> float | None:
    """Return a number from 0 to 1 as a float; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)


class _Reader:
    """Reads a board piece by piece and collects the problems."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def report(self, where: str, problem: str) -> None:
        self.problems.append(f"{where}: {problem}")

    def read(self, data: object, file: str) -> Board | None:
        if not isinstance(data, Mapping):
            self.report("board", f"must be an object, not {brief(data)}")
            return None
        if _is_deep(data):
            self.report("board", f"lists and objects are nested more than {DEEPEST} deep")
            return None
        fountains = self.entries(data, "fountains", ("id", "x", "y", "dark"))
        shops = self.entries(data, "shops", ("id", "color", "x", "y"))
        streets = self.entries(data, "streets", ("id", "a", "b", "passed_a_to_b", "passed_b_to_a"))
        gates = data.get("gates")
        if self.problems:
            return None
        self.check_names(data)
        self.check_places("fountains", fountains)
        self.check_places("shops", shops)
        self.check_gates(fountains, gates)
        for name, shop in shops.items():
            if shop["color"] not in COLOURS:
                self.report(f"shops.{name}", f"color must be {one_of(COLOURS)}")
        directed = self.read_streets(streets, fountains, shops)
        self.check_reach(list(fountains), list(shops), directed)
        touching = self.read_touching(fountains, shops, directed)
        self.check_shops(shops, streets)
        self.check_grid(data, fountains, shops)
        if not self.problems:  # checking ways needs a valid board
            self.check_ways(fountains, streets)
        if self.problems:
            return None
        whole_text = json.dumps(data, sort_keys=True)
        return Board(
            layout=data,
            digest="" if file in SHIPPED else sha256(whole_text.encode()).hexdigest(),
            fountains=tuple(fountains),
            gates=tuple(name for name in fountains if fountains[name]["dark"]),
            shops=tuple(shops),
            colours=tuple(shop["color"] for shop in shops.values()),
            streets=tuple(directed),
            touching={shop: tuple(at) for shop, at in touching.items()},
        )

    # ---- what play needs ------------------------------------------------------------------------

    def entries(
        self, data: Mapping[str, Any], kind: str, keys: Sequence[str]
    ) -> dict[str, dict[str, Any]]:
        """Return the valid entries of a list by their id."""
        given = data.get(kind)
        if not isinstance(given, list) or not 1 <= len(given) <= MOST:
            self.report(kind, f"must be a list of 1 to {MOST} entries")
            return {}
        valid: dict[str, dict[str, Any]] = {}
        for number, entry in enumerate(given):
            where = f"{kind}[{number}]"
            if not isinstance(entry, Mapping):
                self.report(where, f"must be an object, not {brief(entry)}")
            elif missing := [key for key in keys if key not in entry]:
                self.report(where, f"{', '.join(missing)} missing")
            elif not isinstance(entry["id"], str) or not _ID.fullmatch(entry["id"]):
                self.report(
                    where, f"id must be 1 to 8 letters and digits, not {brief(entry['id'])}"
                )
            elif entry["id"] in valid:
                self.report(where, f"id {entry['id']} is used twice")
            else:
                valid[entry["id"]] = dict(entry)
        return valid

    def check_names(self, data: Mapping[str, Any]) -> None:
        for key in ("id", "name"):
            if not isinstance(data.get(key, ""), str):
                self.report(key, f"must be a text, not {brief(data[key])}")

    def check_places(self, kind: str, entries: _Entries) -> None:
        for name, entry in entries.items():
            for axis in ("x", "y"):
                if _number(entry[axis]) is None:
                    given = brief(entry[axis])
                    self.report(f"{kind}.{name}", f"{axis} must be from 0 to 1, not {given}")

    def check_gates(self, fountains: _Entries, gates: object) -> None:
        for name, fountain in fountains.items():
            if not isinstance(fountain["dark"], bool):
                self.report(f"fountains.{name}", "dark must be true or false")
        dark = {name for name, fountain in fountains.items() if fountain["dark"] is True}
        if not isinstance(gates, list) or len(gates) != GATES:
            self.report("gates", f"must be a list of {GATES} fountains")
            return
        for gate in gates:
            if not isinstance(gate, str) or gate not in fountains:
                self.report("gates", f"{brief(gate)} is not a fountain")
        if all(isinstance(gate, str) for gate in gates) and set(gates) != dark:
            self.report("gates", "must be the dark fountains, each once")

    def read_streets(self, streets: _Entries, fountains: _Entries, shops: _Entries) -> list[Street]:
        directed: list[Street] = []
        seen: dict[frozenset[str], str] = {}
        for name, street in streets.items():
            where = f"streets.{name}"
            ends = [street["a"], street["b"]]
            unknown = [end for end in ends if not isinstance(end, str) or end not in fountains]
            for end in unknown:
                self.report(where, f"{brief(end)} is not a fountain")
            if unknown:
                continue
            if ends[0] == ends[1]:
                self.report(where, f"joins {ends[0]} with itself")
            other = seen.setdefault(frozenset(ends), name)
            if other != name:
                self.report(where, f"joins the same fountains as {other}")
            for start, end, key in ((*ends, "passed_a_to_b"), (*ends[::-1], "passed_b_to_a")):
                passed = self.names(f"{where}.{key}", street[key], shops, "shop")
                directed.append(Street(start, end, passed))
        return directed

    def names(self, where: str, given: object, known: _Entries, what: str) -> tuple[str, ...]:
        """Return the known ids of a list; report the others and duplicates."""
        if not isinstance(given, list):
            self.report(where, f"must be a list of {what}s, not {brief(given)}")
            return ()
        good = []
        for one in given:
            if not isinstance(one, str) or one not in known:
                self.report(where, f"{brief(one)} is not a {what}")
            elif one in good:
                self.report(where, f"names {one} twice")
            else:
                good.append(one)
        return tuple(good)

    def check_reach(
        self, fountains: Sequence[str], shops: Sequence[str], streets: Sequence[Street]
    ) -> None:
        """Check that every fountain can be reached and that a street passes every shop."""
        reached = {fountains[0]}
        while new := {s.end for s in streets if s.start in reached} - reached:
            reached |= new
        if lost := [name for name in fountains if name not in reached]:
            self.report("streets", f"no way leads from {fountains[0]} to {', '.join(lost)}")
        passed = {shop for street in streets for shop in street.shops}
        for shop in shops:
            if shop not in passed:
                self.report(f"shops.{shop}", "no street passes it")

    def read_touching(
        self, fountains: _Entries, shops: _Entries, streets: Sequence[Street]
    ) -> dict[str, list[str]]:
        touching: dict[str, list[str]] = {shop: [] for shop in shops}
        for name, fountain in fountains.items():
            where = f"fountains.{name}.adjacent_shops"
            met = {shop for street in streets if street.end == name for shop in street.shops}
            for shop in self.names(where, fountain.get("adjacent_shops", []), shops, "shop"):
                touching[shop].append(name)
                if shop not in met:
                    self.report(where, f"no street that leads to {name} passes {shop}")
        return touching

    def check_shops(self, shops: _Entries, streets: _Entries) -> None:
        """Check that a shop that names the streets passing it names them all."""
        for name, shop in shops.items():
            where = f"shops.{name}"
            passing = [
                street
                for street, entry in streets.items()
                for key in ("passed_a_to_b", "passed_b_to_a")
                if isinstance(entry[key], list) and name in entry[key]
            ]
            passing = list(dict.fromkeys(passing))
            if "streets" in shop:
                named = self.names(f"{where}.streets", shop["streets"], streets, "street")
                if set(named) != set(passing):
                    pass_it = ", ".join(passing) or "none"
                    self.report(f"{where}.streets", f"must be those that pass it: {pass_it}")
            home = shop.get("home_street", passing[0] if passing else None)
            if home is not None and home not in passing:
                self.report(f"{where}.home_street", f"{brief(home)} does not pass it")

    # ---- how it is drawn ------------------------------------------------------------------------

    def check_grid(self, data: Mapping[str, Any], fountains: _Entries, shops: _Entries) -> None:
        """Check the grid and that no two things share a cell."""
        grid = data.get("grid")
        if "grid" in data:
            sides = [grid.get("rows"), grid.get("cols")] if isinstance(grid, Mapping) else []
            if not sides or not all(1 <= (as_int(side) or 0) <= MOST_CELLS for side in sides):
                self.report("grid", f"rows and cols must be whole numbers from 1 to {MOST_CELLS}")
                return
        size = grid_of(data)
        taken: dict[tuple[int, int], str] = {}
        for name, fountain in fountains.items():
            if size and ("row" in fountain or "col" in fountain):
                given = [[fountain.get("row"), fountain.get("col")]]
                self.take(f"fountains.{name}", given, size, taken)
        for name, shop in shops.items():
            if "cells" in shop:
                self.take(f"shops.{name}", shop["cells"], size, taken)
        if "blocked_cells" in data:
            self.take("blocked_cells", data["blocked_cells"], size, taken)

    def take(
        self,
        where: str,
        given: object,
        size: tuple[int, int] | None,
        taken: dict[tuple[int, int], str],
    ) -> None:
        """Occupy some cells, each a row and a column; report those already taken."""
        if size is None:
            self.report(where, "names cells, but the board has no grid")
            return
        if not isinstance(given, list) or not (given or where == "blocked_cells"):
            self.report(where, f"must be a list of cells, not {brief(given)}")
            return
        for cell in given:
            place = [as_int(side) for side in cell] if isinstance(cell, list) else []
            row, col = place if len(place) == 2 else (None, None)
            if row is None or col is None or not (0 <= row < size[0] and 0 <= col < size[1]):
                self.report(where, f"{brief(cell)} is no row and column of the grid")
            elif (other := taken.setdefault((row, col), where)) != where:
                self.report(where, f"cell {brief(cell)} is taken by {other}")

    def check_ways(self, fountains: _Entries, streets: _Entries) -> None:
        """Check that a street drawn by points runs inside the town, from fountain to fountain."""
        for name, street in streets.items():
            if "polyline" not in street:
                continue
            where, points = f"streets.{name}.polyline", street["polyline"]
            if not isinstance(points, list) or not 2 <= len(points) <= MOST_BENDS:
                self.report(where, f"must be a list of 2 to {MOST_BENDS} points")
                continue
            good = [
                point
                for point in points
                if isinstance(point, list)
                and len(point) == 2
                and all(_number(number) is not None for number in point)
            ]
            if len(good) < len(points):
                bad = next(point for point in points if point not in good)
                self.report(where, f"{brief(bad)} must be two numbers from 0 to 1")
                continue
            for point, key in ((points[0], "a"), (points[-1], "b")):
                fountain = fountains[street[key]]
                away = max(abs(point[0] - fountain["x"]), abs(point[1] - fountain["y"]))
                if away > NEAR:
                    self.report(where, f"{brief(point)} is not where {street[key]} is")
