"""The file that a tournament's games are kept in: one line of JSON for each, added as it ends.

The first line says which tournament it is: the game, the seed and souk's version. Who plays and
by which plan is not part of it, since every game says who sat where: players can be added later.
A line that was cut off when the machine or the process went down is forgotten.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from souk.arena.game_runner import Played
from souk.engine.errors import SoukError, brief
from souk.engine.game import Game

FORMAT = "souk arena 2"
NOT_OURS = "{} is no file of an arena; name another with --results"


def header(game: Game, seed: int) -> dict[str, Any]:
    """The first line of a file."""
    from souk import __version__

    line = {"format": FORMAT, "souk": __version__, "game": str(game), "seed": seed}
    if game.external_content:  # a board from a file, say
        line["content"] = hashlib.sha256(game.external_content.encode()).hexdigest()
    return line


class ResultsError(SoukError):
    """A file of games that cannot be used."""


class Results:
    """Games kept in a file, or nowhere if there is no path. A context manager that closes it."""

    def __init__(self, path: Path | None, game: Game, seed: int) -> None:
        self.path = path
        self.games: dict[tuple[int, tuple[str, ...]], Played] = {}
        self._file: IO[bytes] | None = None
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("a+b")
                self._read(self._file, path, header(game, seed))
            except OSError as error:
                self.close()
                told = (error.strerror or str(error)).lower()
                raise ResultsError(f"cannot use {path}: {told}") from None
            except ResultsError:
                self.close()
                raise

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, played: Played) -> None:
        """Keep a game; it is in the file when this returns, and survives our own end."""
        if played.key in self.games:
            return
        if self._file is not None:
            self._write(played.to_dict())
        self.games[played.key] = played

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: dict[str, Any]) -> None:
        assert self._file is not None
        try:
            self._file.write(_line(line))
            self._file.flush()
        except OSError as error:
            told = (error.strerror or str(error)).lower()
            raise ResultsError(f"cannot write {self.path}: {told}") from None

    def _read(self, file: IO[bytes], path: Path, wanted: dict[str, Any]) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(f"{path} is in use: another arena is adding games to it") from None
        file.seek(0)
        whole_lines = 0
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                if number == 1 and not _line(wanted).startswith(line):
                    raise ResultsError(NOT_OURS.format(path))
                break  # cut off: that game is played again
            found = _object(line, path, number)
            if number == 1:
                _check_header(found, wanted, path)
            else:
                played = _played(found, path, number)
                self.games.setdefault(played.key, played)
            whole_lines += len(line)
        if file.seek(0, os.SEEK_END) > whole_lines:
            file.truncate(whole_lines)
        if not whole_lines:
            self._write(wanted)


def read(path: Path) -> Iterator[Played]:
    """The games of a file, whichever tournament they are of."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.endswith(b"\n") and number > 1:
                yield _played(_object(line, path, number), path, number)


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"


def _object(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ResultsError(f"{path} is no file of an arena: line {number} is not readable")
    return found


def _played(found: dict[str, Any], path: Path, number: int) -> Played:
    try:
        return Played.from_dict(found)
    except SoukError as error:
        raise ResultsError(f"{path}, line {number}: {error}") from None


def _check_header(found: dict[str, Any], wanted: dict[str, Any], path: Path) -> None:
    if found.get("format") != FORMAT:
        raise ResultsError(NOT_OURS.format(path))
    for name, value in wanted.items():
        if found.get(name) != value:
            raise ResultsError(
                f"{path} belongs to another tournament: its {name} is {brief(found.get(name))}, "
                f"not {brief(value)}; name another file with --results"
            )
