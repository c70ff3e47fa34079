"""Processes that play the games of a tournament, on the cores of this machine.

Each game is played in a process that a player may crash or hang without harm to others: then it
is ended, another takes its place, and the game is tried once more, since it may have been killed
from outside. If that fails too, the player that was asked last is named.
"""

import contextlib
import json
import mmap
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Protocol

from souk.arena.game_runner import Job, Played, PlayerFailed
from souk.arena.worker import WATCH
from souk.engine.errors import SoukError
from souk.engine.processes import shield_sigint

PATIENCE = 120.0  # seconds for one move, beyond a player's own time; also for a first compilation
TRIES = 2  # of a game whose process ends or hangs
LOOK_SECONDS = 1.0  # how often to look for players that hang


@dataclass(frozen=True)
class Outcome:
    """What came of a job."""

    job: Job
    played: Played | None
    failure: PlayerFailed | None = None


class Crew(Protocol):
    """Whoever plays games: processes here, or a cluster."""

    def room(self) -> int:
        """How many more jobs it takes now."""

    def submit(self, job: Job) -> None:
        """Take a job."""

    def wait(self) -> list[Outcome]:
        """What has come of jobs since; waits a moment if nothing has."""

    def close(self) -> None:
        """End it; jobs under way are dropped."""


@dataclass
class _Task:
    job: Job
    tries: int = 0


@dataclass
class _Worker:
    """A process and what it is doing."""

    process: "subprocess.Popen[bytes]"
    watch: mmap.mmap
    complaints: IO[bytes]  # what it writes to its error channel
    task: _Task | None = None
    read: bytearray = field(default_factory=bytearray)

    @property
    def out(self) -> IO[bytes]:
        """Where its answers come from."""
        assert self.process.stdout is not None
        return self.process.stdout

    @classmethod
    def start(cls) -> "_Worker":
        complaints = tempfile.TemporaryFile()  # noqa: SIM115  # `end` closes it
        with tempfile.TemporaryFile() as shared:
            shared.truncate(WATCH.size)
            watch = mmap.mmap(shared.fileno(), WATCH.size)
            with shield_sigint():
                process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "souk.arena.worker", str(shared.fileno())],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=complaints,
                    pass_fds=[shared.fileno()],
                    env=_environment(),
                )
        return cls(process, watch, complaints)

    def give(self, task: _Task) -> None:
        task.tries += 1
        self.task = task
        WATCH.pack_into(self.watch, 0, -1, time.monotonic())
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asdict(task.job)).encode() + b"\n")
        self.process.stdin.flush()

    def asked(self) -> tuple[str | None, float]:
        """Which player it waits for, and for how long."""
        seat, since = WATCH.unpack_from(self.watch)
        if self.task is None or not 0 <= seat < len(self.task.job.seats):
            return None, 0.0
        return self.task.job.seats[seat], time.monotonic() - since

    def last_words(self) -> str:
        """The last line it wrote to its error channel."""
        size = self.complaints.seek(0, os.SEEK_END)
        self.complaints.seek(max(0, size - 2000))
        lines = self.complaints.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def end(self) -> int:
        """End it at once; returns the exit code."""
        self.process.kill()
        code = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self.complaints.close()
        self.watch.close()
        return code


class LocalCrew:
    """Processes on this machine. A context manager that ends them."""

    def __init__(self, workers: int, patience: float = PATIENCE) -> None:
        self._most = workers
        self._patience = patience
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        self._again: deque[_Task] = deque()  # to be tried once more

    def __enter__(self) -> "LocalCrew":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def room(self) -> int:
        """How many more jobs it takes now."""
        busy = sum(worker.task is not None for worker in self._workers)
        return self._most - busy - len(self._again)

    def submit(self, job: Job) -> None:
        """Take a job."""
        self._give(_Task(job))

    def wait(self) -> list[Outcome]:
        """What has come of jobs since; waits a moment if nothing has."""
        while self._again:
            self._give(self._again.popleft())
        found: list[Outcome] = []
        for key, _ in self._selector.select(LOOK_SECONDS):
            found += self._hear(key.data)
        for worker in list(self._workers):
            player, seconds = worker.asked()
            if player is not None and seconds > self._patience:
                found += self._lose(worker, player, f"gave no answer for {seconds:.0f} seconds")
        return found

    def close(self) -> None:
        """End all processes."""
        for worker in list(self._workers):
            self._drop(worker)
        self._selector.close()

    def _give(self, task: _Task) -> None:
        worker = next((one for one in self._workers if one.task is None), None)
        if worker is None:
            worker = _Worker.start()
            self._workers.append(worker)
            self._selector.register(worker.out, selectors.EVENT_READ, worker)
        with contextlib.suppress(BrokenPipeError):  # it has ended: its pipe will say so
            worker.give(task)

    def _drop(self, worker: _Worker) -> int:
        self._workers.remove(worker)
        self._selector.unregister(worker.out)
        return worker.end()

    def _hear(self, worker: _Worker) -> list[Outcome]:
        """Read what a process wrote; nothing at all means that it ended."""
        assert worker.process.stdout is not None
        text = os.read(worker.process.stdout.fileno(), 1 << 16)
        if not text:
            player, _ = worker.asked()
            words = worker.last_words()
            code = worker.process.wait()
            why = f"its process ended with code {code}" + (f": {words}" if words else "")
            return self._lose(worker, player, why)
        worker.read += text
        if not worker.read.endswith(b"\n"):
            return []
        answer, task = json.loads(worker.read), worker.task
        worker.read.clear()
        worker.task = None
        assert task is not None
        if "error" in answer:
            raise SoukError(answer["error"])
        if "failed" in answer:
            return [Outcome(task.job, None, PlayerFailed(answer["failed"], answer["why"]))]
        return [Outcome(task.job, Played.from_dict(answer["played"]))]

    def _lose(self, worker: _Worker, player: str | None, why: str) -> list[Outcome]:
        """A process hangs or has ended: try its game once more, or name who was asked."""
        task = worker.task
        self._drop(worker)
        if task is None:
            return []
        if task.tries < TRIES:
            self._again.append(task)
            return []
        if player is None:
            raise SoukError(f"a process that plays games cannot go on: {why}")
        return [Outcome(task.job, None, PlayerFailed(player, why))]


def _environment() -> dict[str, str]:
    """Modules are found where we find them, and a process takes one core."""
    path: Sequence[str] = [entry or str(Path.cwd()) for entry in sys.path]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**threads, **os.environ, "PYTHONPATH": os.pathsep.join(path)}
