"""Options and arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

MAX_COUNT = 2**31 - 1  # a number that databases take

GameText = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="A game's name, or a game string with settings: 'NAME(players=3)'.",
        show_default=False,
    ),
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", metavar="N", help="Number of players.")
]
Knobs = Annotated[
    list[str] | None,
    typer.Option(
        "--knob",
        "-k",
        metavar="NAME=VALUE",
        help="A setting of the game (see `souk games`); --NAME VALUE works too.",
    ),
]
Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        "-s",
        metavar="KIND",
        help="A computer player (see `souk players`), once per seat; NAME:weights=FILE too.",
    ),
]
SeatsWithPeople = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        "-s",
        metavar="KIND",
        help="person or a computer player (see `souk players`), once per seat; "
        "NAME:weights=FILE too.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        help="Language of the rules: de, en, es, fr, it, nl or pt.",
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Time limit of computer players per move."),
]
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", metavar="N", help="Limit in search nodes instead: repeatable play."),
]
CsvFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write a row per game; - for standard output."),
]
RecordsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Add the record of every game to this file, such as games.souk; games that it has "
        "are not added again.",
    ),
]
RecordFile = Annotated[
    str, typer.Argument(metavar="RECORD", help="A game record; - for standard input.")
]
GameNumber = Annotated[
    int | None,
    typer.Option("--number", "-n", metavar="N", help="The game in a file of several, from 1."),
]
RecordFiles = Annotated[
    list[str], typer.Argument(metavar="RECORD", help="Game records; - for standard input.")
]
Theme = Annotated[
    str, typer.Option(metavar="NAME", help="Theme of the drawing: light, dark or auto.")
]

Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", envvar="SOUK_DATABASE", help="As given to `souk serve`."
    ),
]
