"""The trader of games without an evaluation: look two actions ahead, then play random games."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from souk.engine.state import CHANCE, State
from souk.games import game_class
from souk.players.base import Analysis, Player, analyses, position_after

MOST_LEAVES = 100  # with more of them, the search looks one action ahead

Shares = tuple[float, ...]  # expected share of the win, per seat


class RolloutTrader(Player):
    """Searches one or two actions ahead; random games estimate what follows."""

    name = "trader"
    default_nodes = 20_000

    @classmethod
    def plays(cls, game: str) -> bool:
        return not game_class(game).evaluations

    def think(self, state: State, actions: list[int]) -> int:
        return self._analyse(state, actions)[0].action

    def _analyse(self, state: State, actions: list[int]) -> list[Analysis]:
        for depth in (1, 0):
            leaves: list[State] = []
            nodes = {
                action: _expand(position_after(state, action), depth, leaves) for action in actions
            }
            if len(leaves) <= MOST_LEAVES:
                break
        results = self.play_out(leaves)
        # Of equal actions, one that ends the game is first: its share is certain.
        order = sorted(actions, key=lambda action: not nodes[action].result)
        return analyses(state, {action: nodes[action].shares(results) for action in order})


@dataclass(frozen=True)
class _Node:
    """A position of the search."""

    mover: int
    leaf: int = -1  # its number, if random games are played from there
    options: tuple[tuple[float, "_Node"], ...] = ()  # what may follow, with its probability
    result: Shares = ()  # at the end of the game

    def shares(self, results: Sequence[Shares]) -> Shares:
        """Return the expected shares, from the results of the leaves."""
        if not self.options:
            return self.result or results[self.leaf]
        found = [(part, node.shares(results)) for part, node in self.options]
        if self.mover == CHANCE:
            seats = range(len(found[0][1]))
            return tuple(fsum(part * shares[seat] for part, shares in found) for seat in seats)
        return max((shares for _, shares in found), key=lambda shares: shares[self.mover])


def _expand(state: State, depth: int, leaves: list[State]) -> _Node:
    """Return the tree below a state, some actions of players deep; append its leaves."""
    mover = state.current_player()
    if state.is_terminal():
        return _Node(mover, result=tuple(state.returns()))
    if depth == 0 or len(leaves) > MOST_LEAVES:
        leaves.append(state)
        return _Node(mover, len(leaves) - 1)
    if mover == CHANCE:
        chances, below = dict(state.chance_outcomes()), depth
    else:
        chances, below = dict.fromkeys(state.legal_actions(), 1.0), depth - 1
    return _Node(
        mover,
        options=tuple(
            (part, _expand(position_after(state, action), below, leaves))
            for action, part in chances.items()
        ),
    )
