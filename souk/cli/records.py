"""The commands that read records: `show`, `analyse`, `rollout`, `check` and `records`."""

from typing import Annotated

import typer

from souk.cli.options import GameNumber, RecordFile, RecordFiles, Theme

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
    number: GameNumber = None,
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

    return run(record, game=number, at=at, moves=moves, svg=svg, theme=theme)


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
    number: GameNumber = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The computer player that evaluates, also NAME:weights=FILE; by default the "
            "strongest.",
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
            number=number,
            level=level,
            nodes=nodes,
            seconds=seconds,
            moves=moves,
            json=json,
            chart=chart,
            theme=theme,
        ),
    )


@app.command(
    epilog="""\b
Examples:
  souk rollout game.souk --at 40               compare the actions after move 40
  souk rollout game.souk --at -2 --seconds 5   as many games as five seconds allow
  souk rollout position.json --truncate 8      a position; games end after eight turns
  souk rollout game.souk --at 40 --json - | jq .results   for programs
"""
)
def rollout(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A game record, or a position as .json; - for standard input."
        ),
    ],
    number: GameNumber = None,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The position after N moves, by default the last; negative numbers count from the "
            "end.",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who plays on: random, greedy, trader, expert or expert:weights=FILE; by default "
            "the strongest that the game has.",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(metavar="N", help="Play at most N games after each action.")
    ] = 1296,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="Stop after S seconds.")
    ] = None,
    truncate: Annotated[
        int | None,
        typer.Option(metavar="N", help="End games after N turns; the evaluation is the result."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the dice.")] = 1,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write everything as JSON; - for standard output."),
    ] = None,
) -> int:
    """Compare the actions of a position by rollouts: games played on from it.

    All actions get the same dice, and luck is subtracted. Actions that are clearly worse are
    dropped. docs/rollouts.md explains the numbers.
    """
    from souk.terminal.rollout import RolloutOptions, run_rollout

    options = RolloutOptions(
        number=number,
        at=at,
        player=player,
        games=games,
        seconds=seconds,
        truncate=truncate,
        seed=seed,
        json=json,
    )
    return run_rollout(file, options)


@app.command()
def check(
    records: RecordFiles,
) -> int:
    """Check every move, the result and the scores of records. Prints one line per file.

    A file may have many games.
    """
    from souk.terminal.check import check as run

    return run(records)


@app.command(
    epilog="""\b
Examples:
  souk records games.souk                          sum up the games of a file
  souk records evening.souk 'old/*.souk' --list    a line for each game of several files
  souk records *.souk --player Ada --result won -o ada.souk    filter and merge
  souk records games.souk --winner master --turns 40- -o -     to standard output
  souk records games.souk.gz -o games.parquet      positions, actions and chances for programs
"""
)
def records(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Files with games (also .gz), patterns, or folders with .souk files; "
            "- for standard input.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME", help="Only this game: its name, or 'NAME(players=3)' with settings."
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only with this person or computer player; may contain *; repeatable.",
        ),
    ] = None,
    winner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only games that this player won or shared.")
    ] = None,
    result: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Only finished, unfinished, won, shared or draw."),
    ] = None,
    turns: Annotated[
        str | None, typer.Option(metavar="N", help="Only with N turns: 40, 40-50, 40- or -50.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only from this date on, like 2026-11-15.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Only up to this date.")] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="Only with this header line; may contain *; repeatable."
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N of these games.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the games to a file: .souk, .souk.gz, .jsonl, .jsonl.gz or .parquet; "
            "- for standard output.",
        ),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="souk, jsonl or parquet, if the output's name does not say it.",
        ),
    ] = None,
    append: Annotated[
        bool, typer.Option("--append", help="Add the games at the end of the output file.")
    ] = False,
    positions: Annotated[
        bool, typer.Option(help="Export the position before every action, too.")
    ] = True,
    list_games: Annotated[
        bool, typer.Option("--list", help="Print a line for each game, with its number.")
    ] = False,
) -> int:
    """Sum up, list, filter, merge and export recorded games.

    Every game is checked. Games that cannot be read are reported and left out; the exit code is
    then 1. docs/records.md describes the formats.
    """
    from souk.terminal.records import RecordsOptions
    from souk.terminal.records import records as run

    return run(
        files,
        RecordsOptions(
            game=game,
            players=player or [],
            winner=winner,
            result=result,
            turns=turns,
            since=since,
            until=until,
            headers=header or [],
            limit=limit,
            output=output,
            format=format,
            append=append,
            positions=positions,
            list_games=list_games,
        ),
    )
