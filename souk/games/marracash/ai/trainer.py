"""Train the net of MarraCash: play games, learn from their positions, and repeat.

The net begins as the fitted heuristic and learns to correct it. Positions are learned from the
results of their games and, later on, also from the shares after the best action. With a seed, on
one kind of machine, the result is always the same.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from souk.engine.seeds import derive_seed
from souk.games import load_game
from souk.games.marracash.ai import weights
from souk.games.marracash.ai.training_games import MIXES, Samples, SelfPlay
from souk.games.marracash.game import MarraCash
from souk.train.devices import Machine, machine
from souk.train.net import Net
from souk.train.trainer import Games, Part, Rounds, Seed, Share, Trainer
from souk.train.weights_file import read_weights_file

RANDOM_PERCENT = 3  # of the actions in training games
NOISE = 8  # thousandths of the win: the temperature of their choices
ROUNDS_PER_BOARD = 4  # the second board has one round of so many
MOST_MEASURED = 2_048  # games
NET, FITTED, ESTIMATES = range(3)  # the tables of weights


@dataclass(frozen=True)
class Plan:
    """The options of a training."""

    game: str = "marracash(players=3)"  # only the number of players counts: the mix has all rules
    rounds: Rounds = 80
    games: Games = 4_096
    batch: Annotated[int, Meta(ge=1, description="positions per step of learning")] = 2_048
    rate: Annotated[Part, Meta(description="initial learning rate")] = 2e-3
    turns: Annotated[
        Part, Meta(description="part of the rounds, the last, that look to the end of the turn")
    ] = 0.3
    against: Annotated[
        Part, Meta(description="part of the games in which others play by a person's estimates")
    ] = 0.2
    seed: Seed = 1
    begin_with: Annotated[str, Meta(description="a saved net to train further")] = ""
    on: Annotated[str, Meta(description="cpu or gpu")] = "cpu"


@dataclass(frozen=True)
class Report:
    """The progress of a training."""

    round: int
    seconds: float
    games: int
    error: float  # cross-entropy of the shares
    share: Share  # of the win, against copies of the fitted heuristic, one turn deep

    def __str__(self) -> str:
        return (
            f"{self.round:5} {self.seconds:8.0f} {self.games:10,}  {self.error:.4f}  {self.share}"
        )


class NetTrainer(Trainer):
    """A net in training."""

    plan_class = Plan
    report_class = Report
    suffix = ".npz"
    headings = (
        "Share of the win, with its 95% interval, against copies of the heuristic with the fitted",
        "weights, one turn deep:",
        "round  seconds      games   error  share",
    )
    rounds_per_report = 10
    plan: Plan

    def __init__(self, plan: Plan, new_machine: Callable[[str], Machine] = machine) -> None:
        super().__init__(plan)
        self.seats = load_game(plan.game).num_players()
        # Each board has a kernel, and so a machine, of its own.
        self.boards = [SelfPlay(new_machine(plan.on), self.seats, layout) for layout in MIXES]
        self.xp = xp = self.boards[0].xp
        names = self.boards[0].names
        layers = (names.INPUTS, names.HIDDEN_1, names.HIDDEN_2)
        self.net = Net(xp, layers, self.seats, plan.seed)
        for one in (self.net.weights[4], self.net.mean[4]):
            one.fill(0)  # then the net is the heuristic
        self.heuristic = xp.asarray(weights.load_heuristic("fitted"), "f4")
        self.others = xp.zeros((2, names.WEIGHTS), "f4")
        self.others[0, : len(self.heuristic)] = self.heuristic
        self.others[1, : len(self.heuristic)] = xp.asarray(weights.load_heuristic("heuristic"))
        if plan.begin_with:
            data = read_weights_file(plan.begin_with)
            flat, self.previous = weights.parse(data, plan.begin_with, self.seats)
            self.heuristic = xp.asarray(flat[: len(self.heuristic)])
            self.net.begin_with(flat[len(self.heuristic) :])

    def train_round(self, number: int) -> float:
        """Play games and learn from them; return the mean error."""
        xp, plan = self.xp, self.plan
        rng = xp.random.default_rng(derive_seed(plan.seed, "round", number))
        done = (number - 1) / plan.rounds
        board = self.boards[-1 if number % ROUNDS_PER_BOARD == 0 else 0]
        players = xp.full((plan.games, self.seats), NET, "i8")
        players[rng.random(plan.games) < plan.against] = ESTIMATES
        own = rng.integers(0, self.seats, plan.games)
        players[xp.arange(plan.games), own] = NET
        samples = board.play(
            board.starts(plan.games),
            self.tables(),
            players,
            seed=derive_seed(plan.seed, "games", number),
            to_end_of_turn=done >= 1 - plan.turns,
            random_percent=RANDOM_PERCENT,
            noise=NOISE,
        )
        rate = plan.rate * (0.98 * 0.5 * (1 + math.cos(math.pi * done)) + 0.02)
        return self._learn(board, samples, 1.0 if done < 0.3 else 0.6, rate, rng)

    def tables(self) -> Any:
        """Return the weights of all players: the net's, the fitted ones, and the estimates."""
        return self.xp.concatenate([self.flat()[None], self.others])

    def flat(self) -> Any:
        """Return the weights as the evaluation reads them."""
        return self.xp.concatenate([self.heuristic, self.net.flat()])

    def _learn(
        self, board: SelfPlay, samples: Samples, part: float, rate: float, rng: Any
    ) -> float:
        """Learn from all samples once, in random order; results count for a part of the target."""
        xp, count = self.xp, len(samples.positions)
        inputs, logits, first = board.encode(samples.positions, self.heuristic)
        shares = part * samples.results + (1 - part) * samples.ahead
        shares = board.from_first(shares.astype("f4"), first)
        leads = board.from_first(samples.leads, first)
        order = xp.argsort(rng.random(count))
        batch = min(self.plan.batch, count)
        errors = []
        for at in range(0, count - batch + 1, batch):
            rows = order[at : at + batch]
            errors.append(
                self.net.learn(inputs[rows], logits[rows], shares[rows], leads[rows], rate)
            )
        return float(sum(errors) / len(errors))

    def report(self, number: int, outcome: float, seconds: Callable[[], float]) -> Report:
        """Return a report with the share of the win against the fitted heuristic."""
        return Report(number, seconds(), number * self.plan.games, outcome, self.measure())

    def measure(self) -> Share:
        """Return the net's share of the win against copies of the fitted heuristic."""
        xp, games = self.xp, min(self.plan.games, MOST_MEASURED)
        own = xp.arange(games) % self.seats
        players = xp.full((games, self.seats), FITTED, "i8")
        players[xp.arange(games), own] = NET
        board = self.boards[0]
        start = MarraCash(players=self.seats).initial_buffer()
        results = board.play(
            xp.repeat(xp.asarray([start], "i8"), games, axis=0),
            self.tables(),
            players,
            seed=derive_seed(self.plan.seed, "measure"),
            to_end_of_turn=True,
        ).by_game
        return Share.of(results[xp.arange(games), own])

    def arrays(self) -> dict[str, Any]:
        return self.net.arrays()

    def set_arrays(self, arrays: Mapping[str, Any]) -> None:
        self.net.set_arrays(arrays)

    def save(self, path: Path) -> None:
        """Write the weights in half precision, and how they were trained."""
        import numpy as np

        flat = self.flat()
        flat = flat.get() if hasattr(flat, "get") else flat
        np.savez_compressed(path, weights=flat.astype(np.float16), about=np.array(self.about()))
