"""Where games are kept while they are played, and how to find the one to go on with."""

import datetime
import os
import sys
from pathlib import Path

from souk.engine.errors import SoukError
from souk.records import Record, write
from souk.terminal.files import FileError, read_record, read_text, write_text

SUFFIX = ".souk"


def games_folder() -> Path:
    """The folder for games: in $SOUK_DATA_DIR, else in the user's data folder."""
    chosen = os.environ.get("SOUK_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser() / "games"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "souk" / "games"


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
        text = write(record)
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
