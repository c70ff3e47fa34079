"""Souk: play, study and research two market games, Marrakech and MarraCash.

>>> import souk
>>> state = souk.load_game("marrakech", players=3).new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['left', 'ahead', 'right']
"""

from typing import TYPE_CHECKING

from souk.analysis import analyse
from souk.engine.errors import BadKnob, BadPosition, IllegalAction, SoukError
from souk.engine.game import Game
from souk.engine.playouts import Playouts, playouts
from souk.engine.state import CHANCE, TERMINAL, State
from souk.games import load_game
from souk.players import player

if TYPE_CHECKING:  # at run time these are the packages, which can be called (`callable_module`)
    from souk.games import names as games
    from souk.players import players

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "BadKnob",
    "BadPosition",
    "Game",
    "IllegalAction",
    "Playouts",
    "SoukError",
    "State",
    "analyse",
    "games",
    "load_game",
    "player",
    "players",
    "playouts",
]
