"""`souk arena`: play a tournament, show the standings while it runs and report on it."""

import datetime
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from souk.arena import Standings, Tournament, TournamentRunner
from souk.arena.chart import png, svg
from souk.arena.ladder import LadderTournament, ladder_markdown, table_sizes
from souk.arena.progress_display import show_progress
from souk.arena.report import quantity, standings_text, write_csv
from souk.engine.errors import SoukError, reason
from souk.engine.game import Game
from souk.engine.knobs import parse_game
from souk.engine.paths import data_folder
from souk.terminal.files import INTERRUPTED, STREAM, FileError, open_output, say
from souk.terminal.game_choice import GameChoice

PLAYER_FAILED = 1  # exit code


@dataclass(frozen=True)
class RunOptions:
    """The options for playing and saving the games."""

    results: Path | None
    records: Path | None
    workers: int | None
    ray: str | None
    patience: float


@dataclass(frozen=True)
class Outputs:
    """The files of the report."""

    csv: str | None = None
    json: str | None = None
    chart: Path | None = None

    def check(self) -> None:
        """Refuse what cannot be written before a game is played."""
        if self.csv == self.json == STREAM:
            raise SoukError("only one of --csv and --json can go to standard output")
        if self.chart is not None and self.chart.suffix.lower() not in (".svg", ".png"):
            raise SoukError(f"a chart is an .svg or .png file, not {self.chart.name!r}")


def choose_game(text: str, seats: int | None, knobs: Sequence[str]) -> Game:
    """Return the game, with its fewest players unless a number is given."""
    name, inside = parse_game(text)
    is_given = "players" in inside or any(knob.startswith("players=") for knob in knobs)
    if seats is None and not is_given:
        seats = table_sizes(name)[0]
    return GameChoice(text, seats, knobs).game()


def arena(tournament: Tournament, options: RunOptions, outputs: Outputs) -> int:
    """Play a tournament and report on it; return the exit code."""
    outputs.check()
    if options.results is None:  # no game is ever lost
        path = data_folder() / "arena" / f"{_timestamp()}-{tournament.game.name}.jsonl"
        options = replace(options, results=path)
    with ExitStack() as stack:
        rows = stack.enter_context(open_output(outputs.csv))
        report = stack.enter_context(open_output(outputs.json))
        write_chart = stack.enter_context(_open_chart(outputs.chart))
        runner = stack.enter_context(_runner(tournament, options))
        code = _play(runner, _continue_command(options.results))
        standings = runner.standings()
        if rows is not None:
            write_csv(runner.progress.complete_games(), rows, tournament.game.num_players())
        if report is not None:
            json.dump(standings.to_dict(), report, indent=2, ensure_ascii=False)
            report.write("\n")
        if write_chart is not None:
            write_chart(svg(standings))
    # Standard output must hold only the data if a program reads it.
    out = sys.stderr if STREAM in (outputs.csv, outputs.json) else sys.stdout
    say(standings_text(standings), out)
    if not code:
        say(f"\n{quantity(len(runner.results.games), 'game')} saved in {options.results}.", out)
    if runner.records_file is not None:
        say(runner.records_file.report(), out)
    return code or (PLAYER_FAILED if standings.failures else 0)


def ladder(ladders: Sequence[LadderTournament], options: RunOptions) -> int:
    """Play every tournament of a ladder and print it as Markdown; `results` is a folder."""
    finished: list[tuple[LadderTournament, Standings]] = []
    folder = options.results or data_folder() / "arena" / f"{_timestamp()}-ladder"
    code = 0
    for one in ladders:
        path = folder / f"{one.game}-{one.seats}.jsonl"
        with _runner(one.tournament, replace(options, results=path)) as runner:
            code = _play(runner, _continue_command(folder), f"{one.game}, {one.seats} players")
            finished.append((one, runner.standings()))
        if code:
            break
    failures = [failure for _, standings in finished for failure in standings.failures]
    say(ladder_markdown(finished))
    for failure in failures:
        say(f"souk: {failure.player} was withdrawn: {failure.reason}", sys.stderr)
    if not code:
        say(f"The games are saved in {folder}.", sys.stderr)
    return code or (PLAYER_FAILED if failures else 0)


def _runner(tournament: Tournament, options: RunOptions) -> TournamentRunner:
    return TournamentRunner(
        tournament,
        results=options.results,
        records=options.records,
        workers=options.workers,
        ray=options.ray,
        patience=options.patience,
    )


def _timestamp() -> str:
    return f"{datetime.datetime.now():%Y-%m-%d-%H%M%S-%f}"


def _play(runner: TournamentRunner, continue_command: str, title: str = "games") -> int:
    """Play to the end, or until Ctrl-C; return the exit code.

    After Ctrl-C the command to continue is printed at once: the report may take a moment, and a
    second Ctrl-C skips it.
    """
    try:
        with show_progress(runner, title) as update:
            for _ in runner.play():
                update()
    except KeyboardInterrupt:
        saved = f"{quantity(len(runner.results.games), 'game')} saved in {runner.results.path}"
        say(f"\nStopped. {saved}. To continue: {continue_command}\n", sys.stderr)
        return INTERRUPTED
    return 0


def _continue_command(results: Path | None) -> str:
    """Return the command that continues where this one stopped."""
    words = sys.argv[1:]
    is_named = any(word.partition("=")[0] == "--results" for word in words)
    return shlex.join(["souk", *words, *([] if is_named else ["--results", str(results)])])


@contextmanager
def _open_chart(path: Path | None) -> Iterator[Callable[[str], None] | None]:
    """Open the chart's file before games are played, so that a bad name does not cost them."""
    if path is None:
        yield None
        return
    is_png = path.suffix.lower() == ".png"
    if is_png:
        png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>')
    try:
        file = path.open("wb")
    except OSError as error:
        raise FileError(f"cannot write {path}: {reason(error)}") from None

    def write(drawing: str) -> None:
        file.write(png(drawing) if is_png else drawing.encode())

    with file:
        yield write
