"""The weights of MarraCash's evaluations, by name.

This folder holds them: `heuristic.json` has a person's estimates; the file for a number of players
has what `souk train` fitted to self-play, and how.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from souk.engine.errors import SoukError
from souk.games.marracash.ai import heuristic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent
EVALUATIONS = ("heuristic", "fitted")  # the simplest first
MOST_WEIGHT = 1e6
SLOW, FAST = 1.0, 5.0  # limits of PER_TURN
# The names of the slots of W in a file; some take several slots.
SLOTS = (
    "BY_STEPS",
    "BY_WAIT",
    "NO_TURN",
    "BY_RANK",
    "LOST",
    "LOST_ALWAYS",
    "LOST_QUEUE",
    "LOST_QUEUE_ALWAYS",
    "UNOWNED",
    "UNOWNED_QUEUE",
    "EARNED",
    "PER_CUSTOMER",
    "SPREAD",
    "BUYING",
    "SIGN",
    "TEMPO",
    "PER_TURN",
    "CLOSE",
    "CLOSE_ROOT",
    "UNSURE",
    "CARDS",
)


def load(evaluation: str, players: int) -> "NDArray[np.float32]":
    """Return the weights of an evaluation for a number of players."""
    file = "heuristic.json" if evaluation == "heuristic" else f"{players}-players.json"
    return from_names(_content(FOLDER / file)["weights"])


def from_names(named: Mapping[str, list[float]]) -> "NDArray[np.float32]":
    """Return weights as the kernel reads them."""
    import numpy as np

    return np.array([value for name in SLOTS for value in named[name]], np.float32)


def to_names(weights: "NDArray[np.float32]") -> dict[str, list[float]]:
    """Return weights by name, for a file.

    >>> to_names(load("heuristic", 4))["BY_STEPS"]
    [1.0, 0.5, 0.25, 0.12, 0.08]
    """
    firsts = [getattr(heuristic, name) for name in SLOTS]
    ends = [*firsts[1:], heuristic.WEIGHTS]
    return {
        name: [float(f"{value:.4g}") for value in weights[first:end]]
        for name, first, end in zip(SLOTS, firsts, ends, strict=True)
    }


class WeightsFile(msgspec.Struct):
    """The content of a file of weights."""

    weights: dict[str, list[float]]
    about: dict[str, Any] | None = None


def parse(data: bytes, file: str) -> "tuple[NDArray[np.float32], dict[str, Any] | None]":
    """Return the weights in the content of a file, and how they were fitted.

    Any number of players can use them: all have the same weights.
    """
    try:
        content = msgspec.json.decode(data, type=WeightsFile)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise SoukError(f"{file} is not a file of weights that souk has saved") from None
    estimates = to_names(load("heuristic", 3))
    if {name: len(many) for name, many in content.weights.items()} != {
        name: len(many) for name, many in estimates.items()
    }:
        raise SoukError(f"{file} does not have the {heuristic.WEIGHTS} weights of marracash")
    for name, many in content.weights.items():
        for weight in many:
            if not abs(weight) < MOST_WEIGHT or (name == "PER_TURN" and weight < SLOW):
                raise SoukError(f"{file} has {name} {weight:g}, which makes no sense")
    return from_names(content.weights), content.about


@cache
def _content(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content
