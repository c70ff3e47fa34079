"""`souk train`: train the evaluation of a game and print its progress."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from souk.engine.errors import SoukError, reason
from souk.engine.file_system import sync, try_lock
from souk.games import FIRST, load_game
from souk.terminal.files import INTERRUPTED, FileError
from souk.terminal.progress_bar import progress_bar
from souk.train import Trainer, trainer_class
from souk.train.checkpoint import checkpoint_path, restore_checkpoint, save_checkpoint


def train(game: str | None, out: str, options: Mapping[str, Any]) -> int:
    """Train a game's evaluation, save it after every round, and return the exit code.

    Options that are not given, and a game that is None, are left to the trainer's plan. If the
    same training was interrupted, it goes on after the last round that was saved.
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
    try:
        with _lock(path):
            trainer = kind.from_options(given)
            _resume(trainer, path)
            _train(trainer, path)
    except MemoryError:
        raise SoukError("there is not enough memory for that number of games at once") from None
    except KeyboardInterrupt:
        print("\nStopped. Finished rounds are saved: the same command goes on.", file=sys.stderr)
        return INTERRUPTED
    print(f"Saved in {out}.")
    return 0


def _resume(trainer: Trainer, path: Path) -> None:
    """Go on from the checkpoint beside the weights, if there is one."""
    checkpoint = checkpoint_path(path)
    if checkpoint.exists():
        restore_checkpoint(trainer, checkpoint)
        print(f"{trainer.round} of {trainer.plan.rounds} rounds are done in {checkpoint}.")
        _write(path, trainer.save)  # it may have been stopped between the two files


def _train(trainer: Trainer, path: Path) -> None:
    """Train the rounds that are left, and print the reports, also those of earlier runs."""
    print(*trainer.headings, *trainer.reports, sep="\n", flush=True)
    with progress_bar() as show:
        show(trainer.round, trainer.plan.rounds)
        for report in trainer.rounds():
            if report is not None:
                print(report, flush=True)
            _write(checkpoint_path(path), partial(save_checkpoint, trainer))
            _write(path, trainer.save)
            show(trainer.round, trainer.plan.rounds)


def _check_writable(path: Path) -> None:
    """Refuse a file that cannot be written: before hours of training, not after them."""
    try:
        with path.open("ab"):
            pass
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}") from None
    if path.stat().st_size == 0:
        path.unlink()


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Keep other trainings from a file: both would write it and its checkpoint in turn."""
    beside = path.with_name(f"{path.name}.lock")  # the others are replaced, and their locks lost
    try:
        file = beside.open("ab")
    except OSError as error:
        raise FileError(f"{beside} cannot be written: {reason(error)}") from None
    with file:
        if not try_lock(file.fileno()):
            raise SoukError(f"{path} is in use: another training writes it")
        try:
            yield
        finally:
            with suppress(OSError):  # Windows keeps open files
                beside.unlink()


def _write(path: Path, save: Callable[[Path], None]) -> None:
    """Write a temporary file first: the one saved before stays until the new one is complete."""
    beside = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        save(beside)
        sync(beside)
        beside.replace(path)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}") from None
    finally:
        beside.unlink(missing_ok=True)
