"""Where souk keeps what is its own on a machine: compiled kernels, and games."""

import os
import sys
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """What can be made again: in $SOUK_CACHE_DIR, else in the user's cache folder."""
    if chosen := os.environ.get("SOUK_CACHE_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir()) / "souk"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "souk"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "souk"


def data_folder() -> Path:
    """What must not be lost: in $SOUK_DATA_DIR, else in the user's data folder."""
    if chosen := os.environ.get("SOUK_DATA_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "souk"
