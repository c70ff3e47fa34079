"""The content of a Marrakech drawing.

Plain data in, so that anything can be drawn: a game in progress, a puzzle, a page of the docs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from souk.engine.errors import SoukError, one_of
from souk.games.marrakech import board
from souk.games.marrakech.board import ARCS, FACINGS, PLACES, SQUARES
from souk.games.marrakech.knobs import COLOURS


@dataclass(frozen=True)
class Rug:
    """One rug, in the order laid."""

    colour: str  # "red" | "yellow" | "blue" | "orange"
    squares: tuple[str, ...]  # two squares; one where only one half is known, the other hidden
    neutral: bool = False  # the owner is out: loses its colour, keeps its pattern


@dataclass(frozen=True)
class Seat:
    """One player as the panel shows them."""

    name: str
    colours: tuple[str, ...]
    dirhams: int
    squares: int  # their visible squares
    score: int
    rugs: Mapping[str, int]  # left per colour
    next: str | None  # the rug they lay next, if known; shown with two colours each
    out: bool = False
    to_move: bool = False


@dataclass(frozen=True)
class Option:
    """A square Assam may stop on, drawn as a badge."""

    square: str
    label: str  # how likely, e.g. "1/3"
    note: str  # what it would mean, e.g. "−5" or "0"
    cost: bool  # the note is something to pay


@dataclass(frozen=True)
class Walk:
    """A walk of Assam's; the board knows where it led."""

    start: str  # square
    facing: str  # at the start
    steps: int

    def path(self) -> list[tuple[str, str]]:
        """Return the squares of the walk, with Assam's facing on each.

        >>> Walk("d2", "S", 3).path()
        [('d1', 'S'), ('e1', 'N'), ('e2', 'N')]
        """
        path = board.walk(SQUARES.index(self.start), FACINGS.index(self.facing), self.steps)
        return [(SQUARES[square], FACINGS[facing]) for square, facing in path]


@dataclass(frozen=True)
class Scene:
    """Everything one drawing shows."""

    assam: str  # square
    facing: str  # N E S W
    rugs: tuple[Rug, ...]  # bottom first; a later one lies on top of earlier ones
    seats: tuple[Seat, ...]
    walk: Walk | None = None  # Assam's last one
    laid: int | None = None  # index into rugs of the rug laid last
    taxed: tuple[str, ...] = ()  # squares counted for the last tax
    options: tuple[Option, ...] = ()
    caption: tuple[str, ...] = ()  # lines under the board; the last one says what is to be done


def check(scene: Scene) -> None:
    """Refuse what cannot be drawn, naming the value and what would be accepted."""
    walks = [scene.walk] if scene.walk else []
    for facing in (scene.facing, *(walk.facing for walk in walks)):
        _one_of("Assam's facing", facing, FACINGS)
    for colour in (*(r.colour for r in scene.rugs), *(c for s in scene.seats for c in s.colours)):
        _one_of("a colour", colour, COLOURS)
    squares = [scene.assam, *(walk.start for walk in walks), *scene.taxed]
    squares += [option.square for option in scene.options]
    for square in [*squares, *(square for rug in scene.rugs for square in rug.squares)]:
        if square not in SQUARES:
            raise SoukError(f"{square!r} is not a square of the board: a1 to g7 are")
    for rug in scene.rugs:
        place = tuple(sorted(SQUARES.index(square) for square in rug.squares))
        if len(place) != 1 and place not in PLACES:
            raise SoukError(f"a rug lies on two neighbouring squares (or one), not {rug.squares}")
    if scene.laid is not None and not 0 <= scene.laid < len(scene.rugs):
        raise SoukError(f"laid={scene.laid} is no index into the {len(scene.rugs)} rugs")


def _one_of(what: str, value: str, accepted: Sequence[str]) -> None:
    if value not in [*accepted]:
        raise SoukError(f"{what} is {value!r}; accepted: {one_of(accepted)}")


def neighbour(square: str, side: str) -> str | None:
    """Return the square next to this one, or None at the edge.

    >>> neighbour("d4", "N"), neighbour("g4", "E")
    ('d5', None)
    """
    here = SQUARES.index(square), FACINGS.index(side)
    return None if here in ARCS else SQUARES[board.step(*here)[0]]


def hidden_sides(rug: Rug, rugs: tuple[Rug, ...]) -> list[str]:
    """Return the sides where the hidden half of a rug may be: under a neighbouring rug."""
    covered = {square for other in rugs if other is not rug for square in other.squares}
    return [side for side in FACINGS if neighbour(rug.squares[0], side) in covered]


def visible(rugs: tuple[Rug, ...]) -> dict[str, Rug]:
    """Return the rug on top of each covered square."""
    return {square: rug for rug in rugs for square in rug.squares}
