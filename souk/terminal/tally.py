"""What many games add up to: wins and scores per seat with their intervals."""

import math
from dataclasses import dataclass
from typing import Any

from souk.engine.playouts import Playouts

Z = 1.959964  # 95 %


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins, after Wilson.

    >>> low, high = wilson(0.5, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    if games == 0:
        return 0.0, 1.0
    centre = share + Z * Z / (2 * games)
    spread = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    scale = 1 + Z * Z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


@dataclass(frozen=True)
class SeatSummary:
    """How one seat did."""

    wins: float  # share of the win, a shared win counted by its part
    wins_low: float
    wins_high: float
    score: float  # mean
    score_error: float  # half of the 95 % interval of the mean
    lowest: int
    highest: int


class Tally:
    """Sums over games, batch by batch, so that the number of games has no limit."""

    def __init__(self, seats: int) -> None:
        self.games = 0
        self.turns = 0
        self.fewest_turns = 0
        self.most_turns = 0
        self._wins = [0.0] * seats
        self._scores = [0] * seats
        self._squares = [0.0] * seats
        self._lowest = [0] * seats
        self._highest = [0] * seats

    def add(self, batch: Playouts) -> None:
        """Count a batch of games."""
        count = len(batch.turns)
        if not count:
            return
        is_first = self.games == 0
        fewest, most = int(batch.turns.min()), int(batch.turns.max())
        self.fewest_turns = fewest if is_first else min(self.fewest_turns, fewest)
        self.most_turns = most if is_first else max(self.most_turns, most)
        self.turns += int(batch.turns.sum())
        for seat in range(len(self._wins)):
            scores = batch.scores[:, seat]
            low, high = int(scores.min()), int(scores.max())
            self._lowest[seat] = low if is_first else min(self._lowest[seat], low)
            self._highest[seat] = high if is_first else max(self._highest[seat], high)
            self._wins[seat] += float(batch.returns[:, seat].sum())
            self._scores[seat] += int(scores.sum())
            self._squares[seat] += float((scores.astype(float) ** 2).sum())
        self.games += count

    def seat(self, seat: int) -> SeatSummary:
        """How a seat did; at least one game must have been counted."""
        n = self.games
        wins, mean = self._wins[seat] / n, self._scores[seat] / n
        variance = max(0.0, self._squares[seat] / n - mean * mean)
        error = Z * math.sqrt(variance / (n - 1)) if n > 1 else math.inf
        low, high = wilson(wins, n)
        return SeatSummary(wins, low, high, mean, error, self._lowest[seat], self._highest[seat])

    def seats(self) -> list[SeatSummary]:
        """How all seats did."""
        return [self.seat(seat) for seat in range(len(self._wins))] if self.games else []

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        seats = [
            {
                "wins": seat.wins,
                "wins_interval": [seat.wins_low, seat.wins_high],
                "score": seat.score,
                "score_error": seat.score_error if math.isfinite(seat.score_error) else None,
                "score_min": seat.lowest,
                "score_max": seat.highest,
            }
            for seat in self.seats()
        ]
        turns = {
            "mean": self.turns / self.games if self.games else None,
            "min": self.fewest_turns,
            "max": self.most_turns,
        }
        return {"games": self.games, "seats": seats, "turns": turns}
