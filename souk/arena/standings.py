"""What the games of a tournament add up to."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from souk.arena.game_runner import Played, PlayerFailed
from souk.arena.intervals import Interval, Wager, gain, interval, mean_and_error
from souk.arena.ratings import NoRatings, Rating, ratings
from souk.arena.tournament import Ledger, Series, Tournament


@dataclass(frozen=True)
class Share:
    """What a player took of the win against another, its copies, or all others."""

    player: str
    against: str
    share: float
    low: float  # the 95 % interval
    high: float
    fair: float  # what equals would have
    setups: int
    games: int
    gain: float | None  # how many independent games one is worth, thanks to the rotations
    answer: str | None  # to the question: above, below or known


@dataclass(frozen=True)
class Performance:
    """How one player did over all its games."""

    player: str
    games: int  # its copies at one table count once
    share: float  # of the win; mean of its seats
    score: float  # mean
    score_error: float | None  # half of the 95 % interval
    score_min: int
    score_max: int
    seconds_a_move: float | None
    slow_move: float | None  # 99 of 100 moves take less
    longest_move: float | None


@dataclass(frozen=True)
class SeatAdvantage:
    """How a seat did, whoever sat there: everybody sat there equally often."""

    seat: int
    share: float
    low: float
    high: float
    score: float
    score_error: float | None


@dataclass(frozen=True)
class Length:
    """How long games were, in turns."""

    mean: float
    deviation: float
    least: int
    most: int


@dataclass(frozen=True)
class Failure:
    """A player that was withdrawn, and why."""

    player: str
    why: str


@dataclass(frozen=True)
class Standing:
    """A tournament's result, or how it stands."""

    tournament: Tournament
    games: int  # of complete setups: all that is below is made from them
    begun: int  # games of setups that are not complete yet
    shares: tuple[Share, ...]
    ahead: tuple[Share, ...]  # where all sit together: how often one stood before another
    ratings: tuple[Rating, ...]
    no_ratings: str | None  # why there are none
    players: tuple[Performance, ...]
    seats: tuple[SeatAdvantage, ...]
    length: Length | None
    failures: tuple[Failure, ...]

    def share(self, player: str, against: str) -> Share:
        """The share that a player took from another."""
        for found in (*self.shares, *self.ahead):
            if (found.player, found.against) == (player, against):
                return found
        raise KeyError(f"{player} did not play against {against}")

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        cup = self.tournament
        settings = {
            "game": str(cup.game),
            "players": list(cup.players),
            "plan": cup.plan,
            "seed": cup.seed,
            "games_wanted": cup.games,
            "until": None if cup.question is None else str(cup.question),
        }
        found: dict[str, Any] = {"settings": settings, "games": self.games, "begun": self.begun}
        for name in ("shares", "ahead", "ratings", "players", "seats", "failures"):
            found[name] = [asdict(one) for one in getattr(self, name)]
        found["no_ratings"] = self.no_ratings
        found["length"] = None if self.length is None else asdict(self.length)
        return found


def standing(ledger: Ledger, failures: Sequence[PlayerFailed] = ()) -> Standing:
    """How a tournament stands."""
    cup = ledger.tournament
    ledger.settle()
    games = ledger.counted()
    found: tuple[Rating, ...] = ()
    why = None
    try:
        found = tuple(ratings(games, cup.players))
    except NoRatings as error:
        why = str(error)
    is_together = any(not one.is_duel for one in cup.pairings)
    return Standing(
        tournament=cup,
        games=len(games),
        begun=ledger.played - len(games),
        shares=tuple(_share(ledger, one) for one in ledger.series if one.means),
        ahead=tuple(_ahead(games, cup.players)) if is_together else (),
        ratings=found,
        no_ratings=why,
        players=tuple(_performance(games, one) for one in cup.players if _took_part(games, one)),
        seats=tuple(_seat(games, seat) for seat in range(cup.game.num_players())) if games else (),
        length=_length(games) if games else None,
        failures=tuple(Failure(one.player, one.why) for one in failures),
    )


def _share(ledger: Ledger, series: Series) -> Share:
    """With a question, which is asked again and again, the interval is one that allows for it."""
    cup = ledger.tournament
    found: Interval
    if cup.question is None:
        found = interval(series.means, len(series.singles))
    else:
        found = Wager(series.means).interval()
    return Share(
        player=series.player,
        against=series.against,
        share=found.share,
        low=found.low,
        high=found.high,
        fair=cup.fair,
        setups=len(series.means),
        games=len(series.singles),
        gain=gain(series.means, series.singles),
        answer=series.answer,
    )


def _ahead(games: Sequence[Played], players: Sequence[str]) -> list[Share]:
    """How often each player stood before each other one it sat with; a tie is half."""
    found = []
    for one, other in combinations(players, 2):
        blocks = _by_setup(
            [game for game in games if {one, other} <= set(game.seats)], _before(one, other)
        )
        if blocks:
            singles = [value for block in blocks for value in block]
            means = [sum(block) / len(block) for block in blocks]
            at = interval(means, len(singles))
            worth = gain(means, singles)
            found.append(
                Share(
                    one,
                    other,
                    at.share,
                    at.low,
                    at.high,
                    0.5,
                    len(means),
                    len(singles),
                    worth,
                    None,
                )
            )
    return found


def _before(one: str, other: str) -> Callable[[Played], float]:
    def value(game: Played) -> float:
        mine, its = (game.places[game.seats.index(player)] for player in (one, other))
        return 0.5 if mine == its else float(mine < its)

    return value


def _by_setup(games: Sequence[Played], value: Callable[[Played], float]) -> list[list[float]]:
    blocks: dict[int, list[float]] = defaultdict(list)
    for game in games:
        blocks[game.setup].append(value(game))
    return list(blocks.values())


def _means(blocks: Sequence[Sequence[float]]) -> list[float]:
    return [sum(block) / len(block) for block in blocks]


def _took_part(games: Sequence[Played], player: str) -> bool:
    return any(player in game.seats for game in games)


def _performance(games: Sequence[Played], player: str) -> Performance:
    own = [game for game in games if player in game.seats]
    seats = [(game, seat) for game in own for seat, name in enumerate(game.seats) if name == player]
    scores = [game.scores[seat] for game, seat in seats]
    seconds = sorted(one for game, seat in seats for one in game.seconds[seat])

    def score(game: Played) -> float:
        mine = [
            value for value, name in zip(game.scores, game.seats, strict=True) if name == player
        ]
        return sum(mine) / len(mine)

    mean, error = mean_and_error(_means(_by_setup(own, score)))
    return Performance(
        player=player,
        games=len(own),
        share=sum(game.shares[seat] for game, seat in seats) / len(seats),
        score=mean,
        score_error=error,
        score_min=min(scores),
        score_max=max(scores),
        seconds_a_move=sum(seconds) / len(seconds) if seconds else None,
        slow_move=seconds[len(seconds) * 99 // 100] if seconds else None,
        longest_move=max(seconds, default=None),
    )


def _seat(games: Sequence[Played], seat: int) -> SeatAdvantage:
    means = _means(_by_setup(games, lambda game: game.shares[seat]))
    at = interval(means, len(games))
    scores = _means(_by_setup(games, lambda game: float(game.scores[seat])))
    return SeatAdvantage(seat, at.share, at.low, at.high, *mean_and_error(scores))


def _length(games: Sequence[Played]) -> Length:
    turns = [game.turns for game in games]
    mean = sum(turns) / len(turns)
    deviation = math.sqrt(sum((count - mean) ** 2 for count in turns) / len(turns))
    return Length(mean, deviation, min(turns), max(turns))
