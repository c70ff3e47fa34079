"""Compare predicted shares of the win with the results of games, for every table size.

    python -m bench.calibration --games 1000 --judges static,expert,master:nodes=20000

Games are played between equal players (`expert`) and between mixed levels. At some turns of each
game, chosen at random, judges predict every seat's share of the win: `static` is the best
evaluation of the position by itself, other judges are players that search.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.mixed_games import play_mixed, static_shares
from souk.analysis.calibration import Prediction, Reliability, reliability
from souk.analysis.decisions import MIX, undo_to
from souk.engine.errors import SoukError
from souk.engine.playouts import cores
from souk.engine.processes import in_processes
from souk.engine.seeds import derive_seed
from souk.games import load_game
from souk.players import player
from souk.players.levels import Expert

TABLES = (
    "marrakech(players=2,two_player=one-colour)",
    "marrakech(players=2)",
    "marrakech(players=3)",
    "marrakech(players=4)",
    "marracash(players=3)",
    "marracash(players=4)",
)
MIXES: dict[str, Mapping[str, int]] = {"equal": {"expert": 1}, "mixed": MIX}
STATIC = "static"
JUDGES = f"{STATIC},expert,master:nodes=5000"
GAMES = 100
TURNS = 8  # of a game at which the judges predict

Predicted = list[tuple[float, ...]]  # by turn, for every seat


@dataclass(frozen=True)
class PredictedGame:
    """A game that is over, and what the judges predicted at some of its turns."""

    returns: tuple[float, ...]
    movers: list[int]  # by turn
    predicted: dict[str, Predicted]  # by judge


@dataclass(frozen=True)
class Table:
    """The reliability table of a judge at the tables of one size."""

    game: str
    players: str  # equal or mixed
    judge: str
    reliability: Reliability
    passes: bool = True

    def line(self) -> str:
        found = self.reliability
        lines = [f"{self.game}, {self.players} players, {self.judge}: {found.games} games"]
        lines.append("    predicted      seats   mean  result  95% interval")
        for one in found.bins:
            lines.append(
                f"    {one.above:4.0%} to {one.below:4.0%} {one.count:>7}  {one.predicted:>5.1%}"
                f"  {one.result:>6.1%}  {one.low:.1%} to {one.high:.1%}"
            )
        lines.append(
            f"    mean distance {found.error:.1%} ({found.by_chance:.1%} by chance); predicted too"
            f" high for the player to move by {found.mover:.1%} ± {found.mover_error:.1%}"
        )
        return "\n".join(lines)


def predict_game(
    text: str, mix: Mapping[str, int], judges: Sequence[str], turns: int, seed: int, number: int
) -> PredictedGame:
    """Play a game, and ask the judges at some of its turns; both depend on the number only."""
    game = load_game(text)
    random = Random(derive_seed(seed, "calibration", text, *mix, number))
    state, starts = play_mixed(game, random, mix)
    result = PredictedGame(tuple(state.returns()), [], {judge: [] for judge in judges})
    asked = {judge: player("expert" if judge == STATIC else judge, game) for judge in judges}
    for start in sorted(random.sample(starts, min(turns, len(starts))), reverse=True):
        undo_to(state, start)
        result.movers.append(state.current_player())
        for judge, one in asked.items():
            if judge == STATIC:
                assert isinstance(one, Expert)
                shares = static_shares(one, state)
            else:
                shares = one.analyse(state)[0].shares
            result.predicted[judge].append(shares)
    return result


def predictions(games: Sequence[PredictedGame], judge: str) -> list[Prediction]:
    """Return what a judge predicted, for every seat at every turn that was chosen."""
    return [
        Prediction(number, share, game.returns[seat], seat == mover)
        for number, game in enumerate(games)
        for mover, shares in zip(game.movers, game.predicted[judge], strict=True)
        for seat, share in enumerate(shares)
    ]


def tables(
    texts: Sequence[str],
    judges: Sequence[str],
    games: int = GAMES,
    *,
    turns: int = TURNS,
    seed: int = 1,
    processes: int | None = None,
) -> Iterator[Table]:
    """Yield the reliability tables of some judges for some games."""
    jobs = []
    for text in texts:
        for judge in judges:
            if judge != STATIC:
                player(judge, load_game(text))  # or an error at once
        for mix in MIXES.values():
            job = (str(load_game(text)), mix, tuple(judges), turns, seed)
            jobs += [partial(predict_game, *job, number) for number in range(games)]
    results = in_processes(_call, jobs, processes or cores())
    for text in texts:
        for players in MIXES:
            played = [next(results) for _ in range(games)]
            for judge in judges:
                found = reliability(predictions(played, judge))
                yield Table(str(load_game(text)), players, judge, found)


def _call(job: "partial[PredictedGame]") -> PredictedGame:
    return job()


def figures() -> Iterator[Table]:
    """Yield the tables for both games and every table size."""
    yield from tables(TABLES, JUDGES.split(","))


def main(arguments: list[str]) -> int:
    """Print the tables that the command line asks for."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="python -m bench.calibration", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--tables", nargs="+", default=TABLES, help="game strings")
    parser.add_argument("--judges", default=JUDGES, help="(%(default)s)")
    parser.add_argument("--games", type=int, default=GAMES, help="of each kind (%(default)s)")
    parser.add_argument("--turns", type=int, default=TURNS, help="of each game (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--processes", type=int, default=cores(), help="(%(default)s)")
    parser.add_argument("--json", type=Path, help="write the tables to this file")
    options = parser.parse_args(arguments)
    for name in ("games", "turns", "processes"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is a number above 0, not {getattr(options, name)}")
    done: list[dict[str, Any]] = []
    for table in tables(
        options.tables,
        options.judges.split(","),
        options.games,
        turns=options.turns,
        seed=options.seed,
        processes=options.processes,
    ):
        print(table.line(), flush=True)
        done.append(asdict(table))
        if options.json:
            options.json.write_text(json.dumps(done, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (SoukError, OSError) as error:
        sys.exit(f"bench.calibration: {error}")
