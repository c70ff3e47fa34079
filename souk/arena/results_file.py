"""Store the games of a tournament in a file: one line of JSON per game, added as it ends.

The first line identifies the tournament: the game, the seed and the version of souk. The players
and the plan are not part of it, since every game names its players: players can be added later.
An incomplete last line, left by a crash, is dropped.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from souk.arena.game_runner import GameResult
from souk.engine.errors import SoukError, brief
from souk.engine.game import Game

FORMAT = "souk arena 3"
NOT_A_RESULTS_FILE = "{} is not a results file of the arena; name another with --results"
# Format 2 has other names for some values of a game. Such files are read and added to.
FORMAT_2 = "souk arena 2"
RENAMED = {"seats": "players", "shares": "returns", "seconds": "move_seconds"}


def header(game: Game, seed: int) -> dict[str, Any]:
    """Return the first line of a file."""
    from souk import __version__

    line = {"format": FORMAT, "souk": __version__, "game": str(game), "seed": seed}
    if game.external_content:  # such as a board from a file
        line["content"] = hashlib.sha256(game.external_content.encode()).hexdigest()
    return line


class ResultsError(SoukError):
    """A results file cannot be used."""


class ResultsFile:
    """The games in a file, or in memory if there is no path. A context manager that closes it."""

    def __init__(self, path: Path | None, game: Game, seed: int) -> None:
        self.path = path
        self.games: dict[tuple[int, tuple[str, ...]], GameResult] = {}
        self._file: IO[bytes] | None = None
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("a+b")
                self._read(self._file, path, header(game, seed))
            except OSError as error:
                self.close()
                reason = (error.strerror or str(error)).lower()
                raise ResultsError(f"cannot use {path}: {reason}") from None
            except ResultsError:
                self.close()
                raise

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, result: GameResult) -> None:
        """Add a game; it is in the file when this returns, even if the process is then killed."""
        if result.key in self.games:
            return
        if self._file is not None:
            self._write(result.to_dict())
        self.games[result.key] = result

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: dict[str, Any]) -> None:
        assert self._file is not None
        try:
            self._file.write(_encode(line))
            self._file.flush()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ResultsError(f"cannot write {self.path}: {reason}") from None

    def _read(self, file: IO[bytes], path: Path, expected: dict[str, Any]) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(f"{path} is in use: another arena is adding games to it") from None
        file.seek(0)
        complete = 0  # bytes
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                if number == 1 and not _encode(expected).startswith(line):
                    raise ResultsError(NOT_A_RESULTS_FILE.format(path))
                break  # incomplete: that game is played again
            values = _decode(line, path, number)
            if number == 1:
                _check_header(values, expected, path)
            else:
                result = _result(values, path, number)
                self.games.setdefault(result.key, result)
            complete += len(line)
        if file.seek(0, os.SEEK_END) > complete:
            file.truncate(complete)
        if not complete:
            self._write(expected)


def read_results(path: Path) -> Iterator[GameResult]:
    """Yield the games of a file, whichever tournament they belong to."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.endswith(b"\n") and number > 1:
                yield _result(_decode(line, path, number), path, number)


def _encode(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"


def _decode(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise ResultsError(f"{path} is not a results file of the arena: cannot read line {number}")
    return values


def _result(values: dict[str, Any], path: Path, number: int) -> GameResult:
    try:
        return GameResult.from_dict({RENAMED.get(key, key): values[key] for key in values})
    except SoukError as error:
        raise ResultsError(f"{path}, line {number}: {error}") from None


def _check_header(values: dict[str, Any], expected: dict[str, Any], path: Path) -> None:
    if values.get("format") not in (FORMAT, FORMAT_2):
        raise ResultsError(NOT_A_RESULTS_FILE.format(path))
    for name, value in expected.items():
        if name != "format" and values.get(name) != value:
            raise ResultsError(
                f"{path} belongs to another tournament: its {name} is {brief(values.get(name))}, "
                f"not {brief(value)}; name another file with --results"
            )
