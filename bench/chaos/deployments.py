"""The servers and databases that are attacked, and the attacks."""

import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

from tests.server.postgres import Postgres

START_SECONDS = 60.0
STOP_SECONDS = 30.0
OPTIONS = ("--no-limits", "--seconds", "0.1", "--workers", "1", "--log-level", "warning")

Attack = Callable[[random.Random], Coroutine[Any, Any, None]]


class Process:
    """A server process at a fixed address, whose log goes to a file."""

    def __init__(self, database: str, log: Path) -> None:
        self.log = log
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.command = [sys.executable, "-m", "souk", "serve", "--database", database]
        self.command += ["--port", str(self.port), *OPTIONS]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start, and wait until it listens; try again if the database is not ready yet."""
        end = time.monotonic() + START_SECONDS
        while self.process is None or self.process.poll() is not None:
            if time.monotonic() > end:
                raise RuntimeError(f"the server does not start: see {self.log}")
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    self.command,
                    env={**os.environ, "PYTHONFAULTHANDLER": "1"},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            while self.process.poll() is None and not self._is_listening():
                await asyncio.sleep(0.05)

    def _is_listening(self) -> bool:
        with socket.socket() as probe:
            probe.settimeout(0.2)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, if it runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    async def stop(self) -> int | None:
        """Stop it as an operator does; return its exit code, None if it had to be killed."""
        assert self.process is not None
        self.signal(signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            await asyncio.sleep(0.02)
        if (code := self.process.poll()) is None:
            self.signal(signal.SIGABRT)  # so that its log says where it hangs
            await asyncio.sleep(1)
            self.kill()
        return code

    def limit(self, which: int, soft: int) -> None:
        """Set a resource limit of the process."""
        if self.process is not None and self.process.poll() is None:
            _, hard = resource.prlimit(self.process.pid, which)
            resource.prlimit(self.process.pid, which, (soft, hard))

    def open_files(self) -> int:
        """Return how many file descriptors it has."""
        assert self.process is not None
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def workers(self) -> list[int]:
        """Return its worker processes."""
        assert self.process is not None
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        children = [int(child) for task in tasks for child in task.read_text("ascii").split()]
        return [child for child in children if b"spawn_main" in _command_line(child)]

    def kill(self) -> None:
        """Kill it."""
        self.signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait(STOP_SECONDS)

    def errors(self) -> list[str]:
        """Return the tracebacks in its log: errors of the program itself."""
        lines = self.log.read_text("utf-8", "replace").splitlines() if self.log.exists() else []
        return [line for line in lines if '"traceback"' in line or line.startswith("Traceback")]


class Deployment:
    """Processes on one database."""

    database: str

    def __init__(self, folder: Path, processes: int) -> None:
        self.folder = folder
        self.processes = [
            Process(self.database, folder / f"server-{number}.log") for number in range(processes)
        ]
        self.problems: list[str] = []

    def __enter__(self) -> "Deployment":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.signal(signal.SIGCONT)
            process.kill()

    async def start(self) -> None:
        """Start all processes."""
        for process in self.processes:
            await process.start()

    def attacks(self) -> dict[str, Attack]:
        """Return the attacks by name. When an attack has ended, everything runs again."""
        return {
            "server killed": self._kill,
            "server restarted": self._restart,
            "server frozen": self._freeze,
            "server starved of CPU": self._starve,
            "server without descriptors": self._few_descriptors,
            "workers killed": self._kill_workers,
        }

    async def _kill(self, pick: random.Random) -> None:
        process = pick.choice(self.processes)
        process.kill()
        await asyncio.sleep(pick.choice([0, 0, pick.uniform(0, 3)]))
        await process.start()

    async def _restart(self, pick: random.Random) -> None:
        await self._stop_and_start(pick.choice(self.processes))

    async def _stop_and_start(self, process: Process) -> None:
        code = await process.stop()
        if code != 0:
            self.problems.append(f"a server that was stopped ended with code {code}")
        await process.start()

    async def _freeze(self, pick: random.Random) -> None:
        process = pick.choice(self.processes)
        process.signal(signal.SIGSTOP)
        await asyncio.sleep(pick.choice([0.2, 1, 3, pick.uniform(3, 12)]))
        process.signal(signal.SIGCONT)

    async def _starve(self, pick: random.Random) -> None:
        process = pick.choice(self.processes)
        for _ in range(20):  # it runs for a tenth of the time
            process.signal(signal.SIGSTOP)
            await asyncio.sleep(0.09)
            process.signal(signal.SIGCONT)
            await asyncio.sleep(0.01)

    async def _few_descriptors(self, pick: random.Random) -> None:
        process = pick.choice(self.processes)
        before, _ = resource.getrlimit(resource.RLIMIT_NOFILE)  # which it inherited
        process.limit(resource.RLIMIT_NOFILE, process.open_files() + pick.randrange(3))
        await asyncio.sleep(pick.uniform(0.5, 3))
        process.limit(resource.RLIMIT_NOFILE, before)

    async def _kill_workers(self, pick: random.Random) -> None:
        for child in pick.choice(self.processes).workers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    def errors(self) -> list[str]:
        """Return what went wrong in the processes themselves."""
        logged = [error for process in self.processes for error in process.errors()]
        return self.problems + [_last_line(error) for error in logged]


class SqliteDeployment(Deployment):
    """One process on SQLite."""

    def __init__(self, folder: Path) -> None:
        self.database = str(folder / "souk.db")
        super().__init__(folder, 1)

    def attacks(self) -> dict[str, Attack]:
        """Return the attacks by name."""
        return {**super().attacks(), "disk full": self._fill_disk}

    async def _fill_disk(self, pick: random.Random) -> None:
        (process,) = self.processes
        sizes = [path.stat().st_size for path in self.folder.glob("souk.db*")]
        process.limit(resource.RLIMIT_FSIZE, max(sizes) + pick.choice([0, 4096, 100_000]))
        await asyncio.sleep(pick.uniform(0.5, 4))
        process.limit(resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)


class PostgresDeployment(Deployment):
    """Two processes on PostgreSQL."""

    def __init__(self, folder: Path) -> None:
        self.postgres = Postgres()
        self.postgres.start()
        self.database = self.postgres.new_database()
        super().__init__(folder, 2)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._signal_all(signal.SIGCONT)
        self.postgres.remove()

    def attacks(self) -> dict[str, Attack]:
        """Return the attacks by name."""
        return {
            **super().attacks(),
            "database killed": self._kill_database,
            "database restarted": self._restart_database,
            "database frozen": self._freeze_database,
            "connections cut": self._cut_connections,
            "disk of the database full": self._fill_disk,
            "rolling restart": self._rolling_restart,
        }

    def _signal_all(self, number: signal.Signals) -> None:
        for pid in self.postgres.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    async def _kill_database(self, pick: random.Random) -> None:
        self.postgres.kill()
        await asyncio.sleep(pick.choice([0, pick.uniform(0, 3)]))
        self.postgres.start()

    async def _restart_database(self, _: random.Random) -> None:
        self.postgres.restart()

    async def _freeze_database(self, pick: random.Random) -> None:
        self._signal_all(signal.SIGSTOP)
        await asyncio.sleep(pick.choice([0.2, 1, 3, pick.uniform(3, 14)]))
        self._signal_all(signal.SIGCONT)

    async def _cut_connections(self, _: random.Random) -> None:
        self.postgres.disconnect(self.database)

    async def _fill_disk(self, pick: random.Random) -> None:
        """Run the database where files cannot grow: it fails to write, or stops by itself."""
        self.postgres.stop()
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        size = pick.choice([500_000, 1_000_000, 2_000_000])  # a part of a segment of its log
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))  # which it inherits
        try:
            with contextlib.suppress(AssertionError):  # it need not even start
                self.postgres.start()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        await asyncio.sleep(pick.uniform(0.5, 4))
        self.postgres.kill()
        self.postgres.start()

    async def _rolling_restart(self, pick: random.Random) -> None:
        for process in self.processes:
            await self._stop_and_start(process)
            await asyncio.sleep(pick.uniform(0, 1))


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


def _last_line(logged: str) -> str:
    with contextlib.suppress(ValueError, KeyError):
        return str(json.loads(logged)["traceback"].strip().splitlines()[-1])
    return logged


def names(deployment: Deployment, pick: random.Random) -> Iterator[str]:
    """Yield attacks for ever: all of them in a random order, then again."""
    while True:
        order = list(deployment.attacks())
        pick.shuffle(order)
        yield from order
