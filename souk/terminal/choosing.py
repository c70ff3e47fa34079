"""Which game: from a name or game string and the knobs on the command line."""

from collections.abc import Sequence
from dataclasses import dataclass

from souk.engine.errors import BadKnob
from souk.engine.game import Game
from souk.engine.knobs import Value, parse_game, parse_value
from souk.games import game_class, load_game


@dataclass(frozen=True)
class Wish:
    """What the command line says about the game."""

    text: str  # a name or a game string
    players: int | None = None
    edition: str | None = None
    knobs: Sequence[str] = ()  # name=value

    def game(self, seats: int = 0) -> Game:
        """The game; as many players as seats were named, if nothing else says how many."""
        name, inside = parse_game(self.text)
        kind = game_class(name)
        settings: dict[str, Value] = {}
        if self.players is not None:
            settings["players"] = self.players
        if self.edition is not None:
            settings["edition"] = self.edition
        for text in self.knobs:
            knob, value = _knob(text)
            if knob in settings:
                raise BadKnob(f"{knob} is set twice")
            settings[knob] = value
        has_players = any(knob.name == "players" for knob in kind.knobs)
        if seats > 1 and has_players and "players" not in (*inside, *settings):
            settings["players"] = seats
        return load_game(self.text, **settings)


def _knob(text: str) -> tuple[str, Value]:
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise BadKnob(f"a knob is written name=value, like players=3, not {text!r}")
    value = value.strip()
    if value.lower() in ("true", "false"):
        value = value.capitalize()
    return name.strip(), parse_value(value)
