"""The content of a MarraCash drawing.

Plain data in, so that anything can be drawn: a game in progress, a puzzle, a custom board.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from souk.engine.drawing.ornaments import YARNS
from souk.engine.errors import SoukError, brief, one_of
from souk.games.marracash.drawing.visitors import SHAPES


@dataclass(frozen=True)
class Shop:
    """One shop as it stands now."""

    id: str
    colour: str  # "red" | "yellow" | "blue" | "green" | "purple"
    owner: int | None  # seat
    customers: int


@dataclass(frozen=True)
class Seat:
    """One player as the panel shows them."""

    name: str
    colour: str  # of their signs: "red" | "yellow" | "blue" | "orange"
    dirhams: int
    signs: int  # left to place
    to_move: bool = False  # must act now
    turn_of: bool = False  # it is their turn, though another player may have to act
    note: str = ""  # e.g. "bids 125" or "passed"


@dataclass(frozen=True)
class Walk:
    """A group's walk along one street."""

    start: str  # fountain
    end: str
    entered: tuple[tuple[str, str], ...]  # (shop, visitor's colour) in the order of entering


@dataclass(frozen=True)
class Route:
    """A walk that may be made, drawn as a dotted line."""

    start: str
    end: str
    label: str  # e.g. "F1>F6"
    gains: tuple[tuple[int, str], ...] = ()  # (seat, what it would bring them, e.g. "+300")


@dataclass(frozen=True)
class Scene:
    """Everything one drawing shows."""

    board: Mapping[str, Any]  # a layout as in a board file
    groups: Mapping[str, Mapping[str, int]]  # fountain -> colour -> visitors
    queue: tuple[str, ...]  # colours, head first
    shops: tuple[Shop, ...]  # a shop of the board that is left out stands empty
    seats: tuple[Seat, ...]
    cards: tuple[tuple[str, int], ...] = ()  # open souvenir cards
    auction: str | None = None  # the shop being auctioned
    walk: Walk | None = None  # the last move
    walkers: Mapping[str, int] = field(default_factory=dict)  # colour -> still on the way
    at: str | None = None  # the shop that they have come to
    routes: tuple[Route, ...] = ()
    caption: tuple[str, ...] = ()  # lines under the board; the last one says what is to be done

    def all_shops(self) -> dict[str, Shop]:
        """Return every shop of the board by its id, in the board's order."""
        given = {shop.id: shop for shop in self.shops}
        return {
            shop["id"]: given.get(shop["id"], Shop(shop["id"], shop["color"], None, 0))
            for shop in self.board["shops"]
        }

    def entered(self) -> dict[str, dict[str, int]]:
        """Return how many of each colour entered each shop on the last move."""
        counts: dict[str, dict[str, int]] = {}
        for shop, colour in self.walk.entered if self.walk else ():
            colours = counts.setdefault(shop, {})
            colours[colour] = colours.get(colour, 0) + 1
        return counts


def check(scene: Scene) -> None:
    """Refuse what cannot be drawn, naming the value and what would be accepted."""
    walks = [scene.walk] if scene.walk else []
    ends = [end for walk in walks for end in (walk.start, walk.end)]
    ends += [end for route in scene.routes for end in (route.start, route.end)]
    fountains = [fountain["id"] for fountain in scene.board["fountains"]]
    _known("a fountain", [*scene.groups, *ends], fountains)
    entered = [entry for walk in walks for entry in walk.entered]
    called = [shop for shop, _ in entered]
    called += [shop for shop in (scene.auction, scene.at) if shop is not None]
    shops = [shop["id"] for shop in scene.board["shops"]]
    _known("a shop", [*(shop.id for shop in scene.shops), *called], shops)
    visitors = [colour for group in scene.groups.values() for colour in group]
    visitors += [*scene.queue, *scene.walkers, *(shop.colour for shop in scene.shops)]
    visitors += [colour for colour, _ in (*scene.cards, *((c, s) for s, c in entered))]
    _known("a visitor's colour", visitors, SHAPES)
    _known("a player's colour", [seat.colour for seat in scene.seats], YARNS)
    for route in scene.routes:
        for seat, _ in route.gains:
            _seat(route.label, seat, scene)
    for shop in scene.shops:
        if shop.owner is not None:
            _seat(f"{shop.id}: owner", shop.owner, scene)
        if shop.customers < 0:
            raise SoukError(f"{shop.id}: customers is {shop.customers}; accepted: 0 or more")
    for fountain, group in scene.groups.items():
        for colour, count in group.items():
            if count < 0:
                raise SoukError(f"{fountain}: {colour} is {count}; accepted: 0 or more")


def _seat(what: str, seat: int, scene: Scene) -> None:
    if not 0 <= seat < len(scene.seats):
        raise SoukError(f"{what} {seat} is none of the {len(scene.seats)} seats")


def _known(what: str, values: Iterable[str], accepted: Iterable[str]) -> None:
    accepted = list(accepted)
    for value in values:
        if value not in accepted:
            raise SoukError(f"{brief(value)} is not {what}; accepted: {one_of(accepted)}")
