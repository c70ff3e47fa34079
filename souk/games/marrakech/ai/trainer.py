"""Train the net of Marrakech: play games, learn from their positions, and repeat.

As in TD-Gammon, positions after a player's own move are learned, from the exact expectation over
the die one turn later and, further on, from the result. With a seed, on one kind of machine, the
result is always the same.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from souk.engine.seeds import derive_seed
from souk.games import load_game
from souk.games.marrakech.ai import weights
from souk.games.marrakech.ai.opponent_kinds import GREEDY, HEURISTIC, KINDS, NET, TWO_PLY
from souk.games.marrakech.ai.self_play import OVER_END
from souk.games.marrakech.ai.training_games import (
    MIXES,
    SCORE_UNIT,
    SelfPlay,
    Turn,
    training_targets,
)
from souk.games.marrakech.game import Marrakech
from souk.train.devices import Machine, machine
from souk.train.net import Net
from souk.train.trainer import Games, Part, Rounds, Seed, Share, Trainer
from souk.train.weights_file import read_weights_file

HIDDEN = 0.3  # part of the games in which the net does not know who plays
MOST_MEASURED = {TWO_PLY: 4_096}  # games against kinds that take long


@dataclass(frozen=True)
class Plan:
    """The options of a training."""

    game: str = "marrakech(players=2)"  # any of those that share a net
    rounds: Rounds = 200
    games: Games = 16_384
    batch: Annotated[int, Meta(ge=1, description="positions per step of learning")] = 8_192
    rate: Annotated[Part, Meta(description="initial learning rate")] = 1e-3
    against: Annotated[Part, Meta(description="part of the games with players of other kinds")] = (
        0.1
    )
    seed: Seed = 1
    begin_with: Annotated[str, Meta(description="a saved net to train further")] = ""
    on: Annotated[str, Meta(description="cpu or gpu")] = "cpu"


@dataclass(frozen=True)
class Report:
    """The progress of a training."""

    round: int
    seconds: float
    games: int
    error: float
    share: Share  # of the win, against copies of the heuristic
    against_greedy: Share  # against copies of the greedy player
    against_two_plies: Share  # and of the heuristic at the end of the next player's turn

    def __str__(self) -> str:
        shares = f"{self.share}  {self.against_greedy}  {self.against_two_plies}"
        return f"{self.round:5} {self.seconds:8.0f}  {self.error:.3f}  {shares}"


class NetTrainer(Trainer):
    """A net in training."""

    plan_class = Plan
    report_class = Report
    suffix = ".npz"
    headings = (
        "Share of the win, with its 95% interval, against copies of the heuristic, of the greedy",
        "player, and of the heuristic at the end of the next player's turn:",
        "round  seconds  error  heuristic            greedy               two plies",
    )
    rounds_per_report = 20
    plan: Plan

    def __init__(self, plan: Plan, device: Machine | None = None) -> None:
        super().__init__(plan)
        game = load_game(plan.game)
        assert isinstance(game, Marrakech)
        self.game = game
        device = device or machine(plan.on)
        self.xp = device.xp
        self.self_play = self_play = SelfPlay(device, plan.games, game)
        names = self_play.net_names
        layers = (names.INPUTS, names.HIDDEN_1, names.HIDDEN_2)
        self.net = Net(self.xp, layers, self_play.seats, plan.seed)
        if plan.begin_with:
            data = read_weights_file(plan.begin_with)
            start = weights.parse(data, plan.begin_with, game.num_players(), game.colours_each)
            flat, self.previous = start
            self.net.begin_with(flat)
        self._seed_round(0)

    def _seed_round(self, number: int) -> None:
        """Draw from a seed of the round: what came before it does not matter."""
        self._rng = self.xp.random.default_rng(derive_seed(self.plan.seed, "round", number))

    def train_round(self, number: int) -> float:
        """Play games and learn from them; return the mean error."""
        self._seed_round(number)
        done = (number - 1) / self.plan.rounds
        exploration = 0.10 if done < 0.1 else 0.04 if done < 0.6 else 0.02
        self.self_play.start(self._starts(), self._rng, *self._opponents())
        turns = list(self._turns(exploration))
        targets, is_sample = training_targets(self.xp, turns, 0.85 if done < 0.3 else 0.7)
        rate = self.plan.rate * (0.98 * 0.5 * (1 + math.cos(math.pi * done)) + 0.02)
        return self._learn(turns, targets, is_sample, rate)

    def report(self, number: int, outcome: float, seconds: Callable[[], float]) -> Report:
        """Return a report with the shares of the win against other kinds of players."""
        shares = [self.measure(kind) for kind in (HEURISTIC, GREEDY, TWO_PLY)]
        return Report(number, seconds(), number * self.plan.games, outcome, *shares)

    def _starts(self) -> Any:
        """Return the first positions of a round's games: every game of the mix has its part."""
        xp, games = self.xp, self.plan.games
        mix = MIXES[self.self_play.seats, self.self_play.k.COLOURS // self.self_play.seats]
        rows = [load_game(text).initial_buffer() for part, text in mix for _ in range(part)]
        return xp.asarray(rows, "i8")[xp.arange(games) % len(rows)]

    def _turns(self, exploration: float) -> Iterator[Turn]:
        """Play until the last game is over; yield every turn."""
        self_play = self.self_play
        while bool((self_play.G[:, self_play.k.PHASE] != self_play.k.OVER).any()):
            yield self_play.turn(self.net, self._rng, exploration)

    def _opponents(self) -> tuple[Any, Any]:
        """Return the kind of player in every seat, and where the net does not know it.

        In a part of the games players of other kinds may have all seats but one. In half of these
        they are of one kind, in the rest every kind may have any seat.
        """
        plan, xp, seats, rng = self.plan, self.xp, self.self_play.seats, self._rng
        games = xp.arange(plan.games)
        own = rng.integers(0, seats, plan.games)
        is_hidden = xp.repeat((rng.random(plan.games) < HIDDEN)[:, None], seats, axis=1)
        is_hidden[games, own] = False
        if not plan.against:
            return None, is_hidden
        anybody = rng.integers(0, KINDS, (plan.games, seats))
        one_kind = rng.integers(HEURISTIC, KINDS, (plan.games, 1))
        kinds = xp.where(rng.random(plan.games)[:, None] < 0.5, one_kind, anybody)
        kinds[games, own] = NET
        return xp.where(rng.random(plan.games)[:, None] < plan.against, kinds, NET), is_hidden

    def _learn(self, turns: Sequence[Turn], targets: Any, is_sample: Any, rate: float) -> float:
        """Learn from all samples once, in random order; return the mean error."""
        xp, self_play = self.xp, self.self_play
        scores = self_play.scores() / SCORE_UNIT
        chosen = xp.flatnonzero(is_sample.reshape(-1))
        chosen = chosen[xp.argsort(self._rng.random(len(chosen)))]
        ends = xp.stack([turn.end for turn in turns]).reshape(-1, self_play.size)
        status = xp.stack([turn.status for turn in turns]).reshape(-1, 2)
        targets = targets.reshape(-1, self_play.seats)
        batch = min(self.plan.batch, len(chosen))
        table = self_play.empty_table(batch)
        errors = []
        for at in range(0, len(chosen) - batch + 1, batch):
            rows = chosen[at : at + batch]
            positions, about = xp.ascontiguousarray(ends[rows]), xp.ascontiguousarray(status[rows])
            first = about[:, 1]
            errors.append(
                self.net.learn(
                    self_play.encode(positions, about, rows % self.plan.games, table),
                    self_play.logits(positions, first),
                    self_play.from_first(targets[rows], first),
                    self_play.from_first(scores[rows % self.plan.games], first),
                    rate,
                )
            )
        return float(sum(errors) / len(errors))

    def measure(self, kind: int) -> Share:
        """Return the net's share of the win against players of a kind."""
        xp, games, seats = self.xp, self.plan.games, self.self_play.seats
        mine = xp.arange(seats)[None, :] == (xp.arange(games) % seats)[:, None]
        start = xp.asarray([self.game.initial_buffer()], "i8")
        kinds = xp.where(mine, NET, kind)
        self.self_play.start(xp.repeat(start, games, axis=0), self._rng, kinds)
        measured = min(games, MOST_MEASURED.get(kind, games))
        self.self_play.G[measured:, self.self_play.k.PHASE] = self.self_play.k.OVER
        won = xp.zeros((games, seats), "f4")
        for turn in self._turns(0.0):
            is_over = turn.is_played & (turn.status[:, 0] == OVER_END)
            won = xp.where(is_over[:, None], turn.result, won)
        return Share.of((won * mine).sum(1)[:measured])

    def arrays(self) -> dict[str, Any]:
        return self.net.arrays()

    def set_arrays(self, arrays: Mapping[str, Any]) -> None:
        self.net.set_arrays(arrays)

    def save(self, path: Path) -> None:
        """Write the weights in half precision, and how they were trained."""
        import numpy as np

        flat = self.net.flat()
        flat = flat.get() if hasattr(flat, "get") else flat
        np.savez_compressed(path, weights=flat.astype(np.float16), about=np.array(self.about()))
