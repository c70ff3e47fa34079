"""What a Marrakech drawing is told, where things lie on the board, and the position in words.

Plain data in, so that anything can be drawn: a game in progress, a puzzle, a page of the docs.
Holds the board's geometry of squares, gates and arcs too, because telling a walk from two
squares needs it. May import the standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

COLOURS = ("red", "yellow", "blue", "orange")
FILES = "abcdefg"
RANKS = "1234567"
SQUARES = tuple(file + rank for rank in RANKS for file in FILES)

FACINGS = {"N": "north", "E": "east", "S": "south", "W": "west"}
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
# One step on the page, where y grows downwards.
AHEAD = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

Gate = tuple[str, str]  # a square on the edge and the side one leaves it by

# Each printed arc joins two gates and is walked both ways; the last two are the corner loops.
ARCS: tuple[tuple[Gate, Gate], ...] = (
    *((((a + "7"), "N"), ((b + "7"), "N")) for a, b in ("ab", "cd", "ef")),
    *((("g" + a, "E"), ("g" + b, "E")) for a, b in ("65", "43", "21")),
    *((((a + "1"), "S"), ((b + "1"), "S")) for a, b in ("bc", "de", "fg")),
    *((("a" + a, "W"), ("a" + b, "W")) for a, b in ("76", "54", "32")),
    (("g7", "N"), ("g7", "E")),
    (("a1", "S"), ("a1", "W")),
)
ACROSS: dict[Gate, Gate] = dict(ARCS) | {b: a for a, b in ARCS}


@dataclass(frozen=True)
class Rug:
    """One rug, in the order laid."""

    colour: str  # "red" | "yellow" | "blue" | "orange"
    squares: tuple[str, ...]  # two squares; one where only one half is known, the other hidden
    neutral: bool = False  # the owner is out: loses its colour, keeps its pattern


@dataclass(frozen=True)
class Seat:
    """One player as the side panel shows him."""

    name: str
    colours: tuple[str, ...]
    dirhams: int
    squares: int  # visible squares of his
    score: int
    rugs: Mapping[str, int]  # left per colour
    next: str | None  # the rug he lays next, if known; shown when he has two colours
    out: bool = False
    to_move: bool = False


@dataclass(frozen=True)
class Option:
    """A square Assam may stop on, drawn as a ghost badge."""

    square: str
    label: str  # how likely, e.g. "1/3"
    note: str  # what it would mean, e.g. "pay 5" or "0"
    cost: bool  # the note is something to pay


@dataclass(frozen=True)
class Scene:
    """Everything one drawing shows."""

    assam: str  # square
    facing: str  # N E S W
    rugs: tuple[Rug, ...]  # bottom first; a later one lies on top of earlier ones
    seats: tuple[Seat, ...]
    walked: tuple[str, ...] = ()  # last move: squares in order, start first
    laid: int | None = None  # index into rugs of the rug laid last
    taxed: tuple[str, ...] = ()  # squares counted for the last tax
    options: tuple[Option, ...] = ()
    caption: str = ""  # one sentence under the board


@dataclass(frozen=True)
class Step:
    """One step of a walk: where to, and through which gates if along an arc."""

    to: str
    gates: tuple[Gate, Gate] | None = None


def check(scene: Scene) -> None:
    """Refuse what cannot be drawn, naming the value and what would be accepted."""
    _one_of("Assam's facing", scene.facing, tuple(FACINGS))
    squares = [scene.assam, *scene.walked, *scene.taxed, *(o.square for o in scene.options)]
    for square in [*squares, *(s for rug in scene.rugs for s in rug.squares)]:
        if square not in SQUARES:
            raise ValueError(f"{square!r} is not a square of the board: a1 to g7 are")
    for rug in scene.rugs:
        _one_of("a rug's colour", rug.colour, COLOURS)
        if len(rug.squares) != 1 and (len(rug.squares) != 2 or not side_of(*rug.squares)):
            raise ValueError(f"a rug lies on two neighbouring squares (or one), not {rug.squares}")
    for colour in (colour for seat in scene.seats for colour in seat.colours):
        _one_of("a seat's colour", colour, COLOURS)
    if scene.laid is not None and not 0 <= scene.laid < len(scene.rugs):
        raise ValueError(f"laid={scene.laid} is no index into the {len(scene.rugs)} rugs")


def _one_of(what: str, value: str, accepted: tuple[str, ...]) -> None:
    if value not in accepted:
        raise ValueError(f"{what} is {value!r}; accepted: {', '.join(accepted)}")


def neighbour(square: str, side: str) -> str | None:
    """The square next to this one, or None at the edge.

    >>> neighbour("d4", "N"), neighbour("g4", "E")
    ('d5', None)
    """
    dx, dy = AHEAD[side]
    file, rank = FILES.index(square[0]) + dx, RANKS.index(square[1]) - dy
    if 0 <= file < 7 and 0 <= rank < 7:
        return FILES[file] + RANKS[rank]
    return None


def side_of(square: str, other: str) -> str | None:
    """On which side of a square its neighbour lies; None if they are not neighbours."""
    return next((side for side in FACINGS if neighbour(square, side) == other), None)


def hidden_sides(rug: Rug, rugs: tuple[Rug, ...]) -> list[str]:
    """Where the other half of a half-known rug may be: under a rug on a neighbouring square."""
    covered = {square for other in rugs if other is not rug for square in other.squares}
    return [side for side in FACINGS if neighbour(rug.squares[0], side) in covered]


def visible(rugs: tuple[Rug, ...]) -> dict[str, Rug]:
    """The rug on top of each covered square."""
    return {square: rug for rug in rugs for square in rug.squares}


def steps(walked: tuple[str, ...], facing: str) -> list[Step]:
    """How a walk went, told from its squares alone.

    An arc joins neighbouring squares, so c7 to d7 may be a step ahead or an arc. A walk is
    straight but for arcs: we try the four ways to set out and keep those that visit the same
    squares, preferring one that ends facing as Assam does now, else one without arcs.

    >>> [step.gates is not None for step in steps(("d2", "d1", "e1", "e2"), "N")]
    [False, True, False]
    """
    ways = [_set_out(walked[0], start, len(walked) - 1) for start in FACINGS] if walked else []
    fits = [way for way in ways if tuple(step.to for step in way[0]) == walked[1:]]
    if not fits:
        return [Step(square) for square in walked[1:]]

    def preference(way: tuple[list[Step], str]) -> tuple[bool, int]:
        return way[1] != facing, sum(step.gates is not None for step in way[0])

    return min(fits, key=preference)[0]


def _set_out(square: str, facing: str, count: int) -> tuple[list[Step], str]:
    """Walk so many steps and say also which way one faces at the end."""
    walk: list[Step] = []
    for _ in range(count):
        ahead = neighbour(square, facing)
        if ahead:
            walk.append(Step(ahead))
            square = ahead
        else:
            leave = (square, facing)
            enter = ACROSS[leave]
            walk.append(Step(enter[0], (leave, enter)))
            square, facing = enter[0], OPPOSITE[enter[1]]
    return walk, facing


def describe(scene: Scene) -> str:
    """The position in plain words, for those who hear it read out."""
    return " ".join(
        part
        for part in (
            f"Assam stands on {scene.assam}, facing {FACINGS[scene.facing]}.",
            _describe_rugs(scene.rugs),
            *map(_describe_seat, scene.seats),
            f"Assam's last walk: {', '.join(scene.walked)}." if scene.walked else "",
            _describe_laid(scene),
            f"Squares counted for the tax: {', '.join(scene.taxed)}." if scene.taxed else "",
            *(f"Assam may stop on {o.square}: {o.label}, {o.note}." for o in scene.options),
            scene.caption,
        )
        if part
    )


def _describe_rugs(rugs: tuple[Rug, ...]) -> str:
    areas: dict[str, list[str]] = {}
    for square, rug in sorted(visible(rugs).items()):
        areas.setdefault(("neutral " if rug.neutral else "") + rug.colour, []).append(square)
    if not areas:
        return "No rugs lie on the board."
    told = "; ".join(f"{colour} on {', '.join(squares)}" for colour, squares in areas.items())
    return f"Rugs seen from above: {told}."


def _describe_laid(scene: Scene) -> str:
    if scene.laid is None:
        return ""
    rug = scene.rugs[scene.laid]
    return f"Laid last: {rug.colour} on {' and '.join(rug.squares)}."


def _describe_seat(seat: Seat) -> str:
    whose = f"{seat.name} ({' and '.join(seat.colours)})"
    if seat.out:
        return f"{whose} is out."
    left = ", ".join(f"{seat.rugs.get(colour, 0)} {colour}" for colour in seat.colours)
    told = (
        f"{whose}: {seat.dirhams} dirhams, {seat.squares} visible squares, score {seat.score}, "
        f"rugs left: {left}"
    )
    if seat.next and len(seat.colours) > 1:
        told += f", next {seat.next}"
    return told + (", to move." if seat.to_move else ".")
