"""Defaults for functions of a game's kernel, in the kernel subset.

A game that lists this module in its kernel need not define these names; what one of its own
modules defines takes the place of the default. The game defines the constants PLAYERS, SIZE,
ACTIONS, PLAYER_ACTIONS, MOST_LEGAL, TO_MOVE and TURNS and the functions mover, is_legal, apply and
score.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import random_below
from souk.engine.kernel.primitives import ints

if TYPE_CHECKING:  # defined by the kernel
    PLAYERS = ACTIONS = MOST_LEGAL = TO_MOVE = TURNS = 0

    def mover(S: MutableSequence[int]) -> int: ...
    def is_legal(S: MutableSequence[int], action: int) -> bool: ...
    def apply(S: MutableSequence[int], action: int) -> None: ...
    def score(S: MutableSequence[int], seat: int) -> int: ...


CHANCE = -1
TERMINAL = -4


def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int:
    """Write the legal actions in ascending order; return their number.

    A game with many actions that are rarely legal has a faster way.
    """
    count = 0
    for action in range(ACTIONS):
        if is_legal(S, action):
            out[count] = action
            count += 1
    return count


def chance_weight(_S: MutableSequence[int], _action: int) -> int:
    """Return the weight of a chance outcome: all are equally likely."""
    return 1


def chance_total(S: MutableSequence[int]) -> int:
    """Return the sum of the weights at a chance node."""
    outcomes = ints(MOST_LEGAL)
    total = 0
    for number in range(legal_actions(S, outcomes)):
        total += chance_weight(S, outcomes[number])
    return total


def turn_number(S: MutableSequence[int]) -> int:
    """Return the number of the turn, from 1; when the game is over, that of the last turn."""
    return S[TURNS] if mover(S) == TERMINAL else S[TURNS] + 1


def turn_of(S: MutableSequence[int]) -> int:
    """Return the seat whose turn it is, also while chance acts."""
    return S[TO_MOVE]


def standing(S: MutableSequence[int], seat: int) -> int:
    """Return a number that orders the seats: the score."""
    return score(S, seat)


def quick_value(S: MutableSequence[int], seat: int) -> int:
    """Return a rough value of a seat's position: the score."""
    return score(S, seat)


def win_in_sixtieths(S: MutableSequence[int], seat: int) -> int:
    """Return a seat's share of the win, in sixtieths so that it stays an integer.

    The tied leaders share it equally, in a draw too.
    """
    best = standing(S, 0)
    for other in range(1, PLAYERS):
        best = max(best, standing(S, other))
    tied = 0
    for other in range(PLAYERS):
        if standing(S, other) == best:
            tied += 1
    return 60 // tied if standing(S, seat) == best else 0


def deal(_S: MutableSequence[int], _R: MutableSequence[int]) -> None:
    """Leave the setup as it is."""


def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Play to the end at random: chance by its weights, players evenly among legal actions."""
    actions = ints(MOST_LEGAL)
    while mover(S) != TERMINAL:
        if mover(S) == CHANCE:
            action = random_outcome(S, R)
        else:
            count = legal_actions(S, actions)
            action = actions[random_below(R, count)]
        log_action(R, action)
        apply(S, action)


def random_outcome(S: MutableSequence[int], R: MutableSequence[int]) -> int:
    """Return a chance outcome, drawn by the weights."""
    outcomes = ints(MOST_LEGAL)
    legal_actions(S, outcomes)
    chosen = 0
    left = random_below(R, chance_total(S)) - chance_weight(S, outcomes[0])
    while left >= 0:
        chosen += 1
        left -= chance_weight(S, outcomes[chosen])
    return outcomes[chosen]


def log_action(_R: MutableSequence[int], _action: int) -> None:
    """Do nothing. `playout` calls it before each step; `action_log` defines one that stores it."""
