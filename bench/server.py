"""Measure the server under load, and boardgame.io's server for comparison.

Each server runs in a process of its own, and `bench.load` drives it from another, with three
sockets per table. Ours plays 3-player Marrakech by the full rules, with identities, and persists
every move before it broadcasts it. boardgame.io 0.50 hosts a game of the same size
(boardgame_io/server.mjs) in memory, without identities, with NODE_ENV=production; the load sends
its `update` actions over socket.io and runs no client reducer. Both are measured over the same
part of their games, game after game until enough time is measured: positions become longer as
boards fill up, so a fixed time would give the faster server the longer positions. (With a pace
both are always at the same move, and a fixed time is used.) The two take turns, several times,
and the best run of each counts: other work of the machine can only slow a run down.

CPU time is that of the server's process from /proc, all threads, without the workers of computer
players. `python -m bench server` runs this part alone.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bench import hostile
from bench.load import Plan, Result
from tools import node

SECONDS = 5.0
RUNS = 3
PACE = 1000.0
SOCKETS = 16_384  # open files that a server with thousands of sockets needs
ATTACK_SECONDS = 20.0
THINKING = 10  # tables at which only computer players play
FOLDER = Path(__file__).with_name("boardgame_io")


@dataclass(frozen=True)
class Server:
    """A running server."""

    protocol: str
    url: str
    pid: int

    def load(self, tables: int, seconds: float = SECONDS, **more: float | None) -> Result:
        """Run a load test in another process and return its measurements."""
        fields = {"protocol": self.protocol, "url": self.url, "pid": self.pid, "tables": tables}
        plan = msgspec.convert({**fields, "seconds": seconds, **more}, Plan)
        command = [sys.executable, "-m", "bench.load", msgspec.json.encode(plan).decode()]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        return msgspec.json.decode(done.stdout, type=Result)


@dataclass(frozen=True)
class Row:
    """One line of the report: our figure, theirs, and perhaps the ratio."""

    what: str
    cells: Sequence[str] = ()  # ours, and theirs if there is one
    ratio: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    promise: str = ""  # in words, for a promise on our own figure
    is_met: bool = True

    @property
    def passes(self) -> bool:
        """Return whether the promise is met."""
        ratio = self.ratio or 0.0
        is_enough = self.at_least is None or ratio >= self.at_least
        return self.is_met and is_enough and (self.at_most is None or ratio <= self.at_most)

    def line(self) -> str:
        text = f"{self.what:<44}" + "".join(f"{cell:>16}" for cell in self.cells)
        if self.ratio is not None:
            text += f"{self.ratio:>8.2f} ×"
        promise = self.promise
        if self.at_least is not None:
            promise = f"at least {self.at_least:g}"
        if self.at_most is not None:
            promise = f"at most {self.at_most:.2f}"
        if promise:
            text += f"  ({promise}{'' if self.passes else ': MISSED'})"
        return text.rstrip()


def figures() -> Iterator[Row]:
    """Yield the figures as they are measured."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(SOCKETS, hard)), hard))
    yield Row("", ["souk", "boardgame.io"])
    with souk() as ours, boardgame_io() as theirs:
        for tables, pace in ((200, None), (1000, None), (1000, PACE)):
            runs = [[s.load(tables, pace=pace) for s in (ours, theirs)] for _ in range(RUNS)]
            one, other = (
                min(some, key=lambda run: run.cpu / run.moves) for some in zip(*runs, strict=True)
            )
            how = "closed loop" if pace is None else f"{pace:.0f} moves/s"
            yield Row(f"{tables} tables, {how}")
            yield from comparison(one, other, is_paced=pace is not None)
    yield Row(f"While {THINKING} computer players think")
    yield from latency_beside_computers()
    yield Row("While one address attacks, with any number of identities and default limits")
    yield from waits_under_attack()
    yield Row("Where our server's CPU time goes (200 tables, by a profiler inside it)")
    yield from cpu_shares()


def comparison(ours: Result, theirs: Result, *, is_paced: bool) -> Iterator[Row]:
    """Yield the figures of one load on both servers."""
    both = (ours, theirs)
    rates = [one.moves / one.seconds for one in both]
    costs = [1e6 * one.cpu / one.moves for one in both]
    yield Row(
        "  moves/s",
        [f"{rate:.0f}" for rate in rates],
        ratio=rates[0] / rates[1],
        at_least=None if is_paced else 3.0,
    )
    quick = ours.answered[1] < 25
    yield Row(
        "  ms to the answer, p50 and p99",
        [times(one.answered) for one in both],
        promise="p99 under 25" if is_paced else "",
        is_met=quick or not is_paced,
    )
    yield Row(
        "  ms until all three players know, p50 and p99", [times(one.broadcast) for one in both]
    )
    yield Row(
        "  µs of server CPU a move",
        [f"{cost:.0f}" for cost in costs],
        ratio=costs[0] / costs[1],
        at_most=None if is_paced else 1 / 3,
    )
    yield Row("  bytes a move, both ways", [f"{one.bytes / one.moves:.0f}" for one in both])
    own = [f"{one.own_cpu / one.seconds:.0%} of a core" for one in both]
    yield Row("  CPU of the load generator", own)


def times(pair: Sequence[float]) -> str:
    return f"{pair[0]:.1f}  {pair[1]:.1f}"


def latency_beside_computers() -> Iterator[Row]:
    """Measure how long a person waits while computers play at other tables."""
    with souk() as server:
        quiet = server.load(20, seconds=4, pace=100)
        busy = server.load(20, seconds=8, pace=100, thinking=THINKING)
    yield Row("  ms to the answer without them, p50 and p99", [times(quiet.answered)])
    yield Row(
        "  ms to the answer, p50 and p99",
        [times(busy.answered)],
        promise="p99 under 50",
        is_met=busy.answered[1] < 50,
    )


def waits_under_attack() -> Iterator[Row]:
    """Measure how long people wait while one address attacks."""
    with souk(limits=True) as server:
        hostile.run_people(server.url, 3, attack=False)  # until the workers have started
        quiet = hostile.run_people(server.url, 8, attack=False)
        runs = [hostile.run_people(server.url, ATTACK_SECONDS, attack=True) for _ in range(RUNS)]
        attacked = min(runs, key=lambda waits: hostile.percentile(waits.moves, 0.99))
    for name, waits in (("before it", quiet), ("during it", attacked)):
        moves = [hostile.percentile(waits.moves, share) for share in (0.5, 0.99)]
        is_attacked = waits is attacked
        yield Row(
            f"  ms to the answer {name}, p50 and p99",
            [times(moves)],
            promise="p99 under 100" if is_attacked else "",
            is_met=moves[1] < 100 or not is_attacked,
        )
        turns = [hostile.percentile(waits.greedy, 0.5), max(waits.greedy)]
        yield Row(
            f"  ms until greedy has moved {name}, p50 and most",
            [times(turns)],
            promise="under 1000" if is_attacked else "",
            is_met=turns[1] < 1000 or not is_attacked,
        )


def cpu_shares() -> Iterator[Row]:
    """Measure how the server's CPU time is divided, in a separate run with a profiler."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        profile = Path(folder) / "profile"
        environment = {"BENCH_PROFILE": str(profile.absolute())}
        with souk("bench.server_profile", environment) as server:
            result = server.load(200, seconds=3, signal=signal.SIGUSR1)
        totals = [msgspec.json.decode(line) for line in profile.read_bytes().splitlines()]
    begun, ended = totals[0::2], totals[1::2]  # a line at the beginning and the end of every game
    spent = {part: sum(n[part] for n in ended) - sum(n[part] for n in begun) for part in begun[0]}
    for part, seconds in spent.items():
        share = f"{seconds / sum(spent.values()):.0%}"
        yield Row(f"  {part}", [share, f"{1e6 * seconds / result.moves:.0f} µs a move"])


# ---- starting servers ---------------------------------------------------------------------------


@contextmanager
def souk(
    module: str = "souk", environment: dict[str, str] | None = None, *, limits: bool = False
) -> Iterator[Server]:
    """Start our own server with a new database, on the disk of the current folder."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        database = str(Path(folder) / "souk.db")
        command = [sys.executable, "-m", module, "serve", "--port", "0", "--database", database]
        command += ["--limits" if limits else "--no-limits", "--log-level", "error"]
        with running("souk", command, {**os.environ, **(environment or {})}) as server:
            yield server


@contextmanager
def boardgame_io() -> Iterator[Server]:
    """Start boardgame.io's server, installed if need be."""
    npm = node.find()
    if not (FOLDER / "node_modules" / ".package-lock.json").exists():
        npm.run(["ci", "--no-audit", "--no-fund", "--silent"], FOLDER)
    environment = {**os.environ, "NODE_ENV": "production"}
    with running("boardgame.io", [npm.node, str(FOLDER / "server.mjs")], environment) as server:
        yield server


@contextmanager
def running(protocol: str, command: Sequence[str], environment: dict[str, str]) -> Iterator[Server]:
    """Start a server that prints its address on its first line."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if "http://" not in line:
                raise RuntimeError(f"{protocol} did not start: {line}")
            yield Server(protocol, "http://" + line.split("http://")[1].strip(), process.pid)
        finally:
            process.terminate()
