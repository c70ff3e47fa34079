"""Run `souk serve` with a profiler that shows where the CPU time of a move goes.

The functions that process a move are timed by the CPU clock of their thread; the time of a nested
call counts for the inner function. The writer thread has a clock of its own. The rest of the
process's CPU time is transport: network, WebSocket frames and the event loop. The profiler itself
costs a few microseconds a move, so read the figures as shares, not as speeds.

On SIGUSR1 it appends its totals so far, in seconds, to the file that BENCH_PROFILE names.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from souk.cli import main
from souk.server.live import live_table
from souk.server.store import sqlite
from souk.server.tables import commands, entries, views
from souk.server.tables.table import Table

# The functions to time, by the part of the work: (where it is looked up, its name).
PARTS: dict[str, list[tuple[Any, str]]] = {
    "rules": [(live_table, "decide"), (Table, "apply")],
    "events and positions": [
        (views, "event_view"),
        (views, "position_view"),
        (views, "table_view"),
    ],
    "JSON": [(commands, "decode"), (views, "encode"), (entries, "encode")],
    "storage": [(sqlite.SqliteStore, "append")],  # and the writer thread
}

totals = dict.fromkeys(PARTS, 0.0)
nested: list[float] = []  # for each timed call in progress, the time of timed calls in it


def time_function(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose time counts for a part, without the timed functions it calls."""

    def call(*args: Any, **named: Any) -> Any:
        nested.append(0.0)
        began = time.thread_time()
        try:
            return function(*args, **named)
        finally:
            spent = time.thread_time() - began
            totals[part] += spent - nested.pop()
            if nested:
                nested[-1] += spent

    return call


def writer_seconds() -> float:
    """Return the CPU seconds of the thread that writes to the database."""
    return sum(time.clock_gettime(clock) for clock in writer_clocks)


def write_loop(self: sqlite.SqliteStore) -> None:
    """Register the clock of the writer thread, then run its loop."""
    writer_clocks.append(time.pthread_getcpuclockid(threading.get_ident()))
    original_write_loop(self)


writer_clocks: list[int] = []
original_write_loop = sqlite.SqliteStore._write_loop


def append_totals(*_: object) -> None:
    """Append the totals so far to the file."""
    result = {**totals, "storage": totals["storage"] + writer_seconds()}
    result["transport and event loop"] = time.process_time() - sum(result.values())
    with Path(os.environ["BENCH_PROFILE"]).open("ab") as file:
        file.write(msgspec.json.encode(result) + b"\n")


if __name__ == "__main__":
    for part, functions in PARTS.items():
        for where, name in functions:
            setattr(where, name, time_function(part, getattr(where, name)))
    sqlite.SqliteStore._write_loop = write_loop
    signal.signal(signal.SIGUSR1, append_totals)
    main()
