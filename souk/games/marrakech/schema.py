"""The schema of a position of Marrakech as JSON."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Colour = Literal["red", "yellow", "blue", "orange"]
Facing = Literal["N", "E", "S", "W"]
Turning = Literal["left", "ahead", "right"]


class Assam(Struct, frozen=True, forbid_unknown_fields=True):
    """The square and the facing of Assam."""

    square: str  # a1 to g7
    facing: Facing


class Half(Struct, frozen=True, forbid_unknown_fields=True):
    """Half of a rug, as a square shows it."""

    colour: Colour
    rug: int  # the same for both halves


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """The possessions of a player."""

    dirhams: int
    rugs: dict[Colour, int]  # left to lay
    next: Colour | None  # the rug on top of the pile, if it is known
    out: bool
    out_order: int | UnsetType = UNSET  # 1 for the first out


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, as `State.to_dict` writes it."""

    game: str
    phase: Literal["draw", "turn", "roll", "lay", "turn_last", "over"]
    to_move: int
    assam: Assam
    squares: dict[str, Half]  # those with a rug
    players: list[Player]
