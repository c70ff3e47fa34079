"""What a player of Marrakech sees, as numbers, in the kernel subset.

Seats and colours are in turn order from the observer. All scales are powers of two, so that every
target computes the same numbers.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.one_hot import one_hot
from souk.games.marrakech.board import SIZE as EDGE
from souk.games.marrakech.rules import (
    ASSAM,
    BOARD,
    COLOURS,
    COVER_OWN,
    DIRHAMS,
    DRAWN_TIE,
    FACE_DOWN,
    FACING,
    MAY_TURN,
    MUST_TURN,
    NEXT,
    OUT,
    PAIRS_FILE,
    PAIRS_RANK,
    PHASE,
    PLAYERS,
    PLAYS_ON,
    RUGS,
    TO_MOVE,
    TURN_LAST,
    TWO_EACH,
)

AREA = EDGE * EDGE
DIRHAM_SCALE, RUG_SCALE, OUT_SCALE = 1 / 32, 1 / 16, 1 / 4
_NEXT = (("next", (PLAYERS, 2), "which of a player's two colours they lay next; zeros if unknown"),)

# The fields in the order in which `observe` writes them: name, shape, meaning.
LAYOUT = (
    (
        "colours",
        (COLOURS, EDGE, EDGE),
        "1 on the squares that show a colour; ranks from 1, files from a",
    ),
    ("rugs_along_ranks", (EDGE, EDGE), "1 on the left square of a rug with both halves visible"),
    ("rugs_along_files", (EDGE, EDGE), "1 on the lower square of a rug with both halves visible"),
    ("assam", (EDGE, EDGE), "1 on Assam's square"),
    ("facing", (4,), "Assam's facing: north, east, south, west"),
    ("phase", (6,), "what happens next: draw, turn, roll, lay, turn_last, over"),
    ("to_move", (PLAYERS,), "whose turn it is"),
    ("rugs", (COLOURS,), "rugs not yet laid, by colour, divided by 16"),
    ("dirhams", (PLAYERS,), "dirhams divided by 32"),
    ("out", (PLAYERS,), "0, or the order of going out (1 for the first) divided by 4"),
    *(_NEXT if TWO_EACH else ()),
    (
        "knobs",
        (6,),
        "plays-on, cover_own, turn_last must, turn_last may, face-down, draw in a full tie",
    ),
)


def observe(S: MutableSequence[int], seat: int, out: MutableSequence[float], at: int) -> None:
    """Write what a seat sees from `out[at]` on."""
    first = 2 * seat if TWO_EACH else seat  # its first colour
    for place in range(COLOURS):
        at = squares_at(S[BOARD + (first + place) % COLOURS], out, at)
    at = squares_at(S[PAIRS_RANK], out, at)
    at = squares_at(S[PAIRS_FILE], out, at)
    at = one_hot(S[ASSAM], AREA, out, at)
    at = one_hot(S[FACING], 4, out, at)
    at = one_hot(S[PHASE], 6, out, at)
    at = one_hot((S[TO_MOVE] - seat + PLAYERS) % PLAYERS, PLAYERS, out, at)
    for place in range(COLOURS):
        out[at] = S[RUGS + (first + place) % COLOURS] * RUG_SCALE
        at += 1
    for place in range(PLAYERS):
        other = (seat + place) % PLAYERS
        out[at] = S[DIRHAMS + other] * DIRHAM_SCALE
        out[at + PLAYERS] = S[OUT + other] * OUT_SCALE
        at += 1
    at += PLAYERS
    if TWO_EACH:
        for place in range(PLAYERS):
            other = (seat + place) % PLAYERS
            at = one_hot(S[NEXT + other] - 2 * other, 2, out, at)
    out[at] = float(S[PLAYS_ON])
    out[at + 1] = float(S[COVER_OWN])
    out[at + 2] = 1.0 if S[TURN_LAST] == MUST_TURN else 0.0
    out[at + 3] = 1.0 if S[TURN_LAST] == MAY_TURN else 0.0
    out[at + 4] = float(S[FACE_DOWN])
    out[at + 5] = float(S[DRAWN_TIE])


def squares_at(squares: int, out: MutableSequence[float], at: int) -> int:
    """Write 1 for every square of a mask, else 0; return where the next field begins."""
    for square in range(AREA):
        out[at + square] = float(squares >> square & 1)
    return at + AREA
