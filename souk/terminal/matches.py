"""Many games between computer players, on as many processes as pay.

A game depends on the seed and on its number alone, so the results are the same for any number of
processes. When all players choose at random, compiled code plays (`souk.playouts`).
"""

import multiprocessing
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from souk.arena.game_runner import is_over, shares
from souk.engine.game import Game
from souk.engine.playouts import Playouts, cores, playouts
from souk.engine.processes import shield_sigint
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE
from souk.games import load_game
from souk.players import Player, player, players
from souk.players.random_player import Uniform
from souk.terminal.seats import fill
from souk.terminal.table import Dice

if TYPE_CHECKING:
    from multiprocessing.pool import Pool

Row = tuple[int, list[int], list[float]]  # turns, scores, shares of the win

TRIAL_SECONDS = 0.5  # played here before processes are started
WORTH_SECONDS = 1.5  # of work left, for processes to pay
CHUNK_SECONDS = 0.5
PARTS_PER_WORKER = 3  # under way at a time, whatever the number of games
RANDOM_CHUNK = 200_000


@dataclass(frozen=True)
class Match:
    """Which games are to be played."""

    game: str
    seats: tuple[str, ...]
    seed: int
    games: int
    first: int = 0
    seconds: float | None = None
    nodes: int | None = None

    @property
    def is_all_random(self) -> bool:
        """Whether compiled code can play it."""
        return all(seat == Uniform.name for seat in self.seats)

    def part(self, first: int, games: int) -> "Match":
        """Some of the games; their numbers stay."""
        return replace(self, first=first, games=games)


def match_of(
    game: Game,
    kinds: Sequence[str],
    *,
    seed: int,
    games: int,
    seconds: float | None = None,
    nodes: int | None = None,
) -> Match:
    """A match between some kinds of players; the last one takes the seats that are left."""
    last = kinds[-1] if kinds else Uniform.name
    seats = fill(game, kinds, [last] * game.num_players(), players(game.name))
    for kind in set(seats):  # refuse bad limits before anything starts
        player(kind, game, seconds=seconds, nodes=nodes)
    return Match(str(game), tuple(seats), seed, games, seconds=seconds, nodes=nodes)


def batches(match: Match, workers: int | None) -> Generator[Playouts, None, None]:
    """The results of all games in the order of their numbers, batch by batch."""
    if match.is_all_random:
        yield from _random_batches(match, workers)
    else:
        for rows in _chunks(match, workers):
            yield _as_arrays(rows)


def _random_batches(match: Match, threads: int | None) -> Iterator[Playouts]:
    game = load_game(match.game)
    for first in range(0, match.games, RANDOM_CHUNK):
        count = min(RANDOM_CHUNK, match.games - first)
        yield playouts(game, games=count, seed=match.seed, threads=threads, first=first)


def _chunks(match: Match, workers: int | None) -> Iterator[list[Row]]:
    """Plays here for a moment to see how long a game takes, then on processes if that pays."""
    started = time.monotonic()
    done = 0
    while done < match.games and time.monotonic() - started < TRIAL_SECONDS:
        if workers is not None and workers > 1:
            break
        yield play_part(match.part(done, 1))
        done += 1
    pace = (time.monotonic() - started) / done if done else CHUNK_SECONDS / 4
    size = max(1, min(1000, int(CHUNK_SECONDS / pace)))
    firsts = range(done, match.games, size)
    parts = (match.part(first, min(size, match.games - first)) for first in firsts)
    wanted = workers or cores()
    if wanted == 1 or (workers is None and pace * (match.games - done) < WORTH_SECONDS):
        yield from map(play_part, parts)
    elif firsts:
        wanted = min(wanted, (match.games - done) // size + 1)
        with _pool(wanted) as pool:
            yield from in_flight(pool, parts, PARTS_PER_WORKER * wanted)


def in_flight(pool: "Pool", parts: Iterable[Match], most: int) -> Iterator[list[Row]]:
    """The results in their order; no more parts than that are taken before they are needed."""
    waiting = deque[Any]()
    for part in parts:
        waiting.append(pool.apply_async(play_part, (part,)))
        if len(waiting) >= most:
            yield waiting.popleft().get()
    while waiting:
        yield waiting.popleft().get()


@contextmanager
def _pool(workers: int) -> Iterator["Pool"]:
    """Processes that leave Ctrl-C to us; we end them."""
    with shield_sigint():
        pool = multiprocessing.get_context("spawn").Pool(workers)
    try:
        yield pool
    finally:
        pool.terminate()
        pool.join()


def play_part(match: Match) -> list[Row]:
    """Play the games of a part, one after the other."""
    return [_play_one(match, number) for number in range(match.first, match.first + match.games)]


def _play_one(match: Match, number: int) -> Row:
    game, kinds = _cast(match.game, match.seats)
    own = derive_seed(match.seed, "game", number)
    state = game.new_initial_state(derive_seed(own, "setup"))
    dice = Dice(own)
    # New players for every game: what one remembers must not depend on which games it played.
    seats = [
        kind(game, seconds=match.seconds, nodes=match.nodes, seed=derive_seed(own, "seat", seat))
        for seat, kind in enumerate(kinds)
    ]
    while not is_over(state):
        mover = state.current_player()
        state.apply_action(dice.draw(state) if mover == CHANCE else seats[mover].choose(state))
    return game.turn_number(state.buffer), state.scores(), shares(state)


@cache
def _cast(text: str, seats: tuple[str, ...]) -> tuple[Game, tuple[type[Player], ...]]:
    """The game and the classes of its players."""
    game = load_game(text)
    return game, tuple(type(player(name, game)) for name in seats)


def _as_arrays(rows: Sequence[Row]) -> Playouts:
    import numpy as np

    turns, scores, shares = zip(*rows, strict=True)
    return Playouts(np.array(scores, np.int64), np.array(shares, float), np.array(turns, np.int64))
