"""The names that every game's kernel defines, typed for the code that reads a buffer.

A specialised kernel is a module object (see `targets`), so its constants differ from one game to
the next and cannot be imported. Python code reads them as attributes of `game.rules`.
"""

from collections.abc import MutableSequence, Sequence
from typing import Protocol


class Rules(Protocol):
    """A specialised kernel. A game adds its own slots and functions in a subclass."""

    PLAYERS: int
    SIZE: int  # slots of the buffer
    ACTIONS: int  # action numbers, chance outcomes included
    MOST_LEGAL: int  # legal actions at any step, at most
    TURNS: int  # the slot that counts completed turns

    def mover(self, S: Sequence[int]) -> int:
        """Return who acts: a seat, CHANCE or TERMINAL."""

    def is_legal(self, S: Sequence[int], action: int) -> bool:
        """Return whether an action from 0 to ACTIONS - 1 is legal."""

    def legal_actions(self, S: Sequence[int], out: MutableSequence[int]) -> int:
        """Write the legal actions in rising order; return their number."""

    def apply(self, S: MutableSequence[int], action: int) -> None:
        """Carry out a legal action."""

    def chance_weight(self, S: Sequence[int], action: int) -> int:
        """Return how many of the `chance_total` cases lead to a chance outcome."""

    def chance_total(self, S: Sequence[int]) -> int:
        """Return the number of equally likely cases at a chance step."""

    def score(self, S: Sequence[int], seat: int) -> int:
        """Return a seat's score."""

    def standing(self, S: Sequence[int], seat: int) -> int:
        """Return a number that orders the seats, equal for ties."""

    def win_in_twelfths(self, S: Sequence[int], seat: int) -> int:
        """Return a seat's share of the win at the end of the game."""

    def deal(self, S: MutableSequence[int], R: MutableSequence[int]) -> None:
        """Deal the setup with the random stream R."""

    def playout(self, S: MutableSequence[int], R: MutableSequence[int]) -> None:
        """Play to the end at random with the random stream R."""

    def play_games(
        self,
        start: Sequence[int],
        seed: int,
        first: int,
        games: int,
        from_deal: int,
        results: MutableSequence[int],
    ) -> None:
        """Play random games; from `playout_loop`."""
