"""Souk: play, study and research two market games, Marrakech and MarraCash.

>>> import souk
>>> state = souk.load_game("marrakech", players=3).new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['left', 'ahead', 'right']
"""

import importlib
from typing import TYPE_CHECKING

from souk.analysis import Rollout, analyse, rollout
from souk.engine.batch import Batch, batch
from souk.engine.errors import BadKnob, BadPosition, IllegalAction, SoukError
from souk.engine.game import Game
from souk.engine.playouts import Playouts, playouts
from souk.engine.state import CHANCE, TERMINAL, State
from souk.games import load_game
from souk.players import player

if TYPE_CHECKING:  # at run time these are the packages, which can be called (`callable_module`)
    from types import ModuleType

    from souk.arena import compete as arena
    from souk.games import names as games
    from souk.players import players
else:

    def __getattr__(name: str) -> "ModuleType":
        """Import `souk.arena` when it is first used: it takes longer than all the rest."""
        if name == "arena":
            return importlib.import_module("souk.arena")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__version__ = "0.2.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "BadKnob",
    "BadPosition",
    "Batch",
    "Game",
    "IllegalAction",
    "Playouts",
    "Rollout",
    "SoukError",
    "State",
    "analyse",
    "arena",
    "batch",
    "games",
    "load_game",
    "player",
    "players",
    "playouts",
    "rollout",
]
