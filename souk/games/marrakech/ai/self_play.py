"""Self-play in batches, a turn at a time. A kernel module.

Every possible end of a turn is evaluated: PATHS of turning and die, PLACES of the rug on each.
Every function handles one item of a batch, so that a GPU can run one in every thread and the CPU
one after the other. Buffers hold one game, or one possible end, after the other.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.default_rules import CHANCE, win_in_sixtieths
from souk.engine.kernel.primitives import floats, ints
from souk.games.marrakech.ai.net import INPUTS, MOST_ACTIVE, can_evaluate, encode, seat_to_begin
from souk.games.marrakech.rules import (
    AHEAD,
    COLOUR,
    COLOURS,
    DIE,
    DRAW,
    LAST,
    LAY,
    MOST_LEGAL,
    MUST_TURN,
    OVER,
    PHASE,
    PLAYERS,
    SIZE,
    TURN_LAST,
    apply,
    chance_total,
    chance_weight,
    legal_actions,
)

PATHS = 12  # three turnings and four rolls
PLACES = 12
ENDS = PATHS * PLACES
NO_END, LIVE_END, OVER_END = 0, 1, 2  # status: no such end, a position, the end of the game
RANDOM_BITS = 31  # of a random word

ENTRIES = ("draw_rugs_all", "expand_all", "write_inputs_all")
PER_ITEM = ("draw_rugs", "expand", "write_inputs")


def draw_rugs(G: MutableSequence[int], random_words: MutableSequence[int], item: int) -> None:
    """Let piles show their next rugs until somebody can act; a game has four random words."""
    S = ints(SIZE)
    for slot in range(SIZE):
        S[slot] = G[item * SIZE + slot]
    draws = 0
    while S[PHASE] == DRAW:
        draw_rug(S, random_words[item * 4 + min(draws, 3)])
        draws += 1
    for slot in range(SIZE):
        G[item * SIZE + slot] = S[slot]


def draw_rug(S: MutableSequence[int], random_word: int) -> None:
    """Show the rug that a random word stands for."""
    case = random_word * chance_total(S) >> RANDOM_BITS
    drawn = CHANCE
    for colour in range(COLOURS):
        weight = chance_weight(S, COLOUR + colour)
        if drawn == CHANCE and case < weight:
            drawn = COLOUR + colour
        case -= weight
    apply(S, drawn)


def expand(
    G: MutableSequence[int],
    random_words: MutableSequence[int],
    ends: MutableSequence[int],
    status: MutableSequence[int],
    shares: MutableSequence[float],
    item: int,
) -> None:
    """Write one possible end of a turn: position, status, and the result if the game is over.

    `status` has two slots an end: NO_END, LIVE_END or OVER_END, and the seat whose turn begins.
    """
    S = ints(SIZE)
    legal = ints(MOST_LEGAL)
    game = item // ENDS
    turning = item % ENDS // (4 * PLACES)
    die = item % ENDS // PLACES % 4
    place = item % PLACES
    for slot in range(SIZE):
        S[slot] = G[game * SIZE + slot]
    status[2 * item] = NO_END
    if S[PHASE] != OVER:
        turn_last = S[TURN_LAST]
        if turn_last == 0:
            apply(S, turning)
        apply(S, DIE + die)
        is_end = 1
        is_last = 0
        if S[PHASE] == LAY:
            if place < legal_actions(S, legal):
                apply(S, legal[place])
                if S[PHASE] == DRAW and not can_evaluate(S):
                    draw_rug(S, random_words[game * 4])
                is_last = 1 if S[PHASE] == LAST else 0
            else:
                is_end = 0
        elif place > 0:  # a player who is out lays nothing
            is_end = 0
        if is_last:
            if turning == AHEAD and turn_last == MUST_TURN:
                is_end = 0
            else:
                apply(S, turning)
        elif turn_last != 0 and turning > 0:  # there is nothing to turn
            is_end = 0
        if is_end:
            for slot in range(SIZE):
                ends[item * SIZE + slot] = S[slot]
            if S[PHASE] == OVER:
                status[2 * item] = OVER_END
                status[2 * item + 1] = 0
                for seat in range(PLAYERS):
                    shares[item * PLAYERS + seat] = win_in_sixtieths(S, seat) / 60
            else:
                status[2 * item] = LIVE_END
                status[2 * item + 1] = seat_to_begin(S)


def write_inputs(
    positions: MutableSequence[int],
    status: MutableSequence[int],
    table: MutableSequence[float],
    step: int,
    item: int,
) -> None:
    """Write the inputs of one position into a table of zeros; `step` is the distance of two inputs.

    With a step of 1 the table has a row for every position, otherwise a column.
    """
    if status[2 * item] == LIVE_END:
        S = ints(SIZE)
        indices = ints(MOST_ACTIVE)
        values = floats(MOST_ACTIVE)
        for slot in range(SIZE):
            S[slot] = positions[item * SIZE + slot]
        count = encode(S, indices, values)
        first = item if step > 1 else item * INPUTS
        for number in range(count):
            table[first + indices[number] * step] = values[number]
