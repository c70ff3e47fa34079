"""The commands around a server: `serve`, `bot`, `verify` (its dice) and `admin` (its database)."""

import os
from pathlib import Path
from typing import Annotated

import typer

from souk.cli.options import Nodes, RecordFiles, Seconds

app = typer.Typer()
admin = typer.Typer(help="Look into the database of a server, also while it runs.")
app.add_typer(admin, name="admin")

Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", envvar="SOUK_DATABASE", help="As given to `souk serve`."
    ),
]


@app.command(
    epilog="""\b
Examples:
  souk serve                                     on this machine alone, port 8080
  souk serve --host 0.0.0.0 --port 80            for everybody who can reach it
  souk serve --database postgresql://souk@db/souk   one of several processes

Every option can be set in the environment too: SOUK_PORT=80 souk serve.
"""
)
def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen; 127.0.0.1 by default.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="N", help="8080 by default; 0 takes a free one.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A file, or postgresql://…; a file in your data folder by default.",
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The address people use, if a proxy is in between."),
    ] = None,
    proxies: Annotated[
        str | None, typer.Option(metavar="LIST", help="Proxies whose headers to believe.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Computer players that think at a time.")
    ] = None,
    seconds: Seconds = None,
    limits: Annotated[
        bool | None,
        typer.Option("--limits/--no-limits", help="How much one person may ask for."),
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Show the page in a browser, if there is one.")
    ] = False,
) -> int:
    """Host tables for people and computer players.

    Everything is kept in the database at every step: a server that is killed goes on where it
    was. Ctrl-C or SIGTERM stops it; clients are told and come back.
    """
    from souk.server.serve import serve as run
    from souk.server.settings import Settings

    given = {
        "host": host,
        "port": port,
        "database": database,
        "origin": origin,
        "proxies": proxies,
        "workers": workers,
        "seconds": seconds,
        "limits": limits,
        "log_level": log_level,
    }
    return run(Settings.chosen(given, os.environ), opens=open_page)


@app.command(
    epilog="""\b
Example:
  souk bot http://127.0.0.1:8080/t/TABLE --player greedy
"""
)
def bot(
    url: Annotated[str, typer.Argument(metavar="LINK", help="The link of a table.")],
    player: Annotated[
        str, typer.Option("--player", metavar="NAME", help="A computer player (`souk players`).")
    ] = "greedy",
    name: Annotated[
        str | None, typer.Option("--name", "-n", metavar="NAME", help="What to call it.")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(metavar="N", help="The seat to take, from 1; any by default.", min=1),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", envvar="SOUK_TOKEN", help="An identity that it had before."),
    ] = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
) -> int:
    """Seat a computer player at a table of a server, near or far, and let it play to the end."""
    from souk.bot import run

    seat = None if seat is None else seat - 1  # people count from 1
    return run(url, level=player, name=name, seat=seat, token=token, seconds=seconds, nodes=nodes)


@app.command()
def verify(
    records: RecordFiles,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="What the table showed before the game, if you noted it."),
    ] = None,
) -> int:
    """Prove or refute that a game's dice were fair.

    Works out every chance outcome again from the secret in the record, which was promised before
    the first move: note that promise, the commitment, and compare. One line for each file; exit
    code 1 unless all are proven.
    """
    from souk.terminal.show import verify as run

    return run(records, commitment)


@admin.command("list")
def admin_list(
    database: Database = None,
    status: Annotated[
        str | None, typer.Option(metavar="STATUS", help="waiting, playing or over; all by default.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="At most so many.", min=1)] = 100,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> int:
    """List tables, the newest first, private ones too."""
    from souk.server.admin import list_tables

    return list_tables(database, status, limit, as_json=json)


@admin.command("export")
def admin_export(
    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="TABLE", help="Ids of tables; all finished ones by default."),
    ] = None,
    database: Database = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="A file for each; else to the output."),
    ] = None,
) -> int:
    """Write the records of games."""
    from souk.server.admin import export

    return export(database, tables or [], to)
