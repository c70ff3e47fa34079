"""The net that is trained: its arithmetic, how it learns, and how it is kept.

Two layers of hidden cells, and from the second the logarithms of the shares of the win and, as a
help in training only, the final scores. Written in NumPy's words, for processor and GPU alike.
"""

import itertools
import math
from typing import Any

DECAYS = (0.9, 0.999)  # of the means that Adam keeps
SCORE_WEIGHT = 0.1  # of the error in the final scores


class Net:
    """A net, the mean of its recent weights, and what Adam remembers."""

    def __init__(self, xp: Any, shape: tuple[int, int, int], seats: int, seed: int) -> None:
        import numpy as np

        self.xp = xp
        self.seats = seats
        draw = np.random.default_rng(seed)
        cells_of = (*shape, 2 * seats)
        sizes = itertools.pairwise(cells_of)
        self.weights: list[Any] = []
        for size, cells in sizes:
            # Of the inputs only a few are not 0 at a time.
            bound = math.sqrt(6 / min(size, 128))
            self.weights.append(xp.asarray(draw.uniform(-bound, bound, (size, cells)) / 2, "f4"))
            self.weights.append(xp.zeros(cells, "f4"))
        self.mean = [one.copy() for one in self.weights]
        self._slopes = [xp.zeros_like(one) for one in self.weights]
        self._squares = [xp.zeros_like(one) for one in self.weights]
        self.steps = 0

    def shares(self, inputs: Any, is_out: Any) -> Any:
        """The shares of the win, from the mean weights; those who are out have none."""
        xp, w = self.xp, self.mean
        cells = inputs
        for layer in (0, 2):
            cells = cells @ w[layer]
            cells += w[layer + 1]
            xp.maximum(cells, 0, out=cells)
        said = cells @ w[4][:, : self.seats] + w[5][: self.seats]
        return softmax(xp, xp.where(is_out, -1e9, said))

    def learn(self, inputs: Any, is_out: Any, shares: Any, scores: Any, rate: float) -> Any:
        """One step of Adam towards what became of some positions; the error before it."""
        xp, w, seats = self.xp, self.weights, self.seats
        rows = len(inputs)
        first = xp.maximum(inputs @ w[0] + w[1], 0)
        second = xp.maximum(first @ w[2] + w[3], 0)
        out = second @ w[4] + w[5]
        said = softmax(xp, xp.where(is_out, -1e9, out[:, :seats]))
        error = -(shares * xp.log(said + 1e-9)).sum() / rows
        slope_out = xp.concatenate(
            [said - shares, 2 * SCORE_WEIGHT / seats * (out[:, seats:] - scores)], axis=1
        ).astype("f4") / xp.float32(rows)
        slope_second = (slope_out @ w[4].T) * (second > 0)
        slope_first = (slope_second @ w[2].T) * (first > 0)
        slopes = [
            inputs.T @ slope_first,
            slope_first.sum(0),
            first.T @ slope_second,
            slope_second.sum(0),
            second.T @ slope_out,
            slope_out.sum(0),
        ]
        self._step(slopes, rate)
        return error

    def _step(self, slopes: list[Any], rate: float) -> None:
        xp = self.xp
        self.steps += 1
        rate *= math.sqrt(1 - DECAYS[1] ** self.steps) / (1 - DECAYS[0] ** self.steps)
        keep = min(0.999, 1 - 1 / (1 + 0.1 * self.steps))
        for number, slope in enumerate(slopes):
            mean, square = self._slopes[number], self._squares[number]
            mean += (1 - DECAYS[0]) * (slope - mean)
            square += (1 - DECAYS[1]) * (slope * slope - square)
            self.weights[number] -= xp.float32(rate) * mean / (xp.sqrt(square) + 1e-8)
            self.mean[number] += (1 - keep) * (self.weights[number] - self.mean[number])

    def begin_with(self, flat: Any) -> None:
        """Take over weights as `flat` gives them; scores, which were not kept, begin at 0."""
        xp, seats, at = self.xp, self.seats, 0
        for number, weights in enumerate(self.weights):
            taken = weights[..., :seats] if number >= 4 else weights
            weights.fill(0)
            taken[...] = xp.asarray(flat[at : at + taken.size], "f4").reshape(taken.shape)
            at += taken.size
        self.mean = [one.copy() for one in self.weights]

    def flat(self) -> Any:
        """The mean weights as a judgement reads them, without those for the scores."""
        last, bias = self.mean[4][:, : self.seats], self.mean[5][: self.seats]
        parts = [*self.mean[:4], last, bias]
        return self.xp.concatenate([self.xp.ascontiguousarray(one).reshape(-1) for one in parts])


def softmax(xp: Any, values: Any) -> Any:
    """Shares from their logarithms."""
    powers = xp.exp(values - values.max(axis=1, keepdims=True))
    return (powers / powers.sum(axis=1, keepdims=True)).astype("f4")
