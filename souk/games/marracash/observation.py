"""What a player of MarraCash sees, as numbers, in the kernel subset.

Seats are in turn order from the observer. All scales are powers of two, so that every target
computes the same numbers.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.one_hot import one_hot
from souk.games.marracash.rules import (
    AHEAD,
    ALL_VISITORS,
    AUCTIONED,
    BID,
    BIDDER,
    COLOURS,
    COMMISSION_RULE,
    CUSTOMERS,
    DECK,
    DECK_LEFT,
    DIRHAMS,
    FIRST_STEP,
    FOUNTAINS,
    GROUP,
    HEAD,
    LAST_TURNS,
    LOT,
    MOST_PASSED,
    MOVED,
    NOBODY,
    OPEN_CARD,
    OWNER,
    PASSED_COUNT,
    PASSED_SEAT,
    PHASE,
    PLAYERS,
    PULL_IN,
    QUEUE,
    ROUND,
    SHOPS,
    SIGNS_LEFT,
    SOUVENIRS,
    TAIL,
    TO_MOVE,
    TURN_OF,
    TURN_STEP,
    WALK,
    WALK_END,
    WALK_GROUP,
    WALK_MOVER,
    WALK_PAID,
    WALK_PAYMENT,
    WALK_TOTAL,
)

MONEY_SCALE, VISITOR_SCALE, COUNT_SCALE, ROUND_SCALE = 1 / 1024, 1 / 4, 1 / 8, 1 / 64
QUEUE_END = 4  # visitors: as many as a group can have

# The fields in the order in which `observe` writes them: name, shape, meaning.
LAYOUT = (
    ("groups", (FOUNTAINS, COLOURS), "visitors on the fountains by colour, divided by 4"),
    ("queue", (ALL_VISITORS, COLOURS), "the visitors in the queue, the first one first"),
    ("queue_end", (QUEUE_END, COLOURS), "the last visitors in the queue, the last one first"),
    ("queue_length", (1,), "visitors in the queue, divided by 64"),
    ("owners", (SHOPS, PLAYERS), "who owns a shop"),
    ("customers", (SHOPS,), "customers who have entered a shop, divided by 8"),
    ("dirhams", (PLAYERS,), "dirhams divided by 1024"),
    ("signs", (PLAYERS,), "signs left, divided by 8"),
    ("phase", (6,), "what happens next: choose, bid, bring, card, reveal, over"),
    ("to_move", (PLAYERS,), "who must act"),
    ("turn_of", (PLAYERS,), "whose turn it is"),
    ("round", (2,), "1 in the first round; the number of the round divided by 64"),
    ("step", (3,), "1 in the second step; 1 after a move; 1 after an auction"),
    ("last_turns", (PLAYERS,), "how many turns are left, from 1, once that is known"),
    ("lot", (SHOPS,), "the shop being auctioned"),
    ("bid", (1,), "the highest bid divided by 1024"),
    ("bidder", (PLAYERS,), "who made it"),
    ("passed", (PLAYERS,), "1 for everyone who has passed"),
    ("open_cards", (DECK,), "the souvenir cards that are turned up"),
    ("deck", (DECK,), "the cards that have not been turned up"),
    ("walkers", (COLOURS,), "walkers not yet in a shop, divided by 4"),
    ("walk_shops", (SHOPS,), "shops ahead of the walkers: 1, then 1/2, 1/4 …"),
    ("walk_end", (FOUNTAINS,), "where the walk ends"),
    ("walk_mover", (PLAYERS,), "who moved the group"),
    ("walk_kind", (2,), "a move; visitors pulled in after an auction"),
    ("walk_amounts", (3,), "customers so far in this shop divided by 8, dirhams, payment by 1024"),
    ("knobs", (5,), "souvenirs, pull_in, commission per customer, per group, once"),
)


def observe(S: MutableSequence[int], seat: int, out: MutableSequence[float], at: int) -> None:
    """Write what a seat sees from `out[at]` on."""
    for fountain in range(FOUNTAINS):
        at = group_at(S[GROUP + fountain], out, at)
    length = S[TAIL] - S[HEAD]
    for place in range(ALL_VISITORS):
        colour = S[QUEUE + S[HEAD] + place] if place < length else NOBODY
        at = one_hot(colour, COLOURS, out, at)
    for place in range(QUEUE_END):
        colour = S[QUEUE + S[TAIL] - 1 - place] if place < length else NOBODY
        at = one_hot(colour, COLOURS, out, at)
    out[at] = length * ROUND_SCALE
    at += 1
    for shop in range(SHOPS):
        at = seat_at(S[OWNER + shop], seat, out, at)
    for shop in range(SHOPS):
        out[at + shop] = S[CUSTOMERS + shop] * COUNT_SCALE
    at += SHOPS
    for place in range(PLAYERS):
        other = (seat + place) % PLAYERS
        out[at + place] = S[DIRHAMS + other] * MONEY_SCALE
        out[at + PLAYERS + place] = S[SIGNS_LEFT + other] * COUNT_SCALE
    at = one_hot(S[PHASE], 6, out, at + 2 * PLAYERS)
    at = seat_at(S[TO_MOVE], seat, out, at)
    at = seat_at(S[TURN_OF], seat, out, at)
    out[at] = 1.0 if S[ROUND] == 1 else 0.0
    out[at + 1] = S[ROUND] * ROUND_SCALE
    out[at + 2] = 1.0 if S[TURN_STEP] == 2 else 0.0
    out[at + 3] = 1.0 if S[FIRST_STEP] == MOVED else 0.0
    out[at + 4] = 1.0 if S[FIRST_STEP] == AUCTIONED else 0.0
    at = one_hot(S[LAST_TURNS] - 1, PLAYERS, out, at + 5)
    at = one_hot(S[LOT], SHOPS, out, at)
    out[at] = S[BID] * MONEY_SCALE
    at = seat_at(S[BIDDER], seat, out, at + 1)
    passed = 0
    for place in range(PLAYERS):
        if place < S[PASSED_COUNT]:
            passed |= 1 << S[PASSED_SEAT + place]
    for place in range(PLAYERS):
        out[at + place] = float(passed >> (seat + place) % PLAYERS & 1)
    at += PLAYERS
    for card in range(DECK):
        is_open = card == S[OPEN_CARD] or card == S[OPEN_CARD + 1]
        out[at + card] = 1.0 if is_open else 0.0
        out[at + DECK + card] = float(S[DECK_LEFT] >> card & 1)
    observe_walk(S, seat, out, at + 2 * DECK)


def observe_walk(S: MutableSequence[int], seat: int, out: MutableSequence[float], at: int) -> None:
    """Write the walk under way and the knobs."""
    at = group_at(S[WALK_GROUP], out, at)
    for shop in range(SHOPS):
        out[at + shop] = 0.0
    nearness = 1.0
    for place in range(MOST_PASSED + 1):
        if S[WALK] != 0 and S[AHEAD + place] != NOBODY:
            out[at + S[AHEAD + place]] = nearness
            nearness *= 0.5
    at = one_hot(S[WALK_END], FOUNTAINS, out, at + SHOPS)
    at = seat_at(S[WALK_MOVER], seat, out, at)
    at = one_hot(S[WALK] - 1, 2, out, at)
    out[at] = S[WALK_PAID] * COUNT_SCALE
    out[at + 1] = S[WALK_TOTAL] * MONEY_SCALE
    out[at + 2] = S[WALK_PAYMENT] * MONEY_SCALE
    out[at + 3] = float(S[SOUVENIRS])
    out[at + 4] = float(S[PULL_IN])
    one_hot(S[COMMISSION_RULE], 3, out, at + 5)


def group_at(group: int, out: MutableSequence[float], at: int) -> int:
    """Write the visitors of a group by colour; return where the next field begins."""
    for colour in range(COLOURS):
        out[at + colour] = (group >> 8 * colour & 255) * VISITOR_SCALE
    return at + COLOURS


def seat_at(other: int, seat: int, out: MutableSequence[float], at: int) -> int:
    """Write 1 at the place of a seat in turn order from the observer, if it is one."""
    return one_hot((other - seat + PLAYERS) % PLAYERS if other >= 0 else NOBODY, PLAYERS, out, at)
