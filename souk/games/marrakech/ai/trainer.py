"""Training a net for Marrakech: rounds of games, and after each the lessons of them.

In the manner of TD-Gammon: positions after one's own move are learned, from the exact expectation
over the die one turn later and, further on, from the result. With a seed, on one kind of machine,
it comes out the same every time.
"""

import json
import math
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from souk.engine.errors import SoukError
from souk.games import load_game
from souk.games.marrakech.ai.self_play import OVER_END
from souk.games.marrakech.ai.training_games import A_SCORE, MIXES, Practice, Turn, lessons
from souk.games.marrakech.ai.training_opponents import BY_HAND, GREEDY, KINDS, TWO_PLIES
from souk.games.marrakech.game import Marrakech
from souk.train.devices import Machine
from souk.train.network import Net

REPORTS = 20  # rounds between reports
STRANGERS = 0.3  # part of the games in which nobody is told who plays
MOST_MEASURED = {TWO_PLIES: 4_096}  # games against kinds that take long


@dataclass(frozen=True)
class Plan:
    """How to train."""

    game: str = "marrakech(players=2)"  # any of those that share a net
    rounds: int = 200
    games: int = 16_384  # a round
    batch: int = 8_192
    rate: float = 1e-3
    against: float = 0.1  # part of the games in which players of other kinds have some seats
    seed: int = 1
    begin_with: str = ""  # a file with the net to train on; a new one if there is none


@dataclass(frozen=True)
class Report:
    """How training goes."""

    round: int
    seconds: float
    games: int
    error: float
    share: float  # of the win, against copies of the judgement made by hand
    within: float  # that the share is known to, at 95 %
    against_greedy: float  # the same against copies of the greedy player
    against_two_plies: float  # and of the judgement by hand at the end of the next player's turn

    def __str__(self) -> str:
        return (
            f"{self.round:5} {self.games:10,} {self.seconds:9.1f} {self.error:7.3f}"
            f"   {self.share:.3f} ± {self.within:.3f}   {self.against_greedy:.3f}"
            f"    {self.against_two_plies:.3f}"
        )


class Training:
    """A net in training: ask for reports until there are no more."""

    ending = ".npz"
    headings = (
        "Share of the win against copies of the judgement by hand, of the greedy player, and of",
        "the judgement by hand at the end of the next player's turn:",
        "round      games   seconds   error   by hand         greedy   two plies",
    )

    def __init__(self, plan: Plan, machine: Machine) -> None:
        self.plan = plan
        game = load_game(plan.game)
        assert isinstance(game, Marrakech)
        self.game = game
        self.practice = practice = Practice(machine, plan.games, self.game)
        self.net = Net(
            machine.xp,
            (practice.shape.ROWS, practice.shape.FIRST, practice.shape.SECOND),
            practice.seats,
            plan.seed,
        )
        self.before: dict[str, Any] | None = None  # how the net came about that it began with
        if plan.begin_with:
            size = practice.shape.WEIGHTS
            weights, self.before = kept_net(plan.begin_with, size, plan.game)
            self.net.begin_with(weights)
        self.xp = machine.xp
        self.reports: list[Report] = []
        self._draw = machine.xp.random.default_rng(plan.seed)

    def __iter__(self) -> Iterator[Report]:
        """Train, with a report now and then."""
        plan = self.plan
        began = time.perf_counter()
        for number in range(1, plan.rounds + 1):
            error = self._round((number - 1) / plan.rounds)
            if number % REPORTS == 0 or number == plan.rounds:
                share, within = self.measure(BY_HAND)
                greedy, _ = self.measure(GREEDY)
                two_plies, _ = self.measure(TWO_PLIES)
                seconds = time.perf_counter() - began
                played = number * plan.games
                report = Report(number, seconds, played, error, share, within, greedy, two_plies)
                self.reports.append(report)
                yield self.reports[-1]

    def _round(self, done: float) -> float:
        """Play games and learn from them; the mean error."""
        trying = 0.10 if done < 0.1 else 0.04 if done < 0.6 else 0.02
        self.practice.start(self._starts(), self._draw, *self._opponents())
        turns = list(self._turns(trying))
        targets, is_lesson = lessons(self.xp, turns, 0.85 if done < 0.3 else 0.7)
        rate = self.plan.rate * (0.98 * 0.5 * (1 + math.cos(math.pi * done)) + 0.02)
        return self._learn(turns, targets, is_lesson, rate)

    def _starts(self) -> Any:
        """The positions that a round's games start from: every rule of the mix has its part."""
        xp, games = self.xp, self.plan.games
        mix = MIXES[self.practice.seats, self.practice.k.COLOURS // self.practice.seats]
        rows = [load_game(text).initial_buffer() for part, text in mix for _ in range(part)]
        return xp.asarray(rows, "i8")[xp.arange(games) % len(rows)]

    def _turns(self, trying: float) -> Iterator[Turn]:
        """All turns until the last game is over."""
        practice = self.practice
        while bool((practice.G[:, practice.k.PHASE] != practice.k.OVER).any()):
            yield practice.turn(self.net, self._draw, trying)

    def _opponents(self) -> tuple[Any, Any]:
        """Who plays which seats, and where that is not known.

        In a part of the games others may have all seats but one. At half of those tables they are
        of one kind, at the rest anybody may sit anywhere. In a part of all games everybody but one
        is a stranger.
        """
        plan, xp, seats, draw = self.plan, self.xp, self.practice.seats, self._draw
        games = xp.arange(plan.games)
        own = draw.integers(0, seats, plan.games)
        is_hidden = xp.repeat((draw.random(plan.games) < STRANGERS)[:, None], seats, axis=1)
        is_hidden[games, own] = False
        if not plan.against:
            return None, is_hidden
        anybody = draw.integers(0, KINDS, (plan.games, seats))
        one_kind = draw.integers(BY_HAND, KINDS, (plan.games, 1))
        kinds = xp.where(draw.random(plan.games)[:, None] < 0.5, one_kind, anybody)
        kinds[games, own] = 0
        return xp.where(draw.random(plan.games)[:, None] < plan.against, kinds, 0), is_hidden

    def _learn(self, turns: Sequence[Turn], targets: Any, is_lesson: Any, rate: float) -> float:
        """Go through all lessons once, in any order."""
        xp, practice = self.xp, self.practice
        scores = practice.scores() / A_SCORE
        chosen = xp.flatnonzero(is_lesson.reshape(-1))
        chosen = chosen[xp.argsort(self._draw.random(len(chosen)))]
        ends = xp.stack([turn.end for turn in turns]).reshape(-1, practice.size)
        known = xp.stack([turn.known for turn in turns]).reshape(-1, 2)
        targets = targets.reshape(-1, practice.seats)
        batch = min(self.plan.batch, len(chosen))
        table = practice.empty_table(batch)
        errors = []
        for at in range(0, len(chosen) - batch + 1, batch):
            rows = chosen[at : at + batch]
            positions, about = xp.ascontiguousarray(ends[rows]), xp.ascontiguousarray(known[rows])
            first = about[:, 1]
            errors.append(
                self.net.learn(
                    practice.look(positions, about, rows % self.plan.games, table),
                    practice.is_out(positions, first),
                    practice.from_first(targets[rows], first),
                    practice.from_first(scores[rows % self.plan.games], first),
                    rate,
                )
            )
        return float(sum(errors) / len(errors))

    def measure(self, kind: int) -> tuple[float, float]:
        """The share of the win of the net in one seat, others of a kind in all other seats."""
        xp, games, seats = self.xp, self.plan.games, self.practice.seats
        mine = xp.arange(seats)[None, :] == (xp.arange(games) % seats)[:, None]
        start = xp.asarray([self.game.initial_buffer()], "i8")
        kinds = xp.where(mine, 0, kind)
        self.practice.start(xp.repeat(start, games, axis=0), self._draw, kinds)
        measured = min(games, MOST_MEASURED.get(kind, games))
        self.practice.G[measured:, self.practice.k.PHASE] = self.practice.k.OVER
        won = xp.zeros((games, seats), "f4")
        for turn in self._turns(0.0):
            is_over = turn.is_played & (turn.known[:, 0] == OVER_END)
            won = xp.where(is_over[:, None], turn.result, won)
        share = (won * mine).sum(1)[:measured]
        return float(share.mean()), float(1.96 * share.std() / math.sqrt(measured))

    def save(self, path: Path) -> None:
        """Keep the net: its weights in half precision, and how they came about."""
        import numpy as np

        flat = self.net.flat()
        weights = flat.get() if hasattr(flat, "get") else flat
        reports = [asdict(one) for one in self.reports]
        about = {"plan": asdict(self.plan), "reports": reports, "before": self.before}
        np.savez_compressed(
            path, weights=weights.astype(np.float16), about=np.array(json.dumps(about))
        )


def kept_net(path: str, size: int, game: str) -> tuple[Any, dict[str, Any]]:
    """The weights of a net that was kept, of the size that a game's net has; how it came about."""
    import numpy as np

    try:
        with Path(path).open("rb") as file:
            kept = np.load(file)
            weights = np.asarray(kept["weights"], np.float32)
            about = json.loads(str(kept["about"]))
    except OSError as error:
        raise SoukError(f"{path} cannot be read: {error.strerror or error}") from None
    except (EOFError, IndexError, KeyError, ValueError, BadZipFile, zlib.error):
        raise SoukError(f"{path} is not a net that souk has kept") from None
    if weights.shape != (size,):
        raise SoukError(
            f"the net in {path} has {weights.size:,} weights; that of {game} has {size:,}"
        )
    return weights, about
