"""Play many random games in compiled code, on all cores."""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from souk.engine.errors import SoukError, as_int, brief, one_of
from souk.engine.game import Game, check_seed
from souk.engine.kernel import targets
from souk.engine.knobs import Value, check_settings
from souk.engine.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int64]

MOST_GAMES = 10**8  # in one call: the results take some gigabytes


@dataclass(frozen=True)
class Playouts:
    """The results of random games, one row per game."""

    scores: "Array"  # games × players
    returns: "NDArray[np.float64]"  # games × players: share of the win
    turns: "Array"  # turns played in each game


def playouts(
    start: Game | State,
    games: int = 100_000,
    seed: int = 1,
    threads: int | None = None,
    *,
    first: int = 0,
    policy: Mapping[str, Value] | None = None,
    target: str = "numba",
) -> Playouts:
    """Play random games from the start of a game, or from a state, to the end.

    From a game, every playout has its own setup. Playout number n of a seed does not depend on
    the number of games, the number of threads or the target; `first` is the number of the first
    playout. `policy` sets how random players choose, for games that have settings for it
    (`game.policy`).

    >>> import souk
    >>> result = souk.playouts(souk.load_game("marrakech"), games=20, seed=1, target="python")
    >>> result.scores.shape, result.returns.sum()
    ((20, 3), np.float64(20.0))
    """
    if not isinstance(start, Game | State):
        raise SoukError(f"playouts start from a game or a state, not {brief(start)}")
    game = start if isinstance(start, Game) else start.game
    buffer = game.initial_buffer() if isinstance(start, Game) else list(start.buffer)
    if policy is not None and not isinstance(policy, Mapping):
        raise SoukError(f"a policy is a mapping of names to values, not {brief(policy)}")
    for name, value in check_settings(f"{game.name}'s policy", game.policy, policy or {}).items():
        buffer[getattr(game.rules, name.upper())] = int(value)
    seed = check_seed(seed)
    games = _count("games", games, 0, MOST_GAMES)
    first = _count("first", first, 0, 2**62)
    threads = _count("threads", cores() if threads is None else threads, 1, 1024)
    if target not in targets.TARGETS:
        raise SoukError(f"target accepts {one_of(targets.TARGETS)}, not {target!r}")
    job = _Job(game, buffer, seed, isinstance(start, Game))
    chunk = range(first, first + games)
    rows = _play_compiled(job, chunk, threads) if target == "numba" else _play_plain(job, chunk)
    players = game.num_players()
    return Playouts(
        scores=rows[:, 1 : 1 + players],
        returns=rows[:, 1 + players :] / 12,
        turns=rows[:, 0],
    )


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

    if threads == 1:
        play(numbers)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, _chunks(numbers, threads)))
    return rows


def _play_plain(job: _Job, numbers: range) -> "Array":
    import numpy as np

    results = [0] * (len(numbers) * job.width)
    play = job.game.rules.play_games
    play(job.start, job.seed, numbers.start, len(numbers), int(job.from_deal), results)
    return np.array(results, np.int64).reshape(len(numbers), job.width)


def _chunks(numbers: range, threads: int) -> Iterator[range]:
    """Split playouts into several chunks per thread, so that a slow thread delays little."""
    size = max(1, -(-len(numbers) // (threads * 8)))
    for at in range(0, len(numbers), size):
        yield numbers[at : at + size]


def _count(name: str, value: Any, low: int, high: int) -> int:
    number = as_int(value)
    if number is None or not low <= number <= high:
        raise SoukError(f"{name} is a whole number from {low} to {high}, not {brief(value)}")
    return number
