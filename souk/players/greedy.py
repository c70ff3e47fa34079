"""The greedy level: maximise the lead one step ahead."""

from collections.abc import Callable
from functools import cached_property
from struct import pack_into

from souk.engine.game import Game
from souk.engine.kernel import targets
from souk.engine.state import State
from souk.players.base import Player

BestActions = Callable[[list[int], list[int]], list[int]]  # of a buffer and some legal actions


class Greedy(Player):
    """Maximises its lead after the action and the chance step that may follow.

    The lead is the quick value of its position over the mean of the others'. So it moves where it
    expects to pay least, takes what gains most, and buys what is cheap. Ties are broken at random.
    Nobody waits for its kernel to be compiled: it uses plain Python if `prepare` has not run.
    """

    name = "greedy"

    @staticmethod
    def prepare(game: Game) -> None:
        """Compile its kernel, unless it is in the disk cache; `Game.prepare` does so, too."""
        targets.numba_kernel(game.kernel, game.constants(), game.greedy_modules())

    def think(self, state: State, actions: list[int]) -> int:
        return self.random.choice(self._best_actions(state.buffer, actions))

    @cached_property
    def _best_actions(self) -> BestActions:
        game = self.game
        kernel = (game.kernel, game.constants(), game.greedy_modules())
        return (compiled if targets.is_prepared(*kernel) else plain)(game)


def plain(game: Game) -> BestActions:
    """Return a function in plain Python that returns the best of some legal actions."""

    def best_actions(buffer: list[int], actions: list[int]) -> list[int]:
        best = actions[:]
        return best[: game.greedy_rules.best_actions(buffer, best, len(best))]

    return best_actions


def compiled(game: Game) -> BestActions:
    """Return the same function in compiled code."""
    import numpy as np

    kernel = targets.numba_kernel(game.kernel, game.constants(), game.greedy_modules())
    position = np.empty(kernel.SIZE, np.int64)
    best = np.empty(kernel.MOST_LEGAL, np.int64)

    def best_actions(buffer: list[int], actions: list[int]) -> list[int]:
        # Twice as fast as assigning a list to an array.
        pack_into(f"{len(buffer)}q", position.data, 0, *buffer)
        pack_into(f"{len(actions)}q", best.data, 0, *actions)
        kept: list[int] = best[: kernel.best_actions(position, best, len(actions))].tolist()
        return kept

    return best_actions
