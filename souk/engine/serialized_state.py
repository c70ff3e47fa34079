"""States as text: the position that a game started from, and the actions since."""

import json
from typing import TYPE_CHECKING

from souk.engine.errors import SoukError, brief

if TYPE_CHECKING:
    from souk.engine.game import Game
    from souk.engine.state import State


def write(start: "State", history: list[int]) -> str:
    """Return the text of a game that started from a position and went on with some actions."""
    return json.dumps({"start": start.to_dict(), "history": history}, separators=(",", ":"))


def read(game: "Game", text: str) -> "State":
    """Return the state of a text."""
    try:
        stored = json.loads(text)
        start, history = stored["start"], stored["history"]
        if not (isinstance(start, dict) and isinstance(history, list)):
            raise TypeError
    except (ValueError, TypeError, KeyError, RecursionError):
        message = f"not a text of State.serialize: {brief(text)}"
        raise SoukError(message) from None
    if start.get("game") != str(game):
        raise SoukError(f"this is a state of {brief(start.get('game'))}, not of {game}")
    state = game.state_from_dict(start)
    for action in history:
        state.apply_action(action)
    return state
