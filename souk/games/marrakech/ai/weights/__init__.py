"""The weights of the nets: as this folder stores them, and as the search needs them."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from souk.engine.game import Beliefs
from souk.games.marrakech.ai.net import HIDDEN_1, HIDDEN_2

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent


@cache
def load(players: int, colours_each: int) -> "NDArray[np.float32]":
    """Return the weights of a net as one array, layer by layer."""
    import numpy as np

    with np.load(FOLDER / f"{players}-players-{colours_each}-each.npz") as file:
        return np.asarray(file["weights"], np.float32)


def for_search(players: int, colours_each: int, beliefs: Beliefs = ()) -> "NDArray[np.float32]":
    """Return the weights with a bias for every seat, the opponent inputs added to it."""
    import numpy as np

    weights = load(players, colours_each)
    at = len(weights) - HIDDEN_1 - (HIDDEN_1 + 1) * HIDDEN_2 - (HIDDEN_2 + 1) * players
    rows, bias, rest = np.split(weights, [at, at + HIDDEN_1])
    biases = np.tile(bias, (players, 1))
    if beliefs:
        others = np.array(beliefs, np.float32)[:, 1:]
        opponent_rows = rows[-others.size * HIDDEN_1 :].reshape(*others.shape, HIDDEN_1)
        for seat in range(players):
            biases[seat] += np.tensordot(np.roll(others, -seat, axis=0), opponent_rows, 2)
    return np.concatenate([rows, biases.reshape(-1), rest])
