"""`souk simulate`: play many games, show the progress and sum up the results."""

import csv
import json
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, TextIO

from souk.arena.records_file import RecordsFile
from souk.arena.report import quantity, table
from souk.arena.simulation import Simulation
from souk.arena.simulation_summary import SimulationSummary
from souk.engine.errors import SoukError
from souk.engine.playouts import Playouts
from souk.terminal.files import INTERRUPTED, STREAM, open_output, say
from souk.terminal.progress_bar import progress_bar


def simulate(
    simulation: Simulation,
    *,
    workers: int | None,
    csv_file: str | None,
    json_file: str | None,
    records_file: Path | None,
) -> int:
    """Run a simulation and report on it; return the exit code."""
    if csv_file == json_file == STREAM:
        raise SoukError("only one of --csv and --json can go to standard output")
    summary = SimulationSummary(len(simulation.players))
    code = 0
    with ExitStack() as stack:
        rows = stack.enter_context(open_output(csv_file))
        report = stack.enter_context(open_output(json_file))
        write_rows = _row_writer(rows, len(simulation.players))
        records = stack.enter_context(RecordsFile(records_file)) if records_file else None
        simulation.prepare()
        started = time.perf_counter()
        try:
            _run(simulation, workers, summary, write_rows, records)
        except KeyboardInterrupt:
            code = INTERRUPTED
        seconds = time.perf_counter() - started
        if report is not None:
            json.dump(_report(simulation, summary, seconds), report, indent=2, ensure_ascii=False)
            report.write("\n")
    # Standard output must hold only the data if a program reads it.
    out = sys.stderr if STREAM in (csv_file, json_file) else sys.stdout
    print(summary_text(simulation, summary, seconds), file=out)
    if records is not None:
        say(records.report(), out)
    return code


def _run(
    simulation: Simulation,
    workers: int | None,
    summary: SimulationSummary,
    write_rows: Callable[[int, Playouts], None],
    records: RecordsFile | None,
) -> None:
    with progress_bar() as show, closing(simulation.run(workers)) as batches:
        show(0, simulation.games)
        for batch in batches:
            write_rows(summary.games, batch.results)
            if records is not None:
                records.add(batch.records)
            summary.add(batch.results)
            show(summary.games, simulation.games)


def _row_writer(file: TextIO | None, seats: int) -> Callable[[int, Playouts], None]:
    """Return a function that writes a row per game: number, turns, scores and shares of the win."""
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


def _report(simulation: Simulation, summary: SimulationSummary, seconds: float) -> dict[str, Any]:
    """Return settings and summary as plain JSON; only `speed` differs from run to run."""
    settings = {
        "game": simulation.game,
        "players": list(simulation.players),
        "seed": simulation.seed,
        "max_games": simulation.games,
        "seconds": simulation.seconds,
        "nodes": simulation.nodes,
    }
    speed = {"seconds": seconds, "games_per_second": summary.games / seconds if seconds else None}
    return {"settings": settings, **summary.to_dict(), "speed": speed}


def summary_text(simulation: Simulation, summary: SimulationSummary, seconds: float) -> str:
    """Return the summary as text."""
    if not summary.games:
        return f"{simulation.game}: no game was finished."
    rows = [("seat", "player", "wins", "95% interval", "mean score", "min", "max")]
    for number, seat in enumerate(summary.seats()):
        rows.append(
            (
                str(number + 1),
                simulation.players[number],
                f"{seat.wins:.1%}",
                f"{seat.wins_low:.1%} to {seat.wins_high:.1%}",
                f"{seat.score:.2f} ± {seat.score_error:.2f}",
                str(seat.score_min),
                str(seat.score_max),
            )
        )
    games = quantity(summary.games, "game")
    total = "" if summary.games == simulation.games else f" of {simulation.games:,}"
    length = (
        f"{summary.turns / summary.games:.1f} turns per game "
        f"({summary.min_turns} to {summary.max_turns})"
    )
    speed = f"{games} in {seconds:.2f} s, {_speed(summary.games / seconds)} per second"
    return "\n".join(
        [
            f"{simulation.game}, seed {simulation.seed}: {games}{total}",
            "",
            table(rows, left=2),
            "",
            f"{length}; {speed}",
        ]
    )


def _speed(speed: float) -> str:
    return f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"
