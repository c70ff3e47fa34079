"""`souk train`: trains a judgement, and shows how it comes along."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from souk.engine.errors import SoukError
from souk.terminal.files import INTERRUPTED, FileError, reason
from souk.train.course import course


def train(game: str, out: str, wishes: Mapping[str, Any]) -> int:
    """Train the judgement of a game and keep it in a file; returns the exit code."""
    path = Path(out)
    training = course(game, wishes)
    if path.suffix != training.ending:
        raise SoukError(
            f"it is kept in a file whose name ends in {training.ending}, not in {out!r}"
        )
    _check_writable(path)
    print(*training.headings, sep="\n")
    try:
        for report in training:
            print(report, flush=True)
            training.save(path)
    except KeyboardInterrupt:
        kept = f"round {training.reports[-1].round}" if training.reports else "nothing"
        print(f"\nStopped: {kept} was kept.", file=sys.stderr)
        return INTERRUPTED
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
