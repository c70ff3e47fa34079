"""The load: clients of a game server, in a process of their own, and what they measure.

One generator speaks to both servers, so clocks, pacing and counting are the same for both. It has
one socket for every player. Of everything that arrives it reads only what it needs to play on, and
the three messages of a move but once, so that the server is what is measured.

Started by bench.server with a Plan as JSON; prints a Result as JSON.
"""

from msgspec import Struct


class Plan(Struct):
    """What to do."""

    dialect: str  # souk or boardgame.io
    url: str
    pid: int  # of the server
    tables: int
    seconds: float  # to measure, or a little more: without a pace, whole spans of games
    pace: float | None = None  # moves a second over all tables; without it, as fast as they go
    thinking: int = 0  # tables at which computer players play among themselves meanwhile
    signal: int = 0  # to send to the server when measuring begins and when it ends


class Result(Struct):
    """What was measured. Times are in milliseconds, but for seconds and cpu."""

    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0  # seconds of the server's process, all its threads
    own_cpu: float = 0.0  # seconds of the generator
    bytes: int = 0
    answered: tuple[float, float] = (0.0, 0.0)  # p50 and p99, from sending a move to its answer
    told: tuple[float, float] = (0.0, 0.0)  # till all three sockets have the event
