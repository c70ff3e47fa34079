"""The games that a server hosts, with their knobs and computer players."""

from functools import lru_cache

import msgspec
from msgspec import Struct

from souk.engine.errors import BadKnob, one_of
from souk.engine.game import Game
from souk.engine.knobs import Choice, Flag, FlagOrChoice, Integer, Knob, Text, Value, parse_game
from souk.games import game_class, names
from souk.players import players


class KnobView(Struct, frozen=True, omit_defaults=True):
    """A setting of a game."""

    name: str
    about: str
    kind: str  # whole, choice or flag
    default: Value
    values: tuple[str, ...] = ()  # of a choice
    low: int | None = None
    high: int | None = None
    needs: dict[str, tuple[Value, ...]] = {}  # values of other knobs without which it has no effect


class GameView(Struct, frozen=True):
    """A game, its knobs and its levels."""

    name: str
    title: str  # as people read it
    about: str  # a line in English, maybe empty
    knobs: list[KnobView]
    levels: list[str]  # computer players, weakest first
    languages: list[str]  # of the rules


@lru_cache(maxsize=500)
def hosted_game(text: str, rules: int | None = None) -> Game:
    """Return the game of a game string; refuse knobs that would read a file of the server.

    `rules` is the version of the rules, by default today's.
    """
    name, settings = parse_game(text)
    kind = game_class(name)
    for knob in kind.knobs:
        value = settings.get(knob.name)
        if isinstance(knob, Text) and value is not None and value not in knob.examples:
            raise BadKnob(f"{knob.name} accepts {one_of(knob.examples)} here")
    return kind(**kind.settings_of_version(rules or kind.rules_version, settings))


@lru_cache(maxsize=1)
def game_views() -> list[GameView]:
    """Return every game with its knobs."""
    return [_view(game_class(name)) for name in names()]


@lru_cache(maxsize=100)
def levels(name: str) -> tuple[str, ...]:
    """Return the computer players of a game, weakest first. Looking for packages takes a while."""
    return tuple(players(name))


def board_json(game: Game) -> bytes:
    """Return the board of a game, to be drawn, as JSON."""
    return msgspec.json.encode(game.board_data())


def _view(kind: type[Game]) -> GameView:
    defaults = kind.default_settings({})
    knobs = [_knob(knob, defaults[knob.name]) for knob in kind.knobs]
    computers = list(levels(kind.name))
    return GameView(kind.name, kind.title, kind.about, knobs, computers, kind.languages())


def _knob(knob: Knob, default: Value) -> KnobView:
    name, about, needs = knob.name, knob.about, dict(knob.needs)
    if isinstance(knob, Integer):
        return KnobView(name, about, "whole", default, low=knob.low, high=knob.high, needs=needs)
    if isinstance(knob, Flag):
        return KnobView(name, about, "flag", default, needs=needs)
    assert isinstance(knob, Choice | FlagOrChoice | Text)
    values = knob.examples if isinstance(knob, Text) else knob.values
    return KnobView(name, about, "choice", default, values=values, needs=needs)


def warm_up() -> None:
    """Build every kernel in plain Python, so that no table has to wait for it."""
    for name in names():
        for game in game_class(name).games_for_all_kernels():
            hosted_game(str(game)).new_initial_state(0)
