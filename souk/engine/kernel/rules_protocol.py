"""The names that every game's kernel defines, with their types.

The constants of a specialised kernel differ from game to game, so they cannot be imported: Python
code reads them as attributes of `game.rules`, a module object (see `targets`).
"""

from collections.abc import MutableSequence, Sequence
from typing import Protocol


class Rules(Protocol):
    """A specialised kernel. A game adds its own slots and functions in a subclass."""

    PLAYERS: int
    SIZE: int  # slots in a buffer
    ACTIONS: int  # actions, chance outcomes included
    MOST_LEGAL: int  # the most legal actions of any state
    TURNS: int  # the slot that counts completed turns

    def mover(self, S: Sequence[int]) -> int:
        """Return who acts: a seat, CHANCE or TERMINAL."""

    def is_legal(self, S: Sequence[int], action: int) -> bool:
        """Return whether an action from 0 to ACTIONS - 1 is legal."""

    def legal_actions(self, S: Sequence[int], out: MutableSequence[int]) -> int:
        """Write the legal actions in ascending order; return their number."""

    def apply(self, S: MutableSequence[int], action: int) -> None:
        """Apply a legal action."""

    def chance_weight(self, S: Sequence[int], action: int) -> int:
        """Return the weight of a chance outcome: its share of `chance_total`."""

    def chance_total(self, S: Sequence[int]) -> int:
        """Return the sum of the weights at a chance node."""

    def score(self, S: Sequence[int], seat: int) -> int:
        """Return a seat's score."""

    def standing(self, S: Sequence[int], seat: int) -> int:
        """Return a number that orders the seats, equal for ties."""

    def win_in_twelfths(self, S: Sequence[int], seat: int) -> int:
        """Return a seat's share of the win at the end of the game, in twelfths."""

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
