"""Evaluate actions as the `novice` level does, which misses what beginners miss.

It looks straight ahead, up to the edge: where the arcs lead is hard to see. Of an area it sees the
square that Assam may stop on and those beside it, not what is connected further away. It does not
cover its own rugs if it can help it and likes to cover an opponent's, but it ignores that a rug
may cover two of them or join its own.
"""

from typing import TYPE_CHECKING

from souk.engine.state import State
from souk.games.marrakech.board import ARCS, DIE_FACES, PLACES, STEPS, neighbours

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech


def squares_ahead(square: int, facing: int) -> list[int]:
    """Return the squares straight ahead that the die can reach."""
    ahead: list[int] = []
    while len(ahead) < max(DIE_FACES) and (square, facing) not in ARCS:
        square += STEPS[facing]
        ahead.append(square)
    return ahead


def turning_value(game: "Marrakech", state: State, turned: int) -> float:
    """Return how good a turning of Assam looks: the taxes that lie straight ahead.

    A player who turns him before the roll pays them; one who turns him after laying hopes that
    others will.
    """
    k, S = game.rules, state.buffer
    facing = S[k.FACING] + turned + 3 & 3
    is_mine = S[k.PHASE] == k.LAST
    taxes = 0
    for colour in range(k.COLOURS):
        squares = S[k.BOARD + colour]
        if (k.owner_of(colour) == S[k.TO_MOVE]) == is_mine:
            for ahead in squares_ahead(S[k.ASSAM], facing):
                if squares >> ahead & 1:
                    taxes += 1 + sum(squares >> beside & 1 for beside in neighbours(ahead))
    return taxes if is_mine else -taxes


def laying_value(game: "Marrakech", state: State, place: int) -> float:
    """Return how good a place for the rug looks."""
    k, S = game.rules, state.buffer
    covered = sum(1 << square for square in PLACES[place])
    own = others = 0
    for colour in range(k.COLOURS):
        squares = (S[k.BOARD + colour] & covered).bit_count()
        if k.owner_of(colour) == S[k.TO_MOVE]:
            own += squares
        else:
            others += squares
    return min(others, 1) - own
