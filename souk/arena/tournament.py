"""Define a tournament: the game, the players, the pairings and when to stop."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from souk.arena.entrants import Entrant, EntrantLike, parse_entrants
from souk.arena.game_runner import Job
from souk.arena.pairings import Pairing, default_plan, make_pairings
from souk.arena.stopping_rule import StoppingRule
from souk.engine.errors import SoukError, as_int, brief
from souk.engine.game import Game, check_seed

DEFAULT_GAMES = 10_000  # of a pairing at most, when only the stopping rule ends a tournament
MAX_GAMES = 10**7


@dataclass(frozen=True)
class Tournament:
    """The games to play.

    >>> import souk
    >>> game = souk.load_game("marrakech", players=3)
    >>> tournament = Tournament.of(game, ["greedy", "random"], games=9)
    >>> [job.players for job in tournament.jobs(0, tournament.pairings[0])]
    [('greedy', 'random', 'random'), ('random', 'greedy', 'random'), ('random', 'random', 'greedy')]
    >>> tournament.setups
    3
    """

    game: Game
    entrants: tuple[Entrant, ...]
    plan: str
    seed: int
    games: int  # of each pairing at most
    until: StoppingRule | None
    pairings: tuple[Pairing, ...] = field(compare=False)

    @classmethod
    def of(
        cls,
        game: Game,
        players: Sequence[EntrantLike],
        *,
        games: int | None = None,
        seed: int = 1,
        seconds: float | None = None,
        nodes: int | None = None,
        plan: str | None = None,
        until: str | None = None,
    ) -> "Tournament":
        """Return a tournament of some players; raise a SoukError for invalid settings.

        Without `games` the tournament continues until the stopping rule applies, or up to
        DEFAULT_GAMES. Without `until` as well, the rule is `decided`: it stops when each share is
        known to be above or below the fair share.
        """
        if not isinstance(game, Game):
            raise SoukError(f"a tournament needs a game, as load_game gives it, not {brief(game)}")
        entrants = parse_entrants(players, seconds=seconds, nodes=nodes)
        for entrant in entrants:
            entrant.check(game)
        count = as_int(DEFAULT_GAMES if games is None else games)
        if count is None or not 1 <= count <= MAX_GAMES:
            raise SoukError(f"games is a whole number from 1 to {MAX_GAMES}, not {brief(games)}")
        if until is None and games is None:
            until = "decided"
        seats = game.num_players()
        plan = plan or default_plan(len(entrants), seats)
        pairings = make_pairings(plan, [str(entrant) for entrant in entrants], seats)
        rule = None if until is None else StoppingRule.parse(until)
        return cls(game, entrants, plan, check_seed(seed), count, rule, pairings)

    @property
    def players(self) -> tuple[str, ...]:
        """The texts of the entrants."""
        return tuple(str(entrant) for entrant in self.entrants)

    @property
    def setups(self) -> int:
        """The number of setups of each pairing: enough for its games, rounded up."""
        return -(-self.games // self.game.num_players())

    @property
    def total_games(self) -> int:
        """The largest possible number of games."""
        return self.setups * self.game.num_players() * len(self.pairings)

    @property
    def fair_share(self) -> float:
        """The share of the win that equally strong players have."""
        return 1 / self.game.num_players()

    def jobs(self, setup: int, pairing: Pairing) -> list[Job]:
        """Return the games of a pairing on a setup."""
        game = str(self.game)
        return [Job(game, self.seed, setup, seating) for seating in pairing.rotations(setup)]
