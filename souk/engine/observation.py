"""Compute the observations of single states in compiled code."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from souk.engine.errors import SoukError, as_int, brief
from souk.engine.kernel import targets
from souk.engine.kernel.source import Kernel
from souk.engine.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from souk.engine.game import Game


def batch_kernel(game: "Game") -> Any:
    """Return the compiled kernel of a game with the driver that steps batches."""
    return targets.numba_kernel(game.kernel, game.constants(), batch_driver(game))


def batch_driver(game: "Game") -> Kernel:
    """Return the driver that steps batches of a game."""
    return (*game.observation_kernel, *game.reduced_actions_kernel, *targets.BATCH_LOOP)


@lru_cache(maxsize=100)
def _observer(game: "Game") -> tuple[Any, int]:
    return batch_kernel(game).observe_buffer, game.observation_tensor_shape()[0]


def observation_tensor(state: State, seat: int | None) -> "NDArray[np.float32]":
    """Return what a seat sees, by default the player to move."""
    import numpy as np

    game = state.game
    if seat is None:
        mover = state.current_player()
        seat = mover if mover >= 0 else game.turn_of(state.buffer)
    number = as_int(seat)
    if number is None or not 0 <= number < game.num_players():
        raise SoukError(f"seats are numbered 0 to {game.num_players() - 1}, not {brief(seat)}")
    observe, size = _observer(game)
    tensor = np.empty(size, np.float32)
    observe(np.array(state.buffer, np.int64), number, tensor)
    return tensor
