"""What every computer player offers."""

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.playouts import playouts
from souk.engine.state import CHANCE, TERMINAL, State

DEFAULT_NODES = 2_000


@dataclass(frozen=True)
class Analysis:
    """A legal action and what it is expected to bring."""

    action: int
    text: str
    shares: tuple[float, ...]  # expected share of the win, per seat


class Player(ABC):
    """A computer player. It never changes the states that it is shown."""

    name: ClassVar[str]

    def __init__(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        seed: int | None = None,
    ) -> None:
        if seconds is not None and nodes is not None:
            raise SoukError("give seconds or nodes, not both")
        if seconds is not None and not 0 < seconds < 1e6:
            raise SoukError(f"seconds is a number over 0, not {seconds!r}")
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise SoukError(f"nodes is a whole number over 0, not {nodes!r}")
        self.game = game
        self.seconds = seconds
        self.nodes = nodes
        self.random = random.Random(seed)

    @classmethod
    def plays(cls, game: str) -> bool:
        """Whether it plays a game; all of them unless it says otherwise."""
        return bool(game)

    def choose(self, state: State) -> int:
        """A legal action of the player to move."""
        actions = self._actions(state)
        return actions[0] if len(actions) == 1 else self.think(state, actions)

    @abstractmethod
    def think(self, state: State, actions: list[int]) -> int:
        """The action it prefers among two or more."""

    def analyse(self, state: State) -> list[Analysis]:
        """Every legal action with its expected share of the win for each seat, best first.

        Unless a player knows better: the mean of random games after each action.
        """
        mover = state.current_player()
        actions = self._actions(state)
        games = max(1, (self.nodes or DEFAULT_NODES) // len(actions))
        seed = self.random.getrandbits(62)
        found = []
        for action in actions:
            after = state.clone()
            after.apply_action(action)
            # The same random games for each action: their luck cancels out in the comparison.
            shares = playouts(after, games=games, seed=seed).returns.mean(axis=0)
            text = state.action_to_string(action)
            found.append(Analysis(action, text, tuple(float(share) for share in shares)))
        return sorted(found, key=lambda analysis: -analysis.shares[mover])

    def _actions(self, state: State) -> list[int]:
        if state.game != self.game:
            raise SoukError(f"this player was made for {self.game}, not for {state.game}")
        if state.current_player() in (CHANCE, TERMINAL):
            raise SoukError("a player is asked only when a player is to move")
        return state.legal_actions()
