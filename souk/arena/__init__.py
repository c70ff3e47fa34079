"""The arena: measure how strong computer players are by tournaments between them.

The arena knows games and players only through their public interface. `compete` plays a tournament
and returns its standings; `Tournament` and `TournamentRunner` do the same in steps. `souk arena` is
the command for it, and `souk simulate` plays a `Simulation`.
"""

from pathlib import Path

from souk.arena.entrants import Entrant
from souk.arena.game_runner import GameResult, PlayerFailed
from souk.arena.standings import Standings
from souk.arena.stopping_rule import StoppingRule
from souk.arena.tournament import Tournament
from souk.arena.tournament_runner import TournamentRunner
from souk.arena.worker_pool import PATIENCE
from souk.engine.game import Game
from souk.games import load_game

__all__ = [
    "Entrant",
    "GameResult",
    "PlayerFailed",
    "Standings",
    "StoppingRule",
    "Tournament",
    "TournamentRunner",
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
) -> Standings:
    """Play a tournament and return its standings.

    Players are named as on the command line: `greedy`, `master:seconds=0.1`, `master:nodes=2000`.
    `games` is the number of games per pairing, rounded up to whole setups; `until` is the stopping
    rule that may end it earlier. With `results` every game is saved in a file, and games that the
    file has already are not played again. docs/arena.md explains the numbers.

    >>> from souk import arena
    >>> standings = arena.compete("marrakech(players=2,rugs=2)", "greedy", "random", games=20)
    >>> standings.games, standings.share("greedy", "random").share > 0.5
    (20, True)
    >>> [(rating.player, rating.rating < 0) for rating in standings.ratings]
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
    runner = TournamentRunner(tournament, results=path, workers=workers, ray=ray, patience=patience)
    with runner:
        for _ in runner.play():
            pass
        return runner.standings()
