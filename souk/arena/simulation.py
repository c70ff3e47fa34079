"""Play many games between computer players, on several processes where that is faster.

A game depends only on the seed and its number, so the results are the same for any number of
processes. When all players choose at random, compiled code plays (`souk.playouts`).

This does not use the arena's worker pool, which plays one game per job, returns games in the order
they end and reports which player failed. Here games are played in batches, for speed, and returned
in their order, for which an executor of the standard library is enough.
"""

import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from souk.arena.game_runner import final_returns, is_over
from souk.arena.records_file import RecordsFile, make_record
from souk.arena.simulation_summary import SimulationSummary
from souk.engine.dice import Dice
from souk.engine.errors import SoukError
from souk.engine.game import Game, check_seed
from souk.engine.playouts import Playouts, check_device, cores, count_argument, playouts
from souk.engine.processes import exit_with_parent, shield_sigint
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE
from souk.games import load_game
from souk.players import player
from souk.players.named_player import NamedPlayer
from souk.players.random_player import Uniform
from souk.records import Record, write_all

Row = tuple[int, list[int], list[float]]  # turns, scores, returns

TRIAL_SECONDS = 0.5  # to play in this process before others are started
MIN_POOL_SECONDS = 1.5  # of remaining work that justify starting processes
BATCH_SECONDS = 0.5
BATCHES_PER_WORKER = 3  # queued or running at a time, whatever the number of games
RANDOM_BATCH = 200_000  # games
GPU_BATCH = 2_000_000
MOST_GAMES = 10**12  # a GPU plays that many in a quarter of an hour


@dataclass(frozen=True)
class Batch:
    """Games that were played, in the order of their numbers."""

    results: Playouts
    records: list[str] = field(default_factory=list)  # if they were asked for


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
    records_folder: Path | None = None  # of the file that records are for; None: no records
    device: str = "cpu"  # where random games are played

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
        records_folder: Path | None = None,
        device: str = "cpu",
    ) -> "Simulation":
        """Return a simulation with a player for each seat; raise a SoukError for bad settings."""
        if len(players) != game.num_players():
            raise SoukError(f"{game} has {game.num_players()} seats, not {len(players)}")
        for name in set(players):
            player(name, game, seconds=seconds, nodes=nodes)
        check_device(device)
        if device == "cuda" and (set(players) != {Uniform.name} or records_folder is not None):
            raise SoukError("a GPU plays random games without records only: use the device cpu")
        seed = check_seed(seed)
        return cls(
            str(game),
            tuple(players),
            seed,
            count_argument("games", games, 1, MOST_GAMES),
            seconds=seconds,
            nodes=nodes,
            records_folder=records_folder,
            device=device,
        )

    @property
    def is_all_random(self) -> bool:
        """True if compiled code can play it."""
        return all(name == Uniform.name for name in self.players)

    def batch(self, first: int, games: int) -> "Simulation":
        """Return a part of the simulation; games keep their numbers."""
        return replace(self, first=first, games=games)

    @property
    def entrants(self) -> list[str]:
        """The players by seat, with their limit."""
        named = map(NamedPlayer.parse, self.players)
        return [str(one.with_limit(self.seconds, self.nodes)) for one in named]

    def prepare(self) -> None:
        """Compile what the simulation needs, so that its duration is not measured."""
        if self.records_folder is not None:
            play_batch(self.batch(0, 1))
        elif self.is_all_random:
            playouts(load_game(self.game), games=0, seed=self.seed, device=self.device)

    def run(self, workers: int | None = None) -> Generator[Batch, None, None]:
        """Yield all games in the order of their numbers, in batches."""
        if self.is_all_random and self.records_folder is None:
            yield from _random_batches(self, workers)
        else:  # also for records of random games: writing them takes longer than playing
            yield from _batches(self, workers)


def simulate(
    game: Game | str,
    *players: str,
    games: int = 1000,
    seed: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    records: str | Path | None = None,
    workers: int | None = None,
    device: str = "cpu",
) -> SimulationSummary:
    """Play many games between computer players, one named for each seat, and sum them up.

    Without names all play at random. The games of a seed are the same for any number of games and
    workers, unless players are limited by time. With `records` their records are added to a file.
    With the device "cuda" an NVIDIA GPU plays random games.

    >>> summary = simulate("marrakech(players=2,rugs=2)", "greedy", "random", games=20)
    >>> summary.games, summary.seat(0).wins > summary.seat(1).wins
    (20, True)
    """
    game = load_game(game) if isinstance(game, str) else game
    names = players or (Uniform.name,) * game.num_players()
    path = None if records is None else Path(records)
    folder = None if path is None else path.parent
    simulation = Simulation.of(
        game,
        names,
        seed=seed,
        games=games,
        seconds=seconds,
        nodes=nodes,
        records_folder=folder,
        device=device,
    )
    summary = SimulationSummary(game.num_players())
    with (
        RecordsFile(path) if path else nullcontext() as file,
        closing(simulation.run(workers)) as batches,
    ):
        for batch in batches:
            summary.add(batch.results)
            if file is not None:
                file.add(batch.records)
    return summary


def _random_batches(simulation: Simulation, threads: int | None) -> Iterator[Batch]:
    game = load_game(simulation.game)
    size = GPU_BATCH if simulation.device == "cuda" else RANDOM_BATCH
    for first in range(0, simulation.games, size):
        count = min(size, simulation.games - first)
        seed, device = simulation.seed, simulation.device
        yield Batch(playouts(game, count, seed, threads, first=first, device=device))


def _batches(simulation: Simulation, workers: int | None) -> Iterator[Batch]:
    """Play in this process to measure the duration of a game, then in a pool if it is faster."""
    started = time.monotonic()
    done = 0
    while done < simulation.games and time.monotonic() - started < TRIAL_SECONDS:
        if workers is not None and workers > 1 and not simulation.is_all_random:
            break  # games of players may be long
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


def in_order(pool: Executor, batches: Iterable[Simulation], limit: int) -> Iterator[Batch]:
    """Yield the results of batches in their order, with at most `limit` of them submitted."""
    submitted: deque[Future[Batch]] = deque()
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
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=exit_with_parent)
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
        # Or the pool's thread would wait for the rest of a result that a process had half written.
        pool._result_queue._writer.close()  # type: ignore[attr-defined]
        pool.shutdown(cancel_futures=True)


def play_batch(batch: Simulation) -> Batch:
    """Play the games of a batch one after the other."""
    numbers = range(batch.first, batch.first + batch.games)
    records: list[Record] = []
    if batch.is_all_random:
        results = _play_random_games(batch, numbers, records)
    else:
        results = _as_arrays([_play_game(batch, number, records) for number in numbers])
    folder = batch.records_folder
    return Batch(results, [] if folder is None else list(write_all(records, folder)))


def _play_random_games(simulation: Simulation, numbers: range, records: list[Record]) -> Playouts:
    game = load_game(simulation.game)
    count, first, seed = len(numbers), numbers.start, simulation.seed
    played = playouts(game, games=count, seed=seed, threads=1, first=first, actions=True)
    for at, number in enumerate(numbers):
        # The seed of the playouts deals their setups in another way than the seed of a record.
        start = played.initial_state(at).to_dict() if game.has_random_setup else None
        actions = played.actions[at].tolist()
        records.append(_record(simulation, game, number, actions, start=start))
    return replace(played, log=None)


def _play_game(simulation: Simulation, number: int, records: list[Record]) -> Row:
    game = _load_game(simulation.game)
    seed = derive_seed(simulation.seed, "game", number)
    setup_seed = derive_seed(seed, "setup")
    state = game.new_initial_state(setup_seed)
    dice = Dice(seed)
    # New players for every game: what one remembers must not depend on which games it played.
    players = [
        player(
            name,
            game,
            seconds=simulation.seconds,
            nodes=simulation.nodes,
            seed=derive_seed(seed, "seat", seat),
        )
        for seat, name in enumerate(simulation.players)
    ]
    while not is_over(state):
        mover = state.current_player()
        state.apply_action(dice.draw(state) if mover == CHANCE else players[mover].choose(state))
    records.append(_record(simulation, game, number, state.history(), seed=setup_seed))
    return game.turn_number(state.buffer), state.scores(), final_returns(state)


def _record(
    simulation: Simulation,
    game: Game,
    number: int,
    actions: Iterable[int],
    *,
    seed: int | None = None,
    start: Mapping[str, Any] | None = None,
) -> Record:
    event = f"simulation, seed {simulation.seed}"
    return make_record(
        game, simulation.entrants, actions, event=event, round=number + 1, seed=seed, start=start
    )


@cache
def _load_game(text: str) -> Game:
    return load_game(text)


def _as_arrays(rows: Sequence[Row]) -> Playouts:
    import numpy as np

    turns, scores, returns = zip(*rows, strict=True)
    return Playouts(np.array(scores, np.int64), np.array(returns, float), np.array(turns, np.int64))
