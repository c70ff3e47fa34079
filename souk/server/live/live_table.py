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
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Raw

from souk.server import metrics
from souk.server.live.fair_queue import Payer, Urgency
from souk.server.live.fair_workers import Order
from souk.server.live.outages import RESTART_EXTRA_MS, Outage
from souk.server.store import Change, PersistError, Summary, future_callback, notify
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Command, Refusal
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.referee import (
    REMOVED,
    Person,
    Request,
    action_entry,
    decide,
    presence_entry,
)
from souk.server.tables.table import Receipt, Table

if TYPE_CHECKING:
    from souk.server.live.registry import Registry

RECENT = 64  # events in memory for clients that reconnect
COMPUTER_MS = 15_000  # by then a computer player has moved, or its process has died
PRESENCE_MS = 45_000  # how long a person counts as connected after a heartbeat
PRESENCE_CHECK_MS = 60_000  # between checks whether the players to move are still connected
SUMMARY_MS = 60_000  # how far the stored summary may lag behind
AWAY_SECONDS = 3.0  # reloading a page is no absence
RETRY_SECONDS = 1.0  # after the store failed
WAIT_SECONDS = 5.0  # until a table of computers that must wait looks whether it may go on
MAX_RELOADS = 5  # attempts to read a table that may be damaged
UNREADABLE = "This table cannot be read any more: what is stored of it is damaged."
IDLE_SECONDS = 60.0
LOAD_STEP = 100  # stored entries that are applied at a time: some milliseconds
LISTEN_SECONDS = 0.05  # to read actions that were sent in time, before time is up
LATE_MS = 300  # a timer that is later than this was held up, and so were actions
HELD_UP_SECONDS = 1.5  # until the outage is noticed and what was sent meanwhile is read
UNATTENDED_MS = 15_000  # given back if the process that served a table died
DELETED = "This table was deleted."
POSITION_ONLY = (e.Acted, e.Said)  # entries that leave the table view as it is

T = TypeVar("T")
QueuedCommand = Callable[[], AnyEntry | Receipt | None]
"""Return the entry to persist; a receipt or None if there is nothing to persist."""
Reply = Callable[[Receipt | Refusal], None]

log = logging.getLogger("souk.server")


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


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
        self._computer_task: asyncio.Task[None] | None = None
        self._loaded = now_ms()

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
            notify(reply, _storage_refusal(outcome))
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
            await self.mark_connected(subscriber.person.id)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self.subscribers.discard(subscriber)
        self.used = time.monotonic()
        if subscriber.person is not None and not self.registry.is_closing:
            self.registry.start_task(self._mark_gone(subscriber.person.id))

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
        if table.paused_since is not None:
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
        if isinstance(entry, e.LineRemoved | e.Renamed):
            self._recent.clear()  # it may have what was removed
        self._recent.append((table.n, event))
        self.broadcast_n = table.n
        if self.subscribers:
            is_plain = table.status == before and isinstance(entry, POSITION_ONLY)
            is_chat = isinstance(entry, e.Said)
            message = views.encode(
                views.Events(
                    events=[event],
                    now=now_ms(),
                    table=None if is_plain else views.table_view(table),
                    position=None if is_chat else views.position_view(table),
                )
            )
            metrics.MOVES.sent += len(self.subscribers)
            for subscriber in self.subscribers:
                subscriber.send(message)
            if isinstance(entry, e.Kicked):
                self._remove(entry.person)
        if before != table.status or not isinstance(entry, POSITION_ONLY):
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
                self._start_timer(deputy[0], self._deputise)
            return
        if table.seats[table.mover].is_played_by_computer:
            if self.registry.computer_tables.must_wait(self.id):
                self.used = time.monotonic()  # stay in memory
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(WAIT_SECONDS, self.schedule)
            elif self._computer_task is None and is_local:
                self._computer_task = self.registry.start_task(self._computer_move())
            return
        due = table.takeover_due()
        if due is not None:
            self._start_timer(due[0], self._take_over)

    def _start_timer(self, at: int, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        delay = max(0, at - now_ms()) / 1000
        start, loop = self.registry.start_task, asyncio.get_running_loop()
        self._timer = loop.call_later(delay, lambda: start(work()))

    async def _computer_move(self) -> None:
        """Let the computer player to move choose an action, and submit it."""
        table, version = self.table, self.table.version
        try:
            if table.mover is None:
                return  # the game ended in the meantime
            level = table.level_of(table.seats[table.mover])
            started = time.perf_counter()

            def is_wanted() -> bool:
                return self.table.version == version and self.table.status == "playing"

            text = await self.registry.workers.choose(
                table.copy_state(), level, table.start, table.actions, self._order(is_wanted)
            )
            if text is None:
                return
            metrics.THINKING.observe(time.perf_counter() - started)

            def command() -> AnyEntry | None:
                table = self.table
                seat = table.mover
                if table.version != version or seat is None or table.paused_since is not None:
                    return None
                if not table.seats[seat].is_played_by_computer:
                    return None
                self._computer_task = None  # so that the next move can start
                return action_entry(table, seat, text, now_ms())

            await self.perform(command)
        except Refusal as refusal:  # after a reload the move is computed again
            log.error("a computer player's move was not saved", extra={"error": refusal.sentence})
        finally:
            if self._computer_task is asyncio.current_task():
                self._computer_task = None
        if self._computer_task is None:
            self.schedule()

    def _order(self, is_wanted: Callable[[], bool]) -> Order:
        """Return who pays for the move of a computer player, and how urgent it is.

        A move is the answer to a person's; if they are not connected here, another player pays.
        Without any, the host does who watches computers play.
        """
        table = self.table
        here = {one.person.id: one for one in self.subscribers if one.person is not None}
        players = [seat.person for seat in table.seats if seat.person in here]
        for person in (table.last_actor, *players):
            if person in players:
                payer = Payer(here[person].address, person)
                return Order(payer, Urgency.MOVE, is_wanted=is_wanted)
        host = table.config.host
        payer = Payer(here[host].address if host in here else "", host)
        return Order(payer, Urgency.BACKGROUND, is_wanted=is_wanted)

    async def _take_over(self) -> None:
        """Let the computer take over for the player to move, if that is due.

        Actions that were sent before come first, and time that an outage took is given back.
        """
        due = self.table.takeover_due()
        is_late = due is not None and now_ms() - due[0] > LATE_MS
        await asyncio.sleep(HELD_UP_SECONDS if is_late else LISTEN_SECONDS)

        def command() -> AnyEntry | None:
            due = self.table.takeover_due()
            now = now_ms()
            if due is None or due[0] > now or self.table.mover is None:
                return None
            return self._interruption() or e.TakenOver(at=now, seat=self.table.mover, why=due[1])

        await self._perform_logged(command)
        self.schedule()  # a timer may go off a moment too early

    def _interruption(self) -> e.Interrupted | None:
        """Return the entry that gives back the time of outages, if some is due."""
        table, due = self.table, self.table.takeover_due()
        if due is None or table.mover is None:
            return None
        seat = table.seats[table.mover]
        since = table.turn_since if due[1] == "time" else seat.away_since
        assert since is not None
        moment = max(since, table.interrupted)
        outage = self.registry.outages.after(moment)
        if outage is not None and outage.since <= table.interrupted:
            outage = outage._replace(extra=0)  # given already, maybe by another process
        is_unattended = seat.away_since is None and due[0] + LATE_MS < self._loaded
        if outage is None and is_unattended and self._loaded > moment:
            lost = max(moment, self._loaded - UNATTENDED_MS)
            outage = Outage(lost, self._loaded, RESTART_EXTRA_MS)
        if outage is None:
            return None
        return e.Interrupted(at=now_ms(), **outage._asdict())

    def restore_clock(self) -> None:
        """Give players the time of outages back, if some is due."""
        if self._interruption() is not None and not self.registry.is_closing:
            self.registry.start_task(self._perform_logged(self._interruption))

    async def _deputise(self) -> None:
        """Let a person act as host, if that is due."""

        def command() -> AnyEntry | None:
            due, now = self.table.deputy_due(), now_ms()
            return None if due is None or due[0] > now else e.Deputised(at=now, seat=due[1])

        await self._perform_logged(command)
        self.schedule()

    async def mark_connected(self, person: str) -> None:
        """Note that a person is connected."""
        people = await self.read(lambda table: [seat.person for seat in table.seats])
        if self.table.status == "over" or person not in people:
            return
        pairs, until = [(self.id, person)], now_ms() + PRESENCE_MS
        store = self.registry.store
        await refuse_on_failure(store.mark_present(self.registry.process, pairs, until))
        for number in range(len(people)):

            def command(number: int = number) -> AnyEntry | None:
                if self.table.seats[number].person != person:
                    return None
                return presence_entry(self.table, number, now_ms(), is_connected=True)

            await self._perform_logged(command)

    async def _mark_gone(self, person: str) -> None:
        """Note that a person's last socket closed, unless another opens soon."""
        await asyncio.sleep(AWAY_SECONDS)
        if person not in self._connected():
            await self.registry.store.remove_present(self.registry.process, self.id, person)
            await self.update_presence()

    def _connected(self) -> set[str]:
        """Return the people who are connected to this table in this process."""
        return {one.person.id for one in self.subscribers if one.person is not None}

    def connected_pairs(self) -> list[tuple[str, str]]:
        """Return (table, person) for each seated person who is connected here."""
        if self.table.status == "over":
            return []
        seated = {seat.person for seat in self.table.seats}
        return [(self.table.config.id, one) for one in self._connected() if one in seated]

    def has_wrong_presence(self) -> bool:
        """Return whether a person who is connected here counts as away."""
        connected, table = self._connected(), self.table
        away = {seat.person for seat in table.seats if seat.away_since is not None}
        return any(table.may_reconnect(person) for person in away & connected)

    async def update_presence(self) -> None:
        """Log who is away and who is back, and schedule what is due."""
        present = await self.registry.store.present(self.id, now_ms())
        for number in range(len(self.table.seats)):

            def command(number: int = number) -> AnyEntry | None:
                is_connected = self.table.seats[number].person in present | self._connected()
                return presence_entry(self.table, number, now_ms(), is_connected=is_connected)

            await self._perform_logged(command)
        await self.read(lambda _: self.schedule())

    async def _perform_logged(self, command: Callable[[], AnyEntry | None]) -> None:
        """Perform a command of the server itself; a refusal is logged."""
        try:
            await self.perform(command)
        except Refusal as refusal:
            log.error("a change was not saved", extra={"error": refusal.sentence})

    @property
    def is_idle(self) -> bool:
        """Return whether the live table can be dropped: everything is in the store."""
        is_quiet = not self.subscribers and self._computer_task is None and not self.is_busy
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


def internal_error(error: Exception) -> Refusal:
    """Log a bug of ours; return the refusal for the client."""
    log.error("a command failed", exc_info=error)
    return Refusal("not-possible", "Something went wrong on the server; the error was logged.")


@contextmanager
def refuse_unreadable(table: str) -> Iterator[None]:
    """Refuse a table that cannot be read from its stored entries; log why."""
    try:
        yield
    except Refusal:
        raise
    except Exception as error:  # a damaged log can fail anywhere
        log.error("a table cannot be read", extra={"table": table, "error": repr(error)})
        raise Refusal("unreadable", UNREADABLE) from None


async def refuse_on_failure(call: Coroutine[Any, Any, T]) -> T:
    """Return what a call to the store returns; raise its failure as a Refusal."""
    try:
        return await call
    except PersistError as error:
        raise _storage_refusal(error) from None


def _storage_refusal(error: PersistError) -> Refusal:
    log.error("the store failed", extra={"error": str(error)})
    sentence = "The server may not have saved this. Repeat the request: it takes effect once."
    return Refusal("not-saved", sentence)
