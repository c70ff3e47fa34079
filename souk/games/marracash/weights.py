"""The weights of the judgements of MarraCash, by name: what a person guessed, what games taught.

`weights.json` holds them. Those called `hand` are the first guesses; those called `fitted` were
fitted to games by `souk.train.marracash`, apart for each number of players.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from souk.games.marracash import hand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = Path(__file__).with_name("weights.json")
NAMES = ("hand", "fitted")  # the simplest first
# What each place of W is called in the file; some take several places.
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


def of(judgement: str, players: int) -> "NDArray[np.float32] | None":
    """The weights of a judgement for so many players; None if there are none."""
    known = _all().get(judgement, {})
    named = known.get(str(players), known.get("any"))
    return None if named is None else from_names(named)


def from_names(named: Mapping[str, list[float]]) -> "NDArray[np.float32]":
    """Weights as the kernel takes them."""
    import numpy as np

    return np.array([value for name in PLACES for value in named[name]], np.float32)


def to_names(weights: "NDArray[np.float32]") -> dict[str, list[float]]:
    """Weights by name, for the file.

    >>> to_names(of("hand", 4))["BY_STEPS"]
    [1.0, 0.5, 0.25, 0.12, 0.08]
    """
    firsts = [getattr(hand, name) for name in PLACES]
    ends = [*firsts[1:], hand.WEIGHTS]
    return {
        name: [float(f"{value:.4g}") for value in weights[first:end]]
        for name, first, end in zip(PLACES, firsts, ends, strict=True)
    }


@cache
def _all() -> dict[str, dict[str, dict[str, list[float]]]]:
    content: dict[str, dict[str, dict[str, list[float]]]] = json.loads(FILE.read_text("utf-8"))
    return content
