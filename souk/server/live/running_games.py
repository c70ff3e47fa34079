"""Recognise records of games that are still being played, so that the computer gives no advice.

Where hints are not allowed, the record of a running game, or anything made from it, is not analysed
before the game is over. Other knobs, other sums of money or another player to move are no disguise,
nor is a board that differs only by what a turn changes: its evaluation would tell which choice is
best. A board that differs more is, but then the advice is about another position.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from souk.engine.state import State
from souk.records import Record
from souk.server.live.failures import refuse_on_failure
from souk.server.live.fair_queue import Payer, Urgency
from souk.server.live.idle_tables import MAX_TABLES
from souk.server.live.registry import Registry
from souk.server.tables.commands import Refusal
from souk.server.tables.table import Table

MIN_COMMON = 8  # actions, chance included: unrelated games begin alike
MIN_BOARD = 16  # from then on no two games have the same board
MAX_CHANGES = 8  # details of a board that a turn changes; those of two games differ in more
MAX_LISTED = 2000  # running games of all kinds, newest first
DAMAGED = (msgspec.DecodeError, UnicodeDecodeError)  # of a stored table that cannot be read


class _Listed(Struct):
    """The fields of a table's view that are needed here."""

    id: str
    game: str
    hints: bool = False


_decode = msgspec.json.Decoder(_Listed).decode


class _Compared:
    """A record to be compared with running games."""

    def __init__(self, record: Record) -> None:
        self.name = record.game.name
        self.is_dealt = record.start is None
        self.texts = record.texts()
        state = record.initial_state()
        start = _board(state)
        self.details = Counter(_details(start))
        self.boards = {msgspec.json.encode(start)}
        for action in record.actions:
            state.apply_action(action)
            self.boards.add(msgspec.json.encode(_board(state)))

    def is_of(self, table: Table) -> bool:
        """Return whether the record agrees with a game that is being played without hints."""
        if table.status != "playing" or table.are_hints_allowed or table.game.name != self.name:
            return False
        assert table.state is not None
        common = min(len(self.texts), len(table.actions))
        if self.is_dealt and common >= MIN_COMMON:
            texts = table.game.action_texts
            if [texts[action] for action in table.actions[:common]] == self.texts[:common]:
                return True
        if len(table.actions) < MIN_BOARD:
            return False
        board = _board(table.state)
        return msgspec.json.encode(board) in self.boards or self._begins_near(board)

    def _begins_near(self, board: dict[str, Any]) -> bool:
        """Return whether the record begins with a position that a turn changes to or from this."""
        if self.is_dealt:
            return False
        details = Counter(_details(board))
        return ((self.details - details) + (details - self.details)).total() <= MAX_CHANGES


def _board(state: State) -> dict[str, Any]:
    """Return the board of a position: all but what is true of players or turns."""
    position = state.to_dict()
    parts = {name: part for name, part in position.items() if isinstance(part, dict | list)}
    parts.pop("players", None)
    return parts


def _details(
    value: object, where: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield what a board has, and where; not numbers and places in lists, as all may shift."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _details(part, (*where, name))
    elif isinstance(value, list):
        for part in value:
            yield from _details(part, where)
    else:
        yield where, value if isinstance(value, str) else None


async def refuse_running(registry: Registry, record: Record, payer: Payer) -> None:
    """Refuse a record of a game that is being played without hints."""
    async with registry.long_work.turn(payer, Urgency.REVIEW, "compare"):
        is_running = await _is_running(registry, record)
    if is_running:
        raise Refusal("not-over", "This game is being played here: it can be analysed afterwards.")


async def _is_running(registry: Registry, record: Record) -> bool:
    compared = await asyncio.to_thread(_Compared, record)
    live = list(registry.live_tables.values())
    for one in live:
        if compared.is_of(one.table):
            return True
        await asyncio.sleep(0)  # others need not wait for all comparisons
    views = await refuse_on_failure(registry.store.tables("playing", MAX_LISTED))
    ids = [one.id for one in _listed(views) if one.game.startswith(compared.name) and not one.hints]
    for id in [id for id in ids if id not in registry.live_tables][:MAX_TABLES]:
        try:
            table = await registry.idle_tables.get(id)
        except Refusal:
            raise
        except Exception:  # nobody plays at a damaged table
            continue
        if table is not None and compared.is_of(table):
            return True
    return False


def _listed(views: Sequence[bytes]) -> Iterator[_Listed]:
    for view in views:
        with suppress(*DAMAGED):
            yield _decode(view)
