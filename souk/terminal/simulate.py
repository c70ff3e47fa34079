"""`souk simulate`: plays many games, shows how far it is and what they add up to."""

import csv
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, TextIO

from souk.engine.errors import SoukError
from souk.engine.game import check_seed
from souk.engine.playouts import Playouts, playouts
from souk.games import load_game
from souk.terminal.files import INTERRUPTED, STREAM, FileError, reason
from souk.terminal.matches import Match, batches
from souk.terminal.progress import progress
from souk.terminal.tally import Tally


def simulate(
    match: Match, *, workers: int | None, csv_file: str | None, json_file: str | None
) -> int:
    """Play a match and report on it; returns the exit code."""
    check_seed(match.seed)
    if csv_file == json_file == STREAM:
        raise SoukError("only one of --csv and --json can go to standard output")
    tally = Tally(len(match.seats))
    code = 0
    with opened(csv_file) as rows, opened(json_file) as summary:
        _prepare(match)
        started = time.perf_counter()
        try:
            _play(match, workers, tally, _table_writer(rows, len(match.seats)))
        except KeyboardInterrupt:
            code = INTERRUPTED
        seconds = time.perf_counter() - started
        if summary is not None:
            json.dump(_report(match, tally, seconds), summary, indent=2, ensure_ascii=False)
            summary.write("\n")
    # What a program reads has standard output for itself.
    out = sys.stderr if STREAM in (csv_file, json_file) else sys.stdout
    print(summary_text(match, tally, seconds), file=out)
    return code


def _prepare(match: Match) -> None:
    """Compile before the clock starts, where something must be compiled."""
    if match.is_all_random:
        playouts(load_game(match.game), games=0, seed=match.seed)


def _play(
    match: Match, workers: int | None, tally: Tally, write_rows: Callable[[int, Playouts], None]
) -> None:
    with progress() as show, closing(batches(match, workers)) as parts:
        show(0, match.games)
        for batch in parts:
            write_rows(tally.games, batch)
            tally.add(batch)
            show(tally.games, match.games)


@contextmanager
def opened(name: str | None) -> Iterator[TextIO | None]:
    """A file to write, opened before the games are played: a bad name must not cost them."""
    if name is None:
        yield None
    elif name == STREAM:
        yield sys.stdout
    else:
        with ExitStack() as stack:
            try:
                file = stack.enter_context(Path(name).open("w", encoding="utf-8", newline=""))
            except OSError as error:
                raise FileError(f"cannot write {name}: {reason(error)}") from None
            yield file


def _table_writer(file: TextIO | None, seats: int) -> Callable[[int, Playouts], None]:
    """Writes a row per game: its number, its turns, the scores and the shares of the win."""
    if file is None:
        return lambda *_: None
    writer = csv.writer(file, lineterminator="\n")
    numbers = range(seats)
    heading = [f"score_{seat}" for seat in numbers] + [f"share_{seat}" for seat in numbers]
    writer.writerow(["game", "turns", *heading])

    def write(first: int, batch: Playouts) -> None:
        turns, scores, shares = batch.turns.tolist(), batch.scores.tolist(), batch.returns.tolist()
        for number, row in enumerate(zip(turns, scores, shares, strict=True), start=first):
            writer.writerow([number, row[0], *row[1], *(f"{share:.6g}" for share in row[2])])

    return write


def _report(match: Match, tally: Tally, seconds: float) -> dict[str, Any]:
    """Settings and summary as plain JSON; only `speed` differs from run to run."""
    settings = {
        "game": match.game,
        "players": list(match.seats),
        "seed": match.seed,
        "games_wanted": match.games,
        "seconds": match.seconds,
        "nodes": match.nodes,
    }
    speed = {"seconds": seconds, "games_per_second": tally.games / seconds if seconds else None}
    return {"settings": settings, **tally.to_dict(), "speed": speed}


def summary_text(match: Match, tally: Tally, seconds: float) -> str:
    """The summary for people."""
    if not tally.games:
        return f"{match.game}: no game was played to its end."
    heading = ("seat", "player", "wins", "95 % interval", "mean score", "min", "max")
    table = [heading]
    for number, seat in enumerate(tally.seats()):
        table.append(
            (
                str(number),
                match.seats[number],
                f"{seat.wins:.1%}",
                f"{seat.wins_low:.1%} to {seat.wins_high:.1%}",
                f"{seat.score:.2f} ± {seat.score_error:.2f}",
                str(seat.lowest),
                str(seat.highest),
            )
        )
    widths = [max(len(row[column]) for row in table) for column in range(len(heading))]
    lines = [
        "  ".join(
            f"{cell:<{wide}}" if column == 1 else f"{cell:>{wide}}"
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
    mean = tally.turns / tally.games
    short = "" if tally.games == match.games else f" of {match.games:,} wanted"
    pace = (
        f"{mean:.1f} turns a game ({tally.fewest_turns} to {tally.most_turns}); "
        f"{_counted(tally.games)} in {seconds:.2f} s, {_pace(tally.games / seconds)} a second"
    )
    return "\n".join(
        [
            f"{match.game}, seed {match.seed}: {_counted(tally.games)}{short}",
            "",
            *lines,
            "",
            pace,
        ]
    )


def _counted(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def _pace(pace: float) -> str:
    return f"{pace:,.0f}" if pace >= 10 else f"{pace:.2g}"
