"""A playout that does not log its actions, in the kernel subset."""

from collections.abc import MutableSequence

from souk.engine.kernel.philox import random_below
from souk.engine.kernel.primitives import ints
from souk.games.marrakech.rules import MOST_LEGAL, TERMINAL, apply, legal_actions, mover


def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None:  # noqa: N803
    """Play to the end at random."""
    actions = ints(MOST_LEGAL)
    while mover(S) != TERMINAL:
        apply(S, actions[random_below(R, legal_actions(S, actions))])
