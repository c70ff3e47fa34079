"""Build the record of a stored table."""

import datetime

from souk import records
from souk.records import Record, fairness
from souk.records.record import PERSON
from souk.records.signatures import Signer
from souk.server.store import StoredTable
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Refusal
from souk.server.tables.table import Table

RECORD_KEY = "record key"  # the setting that holds the private keys, newest first


def record_text(stored: StoredTable, signer: Signer | None = None) -> str:
    """Return the signed record of a game so far; once it is over, with the secret of its dice."""
    record = record_of(stored)[1]
    return records.write(signer.sign(record) if signer else record)


def finished_record(stored: StoredTable) -> Record:
    """Return the record of a game that is over."""
    table, record = record_of(stored)
    if table.status != "over":
        raise Refusal("not-over", "A game can be analysed when it is over.")
    return record


def record_of(stored: StoredTable) -> tuple[Table, Record]:
    """Return a table and its record."""
    table = Table(stored.config)
    for raw in stored.entries:
        table.apply(e.decode_entry(raw))
    return table, _record(table)


def _record(table: Table) -> Record:
    over = table.status == "over"
    extra = fairness.headers(table.config.secret, table.dice_words(), reveal=over)
    if table.config.game != str(table.game):
        extra[fairness.STARTED_AS] = table.config.game  # dice and history follow from it
    if table.state is not None:
        extra["history"] = table.history_hash
    if over and (ended := _ended_text(table)):
        extra["ended"] = ended  # the result follows the rules, even if somebody resigned
    created = datetime.datetime.fromtimestamp(table.config.created / 1000, datetime.UTC)
    return Record(
        game=table.game,
        actions=tuple(table.actions),
        seed=table.seed or 0,
        seats=tuple(records.Seat(seat.name, seat.level or PERSON) for seat in table.seats),
        date=created.date(),
        extra=extra,
    )


def _ended_text(table: Table) -> str:
    """Return how a game ended, unless by the rules alone."""
    if table.ended_by is not None:
        return views.result_view(table).text
    return views.resigned_text(table)
