"""Lock files and flush them to the disk, on any operating system."""

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCKED_BYTE = 2**30  # Windows locks bytes, which others cannot read: one that no file of ours has


def try_lock(descriptor: int) -> bool:
    """Lock an open file for this process until it is closed; return False if another has it."""
    try:
        if sys.platform == "win32":
            position = os.lseek(descriptor, 0, os.SEEK_CUR)
            os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, position, os.SEEK_SET)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def sync(path: Path) -> None:
    """Flush a file or a folder to the disk. Windows cannot flush folders, and need not."""
    if sys.platform == "win32" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
