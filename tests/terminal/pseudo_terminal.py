"""Run `souk` in a pseudo-terminal: type, read, interrupt, kill."""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# Makes the terminal the controlling one, so that Ctrl-C means something, then becomes souk.
BECOME = """import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """A pseudo-terminal with a running program."""

    def __init__(self, main: int, process: "subprocess.Popen[bytes]") -> None:
        self._main = main
        self.process = process
        self.seen = ""  # the output with control codes

    @property
    def text(self) -> str:
        """The output without control codes."""
        return CODES.sub("", self.seen).replace("\r", "")

    def until(self, text: str, seconds: float = 20) -> str:
        """Read until the output ends with a text; return the output since the last call."""
        start = len(self.seen)
        end = time.monotonic() + seconds
        while not self.text.endswith(text):
            if not self._read(end):
                raise AssertionError(f"waited for {text!r}, but saw:\n{self.text[-3000:]}")
        return CODES.sub("", self.seen[start:]).replace("\r", "")

    def prompt(self) -> str:
        """Read until the game prompts."""
        return self.until("\n> ")

    def asks(self, seconds: float = 20) -> bool:
        """Read until the game prompts or ends; return whether it prompts."""
        end = time.monotonic() + seconds
        while not self.text.endswith("\n> "):
            if not self._read(end):
                assert time.monotonic() < end, f"waited, but saw:\n{self.text[-3000:]}"
                return False
        return True

    def more(self, seconds: float = 20) -> bool:
        """Read more output; return whether there was any."""
        return self._read(time.monotonic() + seconds)

    def type(self, text: str) -> None:
        """Type a line."""
        self.seen += "\n"  # so that the previous prompt is not taken for the next one
        os.write(self._main, text.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Press one key."""
        os.write(self._main, key)

    def interrupt(self) -> int:
        """Press Ctrl-C, repeatedly if it has no effect; return the exit code.

        Python misses a Ctrl-C in the instant between showing a prompt and waiting for a key.
        """
        for _ in range(6):
            self.press(b"\x03")
            limit = time.monotonic() + 5  # a second Ctrl-C would end what handles the first
            while self._read(limit):
                pass
            if self.is_over(limit):
                break
        return self.end()

    def is_over(self, limit: float) -> bool:
        """Return whether the program ends in time."""
        try:
            self.process.wait(max(0.1, limit - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self, seconds: float = 20) -> int:
        """Read to the end; return the exit code."""
        limit = time.monotonic() + seconds
        while self._read(limit):
            pass
        return self.process.wait(max(0.1, limit - time.monotonic()))

    def kill(self) -> None:
        """Kill the program."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._main], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._main, 65536)
        except OSError:  # the other side is closed
            return False
        # A read may cut a character in two; in practice the output is ASCII there.
        self.seen += data.decode("utf-8", "replace")
        return bool(data)


@contextmanager
def terminal(
    *arguments: str,
    data: Path,
    columns: int = 80,
    rows: int = 24,
    environ: Mapping[str, str] | None = None,
) -> Iterator[Terminal]:
    """Run `souk` with some arguments in a terminal of some size; games are saved in `data`."""
    main, side = os.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    inherited = {
        key: os.environ[key] for key in ("PATH", "HOME", "SOUK_CACHE_DIR") if key in os.environ
    }
    command = [sys.executable, "-m", "souk", *arguments]
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", BECOME, *command],
        start_new_session=True,
        stdin=side,
        stdout=side,
        stderr=side,
        env={
            **inherited,
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SOUK_DATA_DIR": str(data),
            **(environ or {}),
        },
    )
    os.close(side)
    try:
        yield Terminal(main, process)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(main)
