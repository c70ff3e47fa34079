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
    PLAYER_ACTIONS: int  # actions of players; the chance outcomes are numbered after them
    MOST_LEGAL: int  # the most legal actions of any state
    TURNS: int  # the slot that counts completed turns
    TO_MOVE: int  # the slot with the seat whose turn it is, or who must act in it

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

    def random_outcome(self, S: Sequence[int], R: MutableSequence[int]) -> int:
        """Return a chance outcome, drawn with the random stream R."""

    def turn_number(self, S: Sequence[int]) -> int:
        """Return the number of the turn, from 1; 0 for the deal; when over, the last turn's."""

    def turn_of(self, S: Sequence[int]) -> int:
        """Return the seat whose turn it is, also while chance acts."""

    def score(self, S: Sequence[int], seat: int) -> int:
        """Return a seat's score."""

    def standing(self, S: Sequence[int], seat: int) -> int:
        """Return a number that orders the seats, equal for ties."""

    def win_in_sixtieths(self, S: Sequence[int], seat: int) -> int:
        """Return a seat's share of the win at the end of the game, in sixtieths."""

    def deal(self, S: MutableSequence[int], R: MutableSequence[int]) -> None:
        """Deal the setup with the random stream R."""

    def playout(self, S: MutableSequence[int], R: MutableSequence[int]) -> None:
        """Play to the end at random with the random stream R; log every action."""

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


RULES_NAMES = [name for name in (*Rules.__annotations__, *vars(Rules)) if not name.startswith("_")]
