"""The trained nets as they are kept, and as a judgement uses them."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from souk.engine.game import Beliefs
from souk.games.marrakech.ai.net import FIRST, SECOND

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent


@cache
def kept(players: int, colours_each: int) -> "NDArray[np.float32]":
    """The weights of the net for so many players, one after the other."""
    import numpy as np

    with np.load(FOLDER / f"{players}-players-{colours_each}-each.npz") as file:
        return np.asarray(file["weights"], np.float32)


def judging(players: int, colours_each: int, beliefs: Beliefs = ()) -> "NDArray[np.float32]":
    """The same with a bias for every seat that has heard how likely each is of which kind."""
    import numpy as np

    weights = kept(players, colours_each)
    at = len(weights) - FIRST - (FIRST + 1) * SECOND - (SECOND + 1) * players
    rows, bias, rest = np.split(weights, [at, at + FIRST])
    biases = np.tile(bias, (players, 1))
    if beliefs:
        others = np.array(beliefs, np.float32)[:, 1:]
        told = rows[-others.size * FIRST :].reshape(*others.shape, FIRST)
        for seat in range(players):
            biases[seat] += np.tensordot(np.roll(others, -seat, axis=0), told, 2)
    return np.concatenate([rows, biases.reshape(-1), rest])
