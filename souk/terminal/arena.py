"""`souk arena`: players against each other, with a bar that shows how it stands, and a report."""

import datetime
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from souk.arena import Match, Standing, Tournament
from souk.arena.ladder import Rung, ladder_text, table_sizes
from souk.arena.plot import png, svg
from souk.arena.report import counted, text, write_csv
from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.knobs import parse_game
from souk.engine.paths import data_folder
from souk.engine.styled_text import crop, plain_text
from souk.terminal.files import INTERRUPTED, STREAM, FileError, reason, say
from souk.terminal.seats import Wish
from souk.terminal.simulate import opened

FAILED = 1  # a player was withdrawn
BAR_COLUMNS = 16
NUMBERS_COLUMNS = 30  # of what is said beside the bar: how far, and how long


@dataclass(frozen=True)
class How:
    """How the games are played, and where they are kept."""

    results: Path | None
    workers: int | None
    ray: str | None
    patience: float


@dataclass(frozen=True)
class Wanted:
    """Where the report goes besides the screen."""

    csv: str | None = None
    json: str | None = None
    plot: Path | None = None

    def check(self) -> None:
        """Refuse what cannot be written before a game is played."""
        if self.csv == self.json == STREAM:
            raise SoukError("only one of --csv and --json can go to standard output")
        if self.plot is not None and self.plot.suffix.lower() not in (".svg", ".png"):
            raise SoukError(f"a plot is a file .svg or .png, not {self.plot.name!r}")


def game_of(given: str, seats: int | None, knobs: Sequence[str]) -> Game:
    """The game, at its smallest table unless something says how many play."""
    name, inside = parse_game(given)
    is_said = "players" in inside or any(knob.startswith("players=") for knob in knobs)
    if seats is None and not is_said:
        seats = table_sizes(name)[0]
    return Wish(given, seats, knobs).game()


def arena(tournament: Tournament, how: How, wanted: Wanted) -> int:
    """Play a tournament and report on it; returns the exit code."""
    wanted.check()
    how = _with_file(how, tournament.game.name)
    with ExitStack() as stack:
        rows = stack.enter_context(opened(wanted.csv))
        summary = stack.enter_context(opened(wanted.json))
        plot = stack.enter_context(_opened_plot(wanted.plot))
        match = stack.enter_context(_match(tournament, how))
        code = _play(match, _command(match.results.path))
        standing = match.standing()
        if rows is not None:
            write_csv(match.ledger.counted(), rows, tournament.game.num_players())
        if summary is not None:
            json.dump(standing.to_dict(), summary, indent=2, ensure_ascii=False)
            summary.write("\n")
        if plot is not None:
            plot(svg(standing))
    # What a program reads has standard output for itself.
    out = sys.stderr if STREAM in (wanted.csv, wanted.json) else sys.stdout
    say(text(standing), out)
    if not code:
        say(f"\n{counted(match.ledger.played, 'game')} in {how.results}.", out)
    return code or (FAILED if standing.failures else 0)


def ladder(rungs: Sequence[Rung], how: How) -> int:
    """Play every step of a ladder and print it as Markdown; files lie in a folder."""
    found: list[tuple[Rung, Standing]] = []
    folder = how.results or data_folder() / "arena" / f"{_now()}-ladder"
    code = 0
    for rung in rungs:
        path = folder / f"{rung.game}-{rung.seats}.jsonl"
        with _match(rung.tournament, How(path, how.workers, how.ray, how.patience)) as match:
            code = _play(match, _command(folder), f"{rung.game}, {rung.seats} players")
            found.append((rung, match.standing()))
        if code:
            break
    failures = [one for _, standing in found for one in standing.failures]
    say(ladder_text(found))
    for one in failures:
        say(f"souk: {one.player} was withdrawn: {one.why}", sys.stderr)
    if not code:
        say(f"The games are in {folder}.", sys.stderr)
    return code or (FAILED if failures else 0)


def _match(tournament: Tournament, how: How) -> Match:
    return Match(
        tournament,
        results=how.results,
        workers=how.workers,
        ray=how.ray,
        patience=how.patience,
    )


def _with_file(how: How, game: str) -> How:
    """A file of its own for a tournament whose file was not named: nothing played is ever lost."""
    if how.results is not None:
        return how
    path = data_folder() / "arena" / f"{_now()}-{game}.jsonl"
    return How(path, how.workers, how.ray, how.patience)


def _now() -> str:
    return f"{datetime.datetime.now():%Y-%m-%d-%H%M%S-%f}"


def _play(match: Match, to_go_on: str, title: str = "games") -> int:
    """Play to the end, or until Ctrl-C; returns the exit code.

    How to go on is said at once: the report may take a moment, and a second Ctrl-C spares it.
    """
    try:
        with _progress(match, title) as advance:
            for _ in match.play():
                advance()
    except KeyboardInterrupt:
        kept = f"{counted(match.ledger.played, 'game')} in {match.results.path}"
        say(f"\nStopped. {kept}. To go on: {to_go_on}\n", sys.stderr)
        return INTERRUPTED
    return 0


def _command(results: Path | None) -> str:
    """The command that goes on where this one stopped."""
    words = sys.argv[1:]
    is_named = any(word.partition("=")[0] == "--results" for word in words)
    return shlex.join(["souk", *words, *([] if is_named else ["--results", str(results)])])


@contextmanager
def _progress(match: Match, title: str) -> Iterator[Callable[[], None]]:
    """A bar on the terminal's error channel, if it is one, with the standing beside it."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=BAR_COLUMNS),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[standing]}", markup=False),
    )
    console = Console(stderr=True)
    room = max(0, console.width - len(title) - BAR_COLUMNS - NUMBERS_COLUMNS)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(
            title,
            total=match.tournament.all_games,
            completed=match.ledger.played,
            standing=_brief(match, room),
        )

        def advance() -> None:
            bar.update(task, completed=match.ledger.played, standing=_brief(match, room))

        yield advance


def _brief(match: Match, columns: int) -> str:
    """How it stands, in a few words: the share of each so far."""
    told = []
    for series in match.ledger.series:
        if series.means:
            mean = sum(series.means) / len(series.means)
            told.append(f"{series.player} {mean:.1%} v {series.against}")
    return plain_text(crop([(", ".join(told), "")], columns)) if told else ""


@contextmanager
def _opened_plot(path: Path | None) -> Iterator[Callable[[str], None] | None]:
    """A picture to write, opened before the games are played: a bad name must not cost them."""
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
