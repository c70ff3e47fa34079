"""Random games of Marrakech: a part of the kernel."""

from collections.abc import MutableSequence

from souk.engine.kernel.philox import WORD_MASK, next_word, random_below
from souk.engine.kernel.primitives import popcount
from souk.games.marrakech.board import DIE_FACES
from souk.games.marrakech.rules import (
    COLOURS,
    DIE_SIDES,
    DRAW,
    LAST,
    LAY,
    MAY_TURN,
    OVER,
    PHASE,
    ROLL,
    RUGS,
    TURN,
    TURN_LAST,
    TWO_EACH,
    UNKNOWN,
    chance_total,
    draw,
    free_along_file,
    free_along_rank,
    lay,
    owner_of,
    pile_to_draw,
    roll,
    turn_assam,
)


def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Play to the end at random: chance by its probabilities, players evenly among legal actions.

    The steps are in the order of a turn, so that the compiler sees which follows which. One
    random word serves a whole turn: each choice takes the leading part of it as a fraction and
    leaves the rest to the next, which makes no outcome likelier by more than 2**-32.
    """
    while S[PHASE] != OVER:
        if TWO_EACH and S[PHASE] == DRAW:
            draw(S, random_colour(S, random_below(R, chance_total(S))))
        chance = next_word(R)
        if S[PHASE] == TURN:
            chance *= 3
            turn_assam(S, chance >> 32)
            chance &= WORD_MASK
        if S[PHASE] == ROLL:
            chance *= DIE_SIDES
            roll(S, DIE_FACES[chance >> 32])
            chance &= WORD_MASK
        if S[PHASE] == LAY:
            lay_at_random(S, chance)
        if TWO_EACH and S[PHASE] == DRAW:
            draw(S, random_colour(S, random_below(R, chance_total(S))))
        if S[PHASE] == LAST:
            if S[TURN_LAST] == MAY_TURN:
                turn_assam(S, random_below(R, 3))
            else:
                turn_assam(S, 2 * random_below(R, 2))


def random_colour(S: MutableSequence[int], case: int) -> int:
    """Return the colour of one of the equally likely rugs of the pile drawn from."""
    pile = pile_to_draw(S)
    drawn = UNKNOWN
    for colour in range(COLOURS):
        if owner_of(colour) == pile and drawn == UNKNOWN:
            if case < S[RUGS + colour]:
                drawn = colour
            case -= S[RUGS + colour]
    return drawn


def lay_at_random(S: MutableSequence[int], chance: int) -> None:
    """Lay the rug on a legal place chosen by `chance`, a random word."""
    free = free_along_rank(S)
    other = free_along_file(S)
    along_rank = popcount(free)
    skip = (chance * (along_rank + popcount(other))) >> 32
    along_file = 0
    if skip >= along_rank:
        skip -= along_rank
        free = other
        along_file = 1
    for _ in range(skip):
        free &= free - 1
    lay(S, free & -free, along_file)
