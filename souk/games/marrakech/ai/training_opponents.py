"""Evaluate the possible ends of turns as opponents of other kinds do in self-play.

A kernel module, joined with the rules, `heuristic` and `two_ply`. It handles one item of a batch
at a time, like `self_play`.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import floats, ints
from souk.games.marrakech.ai.heuristic import evaluate_heuristic
from souk.games.marrakech.ai.opponent_kinds import GREEDY, HEURISTIC, NET, TWO_PLY
from souk.games.marrakech.ai.self_play import LIVE_END
from souk.games.marrakech.ai.two_ply import evaluate_two_ply
from souk.games.marrakech.rules import PLAYERS, SIZE, score

ENTRIES = ("rate_end_all",)
PER_ITEM = ("rate_end",)


def rate_end(
    ends: MutableSequence[int],
    status: MutableSequence[int],
    kinds: MutableSequence[int],
    each: int,
    values: MutableSequence[float],
    item: int,
) -> None:
    """Write a possible end's value to every seat, by the kind of the player in turn.

    There are `each` possible ends of every turn. HEURISTIC and TWO_PLY value shares of the win;
    GREEDY values leads, at the end of the game too.
    """
    kind = kinds[item // each]
    if kind != NET and (status[2 * item] == LIVE_END or (kind == GREEDY and status[2 * item])):
        S = ints(SIZE)
        V = floats(PLAYERS)
        for slot in range(SIZE):
            S[slot] = ends[item * SIZE + slot]
        if kind == HEURISTIC:
            evaluate_heuristic(S, V)
        elif kind == TWO_PLY:
            evaluate_two_ply(S, V)
        else:
            write_leads(S, V)
        for seat in range(PLAYERS):
            values[item * PLAYERS + seat] = V[seat]


def write_leads(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Write every seat's score minus the mean of the others'."""
    total = 0
    for seat in range(PLAYERS):
        total += score(S, seat)
    for seat in range(PLAYERS):
        own = score(S, seat)
        V[seat] = own - (total - own) / (PLAYERS - 1)
