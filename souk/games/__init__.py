"""The games: every subpackage is one and exports its class as `game`.

A game imports the engine and `souk.train` only. Adding a game means adding a folder.
"""

import importlib
import pkgutil
from functools import cache

from souk.engine.callable_module import make_callable
from souk.engine.errors import BadKnob, brief, one_of
from souk.engine.game import Game
from souk.engine.knobs import Value, parse_game

FIRST = "marrakech"  # the default game; the only game named outside its folder


def names() -> list[str]:
    """Return the names of all games; `souk.games()` calls this function.

    >>> "marrakech" in names()
    True
    """
    return list(_packages_in(tuple(__path__)))


@cache  # a server that has no file descriptor left could not list a folder
def _packages_in(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(path) if module.ispkg))


def game_class(name: str) -> type[Game]:
    """Return the class of a game by its name."""
    if name not in names():
        raise BadKnob(f"there is no game {brief(name)}; choose {one_of(names())}")
    chosen: type[Game] = importlib.import_module(f"{__name__}.{name}").game
    return chosen


def load_game(text: str, /, **settings: Value) -> Game:
    """Return a game by its name and knobs, or by the string that `str(game)` gives.

    >>> load_game("marrakech", players=2, edition="pergioco")
    souk.load_game('marrakech(players=2,edition=pergioco)')
    >>> load_game("marrakech(players=2,edition=pergioco)").num_players()
    2
    """
    if not isinstance(text, str):
        raise BadKnob(f"a game is named by a text, not {brief(text)}; choose {one_of(names())}")
    name, inside = parse_game(text)
    for knob in settings:
        if knob in inside:
            raise BadKnob(f"{knob} is set twice: in {brief(text)} and beside it")
    return game_class(name)(**inside, **settings)


make_callable(__name__, names)
