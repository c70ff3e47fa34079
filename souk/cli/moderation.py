"""The commands of `souk admin` about people, which work while servers are running."""

from typing import Annotated

import typer

from souk.cli.options import MAX_COUNT, Database

MAX_DAYS = 36_500

app = typer.Typer()

# Ids may begin with a dash, which is no option then; -h would be one wherever it has an h.
WITH_IDS = {"ignore_unknown_options": True, "help_option_names": ["--help"]}

PersonId = Annotated[str, typer.Argument(metavar="PERSON", help="Id of a person.")]
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Id of a table.")]
Limit = Annotated[
    int, typer.Option(metavar="N", help="Maximum number of lines.", min=1, max=MAX_COUNT)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]
Target = Annotated[
    str, typer.Argument(metavar="WHO", help="Id of a person, an address or a network.")
]


@app.command("reports")
def reports(
    database: Database = None,
    all: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False,
    limit: Limit = 50,
    json: Json = False,
) -> int:
    """Show the reports of people, newest first."""
    from souk.server.moderation import show_reports

    return show_reports(database, limit, closed=all, as_json=json)


@app.command("close")
def close(
    report: Annotated[
        int, typer.Argument(metavar="REPORT", help="Number of a report.", max=MAX_COUNT)
    ],
    database: Database = None,
) -> int:
    """Close a report that was dealt with."""
    from souk.server.moderation import close_report

    return close_report(database, report)


@app.command("people")
def people(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Part of a name, or an id.")] = "",
    database: Database = None,
    limit: Limit = 50,
    json: Json = False,
) -> int:
    """Find people by name, newest first."""
    from souk.server.moderation import find_people

    return find_people(database, text, limit, as_json=json)


@app.command("person", context_settings=WITH_IDS)
def person(person: PersonId, database: Database = None) -> int:
    """Show what the server knows about a person."""
    from souk.server.moderation import show_person

    return show_person(database, person)


@app.command("rename", context_settings=WITH_IDS)
def rename(
    person: PersonId,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")] = "Guest",
    database: Database = None,
) -> int:
    """Replace the name of a person, at all their tables too."""
    from souk.server.moderation import rename as run

    return run(database, person, name)


@app.command("logout", context_settings=WITH_IDS)
def logout(person: PersonId, database: Database = None) -> int:
    """Log a person out on all devices."""
    from souk.server.moderation import log_out

    return log_out(database, person)


@app.command("delete", context_settings=WITH_IDS)
def delete(
    person: PersonId,
    database: Database = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> int:
    """Delete a person with their data; they resign from games."""
    from souk.server.moderation import delete_person

    return delete_person(database, person, lambda question: yes or typer.confirm(question))


@app.command("ban", context_settings=WITH_IDS)
def ban(
    who: Target,
    database: Database = None,
    days: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="For so many days; by default for good.", min=1, max=MAX_DAYS
        ),
    ] = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Shown to whom it concerns.")] = "",
) -> int:
    """Ban a person, an address or a network."""
    from souk.server.moderation import ban as run

    return run(database, who, days, reason)


@app.command("unban", context_settings=WITH_IDS)
def unban(who: Target, database: Database = None) -> int:
    """Lift a ban."""
    from souk.server.moderation import unban as run

    return run(database, who)


@app.command("bans")
def bans(database: Database = None, json: Json = False) -> int:
    """Show the bans in force."""
    from souk.server.moderation import show_bans

    return show_bans(database, as_json=json)


@app.command("chat", context_settings=WITH_IDS)
def chat(table: TableId, database: Database = None) -> int:
    """Show the chat of a table, with the numbers of its lines."""
    from souk.server.moderation import show_chat

    return show_chat(database, table)


@app.command("remove-line", context_settings=WITH_IDS)
def remove_line(
    table: TableId,
    line: Annotated[int, typer.Argument(metavar="LINE", help="Number of a line.")],
    database: Database = None,
) -> int:
    """Remove a line of chat for good."""
    from souk.server.moderation import remove_line as run

    return run(database, table, line)


@app.command("cleanup")
def cleanup(
    database: Database = None,
    table_days: Annotated[
        int | None,
        typer.Option(metavar="N", help="Delete tables without moves that are older."),
    ] = None,
    person_days: Annotated[
        int | None,
        typer.Option(metavar="N", help="Delete people without tables who were away longer."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> int:
    """Delete what is too old, as a server does every hour."""
    from souk.server.moderation import clean_up

    return clean_up(database, table_days, person_days, dry_run=dry_run)
