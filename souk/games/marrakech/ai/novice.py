"""What a beginner sees of the courtyard.

He looks straight ahead, as far as the edge: where the arcs lead is hard to see. Of an area he sees
the square that Assam may stop on and those beside it, not what hangs together farther away. When he
lays he keeps his own rugs visible and likes to cover another's, but two at once, or joining
his own, does not occur to him.
"""

from typing import TYPE_CHECKING

from souk.engine.state import State
from souk.games.marrakech.board import ARCS, PLACES, STEPS, neighbours

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech

FARTHEST = 4


def squares_ahead(square: int, facing: int) -> list[int]:
    """The squares straight ahead that the die can reach."""
    ahead: list[int] = []
    while len(ahead) < FARTHEST and (square, facing) not in ARCS:
        square += STEPS[facing]
        ahead.append(square)
    return ahead


def turning(game: "Marrakech", state: State, turned: int) -> float:
    """How good it looks to turn Assam: the dirhams that lie that way, as far as one sees.

    Whoever turns him before the roll pays; whoever turns him after laying waits for others to pay.
    """
    k, S = game.rules, state.buffer
    facing = S[k.FACING] + turned + 3 & 3
    is_mine = S[k.PHASE] == k.LAST
    look = 0
    for colour in range(k.COLOURS):
        squares = S[k.BOARD + colour]
        if (k.owner_of(colour) == S[k.TO_MOVE]) == is_mine:
            for ahead in squares_ahead(S[k.ASSAM], facing):
                if squares >> ahead & 1:
                    look += 1 + sum(squares >> beside & 1 for beside in neighbours(ahead))
    return look if is_mine else -look


def laying(game: "Marrakech", state: State, place: int) -> float:
    """How good a place for the rug looks."""
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
