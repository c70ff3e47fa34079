"""What a look at the courtyard says about who will win, by rules that a person would name.

Everybody's worth is counted in dirhams: the score as it stands, the taxes that large areas are
likely to bring, and the tax that awaits whoever moves next. The shares of the win follow from how
far the worths lie apart and how much may still happen.

In the compilable subset; it is read together with the rules, whose names it uses.
"""

from collections.abc import MutableSequence
from math import exp

from souk.engine.kernel.primitives import lowest_bit, popcount
from souk.games.marrakech.board import WALK
from souk.games.marrakech.rules import (
    ASSAM,
    BOARD,
    COLOURS,
    DIRHAMS,
    FACING,
    OUT,
    PHASE,
    PLAYERS,
    PLAYS_ON,
    TO_MOVE,
    TURN,
    UNKNOWN,
    connected,
    owner_of,
    rugs_left,
    score,
)

# Found by trying: players with these beat players with others.
LURE = 0.3 / 49  # of the square of an area: how much of it a player pays a turn
HORIZON = 4  # turns that areas are expected to last
NEAR = 0.7  # how much of the next tax counts
RUIN = 20.0  # dirhams that being out is worth
# How many dirhams make a clear lead: at the end, and more for each turn left. Fitted to games of
# players with this judgement, so that shares are what really becomes of such positions.
LAST_SPREAD = 3.0
SPREAD = 0.5 if PLAYERS == 2 else 0.9


def judge_by_hand(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Write the expected share of the win of every seat, where a turn is about to begin."""
    turns_left = 0
    for seat in range(PLAYERS):
        V[seat] = score(S, seat)
        turns_left += rugs_left(S, seat)
    count_areas(S, V)
    count_next_tax(S, V)
    share_out(S, V, LAST_SPREAD + SPREAD * turns_left)


def count_areas(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """What the areas of every colour will bring its owner, from each player who has turns left."""
    for colour in range(COLOURS):
        owner = owner_of(colour)
        if S[OUT + owner] == 0:
            lure = LURE * area_squares(S[BOARD + colour])
            for seat in range(PLAYERS):
                if seat != owner and S[OUT + seat] == 0:
                    paid = lure * min(rugs_left(S, seat), HORIZON)
                    V[seat] -= paid
                    for other in range(PLAYERS):
                        if other == owner:
                            V[other] += paid


def area_squares(colour_squares: int) -> int:
    """The sum of the squares of the areas of a colour."""
    total = 0
    while colour_squares != 0:
        area = connected(colour_squares, lowest_bit(colour_squares))
        size = popcount(area)
        total += size * size
        colour_squares &= ~area
    return total


def count_next_tax(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """The tax of the turn about to begin, if Assam is turned where it is least."""
    best = S[FACING]
    if S[PHASE] == TURN:
        best = S[FACING] + 3 & 3
        least = tax_facing(S, best)
        for turning in range(2):
            facing = S[FACING] + turning & 3
            tax = tax_facing(S, facing)
            if tax < least:
                least = tax
                best = facing
    payer = S[TO_MOVE]
    purse = 0
    for seat in range(PLAYERS):
        if seat == payer:
            purse = S[DIRHAMS + seat]
    for pips in range(4):
        taxed = tax_and_colour(S, landing(S, best, pips))
        tax = taxed >> 3
        if tax > 0:
            part = NEAR * sixths(pips) / 6
            loss = part * tax
            if tax > purse and S[PLAYS_ON] == 0:
                loss += part * RUIN
            owner = owner_of(taxed & 7)
            for seat in range(PLAYERS):
                if seat == payer:
                    V[seat] -= loss
                if seat == owner:
                    V[seat] += part * tax


def tax_facing(S: MutableSequence[int], facing: int) -> int:
    """Six times the expected tax if Assam walks this way."""
    total = 0
    for pips in range(4):
        total += sixths(pips) * (tax_and_colour(S, landing(S, facing, pips)) >> 3)
    return total


def sixths(pips: int) -> int:
    """How many of the die's six faces show so many pips, counted from 0."""
    return 1 if pips == 0 or pips == 3 else 2


def landing(S: MutableSequence[int], facing: int, pips: int) -> int:
    """Where Assam would stop."""
    return WALK[(pips * 4 + facing) * 49 + S[ASSAM]] & 63


def tax_and_colour(S: MutableSequence[int], square: int) -> int:
    """What the player in turn would pay on a square, times 8, plus the colour that it goes to."""
    taxed = UNKNOWN
    colour_squares = 0
    for colour in range(COLOURS):
        if S[BOARD + colour] >> square & 1:
            owner = owner_of(colour)
            if owner != S[TO_MOVE]:
                for seat in range(PLAYERS):
                    if seat == owner and S[OUT + seat] == 0:
                        taxed = colour
                        colour_squares = S[BOARD + colour]
    return 0 if taxed == UNKNOWN else popcount(connected(colour_squares, square)) << 3 | taxed


def share_out(S: MutableSequence[int], V: MutableSequence[float], spread: float) -> None:
    """From worths to shares of the win: a lead counts the more, the smaller the spread."""
    most = -1000.0
    for seat in range(PLAYERS):
        if S[OUT + seat] == 0:
            most = max(most, V[seat])
    total = 0.0
    for seat in range(PLAYERS):
        V[seat] = exp((V[seat] - most) / spread) if S[OUT + seat] == 0 else 0.0
        total += V[seat]
    for seat in range(PLAYERS):
        V[seat] /= total
