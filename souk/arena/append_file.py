"""Add games to files, one process at a time."""

import io
import os
from pathlib import Path

from souk.engine.errors import SoukError, reason
from souk.engine.file_system import try_lock


class AppendFile:
    """A file that this process alone adds to. A context manager that closes it."""

    def __init__(self, path: Path) -> None:
        """Open a file, which is created with its folders if need be; raise a SoukError."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = io.FileIO(path, "a+")
        except OSError as error:
            raise SoukError(f"cannot use {path}: {reason(error)}") from None
        if not try_lock(self._file.fileno()):
            self._file.close()
            raise SoukError(f"{path} is in use: another process adds games to it")

    def __enter__(self) -> "AppendFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, data: bytes) -> None:
        """Add all of the data or, after an error or Ctrl-C, nothing."""
        size = os.fstat(self._file.fileno()).st_size
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except BaseException as error:
            self.truncate(size)
            if isinstance(error, OSError):
                raise SoukError(f"cannot write {self.path}: {reason(error)}") from None
            raise

    def truncate(self, size: int) -> None:
        """Cut off what is after a number of bytes."""
        self._file.truncate(size)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
