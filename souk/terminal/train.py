"""`souk train`: trains a net, and shows how it comes along."""

import sys
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.game import check_seed
from souk.terminal.files import INTERRUPTED, FileError, reason
from souk.train.machines import machine
from souk.train.training import Plan, Training


def train(plan: Plan, on: str, out: str) -> int:
    """Train a net and keep it in a file; returns the exit code."""
    check_seed(plan.seed)
    path = Path(out)
    if path.suffix != ".npz":
        raise SoukError(f"a net is kept in a file whose name ends in .npz, not {out!r}")
    _check_writable(path)
    training = Training(plan, machine(on))
    print("Share of the win against copies of the judgement by hand, of the greedy player, and of")
    print("the judgement by hand at the end of the next player's turn:")
    print("round      games   seconds   error   by hand         greedy   two plies")
    try:
        for report in training:
            print(
                f"{report.round:5} {report.games:10,} {report.seconds:9.1f} {report.error:7.3f}"
                f"   {report.share:.3f} ± {report.within:.3f}   {report.against_greedy:.3f}"
                f"    {report.against_two_plies:.3f}",
                flush=True,
            )
            training.save(path)
    except KeyboardInterrupt:
        kept = f"the net of round {training.reports[-1].round}" if training.reports else "nothing"
        print(f"\nStopped: {kept} was kept.", file=sys.stderr)
        return INTERRUPTED
    print(f"The net is in {out}.")
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
