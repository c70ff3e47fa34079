"""Write files with many games: whole files, or at the end of one."""

import gzip
import io
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from souk.engine.file_system import sync, try_lock
from souk.records.errors import FileError
from souk.records.record import Record
from souk.records.writing import write_all

_LOCK_SECONDS = 0.01  # between attempts to lock a file


def write_games(path: str | Path, records: Iterable[Record]) -> int:
    """Write records to a file; return how many. Until all are written, the old file stays."""
    with open_to_replace(path) as file:
        return write_to(file, records, Path(path).parent)


@contextmanager
def open_to_replace(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file to write; it replaces the old one when all is written.

    A file whose name ends with .gz is compressed.
    """
    target = Path(path).resolve()  # a link stays a link
    if target.exists() and not target.is_file():
        raise FileError(f"cannot write {path}: it is not a plain file")
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            if target.exists():  # keep its permissions
                shutil.copymode(target, temporary)
            if target.suffix == ".gz":
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
                    yield cast(IO[bytes], compressed)
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        sync(target.parent)
    except OSError as error:
        raise FileError.writing(str(path), error) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def append_games(path: str | Path, records: Iterable[Record]) -> int:
    """Add records to a file, which is created if there is none; return how many.

    Processes that append to one file wait for each other. If the records cannot all be written,
    such as on a full disk, the file stays as it was.
    """
    if str(path).endswith(".gz"):
        raise FileError(f"cannot append to {path}: it is compressed")
    content = io.BytesIO()
    count = write_to(content, records, Path(path).parent)
    try:
        with Path(path).open("a+b", buffering=0) as file:
            while not try_lock(file.fileno()):
                time.sleep(_LOCK_SECONDS)
            end = file.seek(0, os.SEEK_END)
            file.seek(max(end - 2, 0))
            data = memoryview(_gap_after(file.read()) + content.getvalue())
            try:
                while data:
                    data = data[file.write(data) :]
                os.fsync(file.fileno())
            except BaseException:
                file.truncate(end)
                raise
    except OSError as error:
        raise FileError.writing(str(path), error) from None
    return count


def _gap_after(end: bytes) -> bytes:
    """Return what makes an empty line after the end of a file, where a game may be cut off."""
    if not end or end == b"\n\n":
        return b""
    return b"\n" if end.endswith(b"\n") else b"\n\n"


def write_to(file: IO[bytes], records: Iterable[Record], folder: Path | None = None) -> int:
    """Write records to a file that is open for writing bytes; return how many."""
    count = 0
    for text in write_all(records, folder):
        file.write(f"\n{text}".encode() if count else text.encode())
        count += 1
    return count
