"""Load the game that the command line names."""

from collections.abc import Sequence
from dataclasses import dataclass

from souk.engine.errors import BadKnob
from souk.engine.game import Game
from souk.engine.knobs import Integer, Text, Value, parse_game, parse_value
from souk.games import FIRST, game_class, load_game, names
from souk.players import players


@dataclass(frozen=True)
class GameChoice:
    """The options that choose the game."""

    text: str  # a name or a game string
    players: int | None = None
    knobs: Sequence[str] = ()  # name=value

    def game(self, seats: int = 0) -> Game:
        """Return the game.

        If nothing else gives the number of players, it is the number of seats that were named,
        where the game allows it.
        """
        name, inside = parse_game(self.text)
        kind = game_class(name)
        settings: dict[str, Value] = {}
        if self.players is not None:
            settings["players"] = self.players
        for text in self.knobs:
            name, value = _parse_knob(text, kind)
            if name in settings:
                raise BadKnob(f"{name} is set twice")
            settings[name] = value
        if "players" not in (*inside, *settings) and _is_enough(seats, kind):
            settings["players"] = seats
        return load_game(self.text, **settings)


def is_game(word: str) -> bool:
    """Return whether a word of a command line names a game, and no player of the same name."""
    return word.partition("(")[0] in names() and word not in players(FIRST)


def _parse_knob(text: str, kind: type[Game]) -> tuple[str, Value]:
    """Parse name=value."""
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if not (name and equals):
        raise BadKnob(f"a knob is written name=value, like players=3, not {text!r}")
    if any(knob.name == name and isinstance(knob, Text) for knob in kind.knobs):
        return name, value  # any text may be a path
    return name, parse_value(value.capitalize() if value.lower() in ("true", "false") else value)


def _is_enough(seats: int, kind: type[Game]) -> bool:
    """Return whether the number of seats named sets the number of players.

    With fewer seats than the game needs, the other seats get default players instead.
    """
    return seats > 1 and any(
        knob.name == "players" and isinstance(knob, Integer) and seats >= knob.low
        for knob in kind.knobs
    )
