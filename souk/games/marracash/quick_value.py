"""A rough value of a seat's position in MarraCash, in the kernel subset."""

from collections.abc import MutableSequence

from souk.games.marracash.rules import (
    BID,
    BIDDER,
    BIDDING,
    CUSTOMERS,
    DIRHAMS,
    FOUNTAINS,
    GROUP,
    HEAD,
    LOT,
    OWNER,
    PHASE,
    QUEUE,
    SHOP_COLOUR,
    SHOPS,
    TAIL,
    rank_payment,
)


def quick_value(S: MutableSequence[int], seat: int) -> float:
    """Return money and shops of a seat, with an auction under way counted as sold."""
    value = float(S[DIRHAMS + seat])
    for shop in range(SHOPS):
        if S[OWNER + shop] == seat:
            value += shop_value(S, shop)
    if S[PHASE] == BIDDING and S[BIDDER] == seat:
        value += shop_value(S, S[LOT]) - S[BID]
    return value


def shop_value(S: MutableSequence[int], shop: int) -> float:
    """Return what a shop may still earn: a fair part of the visitors of its colour."""
    colour = SHOP_COLOUR[shop]
    visitors = 0
    for fountain in range(FOUNTAINS):
        visitors += S[GROUP + fountain] >> 8 * colour & 255
    for place in range(S[HEAD], S[TAIL]):
        visitors += 1 if S[QUEUE + place] == colour else 0
    rivals = 0
    for other in range(SHOPS):
        rivals += 1 if SHOP_COLOUR[other] == colour else 0
    expected = visitors / rivals
    earned = 0.0
    rank = S[CUSTOMERS + shop] + 1
    while expected > 0:
        earned += min(expected, 1.0) * rank_payment(rank)
        expected -= 1
        rank += 1
    return earned
