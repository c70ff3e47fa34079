"""The commands that read records of games: `show`, `analyse` and `check`."""

from typing import Annotated

import typer

from souk.cli.options import RecordFile, RecordFiles, Theme

app = typer.Typer()


@app.command(
    epilog="""\b
Examples:
  souk show game.souk                    how it ended
  souk show game.souk --at 12            after move 12; --at -2 is one before the last
  souk show game.souk --moves | less     every move with what came of it
  souk show game.souk --svg board.svg    a drawing of the position
"""
)
def show(
    record: RecordFile,
    at: Annotated[
        int | None,
        typer.Option(metavar="N", help="After so many moves; negative counts from the end."),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the moves instead.")] = False,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw it as SVG instead; - for standard output."),
    ] = None,
    theme: Theme = "light",
) -> int:
    """Show a position of a recorded game and the turn that led to it."""
    from souk.terminal.show import show as run

    return run(record, at=at, moves=moves, svg=svg, theme=theme)


@app.command(
    epilog="""\b
Examples:
  souk analyse game.souk                       who was lucky, who played well, what cost most
  souk analyse game.souk --moves | less        every move with what it cost or brought
  souk analyse game.souk --nodes 20000         think longer about each position
  souk analyse game.souk --chart share.svg     the expected share over time as a drawing
  souk analyse game.souk --json - | jq .accounts   for programs
"""
)
def analyse(
    record: RecordFile,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The computer player who judges; the strongest by default."
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes", metavar="N", help="How much it looks at for each position; 2000 by default."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", help="Time for each position instead."),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="List every move with what it cost or brought.")
    ] = False,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write everything as JSON; - for standard output."),
    ] = None,
    chart: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Draw the expected shares as SVG; - for standard output."
        ),
    ] = None,
    theme: Theme = "light",
) -> int:
    """Tell what was luck and what was skill in a game.

    A computer player thinks about every decision, and about all that chance might have brought. A
    game that is not over is told up to where it stands. docs/analysis.md says what the numbers
    mean.
    """
    from souk.terminal.analyse import Wanted
    from souk.terminal.analyse import analyse as run

    return run(
        record,
        Wanted(
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
    """Check records: every move, the result and the scores. One line for each file."""
    from souk.terminal.show import check as run

    return run(records)
