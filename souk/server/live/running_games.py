"""Recognise records of games that are still being played, so that the computer gives no advice.

Where hints are not allowed, the record of a running game, or anything made from it, is not analysed
before the game is over.
"""

import asyncio
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from souk.engine.state import State
from souk.records import Record
from souk.server.live.live_table import refuse_on_failure
from souk.server.live.registry import Registry
from souk.server.store import StoredTable
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.table import Table

MIN_COMMON = 8  # actions, chance included: unrelated games begin alike
MAX_LISTED = 2000  # running games of all kinds, newest first
MAX_LOADED = 200  # of these that are not in memory


class _Listed(Struct):
    """The fields of a table's view that are needed here."""

    id: str
    game: str
    hints: bool = False


_decode = msgspec.json.Decoder(_Listed).decode


class _Compared:
    """A record to be compared with running games."""

    def __init__(self, record: Record) -> None:
        self.game = str(record.game)
        self.is_dealt = record.start is None
        self.actions = record.actions
        self.texts = record.texts()
        state = record.initial_state()
        self.positions = {self._key(state)}
        for action in record.actions:
            state.apply_action(action)
            self.positions.add(self._key(state))

    def _key(self, state: State) -> bytes | tuple[int, ...]:
        """Return a position as a key; a given one has only what people see of it."""
        if self.is_dealt:
            return tuple(state.buffer)
        return msgspec.json.encode(state.to_dict())

    def is_of(self, table: Table) -> bool:
        """Return whether the record agrees with a game that is being played without hints."""
        if table.status != "playing" or table.are_hints_allowed or str(table.game) != self.game:
            return False
        assert table.state is not None
        common = min(len(self.actions), len(table.actions))
        if common < MIN_COMMON and self.is_dealt:
            return False
        is_same = list(self.actions[:common]) == table.actions[:common]
        return (self.is_dealt and is_same) or self._key(table.state) in self.positions

    def is_of_any(self, stored: Sequence[StoredTable]) -> bool:
        """Return whether the record agrees with one of several stored tables."""
        return any(self._may_be_of(one) and self.is_of(_build(one)) for one in stored)

    def _may_be_of(self, stored: StoredTable) -> bool:
        """Return whether a table must be built to know; nearly all begin differently."""
        if not self.is_dealt:
            return True
        texts: list[str] = []
        for entry in map(e.decode_entry, stored.entries):
            if isinstance(entry, e.Started):
                texts += entry.chance
            elif isinstance(entry, e.Acted):
                texts += (entry.action, *entry.chance)
            if len(texts) >= MIN_COMMON:
                break
        return texts[:MIN_COMMON] == self.texts[:MIN_COMMON]


def _build(stored: StoredTable) -> Table:
    table = Table(stored.config)
    for raw in stored.entries:
        table.apply(e.decode_entry(raw))
    return table


async def refuse_running(registry: Registry, record: Record) -> None:
    """Refuse a record of a game that is being played without hints."""
    compared = await asyncio.to_thread(_Compared, record)
    live = list(registry.live_tables.values())
    is_running = False
    for one in live:
        is_running = is_running or compared.is_of(one.table)
        await asyncio.sleep(0)  # others need not wait for all comparisons
    if not is_running:
        views = await refuse_on_failure(registry.store.tables("playing", MAX_LISTED))
        listed = map(_decode, views)
        ids = [one.id for one in listed if one.game == compared.game and not one.hints]
        others = [id for id in ids if id not in registry.live_tables][:MAX_LOADED]
        stored = [await refuse_on_failure(registry.store.load(id)) for id in others]
        found = [one for one in stored if one is not None]
        is_running = await asyncio.to_thread(compared.is_of_any, found)
    if is_running:
        raise Refusal("not-over", "This game is being played here: it can be analysed afterwards.")
