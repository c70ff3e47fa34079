"""Random games of Marrakech: a part of the kernel."""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import WORD_MASK, next_word, random_below
from souk.engine.kernel.primitives import lowest_bit, popcount
from souk.games.marrakech.board import ALONG_RANK, DIE_FACES, PLACE_ALONG_RANK
from souk.games.marrakech.rules import (
    COLOUR,
    COLOURS,
    DIE,
    DIE_SIDES,
    DRAW,
    LAST,
    LAY,
    LAY_AT,
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

if TYPE_CHECKING:  # defined by the driver

    def log_action(R: MutableSequence[int], action: int) -> None: ...


def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Play to the end at random: chance by its probabilities, players evenly among legal actions.

    The steps are in the order of a turn, so that the compiler sees which follows which. One
    random word serves a whole turn: each choice takes the leading part of it as a fraction and
    leaves the rest to the next, which makes no outcome likelier by more than 2**-32.
    """
    while S[PHASE] != OVER:
        if TWO_EACH and S[PHASE] == DRAW:
            draw_at_random(S, R)
        chance = next_word(R)
        if S[PHASE] == TURN:
            turning = chance * 3 >> 32
            chance = chance * 3 & WORD_MASK
            log_action(R, turning)
            turn_assam(S, turning)
        if S[PHASE] == ROLL:
            pips = DIE_FACES[chance * DIE_SIDES >> 32]
            chance = chance * DIE_SIDES & WORD_MASK
            log_action(R, DIE + pips - 1)
            roll(S, pips)
        if S[PHASE] == LAY:
            lay_at_random(S, R, chance)
        if TWO_EACH and S[PHASE] == DRAW:
            draw_at_random(S, R)
        if S[PHASE] == LAST:
            choice = random_below(R, 3) if S[TURN_LAST] == MAY_TURN else 2 * random_below(R, 2)
            log_action(R, choice)
            turn_assam(S, choice)


def draw_at_random(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Turn up one of the equally likely rugs of the pile drawn from."""
    outcome = random_outcome(S, R)
    log_action(R, outcome)
    draw(S, outcome - COLOUR)


def random_outcome(S: MutableSequence[int], R: MutableSequence[int]) -> int:
    """Return a chance outcome: a roll of the die, or the rug that a pile shows."""
    if S[PHASE] == ROLL:
        return DIE + DIE_FACES[random_below(R, DIE_SIDES)] - 1
    return COLOUR + random_colour(S, random_below(R, chance_total(S)))


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


def lay_at_random(S: MutableSequence[int], R: MutableSequence[int], chance: int) -> None:
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
    square = lowest_bit(free)
    log_action(R, LAY_AT + (ALONG_RANK + square if along_file else PLACE_ALONG_RANK[square]))
    lay(S, free & -free, along_file)
