"""Computer players: their names, and how to create one.

Players use games through the public API alone. Other packages can add players under the entry
point group `souk.players`: a name and a subclass of `Player`. They are loaded on demand, so a
broken one disturbs nobody.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from souk.engine.callable_module import make_callable
from souk.engine.errors import SoukError, all_of, brief, one_of
from souk.engine.game import Game
from souk.games import game_class
from souk.players.base import Analysis, Player
from souk.players.greedy import Greedy
from souk.players.levels import Expert, Master, Trader
from souk.players.named_player import NamedPlayer
from souk.players.novice import Novice
from souk.players.random_player import Uniform
from souk.players.rollout_trader import RolloutTrader

LEVELS: tuple[type[Player], ...] = (  # weakest first
    Uniform,
    Novice,
    Greedy,
    Trader,
    RolloutTrader,
    Expert,
    Master,
)

__all__ = ["Analysis", "Player", "default_player", "player", "players", "strongest"]


def players(game: str) -> list[str]:
    """Return the names of a game's computer players, weakest first, third-party ones last.

    `souk.players(…)` calls this function.

    >>> players("marrakech")
    ['random', 'novice', 'greedy', 'trader', 'expert', 'master']
    """
    game_class(game)
    return list(dict.fromkeys([*_levels(game), *_third_party()]))


def default_player(game: str) -> str:
    """Return the name of the player that people meet by default: quick and beatable.

    >>> default_player("marrakech")
    'greedy'
    """
    game_class(game)
    return Greedy.name


def strongest(game: str) -> str:
    """Return the name of the strongest level of a game.

    >>> strongest("marrakech")
    'master'
    """
    game_class(game)
    return _levels(game)[-1]


def player(
    name: str,
    game: Game,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int | None = None,
    weights: str | Path | None = None,
) -> Player:
    """Return a computer player of a game by its name.

    Its thinking is limited by seconds or by nodes; with nodes and a seed its play is repeatable.
    `weights` is a file that `souk train` wrote, for players that learn: expert and master. All of
    these may also follow the name: "expert:nodes=500:weights=net.npz".

    >>> import souk
    >>> game = souk.load_game("marrakech")
    >>> state = game.new_initial_state()
    >>> state.action_to_string(player("greedy", game, seed=1).choose(state))
    'left'
    """
    if not isinstance(game, Game):
        raise SoukError(f"a player plays a game, as load_game gives it, not {brief(game)}")
    named = NamedPlayer(name)
    if isinstance(name, str) and ":" in name:
        named = NamedPlayer.parse(name).with_limit(seconds, nodes)
        seconds, nodes = named.seconds, named.nodes
        if weights is not None and named.weights is not None:
            raise SoukError(f"give weights once: {brief(name)} has its own")
    make = player_class(named.name, game)
    return make_player(make, named.name, game, seconds, nodes, seed, named.weights or weights)


def player_class(name: str, game: Game) -> type[Player]:
    """Return the class of a computer player of a game."""
    for kind in LEVELS:  # first: reading entry points takes milliseconds
        if kind.name == name and kind.plays(game.name):
            return kind
    known = players(game.name)
    if name not in known:
        raise SoukError(f"{game.name} has no computer player {brief(name)}; choose {one_of(known)}")
    return _load(_third_party()[name])


def make_player(
    make: Callable[..., Player],
    name: str,
    game: Game,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int | None = None,
    weights: str | Path | None = None,
) -> Player:
    """Return what a player's class, or another function, makes; any failure is a SoukError."""
    if isinstance(make, type) and issubclass(make, Player) and not make.plays(game.name):
        raise SoukError(f"the player {name!r} plays no {game.name}")
    learned = {} if weights is None else {"weights": weights}
    if learned and not getattr(make, "takes_weights", False):
        known = [kind.name for kind in LEVELS if kind.takes_weights and kind.plays(game.name)]
        others = f"those that do are {all_of(known)}" if known else "none of this game does"
        raise SoukError(f"the player {name!r} takes no weights; {others}")
    try:
        made = make(game, seconds=seconds, nodes=nodes, seed=seed, **learned)
    except SoukError:
        raise
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise SoukError(f"the player {name!r} cannot be made: {reason}") from error
    if not isinstance(made, Player):
        raise SoukError(f"the player {name!r} is {brief(made)}, not a souk.players.Player")
    return made


def _levels(game: str) -> list[str]:
    return [kind.name for kind in LEVELS if kind.plays(game)]


def _third_party() -> dict[str, EntryPoint]:
    return _installed_players(tuple(sys.path))


@lru_cache(maxsize=4)  # a server that has no file descriptor left could not read them
def _installed_players(_path: tuple[str, ...]) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="souk.players")}


def _load(entry: EntryPoint) -> type[Player]:
    """Return the class of a third-party player; any failure becomes a SoukError."""
    try:
        kind = entry.load()
    except (Exception, SystemExit) as error:
        raise _broken(entry, error) from error
    if not (isinstance(kind, type) and issubclass(kind, Player)):
        raise _broken(entry, f"{entry.value} is no subclass of souk.players.Player")
    return kind


def _broken(entry: EntryPoint, why: object) -> SoukError:
    reason = f"{type(why).__name__}: {why}" if isinstance(why, BaseException) else why
    package = entry.dist.name if entry.dist else entry.module
    return SoukError(f"the player {entry.name!r} of package {package} cannot be loaded: {reason}")


make_callable(__name__, players)
