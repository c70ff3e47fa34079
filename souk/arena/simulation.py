"""Play many games between computer players, on several processes where that is faster.

A game depends only on the seed and its number, so the results are the same for any number of
processes. When all players choose at random, compiled code plays (`souk.playouts`).

This does not use the arena's worker pool, which plays one game per job, returns games in the order
they end and reports which player failed. Here games are played in batches, for speed, and returned
in their order, for which an executor of the standard library is enough.
"""

import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context

from souk.arena.game_runner import final_returns, is_over
from souk.engine.dice import Dice
from souk.engine.errors import SoukError
from souk.engine.game import Game, check_seed
from souk.engine.playouts import Playouts, cores, playouts
from souk.engine.processes import shield_sigint
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE
from souk.games import load_game
from souk.players import Player, player
from souk.players.random_player import Uniform

Row = tuple[int, list[int], list[float]]  # turns, scores, returns

TRIAL_SECONDS = 0.5  # to play in this process before others are started
MIN_POOL_SECONDS = 1.5  # of remaining work that justify starting processes
BATCH_SECONDS = 0.5
BATCHES_PER_WORKER = 3  # queued or running at a time, whatever the number of games
RANDOM_BATCH = 200_000  # games


@dataclass(frozen=True)
class Simulation:
    """The games to play."""

    game: str
    players: tuple[str, ...]  # by seat
    seed: int
    games: int
    first: int = 0  # number of the first game
    seconds: float | None = None
    nodes: int | None = None

    @classmethod
    def of(
        cls,
        game: Game,
        players: Sequence[str],
        *,
        seed: int,
        games: int,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> "Simulation":
        """Return a simulation with a player for each seat; raise a SoukError for bad limits."""
        for name in set(players):
            player(name, game, seconds=seconds, nodes=nodes)
        seed = check_seed(seed)
        return cls(str(game), tuple(players), seed, games, seconds=seconds, nodes=nodes)

    @property
    def is_all_random(self) -> bool:
        """True if compiled code can play it."""
        return all(name == Uniform.name for name in self.players)

    def batch(self, first: int, games: int) -> "Simulation":
        """Return a part of the simulation; games keep their numbers."""
        return replace(self, first=first, games=games)

    def prepare(self) -> None:
        """Compile what the simulation needs, so that its duration is not measured."""
        if self.is_all_random:
            playouts(load_game(self.game), games=0, seed=self.seed)

    def run(self, workers: int | None) -> Generator[Playouts, None, None]:
        """Yield the results of all games in the order of their numbers, in batches."""
        if self.is_all_random:
            yield from _random_batches(self, workers)
        else:
            for rows in _batches(self, workers):
                yield _as_arrays(rows)


def _random_batches(simulation: Simulation, threads: int | None) -> Iterator[Playouts]:
    game = load_game(simulation.game)
    for first in range(0, simulation.games, RANDOM_BATCH):
        count = min(RANDOM_BATCH, simulation.games - first)
        yield playouts(game, games=count, seed=simulation.seed, threads=threads, first=first)


def _batches(simulation: Simulation, workers: int | None) -> Iterator[list[Row]]:
    """Play in this process to measure the duration of a game, then in a pool if it is faster."""
    started = time.monotonic()
    done = 0
    while done < simulation.games and time.monotonic() - started < TRIAL_SECONDS:
        if workers is not None and workers > 1:
            break
        yield play_batch(simulation.batch(done, 1))
        done += 1
    seconds_per_game = (time.monotonic() - started) / done if done else BATCH_SECONDS / 4
    left = simulation.games - done
    size = max(1, min(1000, int(BATCH_SECONDS / seconds_per_game)))
    firsts = range(done, simulation.games, size)
    batches = (simulation.batch(first, min(size, simulation.games - first)) for first in firsts)
    processes = workers or cores()
    if processes == 1 or (workers is None and seconds_per_game * left < MIN_POOL_SECONDS):
        yield from map(play_batch, batches)
    elif firsts:
        processes = min(processes, left // size + 1)
        with _start_pool(processes) as pool:
            yield from in_order(pool, batches, BATCHES_PER_WORKER * processes)


def in_order(pool: Executor, batches: Iterable[Simulation], limit: int) -> Iterator[list[Row]]:
    """Yield the results of batches in their order, with at most `limit` of them submitted."""
    submitted: deque[Future[list[Row]]] = deque()
    for batch in batches:
        with shield_sigint():  # submitting may start a process
            submitted.append(pool.submit(play_batch, batch))
        if len(submitted) >= limit:
            yield submitted.popleft().result()
    while submitted:
        yield submitted.popleft().result()


@contextmanager
def _start_pool(workers: int) -> Iterator[Executor]:
    """Start a pool whose processes are killed at the end, finished or not."""
    pool = ProcessPoolExecutor(workers, get_context("spawn"))
    try:
        yield pool
    except BrokenProcessPool:
        raise SoukError(
            "a worker process ended unexpectedly, perhaps because of a player; `souk arena` names "
            "players that crash"
        ) from None
    finally:
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(cancel_futures=True)


def play_batch(batch: Simulation) -> list[Row]:
    """Play the games of a batch one after the other."""
    return [_play_game(batch, number) for number in range(batch.first, batch.first + batch.games)]


def _play_game(simulation: Simulation, number: int) -> Row:
    game, classes = _game_and_players(simulation.game, simulation.players)
    seed = derive_seed(simulation.seed, "game", number)
    state = game.new_initial_state(derive_seed(seed, "setup"))
    dice = Dice(seed)
    # New players for every game: what one remembers must not depend on which games it played.
    players = [
        player_class(
            game,
            seconds=simulation.seconds,
            nodes=simulation.nodes,
            seed=derive_seed(seed, "seat", seat),
        )
        for seat, player_class in enumerate(classes)
    ]
    while not is_over(state):
        mover = state.current_player()
        state.apply_action(dice.draw(state) if mover == CHANCE else players[mover].choose(state))
    return game.turn_number(state.buffer), state.scores(), final_returns(state)


@cache
def _game_and_players(text: str, names: tuple[str, ...]) -> tuple[Game, tuple[type[Player], ...]]:
    game = load_game(text)
    return game, tuple(type(player(name, game)) for name in names)


def _as_arrays(rows: Sequence[Row]) -> Playouts:
    import numpy as np

    turns, scores, returns = zip(*rows, strict=True)
    return Playouts(np.array(scores, np.int64), np.array(returns, float), np.array(turns, np.int64))
