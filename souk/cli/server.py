"""The commands around a server: `serve`, `bot`, `verify` (its dice) and `admin` (its database)."""

import os
from pathlib import Path
from typing import Annotated

import typer

from souk.cli import moderation
from souk.cli.options import MAX_COUNT, Database, GameNumber, Nodes, RecordFiles, Seconds
from souk.engine.extras import needs_extra

app = typer.Typer()
admin = typer.Typer(help="Manage the database and the people of a server, even while it runs.")
admin.add_typer(moderation.app)
app.add_typer(admin, name="admin")


@app.command(
    epilog="""\b
Examples:
  souk serve                                     on this machine only, port 8080
  souk serve --lan                               for friends in the same Wi-Fi too
  souk serve --host 0.0.0.0 --port 80            for everyone who can reach this machine
  souk serve --database postgresql://souk@db/souk   one of several processes

Options can also be set in the environment: SOUK_PORT=80 souk serve.
"""
)
def serve(
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Address to listen on; 127.0.0.1 by default."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", help="Port to listen on; 8080 by default, 0 for any free port."),
    ] = None,
    lan: Annotated[
        bool | None,
        typer.Option("--lan/--no-lan", help="Let friends in the same Wi-Fi join, as the page can."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A file or postgresql://…; by default a file in your data folder.",
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Public address, if the server is behind a proxy."),
    ] = None,
    proxies: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Addresses of trusted proxies, separated by commas."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Number of processes for computer players.")
    ] = None,
    seconds: Seconds = None,
    limits: Annotated[
        bool | None,
        typer.Option("--limits/--no-limits", help="Enable rate limits."),
    ] = None,
    connections: Annotated[
        int | None,
        typer.Option(metavar="N", help="Open connections that one address may have; 400."),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Addresses that may read /metrics; this machine's."),
    ] = None,
    session_days: Annotated[
        int | None,
        typer.Option(metavar="N", help="Days without a visit until a device is logged out."),
    ] = None,
    keep_table_days: Annotated[
        int | None,
        typer.Option(metavar="N", help="Days until a table without moves is deleted; 0 for never."),
    ] = None,
    keep_person_days: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Days until a person without tables is deleted; 0 for never."
        ),
    ] = None,
    terms: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Terms of use: address of a page, or a sentence."),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="How to reach you: address of a page or of mail."),
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="Log level: debug, info, warning or error.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> int:
    """Host tables for people and computer players.

    Every move is saved before anyone sees it: a server that is killed continues where it was.
    Ctrl-C or SIGTERM stops the server; clients reconnect when it is back.
    """
    with needs_extra("server", "souk serve"):
        from souk.server.serve import serve as run
    from souk.server.settings import Settings

    given = {
        "host": host,
        "port": port,
        "lan": lan,
        "database": database,
        "origin": origin,
        "proxies": proxies,
        "workers": workers,
        "seconds": seconds,
        "limits": limits,
        "connections": connections,
        "metrics": metrics,
        "session_days": session_days,
        "keep_table_days": keep_table_days,
        "keep_person_days": keep_person_days,
        "terms": terms,
        "contact": contact,
        "log_level": log_level,
    }
    return run(Settings.from_sources(given, os.environ), opens=open_page)


@app.command(
    epilog="""\b
Example:
  souk bot http://127.0.0.1:8080/t/TABLE --player greedy
"""
)
def bot(
    url: Annotated[str, typer.Argument(metavar="LINK", help="Link to a table.")],
    player: Annotated[
        str,
        typer.Option(
            "--player",
            metavar="NAME",
            help="A computer player (see `souk players`), also NAME:weights=FILE.",
        ),
    ] = "greedy",
    name: Annotated[
        str | None, typer.Option("--name", "-n", metavar="NAME", help="Its name at the table.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="Seat to take, from 1; by default any.", min=1)
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN", envvar="SOUK_TOKEN", help="Token of an identity it had before."
        ),
    ] = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
) -> int:
    """Let a computer player take a seat at a table of any server and play to the end."""
    with needs_extra("server", "souk bot"):
        from souk.bot import run

    index = None if seat is None else seat - 1
    return run(url, level=player, name=name, seat=index, token=token, seconds=seconds, nodes=nodes)


@app.command(
    epilog="""\b
Examples:
  souk verify game.souk                         what the record shows by itself
  souk verify game.souk --key KEY               was this game played on that server?
  souk verify game.souk --history-hash HASH     is it the game that I saw?
"""
)
def verify(
    records: RecordFiles,
    number: GameNumber = None,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The commitment that the table showed before the game."),
    ] = None,
    history_hash: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX", help="A history hash that the table showed during the game; repeatable."
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The server's public key, from SERVER/api/key."),
    ] = None,
) -> int:
    """Say what is proven of a recorded game: its dice, its secret, its moves and its signature.

    A game is proven if the server with the given key signed it, or if it is the one whose last
    history hash you noted. The exit code is 0 if all games are proven, 1 if one is refuted or
    cannot be read, 3 if nothing is wrong but not all are proven. docs/fairness.md explains it.
    """
    from souk.terminal.check import verify as run

    return run(records, commitment, number=number, history_hashes=history_hash or (), key=key)


@admin.command("list")
def admin_list(
    database: Database = None,
    status: Annotated[
        str | None,
        typer.Option(metavar="STATUS", help="Only tables that are waiting, playing or over."),
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", help="Maximum number of tables.", min=1, max=MAX_COUNT)
    ] = 100,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> int:
    """List tables, newest first, including private ones."""
    from souk.server.admin import list_tables

    return list_tables(database, status, limit, as_json=json)


@admin.command("export")
def admin_export(
    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="TABLE", help="Ids of tables; by default all finished ones."),
    ] = None,
    database: Database = None,
    to: Annotated[
        Path | None,
        typer.Option(
            "--to", metavar="FOLDER", help="Write one file per table; otherwise to standard output."
        ),
    ] = None,
) -> int:
    """Export the records of games."""
    from souk.server.admin import export

    return export(database, tables or [], to)


@admin.command("migrate")
def admin_migrate(database: Database = None) -> int:
    """Migrate a database to the schema of this version, as `souk serve` does when it starts."""
    from souk.server.admin import migrate

    return migrate(database)


@admin.command("key")
def admin_key(
    replace: Annotated[
        bool, typer.Option("--replace", help="Sign with a new key, once servers have restarted.")
    ] = False,
    database: Database = None,
) -> int:
    """Print the public key that verifies records of this database's servers."""
    from souk.server.admin import print_key

    return print_key(database, replace=replace)


@admin.command("backup")
def admin_backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that does not exist yet.")],
    database: Database = None,
) -> int:
    """Write a snapshot of a database to a file, even while servers run.

    It is a SQLite database, also if the server uses PostgreSQL. It has everything, and the keys of
    the server: protect it.
    """
    from souk.server.admin import backup

    return backup(database, file)


@admin.command("restore")
def admin_restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
) -> int:
    """Write a backup to a new file or an empty PostgreSQL database.

    The backup may be of the other kind of database, or of an older version of souk.
    """
    from souk.server.admin import restore_backup

    return restore_backup(database, file)
