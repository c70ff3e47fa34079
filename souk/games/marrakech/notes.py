"""The notes of records of Marrakech as numbers, for compiled replays: a part of the kernel.

`events.py` has their texts. The notes are those of its events; a test compares them.
"""

from collections.abc import MutableSequence

from souk.games.marrakech.board import ALONG_RANK, CORNER
from souk.games.marrakech.rules import (
    ASSAM,
    BOARD,
    COLOURS,
    DIE,
    DIRHAMS,
    FACING,
    LAY,
    LAY_AT,
    OUT,
    PHASE,
    ROLL,
    SIZE,
    TO_MOVE,
    UNKNOWN,
    owner_of,
    tax_on,
    taxed_colour,
)

MOST_NOTES = 3  # of an action
BUFFER_SIZE = SIZE  # nothing beside the position is needed
WALK_NOTE, TAX_NOTE, OUT_NOTE, COVER_NOTE = range(4)  # the last two bits of a note


def write_notes(
    before: MutableSequence[int],
    action: int,
    S: MutableSequence[int],
    notes: MutableSequence[int],
    count: int,
) -> int:
    """Add the notes of an action, which led from `before` to `S`; return their new number."""
    seat = before[TO_MOVE]
    if before[PHASE] == ROLL:
        walk = ((action - DIE + 1) << 2 | before[FACING]) << 6 | before[ASSAM]
        notes[count] = walk << 2 | WALK_NOTE
        count += 1
        taxed = taxed_colour(before, S[ASSAM], seat)
        if taxed != UNKNOWN:
            owed = tax_on(before, S[ASSAM], seat) >> 3
            paid = before[DIRHAMS + seat] - S[DIRHAMS + seat]
            notes[count] = (
                ((paid << 6 | owed) << 3 | taxed) << 3 | owner_of(taxed)
            ) << 2 | TAX_NOTE
            count += 1
        if S[OUT + seat] > 0:
            notes[count] = seat << 2 | OUT_NOTE
            count += 1
    elif before[PHASE] == LAY:
        place = action - LAY_AT
        corner = CORNER[place]
        other = corner + 1 if place < ALONG_RANK else corner + 7
        covered = (colour_on(before, corner) + 1) << 3 | (colour_on(before, other) + 1)
        if covered != 0:
            notes[count] = (place << 6 | covered) << 2 | COVER_NOTE
            count += 1
    return count


def colour_on(S: MutableSequence[int], square: int) -> int:
    """Return the colour that a square shows, or UNKNOWN if it is empty."""
    shown = UNKNOWN
    for colour in range(COLOURS):
        if S[BOARD + colour] >> square & 1:
            shown = colour
    return shown
