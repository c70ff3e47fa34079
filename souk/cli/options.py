"""The options and arguments that several commands have, each declared once."""

from typing import Annotated

import typer

GameText = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="A game's name, or a game string with settings: 'NAME(players=3)'.",
        show_default=False,
    ),
]
Players = Annotated[int | None, typer.Option("--players", "-p", metavar="N", help="How many play.")]
Knobs = Annotated[
    list[str] | None,
    typer.Option(
        "--knob",
        "-k",
        metavar="NAME=VALUE",
        help="Any setting that `souk games` lists; also written --NAME VALUE.",
    ),
]
Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        "-s",
        metavar="KIND",
        help="Who sits there, once per seat: a computer player (`souk players`), or, to play, a "
        "person.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language", "-l", metavar="CODE", help="Of the rules: de, en, es, fr, it, nl or pt."
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Thinking time of computer players per move."),
]
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", metavar="N", help="Thinking in nodes instead: play can be repeated."),
]
CsvFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write a row per game; - for standard output."),
]
RecordFile = Annotated[
    str, typer.Argument(metavar="RECORD", help="A game record; - for standard input.")
]
RecordFiles = Annotated[
    list[str], typer.Argument(metavar="RECORD", help="Game records; - for standard input.")
]
Theme = Annotated[str, typer.Option(metavar="NAME", help="Of the drawing: light, dark or auto.")]
