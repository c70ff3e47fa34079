"""Measure the strongest player: matches in the arena, each beside the share that we promise.

Every match goes on until it is clear whether the promise is met, or for GAMES games. Rivals that
are no levels of the package are in the folder rivals.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from souk import arena
from souk.arena.standings import Share

RIVALS = Path(__file__).with_name("rivals")
BEST = "master:seconds=0.1"
GAMES = 400
MATCHES = (  # game, against copies of whom, the share we promise
    ("marrakech(players=2)", "greedy", 0.86),
    ("marrakech(players=3)", "greedy", 0.58),
    ("marrakech(players=4)", "greedy", 0.54),
    ("marrakech(players=2)", "two-plies", 0.60),
    ("marrakech(players=3)", "two-plies", 0.42),
    ("marrakech(players=4)", "two-plies", 0.33),
    ("marracash(players=4)", "greedy", 0.60),
    ("marrakech(players=2)", "mcts:seconds=1", 0.50),
)


@dataclass(frozen=True)
class Strength:
    """One match."""

    game: str
    result: Share
    promise: float

    @property
    def passes(self) -> bool:
        """Return whether the share is at least what we promise."""
        return self.result.share >= self.promise

    def line(self) -> str:
        one = self.result
        against = f"{one.player} against {one.against}, {self.game}"
        text = f"{against:<76} {one.share:.3f} ({one.low:.3f} to {one.high:.3f})"
        missed = "" if self.passes else ": MISSED"
        return f"{text}, {one.games} games (at least {self.promise:g}{missed})"


def figures() -> Iterator[Strength]:
    """Play all matches and yield each result."""
    sys.path.insert(0, str(RIVALS))  # the arena's processes look where we do
    for game, rival, promise in MATCHES:
        question = f"share={promise}"
        result = arena.compete(game, BEST, rival, games=GAMES, until=question)
        yield Strength(game, result.share(BEST, rival), promise)
