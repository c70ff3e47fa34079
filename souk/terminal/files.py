"""Files: read whole, written so that a crash leaves the old text or the new, never half of one.

And where games are kept while they are played, and how to find the one to go on with.
"""

import datetime
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from souk.engine.errors import SoukError
from souk.engine.paths import data_folder
from souk.engine.styled_text import make_printable
from souk.records import Record, read, write

STREAM = "-"  # standard input or output, as a file's name
SUFFIX = ".souk"
INTERRUPTED = 130  # the exit code of Ctrl-C


class FileError(SoukError):
    """A file that cannot be read or written."""


def read_record(name: str) -> Record:
    """The record in a file, `-` for standard input. What is wrong with it raises RecordError."""
    return record_of(read_text(name), name)


def record_of(text: str, name: str) -> Record:
    """The record that the text of a file holds; other files that it names lie beside it."""
    return read(text, None if name == STREAM else Path(name).parent)


def read_text(name: str) -> str:
    """The text in a file, `-` for standard input."""
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
    """Put a text in the place of a file, and onto the disk, in one step."""
    target = path.resolve()  # a link stays a link
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        if target.exists() and not target.is_file():
            raise FileError(f"cannot write {path}: it is not a plain file")
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            if target.exists():  # who may read it stays as it was
                shutil.copymode(target, temporary)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise FileError(f"cannot write {path}: {reason(error)}") from None


def say(text: str, file: TextIO | None = None) -> None:
    """Print a text in which nothing steers the terminal, whoever wrote it."""
    print("\n".join(map(make_printable, text.split("\n"))), file=file, flush=True)


def label(name: str) -> str:
    """What to call a file in a sentence."""
    return "standard input" if name == STREAM else make_printable(name)


def reason(error: Exception) -> str:
    """Why the system refused, in its own words."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def games_folder() -> Path:
    """The folder for games."""
    return data_folder() / "games"


def new_file(game: str, now: datetime.datetime) -> Path:
    """A file for a new game that no other game has."""
    folder = games_folder()
    stem = f"{now:%Y-%m-%d-%H%M%S}-{game}"
    path, number = folder / f"{stem}{SUFFIX}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{SUFFIX}"
    return path


def newest_unfinished() -> Path:
    """The file of the game that was played last and is not over."""
    folder = games_folder()
    try:
        files = sorted(folder.glob(f"*{SUFFIX}"), key=_changed, reverse=True)
    except OSError:
        files = []
    for path in files:
        try:
            if not read_record(str(path)).replay().is_terminal():
                return path
        except SoukError:
            continue  # a damaged file must not stand in the way of a good one
    raise SoukError(f"there is no unfinished game in {folder}; souk play starts one")


def _changed(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name


class Save:
    """The file that a game is kept in, written anew after every action."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self._text = text  # what the file held when we last saw it; None: no file, or any

    def keep(self, record: Record) -> None:
        """Write the record, unless somebody else wrote the file since we did."""
        text = write(record, self.path.parent)
        if (
            self._text is not None
            and self.path.exists()
            and read_text(str(self.path)) != self._text
        ):
            raise FileError(
                f"{self.path} was changed by someone else since the last move; "
                "close the other game and go on with --resume"
            )
        write_text(self.path, text)
        self._text = text
