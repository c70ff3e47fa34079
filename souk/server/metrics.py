"""What is counted, for Prometheus at /metrics.

What is counted at every move is plain numbers, for the one thread that plays: the library's own
counters take locks, and longer than the counting.
"""

from bisect import bisect_left
from collections import Counter as Counts
from collections.abc import Iterable

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

REFUSALS = Counter("souk_refusals", "Commands that were not carried out", ["code"])
SOCKETS = Gauge("souk_sockets", "Sockets that are open")
LIVE_TABLES = Gauge("souk_rooms", "Tables that are alive in this process")
CLOSED = Counter("souk_sockets_closed", "Sockets that the server closed", ["reason"])
_SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
THINKING = Histogram(
    "souk_thinking_seconds", "Computer players' moves, with waiting", buckets=_SHORT
)
LAG = Gauge("souk_loop_lag_seconds", "How late the event loop was at the last look")


class Moves:
    """What happens at every move."""

    def __init__(self) -> None:
        self.received = 0  # messages over sockets
        self.sent = 0
        self.entries: Counts[str] = Counts()  # kept, by whatever process
        self.waited = [0] * (len(_SHORT) + 1)  # entries that took so long to be kept
        self.seconds = 0.0

    def committed(self, seconds: float) -> None:
        """An entry of ours was kept after so long."""
        self.waited[bisect_left(_SHORT, seconds)] += 1
        self.seconds += seconds

    def collect(self) -> Iterable[Metric]:
        """What Prometheus asks for."""
        messages = CounterMetricFamily(
            "souk_messages", "Messages over sockets", labels=["direction"]
        )
        messages.add_metric(["in"], self.received)
        messages.add_metric(["out"], self.sent)
        yield messages
        entries = CounterMetricFamily("souk_entries", "Entries that were kept", labels=["kind"])
        for kind, count in self.entries.items():
            entries.add_metric([kind], count)
        yield entries
        took = "From asking for an entry until it is kept"
        buckets, below = [], 0
        for bound, count in zip((*map(str, _SHORT), "+Inf"), self.waited, strict=True):
            below += count
            buckets.append((bound, below))
        yield HistogramMetricFamily("souk_commit_seconds", took, buckets, self.seconds)


MOVES = Moves()
REGISTRY.register(MOVES)
