"""The setup of Marrakech: a part of the kernel."""

from collections.abc import MutableSequence

from souk.games.marrakech.rules import TO_MOVE, TWO_EACH, begin_turn, uncover


def begin_game(S: MutableSequence[int]) -> None:
    """Start the first turn, or turn up the first rugs of two-colour piles before it."""
    begin_turn(S)
    if TWO_EACH:
        uncover(S, S[TO_MOVE])
