"""Play the games of a tournament in child processes on the cores of this machine.

A player that crashes or hangs harms only its own process: the process is replaced and its game is
tried once more, since it may have been killed from outside. If the game fails again, the player
whose answer was awaited is reported.
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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from souk.arena.game_runner import GameResult, Job, PlayerFailed
from souk.arena.pickled_players import Pickles
from souk.arena.worker import WATCH
from souk.engine.errors import SoukError
from souk.engine.paths import cache_folder
from souk.engine.processes import shield_sigint

PATIENCE = 120.0  # seconds for one move beyond a player's limit; covers a first compilation
MAX_ATTEMPTS = 2  # to play a game whose process ends or hangs
_START = "import sys; from souk.arena.worker import main; main(int(sys.argv[1]))"  # -m would warn
CHECK_SECONDS = 1.0  # how often to check for players that hang


@dataclass(frozen=True)
class Outcome:
    """The outcome of a job: a result or a failure."""

    job: Job
    result: GameResult | None
    failure: PlayerFailed | None = None


class WorkerPool(Protocol):
    """Workers that play games: local processes or a cluster."""

    def free_slots(self) -> int:
        """Return how many more jobs the pool takes now."""

    def submit(self, job: Job) -> None:
        """Queue a job."""

    def wait(self) -> list[Outcome]:
        """Return the outcomes since the last call, waiting briefly if there are none."""

    def close(self) -> None:
        """Stop all workers and drop unfinished jobs."""


@dataclass
class _Task:
    job: Job
    attempts: int = 0


@dataclass
class _Worker:
    """A child process and its current task."""

    process: "subprocess.Popen[bytes]"
    watch: mmap.mmap
    stderr: IO[bytes]
    task: _Task | None = None
    received: bytearray = field(default_factory=bytearray)

    @property
    def stdout(self) -> IO[bytes]:
        """The pipe that answers arrive on."""
        assert self.process.stdout is not None
        return self.process.stdout

    @classmethod
    def start(cls, players: Pickles) -> "_Worker":
        stderr = tempfile.TemporaryFile()  # noqa: SIM115  # `kill` closes it
        with tempfile.TemporaryFile() as shared:
            shared.truncate(WATCH.size)
            watch = mmap.mmap(shared.fileno(), WATCH.size)
            with shield_sigint():
                process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START, str(shared.fileno())],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    pass_fds=[shared.fileno()],
                    env=_environment(),
                )
        worker = cls(process, watch, stderr)
        worker._send(players)
        return worker

    def assign(self, task: _Task) -> None:
        task.attempts += 1
        self.task = task
        WATCH.pack_into(self.watch, 0, -1, time.monotonic())
        self._send(asdict(task.job))

    def _send(self, values: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended: `LocalPool` will notice
            self.process.stdin.write(json.dumps(values).encode() + b"\n")
            self.process.stdin.flush()

    def awaited_player(self) -> tuple[str | None, float]:
        """Return the player whose answer the process waits for, and for how many seconds."""
        seat, since = WATCH.unpack_from(self.watch)
        if self.task is None or not 0 <= seat < len(self.task.job.players):
            return None, 0.0
        return self.task.job.players[seat], time.monotonic() - since

    def last_error_line(self) -> str:
        """Return the last line that the process wrote to standard error."""
        size = self.stderr.seek(0, os.SEEK_END)
        self.stderr.seek(max(0, size - 2000))
        lines = self.stderr.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def kill(self) -> int:
        """Kill the process; return its exit code."""
        self.process.kill()
        code = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self.stderr.close()
        self.watch.close()
        return code


class LocalPool:
    """Child processes on this machine. A context manager that stops them."""

    def __init__(
        self, workers: int, patience: float = PATIENCE, players: Pickles | None = None
    ) -> None:
        if os.name == "nt":  # a selector cannot wait for pipes there
            raise SoukError("the arena needs Linux or macOS; on Windows run souk in WSL")
        self._max_workers = workers
        self._patience = patience
        self._players = players or {}
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        self._retries: deque[_Task] = deque()

    def __enter__(self) -> "LocalPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def free_slots(self) -> int:
        """Return how many more jobs the pool takes now."""
        busy = sum(worker.task is not None for worker in self._workers)
        return self._max_workers - busy - len(self._retries)

    def submit(self, job: Job) -> None:
        """Give a job to a free worker, started if need be."""
        self._assign(_Task(job))

    def wait(self) -> list[Outcome]:
        """Return the outcomes since the last call, waiting briefly if there are none."""
        while self._retries:
            self._assign(self._retries.popleft())
        outcomes: list[Outcome] = []
        for key, _ in self._selector.select(CHECK_SECONDS):
            outcomes += self._receive(key.data)
        for worker in list(self._workers):
            player, seconds = worker.awaited_player()
            if player is not None and seconds > self._patience:
                outcomes += self._fail(worker, player, f"gave no answer for {seconds:.0f} seconds")
        return outcomes

    def close(self) -> None:
        """Stop all processes and drop unfinished jobs."""
        for worker in list(self._workers):
            self._remove(worker)
        self._selector.close()

    def _assign(self, task: _Task) -> None:
        worker = next((worker for worker in self._workers if worker.task is None), None)
        if worker is None:
            worker = _Worker.start(self._players)
            self._workers.append(worker)
            self._selector.register(worker.stdout, selectors.EVENT_READ, worker)
        worker.assign(task)

    def _remove(self, worker: _Worker) -> int:
        self._workers.remove(worker)
        self._selector.unregister(worker.stdout)
        return worker.kill()

    def _receive(self, worker: _Worker) -> list[Outcome]:
        """Read what a process wrote; an empty read means that it ended."""
        assert worker.process.stdout is not None
        text = os.read(worker.process.stdout.fileno(), 1 << 16)
        if not text:
            player, _ = worker.awaited_player()
            line = worker.last_error_line()
            code = worker.process.wait()
            reason = f"its process ended with code {code}" + (f": {line}" if line else "")
            return self._fail(worker, player, reason)
        worker.received += text
        if not worker.received.endswith(b"\n"):
            return []
        answer, task = json.loads(worker.received), worker.task
        worker.received.clear()
        worker.task = None
        assert task is not None
        if "error" in answer:
            raise SoukError(answer["error"])
        if "failed" in answer:
            return [Outcome(task.job, None, PlayerFailed(answer["failed"], answer["reason"]))]
        return [Outcome(task.job, GameResult.from_dict(answer["result"]))]

    def _fail(self, worker: _Worker, player: str | None, reason: str) -> list[Outcome]:
        """Replace a process that hangs or has ended; retry its game, or report the player."""
        task = worker.task
        self._remove(worker)
        if task is None:
            return []
        if task.attempts < MAX_ATTEMPTS:
            self._retries.append(task)
            return []
        if player is None:
            raise SoukError(f"a worker process failed: {reason}")
        return [Outcome(task.job, None, PlayerFailed(player, reason))]


def _environment() -> dict[str, str]:
    """Return the environment of a worker: our module path and cache, and one thread per process."""
    cache_folder()  # sets SOUK_CACHE_DIR where there is no home folder, so that workers share one
    path: Sequence[str] = [entry or str(Path.cwd()) for entry in sys.path]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**threads, **os.environ, "PYTHONPATH": os.pathsep.join(path)}
