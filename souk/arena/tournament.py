"""A tournament: which games there are, which of them are still to be played, and when it is over.

It ends after so many games of each pairing, or when its question is answered. What was played is
counted setup by setup, in their order: a setup counts when all before it are complete. Otherwise
short games would count before long ones and bend the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from souk.arena.entrants import Entrant, entrants
from souk.arena.game_runner import Job, Played
from souk.arena.intervals import Wager
from souk.arena.seating import Pairing, pairings, usual_plan
from souk.engine.errors import SoukError, as_int, brief
from souk.engine.game import Game, check_seed

ERROR = 0.05  # of all answers of a tournament together
CEILING = 10_000  # games of a pairing, when only the question says when to stop
MOST_GAMES = 10**7


@dataclass(frozen=True)
class Question:
    """What a tournament is to find out about every share of the win.

    >>> Question.parse("share=0.86")
    Question(kind='share', value=0.86)
    """

    kind: str  # decided, share or width
    value: float | None = None

    @classmethod
    def parse(cls, text: str) -> "Question":
        """A question as it is written: decided, share=S or width=W."""
        kind, equals, value = text.partition("=")
        try:
            if text == "decided":
                return cls("decided")
            if kind in ("share", "width") and equals and 0 < float(value) < 1:
                return cls(kind, float(value))
        except ValueError:
            pass
        raise SoukError(
            "a question is decided, share=0.6 (above or below?) or width=0.04 (of the intervals), "
            f"with a number between 0 and 1, not {brief(text)}"
        )

    def __str__(self) -> str:
        return self.kind if self.value is None else f"{self.kind}={self.value:g}"

    def answer(self, means: Sequence[float], fair: float, error: float) -> str | None:
        """The answer that the setups so far give: above, below, or known; None if none yet."""
        wager = Wager(means, error)
        if self.kind == "width":
            found = wager.interval()
            assert self.value is not None
            return "known" if found.high - found.low <= self.value else None
        value = fair if self.value is None else self.value
        if wager.is_above(value):
            return "above"
        return "below" if wager.is_below(value) else None


@dataclass(frozen=True)
class Tournament:
    """The games that are to be played.

    >>> import souk
    >>> cup = Tournament.of(souk.load_game("marrakech", players=3), ["greedy", "random"], games=9)
    >>> [job.seats for job in cup.jobs(0, cup.pairings[0])]
    [('greedy', 'random', 'random'), ('random', 'greedy', 'random'), ('random', 'random', 'greedy')]
    >>> cup.setups
    3
    """

    game: Game
    entrants: tuple[Entrant, ...]
    plan: str
    seed: int
    games: int  # of each pairing at most
    question: Question | None  # that ends it earlier
    pairings: tuple[Pairing, ...] = field(compare=False)

    @classmethod
    def of(
        cls,
        game: Game,
        players: Sequence[str | Entrant],
        *,
        games: int | None = None,
        seed: int = 1,
        seconds: float | None = None,
        nodes: int | None = None,
        plan: str | None = None,
        until: str | None = None,
    ) -> "Tournament":
        """A tournament of some players; what cannot be is refused.

        Without `games` it goes on until the question is answered, or to a ceiling; without
        `until` as well the question is whether each share is above or below the fair one.
        """
        chosen = entrants(players, seconds=seconds, nodes=nodes)
        for one in set(chosen):
            one.player(game)
        count = as_int(CEILING if games is None else games)
        if count is None or not 1 <= count <= MOST_GAMES:
            raise SoukError(f"games is a whole number from 1 to {MOST_GAMES}, not {brief(games)}")
        if until is None and games is None:
            until = "decided"
        seats = game.num_players()
        plan = plan or usual_plan(len(chosen), seats)
        found = pairings(plan, [str(one) for one in chosen], seats)
        question = None if until is None else Question.parse(until)
        return cls(game, chosen, plan, check_seed(seed), count, question, found)

    @property
    def players(self) -> tuple[str, ...]:
        """Those who take part, by their texts."""
        return tuple(str(one) for one in self.entrants)

    @property
    def setups(self) -> int:
        """How many setups each pairing is played on: as many as make the games, or a few more."""
        return -(-self.games // self.game.num_players())

    @property
    def all_games(self) -> int:
        """How many games there are at most."""
        return self.setups * self.game.num_players() * len(self.pairings)

    @property
    def fair(self) -> float:
        """The share that equals would have."""
        return 1 / self.game.num_players()

    def jobs(self, setup: int, pairing: Pairing) -> list[Job]:
        """The games of a pairing on a setup."""
        game = str(self.game)
        return [Job(game, self.seed, setup, seats) for seats in pairing.rotations(setup)]


@dataclass
class Series:
    """A share of the win, setup by setup."""

    player: str
    against: str
    tables: tuple[Pairing, ...]  # where it is seen
    means: list[float] = field(default_factory=list)  # over the games of each setup
    singles: list[float] = field(default_factory=list)  # of each game
    answer: str | None = None  # to the tournament's question
    asked_at: int = 0  # setups, when the question was asked last

    def add(self, shares: Sequence[float]) -> None:
        """Count a setup."""
        self.means.append(sum(shares) / len(shares))
        self.singles += shares


class Ledger:
    """What was played, counted setup by setup; knows what is complete and what is answered."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.played = 0  # games of this tournament, of complete setups or not
        self.series = _all_series(tournament)
        self._withdrawn: set[str] = set()
        self._pairing = {tuple(sorted(one.seats)): one for one in tournament.pairings}
        self._parts: dict[tuple[Pairing, int], dict[tuple[str, ...], Played]] = {}
        self._complete: dict[Pairing, int] = dict.fromkeys(tournament.pairings, 0)

    def add(self, played: Played) -> None:
        """Count a game; those of other tournaments in the same file are left alone."""
        pairing = self._pairing.get(tuple(sorted(played.seats)))
        if pairing is None or played.setup >= self.tournament.setups:
            return
        part = self._parts.setdefault((pairing, played.setup), {})
        if played.seats in part or played.seats not in pairing.rotations(played.setup):
            return
        part[played.seats] = played
        self.played += 1
        seats = self.tournament.game.num_players()
        while len(self._parts.get((pairing, self._complete[pairing]), ())) == seats:
            self._complete[pairing] += 1
        for series in self.series:
            if pairing in series.tables:
                self._bring_up(series)

    def withdraw(self, player: str) -> None:
        """Let a player's pairings rest, and go on without them."""
        self._withdrawn.add(player)
        for series in self.series:
            self._bring_up(series)

    def counted(self) -> list[Played]:
        """The games of complete setups."""
        return [
            game
            for pairing, setups in self._complete.items()
            for setup in range(setups)
            for game in self._parts[pairing, setup].values()
        ]

    def is_open(self, pairing: Pairing) -> bool:
        """Whether more games of a pairing are wanted."""
        if self._withdrawn & set(pairing.players):
            return False
        if self.tournament.question is None:
            return True
        return any(one.answer is None for one in self.series if pairing in one.tables)

    @property
    def error(self) -> float:
        """The error rate of each answer, so that all together keep theirs."""
        return ERROR / len(self.series)

    def _bring_up(self, series: Series) -> None:
        """Count the setups that have become complete at all tables of a share."""
        tables = [one for one in series.tables if not self._withdrawn & set(one.players)]
        setups = min((self._complete[one] for one in tables), default=0)
        for setup in range(len(series.means), setups):
            games = [game for one in tables for game in self._parts[one, setup].values()]
            series.add([share_of(game, series.player) for game in games])
        self._ask(series)

    def settle(self) -> None:
        """Ask the question once more of every share that has no answer yet."""
        for series in self.series:
            self._ask(series, least=1)

    def _ask(self, series: Series, least: int | None = None) -> None:
        question = self.tournament.question
        count = len(series.means)
        if question is None or series.answer is not None:
            return
        # After many setups one more changes little: look again when there is 1 % more to see.
        if count - series.asked_at < (least or max(1, series.asked_at // 100)):
            return
        series.asked_at = count
        series.answer = question.answer(series.means, self.tournament.fair, self.error)


def _all_series(tournament: Tournament) -> list[Series]:
    """Every share that is asked about.

    Of the first player of each pairing; where different players sit together, of every player.
    """
    if all(pairing.is_duel for pairing in tournament.pairings):
        return [Series(one.players[0], one.players[1], (one,)) for one in tournament.pairings]
    return [
        Series(
            player,
            "the others",
            tuple(one for one in tournament.pairings if player in one.players),
        )
        for player in tournament.players
    ]


def share_of(game: Played, player: str) -> float:
    """What a player took of a game's win, in all its seats."""
    return sum(share for seat, share in zip(game.seats, game.shares, strict=True) if seat == player)
