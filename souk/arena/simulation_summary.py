"""Sum up many games: wins and scores per seat with their confidence intervals."""

import math
from dataclasses import dataclass
from typing import Any

from souk.engine.intervals import Z, wilson_interval
from souk.engine.playouts import Playouts


@dataclass(frozen=True)
class SeatSummary:
    """The results of one seat."""

    wins: float  # share of the win
    wins_low: float
    wins_high: float
    score: float  # mean
    score_error: float  # half the width of the 95% interval of the mean
    score_min: int
    score_max: int


class SimulationSummary:
    """Sums over games, updated batch by batch, so that any number of games fits in memory."""

    def __init__(self, seats: int) -> None:
        self.games = 0
        self.turns = 0
        self.min_turns = 0
        self.max_turns = 0
        self._wins = [0.0] * seats
        self._scores = [0] * seats
        self._squares = [0.0] * seats
        self._min_scores = [0] * seats
        self._max_scores = [0] * seats

    def add(self, batch: Playouts) -> None:
        """Count a batch of games."""
        count = len(batch.turns)
        if not count:
            return
        is_first = self.games == 0
        low, high = int(batch.turns.min()), int(batch.turns.max())
        self.min_turns = low if is_first else min(self.min_turns, low)
        self.max_turns = high if is_first else max(self.max_turns, high)
        self.turns += int(batch.turns.sum())
        for seat in range(len(self._wins)):
            scores = batch.scores[:, seat]
            low, high = int(scores.min()), int(scores.max())
            self._min_scores[seat] = low if is_first else min(self._min_scores[seat], low)
            self._max_scores[seat] = high if is_first else max(self._max_scores[seat], high)
            self._wins[seat] += float(batch.returns[:, seat].sum())
            self._scores[seat] += int(scores.sum())
            self._squares[seat] += float((scores.astype(float) ** 2).sum())
        self.games += count

    def seat(self, seat: int) -> SeatSummary:
        """Return the summary of a seat; there must be at least one game."""
        n = self.games
        wins, mean = self._wins[seat] / n, self._scores[seat] / n
        variance = max(0.0, self._squares[seat] / n - mean * mean)
        error = Z * math.sqrt(variance / (n - 1)) if n > 1 else math.inf
        ends = wilson_interval(wins, n)
        return SeatSummary(wins, *ends, mean, error, self._min_scores[seat], self._max_scores[seat])

    def seats(self) -> list[SeatSummary]:
        """Return the summaries of all seats; none without games."""
        return [self.seat(seat) for seat in range(len(self._wins))] if self.games else []

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON."""
        seats = [
            {
                "wins": seat.wins,
                "wins_interval": [seat.wins_low, seat.wins_high],
                "score": seat.score,
                "score_error": seat.score_error if math.isfinite(seat.score_error) else None,
                "score_min": seat.score_min,
                "score_max": seat.score_max,
            }
            for seat in self.seats()
        ]
        turns = {
            "mean": self.turns / self.games if self.games else None,
            "min": self.min_turns,
            "max": self.max_turns,
        }
        return {"games": self.games, "seats": seats, "turns": turns}
