"""The arena: how strong computer players are, measured by letting them play each other.

Knows games and players only through the contract. `compete` plays a tournament and returns how it
stands; `Tournament` and `Match` do the same in steps. `souk arena` is the command for it.
"""

from pathlib import Path

from souk.arena.entrants import Entrant
from souk.arena.game_runner import Played, PlayerFailed
from souk.arena.match import Match
from souk.arena.standings import Standing
from souk.arena.tournament import Question, Tournament
from souk.arena.worker_pool import PATIENCE
from souk.engine.game import Game
from souk.games import load_game

__all__ = [
    "Entrant",
    "Match",
    "Played",
    "PlayerFailed",
    "Question",
    "Standing",
    "Tournament",
    "compete",
]


def compete(
    game: Game | str,
    *players: str | Entrant,
    games: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    plan: str | None = None,
    until: str | None = None,
    results: str | Path | None = None,
    workers: int | None = None,
    ray: str | None = None,
    patience: float = PATIENCE,
) -> Standing:
    """Let players play a tournament, and return how they did.

    Players are named as on the command line: `greedy`, `master:seconds=0.1`, `master:nodes=2000`.
    `games` is how many each pairing plays, rounded up to whole setups; `until` is the question
    that ends it earlier. With `results` every game is kept in a file, and what is in it already
    is not played again. docs/arena.md says what the numbers mean.

    >>> from souk import arena
    >>> found = arena.compete("marrakech(players=2,rugs=2)", "greedy", "random", games=20)
    >>> found.games, found.share("greedy", "random").share > 0.5
    (20, True)
    >>> [(rating.player, rating.rating < 0) for rating in found.ratings]
    [('greedy', False), ('random', True)]
    """
    tournament = Tournament.of(
        load_game(game) if isinstance(game, str) else game,
        players,
        games=games,
        seed=seed,
        seconds=seconds,
        nodes=nodes,
        plan=plan,
        until=until,
    )
    path = None if results is None else Path(results)
    with Match(tournament, results=path, workers=workers, ray=ray, patience=patience) as match:
        for _ in match.play():
            pass
        return match.standing()
