"""The commands that read records of games: `show`, `analyse` and `check`."""

from typing import Annotated

import typer

from souk.cli.options import RecordFile, RecordFiles, Theme

app = typer.Typer()


@app.command(
    epilog="""\b
Examples:
  souk show game.souk                    the final position
  souk show game.souk --at 12            after move 12; --at -2 is before the last move
  souk show game.souk --moves | less     every move with its effects
  souk show game.souk --svg board.svg    a drawing of the position
"""
)
def show(
    record: RecordFile,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Show it after N moves; negative numbers count from the end."
        ),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the moves instead.")] = False,
    svg: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Draw the position as SVG instead; - for standard output."
        ),
    ] = None,
    theme: Theme = "light",
) -> int:
    """Show a position of a recorded game and the turn that led to it."""
    from souk.terminal.show import show as run

    return run(record, at=at, moves=moves, svg=svg, theme=theme)


@app.command(
    epilog="""\b
Examples:
  souk analyse game.souk                       luck, skill and the costliest decisions
  souk analyse game.souk --moves | less        every move with its alternatives
  souk analyse game.souk --nodes 20000         search deeper in each position
  souk analyse game.souk --chart chances.svg   draw the winning chances over time
  souk analyse game.souk --json - | jq .players   for programs
"""
)
def analyse(
    record: RecordFile,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The computer player that evaluates; by default the strongest."
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", metavar="N", help="Search nodes per position; 2000 by default."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", help="Time per position instead."),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="List every move with its alternatives.")
    ] = False,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write everything as JSON; - for standard output."),
    ] = None,
    chart: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Draw the winning chances as SVG; - for standard output."
        ),
    ] = None,
    theme: Theme = "light",
) -> int:
    """Analyse luck and skill in a game.

    A computer player evaluates every decision and every possible chance outcome. An unfinished
    game is analysed as far as it was played. docs/analysis.md explains the numbers.
    """
    from souk.terminal.analyse import AnalyseOptions
    from souk.terminal.analyse import analyse as run

    return run(
        record,
        AnalyseOptions(
            level=level,
            nodes=nodes,
            seconds=seconds,
            moves=moves,
            json=json,
            chart=chart,
            theme=theme,
        ),
    )


@app.command()
def check(
    records: RecordFiles,
) -> int:
    """Check every move, the result and the scores of records. Prints one line per file."""
    from souk.terminal.check import check as run

    return run(records)
