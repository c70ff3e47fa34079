"""Environments for learning code, in Gymnasium, PettingZoo and OpenSpiel.

Importing this package registers a Gymnasium environment for every game: `souk/<title>-v0`. Import
`souk.envs.pettingzoo` and `souk.envs.open_spiel` for the others.
"""

from importlib.util import find_spec

from souk.games import game_class, names

__all__ = ["register"]


def register() -> None:
    """Register the Gymnasium environments that are not registered yet."""
    import gymnasium

    for game in names():
        id = f"souk/{game_class(game).title}-v0"
        if id not in gymnasium.registry:
            gymnasium.register(
                id,
                entry_point="souk.envs.gymnasium:SeatEnv",
                vector_entry_point="souk.envs.gymnasium:SeatVectorEnv",
                kwargs={"game": game},
            )


if find_spec("gymnasium"):  # OpenSpiel does not need it
    register()
