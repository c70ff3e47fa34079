"""`souk train`: trains a judgement, and shows how it comes along."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from souk.engine.errors import SoukError
from souk.terminal.files import INTERRUPTED, FileError, reason
from souk.terminal.trainers import Course, course, ending_of


def train(game: str, out: str, wishes: Mapping[str, Any]) -> int:
    """Train the judgement of a game and keep it in a file; returns the exit code."""
    path = Path(out)
    if path.suffix != (ending := ending_of(game)):
        raise SoukError(f"it is kept in a file whose name ends in {ending}, not in {out!r}")
    _check_writable(path)
    kept = "nothing"
    try:
        training = course(game, wishes)
        print(*training.headings, sep="\n")
        for report in training:
            print(report, flush=True)
            _keep(training, path)
            kept = f"round {report.round}"
    except KeyboardInterrupt:
        print(f"\nStopped: {kept} was kept.", file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        raise SoukError("there is not enough memory for so many games at once") from None
    print(f"It is in {out}.")
    return 0


def _check_writable(path: Path) -> None:
    """Before hours of training, not after them."""
    try:
        with path.open("ab"):
            pass
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}") from None
    if path.stat().st_size == 0:
        path.unlink()


def _keep(training: Course, path: Path) -> None:
    """Write beside it first: what was kept before is there until the new file is whole."""
    beside = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        training.save(beside)
        beside.replace(path)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}") from None
    finally:
        beside.unlink(missing_ok=True)
