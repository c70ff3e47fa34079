"""Metrics for Prometheus, served at /metrics.

What is counted at every move are plain numbers of one thread: the library's counters take locks,
which cost more than counting.
"""

from bisect import bisect_left
from collections import Counter as Counts
from collections.abc import Iterable
from typing import Any

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

REFUSALS = Counter("souk_refusals", "Refused commands", ["code"])
SOCKETS = Gauge("souk_sockets", "Open sockets")
LIVE_TABLES = Gauge("souk_live_tables", "Live tables of this process")
CONNECTIONS = Gauge("souk_connections", "Open connections, sockets included")
CUT = Counter("souk_connections_cut", "Connections ended by the server", ["reason"])
CLOSED = Counter("souk_sockets_closed", "Sockets closed by the server", ["reason"])
_SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
THINKING = Histogram(
    "souk_thinking_seconds", "Time of computer players' moves, waiting included", buckets=_SHORT
)
LAG = Gauge("souk_loop_lag_seconds", "How late the event loop was at the last sweep")


class Moves:
    """The counters of moves."""

    def __init__(self) -> None:
        self.received = 0  # messages over sockets
        self.sent = 0
        self.entries: Counts[type[Any]] = Counts()  # broadcast, by class
        self.waited = [0] * (len(_SHORT) + 1)  # entries by time to be durable
        self.seconds = 0.0

    def committed(self, seconds: float) -> None:
        """Count an entry that was durable after a time."""
        self.waited[bisect_left(_SHORT, seconds)] += 1
        self.seconds += seconds

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics."""
        messages = CounterMetricFamily(
            "souk_messages", "Messages over sockets", labels=["direction"]
        )
        messages.add_metric(["in"], self.received)
        messages.add_metric(["out"], self.sent)
        yield messages
        entries = CounterMetricFamily("souk_entries", "Entries of tables", labels=["kind"])
        for kind, count in self.entries.items():
            entries.add_metric([kind.kind()], count)
        yield entries
        about = "Time until an entry is durable"
        buckets, below = [], 0
        for bound, count in zip((*map(str, _SHORT), "+Inf"), self.waited, strict=True):
            below += count
            buckets.append((bound, below))
        yield HistogramMetricFamily("souk_commit_seconds", about, buckets, self.seconds)


MOVES = Moves()
REGISTRY.register(MOVES)
