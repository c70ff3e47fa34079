"""The arena: measure how strong computer players are by tournaments between them.

The arena knows games and players only through their public interface. `compete` plays a tournament
and returns its standings; `Tournament` and `TournamentRunner` do the same in steps. `simulate`
plays many games between the same players. `souk arena` and `souk simulate` are the commands.
"""

from dataclasses import replace
from pathlib import Path

from souk.arena.entrants import Entrant, EntrantLike
from souk.arena.game_runner import GameResult, PlayerFailed
from souk.arena.progress_display import show_progress
from souk.arena.simulation import simulate
from souk.arena.simulation_summary import SimulationSummary
from souk.arena.standings import Standings
from souk.arena.stopping_rule import StoppingRule
from souk.arena.tournament import Tournament
from souk.arena.tournament_runner import TournamentRunner
from souk.arena.worker_pool import PATIENCE
from souk.engine.callable_module import make_callable
from souk.engine.game import Game
from souk.games import load_game

__all__ = [
    "Entrant",
    "GameResult",
    "PlayerFailed",
    "SimulationSummary",
    "Standings",
    "StoppingRule",
    "Tournament",
    "TournamentRunner",
    "compete",
    "simulate",
]


def compete(
    game: Game | str,
    *players: EntrantLike,
    games: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    plan: str | None = None,
    until: str | None = None,
    results: str | Path | None = None,
    records: str | Path | None = None,
    workers: int | None = None,
    ray: str | None = None,
    patience: float = PATIENCE,
) -> Standings:
    """Play a tournament and return its standings; `souk.arena(…)` calls this function.

    A player is a name as on the command line (`greedy`, `master:seconds=0.1`), a subclass of
    `souk.players.Player`, or a pair of a name and a class or function that makes players. `games`
    is the number of games per pairing, rounded up to whole setups; `until` is the stopping rule
    that may end it earlier. With `results` every game is saved in a file, and games that the file
    has already are not played again; with `records` the records of all games are added to a file.
    Ctrl-C ends the tournament early. docs/arena.md explains the numbers.

    >>> import souk
    >>> class First(souk.players.Player):
    ...     def think(self, state, actions):
    ...         return actions[0]
    >>> standings = souk.arena("marrakech(players=2,rugs=2)", "greedy", First, games=20)
    >>> standings.games, standings.share("greedy", "First").share > 0.5
    (20, True)
    >>> [(rating.player, rating.rating < 0) for rating in standings.ratings]
    [('greedy', False), ('First', True)]
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
    with TournamentRunner(
        tournament,
        results=None if results is None else Path(results),
        records=None if records is None else Path(records),
        workers=workers,
        ray=ray,
        patience=patience,
    ) as runner:
        is_interrupted = False
        try:
            with show_progress(runner) as update:
                for _ in runner.play():
                    update()
        except KeyboardInterrupt:  # or a notebook would lose all games
            is_interrupted = True
        return replace(runner.standings(), is_interrupted=is_interrupted)


make_callable(__name__, compete)
