"""Fit the weights of the heuristic to the results of self-play by least squares.

A round plays games with the current weights, samples positions, and changes the weights so that
the money predicted there comes closer to the final money (Levenberg-Marquardt; only leads count,
so the mean of all seats is subtracted). Then the two weights of the softmax that turns leads into
shares of the win are chosen by the likelihood of the winners.

The limits of bidders follow from the values of positions, so they need no fitting of their own.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from souk.engine.game import Game
from souk.engine.kernel import targets
from souk.engine.playouts import cores
from souk.games.marracash.ai import heuristic
from souk.games.marracash.ai.self_play import SAMPLES
from souk.games.marracash.ai.weights import FAST, SLOW

Floats = NDArray[np.float64]
Weights = NDArray[np.float32]

BUNDLE = (
    "souk.games.marracash.ai.heuristic",
    "souk.games.marracash.ai.pruning",
    "souk.games.marracash.ai.self_play",
)
# The variants that are played, and how many parts of the games each gets.
MIX: tuple[tuple[int, dict[str, Any]], ...] = (
    (3, {}),
    (1, {"souvenirs": True}),
    (1, {"commission": "per-group", "souvenirs": True, "pull_in": True}),
    (1, {"commission": "once", "layout": "medina"}),
)
RANDOM_PERCENT = 5  # of the actions in self-play
CHUNK = 50  # games per task of the thread pool
NOT_FITTED = (
    heuristic.BY_STEPS,
    heuristic.CLOSE,
    heuristic.CLOSE_ROOT,
    heuristic.UNSURE,
)  # the first sets the scale
PULLS = range(heuristic.EARNED)  # weights that must not be negative
NOISE, NOISE_PER_TURN = 180.0, 300.0  # dirhams: expected error of predicted money
CLOSE = (30, 60, 100, 150, 200, 300)
CLOSE_ROOT = (20, 40, 60, 80, 100, 130, 160, 200, 250, 300, 400)


# ---- games --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Samples:
    """Positions of games with the results of these games."""

    kernel: ModuleType
    rows: NDArray[np.int64]
    money: Floats  # at the end, over the mean of all seats
    wins: Floats

    def predicted(self, W: Weights) -> Floats:
        """Return the money that weights predict, over the mean of all seats."""
        seats = self.money.shape[1]
        money = np.zeros((len(self.rows), seats), np.float32)
        parts = np.array_split(np.arange(len(self.rows)), 4 * cores())

        def one(part: NDArray[np.intp]) -> None:
            if len(part):
                here = slice(part[0], part[-1] + 1)
                flat = self.rows[here].reshape(-1), len(part), W, money[here].reshape(-1)
                self.kernel.predict_money_all(*flat)

        with ThreadPoolExecutor(cores()) as pool:
            list(pool.map(one, parts))
        return _over_mean(money.astype(float))

    def turns_left(self, W: Weights) -> Floats:
        """Return the expected number of turns left in each position."""
        k = self.kernel
        seats = self.money.shape[1]
        last = self.rows[:, k.LAST_TURNS]
        queue = self.rows[:, k.TAIL] - self.rows[:, k.HEAD]
        return np.where(last != k.NEVER, last, seats + queue / W[heuristic.PER_TURN])


@dataclass(frozen=True)
class Games:
    """Games that were played: sampled positions and results."""

    kernel: ModuleType
    rows: NDArray[np.int64]
    money: Floats
    wins: Floats

    def samples(self) -> Samples:
        """Return every position with the result of its game."""
        is_used = self.rows.any(axis=1)  # a short game leaves rows empty
        money, wins = (np.repeat(one, SAMPLES, axis=0)[is_used] for one in (self.money, self.wins))
        return Samples(self.kernel, self.rows[is_used], _over_mean(money), wins)


def play(game: Game, table: Sequence[Weights], games: int, seed: int, random_percent: int) -> Games:
    """Play games between players with weights of their own, on all cores."""
    kernel = targets.numba_kernel(game.kernel, game.constants(), BUNDLE)
    players = game.num_players()
    start = np.array(game.initial_buffer(), np.int64)
    joined = np.concatenate(table)
    rows = np.zeros((games * SAMPLES, kernel.SIZE), np.int64)
    results = np.zeros((games, 2 * players), np.int64)

    def chunk(first: int) -> None:
        many = min(CHUNK, games - first)
        mine = rows[first * SAMPLES : (first + many) * SAMPLES], results[first : first + many]
        flat = [one.reshape(-1) for one in mine]
        kernel.play_and_sample(start, seed, first, many, joined, random_percent, *flat)

    with ThreadPoolExecutor(cores()) as pool:
        list(pool.map(chunk, range(0, games, CHUNK)))
    return Games(kernel, rows, results[:, :players].astype(float), results[:, players:] / 60)


def _over_mean(money: Floats) -> Floats:
    over: Floats = money - money.mean(axis=1, keepdims=True)
    return over


# ---- fitting ------------------------------------------------------------------------------------


def fit(data: Sequence[Samples], W: Weights, steps: int = 6) -> tuple[Weights, float, float]:
    """Return better weights, the part of the variance that they explain, and their log loss."""
    free = _free_weights(data, W)
    precisions = [_precision(one, W) for one in data]

    def residuals(W: Weights) -> Floats:
        pairs = zip(data, precisions, strict=True)
        return np.concatenate(
            [((one.predicted(W) - one.money) * precision).ravel() for one, precision in pairs]
        )

    current = residuals(W)
    damping = 0.01
    for _ in range(steps):
        jacobian = np.empty((current.size, len(free)), np.float32)
        for column, place in enumerate(free):
            nearby = W.copy()
            nearby[place] += (step := max(0.03 * abs(W[place]), 0.001 if place in PULLS else 0.5))
            jacobian[:, column] = (residuals(nearby) - current) / step
        square = (jacobian.T @ jacobian).astype(float)
        downhill = -(jacobian.T @ current).astype(float)
        for _ in range(6):
            damped = square + damping * np.diag(np.diag(square) + 1e-9)
            better = _step(W, free, np.linalg.solve(damped, downhill))
            if (now := residuals(better)) @ now < current @ current:
                W, current = better, now
                damping /= 4
                break
            damping *= 5
    W = _with_scale(data, W)
    pairs = zip(data, precisions, strict=True)
    variance = sum(float(((one.money * precision) ** 2).sum()) for one, precision in pairs)
    log_loss = _log_loss(data, [one.predicted(W) for one in data], W)
    return W, 1 - float(current @ current) / variance, log_loss


def _free_weights(data: Sequence[Samples], W: Weights) -> list[int]:
    """Return the slots of the weights that these samples say something about."""
    seats = data[0].money.shape[1]
    fixed = {*NOT_FITTED, *range(heuristic.BY_WAIT + seats, heuristic.NO_TURN)}
    fixed |= {*range(heuristic.TEMPO + seats - 1, heuristic.PER_TURN)}  # the last sets the zero
    if not any(one.rows[0, one.kernel.SOUVENIRS] for one in data):
        fixed.add(heuristic.CARDS)
    return [place for place in range(len(W)) if place not in fixed]


def _precision(samples: Samples, W: Weights) -> Floats:
    """Return the weight of each residual: the further the end, the less an error means."""
    return 1 / np.sqrt(NOISE**2 + NOISE_PER_TURN**2 * samples.turns_left(W))[:, None]


def _step(W: Weights, free: Sequence[int], step: Floats) -> Weights:
    """Return weights changed by a step, within sensible limits."""
    moved = W.copy()
    moved[list(free)] += step
    for place in PULLS:
        moved[place] = min(max(moved[place], 0.4 * W[place], 0.001), 2.5 * W[place] + 0.01)
    moved[heuristic.PER_TURN] = np.clip(moved[heuristic.PER_TURN], SLOW, FAST)
    return moved


def _with_scale(data: Sequence[Samples], W: Weights) -> Weights:
    """Return weights whose softmax over leads has the least log loss."""
    leads = [one.predicted(W) for one in data]
    tried: list[tuple[float, int, Weights]] = []
    for close in CLOSE:
        for root in CLOSE_ROOT:
            weights = W.copy()
            weights[heuristic.CLOSE], weights[heuristic.CLOSE_ROOT] = close, root
            tried.append((_log_loss(data, leads, weights), len(tried), weights))
    return min(tried)[2]


def _log_loss(data: Sequence[Samples], leads: Sequence[Floats], W: Weights) -> float:
    """Return the mean cross-entropy of the predicted winners."""
    total = 0.0
    for one, lead in zip(data, leads, strict=True):
        close = W[heuristic.CLOSE] + W[heuristic.CLOSE_ROOT] * np.sqrt(one.turns_left(W))
        scaled = (lead - lead.max(axis=1, keepdims=True)) / close[:, None]
        shares = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        total -= float((one.wins * shares).sum())
    return total / sum(len(one.rows) for one in data)
