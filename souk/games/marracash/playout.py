"""Random games of MarraCash: a part of the kernel."""

from collections.abc import MutableSequence

from souk.engine.kernel.philox import random_below
from souk.games.marracash.amounts import STEP
from souk.games.marracash.board import GATES
from souk.games.marracash.rules import (
    BID,
    BIDDING,
    BRING,
    CARD,
    CHOOSE,
    DIRHAMS,
    GATE,
    GROUP,
    HEAD,
    MOST_RAISE,
    NOBODY,
    OVER,
    OWNER,
    PASS_CHANCE,
    PHASE,
    SHOPS,
    STREET_START,
    STREETS,
    TAIL,
    TO_MOVE,
    bid,
    bring,
    bring_or_end,
    can_bid,
    chance_total,
    choose_card,
    least_bid,
    may_auction,
    may_move,
    move,
    nth_card,
    pass_bid,
    reveal,
    start_auction,
)


def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Play to the end at random: evenly among legal actions, but for bids.

    Bids chosen evenly would ruin everyone in the first auction. So a bidder passes with a chance
    of PASS_CHANCE percent and else raises by one to MOST_RAISE steps, which gives prices near what
    shops earn.
    """
    while S[PHASE] != OVER:
        if S[PHASE] == CHOOSE:
            choose_at_random(S, R)
        elif S[PHASE] == BIDDING:
            bid_at_random(S, R)
        elif S[PHASE] == BRING:
            bring_at_random(S, R)
        elif S[PHASE] == CARD:
            choose_card(S, random_below(R, 2))
        else:
            reveal(S, nth_card(S, random_below(R, chance_total(S))))


def choose_at_random(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Choose evenly among the legal moves and auctions; pass if there are none."""
    moves = 0
    if may_move(S):
        for street in range(STREETS):
            if S[GROUP + STREET_START[street]] != 0:
                moves += 1
    auctions = 0
    if may_auction(S):
        for shop in range(SHOPS):
            if S[OWNER + shop] == NOBODY:
                auctions += 1
    if moves + auctions == 0:
        bring_or_end(S)
    else:
        skip = random_below(R, moves + auctions)
        if skip < moves:
            street = 0
            while skip > 0 or S[GROUP + STREET_START[street]] == 0:
                if S[GROUP + STREET_START[street]] != 0:
                    skip -= 1
                street += 1
            move(S, street)
        else:
            skip -= moves
            shop = 0
            while skip > 0 or S[OWNER + shop] != NOBODY:
                if S[OWNER + shop] == NOBODY:
                    skip -= 1
                shop += 1
            start_auction(S, shop)


def bid_at_random(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Pass, or raise by a few steps."""
    passes = S[BID] > 0 and (not can_bid(S) or random_below(R, 100) < S[PASS_CHANCE])
    if passes:
        pass_bid(S)
    else:
        amount = least_bid(S) + STEP * random_below(R, S[MOST_RAISE])
        bid(S, min(amount, S[DIRHAMS + S[TO_MOVE]]))


def bring_at_random(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Choose evenly among the empty gates, the ends of the queue and the sizes."""
    empty = 0
    for gate in range(GATES):
        if S[GROUP + GATE[gate]] == 0:
            empty += 1
    skip = random_below(R, empty)
    chosen = 0
    for gate in range(GATES):
        if S[GROUP + GATE[gate]] == 0:
            if skip == 0:
                chosen = gate
            skip -= 1
    sizes = min(S[TAIL] - S[HEAD], 4) - 1
    choice = random_below(R, 2 * sizes)
    bring(S, chosen, choice % 2, choice // 2 + 2)
