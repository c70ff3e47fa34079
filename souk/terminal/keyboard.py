"""Read lines and single keys from the keyboard."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from souk.engine.styled_text import make_printable


def read_line(prompt: str) -> str:
    """Read a line, echoed if standard input is not a terminal; raise EOFError at the end."""
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
    """Read a line with editing and history; the Tab key completes words."""
    if sys.platform == "win32":  # its terminals edit lines themselves
        return input(prompt)
    try:
        import readline
    except ImportError:  # Python may be built without it
        return input(prompt)
    readline.set_completer_delims("")
    readline.set_completer(_completer(words))
    readline.parse_and_bind("tab: complete")
    try:
        return input(prompt)
    finally:
        readline.set_completer(None)


def _completer(words: Sequence[str]) -> Callable[[str, int], str | None]:
    def complete(typed: str, number: int) -> str | None:
        fitting = [word for word in words if word.startswith(typed)]
        return fitting[number] if number < len(fitting) else None

    return complete


def wait_for_key(seconds: float) -> bool:
    """Wait until a key is pressed or the time is over; return whether a key was pressed."""
    with _raw_input() as handle:
        if handle is None:
            time.sleep(seconds)
            return False
        ready, _, _ = select.select([handle], [], [], seconds)
        return bool(ready and os.read(handle, 1024))


@contextmanager
def _raw_input() -> Iterator[int | None]:
    """Yield standard input in a mode without line buffering or echo; None if not possible."""
    if sys.platform == "win32":
        yield None
        return
    import termios
    import tty

    try:
        handle = sys.stdin.fileno()
        before = termios.tcgetattr(handle)
    except (OSError, ValueError, AttributeError, termios.error):
        yield None
        return
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)
        yield handle
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
