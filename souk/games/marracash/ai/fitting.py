"""What MarraCash's judgement learns from: games that it plays against itself, and least squares.

A round: play games with the weights so far, keep some of the positions, and change the weights so
that the money foretold there comes nearer to the money that everybody had in the end (Levenberg
and Marquardt's method of least squares; only leads count, so the mean of all seats is taken off).
Then the two weights that turn leads into shares of the win are chosen by the likelihood of the
winners.

The limits of bidders follow from what positions are worth, so they need no games of their own.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from souk.engine.kernel import targets
from souk.engine.playouts import cores
from souk.games.marracash.ai import heuristic
from souk.games.marracash.ai.self_play import LESSONS
from souk.games.marracash.game import MarraCash

Floats = NDArray[np.float64]
Weights = NDArray[np.float32]

BUNDLE = (
    "souk.games.marracash.ai.heuristic",
    "souk.games.marracash.ai.pruning",
    "souk.games.marracash.ai.self_play",
)
# Variants that are played, and how many parts of the games they get.
MIX: tuple[tuple[int, dict[str, Any]], ...] = (
    (3, {}),
    (1, {"souvenirs": True}),
    (1, {"commission": "per-group", "souvenirs": True, "pull_in": True}),
    (1, {"layout": "medina"}),
)
TRIES = 5  # random actions in a hundred
CHUNK = 50  # games that are played one after the other
NOT_FITTED = (
    heuristic.BY_STEPS,
    heuristic.CLOSE,
    heuristic.CLOSE_ROOT,
    heuristic.UNSURE,
)  # the first sets the scale
DRAWING = range(heuristic.EARNED)  # weights that cannot be negative
SLOW, FAST = 1.0, 5.0  # visitors that may come in during a turn
NOISE, NOISE_PER_TURN = 180.0, 300.0  # dirhams by which money misses what was foretold
CLOSE = (30, 60, 100, 150, 200, 300)
CLOSE_ROOT = (20, 40, 60, 80, 100, 130, 160, 200, 250, 300, 400)


# ---- games --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lesson:
    """Positions of games, and what came of them."""

    kernel: ModuleType
    rows: NDArray[np.int64]
    money: Floats  # at the end, over the mean of all seats
    wins: Floats

    def foretold(self, W: Weights) -> Floats:
        """The money that weights foretell, over the mean of all seats."""
        seats = self.money.shape[1]
        found = np.zeros((len(self.rows), seats), np.float32)
        parts = np.array_split(np.arange(len(self.rows)), 4 * cores())

        def one(part: NDArray[np.intp]) -> None:
            if len(part):
                here = slice(part[0], part[-1] + 1)
                flat = self.rows[here].reshape(-1), len(part), W, found[here].reshape(-1)
                self.kernel.foretell_all(*flat)

        with ThreadPoolExecutor(cores()) as pool:
            list(pool.map(one, parts))
        return _over_mean(found.astype(float))

    def turns_left(self, W: Weights) -> Floats:
        """How long the game still lasts in each position."""
        k = self.kernel
        seats = self.money.shape[1]
        last = self.rows[:, k.LAST_TURNS]
        queue = self.rows[:, k.TAIL] - self.rows[:, k.HEAD]
        return np.where(last != k.NEVER, last, seats + queue / W[heuristic.PER_TURN])


@dataclass(frozen=True)
class Games:
    """Games that were played: some positions of each, and how each ended."""

    kernel: ModuleType
    rows: NDArray[np.int64]
    money: Floats
    wins: Floats

    def lesson(self) -> Lesson:
        """Every position with what came of it."""
        is_kept = self.rows.any(axis=1)  # a short game leaves rows empty
        money, wins = (np.repeat(one, LESSONS, axis=0)[is_kept] for one in (self.money, self.wins))
        return Lesson(self.kernel, self.rows[is_kept], _over_mean(money), wins)


def play(game: MarraCash, table: Sequence[Weights], games: int, seed: int, tries: int) -> Games:
    """Games at a table where every player has weights of his own, on all cores."""
    kernel = targets.numba_kernel(game.kernel, game.constants(), BUNDLE)
    players = game.num_players()
    start = np.array(game.initial_buffer(), np.int64)
    joined = np.concatenate(table)
    rows = np.zeros((games * LESSONS, kernel.SIZE), np.int64)
    results = np.zeros((games, 2 * players), np.int64)

    def chunk(first: int) -> None:
        many = min(CHUNK, games - first)
        mine = rows[first * LESSONS : (first + many) * LESSONS], results[first : first + many]
        flat = [one.reshape(-1) for one in mine]
        kernel.practise(start, seed, first, many, joined, tries, *flat)

    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(chunk, range(0, games, CHUNK)))
    return Games(kernel, rows, results[:, :players].astype(float), results[:, players:] / 12)


def _over_mean(money: Floats) -> Floats:
    over: Floats = money - money.mean(axis=1, keepdims=True)
    return over


# ---- fitting ------------------------------------------------------------------------------------


def fit(lessons: Sequence[Lesson], W: Weights, steps: int = 6) -> tuple[Weights, float, float]:
    """Weights that foretell the lessons better; the part they foretell, the surprise left."""
    free = _free(lessons, W)
    surely = [_sureness(lesson, W) for lesson in lessons]

    def misses(W: Weights) -> Floats:
        pairs = zip(lessons, surely, strict=True)
        return np.concatenate(
            [((one.foretold(W) - one.money) * sure).ravel() for one, sure in pairs]
        )

    missed = misses(W)
    caution = 0.01
    for _ in range(steps):
        slopes = np.empty((missed.size, len(free)), np.float32)
        for column, place in enumerate(free):
            nearby = W.copy()
            nearby[place] += (step := max(0.03 * abs(W[place]), 0.001 if place in DRAWING else 0.5))
            slopes[:, column] = (misses(nearby) - missed) / step
        square = (slopes.T @ slopes).astype(float)
        downhill = -(slopes.T @ missed).astype(float)
        for _ in range(6):
            damped = square + caution * np.diag(np.diag(square) + 1e-9)
            better = _moved(W, free, np.linalg.solve(damped, downhill))
            if (now := misses(better)) @ now < missed @ missed:
                W, missed = better, now
                caution /= 4
                break
            caution *= 5
    W = _with_closeness(lessons, W)
    flat = sum(
        float(((one.money * sure) ** 2).sum()) for one, sure in zip(lessons, surely, strict=True)
    )
    surprise = _surprise(lessons, [lesson.foretold(W) for lesson in lessons], W)
    return W, 1 - float(missed @ missed) / flat, surprise


def _free(lessons: Sequence[Lesson], W: Weights) -> list[int]:
    """The weights that these lessons can teach."""
    seats = lessons[0].money.shape[1]
    fixed = {*NOT_FITTED, *range(heuristic.BY_WAIT + seats, heuristic.NO_TURN)}
    fixed |= set(
        range(heuristic.TEMPO + seats - 1, heuristic.PER_TURN)
    )  # the last one sets the zero
    if not any(lesson.rows[0, lesson.kernel.SOUVENIRS] for lesson in lessons):
        fixed.add(heuristic.CARDS)
    return [place for place in range(len(W)) if place not in fixed]


def _sureness(lesson: Lesson, W: Weights) -> Floats:
    """The farther the end, the less a miss means."""
    return 1 / np.sqrt(NOISE**2 + NOISE_PER_TURN**2 * lesson.turns_left(W))[:, None]


def _moved(W: Weights, free: Sequence[int], step: Floats) -> Weights:
    """Weights changed by a step, but by no more than is sensible."""
    moved = W.copy()
    moved[list(free)] += step
    for place in DRAWING:
        moved[place] = min(max(moved[place], 0.4 * W[place], 0.001), 2.5 * W[place] + 0.01)
    moved[heuristic.PER_TURN] = np.clip(moved[heuristic.PER_TURN], SLOW, FAST)
    return moved


def _with_closeness(lessons: Sequence[Lesson], W: Weights) -> Weights:
    """The weights of leads that make the winners least surprising."""
    leads = [lesson.foretold(W) for lesson in lessons]
    found: list[tuple[float, int, Weights]] = []
    for close in CLOSE:
        for root in CLOSE_ROOT:
            tried = W.copy()
            tried[heuristic.CLOSE], tried[heuristic.CLOSE_ROOT] = close, root
            found.append((_surprise(lessons, leads, tried), len(found), tried))
    return min(found)[2]


def _surprise(lessons: Sequence[Lesson], leads: Sequence[Floats], W: Weights) -> float:
    """The mean surprise (cross-entropy) at who won."""
    total = 0.0
    for lesson, lead in zip(lessons, leads, strict=True):
        close = W[heuristic.CLOSE] + W[heuristic.CLOSE_ROOT] * np.sqrt(lesson.turns_left(W))
        scaled = (lead - lead.max(axis=1, keepdims=True)) / close[:, None]
        shares = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        total -= float((lesson.wins * shares).sum())
    return total / sum(len(lesson.rows) for lesson in lessons)
