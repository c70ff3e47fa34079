"""The keyboard: lines that are typed, and keys that cut a pause short."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from souk.engine.styled_text import make_printable


def read_line(prompt: str) -> str:
    """A line from standard input, shown again where no terminal shows it. EOFError at the end."""
    if sys.stdin is None:
        raise EOFError
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        print(flush=True)
        raise EOFError
    if not sys.stdin.isatty():
        print(make_printable(line.rstrip("\n")), flush=True)
    return line.rstrip("\n")


def edit_line(prompt: str, words: Sequence[str] = ()) -> str:
    """A line typed with editing and history; the tab key completes words."""
    try:
        import readline
    except ImportError:  # not everywhere
        return input(prompt)
    readline.set_completer_delims("")
    readline.set_completer(_completer(words))
    readline.parse_and_bind("tab: complete")
    try:
        return input(prompt)
    finally:
        readline.set_completer(None)


def _completer(words: Sequence[str]) -> Callable[[str, int], str | None]:
    def complete(begun: str, number: int) -> str | None:
        fitting = [word for word in words if word.startswith(begun)]
        return fitting[number] if number < len(fitting) else None

    return complete


def wait(seconds: float) -> bool:
    """Wait, unless a key is pressed; whether one was."""
    with _raw_keys() as handle:
        if handle is None:
            time.sleep(seconds)
            return False
        ready, _, _ = select.select([handle], [], [], seconds)
        return bool(ready and os.read(handle, 1024))


@contextmanager
def _raw_keys() -> Iterator[int | None]:
    """Standard input so that a single key arrives at once and is not shown; None if it cannot."""
    try:
        import termios
        import tty
    except ImportError:  # not everywhere
        yield None
        return
    try:
        handle = sys.stdin.fileno()
        before = termios.tcgetattr(handle)
    except (OSError, ValueError, AttributeError, termios.error):
        yield None
        return
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)  # this also stops the echo
        yield handle
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
