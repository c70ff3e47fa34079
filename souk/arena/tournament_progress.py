"""Count the games of a tournament, and decide which pairings need more.

Setups count in their order: a setup counts when all setups before it are complete. Otherwise short
games would count before long ones and bias the result.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from souk.arena.game_runner import GameResult
from souk.arena.luck_regression import LuckRegression
from souk.arena.pairings import Pairing
from souk.arena.tournament import Tournament

ERROR_RATE = 0.05  # of all answers of a tournament together


@dataclass
class ShareSeries:
    """A player's share of the win, setup by setup."""

    player: str
    against: str
    pairings: tuple[Pairing, ...]  # that the share is measured in
    means: list[float] = field(default_factory=list)  # over the games of each setup
    adjusted: list[float] = field(default_factory=list)  # `means` less luck
    games: list[float] = field(default_factory=list)  # the share of each game
    answer: str | None = None  # to the tournament's stopping rule
    tested_at: int = 0  # setups, when the stopping rule was tested last
    regression: LuckRegression = field(default_factory=LuckRegression)

    def add(self, shares: Sequence[float], luck: Sequence[float]) -> None:
        """Count a setup.

        Luck is subtracted as far as it counted in the setups before it. Its mean is 0 whatever
        they were, so the adjusted share has no bias.
        """
        mean, mean_luck = (math.fsum(values) / len(values) for values in (shares, luck))
        self.means.append(mean)
        self.adjusted.append(mean - self.regression.coefficient() * mean_luck)
        self.regression.add(mean, mean_luck)
        self.games += shares

    @property
    def has_luck(self) -> bool:
        """True if luck was measured, so that there are adjusted shares."""
        return self.regression.has_luck

    @property
    def most_exact(self) -> list[float]:
        """The mean of each setup, less luck if it was measured."""
        return self.adjusted if self.has_luck else self.means


class TournamentProgress:
    """The games played so far, which setups are complete, and which shares are known."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.played = 0  # games of this tournament, in complete setups or not
        self.series = _all_series(tournament)
        self._withdrawn: set[str] = set()
        self._pairings = {tuple(sorted(one.seating)): one for one in tournament.pairings}
        self._setups: dict[tuple[Pairing, int], dict[tuple[str, ...], GameResult]] = {}
        self._complete: dict[Pairing, int] = dict.fromkeys(tournament.pairings, 0)

    def add(self, result: GameResult) -> None:
        """Count a game; ignore games of other tournaments that share the results file."""
        pairing = self._pairings.get(tuple(sorted(result.players)))
        if pairing is None or result.setup >= self.tournament.setups:
            return
        games = self._setups.setdefault((pairing, result.setup), {})
        if result.players in games or result.players not in pairing.rotations(result.setup):
            return
        games[result.players] = result
        self.played += 1
        seats = self.tournament.game.num_players()
        while len(self._setups.get((pairing, self._complete[pairing]), ())) == seats:
            self._complete[pairing] += 1
        for series in self.series:
            if pairing in series.pairings:
                self._update(series)

    def withdraw(self, player: str) -> None:
        """Stop the pairings of a player, and continue without them."""
        self._withdrawn.add(player)
        for series in self.series:
            self._update(series)

    def complete_games(self) -> list[GameResult]:
        """Return the games of complete setups."""
        return [
            game
            for pairing, setups in self._complete.items()
            for setup in range(setups)
            for game in self._setups[pairing, setup].values()
        ]

    def is_open(self, pairing: Pairing) -> bool:
        """Return whether a pairing needs more games."""
        if self._withdrawn & set(pairing.players):
            return False
        if self.tournament.until is None:
            return True
        return any(one.answer is None for one in self.series if pairing in one.pairings)

    @property
    def error_rate(self) -> float:
        """The error rate of each answer, so that all together stay within ERROR_RATE."""
        return ERROR_RATE / len(self.series)

    def test_all(self) -> None:
        """Test the stopping rule on every share that has no answer yet."""
        for series in self.series:
            self._test(series, least=1)

    def _update(self, series: ShareSeries) -> None:
        """Count the setups that are now complete in all pairings of a share."""
        pairings = [one for one in series.pairings if not self._withdrawn & set(one.players)]
        setups = min((self._complete[one] for one in pairings), default=0)
        for setup in range(len(series.means), setups):
            games = [game for one in pairings for game in self._setups[one, setup].values()]
            series.add(
                [in_own_seats(game, series.player, game.returns) for game in games],
                [in_own_seats(game, series.player, game.luck) for game in games],
            )
        self._test(series)

    def _test(self, series: ShareSeries, least: int | None = None) -> None:
        rule = self.tournament.until
        count = len(series.means)
        if rule is None or series.answer is not None:
            return
        # After many setups one more changes little: test again after 1 % more of them.
        if count - series.tested_at < (least or max(1, series.tested_at // 100)):
            return
        series.tested_at = count
        series.answer = rule.answer(
            series.most_exact,
            self.tournament.fair_share,
            self.error_rate,
            is_adjusted=series.has_luck,
        )


def _all_series(tournament: Tournament) -> list[ShareSeries]:
    """Return every share to measure.

    These are the shares of the first player of each pairing, or of every player where different
    players sit together.
    """
    pairings = tournament.pairings
    if all(pairing.is_duel for pairing in pairings):
        return [ShareSeries(one.players[0], one.players[1], (one,)) for one in pairings]
    return [
        ShareSeries(player, "the others", tuple(one for one in pairings if player in one.players))
        for player in tournament.players
    ]


def in_own_seats(game: GameResult, player: str, values: Sequence[float]) -> float:
    """Return the sum of a value by seat over all seats of a player."""
    return math.fsum(
        value for name, value in zip(game.players, values, strict=True) if name == player
    )
