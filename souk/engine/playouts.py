"""Random games by the hundred thousand, in compiled code and on all cores."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from souk.engine import targets
from souk.engine.errors import SoukError, brief, one_of, whole
from souk.engine.game import Game, check_seed
from souk.engine.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int64]

MOST_GAMES = 10**8  # at a time: their results take some gigabytes


@dataclass(frozen=True)
class Playouts:
    """The results of random games, a row for each game."""

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
    target: str = "numba",
) -> Playouts:
    """Play random games from the start of a game, or from a position, to the end.

    Game number g of a seed is the same whatever the number of games, threads and the target;
    `first` is the number of the first one played.

    >>> import souk
    >>> result = souk.playouts(souk.load_game("marrakech"), games=20, seed=1, target="python")
    >>> result.scores.shape, result.returns.sum()
    ((20, 3), np.float64(20.0))
    """
    state = start.new_initial_state(seed) if isinstance(start, Game) else start
    if not isinstance(state, State):
        raise SoukError(f"playouts start from a game or a state, not {start!r}")
    seed = check_seed(seed)
    games = _count("games", games, 0, MOST_GAMES)
    first = _count("first", first, 0, 2**62)
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    threads = _count("threads", threads, 1, 1024)
    if target not in targets.TARGETS:
        raise SoukError(f"target accepts {one_of(targets.TARGETS)}, not {target!r}")
    if target == "numba":
        rows = _play_compiled(state, games, seed, threads, first)
    else:
        rows = _play_plain(state, games, seed, first)
    players = state.game.num_players()
    return Playouts(
        scores=rows[:, 1 : 1 + players],
        returns=rows[:, 1 + players :] / 12,
        turns=rows[:, 0],
    )


def _play_compiled(state: State, games: int, seed: int, threads: int, first: int) -> "Array":
    import numpy as np

    kernel = targets.numba_kernel(state.game.kernel, state.game.constants())
    start = np.array(state.buffer, np.int64)
    rows = np.zeros((games, 1 + 2 * state.game.num_players()), np.int64)

    def play(chunk: range) -> None:
        results = rows[chunk.start : chunk.stop].reshape(-1)
        kernel["play_games"](start, seed, first + chunk.start, len(chunk), results)

    if threads == 1:
        play(range(games))
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, _chunks(games, threads)))
    return rows


def _play_plain(state: State, games: int, seed: int, first: int) -> "Array":
    import numpy as np

    kernel = state.game.rules
    start, width = list(state.buffer), 1 + 2 * state.game.num_players()
    results = [0] * (games * width)
    kernel["play_games"](start, seed, first, games, results)
    return np.array(results, np.int64).reshape(games, width)


def _chunks(games: int, threads: int) -> Iterator[range]:
    """Some chunks a thread, so that a thread that was held up does not hold up the rest."""
    size = max(1, -(-games // (threads * 8)))
    for first in range(0, games, size):
        yield range(first, min(first + size, games))


def _count(name: str, value: Any, low: int, high: int) -> int:
    number = whole(value)
    if number is None or not low <= number <= high:
        raise SoukError(f"{name} is a whole number from {low} to {high}, not {brief(value)}")
    return number
