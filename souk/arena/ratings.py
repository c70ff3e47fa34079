"""Fit a rating for each player to all games, on the scale of chess ratings.

The model is Luce's: each seat wins in proportion to the strength of its player. With two seats that
is the Bradley-Terry model, with more the Plackett-Luce model, of which only first places are used,
since that is what players play for. A rating is the logarithm of the strength, 400 points for a
factor of ten, relative to the first player. The library choix (extra `arena`) fits it.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from souk.arena.game_runner import GameResult
from souk.arena.luck_regression import LuckRegression
from souk.engine.errors import SoukError
from souk.engine.extras import needs_extra
from souk.engine.intervals import Z

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCALE = 400 / math.log(10)
TWELFTHS = 12  # wins shared by two, three or four are whole numbers of these
MAX_OBSERVATIONS = 12_000  # given to the fit, which takes them one by one
MAX_ITERATIONS = 10_000
TOLERANCE = 1e-6  # of logarithms of strength

Composition = tuple[int, ...]  # how many seats each player has


@dataclass(frozen=True)
class Rating:
    """A player's rating with its 95% interval."""

    player: str
    rating: float
    low: float
    high: float


class NoRatings(SoukError):
    """Ratings cannot be computed; the message says why."""


def ratings(games: Sequence[GameResult], players: Sequence[str]) -> list[Rating]:
    """Return the ratings of the players with games, relative to the first of them.

    One game, shared evenly, is added to each pairing, so that a player that never lost has a
    rating too. Luck is subtracted from the shares of the win, as far as it counted. The intervals
    come from the variation between setups, not between single games.
    """
    import numpy as np

    seen = {player for game in games for player in game.players}
    rated = [player for player in players if player in seen]
    if len(rated) < 2:
        raise NoRatings("ratings need games between two players")
    index = {player: number for number, player in enumerate(rated)}
    wins = _Wins(len(rated))
    regression = LuckRegression()
    for game in games:
        for share, luck in zip(game.returns, game.luck, strict=True):
            regression.add(share, luck)
    coefficient = regression.coefficient()
    for game in games:
        wins.add(game, coefficient, [index[player] for player in game.players])
    if not wins.is_connected():
        raise NoRatings("some players have not met, not even through others: no common rating")
    strength = _fit(wins, len(games[0].players))
    strength -= strength[0]
    covariance = wins.covariance(strength)
    fitted = []
    for number, player in enumerate(rated):
        difference = np.zeros(len(rated))
        difference[number] += 1
        difference[0] -= 1
        half = Z * math.sqrt(max(0.0, float(difference @ covariance @ difference)))
        rating = float(strength[number])
        fitted.append(
            Rating(player, SCALE * rating, SCALE * (rating - half), SCALE * (rating + half))
        )
    return fitted


class _Wins:
    """Each player's share of the win, by the composition of the table and setup by setup."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.shares: dict[Composition, list[float]] = {}  # the total of each player
        self.games: Counter[Composition] = Counter()
        self._setups: dict[int, dict[Composition, list[float]]] = defaultdict(dict)
        self._setup_games: dict[int, Counter[Composition]] = defaultdict(Counter)

    def add(self, game: GameResult, coefficient: float, seats: Sequence[int]) -> None:
        composition = tuple(seats.count(player) for player in range(self.players))
        own = self._setups[game.setup].setdefault(composition, [0.0] * self.players)
        total = self.shares.setdefault(composition, [0.0] * self.players)
        for player, won, luck in zip(seats, game.returns, game.luck, strict=True):
            share = won - coefficient * luck
            own[player] += share
            total[player] += share
        self.games[composition] += 1
        self._setup_games[game.setup][composition] += 1

    def regularised(self) -> dict[Composition, list[float]]:
        """Return the shares with one game, shared evenly, added for each composition.

        A share below 0, as an adjusted one may be, counts as 0.
        """
        shares_of = {}
        for composition, shares in self.shares.items():
            seats = sum(composition)
            shares_of[composition] = [
                max(0.0, share) + count / seats
                for share, count in zip(shares, composition, strict=True)
            ]
        return shares_of

    def is_connected(self) -> bool:
        reached, waiting = {0}, [0]
        while waiting:
            player = waiting.pop()
            for composition in self.games:
                if composition[player]:
                    new = {other for other, count in enumerate(composition) if count} - reached
                    reached |= new
                    waiting += new
        return len(reached) == self.players

    def covariance(self, strength: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return the sandwich estimate of the covariance, with setups as clusters."""
        import numpy as np

        expected = {composition: _expected(composition, strength) for composition in self.games}
        bread = np.zeros((self.players, self.players))
        meat = np.zeros((self.players, self.players))
        for composition, games in self.games.items():
            chance = expected[composition]
            bread += (games + 1) * (np.diag(chance) - np.outer(chance, chance))
            # The added game could have been won by anyone.
            for player, count in enumerate(composition):
                surprise = -chance.copy()
                surprise[player] += 1
                meat += count / sum(composition) * np.outer(surprise, surprise)
        for setup, tables in self._setups.items():
            surprise = np.zeros(self.players)
            for composition, shares in tables.items():
                games = self._setup_games[setup][composition]
                surprise += np.asarray(shares) - games * expected[composition]
            meat += np.outer(surprise, surprise)
        inverse = np.linalg.pinv(bread)
        covariance: NDArray[np.float64] = inverse @ meat @ inverse
        return covariance


def _expected(composition: Composition, strength: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the share of the win that the model expects for each player."""
    import numpy as np

    weights = np.asarray(composition, float) * np.exp(strength)
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def _fit(wins: _Wins, seats: int) -> "NDArray[np.float64]":
    with needs_extra("arena", "rating players"):
        import choix
    try:
        strength: NDArray[np.float64]
        if seats == 2:
            strength = choix.ilsr_pairwise_dense(
                _matrix(wins), max_iter=MAX_ITERATIONS, tol=TOLERANCE
            )
        else:
            strength = choix.ilsr_top1(
                wins.players, _choices(wins), max_iter=MAX_ITERATIONS, tol=TOLERANCE
            )
        return strength
    except RuntimeError as error:
        raise NoRatings(f"no ratings fit these games: {error}") from None


def _matrix(wins: _Wins) -> "NDArray[np.float64]":
    """Return how often each player beat each other player."""
    import numpy as np

    matrix = np.zeros((wins.players, wins.players))
    for composition, shares in wins.regularised().items():
        one, other = (player for player, count in enumerate(composition) if count)
        matrix[one, other] += shares[one]
        matrix[other, one] += shares[other]
    return matrix


def _choices(wins: _Wins) -> list[tuple[int, tuple[int, ...]]]:
    """Return (winner, losers) for every twelfth of a win.

    Many games are scaled down to what the fit can take: the error is far below the interval.
    """
    evidence = wins.regularised()
    observations = TWELFTHS * sum(sum(shares) for shares in evidence.values())
    scale = TWELFTHS * min(1.0, MAX_OBSERVATIONS / observations)
    choices = []
    for composition, shares in evidence.items():
        seated = [player for player, count in enumerate(composition) for _ in range(count)]
        for winner, share in enumerate(shares):
            if composition[winner]:
                losers = seated[:]
                losers.remove(winner)
                choices += [(winner, tuple(losers))] * max(1, round(scale * share))
    return choices
