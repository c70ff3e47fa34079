"""`souk serve` with a stop-watch in it, to see where the CPU time of a move goes.

The functions that do the work of a move are wrapped with the CPU clock of their thread; what one
of them calls counts for the innermost. The thread that writes has a clock of its own. What is left
of the process's CPU time is transport: network, WebSocket frames and the event loop. The watch
itself costs a few microseconds a move, so these are shares, not speeds.

On SIGUSR1 it adds a line to the file named by BENCH_STOPWATCH: its totals so far, in seconds.
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

# What is timed, as (where it is looked up, its name), by the part of the work it belongs to.
PARTS: dict[str, list[tuple[Any, str]]] = {
    "rules": [(live_table, "decide"), (Table, "apply")],
    "events and positions": [
        (views, "event_view"),
        (views, "position_view"),
        (views, "table_view"),
    ],
    "JSON": [(commands, "decode"), (views, "encode"), (entries, "encode")],
    "storage": [(sqlite.SqliteStore, "append")],  # and the thread that writes
}

totals = dict.fromkeys(PARTS, 0.0)
inside: list[float] = []  # for each timed call under way, what timed calls in it have taken


def timed(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose time counts for a part, without that of timed functions it calls."""

    def call(*args: Any, **named: Any) -> Any:
        inside.append(0.0)
        began = time.thread_time()
        try:
            return function(*args, **named)
        finally:
            spent = time.thread_time() - began
            totals[part] += spent - inside.pop()
            if inside:
                inside[-1] += spent

    return call


def writing_seconds() -> float:
    """CPU seconds of the thread that writes to the database."""
    return sum(time.clock_gettime(clock) for clock in writing_clocks)


def write(self: sqlite.SqliteStore) -> None:
    """What the writing thread runs; its clock is noted first."""
    writing_clocks.append(time.pthread_getcpuclockid(threading.get_ident()))
    plain_write(self)


writing_clocks: list[int] = []
plain_write = sqlite.SqliteStore._write_loop


def note(*_: object) -> None:
    """Write down where the time went so far."""
    found = {**totals, "storage": totals["storage"] + writing_seconds()}
    found["transport and event loop"] = time.process_time() - sum(found.values())
    with Path(os.environ["BENCH_STOPWATCH"]).open("ab") as file:
        file.write(msgspec.json.encode(found) + b"\n")


if __name__ == "__main__":
    for part, functions in PARTS.items():
        for where, name in functions:
            setattr(where, name, timed(part, getattr(where, name)))
    sqlite.SqliteStore._write_loop = write
    signal.signal(signal.SIGUSR1, note)
    main()
