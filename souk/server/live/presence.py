"""Who is connected to a table, in this process and in others."""

import asyncio
from typing import TYPE_CHECKING

from souk.server.clock import now_ms
from souk.server.live.failures import refuse_on_failure
from souk.server.tables.entries import AnyEntry
from souk.server.tables.referee import presence_entry

if TYPE_CHECKING:
    from souk.server.live.live_table import LiveTable

AWAY_SECONDS = 3.0  # reloading a page is no absence
PRESENCE_MS = 45_000  # how long a person counts as connected after a heartbeat
PRESENCE_CHECK_MS = 60_000  # between checks whether the players to move are still connected


async def mark_connected(live: "LiveTable", person: str) -> None:
    """Note that a person is connected."""
    people = await live.read(lambda table: [seat.person for seat in table.seats])
    if live.table.status == "over" or person not in people:
        return
    pairs, until = [(live.id, person)], now_ms() + PRESENCE_MS
    store = live.registry.store
    await refuse_on_failure(store.mark_present(live.registry.process, pairs, until))
    for number in range(len(people)):

        def command(number: int = number) -> AnyEntry | None:
            if live.table.seats[number].person != person:
                return None
            return presence_entry(live.table, number, now_ms(), is_connected=True)

        await live.perform_logged(command)


async def mark_gone(live: "LiveTable", person: str) -> None:
    """Note that a person's last socket closed, unless another opens soon."""
    await asyncio.sleep(AWAY_SECONDS)
    if person not in connected(live):
        await live.registry.store.remove_present(live.registry.process, live.id, person)
        await update(live)


def connected(live: "LiveTable") -> set[str]:
    """Return the people who are connected to this table in this process."""
    return {one.person.id for one in live.subscribers if one.person is not None}


def watching(live: "LiveTable") -> tuple[dict[str, str], int]:
    """Return who watches without a seat in this process: names by id, and how many have none."""
    seated = {seat.person for seat in live.table.seats}
    people = [one.person for one in live.subscribers]
    named = {one.id: one.name for one in people if one is not None and one.id not in seated}
    return named, people.count(None)


def connected_pairs(live: "LiveTable") -> list[tuple[str, str]]:
    """Return (table, person) for each seated person who is connected here."""
    if live.table.status == "over":
        return []
    seated = {seat.person for seat in live.table.seats}
    return [(live.table.config.id, one) for one in connected(live) if one in seated]


def is_wrong(live: "LiveTable") -> bool:
    """Return whether a person who is connected here counts as away."""
    table = live.table
    away = {seat.person for seat in table.seats if seat.away_since is not None}
    return any(table.may_reconnect(person) for person in away & connected(live))


async def update(live: "LiveTable") -> None:
    """Log who is away and who is back, and schedule what is due."""
    present = await live.registry.store.present(live.id, now_ms())
    for number in range(len(live.table.seats)):

        def command(number: int = number) -> AnyEntry | None:
            is_connected = live.table.seats[number].person in present | connected(live)
            return presence_entry(live.table, number, now_ms(), is_connected=is_connected)

        await live.perform_logged(command)
    await live.read(lambda _: live.schedule())
