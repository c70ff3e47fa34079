"""The schema of a position of Marrakech as JSON."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Colour = Literal["red", "yellow", "blue", "orange"]
Facing = Literal["N", "E", "S", "W"]
Turning = Literal["left", "ahead", "right"]


class Assam(Struct, frozen=True, forbid_unknown_fields=True):
    """The square and the facing of Assam."""

    square: str  # a1 to g7
    facing: Facing  # where he walks unless he is turned


class Half(Struct, frozen=True, forbid_unknown_fields=True):
    """Half of a rug, as a square shows it."""

    colour: Colour
    rug: int  # the same for both halves


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """The possessions of a player."""

    dirhams: int
    rugs: dict[Colour, int]  # left to lay, the one in hand included
    next: Colour | None  # the rug on top of the pile, if it is known
    out: bool  # could not pay
    out_order: int | UnsetType = UNSET  # 1 for the first out


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, as `State.to_dict` writes it."""

    game: str  # with its knobs
    phase: Literal["draw", "turn", "roll", "lay", "turn_last", "over"]  # the step that comes next
    to_move: int  # the seat whose turn it is, also while chance acts
    assam: Assam
    squares: dict[str, Half]  # those with a rug, as seen from above
    players: list[Player]  # by seat
