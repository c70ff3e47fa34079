"""The folders for cached files and for data."""

import os
import sys
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """Return $SOUK_CACHE_DIR, or a folder in the user's cache folder; its files can be deleted."""
    if chosen := os.environ.get("SOUK_CACHE_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir()) / "souk"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "souk"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "souk"


def data_folder() -> Path:
    """Return $SOUK_DATA_DIR, or a folder in the user's data folder."""
    if chosen := os.environ.get("SOUK_DATA_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "souk"
