"""Ratings: one number for each player from all games, on the scale of chess.

The model is Luce's: at a table the win goes to each seat in proportion to the strength of who sits
there. With two seats that is the model of Bradley and Terry, with more that of Plackett and Luce,
of which we use the first place, since that is what players play for. A rating is the logarithm of
the strength, 400 points for a factor of ten, and counts from the first player. The library choix
(extra `arena`) fits it.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from souk.arena.game_runner import Played
from souk.arena.intervals import Z
from souk.engine.errors import SoukError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCALE = 400 / math.log(10)
TWELFTHS = 12  # wins shared by two, three or four are whole numbers of these
MOST_UNITS = 12_000  # of evidence given to the fit, which takes them one by one
ROUNDS = 10_000
TOLERANCE = 1e-6  # of logarithms of strength

Composition = tuple[int, ...]  # how many seats each player has


@dataclass(frozen=True)
class Rating:
    """A player's rating with its 95 % interval."""

    player: str
    rating: float
    low: float
    high: float


class NoRatings(SoukError):
    """Why there are none."""


def ratings(games: Sequence[Played], players: Sequence[str]) -> list[Rating]:
    """The ratings of those who played, against the first of them, in the order given.

    One more game, shared evenly, is added to each pairing: so one that never lost has a rating
    too. The intervals come from how setups differ, not from single games.
    """
    import numpy as np

    seen = {player for game in games for player in game.seats}
    known = [player for player in players if player in seen]
    if len(known) < 2:
        raise NoRatings("ratings need games between two players")
    number = {player: place for place, player in enumerate(known)}
    wins = _Wins(len(known))
    for game in games:
        wins.add(game, [number[player] for player in game.seats])
    if not wins.is_connected():
        raise NoRatings("some players have not met, not even through others: no common rating")
    strength = _fitted(wins, len(games[0].seats))
    strength -= strength[0]
    covariance = wins.covariance(strength)
    found = []
    for place, player in enumerate(known):
        against = np.zeros(len(known))
        against[place] += 1
        against[0] -= 1
        half = Z * math.sqrt(max(0.0, float(against @ covariance @ against)))
        rating = float(strength[place])
        found.append(
            Rating(player, SCALE * rating, SCALE * (rating - half), SCALE * (rating + half))
        )
    return found


class _Wins:
    """Who took how much of the win, by who sat at the table, and setup by setup."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.shares: dict[Composition, list[float]] = {}  # what each player took in all
        self.games: Counter[Composition] = Counter()
        self._setups: dict[int, dict[Composition, list[float]]] = defaultdict(dict)
        self._setup_games: dict[int, Counter[Composition]] = defaultdict(Counter)

    def add(self, game: Played, seats: Sequence[int]) -> None:
        composition = tuple(seats.count(player) for player in range(self.players))
        own = self._setups[game.setup].setdefault(composition, [0.0] * self.players)
        total = self.shares.setdefault(composition, [0.0] * self.players)
        for player, share in zip(seats, game.shares, strict=True):
            own[player] += share
            total[player] += share
        self.games[composition] += 1
        self._setup_games[game.setup][composition] += 1

    def with_one_more(self) -> dict[Composition, list[float]]:
        """The shares with one game more at each table, shared evenly."""
        found = {}
        for composition, shares in self.shares.items():
            seats = sum(composition)
            found[composition] = [
                share + count / seats for share, count in zip(shares, composition, strict=True)
            ]
        return found

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
        """How exact the strengths are: the sandwich estimate, with setups as its units."""
        import numpy as np

        expected = {composition: _expected(composition, strength) for composition in self.games}
        bread = np.zeros((self.players, self.players))
        filling = np.zeros((self.players, self.players))
        for composition, games in self.games.items():
            chance = expected[composition]
            bread += (games + 1) * (np.diag(chance) - np.outer(chance, chance))
            # The one game more could have gone to anyone.
            for player, count in enumerate(composition):
                surprise = -chance.copy()
                surprise[player] += 1
                filling += count / sum(composition) * np.outer(surprise, surprise)
        for setup, tables in self._setups.items():
            surprise = np.zeros(self.players)
            for composition, shares in tables.items():
                games = self._setup_games[setup][composition]
                surprise += np.asarray(shares) - games * expected[composition]
            filling += np.outer(surprise, surprise)
        inverse = np.linalg.pinv(bread)
        covariance: NDArray[np.float64] = inverse @ filling @ inverse
        return covariance


def _expected(composition: Composition, strength: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """The share of the win that each player is expected to take at a table."""
    import numpy as np

    weights = np.asarray(composition, float) * np.exp(strength)
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def _fitted(wins: _Wins, seats: int) -> "NDArray[np.float64]":
    try:
        import choix
    except ImportError:
        raise NoRatings("ratings need the extra arena: pip install 'souk[arena]'") from None
    try:
        found: NDArray[np.float64]
        if seats == 2:
            found = choix.ilsr_pairwise_dense(_matrix(wins), max_iter=ROUNDS, tol=TOLERANCE)
        else:
            found = choix.ilsr_top1(wins.players, _choices(wins), max_iter=ROUNDS, tol=TOLERANCE)
        return found
    except RuntimeError as error:
        raise NoRatings(f"no ratings fit these games: {error}") from None


def _matrix(wins: _Wins) -> "NDArray[np.float64]":
    """How often each player beat each other one."""
    import numpy as np

    matrix = np.zeros((wins.players, wins.players))
    for composition, shares in wins.with_one_more().items():
        one, other = (player for player, count in enumerate(composition) if count)
        matrix[one, other] += shares[one]
        matrix[other, one] += shares[other]
    return matrix


def _choices(wins: _Wins) -> list[tuple[int, tuple[int, ...]]]:
    """Who won against whom, as often as it happened, in twelfths.

    Many games are scaled down to what the fit can take: the error is far below the interval.
    """
    evidence = wins.with_one_more()
    units = TWELFTHS * sum(sum(shares) for shares in evidence.values())
    scale = TWELFTHS * min(1.0, MOST_UNITS / units)
    choices = []
    for composition, shares in evidence.items():
        seated = [player for player, count in enumerate(composition) for _ in range(count)]
        for winner, share in enumerate(shares):
            if composition[winner]:
                losers = seated[:]
                losers.remove(winner)
                choices += [(winner, tuple(losers))] * max(1, round(scale * share))
    return choices
