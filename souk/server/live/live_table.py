"""A live table and its subscribers.

Commands are handled one at a time: validate, persist, broadcast. Clients never see an entry that
was not persisted. If the store fails, or another process took the entry's number, the table is
loaded again from the store.

The path of a move is made of plain calls, without a task or a future: there are thousands a second.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Raw

from souk.server import metrics
from souk.server.clock import now_ms
from souk.server.live import automatic_actions, presence
from souk.server.live.failures import (
    UNREADABLE,
    internal_error,
    refuse_on_failure,
    refuse_unreadable,
    storage_refusal,
)
from souk.server.live.fair_queue import Payer
from souk.server.live.presence import PRESENCE_CHECK_MS
from souk.server.store import Change, PersistError, Summary, future_callback, notify
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Command, Refusal
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.referee import decide
from souk.server.tables.request import REMOVED, Person, Request
from souk.server.tables.table import Receipt, Table

if TYPE_CHECKING:
    from souk.server.live.registry import Registry

RECENT = 64  # events in memory for clients that reconnect
COMPUTER_MS = 15_000  # by then a computer player has moved, or its process has died
SUMMARY_MS = 60_000  # how far the stored summary may lag behind
RETRY_SECONDS = 1.0  # after the store failed
WAIT_SECONDS = 5.0  # until a table of computers that must wait looks whether it may go on
MAX_RELOADS = 5  # attempts to read a table that may be damaged
IDLE_SECONDS = 60.0
LOAD_STEP = 100  # stored entries that are applied at a time: some milliseconds
DELETED = "This table was deleted."
POSITION_ONLY = (e.Acted, e.Undone, e.Said)  # entries that leave the table view as it is
REMOVING = (e.LineRemoved, e.Renamed)  # entries after which earlier events must not be sent again

T = TypeVar("T")
QueuedCommand = Callable[[], AnyEntry | Receipt | None]
"""Return the entry to persist; a receipt or None if there is nothing to persist."""
Reply = Callable[[Receipt | Refusal], None]

log = logging.getLogger("souk.server")


class Subscriber(Protocol):
    """A client that receives what happens at a table."""

    person: Person | None
    address: str  # by which its requests are limited

    def send(self, message: bytes) -> None:
        """Send an encoded message; must not wait."""

    def remove(self, sentence: str) -> None:
        """Say goodbye for good."""


class LiveTable:
    """A table in memory, its subscribers and its queue of commands."""

    def __init__(self, registry: "Registry", config: TableConfig) -> None:
        self.registry = registry
        self.id = config.id
        self.table = Table(config)  # ahead of the store while an entry is persisted: see `read`
        self.subscribers: set[Subscriber] = set()
        self.chatters: set[str] = set()  # people of whom the store knows that they wrote here
        self.used = time.monotonic()
        self.broadcast_n = 0  # the last entry that subscribers know
        self._recent: deque[tuple[int, Raw]] = deque(maxlen=RECENT)
        self._queue: deque[tuple[QueuedCommand, Reply]] = deque()
        self._unreadable: Refusal | None = None  # the answer to all commands, if it is damaged
        self.is_busy = False  # persisting an entry, or reloading
        self._is_processing = False  # the queue
        self._stored_summary: Summary | None = None  # the last one that the store got
        self._timer: asyncio.TimerHandle | None = None
        self.computer_task: asyncio.Task[None] | None = None
        self.loaded_at = now_ms()

    # ---- the queue ------------------------------------------------------------------------------

    def submit(self, command: QueuedCommand, reply: Reply) -> None:
        """Queue a command; `reply` is called with its receipt or refusal."""
        if self._unreadable is not None:
            notify(reply, self._unreadable)
            return
        self._queue.append((command, reply))
        self.used = time.monotonic()
        self._process_queue()

    def _process_queue(self) -> None:
        if self._is_processing:
            return  # a reply may submit the next command: the loop below takes it
        self._is_processing = True
        while self._queue and not self.is_busy:
            command, reply = self._queue.popleft()
            try:
                entry = command()
            except Refusal as refusal:
                notify(reply, refusal)
            except Exception as error:  # a bug of ours must not block the queue
                notify(reply, internal_error(error))
            else:
                if entry is None:
                    notify(reply, Receipt(self.table.n, self.table.version))
                elif isinstance(entry, Receipt):
                    notify(reply, entry)
                else:
                    self._persist(entry, command, reply)
        self._is_processing = False

    def _persist(self, entry: AnyEntry, command: QueuedCommand, reply: Reply) -> None:
        before = self.table.status
        self.is_busy = True
        try:
            self.table.apply(entry)
            change = self.change_for(entry, before)
        except Exception as error:
            notify(reply, internal_error(error))
            self._reload(RETRY_SECONDS)
            return
        started = time.perf_counter()
        done = partial(self._on_persisted, entry, before, command, reply, started)
        self.registry.store.append(change, done)

    def _on_persisted(
        self,
        entry: AnyEntry,
        before: str,
        command: QueuedCommand,
        reply: Reply,
        started: float,
        outcome: bool | PersistError,
    ) -> None:
        """Continue with what the store says of an entry."""
        if outcome is True:
            self.is_busy = False
            metrics.MOVES.committed(time.perf_counter() - started)
            if self.registry.outages.failing_since is not None:
                self.registry.outages.on_store_success()
            receipt = Receipt(self.table.n, self.table.version)
            try:
                self._broadcast(entry, before)
            except Exception as error:  # the entry is stored all the same, and its sender waits
                internal_error(error)
                self.schedule()
            notify(reply, receipt)
            if self._queue:
                self._process_queue()
        elif outcome is False:  # another process took the number: reload, and decide again
            self._queue.appendleft((command, reply))
            self._reload()
        else:
            waited = round(1000 * (time.perf_counter() - started))
            self.registry.outages.on_store_failure(now_ms() - waited)
            notify(reply, storage_refusal(outcome))
            self._reload(RETRY_SECONDS)

    def _reload(self, pause: float = 0.0) -> None:
        """Load the table again, as it may differ from what is stored; the queue waits.

        After a pause the server's own actions go on: while a disk is full, they would be tried
        again and again.
        """
        self.is_busy = True
        self._stored_summary = None
        if not self.registry.is_closing:
            self.registry.start_task(self._reload_until_done(pause))

    async def _reload_until_done(self, pause: float) -> None:
        attempts = 0  # while the store worked
        while (refusal := await self._try_reload()) is not None:
            waiting, self._queue = self._queue, deque()
            for _, reply in waiting:
                notify(reply, refusal)
            if refusal.code == "no-such-table":
                self._on_deleted()
                return
            attempts += refusal.code != "not-saved"
            if attempts == MAX_RELOADS:
                self._give_up()
                return
            await asyncio.sleep(RETRY_SECONDS)
        self.is_busy = False
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self.schedule)
        self._process_queue()

    def _on_deleted(self) -> None:
        """Say goodbye to everybody: the table is no longer stored."""
        for subscriber in list(self.subscribers):
            subscriber.remove(DELETED)
        self.is_busy = False
        self.close()
        self.registry.drop(self)

    async def _try_reload(self) -> Refusal | None:
        """Load the table as it is stored; return a refusal if that fails."""
        try:
            stored = await refuse_on_failure(self.registry.store.load(self.id))
            if stored is None:
                return Refusal("no-such-table", DELETED)
            table, known = Table(stored.config), stored.entries[: self.broadcast_n]
            await apply_in_steps(table, known)
            self.table = table
            self._apply_stored(stored.entries[len(known) :])
        except Refusal as refusal:
            return refusal
        except Exception as error:  # or nobody would ever get an answer at this table again
            return internal_error(error)
        return None

    def _give_up(self) -> None:
        """Serve a table no longer that cannot be read."""
        self._unreadable = refusal = Refusal("unreadable", UNREADABLE)
        self.close()
        self.registry.drop(self)
        for subscriber in list(self.subscribers):
            subscriber.remove(refusal.sentence)

    def _apply_stored(self, entries: Sequence[bytes]) -> None:
        """Apply stored entries; broadcast those that subscribers do not know."""
        if entries:
            self._stored_summary = None  # another process may have stored another one
        for raw in entries:
            before = self.table.status
            entry = e.decode_entry(raw)
            self.table.apply(entry)
            if self.table.n > self.broadcast_n:
                self._broadcast(entry, before, is_local=False)

    # ---- for callers that can wait --------------------------------------------------------------

    async def execute(self, person: Person, command: Command) -> Receipt:
        """Carry out and persist a person's command, or raise a Refusal."""
        return await self.perform(self.queued(person, command))

    def queued(self, person: Person, command: Command) -> QueuedCommand:
        """Return a person's command in the form that the queue takes."""
        return lambda: decide(Request(self.table, person, now_ms()), command)

    async def perform(self, command: QueuedCommand) -> Receipt:
        """Submit a command and wait for its receipt; a refusal is raised."""
        future: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self.submit(command, future_callback(future))
        return await future

    async def read(self, view: Callable[[Table], T]) -> T:
        """Return what a function makes of the table as it is stored. The only way to read it."""
        results: list[T] = []

        def command() -> None:
            results.append(view(self.table))

        await self.perform(command)
        return results[0]

    async def welcome(self) -> views.Welcome:
        """Return the whole state of the table, entries of other processes included."""
        await self.catch_up()
        return await self.read(lambda table: views.welcome(table, now_ms()))

    async def subscribe(self, subscriber: Subscriber, after: int | None) -> None:
        """Add a subscriber, and send what it missed since an event."""
        await self.catch_up()

        def add(table: Table) -> None:
            if subscriber.person is not None and subscriber.person.id in table.banned:
                raise Refusal("removed", REMOVED)
            subscriber.send(self._catch_up_message(after))
            self.subscribers.add(subscriber)

        await self.read(add)
        if subscriber.person is not None:
            await presence.mark_connected(self, subscriber.person.id)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self.subscribers.discard(subscriber)
        self.used = time.monotonic()
        if subscriber.person is not None and not self.registry.is_closing:
            self.registry.start_task(presence.mark_gone(self, subscriber.person.id))

    async def catch_up(self, *, is_forced: bool = False) -> None:
        """Apply entries that other processes have added.

        With a store for one process only `souk admin` can have added any: then it is forced.
        """
        if self.registry.store.is_single_process and not is_forced:
            return
        after = await self.read(lambda table: table.n)
        try:
            stored = await refuse_on_failure(self.registry.store.load(self.id, after=after))
        except Refusal:
            await self.read(lambda _: self._reload())  # or the entries would never be seen
            raise
        if stored is None:
            await self.read(lambda _: self._reload())
            raise Refusal("no-such-table", DELETED)

        def apply(table: Table) -> None:
            try:
                with refuse_unreadable(self.id):
                    self._apply_stored(stored.entries[table.n - after :])
            except Refusal:
                self._reload()  # some entries may have been applied
                raise

        await self.read(apply)

    def _catch_up_message(self, after: int | None) -> bytes:
        missed = [event for n, event in self._recent if after is not None and n > after]
        if after is None or after + len(missed) != self.table.n:
            message: Any = views.welcome(self.table, now_ms())
        else:
            message = views.Events(
                events=missed,
                now=now_ms(),
                table=views.table_view(self.table),
                position=views.position_view(self.table),
            )
        return views.encode(message)

    # ---- persisting and broadcasting ------------------------------------------------------------

    def change_for(self, entry: AnyEntry, before: str) -> Change:
        """Return what the store gets for an entry that was just applied."""
        table = self.table
        wake_at = self._wake_at(entry.at)
        is_plain = table.status == before and isinstance(entry, POSITION_ONLY)
        is_plain = is_plain and not table.is_full  # no process has to wake up for it
        if is_plain and self._is_summary_current(entry.at, wake_at):
            return Change(table.config.id, table.n, e.encode(entry), None)
        view = None if is_plain else views.encode(views.table_view(table))
        summary = Summary(table.status, wake_at, entry.at, view, self._participant(entry))
        self._stored_summary = summary
        return Change(table.config.id, table.n, e.encode(entry), summary)

    def _is_summary_current(self, now: int, wake_at: int | None) -> bool:
        """Return whether the stored summary will do: it wakes us in time, and lists lag little."""
        stored = self._stored_summary
        if stored is None or now >= stored.at + SUMMARY_MS:
            return False
        if wake_at is None:
            return True
        return stored.wake_at is not None and now < stored.wake_at <= wake_at

    def _participant(self, entry: AnyEntry) -> str | None:
        """Return who takes part in the table from this entry on: the host from the first."""
        if isinstance(entry, e.Sat):
            return entry.person
        if isinstance(entry, e.TakenBack):  # they may have removed it from their list
            return entry.by
        return self.table.config.host if self.table.n == 1 else None

    def _wake_at(self, now: int) -> int | None:
        """Return when a process should attend to the table, in case ours has died."""
        table = self.table
        if self.registry.is_closing and table.mover is not None:
            return now
        if table.mover is None:
            is_attended = table.status == "waiting" and any(
                seat.person and seat.away_since is None for seat in table.seats
            )  # a person may have disconnected together with a server
            return now + PRESENCE_CHECK_MS if is_attended else None
        if not table.is_awaiting_move:
            return None
        if table.seats[table.mover].is_played_by_computer:
            return now + COMPUTER_MS
        due = table.takeover_due()
        if due is not None:
            return max(now, due[0]) + 2000
        return None if table.config.absent == "never" else now + PRESENCE_CHECK_MS

    def _broadcast(self, entry: AnyEntry, before: str, *, is_local: bool = True) -> None:
        """Send the entry that was just applied to all subscribers."""
        table = self.table
        metrics.MOVES.entries[type(entry)] += 1
        event = Raw(views.encode(views.event_view(table, entry)))
        is_plain = table.status == before and isinstance(entry, POSITION_ONLY)
        if not is_plain and isinstance(entry, REMOVING):
            self._recent.clear()
        self._recent.append((table.n, event))
        self.broadcast_n = table.n
        if self.subscribers:
            message = views.encode(
                views.Events(
                    events=[event],
                    now=now_ms(),
                    table=None if is_plain else views.table_view(table),
                    position=None if type(entry) is e.Said else views.position_view(table),
                )
            )
            metrics.MOVES.sent += len(self.subscribers)
            for subscriber in self.subscribers:
                subscriber.send(message)
        if not is_plain:
            if isinstance(entry, e.Kicked):
                self._remove(entry.person)
            self._count_computers(is_local=is_local)
        if before != table.status:
            log.info("table %s", table.status, extra={"table": table.config.id, "n": table.n})
        self.schedule(is_local=is_local)

    def _count_computers(self, *, is_local: bool) -> None:
        """Count the table if it is left to computers, where its players left it."""
        tables = self.registry.computer_tables
        if not self.table.is_left_to_computers:
            tables.remove(self.id)
        elif is_local:
            tables.add(self.id, Payer("", self.table.config.host))

    def _remove(self, person: str) -> None:
        """Say goodbye to a person whom the host removed."""
        for subscriber in list(self.subscribers):
            if subscriber.person is not None and subscriber.person.id == person:
                subscriber.remove(REMOVED)

    # ---- what the server does by itself ---------------------------------------------------------

    def begin(self, *, is_local: bool) -> None:
        """Start to serve the table: subscribers will know all entries so far."""
        self.broadcast_n = self.table.n
        self.schedule(is_local=is_local)
        self.restore_clock()

    def schedule(self, *, is_local: bool = True) -> None:
        """Start the computer player to move, or the timer of the next takeover or deputy.

        After an entry of another process that process runs the computer player; should it die,
        the sweep finds the table.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        table = self.table
        if self.registry.is_closing or self.is_busy or table.paused_since is not None:
            return
        if table.mover is None:
            if (deputy := table.deputy_due()) is not None:
                self._start_timer(deputy[0], automatic_actions.deputise)
            return
        if table.is_full:
            self.registry.computer_tables.remove(self.id)
            return
        if table.seats[table.mover].is_played_by_computer:
            if self.registry.computer_tables.must_wait(self.id):
                self.used = time.monotonic()  # stay in memory
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(WAIT_SECONDS, self.schedule)
            elif self.computer_task is None and is_local:
                self.computer_task = self.registry.start_task(automatic_actions.move_computer(self))
            return
        due = table.takeover_due()
        if due is not None:
            self._start_timer(due[0], automatic_actions.take_over)

    def _start_timer(
        self, at: int, work: Callable[["LiveTable"], Coroutine[Any, Any, None]]
    ) -> None:
        delay = max(0, at - now_ms()) / 1000
        start, loop = self.registry.start_task, asyncio.get_running_loop()
        self._timer = loop.call_later(delay, lambda: start(work(self)))

    def restore_clock(self) -> None:
        """Give players the time of outages back, if some is due."""
        command = partial(automatic_actions.interruption, self)
        if command() is not None and not self.registry.is_closing:
            self.registry.start_task(self.perform_logged(command))

    async def perform_logged(self, command: Callable[[], AnyEntry | None]) -> None:
        """Perform a command of the server itself; a refusal is logged."""
        try:
            await self.perform(command)
        except Refusal as refusal:
            log.error("a change was not saved", extra={"error": refusal.sentence})

    @property
    def is_idle(self) -> bool:
        """Return whether the live table can be dropped: everything is in the store."""
        is_quiet = not self.subscribers and self.computer_task is None and not self.is_busy
        return is_quiet and time.monotonic() - self.used > IDLE_SECONDS

    def close(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()


async def apply_in_steps(table: Table, entries: Sequence[bytes]) -> None:
    """Apply stored entries to a table that nobody sees yet; others go on in between."""
    for start in range(0, len(entries), LOAD_STEP):
        if start:
            await asyncio.sleep(0)
        for raw in entries[start : start + LOAD_STEP]:
            table.apply(e.decode_entry(raw))
