"""Estimate the value of a position or of its actions by rollouts: games played on from there.

docs/rollouts.md explains the method and its limits.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot, inf, sqrt
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from souk.engine.errors import SoukError, as_int, brief, one_of
from souk.engine.game import Game, check_seed
from souk.engine.kernel import targets
from souk.engine.kernel.cuda_target import cuda_kernel
from souk.engine.playouts import check_device, cores, count_argument, in_threads, playouts
from souk.engine.state import State
from souk.players.named_player import NamedPlayer
from souk.players.searcher import load_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_GAMES = 10**6
MOST_TEMPERATURE = 1000  # by far enough for choices that are all but even
FIRST_ROUND = 12  # games after every action before any is dropped; every later round doubles them
FIRST_ROUND_ON_GPU = 768  # which plays them in the time of one
CLEAR = 4.0  # standard errors by which an action is worse than the best when it is dropped
TIE_BREAK = 1e-9  # the temperature of `greedy`: only equal leads are chosen at random


@dataclass(frozen=True)
class Rollout:
    """The result of the rollouts of a position, or of an action."""

    action: int | None  # None for the position itself
    games: int  # that were played
    shares: tuple[float, ...]  # the mean share of the win, per seat
    errors: tuple[float, ...]  # its standard error, per seat
    loss: float = 0.0  # share of the player to move below that after the best action
    loss_error: float = 0.0  # standard error of the loss, which the same dice make small


@overload
def rollout(
    state: State,
    player: str | None = None,
    games: int = 1296,
    seed: int = 1,
    actions: None = None,
    *,
    truncate: int | None = None,
    error: float | None = None,
    seconds: float | None = None,
    stop_early: bool = True,
    subtract_luck: bool = True,
    temperature: float | None = None,
    threads: int | None = None,
    device: str = "cpu",
) -> Rollout: ...
@overload
def rollout(
    state: State,
    player: str | None = None,
    games: int = 1296,
    seed: int = 1,
    *,
    actions: Sequence[int],
    truncate: int | None = None,
    error: float | None = None,
    seconds: float | None = None,
    stop_early: bool = True,
    subtract_luck: bool = True,
    temperature: float | None = None,
    threads: int | None = None,
    device: str = "cpu",
) -> list[Rollout]: ...
def rollout(
    state: State,
    player: str | None = None,
    games: int = 1296,
    seed: int = 1,
    actions: Sequence[int] | None = None,
    *,
    truncate: int | None = None,
    error: float | None = None,
    seconds: float | None = None,
    stop_early: bool = True,
    subtract_luck: bool = True,
    temperature: float | None = None,
    threads: int | None = None,
    device: str = "cpu",
) -> Rollout | list[Rollout]:
    """Play games from a state to the end; return the mean share of the win of every seat.

    With `actions`, return a result for each of them in their order; all use the same dice. Every
    seat plays as `player`: random, greedy, trader or expert, which is the default where the game
    has an evaluation; otherwise it is greedy. `games` is the largest number of games after each
    action. The result does not depend on the number of threads, unless `seconds` is given.

    With `truncate`, games end after that many turns, and the evaluation is the result. Rollouts end
    early when every standard error is at most `error`, after `seconds`, or when one action is
    clearly the best. Actions that are clearly worse are dropped before; `stop_early=False` keeps
    all of them to the end. With a `temperature` above 0, players choose by a softmax of their
    shares instead of the best action; the default is the game's. `subtract_luck=False` returns the
    plain results. `device="cuda"` plays on an NVIDIA GPU, a game in every thread, which pays for
    thousands of games.

    >>> import souk
    >>> state = souk.load_game("marrakech", players=3).new_initial_state()
    >>> left, ahead, right = souk.rollout(
    ...     state, "random", games=200, actions=state.legal_actions(), stop_early=False
    ... )
    >>> left.games, abs(sum(left.shares) - 1) < 1e-6
    (200, True)
    """
    if not isinstance(state, State):
        raise SoukError(f"rollouts start from a state, not {brief(state)}")
    if temperature is not None and not (
        _is_number(temperature) and 0 <= temperature <= MOST_TEMPERATURE
    ):
        raise SoukError(
            f"a temperature is a number from 0 to {MOST_TEMPERATURE}, not {brief(temperature)}"
        )
    for name, limit in (("error", error), ("seconds", seconds)):
        if limit is not None and not (_is_number(limit) and limit > 0):
            raise SoukError(f"{name} is a number above 0, not {brief(limit)}")
    runner = RolloutRunner(
        state,
        player,
        seed=check_seed(seed),
        truncate=0 if truncate is None else count_argument("truncate", truncate, 1, 10**6),
        temperature=temperature,
        threads=count_argument("threads", cores() if threads is None else threads, 1, 1024),
        device=device,
    )
    samples = Samples(state, _checked(state, actions))
    subtracts = bool(subtract_luck and runner.evaluation)
    games = count_argument("games", games, 2, MOST_GAMES)
    began = time.perf_counter()
    while True:
        done = samples.games
        more = min(done or (FIRST_ROUND if device == "cpu" else FIRST_ROUND_ON_GPU), games - done)
        if seconds is not None and seconds < inf and done:
            spent = time.perf_counter() - began
            more = min(more, int(done * (seconds - spent) / spent))
        if more < 1 or (error is not None and done and samples.largest_error() <= error):
            break
        shares, luck = runner.play(samples.compared(), done, more)
        samples.add(shares - luck if subtracts else shares)
        if stop_early and samples.drop_worse():
            break
    results = samples.results()
    return results[0] if actions is None else results


def _checked(state: State, actions: Sequence[int] | None) -> list[int]:
    """Return the actions to roll out; -1 stands for the position itself."""
    if actions is None:
        return [-1]
    if state.current_player() < 0:
        raise SoukError("actions are rolled out where a player decides: leave them out here")
    if not isinstance(actions, Iterable):
        raise SoukError(f"actions is a list of actions, not {brief(actions)}")
    legal = state.legal_actions()
    numbers = []
    for action in actions:
        number = as_int(action)
        if number is None or number not in legal:
            raise SoukError(
                f"{brief(action)} is not a legal action here; legal are {one_of(map(str, legal))}"
            )
        numbers.append(number)
    if not numbers:
        raise SoukError("there is no action to roll out: give one or more")
    return numbers


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


class Job(NamedTuple):
    """Games that are to be played from a position: so many after every action."""

    buffer: Sequence[int]
    seed: int
    actions: Sequence[int]  # -1 stands for the position itself
    first: int  # the number of the first game
    games: int

    def items(self, position: int) -> "NDArray[np.int64]":
        """Return the games as the kernel reads them: game by game, with a row for each action."""
        import numpy as np

        items = np.empty((self.games, len(self.actions), 3), np.int64)
        items[:, :, 0] = position
        items[:, :, 1] = self.actions
        items[:, :, 2] = np.arange(self.first, self.first + self.games)[:, None]
        return items.reshape(-1, 3)


class RolloutRunner:
    """Plays the rollouts of a state."""

    def __init__(
        self,
        state: State,
        player: str | None = None,
        *,
        seed: int = 1,
        truncate: int = 0,
        temperature: float | None = None,
        threads: int = 1,
        target: str = "numba",
        device: str = "cpu",
    ) -> None:
        self.state, self.seed, self.threads = state, seed, threads
        self.target, self.device = target, check_device(device)
        self.game: Game = state.game
        names = self.game.available_evaluations()
        players = ["random", "greedy", *(["trader", "expert"] if names else [])]
        named = NamedPlayer.parse(player) if player is not None else NamedPlayer(players[-1])
        self.player = named.name
        if self.player not in players or named.seconds is not None or named.nodes is not None:
            raise SoukError(
                f"rollouts of {self.game.name} are played by {one_of(players)}, not {brief(player)}"
            )
        evaluations = {"trader": names[:1], "expert": names[-1:]}.get(self.player)
        self.evaluation = evaluations[0] if evaluations else None
        self.learned: Any = None
        if named.weights is not None:
            if self.player != "expert":
                raise SoukError(f"in rollouts expert takes weights, {self.player} does not")
            self.evaluation = list(self.game.evaluations)[-1]
            self.learned = load_weights(self.game, named.weights)
        if truncate and not self.evaluation:
            raise SoukError(f"{self.player} has no evaluation, so its rollouts cannot be truncated")
        self.truncate = truncate
        usual = self.game.rollout_temperature if self.evaluation else TIE_BREAK
        self.temperature = usual if temperature is None else float(temperature)

    @cached_property
    def kernel(self) -> Any:
        """The kernel with the driver of rollouts."""
        modules = self.game.rollout_modules(self.evaluation)
        load: Any = targets.numba_kernel if self.target == "numba" else targets.python_kernel
        if self.device == "cuda":
            load = cuda_kernel
        return load(self.game.kernel, self.game.constants(), modules)

    @cached_property
    def weights(self) -> Any:
        """The weights of the evaluation; none without one."""
        import numpy as np

        weights: Any = []
        if self.evaluation:
            weights = self.game.weights(self.evaluation, learned=self.learned)
        return np.ascontiguousarray(weights, np.float32)

    def play(self, actions: Sequence[int], first: int, games: int) -> "tuple[Array, Array]":
        """Play games from number `first` after every action; return the shares and the luck.

        Both are arrays of games × actions × seats.
        """
        if self.player == "random":
            return self._play_randomly(actions, first, games)
        return self.play_many([Job(self.state.buffer, self.seed, actions, first, games)])[0]

    def play_many(self, jobs: "Sequence[Job]") -> "list[tuple[Array, Array]]":
        """Play the games of many positions together; return what `play` does for each."""
        import numpy as np

        seats = self.game.num_players()
        items = np.concatenate([one.items(number) for number, one in enumerate(jobs)])
        given: list[Any] = [
            np.array([one.buffer for one in jobs], np.int64).reshape(-1),
            np.array([one.seed for one in jobs], np.int64),
            items.reshape(-1),
            self.weights,
        ]
        results = np.zeros((len(items), 2, seats), np.float32)
        settings = self.temperature, self.truncate
        if self.device == "cuda":
            cupy = self.kernel.cupy
            on_gpu = cupy.zeros(results.size, np.float32)
            self.kernel.roll_out(len(items), *map(cupy.asarray, given), *settings, on_gpu)
            results = on_gpu.get().reshape(results.shape)
        else:
            if self.target == "python":  # which cannot compute with NumPy's numbers
                given = [one.tolist() for one in given]
            flat = results.reshape(-1)

            def roll_out(part: range) -> None:
                self.kernel.roll_out_all(*given, *settings, flat, part.start, part.stop)

            in_threads(roll_out, range(len(items)), self.threads)
        ends = np.cumsum([one.games * len(one.actions) for one in jobs])
        played = []
        for one, rows in zip(jobs, np.split(results.astype(np.float64), ends[:-1]), strict=True):
            table = rows.reshape(one.games, len(one.actions), 2, seats)
            played.append((table[:, :, 0], table[:, :, 1]))
        return played

    def _play_randomly(
        self, actions: Sequence[int], first: int, games: int
    ) -> "tuple[Array, Array]":
        import numpy as np

        returns = []
        for action in actions:
            after = self.state.clone()
            if action >= 0:
                after.apply_action(action)
            played = playouts(
                after,
                games,
                self.seed,
                self.threads,
                first=first,
                target=self.target,
                device=self.device,
            )
            returns.append(played.returns)
        shares = np.stack(returns, axis=1)
        return shares, np.zeros_like(shares)


class Samples:
    """The shares in the games of every action, and which actions are still compared."""

    def __init__(self, state: State, actions: list[int]) -> None:
        self.actions = actions
        self.mover = state.current_player()
        self.rounds: list[list[Any]] = [[] for _ in actions]
        self.left = list(range(len(actions)))  # the places of the actions not dropped
        self.games = 0

    def compared(self) -> list[int]:
        """Return the actions that are not dropped."""
        return [self.actions[place] for place in self.left]

    def add(self, values: "Array") -> None:
        """Add the shares in further games of every action that is compared: games × actions."""
        for column, place in enumerate(self.left):
            self.rounds[place].append(values[:, column])
        self.games += len(values)

    def drop_worse(self) -> bool:
        """Drop the actions that are clearly worse than the best; return whether it is alone.

        One over the games is added to the limit, for differences that have not occurred yet.
        """
        if len(self.actions) == 1:  # there is nothing to compare
            return False
        best = self.best()
        kept = []
        for place in self.left:
            loss, error = self.loss(place, best)
            if loss <= CLEAR * error + 1 / self.games:
                kept.append(place)
        self.left = kept
        return len(kept) == 1

    def best(self) -> int:
        """Return the place of the action, of those left, that is best for the player to move."""
        return max(self.left, key=lambda place: self.values(place)[:, self.mover].mean())

    def values(self, place: int) -> "Array":
        """Return the shares in the games of an action: games × seats."""
        import numpy as np

        self.rounds[place] = [np.concatenate(self.rounds[place])]
        values: Array = self.rounds[place][0]
        return values

    def loss(self, place: int, best: int) -> tuple[float, float]:
        """Return the mover's loss by an action against the best, and its standard error."""
        if place == best:
            return 0.0, 0.0
        worse = self.values(place)[:, self.mover]
        loss = self.values(best)[: len(worse), self.mover] - worse
        return float(loss.mean()), float(loss.std(ddof=1) / sqrt(len(loss)))

    def largest_error(self) -> float:
        """Return the largest standard error: of a loss, or of a share of the position.

        It includes one over the games, for results that have not occurred yet: rollouts must not
        end because the first few games happened to be alike.
        """
        if len(self.left) == 1:
            largest = max(_standard_errors(self.values(self.left[0])))
        else:
            best = self.best()
            largest = max(self.loss(place, best)[1] for place in self.left)
        return hypot(largest, 1 / self.games)

    def results(self) -> list[Rollout]:
        """Return the result of every action."""
        best = self.best() if len(self.actions) > 1 else 0
        results = []
        for place, action in enumerate(self.actions):
            values = self.values(place)
            loss, error = self.loss(place, best)
            results.append(
                Rollout(
                    action=None if action < 0 else action,
                    games=len(values),
                    shares=tuple(map(float, values.mean(axis=0))),
                    errors=_standard_errors(values),
                    loss=loss,
                    loss_error=error,
                )
            )
        return results


def _standard_errors(values: "Array") -> tuple[float, ...]:
    return tuple(map(float, values.std(axis=0, ddof=1) / sqrt(len(values))))
