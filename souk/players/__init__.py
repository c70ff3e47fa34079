"""Computer players: who there is, and how to ask one for a move.

Players know games through the contract alone. Others can add theirs under the entry point group
`souk.players`: a name and a subclass of `Player`.
"""

from importlib.metadata import entry_points

from souk.engine.errors import SoukError, one_of
from souk.engine.game import Game
from souk.games import game_class
from souk.players.greedy import Greedy
from souk.players.player import Analysis, Player
from souk.players.uniform import Uniform

OURS: tuple[type[Player], ...] = (Uniform, Greedy)  # weakest first

__all__ = ["Analysis", "Player", "player", "players"]


def players(game: str) -> list[str]:
    """The names of the computer players of a game, weakest first, then those of others.

    >>> players("marrakech")
    ['random', 'greedy']
    """
    game_class(game)
    return list(_known(game))


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
    known = _known(game.name)
    if name not in known:
        raise SoukError(f"{game.name} has no computer player {name!r}; there is {one_of(known)}")
    return known[name](game, seconds=seconds, nodes=nodes, seed=seed)


def _known(game: str) -> dict[str, type[Player]]:
    known = {kind.name: kind for kind in OURS if kind.plays(game)}
    for entry in entry_points(group="souk.players"):
        kind = entry.load()
        if kind.plays(game):
            known.setdefault(entry.name, kind)
    return known
