"""Show the progress of a tournament while it is played: in a terminal or a notebook."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from souk.arena.tournament_runner import TournamentRunner
from souk.engine.styled_text import crop, plain_text

BAR_COLUMNS = 16
NUMBERS_COLUMNS = 30  # beside the bar: games and remaining time
NOTEBOOK_SECONDS = 0.5  # between updates
NOTEBOOK_COLUMNS = 100

Update = Callable[[], None]


def show_progress(runner: TournamentRunner, title: str = "games") -> AbstractContextManager[Update]:
    """Return a context that shows the progress whenever the function it yields is called.

    In a notebook it is a line below the cell, in a terminal a bar on standard error, elsewhere
    nothing. It disappears at the end.
    """
    if "IPython" in sys.modules:
        from IPython import get_ipython

        if hasattr(get_ipython(), "kernel"):  # a notebook, not a terminal
            return _notebook_line(runner, title)
    if sys.stderr is not None and sys.stderr.isatty():
        return _terminal_bar(runner, title)
    return nullcontext(lambda: None)


@contextmanager
def _notebook_line(runner: TournamentRunner, title: str) -> Iterator[Update]:
    from IPython.display import display

    def line() -> dict[str, Any]:
        standings = _brief_standings(runner, NOTEBOOK_COLUMNS)
        done = f"{runner.progress.played:,} of {runner.tournament.total_games:,} {title}"
        return {"text/plain": f"{done}  {standings}"}

    shown = display(line(), raw=True, display_id=True)
    shown_at = time.monotonic()

    def update() -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at > NOTEBOOK_SECONDS:
            shown_at = time.monotonic()
            shown.update(line(), raw=True)

    try:
        yield update
    finally:
        shown.update({"text/plain": ""}, raw=True)


@contextmanager
def _terminal_bar(runner: TournamentRunner, title: str) -> Iterator[Update]:
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
        TextColumn("{task.fields[standings]}", markup=False),
    )
    console = Console(stderr=True)
    width = max(0, console.width - len(title) - BAR_COLUMNS - NUMBERS_COLUMNS)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(
            title,
            total=runner.tournament.total_games,
            completed=runner.progress.played,
            standings=_brief_standings(runner, width),
        )

        def update() -> None:
            brief = _brief_standings(runner, width)
            bar.update(task, completed=runner.progress.played, standings=brief)

        yield update


def _brief_standings(runner: TournamentRunner, columns: int) -> str:
    """Return the shares so far, as far as they fit."""
    shares = []
    for series in runner.progress.series:
        if series.means:
            mean = sum(series.means) / len(series.means)
            shares.append(f"{series.player} {mean:.1%} v {series.against}")
    return plain_text(crop([(", ".join(shares), "")], columns)) if shares else ""
