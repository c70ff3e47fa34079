"""What is counted, for Prometheus at /metrics."""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

ENTRIES = Counter("souk_entries", "Entries that were kept", ["kind"])
REFUSALS = Counter("souk_refusals", "Commands that were not carried out", ["code"])
MESSAGES = Counter("souk_messages", "Messages over sockets", ["direction"])
# Looking a label up takes longer than counting, so what is counted at every move is kept at hand.
RECEIVED, SENT = MESSAGES.labels("in"), MESSAGES.labels("out")
entries_of = cache(ENTRIES.labels)
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
