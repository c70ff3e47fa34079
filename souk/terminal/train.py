"""`souk train`: train the evaluation of a game and print its progress."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from souk.engine.errors import SoukError, reason
from souk.games import FIRST, load_game
from souk.terminal.files import INTERRUPTED, FileError
from souk.train import Trainer, trainer_class


def train(game: str | None, out: str, options: Mapping[str, Any]) -> int:
    """Train a game's evaluation, save it after every report, and return the exit code.

    Options that are not given, and a game that is None, are left to the trainer's plan.
    """
    loaded = load_game(game or FIRST)
    kind = trainer_class(loaded)
    path = Path(out)
    if path.suffix != kind.suffix:
        raise SoukError(
            f"what {loaded.name} learns is saved in a file whose name ends in {kind.suffix}, "
            f"not in {out!r}"
        )
    _check_writable(path)
    given = dict(options)
    if game:
        given["game"] = str(loaded)
    saved = "nothing"
    try:
        trainer = kind.from_options(given)
        print(*trainer.headings, sep="\n")
        for report in trainer:
            print(report, flush=True)
            _save(trainer, path)
            saved = f"round {report.round}"
    except KeyboardInterrupt:
        print(f"\nStopped: {saved} was saved.", file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        raise SoukError("there is not enough memory for that number of games at once") from None
    print(f"Saved in {out}.")
    return 0


def _check_writable(path: Path) -> None:
    """Refuse a file that cannot be written: before hours of training, not after them."""
    try:
        with path.open("ab"):
            pass
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}") from None
    if path.stat().st_size == 0:
        path.unlink()


def _save(trainer: Trainer, path: Path) -> None:
    """Write a temporary file first: the one saved before stays until the new one is complete."""
    beside = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        trainer.save(beside)
        beside.replace(path)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}") from None
    finally:
        beside.unlink(missing_ok=True)
