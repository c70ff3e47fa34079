"""Fitting the judgement of MarraCash: rounds of games, and after each better weights.

Some minutes on a processor. With a seed it comes out the same every time.
"""

import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from souk.engine.errors import SoukError
from souk.engine.seeds import derive_seed
from souk.games import load_game
from souk.games.marracash.ai import heuristic, weights
from souk.games.marracash.ai.fitting import MIX, SLOW, TRIES, Lesson, Weights, fit, play
from souk.games.marracash.game import MarraCash

MOST_WEIGHT = 1e6


@dataclass(frozen=True)
class Plan:
    """How to fit."""

    game: str = "marracash(players=3)"  # the number of players counts: the mix has all rules
    rounds: int = 6
    games: int = 4_000  # a round
    against: float = 0.5  # part of the games in which all but one play by the first guesses
    seed: int = 1
    begin_with: str = ""  # a file with the weights to go on from; the first guesses if none


@dataclass(frozen=True)
class Report:
    """How the fitting goes."""

    round: int
    seconds: float
    games: int
    foretold: float  # part of the leads at the end that the judgement foretells
    surprise: float  # at the winners, in the mean
    share: float  # of the win, against copies of the first guesses, one action deep
    within: float  # that the share is known to, at 95 %

    def __str__(self) -> str:
        return (
            f"{self.round:5} {self.games:10,} {self.seconds:9.1f}   {self.foretold:.3f}"
            f"      {self.surprise:.4f}   {self.share:.3f} ± {self.within:.3f}"
        )


class Fitting:
    """Weights that are being fitted: ask for reports until there are no more."""

    ending = ".json"
    headings = (
        "Leads at the end that are foretold, surprise at the winners, and the share of the win",
        "against copies of the first guesses, one action deep:",
        "round      games   seconds   foretold   surprise   guesses",
    )

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        game = load_game(plan.game)
        assert isinstance(game, MarraCash)
        self.game = game
        self.guesses = weights.of("hand", self.game.num_players())
        self.before: dict[str, Any] | None = None  # how the weights came about it began with
        self.weights = self.guesses
        if plan.begin_with:
            self.weights, self.before = kept_weights(plan.begin_with)
        self.reports: list[Report] = []

    def __iter__(self) -> Iterator[Report]:
        """Play and fit, with a report after every round."""
        began = time.perf_counter()
        for number in range(1, self.plan.rounds + 1):
            lessons = list(self._lessons(number))
            self.weights, foretold, surprise = fit(lessons, self.weights)
            share, within = self.measure()
            games = number * self.plan.games
            seconds = time.perf_counter() - began
            report = Report(number, seconds, games, foretold, surprise, share, within)
            self.reports.append(report)
            yield report

    def _lessons(self, which: int) -> Iterator[Lesson]:
        """The games of a round: of all rules; among themselves and against the guesses."""
        seats = self.game.num_players()
        among = [self.weights] * seats
        mixed = [self.weights, *[self.guesses] * (seats - 1)]
        parts = sum(part for part, _ in MIX)
        for number, (part, settings) in enumerate(MIX):
            game = MarraCash(players=seats, **settings)
            games = self.plan.games * part / parts
            for place, (table, share) in enumerate(
                ((among, 1 - self.plan.against), (mixed, self.plan.against))
            ):
                if many := round(games * share):
                    seed = derive_seed(self.plan.seed, "fitting", which, number, place)
                    yield play(game, table, many, seed, TRIES).lesson()

    def measure(self) -> tuple[float, float]:
        """The share of the win in one seat, the first guesses in all other seats."""
        seats = self.game.num_players()
        table = [self.weights, *[self.guesses] * (seats - 1)]
        games = self.plan.games
        won = play(self.game, table, games, self.plan.seed, 0).wins
        share = won[np.arange(games), -np.arange(games) % seats]
        return float(share.mean()), float(1.96 * share.std() / math.sqrt(games))

    def save(self, path: Path) -> None:
        """Keep the weights by name, and how they came about."""
        reports = [asdict(one) for one in self.reports]
        about = {"plan": asdict(self.plan), "reports": reports, "before": self.before}
        named = weights.to_names(self.weights).items()
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(many)}" for name, many in named)
        text = f'{{\n "weights": {{\n{lines}\n }},\n "about": {json.dumps(about)}\n}}\n'
        path.write_text(text, "utf-8")


class Kept(msgspec.Struct):
    """A file of weights."""

    weights: dict[str, list[float]]
    about: dict[str, Any] | None = None


def kept_weights(path: str) -> tuple[Weights, dict[str, Any] | None]:
    """The weights that a file keeps, and how they came about."""
    try:
        kept = msgspec.json.decode(Path(path).read_bytes(), type=Kept)
    except OSError as error:
        raise SoukError(f"{path} cannot be read: {error.strerror or error}") from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise SoukError(f"{path} is not a file of weights that souk has kept") from None
    guesses = weights.to_names(weights.of("hand", 3))
    if {name: len(many) for name, many in kept.weights.items()} != {
        name: len(many) for name, many in guesses.items()
    }:
        raise SoukError(f"{path} does not have the {heuristic.WEIGHTS} weights of marracash")
    for name, many in kept.weights.items():
        for weight in many:
            if not abs(weight) < MOST_WEIGHT or (name == "PER_TURN" and weight < SLOW):
                raise SoukError(f"{path} has {name} {weight:g}, which makes no sense")
    return weights.from_names(kept.weights), kept.about
