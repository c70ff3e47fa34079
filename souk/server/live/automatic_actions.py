"""What the server does at a table by itself.

It moves for computer players, lets them take over for people who are away or out of time, lets
somebody act as host, and gives players the time of outages back.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from souk.server import metrics
from souk.server.clock import now_ms
from souk.server.live.fair_queue import Payer, Urgency
from souk.server.live.fair_workers import Order
from souk.server.live.outages import RESTART_EXTRA_MS, Outage
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import AnyEntry
from souk.server.tables.referee import action_entry

if TYPE_CHECKING:
    from souk.server.live.live_table import LiveTable

LAG_SECONDS = 0.3  # on its way through the network an action may take so long after its deadline
LATE_MS = 300  # a timer that is later than this was held up, and so were actions
HELD_UP_SECONDS = 1.5  # until the outage is noticed and what was sent meanwhile is read
UNDO_MS = 2000  # a computer player waits so long after a person's action that can be undone
UNATTENDED_MS = 15_000  # given back if the process that served a table died

log = logging.getLogger("souk.server")


async def move_computer(live: "LiveTable") -> None:
    """Let the computer player to move choose an action, and submit it."""
    table, version = live.table, live.table.version
    try:
        if table.mover is None:
            return  # the game ended in the meantime
        level = table.level_of(table.seats[table.mover])
        started = time.perf_counter()

        def is_wanted() -> bool:
            return live.table.version == version and live.table.status == "playing"

        text = await live.registry.workers.choose(
            table.copy_state(), level, table.start, table.actions, _order(live, is_wanted)
        )
        if text is None:
            return
        metrics.THINKING.observe(time.perf_counter() - started)
        if table.checkpoints:
            wait_ms = table.checkpoints[-1].at + UNDO_MS - now_ms()
            await asyncio.sleep(min(max(0, wait_ms), UNDO_MS) / 1000)

        def command() -> AnyEntry | None:
            table = live.table
            seat = table.mover
            if table.version != version or seat is None or table.paused_since is not None:
                return None
            if not table.seats[seat].is_played_by_computer:
                return None
            live.computer_task = None  # so that the next move can start
            return action_entry(table, seat, text, now_ms())

        await live.perform(command)
    except Refusal as refusal:  # after a reload the move is computed again
        log.error("a computer player's move was not saved", extra={"error": refusal.sentence})
    finally:
        if live.computer_task is asyncio.current_task():
            live.computer_task = None
    if live.computer_task is None:
        live.schedule()


def _order(live: "LiveTable", is_wanted: Callable[[], bool]) -> Order:
    """Return who pays for the move of a computer player, and how urgent it is.

    A move is the answer to a person's; if they are not connected here, another player pays.
    Without any, the host does who watches computers play.
    """
    table = live.table
    here = {one.person.id: one for one in live.subscribers if one.person is not None}
    players = [seat.person for seat in table.seats if seat.person in here]
    for person in (table.last_actor, *players):
        if person in players:
            payer = Payer(here[person].address, person)
            return Order(payer, Urgency.MOVE, is_wanted=is_wanted)
    host = table.config.host
    payer = Payer(here[host].address if host in here else "", host)
    return Order(payer, Urgency.BACKGROUND, is_wanted=is_wanted)


async def take_over(live: "LiveTable") -> None:
    """Let the computer take over for the player to move, if that is due.

    Actions that were sent before come first, and time that an outage took is given back.
    """
    due = live.table.takeover_due()
    is_late = due is not None and now_ms() - due[0] > LATE_MS
    await asyncio.sleep(HELD_UP_SECONDS if is_late else LAG_SECONDS)

    def command() -> AnyEntry | None:
        due = live.table.takeover_due()
        now = now_ms()
        if due is None or due[0] > now or live.table.mover is None:
            return None
        return interruption(live) or e.TakenOver(at=now, seat=live.table.mover, why=due[1])

    await live.perform_logged(command)
    live.schedule()  # a timer may go off a moment too early


def interruption(live: "LiveTable") -> e.Interrupted | None:
    """Return the entry that gives back the time of outages, if some is due."""
    table, due = live.table, live.table.takeover_due()
    if due is None or table.mover is None:
        return None
    seat = table.seats[table.mover]
    since = table.turn_since if due[1] == "time" else seat.away_since
    assert since is not None
    moment = max(since, table.interrupted)
    outage = live.registry.outages.after(moment)
    if outage is not None and outage.since <= table.interrupted:
        outage = outage._replace(extra=0)  # given already, maybe by another process
    is_unattended = seat.away_since is None and due[0] + LATE_MS < live.loaded_at
    if outage is None and is_unattended and live.loaded_at > moment:
        lost = max(moment, live.loaded_at - UNATTENDED_MS)
        outage = Outage(lost, live.loaded_at, RESTART_EXTRA_MS)
    if outage is None:
        return None
    return e.Interrupted(at=now_ms(), **outage._asdict())


async def deputise(live: "LiveTable") -> None:
    """Let a person act as host, if that is due."""

    def command() -> AnyEntry | None:
        due, now = live.table.deputy_due(), now_ms()
        return None if due is None or due[0] > now else e.Deputised(at=now, seat=due[1])

    await live.perform_logged(command)
    live.schedule()
