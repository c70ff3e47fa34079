"""The heuristic: estimate the shares of the win by a few rules that a person would name.

Every seat has a value in dirhams: its score, the taxes that large areas are likely to bring, and
the tax that the next player to move expects to pay. The shares of the win follow from the
differences of the values and from the number of turns left. A kernel module.
"""

from collections.abc import MutableSequence
from math import exp

from souk.engine.kernel.primitives import lowest_bit, popcount
from souk.games.marrakech.ai.tax import tax_at
from souk.games.marrakech.board import DIE_WEIGHTS, WALK
from souk.games.marrakech.rules import (
    ASSAM,
    BOARD,
    COLOURS,
    DIE_SIDES,
    DIRHAMS,
    FACING,
    OUT,
    PHASE,
    PLAYERS,
    PLAYS_ON,
    TO_MOVE,
    TURN,
    connected,
    owner_of,
    rugs_left,
    score,
)

# Chosen by playing: players with these values beat players with others.
AREA_TAX = 0.3 / 49  # expected tax per turn and opponent, times the square of an area's size
HORIZON = 4  # turns that areas are expected to last
NEXT_TAX = 0.7  # weight of the next tax
ELIMINATION = 20.0  # dirhams that a player loses by being out
# Scale of the softmax over values: at the end, and more for each turn left. Fitted to games of
# players with this heuristic, so that shares match the results of such positions.
LAST_SPREAD = 3.0
SPREAD = 0.5 if PLAYERS == 2 else 0.9


def evaluate_heuristic(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Write the expected share of the win of every seat, where a turn is about to begin."""
    turns_left = 0
    for seat in range(PLAYERS):
        V[seat] = score(S, seat)
        turns_left += rugs_left(S, seat)
    add_area_income(S, V)
    add_next_tax(S, V)
    to_shares(S, V, LAST_SPREAD + SPREAD * turns_left)


def add_area_income(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Add the taxes that areas bring their owners from each player who has turns left."""
    for colour in range(COLOURS):
        owner = owner_of(colour)
        if S[OUT + owner] == 0:
            income = AREA_TAX * area_squares(S[BOARD + colour])
            for seat in range(PLAYERS):
                if seat != owner and S[OUT + seat] == 0:
                    paid = income * min(rugs_left(S, seat), HORIZON)
                    V[seat] -= paid
                    for other in range(PLAYERS):
                        if other == owner:
                            V[other] += paid


def area_squares(colour_squares: int) -> int:
    """Return the sum of the squared sizes of a colour's areas."""
    total = 0
    while colour_squares != 0:
        area = connected(colour_squares, lowest_bit(colour_squares))
        size = popcount(area)
        total += size * size
        colour_squares &= ~area
    return total


def add_next_tax(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Add the tax of the turn about to begin, with Assam turned where it is least."""
    best = S[FACING]
    if S[PHASE] == TURN:
        best = S[FACING] + 3 & 3
        least = expected_tax(S, best)
        for turning in range(2):
            facing = S[FACING] + turning & 3
            tax = expected_tax(S, facing)
            if tax < least:
                least = tax
                best = facing
    payer = S[TO_MOVE]
    purse = 0
    for seat in range(PLAYERS):
        if seat == payer:
            purse = S[DIRHAMS + seat]
    for pips in range(4):
        taxed = tax_at(S, landing(S, best, pips), payer)
        tax = taxed >> 3
        if tax > 0:
            part = NEXT_TAX * DIE_WEIGHTS[pips] / DIE_SIDES
            loss = part * tax
            if tax > purse and S[PLAYS_ON] == 0:
                loss += part * ELIMINATION
            owner = owner_of(taxed & 7)
            for seat in range(PLAYERS):
                if seat == payer:
                    V[seat] -= loss
                if seat == owner:
                    V[seat] += part * tax


def expected_tax(S: MutableSequence[int], facing: int) -> int:
    """Return the expected tax if Assam walks this way, times DIE_SIDES."""
    total = 0
    for pips in range(4):
        total += DIE_WEIGHTS[pips] * (tax_at(S, landing(S, facing, pips), S[TO_MOVE]) >> 3)
    return total


def landing(S: MutableSequence[int], facing: int, pips: int) -> int:
    """Return the square where Assam would stop after `pips` + 1 steps."""
    return WALK[(pips * 4 + facing) * 49 + S[ASSAM]] & 63


def to_shares(S: MutableSequence[int], V: MutableSequence[float], spread: float) -> None:
    """Turn values into shares of the win by a softmax of the given scale."""
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
