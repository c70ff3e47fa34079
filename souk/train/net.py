"""A small neural network with its own arithmetic and optimiser, for NumPy and CuPy alike.

Two hidden layers with rectifiers; the outputs are the logits of the shares of the win and, only as
an auxiliary target in training, the final scores. To the logits some are added that come from
elsewhere: -1e9 for players who are out, or those of a heuristic that the net corrects.
"""

import itertools
import math
from collections.abc import Mapping
from typing import Any

DECAYS = (0.9, 0.999)  # of the two moving averages of Adam
SCORE_WEIGHT = 0.1  # of the error in the final scores
_LISTS = ("weights", "mean", "adam_mean", "adam_square")  # in a checkpoint


class Net:
    """A network, the moving average of its weights, and the state of Adam."""

    def __init__(self, xp: Any, shape: tuple[int, int, int], seats: int, seed: int) -> None:
        import numpy as np

        self.xp = xp
        self.seats = seats
        rng = np.random.default_rng(seed)
        cells_of = (*shape, 2 * seats)
        sizes = itertools.pairwise(cells_of)
        self.weights: list[Any] = []
        for size, cells in sizes:
            # Only a few inputs are not 0 at a time.
            bound = math.sqrt(6 / min(size, 128))
            self.weights.append(xp.asarray(rng.uniform(-bound, bound, (size, cells)) / 2, "f4"))
            self.weights.append(xp.zeros(cells, "f4"))
        self.mean = [one.copy() for one in self.weights]
        self._means = [xp.zeros_like(one) for one in self.weights]
        self._squares = [xp.zeros_like(one) for one in self.weights]
        self.steps = 0

    def shares(self, inputs: Any, logits: Any) -> Any:
        """Return the shares of the win by the mean weights."""
        xp, w = self.xp, self.mean
        cells = inputs
        for layer in (0, 2):
            cells = cells @ w[layer]
            cells += w[layer + 1]
            xp.maximum(cells, 0, out=cells)
        predicted = cells @ w[4][:, : self.seats] + w[5][: self.seats]
        return softmax(xp, predicted + logits)

    def learn(self, inputs: Any, logits: Any, shares: Any, scores: Any, rate: float) -> Any:
        """Take one step of Adam towards the targets of a batch; return the error before it."""
        xp, w, seats = self.xp, self.weights, self.seats
        rows = len(inputs)
        first = xp.maximum(inputs @ w[0] + w[1], 0)
        second = xp.maximum(first @ w[2] + w[3], 0)
        out = second @ w[4] + w[5]
        predicted = softmax(xp, out[:, :seats] + logits)
        error = -(shares * xp.log(predicted + 1e-9)).sum() / rows
        gradient_out = xp.concatenate(
            [predicted - shares, 2 * SCORE_WEIGHT / seats * (out[:, seats:] - scores)], axis=1
        ).astype("f4") / xp.float32(rows)
        gradient_second = (gradient_out @ w[4].T) * (second > 0)
        gradient_first = (gradient_second @ w[2].T) * (first > 0)
        gradients = [
            inputs.T @ gradient_first,
            gradient_first.sum(0),
            first.T @ gradient_second,
            gradient_second.sum(0),
            second.T @ gradient_out,
            gradient_out.sum(0),
        ]
        self._step(gradients, rate)
        return error

    def _step(self, gradients: list[Any], rate: float) -> None:
        xp = self.xp
        self.steps += 1
        rate *= math.sqrt(1 - DECAYS[1] ** self.steps) / (1 - DECAYS[0] ** self.steps)
        keep = min(0.999, 1 - 1 / (1 + 0.1 * self.steps))
        for number, gradient in enumerate(gradients):
            mean, square = self._means[number], self._squares[number]
            mean += (1 - DECAYS[0]) * (gradient - mean)
            square += (1 - DECAYS[1]) * (gradient * gradient - square)
            self.weights[number] -= xp.float32(rate) * mean / (xp.sqrt(square) + 1e-8)
            self.mean[number] += (1 - keep) * (self.weights[number] - self.mean[number])

    def arrays(self) -> dict[str, Any]:
        """Return the weights, their mean and the state of Adam as arrays of NumPy."""
        import numpy as np

        lists = dict(zip(_LISTS, self._lists(), strict=True))
        arrays = {
            f"{name}_{number}": one.get() if hasattr(one, "get") else one
            for name, many in lists.items()
            for number, one in enumerate(many)
        }
        return {**arrays, "steps": np.array(self.steps)}

    def set_arrays(self, arrays: Mapping[str, Any]) -> None:
        """Continue with arrays that `arrays` returned."""
        for name, many in zip(_LISTS, self._lists(), strict=True):
            for number, one in enumerate(many):
                one[...] = self.xp.asarray(arrays[f"{name}_{number}"])
        self.steps = int(arrays["steps"])

    def _lists(self) -> tuple[list[Any], ...]:
        return self.weights, self.mean, self._means, self._squares

    def begin_with(self, flat: Any) -> None:
        """Begin with weights as `flat` returns them; those of the scores begin at 0."""
        xp, seats, at = self.xp, self.seats, 0
        for number, weights in enumerate(self.weights):
            taken = weights[..., :seats] if number >= 4 else weights
            weights.fill(0)
            taken[...] = xp.asarray(flat[at : at + taken.size], "f4").reshape(taken.shape)
            at += taken.size
        self.mean = [one.copy() for one in self.weights]

    def flat(self) -> Any:
        """Return the mean weights as an evaluation reads them, without those of the scores."""
        last, bias = self.mean[4][:, : self.seats], self.mean[5][: self.seats]
        parts = [*self.mean[:4], last, bias]
        return self.xp.concatenate([self.xp.ascontiguousarray(one).reshape(-1) for one in parts])


def softmax(xp: Any, values: Any) -> Any:
    """Return the softmax of each row."""
    powers = xp.exp(values - values.max(axis=1, keepdims=True))
    return (powers / powers.sum(axis=1, keepdims=True)).astype("f4")
