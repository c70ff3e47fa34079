"""The folders for cached files and for data."""

import atexit
import logging
import os
import sys
import tempfile
from pathlib import Path

from souk.engine.errors import SoukError, brief

log = logging.getLogger("souk")


def cache_folder() -> Path:
    """Return $SOUK_CACHE_DIR, or a folder in the user's cache folder; its files can be deleted.

    Where the user has no home folder it is a temporary one, which child processes share.
    """
    try:
        return lasting_cache_folder()
    except OSError as error:
        temporary = tempfile.TemporaryDirectory(prefix="souk-")
        atexit.register(temporary.cleanup)
        os.environ["SOUK_CACHE_DIR"] = temporary.name
        log.warning("souk: compiled kernels cannot be stored: %s; set SOUK_CACHE_DIR", error)
        return Path(temporary.name)


def lasting_cache_folder() -> Path:
    """Return the folder for cached files; raise an OSError where it would be a temporary one."""
    if chosen := os.environ.get("SOUK_CACHE_DIR"):
        return expand_user(chosen)
    return _user_folder("Library/Caches", "XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """Return $SOUK_DATA_DIR, or a folder in the user's data folder."""
    if chosen := os.environ.get("SOUK_DATA_DIR"):
        return expand_user(chosen)
    try:
        return _user_folder("Library/Application Support", "XDG_DATA_HOME", ".local/share")
    except OSError as error:
        message = f"no folder for data: {error}; set SOUK_DATA_DIR to a folder of yours"
        raise SoukError(message) from None


def expand_user(path: str) -> Path:
    """Return a path with its first part, `~` or `~user`, replaced by that home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise SoukError(f"{brief(path)}: there is no such home folder") from None


def _user_folder(mac: str, xdg: str, unix: str) -> Path:
    """Create our folder among the user's and return it; raise an OSError if that is impossible."""
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / mac
        else:
            base = Path(os.environ.get(xdg) or Path.home() / unix)
    except RuntimeError:  # HOME is not set, and the user is not in the list of users
        raise OSError("there is no home folder") from None
    folder = base / "souk"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
