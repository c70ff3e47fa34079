"""Compare the evaluation, search and rollouts with exact values, where these can be had.

    python -m bench.exact --positions 200 --games 2592

Positions at the start of one of the last turns, from games between mixed players, are solved
completely: a search follows every line to the end of the game, where nothing is estimated. So are
positions of a small variant; another one is solved from its start by examples/exact_value.py.

The value is the share of the win of the player to move if everybody does what is best for
themselves. With two players it is unique. With more, somebody who cannot win any more may decide
who does: there the search takes the first of equal actions, and rollouts one at random.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import pi, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

from bench.mixed_games import play_mixed, static_shares
from examples.exact_value import SMALL, solve
from souk.analysis.decisions import undo_to
from souk.analysis.error_rate import Z
from souk.analysis.rollouts import rollout
from souk.engine.errors import SoukError
from souk.engine.playouts import cores
from souk.engine.processes import in_processes
from souk.engine.seeds import derive_seed
from souk.engine.state import State
from souk.games import load_game
from souk.players.levels import Expert, Master

LAST_TURNS = (  # a game, and how many turns before the end are solved
    ("marrakech(players=2,two_player=one-colour)", 3),
    ("marrakech(players=2)", 3),
    ("marrakech(players=3)", 3),
    ("marrakech(players=4)", 3),
    ("marracash(players=3)", 1),
    ("marracash(players=4)", 1),
    ("marrakech(players=2,two_player=one-colour,rugs=2,dirhams=4)", 3),  # all but its first turn
)
NODES = 3_000_000  # of the search that solves a position
TRIES = 100  # games, to find a position that can be solved
POSITIONS = 40
GAMES = 288  # rollouts of a position

STATIC = "evaluation alone"
SEARCH = "expert: end of the turn"
TRUNCATED = "truncated rollouts"  # one turn before the end
FULL = "full rollouts"


@dataclass(frozen=True)
class Compared:
    """The exact value of a position, and by method an estimate with its standard error."""

    exact: float
    estimates: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Difference:
    """How far the estimates of a method are from the exact values."""

    what: str
    method: str
    positions: int
    signed: float  # mean of estimate less exact value
    signed_error: float  # half the width of its 95% interval; 0 for one position
    absolute: float  # mean
    noise: float  # about what this mean is if the standard errors are all that is wrong
    passes: bool = True

    def line(self) -> str:
        signed = f"{self.signed:+.2%} ± {self.signed_error:.2%}"
        text = f"{self.what:<72}{self.method:<25}{signed:<18}{self.absolute:>7.2%} absolute"
        return f"{text} ({self.noise:.2%} by noise), {self.positions} solved"


class Solver(Master):
    """Follows every line to the end of the game, auctions bid by bid; everybody plays alike."""

    def solve(self, state: State) -> float | None:
        """Return the share of the player to move; None if the nodes do not suffice."""
        actions = self._prune(state, state.legal_actions())
        shares = self._search(state, actions, is_to_choose=True)
        k, counters = self._kernel, self._counters
        if counters[k.STOP] or counters[k.EVALUATED] or counters[k.CUT]:
            return None
        return max(one[state.current_player()] for one in shares.values())

    def _opponents(self, _state: State, _is_to_choose: bool) -> Any:
        return self._equal_opponents


def compare(text: str, turns: int, nodes: int, games: int, seed: int, number: int) -> Compared:
    """Solve the position so many turns before the end of a game, and estimate its value."""
    random = Random(derive_seed(seed, "exact", text, turns, number))
    state, exact = solvable_position(text, turns, nodes, random)
    static = static_shares(Expert(state.game), state)[state.current_player()]
    return Compared(exact, {STATIC: (static, 0.0), **estimates(state, turns, games)})


def estimates(state: State, turns: int, games: int) -> dict[str, tuple[float, float]]:
    """Return estimates of a position so many turns before the end, by search and rollouts."""
    seat = state.current_player()
    found = {SEARCH: (Expert(state.game).analyse(state)[0].shares[seat], 0.0)}
    lengths = {TRUNCATED: turns - 1, FULL: None}
    for method, truncate in lengths.items():
        if truncate != 0:
            result = rollout(state, "expert", games, truncate=truncate, threads=1)
            found[method] = (result.shares[seat], result.errors[seat])
    return found


def solvable_position(text: str, turns: int, nodes: int, random: Random) -> tuple[State, float]:
    """Return a position so many turns before the end of a game, and its exact value.

    Games are played until one has a position that can be solved with so many nodes.
    """
    game = load_game(text)
    solver = Solver(game, nodes=nodes)
    for _ in range(TRIES):
        state, starts = play_mixed(game, random)
        if len(starts) < turns:
            continue
        undo_to(state, starts[-turns])
        exact = solver.solve(state)
        if exact is not None:
            return state, exact
    raise SoukError(f"{nodes} nodes solve no position {turns} turns before the end of {text}")


def differences(what: str, found: Sequence[Compared]) -> Iterator[Difference]:
    """Yield the differences of every method."""
    for method in found[0].estimates:
        values = [one.estimates[method][0] - one.exact for one in found]
        noise = sqrt(2 / pi) * fmean(one.estimates[method][1] for one in found)
        error = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
        absolute = fmean(map(abs, values))
        yield Difference(what, method, len(values), fmean(values), error, absolute, noise)


def compare_start(text: str, games: int) -> Compared:
    """Compare with the value of a small game that examples/exact_value.py solves."""
    game = load_game(text)
    share, _ = solve(game)
    return Compared(float(share), estimates(game.new_initial_state(1), 2, games))


def measure(
    positions: int, nodes: int, games: int, seed: int = 1, processes: int | None = None
) -> Iterator[Difference]:
    """Yield the differences in the last turns of all games and in small variants."""
    jobs = [
        partial(compare, text, turns, nodes, games, seed, number)
        for text, turns in LAST_TURNS
        for number in range(positions)
    ]
    results = in_processes(_call, jobs, processes or cores())
    for text, turns in LAST_TURNS:
        found = [next(results) for _ in range(positions)]
        yield from differences(f"{text}, {turns} to go", found)
    yield from differences(f"{SMALL}, 2 to go", [compare_start(SMALL, games)])


def _call(job: "partial[Compared]") -> Compared:
    return job()


def figures() -> Iterator[Difference]:
    """Yield the differences of every method from exact values."""
    yield from measure(POSITIONS, NODES, GAMES)


def main(arguments: list[str]) -> int:
    """Print the differences with the sizes that the command line gives."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="python -m bench.exact", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    for name, default, what in (
        ("positions", POSITIONS, "of each kind"),
        ("nodes", NODES, "to solve a position; others are left out"),
        ("games", GAMES, "rollouts of a position"),
        ("seed", 1, "of all games"),
        ("processes", cores(), "at a time"),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{what} (%(default)s)")
    parser.add_argument("--json", type=Path, help="write the differences to this file")
    options = vars(parser.parse_args(arguments))
    path = options.pop("json")
    for name, value in options.items():
        if value < 1:
            parser.error(f"--{name} is a number above 0, not {value}")
    done: list[dict[str, Any]] = []
    for one in measure(**options):
        print(one.line(), flush=True)
        done.append(asdict(one))
        if path:
            path.write_text(json.dumps(done, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (SoukError, OSError) as error:
        sys.exit(f"bench.exact: {error}")
