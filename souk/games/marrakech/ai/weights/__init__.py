"""The weights of the nets: as this folder stores them, and as the search needs them."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from souk.engine.errors import SoukError
from souk.engine.game import Beliefs
from souk.games.marrakech.ai.net import HIDDEN_1, HIDDEN_2
from souk.train.weights_file import read_net

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


def parse(
    data: bytes, file: str, players: int, colours_each: int
) -> "tuple[NDArray[np.float32], dict[str, Any]]":
    """Return the weights in the content of a file of a net, and how they were trained."""
    weights, about = read_net(data, file)
    size = len(load(players, colours_each))
    if weights.shape != (size,):
        colours = "one colour each" if colours_each == 1 else f"{colours_each} colours each"
        trained_for = about["plan"]["game"]
        raise SoukError(
            f"{file} has a net of {weights.size:,} weights for {trained_for}; that of {players} "
            f"players with {colours} has {size:,}"
        )
    return weights, about


def for_search(
    weights: "NDArray[np.float32]", players: int, beliefs: Beliefs = ()
) -> "NDArray[np.float32]":
    """Return the weights with a bias for every seat, the opponent inputs added to it."""
    import numpy as np

    at = len(weights) - HIDDEN_1 - (HIDDEN_1 + 1) * HIDDEN_2 - (HIDDEN_2 + 1) * players
    rows, bias, rest = np.split(weights, [at, at + HIDDEN_1])
    biases = np.tile(bias, (players, 1))
    if beliefs:
        others = np.array(beliefs, np.float32)[:, 1:]
        opponent_rows = rows[-others.size * HIDDEN_1 :].reshape(*others.shape, HIDDEN_1)
        for seat in range(players):
            biases[seat] += np.tensordot(np.roll(others, -seat, axis=0), opponent_rows, 2)
    return np.concatenate([rows, biases.reshape(-1), rest])
