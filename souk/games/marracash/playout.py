"""Random games of MarraCash: a part of the kernel."""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import random_below
from souk.games.marracash.amounts import STEP
from souk.games.marracash.board import GATES
from souk.games.marracash.rules import (
    AUCTION,
    BID,
    BID_OF,
    BIDDING,
    BRING,
    BRING_IN,
    CARD,
    CARD_OF,
    CARD_STEPS,
    CHOOSE,
    DIRHAMS,
    GATE,
    GROUP,
    HEAD,
    LEAST_CARD,
    LEAST_STEPS,
    MOST_RAISE,
    MOVE,
    NOBODY,
    OPEN_CARD,
    OVER,
    OWNER,
    PASS,
    PASS_CHANCE,
    PHASE,
    REVEAL,
    SHOPS,
    STREET_START,
    STREETS,
    TAIL,
    TO_MOVE,
    TURN_UP,
    ask_next,
    bring,
    bring_or_end,
    can_bid,
    chance_total,
    choose_card,
    least_bid,
    leave_auction,
    may_auction,
    may_move,
    move,
    nth_card,
    raise_bid,
    reveal,
    start_auction,
)

if TYPE_CHECKING:  # defined by the driver

    def log_action(R: MutableSequence[int], action: int) -> None: ...


def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Play to the end at random: evenly among legal actions, but for bids.

    Bids chosen evenly would ruin everyone in the first auction. So a bidder passes with a chance
    of PASS_CHANCE percent and else raises by one to MOST_RAISE steps, which gives prices near what
    shops earn.

    Each kind of step has a loop of its own, so that the threads of a GPU that run together are
    mostly at the same kind.
    """
    while S[PHASE] != OVER:
        if S[PHASE] == CHOOSE:
            choose_at_random(S, R)
        while S[PHASE] == BIDDING:
            bid_at_random(S, R)
        while S[PHASE] == CARD:
            place = random_below(R, 2)
            log_action(R, CARD_OF + CARD_STEPS[S[OPEN_CARD + place]] - LEAST_CARD)
            choose_card(S, place)
        while S[PHASE] == REVEAL:
            outcome = random_outcome(S, R)
            log_action(R, outcome)
            reveal(S, outcome - TURN_UP)
        while S[PHASE] == BRING:
            bring_at_random(S, R)


def random_outcome(S: MutableSequence[int], R: MutableSequence[int]) -> int:
    """Return a card that is turned up."""
    return TURN_UP + nth_card(S, random_below(R, chance_total(S)))


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
        log_action(R, PASS)
        bring_or_end(S)
    else:
        skip = random_below(R, moves + auctions)
        if skip < moves:
            street = 0
            while skip > 0 or S[GROUP + STREET_START[street]] == 0:
                if S[GROUP + STREET_START[street]] != 0:
                    skip -= 1
                street += 1
            log_action(R, MOVE + street)
            move(S, street)
        else:
            skip -= moves
            shop = 0
            while skip > 0 or S[OWNER + shop] != NOBODY:
                if S[OWNER + shop] == NOBODY:
                    skip -= 1
                shop += 1
            log_action(R, AUCTION + shop)
            start_auction(S, shop)


def bid_at_random(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Pass, or raise by a few steps."""
    passes = S[BID] > 0 and (not can_bid(S) or random_below(R, 100) < S[PASS_CHANCE])
    if passes:
        log_action(R, PASS)
        leave_auction(S)
    else:
        amount = least_bid(S) + STEP * random_below(R, S[MOST_RAISE])
        amount = min(amount, S[DIRHAMS + S[TO_MOVE]])
        log_action(R, BID_OF + amount // STEP - LEAST_STEPS)
        raise_bid(S, amount)
    ask_next(S)


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
    log_action(R, BRING_IN + 6 * chosen + 3 * (choice % 2) + choice // 2)
    bring(S, chosen, choice % 2, choice // 2 + 2)
