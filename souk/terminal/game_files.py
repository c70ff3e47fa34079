"""Save games while they are played, and find the one to resume."""

import datetime
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.paths import data_folder
from souk.records import Record, write
from souk.terminal.files import FileError, read_record, read_text, write_text

SUFFIX = ".souk"


def games_folder() -> Path:
    """Return the folder of saved games."""
    return data_folder() / "games"


def new_file(game: str, now: datetime.datetime) -> Path:
    """Return an unused path for a new game."""
    folder = games_folder()
    stem = f"{now:%Y-%m-%d-%H%M%S}-{game}"
    path, number = folder / f"{stem}{SUFFIX}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{SUFFIX}"
    return path


def newest_unfinished() -> Path:
    """Return the file of the unfinished game that was played last."""
    folder = games_folder()
    try:
        files = sorted(folder.glob(f"*{SUFFIX}"), key=_modified, reverse=True)
    except OSError:
        files = []
    for path in files:
        try:
            if not read_record(str(path)).replay().is_terminal():
                return path
        except SoukError:
            continue  # skip damaged files
    raise SoukError(f"there is no unfinished game in {folder}; souk play starts one")


def _modified(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name


class GameFile:
    """The file of a game, rewritten after every action."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self._text = text  # the content that we last read or wrote; None if there is none

    def save(self, record: Record) -> None:
        """Write the record, unless another process has changed the file since we did."""
        text = write(record, self.path.parent)
        if (
            self._text is not None
            and self.path.exists()
            and read_text(str(self.path)) != self._text
        ):
            raise FileError(
                f"{self.path} was changed by another program since the last move; "
                "close the other game and continue with --resume"
            )
        write_text(self.path, text)
        self._text = text
