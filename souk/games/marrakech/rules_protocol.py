"""Type the names of Marrakech's kernel that Python code reads."""

from collections.abc import MutableSequence, Sequence
from typing import Protocol

from souk.engine.kernel.rules_protocol import Rules


class MarrakechRules(Rules, Protocol):
    """The slots, phases, actions and functions of `rules`, in its order; see there."""

    COLOURS: int
    TWO_EACH: int
    BOARD: int
    PAIRS_RANK: int
    PAIRS_FILE: int
    ASSAM: int
    FACING: int
    PHASE: int
    TO_MOVE: int
    PLAYS_ON: int
    COVER_OWN: int
    TURN_LAST: int
    FACE_DOWN: int
    DRAWN_TIE: int
    DIRHAMS: int
    OUT: int
    RUGS: int
    NEXT: int
    DRAW: int
    TURN: int
    ROLL: int
    LAY: int
    LAST: int
    OVER: int
    UNKNOWN: int
    RIGHT: int
    LAY_AT: int
    DIE: int
    COLOUR: int

    def begin_game(self, S: MutableSequence[int]) -> None: ...

    def connected(self, colour_squares: int, square: int) -> int: ...

    def owner_of(self, colour: int) -> int: ...

    def pile_to_draw(self, S: Sequence[int]) -> int: ...

    def rug_in_hand(self, S: Sequence[int]) -> int: ...

    def rugs_left(self, S: Sequence[int], seat: int) -> int: ...

    def rugs_to_come(self, S: Sequence[int]) -> int: ...

    def tax_on(self, S: Sequence[int], square: int, payer: int) -> int: ...

    def taxed_colour(self, S: Sequence[int], square: int, payer: int) -> int: ...

    def visible(self, S: Sequence[int], seat: int) -> int: ...
