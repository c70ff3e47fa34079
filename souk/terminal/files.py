"""Read files, and write them so that a crash leaves the old text or the new one, never a mix."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO

from souk.engine.errors import SoukError, reason
from souk.engine.file_system import sync
from souk.engine.styled_text import make_printable
from souk.records import Record, read
from souk.records.errors import FileError as FileError
from souk.records.file_reading import SeveralGames, read_game

STREAM = "-"  # standard input or output as a file name
INTERRUPTED = 130  # the exit code of Ctrl-C


def read_record(name: str, number: int | None = None) -> Record:
    """Read a record from a file, `-` for standard input; raise RecordError if it is invalid.

    A file may have several games; `number` chooses one of them.
    """
    try:
        return read_game(source(name), number)
    except SeveralGames as error:
        hint = "choose one with --number; `souk records --list` shows them"
        raise SoukError(f"{error}: {hint}") from None


def source(name: str) -> str | IO[bytes]:
    """Return what the functions of `souk.records` read for a name on the command line."""
    if name != STREAM:
        return name
    if sys.stdin is None:
        raise FileError("cannot read standard input: it is closed")
    return sys.stdin.buffer


def parse_record(text: str, name: str) -> Record:
    """Parse the text of a record's file; files that it names are looked for beside it."""
    return read(text, None if name == STREAM else Path(name).parent)


def read_text(name: str) -> str:
    """Read the text of a file, `-` for standard input."""
    if name == STREAM and sys.stdin is None:
        raise FileError("cannot read standard input: it is closed")
    try:
        data = sys.stdin.buffer.read() if name == STREAM else Path(name).read_bytes()
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise FileError(f"{label(name)} is not a text file") from None
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {label(name)}: {reason(error)}") from None


def write_text(path: Path, text: str) -> None:
    """Replace the content of a file atomically and sync it to disk."""
    target = path.resolve()  # a link stays a link
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        if target.exists() and not target.is_file():
            raise FileError(f"cannot write {path}: it is not a plain file")
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            if target.exists():  # keep its permissions
                shutil.copymode(target, temporary)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        sync(target.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise FileError(f"cannot write {path}: {reason(error)}") from None


@contextmanager
def open_output(name: str | None) -> Iterator[TextIO | None]:
    """Open a file to write, `-` for standard output; None for no file."""
    if name is None:
        yield None
    elif name == STREAM:
        yield sys.stdout
    else:
        try:
            file = Path(name).open("w", encoding="utf-8", newline="")  # noqa: SIM115
        except OSError as error:
            raise FileError(f"cannot write {name}: {reason(error)}") from None
        with file:
            yield file


def say(text: str, file: TextIO | None = None) -> None:
    """Print a text without control characters."""
    print("\n".join(map(make_printable, text.split("\n"))), file=file, flush=True)


def label(name: str) -> str:
    """Return how a message refers to a file."""
    return "standard input" if name == STREAM else make_printable(name)
