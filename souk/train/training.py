"""Training a net for Marrakech: rounds of games, and after each the lessons of them.

In the manner of TD-Gammon: positions after one's own move are learned, from the exact expectation
over the die one turn later and, further on, from the result. With a seed, on one kind of machine,
it comes out the same every time.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from souk.engine.game import Game
from souk.games import load_game
from souk.train.machines import Machine
from souk.train.net import Net
from souk.train.selfplay import A_SCORE, OVER_END, Practice, Turn, lessons

# The rules that practice games go by, with how many of twenty do.
MIXES: dict[tuple[int, int], Sequence[tuple[int, str]]] = {
    (2, 2): (
        (10, "marrakech(players=2)"),
        (4, "marrakech(players=2,edition=pergioco)"),
        (1, "marrakech(players=2,edition=gigamic-57)"),
        (2, "marrakech(players=2,turn_last=True)"),
        (1, "marrakech(players=2,edition=pergioco,turn_last=True)"),
        (1, "marrakech(players=2,cover_own=True)"),
        (1, "marrakech(players=2,rugs=8,dirhams=20)"),
    ),
    (2, 1): (
        (10, "marrakech(players=2,two_player=one-colour)"),
        (3, "marrakech(players=2,edition=pergioco,two_player=one-colour)"),
        (2, "marrakech(players=2,edition=gigamic-57,two_player=one-colour)"),
        (2, "marrakech(players=2,two_player=one-colour,turn_last=True)"),
        (1, "marrakech(players=2,edition=pergioco,two_player=one-colour,turn_last=True)"),
        (1, "marrakech(players=2,two_player=one-colour,cover_own=True)"),
        (1, "marrakech(players=2,two_player=one-colour,rugs=24)"),
    ),
    **{
        (players, 1): (
            (13, f"marrakech(players={players})"),
            (2, f"marrakech(players={players},edition=pergioco)"),
            (2, f"marrakech(players={players},edition=gigamic-57)"),
            (1, f"marrakech(players={players},turn_last=True)"),
            (1, f"marrakech(players={players},cover_own=True)"),
            (1, f"marrakech(players={players},rugs=8,dirhams=20)"),
        )
        for players in (3, 4)
    },
}
TWENTY = 20
REPORTS = 20  # rounds between reports


@dataclass(frozen=True)
class Plan:
    """How to train."""

    game: str = "marrakech(players=2)"  # any of those that share a net
    rounds: int = 200
    games: int = 16_384  # a round
    batch: int = 8_192
    rate: float = 1e-3
    against_hand: float = 0.0  # part of the games in which the other judgement has some seats
    seed: int = 1


@dataclass(frozen=True)
class Report:
    """How training goes."""

    round: int
    seconds: float
    games: int
    error: float
    share: float  # of the win, against copies of the judgement made by hand
    within: float  # that the share is known to, at 95 %


def train(plan: Plan, machine: Machine, tell: Callable[[Net, list[Report]], None]) -> None:
    """Train a net, and tell of it now and then: what it is, and how it came about so far."""
    game = load_game(plan.game)
    practice = Practice(machine, plan.games, game)
    shape = practice.shape
    net = Net(
        machine.xp, shape["INPUTS"], shape["FIRST"], shape["SECOND"], practice.seats, plan.seed
    )
    draw = machine.xp.random.default_rng(plan.seed)
    reports: list[Report] = []
    began = time.perf_counter()
    for number in range(plan.rounds):
        done = number / plan.rounds
        error = one_round(plan, practice, net, draw, done)
        if (number + 1) % REPORTS == 0 or number + 1 == plan.rounds:
            share, within = measured(plan, practice, net, draw)
            seconds = time.perf_counter() - began
            played = (number + 1) * plan.games
            reports.append(Report(number + 1, seconds, played, error, share, within))
            tell(net, reports)


def rounds_within(plan: Plan, machine: Machine, seconds: float) -> int:
    """How many rounds take so long, by the time that two of them take; others count in."""
    game = load_game(plan.game)
    practice = Practice(machine, plan.games, game)
    shape = practice.shape
    net = Net(
        machine.xp, shape["INPUTS"], shape["FIRST"], shape["SECOND"], practice.seats, plan.seed
    )
    draw = machine.xp.random.default_rng(plan.seed)
    one_round(plan, practice, net, draw, 0.0)
    began = time.perf_counter()
    for _ in range(2):
        one_round(plan, practice, net, draw, 0.0)
    took = (time.perf_counter() - began) / 2
    return max(1, int(seconds / (took * (1 + 1 / REPORTS)) - 4))


def starts(plan: Plan, practice: Practice) -> Any:
    """The positions that the games of a round start from: every rule of the mix has its part."""
    import numpy as np

    game = load_game(plan.game)
    players = game.num_players()
    each = game.rules["COLOURS"] // players
    rows = [load_game(text).start() for part, text in MIXES[players, each] for _ in range(part)]
    assert len(rows) == TWENTY
    seats = np.arange(plan.games) % TWENTY
    return practice.xp.asarray(np.array(rows, "i8")[seats])


def one_round(plan: Plan, practice: Practice, net: Net, draw: Any, done: float) -> float:
    """Play games and learn from them; the mean error."""
    xp = practice.xp
    trying = 0.10 if done < 0.1 else 0.04 if done < 0.6 else 0.02
    by_hand = opponents(plan, practice, draw)
    practice.start(starts(plan, practice), draw)
    turns = list(until_over(practice, net, draw, trying, by_hand))
    targets, is_lesson = lessons(xp, turns, 0.85 if done < 0.3 else 0.7)
    scores = practice.scores() / A_SCORE
    chosen = xp.flatnonzero(is_lesson.reshape(-1))
    chosen = chosen[xp.argsort(draw.random(len(chosen)))]
    ends = xp.stack([turn.end for turn in turns]).reshape(-1, practice.size)
    known = xp.stack([turn.known for turn in turns]).reshape(-1, 2)
    targets = targets.reshape(-1, practice.seats)
    rate = plan.rate * (0.98 * 0.5 * (1 + math.cos(math.pi * done)) + 0.02)
    batch = min(plan.batch, len(chosen))
    table = practice._empty(batch)
    errors = []
    for at in range(0, len(chosen) - batch + 1, batch):
        rows = chosen[at : at + batch]
        positions, about = xp.ascontiguousarray(ends[rows]), xp.ascontiguousarray(known[rows])
        first = about[:, 1]
        errors.append(
            net.learn(
                practice.look(positions, about, table),
                practice.is_out(positions, first),
                practice.from_first(targets[rows], first),
                practice.from_first(scores[rows % plan.games], first),
                rate,
            )
        )
    return float(sum(errors) / len(errors))


def until_over(
    practice: Practice, net: Net, draw: Any, trying: float, by_hand: Any
) -> Iterator[Turn]:
    """All turns until the last game is over."""
    while bool((practice.G[:, practice.k["PHASE"]] != practice.k["OVER"]).any()):
        yield practice.turn(net, draw, trying, by_hand)


def opponents(plan: Plan, practice: Practice, draw: Any) -> Any:
    """Which seats of which games the judgement made by hand has: one, or all but one."""
    if not plan.against_hand:
        return None
    xp, seats = practice.xp, practice.seats
    one = xp.arange(seats)[None, :] == draw.integers(0, seats, plan.games)[:, None]
    how = draw.random(plan.games)[:, None]
    half = plan.against_hand / 2
    return xp.where(how < half, one, (how < plan.against_hand) & ~one)


def measured(plan: Plan, practice: Practice, net: Net, draw: Any) -> tuple[float, float]:
    """The share of the win of the net in one seat, the judgement made by hand in all others."""
    xp, seats = practice.xp, practice.seats
    game = load_game(plan.game)
    one = xp.arange(seats)[None, :] == (xp.arange(plan.games) % seats)[:, None]
    practice.start(xp.tile(xp.asarray(game.start(), "i8"), (plan.games, 1)), draw)
    won = xp.zeros((plan.games, seats), "f4")
    for turn in until_over(practice, net, draw, 0.0, ~one):
        is_over = turn.is_played & (turn.known[:, 0] == OVER_END)
        won = xp.where(is_over[:, None], turn.result, won)
    mine = (won * one).sum(1)
    return float(mine.mean()), float(1.96 * mine.std() / math.sqrt(plan.games))


def save(path: Path, game: Game, net: Net, plan: Plan, reports: Sequence[Report]) -> None:
    """Keep a net: its weights in half precision, and how it came about."""
    import numpy as np

    flat = net.flat()
    weights = flat.get() if hasattr(flat, "get") else flat
    about = {"game": str(game), "plan": asdict(plan), "reports": [asdict(one) for one in reports]}
    np.savez_compressed(path, weights=weights.astype(np.float16), about=np.array(json.dumps(about)))
