"""Make a decision set, with the value of every action by rollouts, or extend one.

    python -m tools.decisions 'marrakech(players=3)' decisions.jsonl --count 5000

Every decision is added to the file as soon as it is done. A run that is interrupted, or ends after
--seconds, continues where it stopped when it is started again with the same options. At the end the
set is compressed to decisions.jsonl.gz, and its SHA-256 is printed. docs/rollouts.md has more.
"""

import argparse
import gzip
import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import souk
from souk.analysis.batch_decisions import batch_runner
from souk.analysis.decisions import (
    Decision,
    encode,
    make_decision,
    numbered_position,
    read_decisions,
    to_decision,
)
from souk.analysis.rollouts import RolloutRunner
from souk.arena.append_file import AppendFile
from souk.engine.playouts import cores
from souk.engine.processes import in_processes
from souk.engine.seeds import derive_seed
from souk.terminal.progress_bar import progress_bar

T = TypeVar("T")
BEGINNING = b'{"number":'  # of every line
WAVE = 256  # decisions that are rolled out side by side
TURNS = {"marrakech": 3, "marracash": 1}  # by default games end after so many turns of each player


def parse(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="python -m tools.decisions", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("game", help="a game string")
    parser.add_argument("file", type=Path, help="a file whose name ends in .jsonl")
    parser.add_argument(
        "--count", type=int, default=5000, help="decisions in the set (%(default)s)"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after this time")
    parser.add_argument("--error", type=float, default=0.003, help="of losses (%(default)s)")
    parser.add_argument("--games", type=int, default=5184, help="most of an action (%(default)s)")
    parser.add_argument("--truncate", type=int, help="turns; 0 plays to the end")
    parser.add_argument("--seed", type=int, default=1, help="of games and rollouts (%(default)s)")
    parser.add_argument("--processes", type=int, default=cores(), help="(%(default)s)")
    parser.add_argument(
        "--side-by-side",
        choices=("cpu", "gpu"),
        help="roll out many decisions together; far faster on a GPU",
    )
    parser.add_argument("--rows", type=int, default=65_536, help="games together (%(default)s)")
    options = parser.parse_args(arguments)
    if options.file.suffix != ".jsonl":
        parser.error(f"the name of the file ends in .jsonl, not as in {options.file}")
    for name in ("count", "processes", "rows", "seconds"):
        if not getattr(options, name) > 0:
            parser.error(f"--{name} is a number above 0, not {getattr(options, name)}")
    return options


def decisions(options: argparse.Namespace, first: int) -> Iterator[Decision]:
    """Yield the decisions from number `first` on, in their order, until the time is over."""
    game = souk.load_game(options.game)
    truncate = options.truncate
    if truncate is None:
        truncate = TURNS.get(game.name, 0) * game.num_players()
    limits = {"games": options.games, "error": options.error, "truncate": truncate}
    game.prepare()
    if options.side_by_side:
        yield from decisions_side_by_side(options, first, limits)
        return
    _ = RolloutRunner(game.new_initial_state(1)).kernel  # compile it once, before others start
    job = partial(make_decision, str(game), seed=options.seed, **limits)
    yield from until_time_is_over(job, options, first)


def decisions_side_by_side(
    options: argparse.Namespace, first: int, limits: dict[str, Any]
) -> Iterator[Decision]:
    """Yield the same by rollouts side by side."""
    game = souk.load_game(options.game)
    truncate = limits.pop("truncate")
    runner = batch_runner(game, options.side_by_side, options.rows, truncate)
    position = partial(numbered_position, str(game), options.seed)
    positions = until_time_is_over(position, options, first)
    while wave := list(islice(positions, WAVE)):
        states = [game.state_from_dict(one.position) for one in wave]
        seed = derive_seed(options.seed, "side by side", first)
        for number, results in enumerate(runner.roll_out(states, seed=seed, **limits)):
            yield to_decision(first + number, states[number], wave[number].turn, results)
        first += len(wave)


def until_time_is_over(
    job: Callable[[int], T], options: argparse.Namespace, first: int
) -> Iterator[T]:
    """Yield the results of a function for the numbers from `first` on, until the time is over."""
    end = time.monotonic() + options.seconds
    numbers = range(first, options.count)
    with closing(in_processes(job, numbers, options.processes)) as results:
        for result in results:
            yield result
            if time.monotonic() >= end:
                return


def resume(file: AppendFile, options: argparse.Namespace) -> list[Decision]:
    """Return the decisions of a file, and cut off an unfinished one; refuse any other file."""
    path = file.path
    done = read_decisions(path)
    data = path.read_bytes()
    complete = data.rfind(b"\n") + 1
    rest = data[complete:]
    if rest and not (rest.startswith(BEGINNING) or BEGINNING.startswith(rest)):
        raise souk.SoukError(f"{path} ends with something that is not a decision")
    if [one.number for one in done] != list(range(len(done))):
        raise souk.SoukError(f"{path} does not have the decisions 0, 1, 2 … in their order")
    game = str(souk.load_game(options.game))
    if done and done[0].position != numbered_position(game, options.seed, 0).position:
        raise souk.SoukError(f"{path} is of another game or seed; name another file")
    file.truncate(complete)
    return done


def main(arguments: list[str]) -> int:
    """Make decisions; return the exit code."""
    options = parse(arguments)
    began, path = time.monotonic(), options.file
    with AppendFile(path) as file:
        done = resume(file, options)
        with suppress(KeyboardInterrupt), progress_bar() as show:
            for one in decisions(options, len(done)):
                file.append(encode(one))
                done.append(one)
                show(len(done), options.count)
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    held_back = sum(one.is_held_back for one in done)
    print(f"{len(done)} decisions, {held_back} held back, {time.monotonic() - began:.0f} s")
    print(f"{hashlib.sha256(packed.read_bytes()).hexdigest()}  {packed}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (souk.SoukError, OSError) as error:
        sys.exit(f"tools.decisions: {error}")
