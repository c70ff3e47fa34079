"""The notes of records of MarraCash as numbers, for compiled replays: a part of the kernel.

As in `events.py`, which has their texts, they follow from the order in which money, owners,
customers and open cards are written. A test compares them with the notes of the events.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.write_log import LOG_SIZE
from souk.games.marracash.amounts import STEP
from souk.games.marracash.rules import (
    ALL_VISITORS,
    BID_OF,
    BRING_IN,
    CARD_OF,
    CARD_STEPS,
    CUSTOMERS,
    DIRHAMS,
    HEAD,
    LAST_TURNS,
    LEAST_STEPS,
    NEVER,
    NOBODY,
    OWNER,
    QUEUE,
    SIGNS_LEFT,
    SIZE,
    TAIL,
    TO_MOVE,
    TURN_OF,
    TURN_UP,
)

MOST_NOTES = 3 * ALL_VISITORS + 4  # of an action
BUFFER_SIZE = SIZE + LOG_SIZE
LOGGED = ("OWNER", "CUSTOMERS", "DIRHAMS", "OPEN_CARD")  # the slots whose writes are logged
# The kinds of notes, which are their last three bits.
BID_NOTE, SALE_NOTE, CUSTOMER_NOTE, SOUVENIR_NOTE, COMMISSION_NOTE, BROUGHT_NOTE = range(6)
LAST_ROUND_NOTE = 6


def write_notes(
    before: MutableSequence[int],
    action: int,
    S: MutableSequence[int],
    notes: MutableSequence[int],
    count: int,
) -> int:
    """Add the notes of an action, which led from `before` to `S`; return their new number."""
    if action >= BRING_IN and action < CARD_OF:
        notes[count] = visitors(before, action - BRING_IN) << 3 | BROUGHT_NOTE
        count += 1
    elif action >= BID_OF and action < TURN_UP:
        notes[count] = ((action - BID_OF + LEAST_STEPS) << 2 | before[TO_MOVE]) << 3 | BID_NOTE
        count += 1
    count = money_notes(before[TURN_OF], S, notes, count)
    if before[LAST_TURNS] == NEVER and S[LAST_TURNS] != NEVER:
        notes[count] = LAST_ROUND_NOTE
        count += 1
    return count


def visitors(S: MutableSequence[int], choice: int) -> int:
    """Return the visitors that come in: three bits for each colour, after a leading 1."""
    group = 1
    for place in range(choice % 3 + 2):
        slot = S[TAIL] - 1 - place if choice % 6 // 3 else S[HEAD] + place
        group = group << 3 | S[QUEUE + slot]
    return group


def money_notes(
    auctioneer: int, S: MutableSequence[int], notes: MutableSequence[int], count: int
) -> int:
    """Add sales, customers, souvenirs and commissions in the order they were booked."""
    writes = S[SIZE]
    at = 0
    while at < writes:
        slot = S[SIZE + 1 + 3 * at]
        old = S[SIZE + 2 + 3 * at]
        new = S[SIZE + 3 + 3 * at]
        gain = change(S, at + 1) if at + 1 < writes else 0
        gainer = S[SIZE + 4 + 3 * at] - DIRHAMS if gain > 0 else 0
        steps = gain // STEP if gain > 0 else 0
        if slot >= SIGNS_LEFT:  # an open card; its price was booked just before
            if new == NOBODY:
                notes[count] = CARD_STEPS[old] << 3 | SOUVENIR_NOTE
                count += 1
        elif slot >= DIRHAMS:
            if new < old and gain > 0:
                notes[count] = (steps << 2 | gainer) << 3 | COMMISSION_NOTE
                count += 1
                at += 1
        elif slot >= CUSTOMERS:
            shop = slot - CUSTOMERS
            notes[count] = (((steps << 8 | new) << 8 | shop) << 2 | gainer) << 3 | CUSTOMER_NOTE
            count += 1
            at += 1
        else:  # the price was booked just before, a commission just after
            price = -change(S, at - 1) // STEP
            sale = (price << 8 | (slot - OWNER)) << 2 | new
            notes[count] = ((steps << 22 | sale) << 2 | auctioneer) << 3 | SALE_NOTE
            count += 1
            at += 1 if gain > 0 else 0
        at += 1
    return count


def change(S: MutableSequence[int], at: int) -> int:
    """Return by how much a write changes a seat's dirhams; 0 if it is of something else."""
    slot = S[SIZE + 1 + 3 * at]
    if slot < DIRHAMS or slot >= SIGNS_LEFT:
        return 0
    return S[SIZE + 3 + 3 * at] - S[SIZE + 2 + 3 * at]
