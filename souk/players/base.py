"""The base class of computer players."""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import fsum
from numbers import Real
from operator import mul
from typing import ClassVar

from souk.engine.errors import SoukError, as_int, brief
from souk.engine.game import Game, check_seed
from souk.engine.playouts import playouts
from souk.engine.state import CHANCE, TERMINAL, State

MOST_NODES = 10**18  # compiled code counts them in 64 bits
MOST_SECONDS = 10**6
MOST_CYCLES = 3  # some rules set no limit to the turns, and players might repeat moves for ever
FIRST_ROUND, LARGEST_ROUND = 8, 100_000  # random games per state, when time is the limit


@dataclass(frozen=True)
class Analysis:
    """A legal action and its expected result."""

    action: int
    text: str
    shares: tuple[float, ...]  # expected share of the win, per seat


class Player(ABC):
    """A computer player. A subclass defines `name` and `think`.

    An answer is limited by `seconds` or by `nodes`; what a node is, a subclass decides. With nodes
    and a seed play is repeatable if all random numbers come from `random`, which is a
    `random.Random`. A player thinks in the calling thread, about one position at a time; another
    thread may call `stop`, which sets `is_stopped`.
    """

    name: ClassVar[str]
    takes_weights: ClassVar[bool] = False  # whether it can be made with `weights`, a file's name
    default_nodes: ClassVar[int] = 2_000  # without limits by nodes or seconds
    least_nodes: ClassVar[int] = 1  # of an analysis of a game: with fewer, its costs mislead

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
        self.is_stopped = False  # set by `stop`: answer now

    @classmethod
    def plays(cls, game: str) -> bool:
        """Return whether it plays a game: every game unless a subclass says otherwise."""
        return bool(game)

    def choose(self, state: State) -> int:
        """Return a legal action of the player to move; the state is not changed.

        An action that would repeat the same cycle of moves once too often is not offered to
        `think`. A player that fails or answers an illegal action raises a SoukError with its name.
        """
        legal = self._actions(state)
        repeated = repeated_cycle_action(state)
        actions = [action for action in legal if action != repeated] or legal
        if len(actions) == 1:
            return actions[0]
        self.is_stopped = False
        name = getattr(self, "name", type(self).__name__)
        try:
            answer = self.think(state.clone(), actions[:])
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise SoukError(f"the player {name!r} failed: {reason}") from error
        action = as_int(answer)
        if action is None or action not in legal:
            raise SoukError(f"the player {name!r} chose {brief(answer)}, which is not legal now")
        return action

    def stop(self) -> None:
        """Ask it, from another thread, to answer as soon as it can with what it has so far.

        A player that is not thinking ignores this.
        """
        self.is_stopped = True

    @abstractmethod
    def think(self, state: State, actions: list[int]) -> int:
        """Return the action it prefers among two or more."""

    def analyse(self, state: State) -> list[Analysis]:
        """Return every legal action with each seat's expected share of the win, best first.

        At a chance node these are the outcomes in ascending order; the limit of the player then
        holds for each of them.

        >>> import souk
        >>> game = souk.load_game("marrakech", players=2)
        >>> state = game.new_initial_state(seed=1)
        >>> state.is_chance_node(), [one.text for one in souk.player("random", game).analyse(state)]
        (True, ['red', 'yellow'])
        """
        self.is_stopped = False
        if self._checked(state).is_chance_node():
            return [
                Analysis(outcome, state.action_to_string(outcome), self._shares(state, outcome))
                for outcome in state.legal_actions()
            ]
        return self._analyse(state, self._actions(state))

    def _analyse(self, state: State, actions: list[int]) -> list[Analysis]:
        """Return the actions of the player to move, by default with the means of random games."""
        afters = [position_after(state, action) for action in actions]
        return analyses(state, dict(zip(actions, self.play_out(afters), strict=True)))

    def _shares(self, state: State, action: int) -> tuple[float, ...]:
        """Return each seat's expected share of the win after an action or outcome."""
        after = position_after(state, action)
        if after.is_terminal():
            return tuple(after.returns())
        found = self.analyse(after)
        if not after.is_chance_node():
            return found[0].shares
        parts = [probability for _, probability in after.chance_outcomes()]
        by_seat = zip(*(one.shares for one in found), strict=True)
        return tuple(fsum(map(mul, parts, shares)) for shares in by_seat)

    def play_out(self, starts: Sequence[State]) -> list[tuple[float, ...]]:
        """Play random games from some states; return each seat's mean share of the win in them."""
        seed = self.random.getrandbits(62)
        sums = [playouts(start, games=0, threads=1).returns.sum(axis=0) for start in starts]
        played = 0
        for games in self._rounds(len(starts)):
            for number, start in enumerate(starts):
                # The same random numbers for each state: their luck cancels out.
                result = playouts(start, games=games, seed=seed, first=played, threads=1)
                sums[number] += result.returns.sum(axis=0)
            played += games
        return [tuple(map(float, total / played)) for total in sums]

    def _rounds(self, starts: int) -> Iterator[int]:
        """Yield numbers of random games to play from each state, until the limit is reached."""
        if self.seconds is None:
            yield max(1, (self.nodes or self.default_nodes) // max(1, starts))
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
        if self._checked(state).current_player() in (CHANCE, TERMINAL):
            raise SoukError("a player is asked only when a player is to move")
        return state.legal_actions()

    def _checked(self, state: State) -> State:
        if state.game != self.game:
            raise SoukError(f"this player was made for {self.game}, not for {state.game}")
        return state


def position_after(state: State, action: int) -> State:
    """Return the position after an action."""
    after = state.clone()
    after.apply_action(action)
    return after


def analyses(state: State, shares: Mapping[int, tuple[float, ...]]) -> list[Analysis]:
    """Return the analyses of actions, best first for the player to move."""
    mover = state.current_player()
    return [
        Analysis(action, state.action_to_string(action), shares[action])
        for action in sorted(shares, key=lambda action: -shares[action][mover])
    ]


def repeated_cycle_action(state: State) -> int:
    """Return the action that would begin the same cycle of actions once too often; -1 if none.

    Only actions are compared: that they lead back to the same position is all but certain.
    """
    history = state.history()
    for size in range(state.game.num_players(), len(history) // MOST_CYCLES + 1):
        first = history[-size]
        if history[-1] == history[-1 - size] and history[-MOST_CYCLES * size] == first:
            cycle = history[-size:]
            if history[-MOST_CYCLES * size :] == cycle * MOST_CYCLES:
                return first
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
