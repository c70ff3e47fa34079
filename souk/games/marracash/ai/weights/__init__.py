"""The weights of the judgements of MarraCash, by name: what a person guessed, what games taught.

This folder holds them: `heuristic.json` the first guesses; one file for each number of
players what `souk train` has fitted to games, and how.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from souk.games.marracash.ai import heuristic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent
NAMES = ("hand", "fitted")  # the simplest first
# What each place of W is called in a file; some take several places.
PLACES = (
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


def of(judgement: str, players: int) -> "NDArray[np.float32]":
    """The weights of a judgement for so many players."""
    file = "heuristic.json" if judgement == "hand" else f"{players}-players.json"
    return from_names(_content(FOLDER / file)["weights"])


def from_names(named: Mapping[str, list[float]]) -> "NDArray[np.float32]":
    """Weights as the kernel takes them."""
    import numpy as np

    return np.array([value for name in PLACES for value in named[name]], np.float32)


def to_names(weights: "NDArray[np.float32]") -> dict[str, list[float]]:
    """Weights by name, for a file.

    >>> to_names(of("hand", 4))["BY_STEPS"]
    [1.0, 0.5, 0.25, 0.12, 0.08]
    """
    firsts = [getattr(heuristic, name) for name in PLACES]
    ends = [*firsts[1:], heuristic.WEIGHTS]
    return {
        name: [float(f"{value:.4g}") for value in weights[first:end]]
        for name, first, end in zip(PLACES, firsts, ends, strict=True)
    }


@cache
def _content(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content
