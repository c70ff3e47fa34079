"""What an analysis of MarraCash skips to compare positions at the ends of turns. A kernel module.

An auction is played out: whoever is asked raises by the least amount as long as they would rather
buy at that price than leave the shop to the last bidder. A walk is finished without further cards.
"""

from collections.abc import MutableSequence
from math import exp, log
from typing import TYPE_CHECKING

from souk.engine.kernel.primitives import floats, ints
from souk.games.marracash.amounts import LEAST_BID, STEP
from souk.games.marracash.rules import (
    BID,
    BIDDER,
    BIDDING,
    CARD,
    CARD_STEPS,
    CHOOSE,
    DIRHAMS,
    OPEN_CARD,
    OVER,
    PHASE,
    PLAYERS,
    REVEAL,
    SIGNS_LEFT,
    SIZE,
    SOUVENIRS,
    TO_MOVE,
    TURN_STEP,
    bid,
    can_bid,
    least_bid,
    pass_bid,
    sell,
    sell_card,
    walk_on,
)

if TYPE_CHECKING or "evaluate" not in globals():  # imported as a module, not joined with a kernel

    def evaluate(
        S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
    ) -> None: ...
    def win_in_sixtieths(S: MutableSequence[int], seat: int) -> int: ...


PRICE_RANGE = 8 * STEP  # between the two prices at which a sale is evaluated
MOST_ANALYSED_PLIES = 1  # below the end of the turn, the line of one best action says too little
SMALLEST = 1e-6  # share of the win, so that it has a logarithm
SALES = PLAYERS * PLAYERS  # a value of each seat for each buyer


def is_within_turn(S: MutableSequence[int]) -> bool:
    """Return whether a turn is in progress, so that an analysis looks on to its end."""
    return S[PHASE] != CHOOSE or S[TURN_STEP] != 1


def settle(S: MutableSequence[int], W: MutableSequence[float]) -> int:
    """Play out an auction and finish a walk; return the number of positions evaluated."""
    evaluated = 0
    if S[PHASE] == BIDDING:
        evaluated = play_out_auction(S, W)
    if S[PHASE] == CARD or S[PHASE] == REVEAL:
        skip_cards(S)
    return evaluated


def copy_state(S: MutableSequence[int], after: MutableSequence[int]) -> None:
    """Copy a position."""
    for slot in range(SIZE):
        after[slot] = S[slot]


def write_shares(
    S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
) -> None:
    """Write the shares of the win, at the end of the game too."""
    if S[PHASE] == OVER:
        for seat in range(PLAYERS):
            V[seat] = win_in_sixtieths(S, seat) / 60
    else:
        evaluate(S, W, V)


def skip_cards(S: MutableSequence[int]) -> None:
    """Finish a walk as if there were no more cards than the best of those to choose from."""
    if S[PHASE] == CARD:
        first = CARD_STEPS[S[OPEN_CARD]] > CARD_STEPS[S[OPEN_CARD + 1]]
        sell_card(S, 0 if first else 1)
    S[SOUVENIRS] = 0
    walk_on(S)
    S[SOUVENIRS] = 1


def play_out_auction(S: MutableSequence[int], W: MutableSequence[float]) -> int:
    """Play an auction to the sale; return the number of positions evaluated.

    A sale is evaluated at two prices. Between and beyond them the logarithms of the shares change
    evenly, as leads do with the price.
    """
    level = floats(SALES)  # logarithms of the shares at the lower price
    slope = floats(SALES)  # their change per dirham
    V = floats(PLAYERS)
    after = ints(SIZE)
    low = max(S[BID], LEAST_BID)
    evaluated = 0
    for buyer in range(PLAYERS):
        if S[SIGNS_LEFT + buyer] > 0 and S[DIRHAMS + buyer] >= low:
            high = low + PRICE_RANGE
            write_logs(S, W, buyer, low, after, V)
            for seat in range(PLAYERS):
                level[buyer * PLAYERS + seat] = V[seat]
            write_logs(S, W, buyer, high, after, V)
            for seat in range(PLAYERS):
                change = V[seat] - level[buyer * PLAYERS + seat]
                slope[buyer * PLAYERS + seat] = change / PRICE_RANGE
            evaluated += 2
    while S[PHASE] == BIDDING:
        seat = S[TO_MOVE]
        wants = S[BID] == 0
        if not wants and can_bid(S):
            leaving = share_at(seat, S[BIDDER], S[BID] - low, level, slope)
            raising = share_at(seat, seat, S[BID] + STEP - low, level, slope)
            wants = raising > leaving
        if wants:
            bid(S, least_bid(S))
        else:
            pass_bid(S)
    return evaluated


def write_logs(
    S: MutableSequence[int],
    W: MutableSequence[float],
    buyer: int,
    price: int,
    after: MutableSequence[int],
    V: MutableSequence[float],
) -> None:
    """Write the logarithm of every seat's share after a sale."""
    copy_state(S, after)
    after[BIDDER] = buyer
    after[BID] = price
    after[SOUVENIRS] = 0
    sell(after)
    after[SOUVENIRS] = S[SOUVENIRS]
    write_shares(after, W, V)
    for seat in range(PLAYERS):
        V[seat] = log(max(V[seat], SMALLEST))


def share_at(
    seat: int,
    buyer: int,
    above: int,
    level: MutableSequence[float],
    slope: MutableSequence[float],
) -> float:
    """Return a seat's share if a buyer pays so much above the lower price."""
    total = 0.0
    for one in range(PLAYERS):
        at = buyer * PLAYERS + one
        total += exp(level[at] + slope[at] * above)
    at = buyer * PLAYERS + seat
    return exp(level[at] + slope[at] * above) / total
