"""Play many random games in compiled code, on all cores or on a GPU."""

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from souk.engine.errors import SoukError, as_int, brief, one_of
from souk.engine.game import Game, check_seed
from souk.engine.kernel import action_log, cuda_target, targets
from souk.engine.knobs import Value, check_settings
from souk.engine.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int64]

MOST_GAMES = 10**8  # in one call: the results take some gigabytes
DEVICES = ("cpu", "cuda")
ACTIONS_PER_GAME = 256  # to begin with; longer games take a second try

T = TypeVar("T")


@dataclass(frozen=True)
class Playouts:
    """The results of random games, one row per game."""

    scores: "Array"  # games × players
    returns: "NDArray[np.float64]"  # games × players: share of the win
    turns: "Array"  # turns played in each game
    log: "ActionLog | None" = None  # with `actions=True`

    @property
    def actions(self) -> "list[Array]":
        """The actions of each game from its initial state, chance outcomes included."""
        return self._log().actions

    def initial_state(self, number: int) -> State:
        """Return the state that a game started from."""
        log = self._log()
        return State(log.game, log.setups[number].tolist())

    def _log(self) -> "ActionLog":
        if self.log is None:
            raise SoukError("the actions were not stored: play with actions=True")
        return self.log


@dataclass(frozen=True)
class ActionLog:
    """The setups and the actions of random games, one entry per game."""

    game: Game
    setups: "Array"  # games × slots of a buffer
    actions: "list[Array]"


def playouts(
    start: Game | State,
    games: int = 100_000,
    seed: int = 1,
    threads: int | None = None,
    *,
    first: int = 0,
    policy: Mapping[str, Value] | None = None,
    target: str = "numba",
    actions: bool = False,
    device: str = "cpu",
) -> Playouts:
    """Play random games from the start of a game, or from a state, to the end.

    From a game, every playout has its own setup. Playout number n of a seed does not depend on
    the number of games, the number of threads, the target or the device; `first` is the number of
    the first playout. The device "cuda" is an NVIDIA GPU; the results are NumPy arrays all the
    same. `policy` sets how random players choose, for games that have settings for it
    (`game.policy`). With `actions`, the result has the actions and the initial state of each game.

    >>> import souk
    >>> result = souk.playouts(souk.load_game("marrakech"), games=20, seed=1, target="python")
    >>> result.scores.shape, result.returns.sum()
    ((20, 3), np.float64(20.0))
    """
    if not isinstance(start, Game | State):
        what = f"a game or a state, not {brief(start)}"
        raise SoukError(f"playouts start from {what}: see souk.load_game")
    game = start if isinstance(start, Game) else start.game
    buffer = game.initial_buffer() if isinstance(start, Game) else list(start.buffer)
    if policy is not None and not isinstance(policy, Mapping):
        raise SoukError(f"a policy is a mapping of names to values, not {brief(policy)}")
    for name, value in check_settings(f"{game.name}'s policy", game.policy, policy or {}).items():
        buffer[getattr(game.rules, name.upper())] = int(value)
    seed = check_seed(seed)
    games = count_argument("games", games, 0, MOST_GAMES)
    first = count_argument("first", first, 0, 2**62)
    threads = count_argument("threads", cores() if threads is None else threads, 1, 1024)
    if target not in targets.TARGETS:
        raise SoukError(f"target accepts {one_of(targets.TARGETS)}, not {target!r}")
    check_device(device)
    job = _Job(game, buffer, seed, isinstance(start, Game))
    chunk = range(first, first + games)
    if device == "cuda":
        results = _play_on_gpu(job, chunk)
    else:
        play = _play_plain if target == "python" else _play_compiled
        results = _split(play(job, chunk, threads), game.num_players())
    if not actions:
        return results
    log = _log_actions(job, chunk, threads, target)
    if results.turns.any() and not any(map(len, log.actions)):
        raise SoukError(f"the playout of {game.name} does not log its actions")
    return replace(results, log=log)


def _split(rows: Any, players: int) -> Playouts:
    """Return the results that the kernel wrote, as arrays of their own."""
    return Playouts(
        scores=rows[:, 1 : 1 + players], returns=rows[:, 1 + players :] / 60, turns=rows[:, 0]
    )


def check_device(device: object) -> str:
    """Return a device. Raise SoukError if there is none of that name."""
    if not isinstance(device, str) or device not in DEVICES:
        raise SoukError(f"device accepts {one_of(DEVICES)}, not {brief(device)}")
    return device


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class _Job:
    """The arguments that all playouts of a call share."""

    game: Game
    start: list[int]
    seed: int
    from_deal: bool  # every game gets a new setup

    @property
    def width(self) -> int:
        """The number of results per game."""
        return 1 + 2 * self.game.num_players()


def _play_compiled(job: _Job, numbers: range, threads: int) -> "Array":
    import numpy as np

    kernel = targets.numba_kernel(job.game.kernel, job.game.constants())
    start = np.array(job.start, np.int64)
    rows = np.zeros((len(numbers), job.width), np.int64)

    def play(chunk: range) -> None:
        at = chunk.start - numbers.start
        results = rows[at : at + len(chunk)].reshape(-1)
        kernel.play_games(start, job.seed, chunk.start, len(chunk), int(job.from_deal), results)

    in_threads(play, numbers, threads)
    return rows


def _play_on_gpu(job: _Job, numbers: range) -> Playouts:
    kernel = cuda_target.cuda_kernel(
        job.game.kernel, job.game.constants(), targets.PLAYOUT_LOOP, job.start
    )
    cuda_target.check_ranges(job.game.rules, job.start)
    cupy, games = kernel.cupy, len(numbers)
    try:
        start = cupy.array(job.start, "int64")
        rows = cupy.empty((games, job.width), "int64")
        kernel.play_game(games, start, job.seed, numbers.start, int(job.from_deal), rows)
        results = _split(rows, job.game.num_players())
        arrays = (results.scores, results.returns, results.turns)
        return Playouts(*map(cuda_target.to_host, arrays))
    except cupy.cuda.memory.OutOfMemoryError:
        raise SoukError(
            f"there is no memory for {games} games on the GPU: play fewer in a call"
        ) from None


def _play_plain(job: _Job, numbers: range, _threads: int) -> "Array":
    import numpy as np

    results = [0] * (len(numbers) * job.width)
    play = job.game.rules.play_games
    play(job.start, job.seed, numbers.start, len(numbers), int(job.from_deal), results)
    return np.array(results, np.int64).reshape(len(numbers), job.width)


def _log_actions(job: _Job, numbers: range, threads: int, target: str) -> ActionLog:
    """Play the same games once more, with a driver that stores their actions."""
    import numpy as np

    load = targets.numba_kernel if target == "numba" else targets.python_kernel
    kernel = load(job.game.kernel, job.game.constants(), targets.ACTION_LOG)

    def ints(size: int) -> Any:  # plain Python cannot compute with NumPy's integers
        return np.zeros(size, np.int64) if target == "numba" else [0] * size

    def play(chunk: range) -> "tuple[Array, list[Array]]":
        games = len(chunk)
        start, setups, ends = ints(len(job.start)), ints(games * len(job.start)), ints(games)
        start[:] = job.start
        first = action_log.FIRST_LOGGED
        size, needed = 0, first + ACTIONS_PER_GAME * games
        while size < needed:
            size = needed
            log = ints(size)
            log[action_log.LOG_CAPACITY] = size
            kernel.log_games(
                start, job.seed, chunk.start, games, int(job.from_deal), setups, ends, log
            )
            needed = log[action_log.LOG_END]
        actions = np.split(np.array(log[first:needed], np.int64), np.array(ends[:-1]) - first)
        return np.array(setups, np.int64).reshape(games, len(job.start)), actions[:games]

    parts = in_threads(play, numbers, threads)
    return ActionLog(
        job.game,
        np.concatenate([setups for setups, _ in parts]),
        [actions for _, part in parts for actions in part],
    )


def in_threads(play: Callable[[range], T], numbers: range, threads: int) -> list[T]:
    """Return what `play` returns for chunks of the playouts, in their order."""
    if threads == 1 or not numbers:
        return [play(numbers)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(play, _chunks(numbers, threads)))


def _chunks(numbers: range, threads: int) -> Iterator[range]:
    """Split playouts into several chunks per thread, so that a slow thread delays little."""
    size = max(1, -(-len(numbers) // (threads * 8)))
    for at in range(0, len(numbers), size):
        yield numbers[at : at + size]


def count_argument(name: str, value: Any, low: int, high: int) -> int:
    """Return an argument as an int. Raise SoukError if it is not one within the limits."""
    number = as_int(value)
    if number is None or not low <= number <= high:
        raise SoukError(f"{name} is a whole number from {low} to {high}, not {brief(value)}")
    return number
