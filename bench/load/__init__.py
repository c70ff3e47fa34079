"""Generate load on a game server from a process of its own, and measure it.

The same generator drives both servers, so clocks, pacing and counting are the same. It has one
socket per player. It decodes only what it needs to continue playing, and only the first of the
three messages of a move, so that it measures the server and not itself.

`bench.server` starts it with a Plan as JSON; it prints a Result as JSON.
"""

from msgspec import Struct


class Plan(Struct):
    """The options of a load test."""

    protocol: str  # souk or boardgame.io
    url: str
    pid: int  # of the server
    tables: int
    seconds: float  # to measure; without a pace a little more, since whole spans of games count
    pace: float | None = None  # moves a second over all tables; without it, as many as possible
    thinking: int = 0  # further tables at which only computer players play
    signal: int = 0  # to send to the server when measuring begins and when it ends


class Result(Struct):
    """The measurements. Times are in milliseconds, except `seconds` and the CPU times."""

    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0  # CPU seconds of the server's process, all threads
    own_cpu: float = 0.0  # CPU seconds of the generator
    bytes: int = 0
    answered: tuple[float, float] = (0.0, 0.0)  # p50 and p99, from sending a move to its answer
    broadcast: tuple[float, float] = (
        0.0,
        0.0,
    )  # p50 and p99, until all three sockets have the event
