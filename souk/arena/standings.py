"""Compute the standings of a tournament from its games."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from souk.arena.game_runner import GameResult, PlayerFailed
from souk.arena.intervals import (
    MAX_ADJUSTED_EFFICIENCY,
    AdjustedTest,
    Interval,
    SequentialTest,
    confidence_interval,
    game_efficiency,
    mean_and_error,
)
from souk.arena.ratings import NoRatings, Rating, ratings
from souk.arena.tournament import Tournament
from souk.arena.tournament_progress import ShareSeries, TournamentProgress
from souk.engine.extras import MissingExtra


@dataclass(frozen=True)
class Share:
    """A player's share of the win against another player, its copies, or all others."""

    player: str
    against: str
    share: float
    low: float  # the 95% interval
    high: float
    fair: float  # the share that equally strong players have
    setups: int
    games: int
    efficiency: float | None  # independent games that one is worth: rotations, luck subtracted
    answer: str | None  # to the stopping rule: above, below or known
    adjusted: Interval | None = None  # the share less luck; None where no luck was measured

    @property
    def best(self) -> Interval:
        """The most exact estimate: the adjusted share if there is one."""
        return self.adjusted or Interval(self.share, self.low, self.high)


@dataclass(frozen=True)
class PlayerStats:
    """A player's results over all of its games."""

    player: str
    games: int  # copies at one table count once
    share: float  # of the win; the mean of the player's seats
    score: float  # mean
    score_error: float | None  # half the width of the 95% interval
    score_min: int
    score_max: int
    mean_move_seconds: float | None
    p99_move_seconds: float | None
    max_move_seconds: float | None


@dataclass(frozen=True)
class SeatStats:
    """The results of a seat over all players, each of whom sat there equally often."""

    seat: int
    share: float
    low: float
    high: float
    score: float
    score_error: float | None


@dataclass(frozen=True)
class GameLength:
    """The number of turns of a game."""

    mean: float
    deviation: float
    min: int
    max: int


@dataclass(frozen=True)
class Failure:
    """A player that was withdrawn, and the reason."""

    player: str
    reason: str


@dataclass(frozen=True, repr=False)
class Standings:
    """The standings of a tournament, finished or not. Printed, they are tables."""

    tournament: Tournament
    games: int  # of complete setups; everything below is computed from these
    incomplete: int  # games of setups that are not complete yet
    shares: tuple[Share, ...]
    ahead: tuple[Share, ...]  # how often each player finished ahead of another, in mixed pairings
    ratings: tuple[Rating, ...]
    no_ratings: str | None  # why there are none
    players: tuple[PlayerStats, ...]
    seats: tuple[SeatStats, ...]
    length: GameLength | None
    failures: tuple[Failure, ...]
    is_interrupted: bool = False  # by Ctrl-C

    def __repr__(self) -> str:
        from souk.arena.report import standings_text

        return standings_text(self)

    def _repr_html_(self) -> str:
        from souk.arena.report import standings_html

        return standings_html(self)

    def share(self, player: str, against: str) -> Share:
        """Return the share of a player against another."""
        for share in (*self.shares, *self.ahead):
            if (share.player, share.against) == (player, against):
                return share
        raise KeyError(f"{player} did not play against {against}")

    def to_dict(self) -> dict[str, Any]:
        """Return the standings as plain JSON."""
        tournament = self.tournament
        settings = {
            "game": str(tournament.game),
            "players": list(tournament.players),
            "plan": tournament.plan,
            "seed": tournament.seed,
            "max_games": tournament.games,
            "until": None if tournament.until is None else str(tournament.until),
        }
        values: dict[str, Any] = {
            "settings": settings,
            "games": self.games,
            "incomplete": self.incomplete,
        }
        for name in ("shares", "ahead", "ratings", "players", "seats", "failures"):
            values[name] = [asdict(entry) for entry in getattr(self, name)]
        values["no_ratings"] = self.no_ratings
        values["length"] = None if self.length is None else asdict(self.length)
        return values


def compute_standings(
    progress: TournamentProgress, failures: Sequence[PlayerFailed] = ()
) -> Standings:
    """Return the standings after the games played so far."""
    tournament = progress.tournament
    progress.test_all()
    games = progress.complete_games()
    rated: tuple[Rating, ...] = ()
    no_ratings = None
    try:
        rated = tuple(ratings(games, tournament.players))
    except (NoRatings, MissingExtra) as error:
        no_ratings = str(error)
    is_mixed = any(not pairing.is_duel for pairing in tournament.pairings)
    seats = range(tournament.game.num_players())
    seen = {player for game in games for player in game.players}
    return Standings(
        tournament=tournament,
        games=len(games),
        incomplete=progress.played - len(games),
        shares=tuple(_share(progress, series) for series in progress.series if series.means),
        ahead=tuple(_ahead(games, tournament.players)) if is_mixed else (),
        ratings=rated,
        no_ratings=no_ratings,
        players=tuple(_player_stats(games, one) for one in tournament.players if one in seen),
        seats=tuple(_seat_stats(games, seat) for seat in seats) if games else (),
        length=_length(games) if games else None,
        failures=tuple(Failure(failure.player, failure.reason) for failure in failures),
    )


def _share(progress: TournamentProgress, series: ShareSeries) -> Share:
    """Return a share; a stopping rule, tested repeatedly, needs an interval that allows for it."""
    tournament = progress.tournament
    games = len(series.games)
    if tournament.until is None:
        interval = confidence_interval(series.means, games)
        adjusted = confidence_interval(series.adjusted, games, MAX_ADJUSTED_EFFICIENCY)
    else:
        interval = SequentialTest(series.means).interval()
        adjusted = AdjustedTest(series.adjusted).interval()
    return Share(
        player=series.player,
        against=series.against,
        share=interval.share,
        low=interval.low,
        high=interval.high,
        fair=tournament.fair_share,
        setups=len(series.means),
        games=games,
        efficiency=game_efficiency(series.most_exact, series.games),
        answer=series.answer,
        adjusted=adjusted if series.has_luck else None,
    )


def _ahead(games: Sequence[GameResult], players: Sequence[str]) -> list[Share]:
    """Return how often each player finished ahead of each other at its table; a tie is half."""
    shares = []
    for player, other in combinations(players, 2):
        met = [game for game in games if {player, other} <= set(game.players)]
        setups = _by_setup(met, _is_ahead(player, other))
        if setups:
            values = [value for setup in setups for value in setup]
            means = _means(setups)
            interval = confidence_interval(means, len(values))
            shares.append(
                Share(
                    player,
                    other,
                    interval.share,
                    interval.low,
                    interval.high,
                    0.5,
                    len(means),
                    len(values),
                    game_efficiency(means, values),
                    None,
                )
            )
    return shares


def _is_ahead(player: str, other: str) -> Callable[[GameResult], float]:
    def value(game: GameResult) -> float:
        place, others = (game.places[game.players.index(name)] for name in (player, other))
        return 0.5 if place == others else float(place < others)

    return value


def _by_setup(
    games: Sequence[GameResult], value: Callable[[GameResult], float]
) -> list[list[float]]:
    setups: dict[int, list[float]] = defaultdict(list)
    for game in games:
        setups[game.setup].append(value(game))
    return list(setups.values())


def _means(setups: Sequence[Sequence[float]]) -> list[float]:
    return [sum(values) / len(values) for values in setups]


def _player_stats(games: Sequence[GameResult], player: str) -> PlayerStats:
    own = [game for game in games if player in game.players]
    seats = [
        (game, seat) for game in own for seat, name in enumerate(game.players) if name == player
    ]
    scores = [game.scores[seat] for game, seat in seats]
    seconds = sorted(move for game, seat in seats for move in game.move_seconds[seat])

    def score(game: GameResult) -> float:
        by_seat = zip(game.scores, game.players, strict=True)
        own_scores = [value for value, name in by_seat if name == player]
        return sum(own_scores) / len(own_scores)

    mean, error = mean_and_error(_means(_by_setup(own, score)))
    return PlayerStats(
        player=player,
        games=len(own),
        share=sum(game.returns[seat] for game, seat in seats) / len(seats),
        score=mean,
        score_error=error,
        score_min=min(scores),
        score_max=max(scores),
        mean_move_seconds=sum(seconds) / len(seconds) if seconds else None,
        p99_move_seconds=seconds[len(seconds) * 99 // 100] if seconds else None,
        max_move_seconds=max(seconds, default=None),
    )


def _seat_stats(games: Sequence[GameResult], seat: int) -> SeatStats:
    means = _means(_by_setup(games, lambda game: game.returns[seat]))
    interval = confidence_interval(means, len(games))
    scores = _means(_by_setup(games, lambda game: float(game.scores[seat])))
    return SeatStats(seat, interval.share, interval.low, interval.high, *mean_and_error(scores))


def _length(games: Sequence[GameResult]) -> GameLength:
    turns = [game.turns for game in games]
    mean = sum(turns) / len(turns)
    deviation = math.sqrt(sum((count - mean) ** 2 for count in turns) / len(turns))
    return GameLength(mean, deviation, min(turns), max(turns))
