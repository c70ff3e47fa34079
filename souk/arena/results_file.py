"""Store the games of a tournament in a file: one line of JSON per game, added as it ends.

The first line identifies the tournament: the game, the seed and the version of souk. The players
and the plan are not part of it, since every game names its players: players can be added later.
An incomplete last line, left by a crash, is dropped.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from souk.arena.append_file import AppendFile
from souk.arena.game_runner import GameKey, GameResult
from souk.engine.errors import SoukError, brief
from souk.engine.game import Game

FORMAT = "souk arena 5"
NOT_A_RESULTS_FILE = "{} is not a results file of the arena; name another with --results"


def header(game: Game, seed: int) -> dict[str, Any]:
    """Return the first line of a file."""
    from souk import __version__

    line = {"format": FORMAT, "souk": __version__, "game": str(game), "seed": seed}
    if game.external_content:  # such as a board from a file
        line["content"] = hashlib.sha256(game.external_content.encode()).hexdigest()
    return line


class ResultsFile:
    """The games in a file, or in memory if there is no path. A context manager that closes it."""

    def __init__(self, path: Path | None, game: Game, seed: int) -> None:
        self.path = path
        self.games: dict[GameKey, GameResult] = {}
        self._file: AppendFile | None = None
        if path is not None:
            self._file = AppendFile(path)
            try:
                self._read(self._file, header(game, seed))
            except BaseException:
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
            self._file.append(_encode(result.to_dict()))
        self.games[result.key] = result

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _read(self, file: AppendFile, expected: dict[str, Any]) -> None:
        path = file.path
        complete = 0  # bytes
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    if number == 1 and not _encode(expected).startswith(line):
                        raise SoukError(NOT_A_RESULTS_FILE.format(path))
                    file.truncate(complete)  # incomplete: that game is played again
                    break
                values = _decode(line, path, number)
                if number == 1:
                    _check_header(values, expected, path)
                else:
                    result = _result(values, path, number)
                    self.games.setdefault(result.key, result)
                complete += len(line)
        if not complete:
            file.append(_encode(expected))


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
        raise SoukError(f"{path} is not a results file of the arena: cannot read line {number}")
    return values


def _result(values: dict[str, Any], path: Path, number: int) -> GameResult:
    try:
        return GameResult.from_dict(values)
    except SoukError as error:
        raise SoukError(f"{path}, line {number}: {error}") from None


def _check_header(values: dict[str, Any], expected: dict[str, Any], path: Path) -> None:
    if not str(values.get("format")).startswith("souk arena "):
        raise SoukError(NOT_A_RESULTS_FILE.format(path))
    for name, value in expected.items():
        if values.get(name) != value:
            raise SoukError(
                f"{path} belongs to another tournament: its {name} is {brief(values.get(name))}, "
                f"not {brief(value)}; name another file with --results"
            )
