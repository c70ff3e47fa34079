"""The record of a table, from what was kept of it."""

import datetime
from collections.abc import Sequence

from souk import records
from souk.records import Record, fairness
from souk.records.record import PERSON
from souk.server.store import StoredTable
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.table import Table


def record_text(kept: StoredTable) -> str:
    """The record of a game so far; once it is over, with the secret that proves its dice."""
    return records.write(record_of(kept)[1])


def record_of(kept: StoredTable) -> tuple[Table, Record]:
    """A table as it is by now, and its record."""
    table = Table(kept.config)
    texts: list[str] = []
    for raw in kept.entries:
        entry = e.decode_entry(raw)
        table.apply(entry)
        if isinstance(entry, e.Started):
            texts += entry.chance
        elif isinstance(entry, e.Acted):
            texts += (entry.action, *entry.chance)
    return table, _record(table, texts)


def _record(table: Table, texts: Sequence[str]) -> Record:
    over = table.status == "over"
    words = [seat.words for seat in table.seats]
    extra = fairness.headers(table.config.secret, words, reveal=over)
    if over and (resigned := views.resigned_text(table)):
        extra["ended"] = resigned  # the result is that of the rules, whoever resigned
    created = datetime.datetime.fromtimestamp(table.config.created / 1000, datetime.UTC)
    return Record(
        game=table.game,
        actions=tuple(table.game.string_to_action(text) for text in texts),
        seed=table.seed or 0,
        seats=tuple(records.Seat(seat.name, seat.level or PERSON) for seat in table.seats),
        date=created.date(),
        extra=extra,
    )
