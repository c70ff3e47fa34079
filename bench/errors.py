"""Measure the error rate of every level, by table size and phase, with decision sets.

The sets are the files bench/decisions/*.jsonl.gz; `python -m tools.decisions` makes them. Only the
positions that are held back from training count.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from souk.analysis.decisions import Decision, read_decisions
from souk.analysis.error_rate import ErrorRate, error_rate, losses
from souk.games import load_game
from souk.players import player

FOLDER = Path(__file__).with_name("decisions")
LEVELS: tuple[tuple[str, int | None], ...] = (  # with their nodes
    ("random", None),
    ("novice", None),
    ("greedy", None),
    ("trader", None),
    ("expert", None),
    ("master", 2_000),
    ("master", 20_000),
)


@dataclass(frozen=True)
class Line:
    """The error rate of a level in one phase of a game."""

    what: str
    rate: ErrorRate
    passes: bool = True

    def line(self) -> str:
        rate = f"{self.rate.rate:>8.1f} ± {self.rate.error:<6.1f}"
        return f"{self.what:<66}{rate}{self.rate.decisions:>6} decisions"


def figures() -> Iterator[Line]:
    """Yield the mean loss of a decision in thousandths of the win, for every level."""
    files = sorted(FOLDER.glob("*.jsonl.gz"))
    if not files:
        sys.exit(f"there is no decision set in {FOLDER}: python -m tools.decisions makes one")
    for file in files:
        held_back = [one for one in read_decisions(file) if one.is_held_back]
        for name, nodes in LEVELS if held_back else ():
            yield from level_lines(name, nodes, held_back)


def level_lines(name: str, nodes: int | None, decisions: list[Decision]) -> Iterator[Line]:
    """Yield the error rate of a level in all decisions of a game, and by phase."""
    game = load_game(decisions[0].position["game"])
    lost = losses(player(name, game, nodes=nodes, seed=1), decisions)
    level = f"{game}, {name}" + (f" with {nodes:,} nodes" if nodes else "")
    yield Line(level, error_rate(lost))
    for phase in sorted({one.phase for one in decisions}):
        own = [loss for one, loss in zip(decisions, lost, strict=True) if one.phase == phase]
        yield Line(f"  {phase}", error_rate(own))
