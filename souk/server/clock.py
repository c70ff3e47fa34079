"""The time of day, as it is stored and sent."""

import time

DAY_MS = 24 * 3600 * 1000


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
