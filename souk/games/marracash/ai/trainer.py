"""Fit the heuristic of MarraCash: play games, fit the weights to them, and repeat.

It takes minutes on a CPU. The same seed gives the same weights.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from souk.engine.seeds import derive_seed
from souk.games import load_game
from souk.games.marracash.ai import weights
from souk.games.marracash.ai.fitting import MIX, RANDOM_PERCENT, Samples, fit, play
from souk.games.marracash.game import MarraCash
from souk.train.trainer import Games, Part, Rounds, Seed, Share, Trainer
from souk.train.weights_file import read_weights_file


@dataclass(frozen=True)
class Plan:
    """The options of a fitting."""

    game: str = "marracash(players=3)"  # only the number of players counts: the mix has all rules
    rounds: Rounds = 6
    games: Games = 4_000
    against: Annotated[
        Part, Meta(description="part of the games in which others play by the estimates")
    ] = 0.5
    seed: Seed = 1
    begin_with: Annotated[str, Meta(description="saved weights to begin with")] = ""


@dataclass(frozen=True)
class Report:
    """The progress of a fitting."""

    round: int
    seconds: float
    games: int
    explained: float  # part of the variance of the final leads
    log_loss: float  # of the predicted winners
    share: Share  # of the win, against copies of the estimates, one action deep

    def __str__(self) -> str:
        return (
            f"{self.round:5} {self.games:10,} {self.seconds:9.1f}    {self.explained:.3f}"
            f"     {self.log_loss:.4f}   {self.share}"
        )


class HeuristicTrainer(Trainer):
    """Weights of the heuristic that are being fitted."""

    plan_class = Plan
    report_class = Report
    suffix = ".json"
    headings = (
        "Explained part of the final leads, log loss of the winners, and the share of the win,",
        "with its 95% interval, against copies of the guessed weights, one action deep:",
        "round      games   seconds   explained   log loss   share",
    )
    plan: Plan

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.game = load_game(plan.game)
        self.estimates = weights.load("heuristic", self.game.num_players())
        self.weights = self.estimates
        if plan.begin_with:
            data = read_weights_file(plan.begin_with)
            self.weights, self.previous = weights.parse(data, plan.begin_with)

    def train_round(self, number: int) -> tuple[float, float]:
        """Play and fit; return the explained variance and the log loss."""
        self.weights, explained, log_loss = fit(list(self._samples(number)), self.weights)
        return explained, log_loss

    def report(
        self, number: int, outcome: tuple[float, float], seconds: Callable[[], float]
    ) -> Report:
        """Return a report with the share of the win against the estimates."""
        share = self.measure()
        return Report(number, seconds(), number * self.plan.games, *outcome, share)

    def _samples(self, which: int) -> Iterator[Samples]:
        """Yield the samples of a round: of all variants, self-play and games with the estimates."""
        seats = self.game.num_players()
        self_play = [self.weights] * seats
        mixed = [self.weights, *[self.estimates] * (seats - 1)]
        parts = sum(part for part, _ in MIX)
        for number, (part, settings) in enumerate(MIX):
            game = MarraCash(players=seats, **settings)
            games = self.plan.games * part / parts
            for place, (table, share) in enumerate(
                ((self_play, 1 - self.plan.against), (mixed, self.plan.against))
            ):
                if count := round(games * share):
                    seed = derive_seed(self.plan.seed, "fitting", which, number, place)
                    yield play(game, table, count, seed, RANDOM_PERCENT).samples()

    def measure(self) -> Share:
        """Return the share of the win of one seat against the estimates."""
        seats = self.game.num_players()
        table = [self.weights, *[self.estimates] * (seats - 1)]
        games = self.plan.games
        wins = play(self.game, table, games, self.plan.seed, 0).wins
        return Share.of(wins[np.arange(games), -np.arange(games) % seats])

    def arrays(self) -> "dict[str, NDArray[Any]]":
        return {"weights": self.weights}

    def set_arrays(self, arrays: "Mapping[str, NDArray[Any]]") -> None:
        self.weights = arrays["weights"]

    def save(self, path: Path) -> None:
        """Write the weights by name, and how they were fitted."""
        named = weights.to_names(self.weights).items()
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(many)}" for name, many in named)
        text = f'{{\n "weights": {{\n{lines}\n }},\n "about": {self.about()}\n}}\n'
        path.write_text(text, "utf-8")
