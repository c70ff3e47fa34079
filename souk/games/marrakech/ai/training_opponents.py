"""How opponents of other kinds see the possible ends of turns: for practice against them.

Read together with the rules and the judgement made by hand; one item of a batch at a time, like
`practice`.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import floats, ints
from souk.games.marrakech.ai.position_values import judge_by_hand
from souk.games.marrakech.ai.two_ply import look_farther
from souk.games.marrakech.rules import PLAYERS, SIZE, score

LIVE_END = 1  # as in `practice`
BY_HAND, GREEDY, TWO_PLIES = 1, 2, 3  # kinds of opponents; 0 is the net itself
KINDS = 4

ENTRIES = ("weigh_all",)


def weigh(
    ends: MutableSequence[int],
    known: MutableSequence[int],
    kinds: MutableSequence[int],
    each: int,
    values: MutableSequence[float],
    item: int,
) -> None:
    """What a possible end is worth to every seat, by the kind of the player in turn.

    There are `each` possible ends of every turn. To BY_HAND and TWO_PLIES they are worth shares of
    the win; the GREEDY one counts leads, at the end of the game too.
    """
    kind = kinds[item // each]
    if kind != 0 and (known[2 * item] == LIVE_END or (kind == GREEDY and known[2 * item])):
        S = ints(SIZE)
        V = floats(PLAYERS)
        for slot in range(SIZE):
            S[slot] = ends[item * SIZE + slot]
        if kind == BY_HAND:
            judge_by_hand(S, V)
        elif kind == TWO_PLIES:
            look_farther(S, V)
        else:
            count_leads(S, V)
        for seat in range(PLAYERS):
            values[item * PLAYERS + seat] = V[seat]


def count_leads(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """By how much everybody's score lies above the mean of the others."""
    total = 0
    for seat in range(PLAYERS):
        total += score(S, seat)
    for seat in range(PLAYERS):
        own = score(S, seat)
        V[seat] = own - (total - own) / (PLAYERS - 1)


def weigh_all(
    ends: MutableSequence[int],
    known: MutableSequence[int],
    kinds: MutableSequence[int],
    each: int,
    values: MutableSequence[float],
    first: int,
    end: int,
) -> None:
    """`weigh` for some possible ends."""
    for item in range(first, end):
        weigh(ends, known, kinds, each, values, item)
