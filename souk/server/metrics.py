"""What is counted, for Prometheus at /metrics."""

from collections.abc import Iterable
from functools import cache

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily

ENTRIES = Counter("souk_entries", "Entries that were kept", ["kind"])
REFUSALS = Counter("souk_refusals", "Commands that were not carried out", ["code"])
entries_of = cache(ENTRIES.labels)  # looking a label up takes longer than counting
SOCKETS = Gauge("souk_sockets", "Sockets that are open")
ROOMS = Gauge("souk_rooms", "Tables that are alive in this process")
CLOSED = Counter("souk_sockets_closed", "Sockets that the server closed", ["reason"])
_SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
COMMIT = Histogram(
    "souk_commit_seconds", "From asking for an entry until it is kept", buckets=_SHORT
)
THINKING = Histogram(
    "souk_thinking_seconds", "Computer players' moves, with waiting", buckets=_SHORT
)
LAG = Gauge("souk_loop_lag_seconds", "How late the event loop was at the last look")


class Messages:
    """Messages over sockets: counted so often that they are plain numbers, for one thread."""

    def __init__(self) -> None:
        self.received = 0
        self.sent = 0

    def collect(self) -> Iterable[CounterMetricFamily]:
        """What Prometheus asks for."""
        family = CounterMetricFamily("souk_messages", "Messages over sockets", labels=["direction"])
        family.add_metric(["in"], self.received)
        family.add_metric(["out"], self.sent)
        yield family


MESSAGES = Messages()
REGISTRY.register(MESSAGES)
