"""The games: ours, one in each subpackage, and those of other packages.

A subpackage exports its class as `game`. Other packages add games under the entry point group
`souk.games`: a name and a subclass of `Game`. A game imports the engine and `souk.train` only.
"""

import importlib
import inspect
import logging
import pkgutil
import sys
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points

from souk.engine.callable_module import make_callable
from souk.engine.errors import BadKnob, SoukError, brief, one_of
from souk.engine.game import MOST_PLAYERS, Game
from souk.engine.knobs import Integer, Value, parse_game

FIRST = "marrakech"  # the default game; the only game named outside its folder

log = logging.getLogger("souk")


def names() -> list[str]:
    """Return the names of all games, third-party ones last; `souk.games()` calls this function.

    A third-party game that cannot be loaded is left out, and a log message says why.

    >>> "marrakech" in names()
    True
    """
    return [*own_names(), *_third_party(tuple(sys.path))]


def own_names() -> list[str]:
    """Return the names of the games in this package."""
    return list(_packages_in(tuple(__path__)))


def game_class(name: str) -> type[Game]:
    """Return the class of a game by its name."""
    if name in own_names():
        own: type[Game] = importlib.import_module(f"{__name__}.{name}").game
        return own
    problems = []
    for entry in _entries(tuple(sys.path)):
        if entry.name == name:
            try:
                return _load(tuple(sys.path), entry)
            except BadKnob as error:
                problems.append(error)
    if problems:
        raise problems[0]
    raise BadKnob(f"there is no game {brief(name)}; choose {one_of(names())}")


def installed_names() -> list[str]:
    """Return the names of third-party games without loading them; some may be broken."""
    return [entry.name for entry in _entries(tuple(sys.path))]


@cache  # a server that has no file descriptor left could not list a folder
def _packages_in(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(path) if module.ispkg))


@lru_cache(maxsize=4)
def _third_party(path: tuple[str, ...]) -> list[str]:
    """Return the third-party games that can be loaded, and log why others cannot."""
    games: list[str] = []
    for entry in _entries(path):
        try:
            if entry.name in (*own_names(), *games):
                raise _broken(entry, "there is another game of this name")
            _load(path, entry)
            games.append(entry.name)
        except SoukError as error:
            log.warning("souk: %s", error)
    return games


@lru_cache(maxsize=4)
def _entries(_path: tuple[str, ...]) -> list[EntryPoint]:
    return sorted(entry_points(group="souk.games"), key=lambda entry: entry.name)


@lru_cache(maxsize=100)
def _load(_path: tuple[str, ...], entry: EntryPoint) -> type[Game]:
    """Return the class of a third-party game; any failure becomes a BadKnob."""
    try:
        kind = entry.load()
        if not (isinstance(kind, type) and issubclass(kind, Game)):
            raise SoukError(f"{entry.value} is no subclass of souk.Game")
        if inspect.isabstract(kind):
            raise SoukError(f"{kind.__name__} does not define {one_of(kind.__abstractmethods__)}")
        players = {knob.name: knob for knob in kind.knobs}.get("players")
        if not (isinstance(players, Integer) and players.low >= 2 and players.high <= MOST_PLAYERS):
            raise SoukError(f"it has no knob `players`, an Integer within 2 and {MOST_PLAYERS}")
        if kind.name != entry.name:
            raise SoukError(f"{kind.__name__}.name is {kind.name!r}")
        game = kind()
        parse_game(str(game))  # refuses a name that cannot be read
        game.new_initial_state(0)
        if "en" not in game.languages():
            raise SoukError("it has no rulebook/en.md")
        game.rulebook()
    except SoukError as error:
        raise _broken(entry, str(error)) from error
    except (Exception, SystemExit) as error:
        raise _broken(entry, f"{type(error).__name__}: {error}") from error
    return kind


def _broken(entry: EntryPoint, reason: str) -> BadKnob:
    package = entry.dist.name if entry.dist else entry.module
    return BadKnob(f"the game {entry.name!r} of package {package} cannot be loaded: {reason}")


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
