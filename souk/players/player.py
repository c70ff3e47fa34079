"""What every computer player offers."""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

from souk.engine.errors import SoukError, as_int, brief
from souk.engine.game import Game, check_seed
from souk.engine.playouts import playouts
from souk.engine.state import CHANCE, TERMINAL, State

DEFAULT_NODES = 2_000
MOST_NODES = 10**18  # compiled code counts them in 64 bits
MOST_SECONDS = 10**6
CIRCLES = 3  # that are enough: some rules set no limit, and three may pull one thing for ever
FIRST_ROUND, LARGEST_ROUND = 8, 100_000  # random games of each action, when time is the limit


@dataclass(frozen=True)
class Analysis:
    """A legal action and what it is expected to bring."""

    action: int
    text: str
    shares: tuple[float, ...]  # expected share of the win, per seat


class Player(ABC):
    """A computer player. A subclass has a name and says what it thinks.

    It thinks in the thread that asks it, about one position at a time; another thread may ask it
    to `stop`.
    """

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
        self.game = game
        self.seconds = None if seconds is None else _seconds(seconds)
        self.nodes = None if nodes is None else _nodes(nodes)
        self.random = random.Random(None if seed is None else check_seed(seed))
        self.is_stopped = False  # somebody wants the answer now

    @classmethod
    def plays(cls, game: str) -> bool:
        """Whether it plays a game; all of them unless it says otherwise."""
        return bool(game)

    def choose(self, state: State) -> int:
        """A legal action of the player to move. The state stays as it is, whatever it thinks.

        Where play goes round in circles, it is not asked about what would go on with them. A
        player that fails or answers nonsense raises a SoukError with its name.
        """
        legal = self._actions(state)
        again = circling(state)
        actions = [action for action in legal if action != again] or legal
        if len(actions) == 1:
            return actions[0]
        self.is_stopped = False
        name = getattr(self, "name", type(self).__name__)
        try:
            thought = self.think(state.clone(), actions[:])
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise SoukError(f"the player {name!r} failed: {told}") from error
        action = as_int(thought)
        if action is None or action not in legal:
            raise SoukError(f"the player {name!r} chose {brief(thought)}, which is not legal now")
        return action

    def stop(self) -> None:
        """Ask it, from another thread, to answer with what it has found so far.

        It then answers as soon as it can. One that is not thinking pays no attention: the next
        question is thought about as usual.
        """
        self.is_stopped = True

    @abstractmethod
    def think(self, state: State, actions: list[int]) -> int:
        """The action it prefers among two or more."""

    def analyse(self, state: State) -> list[Analysis]:
        """Every legal action with its expected share of the win for each seat, best first.

        Unless a player knows better: the mean of random games after each action.
        """
        mover = state.current_player()
        actions = self._actions(state)
        self.is_stopped = False
        afters = []
        for action in actions:
            afters.append(state.clone())
            afters[-1].apply_action(action)
        seed = self.random.getrandbits(62)
        sums = [playouts(after, games=0, seed=seed).returns.sum(axis=0) for after in afters]
        played = 0
        for games in self._rounds(len(actions)):
            for number, after in enumerate(afters):
                # The same random games for each action: their luck cancels out.
                drawn = playouts(after, games=games, seed=seed, first=played)
                sums[number] += drawn.returns.sum(axis=0)
            played += games
        found = [
            Analysis(action, state.action_to_string(action), tuple(map(float, total / played)))
            for action, total in zip(actions, sums, strict=True)
        ]
        return sorted(found, key=lambda analysis: -analysis.shares[mover])

    def _rounds(self, actions: int) -> Iterator[int]:
        """How many random games to play after each action, until nodes or time are used up."""
        if self.seconds is None:
            yield max(1, (self.nodes or DEFAULT_NODES) // actions)
            return
        games = FIRST_ROUND
        started = time.perf_counter()
        end = started + self.seconds
        while True:
            yield games
            now = time.perf_counter()
            if now >= end or self.is_stopped:
                return
            fitting = int(games * (end - now) / (now - started))
            games = max(1, min(2 * games, fitting, LARGEST_ROUND))
            started = now

    def _actions(self, state: State) -> list[int]:
        if state.game != self.game:
            raise SoukError(f"this player was made for {self.game}, not for {state.game}")
        if state.current_player() in (CHANCE, TERMINAL):
            raise SoukError("a player is asked only when a player is to move")
        return state.legal_actions()


def circling(state: State) -> int:
    """The action that would begin the same circle of actions once too often; -1 if none would.

    It goes by the actions alone. That they lead back to the same position is all but certain.
    """
    history = state.history()
    for size in range(state.game.num_players(), len(history) // CIRCLES + 1):
        again = history[-size]
        if history[-1] == history[-1 - size] and history[-CIRCLES * size] == again:
            circle = history[-size:]
            if history[-CIRCLES * size :] == circle * CIRCLES:
                return again
    return -1


def _seconds(seconds: object) -> float:
    number = 0.0
    if isinstance(seconds, Real) and not isinstance(seconds, bool):
        with suppress(OverflowError):  # a whole number of hundreds of digits
            number = float(seconds)
    if not 0 < number < MOST_SECONDS:
        raise SoukError(
            f"seconds is a number over 0 and under {MOST_SECONDS}, not {brief(seconds)}"
        )
    return number


def _nodes(nodes: object) -> int:
    number = as_int(nodes)
    if number is None or number < 1:
        raise SoukError(f"nodes is a whole number over 0, not {brief(nodes)}")
    if number > MOST_NODES:
        raise SoukError(f"nodes is a whole number up to {MOST_NODES}, not {brief(nodes)}")
    return number
