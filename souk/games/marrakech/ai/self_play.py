"""Many games of Marrakech side by side, a turn at a time: what training plays on.

All of a turn's possible ends are looked at: PATHS of turning and die, PLACES of the rug on each.
Every function here does one item of a batch, so that a GPU can do one in every thread and the CPU
one after the other. Buffers hold one game, or one possible end, after the other.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import floats, ints
from souk.games.marrakech.ai.net import MOST_SEEN, ROWS, can_judge, see, whose_turn
from souk.games.marrakech.rules import (
    AHEAD,
    CHANCE,
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
    win_in_twelfths,
)

PATHS = 12  # three turnings and four rolls
PLACES = 12
ENDS = PATHS * PLACES
NO_END, LIVE_END, OVER_END = 0, 1, 2  # what is known of a possible end: none, a position, a result

LUCK_BITS = 31

ENTRIES = ("settle_all", "spread_all", "look_all")


def settle(G: MutableSequence[int], luck: MutableSequence[int], item: int) -> None:
    """Let piles show their next rugs until somebody can act; four words of luck a game."""
    S = ints(SIZE)
    for slot in range(SIZE):
        S[slot] = G[item * SIZE + slot]
    draws = 0
    while S[PHASE] == DRAW:
        draw_by(S, luck[item * 4 + min(draws, 3)])
        draws += 1
    for slot in range(SIZE):
        G[item * SIZE + slot] = S[slot]


def draw_by(S: MutableSequence[int], luck: int) -> None:
    """Show the rug that some luck stands for."""
    case = luck * chance_total(S) >> LUCK_BITS
    drawn = CHANCE
    for colour in range(COLOURS):
        weight = chance_weight(S, COLOUR + colour)
        if drawn == CHANCE and case < weight:
            drawn = COLOUR + colour
        case -= weight
    apply(S, drawn)


def spread(
    G: MutableSequence[int],
    luck: MutableSequence[int],
    ends: MutableSequence[int],
    known: MutableSequence[int],
    shares: MutableSequence[float],
    item: int,
) -> None:
    """One possible end of a turn: its position, what is known of it, and the result if it is over.

    `known` has two slots an end: one of NO_END, LIVE_END, OVER_END, and whose turn begins there.
    """
    S = ints(SIZE)
    legal = ints(MOST_LEGAL)
    game = item // ENDS
    turning = item % ENDS // (4 * PLACES)
    die = item % ENDS // PLACES % 4
    place = item % PLACES
    for slot in range(SIZE):
        S[slot] = G[game * SIZE + slot]
    known[2 * item] = NO_END
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
                if S[PHASE] == DRAW and not can_judge(S):
                    draw_by(S, luck[game * 4])
                is_last = 1 if S[PHASE] == LAST else 0
            else:
                is_end = 0
        elif place > 0:  # whoever is out lays nothing
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
                known[2 * item] = OVER_END
                known[2 * item + 1] = 0
                for seat in range(PLAYERS):
                    shares[item * PLAYERS + seat] = win_in_twelfths(S, seat) / 12
            else:
                known[2 * item] = LIVE_END
                known[2 * item + 1] = whose_turn(S)


def look(
    positions: MutableSequence[int],
    known: MutableSequence[int],
    inputs: MutableSequence[float],
    step: int,
    item: int,
) -> None:
    """Write the inputs of one position into a table of zeros; `step` lies between its columns.

    With a step of 1 it has a row for every position, otherwise a column.
    """
    if known[2 * item] == LIVE_END:
        S = ints(SIZE)
        at = ints(MOST_SEEN)
        what = floats(MOST_SEEN)
        for slot in range(SIZE):
            S[slot] = positions[item * SIZE + slot]
        seen = see(S, at, what)
        first = item if step > 1 else item * ROWS
        for number in range(seen):
            inputs[first + at[number] * step] = what[number]


def settle_all(G: MutableSequence[int], luck: MutableSequence[int], first: int, end: int) -> None:
    """`settle` for some games."""
    for item in range(first, end):
        settle(G, luck, item)


def spread_all(
    G: MutableSequence[int],
    luck: MutableSequence[int],
    ends: MutableSequence[int],
    known: MutableSequence[int],
    shares: MutableSequence[float],
    first: int,
    end: int,
) -> None:
    """`spread` for some possible ends."""
    for item in range(first, end):
        spread(G, luck, ends, known, shares, item)


def look_all(
    positions: MutableSequence[int],
    known: MutableSequence[int],
    inputs: MutableSequence[float],
    step: int,
    first: int,
    end: int,
) -> None:
    """`look` for some positions."""
    for item in range(first, end):
        look(positions, known, inputs, step, item)
