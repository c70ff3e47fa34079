"""Environments for learning code, in Gymnasium, PettingZoo and OpenSpiel.

Importing this package registers a Gymnasium environment for every game: `souk/<title>-v0`, with the
letters and digits of the title. Import `souk.envs.pettingzoo` and `souk.envs.open_spiel` for the
others.
"""

import re
from importlib.util import find_spec

from souk.games import game_class, names

__all__ = ["register"]


def gymnasium_id(game: str) -> str:
    """Return the id of a game's Gymnasium environment; ids have neither spaces nor punctuation."""
    return f"souk/{re.sub(r'[^a-zA-Z0-9]', '', game_class(game).title) or game}-v0"


def register() -> None:
    """Register the Gymnasium environments that are not registered yet."""
    import gymnasium

    for game in names():
        id = gymnasium_id(game)
        if id not in gymnasium.registry:
            gymnasium.register(
                id,
                entry_point="souk.envs.gymnasium:SeatEnv",
                vector_entry_point="souk.envs.gymnasium:SeatVectorEnv",
                kwargs={"game": game},
            )


if find_spec("gymnasium"):  # OpenSpiel does not need it
    register()
