"""Save a training after every round, and go on from there exactly."""

import json
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec

from souk.engine.errors import SoukError, brief, reason
from souk.train.trainer import Trainer, option_flag

FORMAT = "souk training 1"  # count on when a change makes rounds give other results


def checkpoint_path(out: Path) -> Path:
    """Return the path of the checkpoint beside the weights.

    >>> checkpoint_path(Path("net.npz")).name
    'net.npz.checkpoint'
    """
    return out.with_name(f"{out.name}.checkpoint")


def save_checkpoint(trainer: Trainer, path: Path) -> None:
    """Write all that the next round depends on."""
    import numpy as np

    header = {
        "format": FORMAT,
        "plan": asdict(trainer.plan),
        "round": trainer.round,
        "seconds": trainer.seconds,
        "reports": [asdict(one) for one in trainer.reports],
        "previous": trainer.previous,
    }
    with path.open("wb") as file:
        np.savez(file, header=np.array(json.dumps(header)), **trainer.arrays())  # type: ignore[arg-type]


def restore_checkpoint(trainer: Trainer, path: Path) -> None:
    """Go on after the round of a checkpoint; one of another plan is refused."""
    import numpy as np

    try:
        with path.open("rb") as file, np.load(file) as saved:
            header = json.loads(str(saved["header"]))
            arrays = {name: saved[name] for name in saved.files if name != "header"}
        _check(trainer, header, path)
        reports = msgspec.convert(header["reports"], list[trainer.report_class])  # type: ignore[name-defined]
        trainer.set_arrays(arrays)
        trainer.round, trainer.seconds = int(header["round"]), float(header["seconds"])
        trainer.reports, trainer.previous = reports, header["previous"]
    except OSError as error:
        raise SoukError(f"{path} cannot be read: {reason(error)}") from None
    except (AttributeError, EOFError, KeyError, TypeError, BadZipFile, zlib.error):
        raise SoukError(_broken(path)) from None
    except ValueError as error:  # also from NumPy and JSON
        if isinstance(error, SoukError):
            raise
        raise SoukError(_broken(path)) from None


def _broken(path: Path) -> str:
    return f"{path} is not a checkpoint that souk has saved; remove it to start anew"


def _check(trainer: Trainer, header: dict[str, Any], path: Path) -> None:
    advice = f"name another file with -o, or remove {path.name} to start anew"
    if header["format"] != FORMAT:
        raise SoukError(f"{path} was written by another version of souk; {advice}")
    for name, value in asdict(trainer.plan).items():
        if (before := header["plan"].get(name)) != value:
            what = "game" if name == "game" else option_flag(name)
            raise SoukError(
                f"{path} belongs to another training: its {what} is {brief(before)}, not "
                f"{brief(value)}; {advice}"
            )
    if not 0 <= header["round"] <= trainer.plan.rounds:
        raise SoukError(_broken(path))
