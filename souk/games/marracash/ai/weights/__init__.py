"""The weights of MarraCash's evaluations.

This folder holds them. `heuristic.json` has a person's estimates of the heuristic's weights;
`fitted.json` those that were fitted to self-play by least squares, where the training of a net
starts. The nets are by the number of players.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from souk.engine.errors import SoukError
from souk.train.weights_file import read_net

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent


@cache
def load(evaluation: str, players: int) -> "NDArray[np.float32]":
    """Return the weights of an evaluation for a number of players."""
    if evaluation == "heuristic":
        return load_heuristic("heuristic")
    file = FOLDER / f"{players}-players.npz"
    return read_net(file.read_bytes(), file.name)[0]


def load_heuristic(name: str) -> "NDArray[np.float32]":
    """Return weights of the heuristic: `heuristic` or `fitted`."""
    import numpy as np

    named = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return np.array([value for values in named.values() for value in values], np.float32)


def parse(data: bytes, file: str, players: int) -> "tuple[NDArray[np.float32], dict[str, Any]]":
    """Return the weights in the content of a file of a net, and how they were trained."""
    weights, about = read_net(data, file)
    size = len(load("net", players))
    if weights.shape != (size,):
        raise SoukError(
            f"{file} has a net of {weights.size:,} weights for {about['plan']['game']}; that of "
            f"marracash with {players} players has {size:,}"
        )
    return weights, about
