"""Computer players: who there is, and how to ask one for a move.

Players know games through the contract alone. Others can add theirs under the entry point group
`souk.players`: a name and a subclass of `Player`. Theirs are loaded when they are asked for, so
one that is broken is in nobody's way.
"""

from importlib.metadata import EntryPoint, entry_points

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.game import Game
from souk.games import game_class
from souk.players.greedy import Greedy
from souk.players.levels import Expert, Master, Trader
from souk.players.novice import Novice
from souk.players.player import Analysis, Player
from souk.players.random_player import Uniform

OURS: tuple[type[Player], ...] = (  # weakest first
    Uniform,
    Novice,
    Greedy,
    Trader,
    Expert,
    Master,
)

__all__ = ["Analysis", "Player", "friendly", "player", "players", "strongest"]


def players(game: str) -> list[str]:
    """The names of the computer players of a game, weakest first, then those of others.

    >>> players("marrakech")
    ['random', 'novice', 'greedy', 'trader', 'expert', 'master']
    """
    game_class(game)
    return list(dict.fromkeys([*_ours(game), *_theirs()]))


def friendly(game: str) -> str:
    """The name of the player that one meets without asking for another: quick, and can be beaten.

    >>> friendly("marrakech")
    'greedy'
    """
    game_class(game)
    return Greedy.name


def strongest(game: str) -> str:
    """The name of the strongest of our own players of a game.

    >>> strongest("marrakech")
    'master'
    """
    game_class(game)
    return list(_ours(game))[-1]


def player(
    name: str,
    game: Game,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int | None = None,
) -> Player:
    """A computer player of a game, by its name.

    It thinks for so many seconds, or looks at so many nodes: then its play can be repeated.

    >>> import souk
    >>> game = souk.load_game("marrakech")
    >>> state = game.new_initial_state()
    >>> state.action_to_string(player("greedy", game, seed=1).choose(state))
    'left'
    """
    if not isinstance(game, Game):
        raise SoukError(f"a player plays a game, as load_game gives it, not {brief(game)}")
    for kind in OURS:  # first: to look for those of others takes milliseconds
        if kind.name == name and kind.plays(game.name):
            return kind(game, seconds=seconds, nodes=nodes, seed=seed)
    known = players(game.name)
    if name not in known:
        raise SoukError(
            f"{game.name} has no computer player {brief(name)}; there is {one_of(known)}"
        )
    entry = _theirs()[name]
    kind = _loaded(entry)
    if not kind.plays(game.name):
        raise SoukError(f"the player {name!r} of package {_package(entry)} plays no {game.name}")
    try:
        return kind(game, seconds=seconds, nodes=nodes, seed=seed)
    except SoukError:
        raise
    except Exception as error:
        raise _broken(entry, error) from error


def _ours(game: str) -> dict[str, type[Player]]:
    return {kind.name: kind for kind in OURS if kind.plays(game)}


def _theirs() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="souk.players")}


def _loaded(entry: EntryPoint) -> type[Player]:
    """The class of another's player; whatever is wrong with it is a sentence."""
    try:
        kind = entry.load()
    except Exception as error:
        raise _broken(entry, error) from error
    if not (isinstance(kind, type) and issubclass(kind, Player)):
        raise _broken(entry, f"{entry.value} is no subclass of souk.players.Player")
    return kind


def _broken(entry: EntryPoint, why: object) -> SoukError:
    told = f"{type(why).__name__}: {why}" if isinstance(why, Exception) else why
    return SoukError(
        f"the player {entry.name!r} of package {_package(entry)} cannot be loaded: {told}"
    )


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module
