"""Files: read whole, written so that a crash leaves the old text or the new, never half of one."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from souk.engine.errors import SoukError
from souk.records import Record, read

STDIN = "-"


class FileError(SoukError):
    """A file that cannot be read or written."""


def read_record(name: str) -> Record:
    """The record in a file, `-` for standard input. What is wrong with it raises RecordError."""
    return read(read_text(name))


def read_text(name: str) -> str:
    """The text in a file, `-` for standard input."""
    try:
        if name == STDIN:
            if sys.stdin is None:
                raise FileError("cannot read from standard input: it is closed")
            data = sys.stdin.buffer.read()
        else:
            data = Path(name).read_bytes()
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
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise FileError(f"cannot write {path}: {reason(error)}") from None


def label(name: str) -> str:
    """What to call a file in a sentence."""
    return "standard input" if name == STDIN else name


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
