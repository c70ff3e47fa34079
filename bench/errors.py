"""Measure the error rate of players, by table size and phase, with decision sets.

    python -m bench.errors --decisions FOLDER --levels expert,master:seconds=0.1 --limit 100

A set is a file of decisions; `python -m tools.decisions` makes one. Only the positions that are
held back from training count. Every player is also compared with the one named before it, in the
same decisions. Without options, all levels are measured with the sets in bench/decisions; then
`master` with more and more time, which must never hurt, with the first 100 decisions of each set.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from souk.analysis.decisions import Decision, read_decisions
from souk.analysis.error_rate import ErrorRate, error_rate, losses, noise
from souk.engine.errors import SoukError
from souk.engine.playouts import cores
from souk.games import load_game
from souk.players import player

FOLDER = Path(__file__).with_name("decisions")
LEVELS = "random,novice,greedy,trader,expert,master:nodes=2000,master:nodes=20000"
TIMES = "master:seconds=0.01,master:seconds=0.1,master:seconds=1,master:seconds=10"
TIMED_DECISIONS = 100


@dataclass(frozen=True)
class Line:
    """The error rate of a player, in one phase of a game or compared with another player."""

    what: str
    rate: ErrorRate
    passes: bool = True

    def line(self) -> str:
        rate = f"{self.rate.rate:>8.1f} ± {self.rate.error:<6.1f}"
        text = f"{self.what:<66}{rate}{self.rate.decisions:>6} decisions"
        return text if self.passes else f"{text}: MORE TIME HURTS"


@dataclass(frozen=True)
class Noise:
    """How much too high all error rates of a set are, since the best of noisy values is."""

    what: str
    rate: float
    passes: bool = True

    def line(self) -> str:
        return f"{self.what:<66}{self.rate:>8.1f} in every rate"


@dataclass(frozen=True)
class Measured:
    """The losses of some players in the decisions of a set."""

    file: Path
    decisions: Sequence[Decision]
    lost: dict[str, list[float]]  # by player

    @property
    def game(self) -> str:
        """The game of the set."""
        return str(self.decisions[0].position["game"])

    def noise(self) -> float:
        """Return how much too high the error rates are."""
        return 1000 * sum(map(noise, self.decisions)) / len(self.decisions)

    def by_phase(self, name: str) -> dict[str, ErrorRate]:
        """Return the error rates of a player in the phases of the game."""
        result = {}
        for phase in sorted({one.phase for one in self.decisions}):
            pairs = zip(self.decisions, self.lost[name], strict=True)
            result[phase] = error_rate([loss for one, loss in pairs if one.phase == phase])
        return result

    def differences(self) -> Iterator[tuple[str, str, ErrorRate]]:
        """Yield every player, the one before, and the mean difference of their losses."""
        names = list(self.lost)
        for before, name in pairwise(names):
            pairs = zip(self.lost[name], self.lost[before], strict=True)
            yield name, before, error_rate([one - other for one, other in pairs])

    def lines(self, is_about_time: bool = False) -> Iterator[Line | Noise]:
        """Yield the figures to print; more time for the same player must not hurt clearly."""
        for name, lost in self.lost.items():
            yield Line(f"{self.game}, {name}", error_rate(lost))
            for phase, rate in self.by_phase(name).items():
                yield Line(f"  {phase}", rate)
        for name, before, rate in self.differences():
            passes = not is_about_time or not rate.rate - rate.error > 0
            yield Line(f"  {name} less {before}", rate, passes)
        yield Noise("  of these, noise of the values", self.noise())

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON."""
        return {
            "file": self.file.name,
            "sha256": hashlib.sha256(self.file.read_bytes()).hexdigest(),
            "game": self.game,
            "decisions": len(self.decisions),
            "noise": self.noise(),
            "players": {
                name: {
                    **_as_dict(error_rate(lost)),
                    "phases": {
                        phase: _as_dict(rate) for phase, rate in self.by_phase(name).items()
                    },
                    "losses": lost,
                }
                for name, lost in self.lost.items()
            },
            "differences": [
                {"player": name, "less": before, **_as_dict(rate)}
                for name, before, rate in self.differences()
            ],
        }


def _as_dict(rate: ErrorRate) -> dict[str, Any]:
    # NaN is no JSON
    error = rate.error if rate.decisions > 1 else None
    return {"rate": rate.rate, "error": error, "decisions": rate.decisions}


def figures() -> Iterator[Line | Noise]:
    """Yield the mean loss of a decision in thousandths of the win, for every level."""
    for one in measure([FOLDER], LEVELS.split(",")):
        yield from one.lines()
    for one in measure([FOLDER], TIMES.split(","), TIMED_DECISIONS):
        yield from one.lines(is_about_time=True)


def measure(
    paths: Sequence[Path],
    names: Sequence[str],
    limit: int | None = None,
    *,
    seed: int = 1,
    processes: int | None = None,
) -> Iterator[Measured]:
    """Yield the losses of some players in the decisions held back of every set."""
    for file in find_sets(paths):
        decisions = [one for one in read_decisions(file) if one.is_held_back][:limit]
        if not decisions:
            continue
        game = load_game(decisions[0].position["game"])
        for name in names:
            player(name, game)  # or an error at once, before hours of work
        lost = losses(names, decisions, seed=seed, processes=processes)
        yield Measured(file, decisions, dict(zip(names, lost, strict=True)))


def find_sets(paths: Sequence[Path]) -> list[Path]:
    """Return the files of decisions among some files and folders."""
    files = []
    for path in paths:
        inside = [*path.glob("*.jsonl.gz"), *path.glob("*.jsonl")] if path.is_dir() else [path]
        files += sorted(inside)
    if not files:
        raise SoukError(f"there is no decision set in {paths[0]}: tools.decisions makes one")
    return files


def main(arguments: list[str]) -> int:
    """Measure the players that the command line names."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="python -m bench.errors", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--decisions", type=Path, nargs="+", default=[FOLDER], help="files, or folders of them"
    )
    parser.add_argument("--levels", default=LEVELS, help="players with settings (%(default)s)")
    parser.add_argument("--limit", type=int, help="only the first decisions of every set")
    parser.add_argument("--seed", type=int, default=1, help="of the players (%(default)s)")
    parser.add_argument("--processes", type=int, default=cores(), help="(%(default)s)")
    parser.add_argument("--json", type=Path, help="write the figures, and every loss, to this file")
    options = parser.parse_args(arguments)
    for name in ("limit", "processes"):
        value = getattr(options, name)
        if value is not None and value < 1:
            parser.error(f"--{name} is a number above 0, not {value}")
    names = options.levels.split(",")
    if len({*names}) < len(names):
        parser.error("--levels names a player twice")
    done = []
    for one in measure(
        options.decisions, names, options.limit, seed=options.seed, processes=options.processes
    ):
        for line in one.lines():
            print(line.line(), flush=True)
        done.append(one.to_dict())
        if options.json:  # after every set: an interrupted run keeps what it has
            options.json.write_text(json.dumps(done, indent=1) + "\n")
    if not done:
        raise SoukError("the sets have no decision that is held back")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (SoukError, OSError) as error:
        sys.exit(f"bench.errors: {error}")
