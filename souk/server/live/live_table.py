"""A room: one table that is alive, with whoever listens to it.

It does one thing at a time: decide, keep, then tell everybody. Whoever wants something stands in
line; nobody sees what was not kept. If the store could not keep an entry, or somebody else was
quicker, the room looks at what was kept and starts from there.

The way of a move is made of plain calls, without a task or a future: there are thousands a second.
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
from souk.server.live.websocket import frame
from souk.server.store import Change, PersistError, Summary, future_callback, tell
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Command, Refusal
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.referee import Asked, Person, acted, decide, presence_entry
from souk.server.tables.table import Receipt, Table

if TYPE_CHECKING:
    from souk.server.live.registry import Registry

RECENT = 64  # events that a client may have missed and still be told one by one
COMPUTER_MS = 15_000  # by then a computer player has moved, or nobody is looking after it
PRESENCE_MS = 45_000  # how long somebody counts as connected without a further sign
PRESENCE_CHECK_MS = 60_000  # how often to see whether those who must act are still there
SUMMARY_MS = 60_000  # how old the moment of the last change may be that lists go by
AWAY_SECONDS = 3.0  # a page that is loaded again is no absence
RETRY_SECONDS = 1.0  # before trying again what the store did not keep
IDLE_SECONDS = 60.0
POSITION_ONLY = (e.Acted, e.Said)  # leave all but the position and the chat as it was

T = TypeVar("T")
QueuedCommand = Callable[[], AnyEntry | Receipt | None]
"""Somebody's turn has come: what is to be kept; if nothing is, what came of it before, or None."""
Reply = Callable[[Receipt | Refusal], None]

log = logging.getLogger("souk.server")


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Subscriber(Protocol):
    """Somebody who wants to know what happens at a table."""

    person: Person | None

    def tell(self, frame: bytes) -> None:
        """Hand over a message as a frame; must not wait."""


class LiveTable:
    """A table that is alive."""

    def __init__(self, registry: "Registry", config: TableConfig) -> None:
        self.registry = registry
        self.id = config.id
        self.table = Table(config)  # ahead of what was kept while one is busy: see `look`
        self.subscribers: set[Subscriber] = set()
        self.used = time.monotonic()
        self.told = 0  # the last entry that listeners know
        self._recent: deque[tuple[int, Raw]] = deque(maxlen=RECENT)
        self._line: deque[tuple[QueuedCommand, Reply]] = deque()
        self._is_busy = False  # an entry is being kept, or we look at what was kept
        self._is_going_on = False  # with the line
        self._stored_summary: Summary | None = None  # the last one that the store got
        self._timer: asyncio.TimerHandle | None = None
        self._computer_task: asyncio.Task[None] | None = None

    # ---- one thing at a time --------------------------------------------------------------------

    def ask(self, wanted: QueuedCommand, told: Reply) -> None:
        """Stand in line with what is wanted, to be told what came of it."""
        self._line.append((wanted, told))
        self.used = time.monotonic()
        self._process_queue()

    def _process_queue(self) -> None:
        if self._is_going_on:
            return  # whoever is told something asks for more at once: not from in there
        self._is_going_on = True
        while self._line and not self._is_busy:
            wanted, told = self._line.popleft()
            try:
                entry = wanted()
            except Refusal as refusal:
                tell(told, refusal)
            except Exception as error:  # a fault of ours must not hold up the line
                tell(told, failed(error))
            else:
                if entry is None:
                    tell(told, Receipt(self.table.n, self.table.version))
                elif isinstance(entry, Receipt):
                    tell(told, entry)
                else:
                    self._persist(entry, wanted, told)
        self._is_going_on = False

    def _persist(self, entry: AnyEntry, wanted: QueuedCommand, told: Reply) -> None:
        before = self.table.status
        self._is_busy = True
        try:
            self.table.apply(entry)
            change = self.change_for(entry, before)
        except Exception as error:
            tell(told, failed(error))
            self._reload(RETRY_SECONDS)
            return
        started = time.perf_counter()
        self.registry.store.append(
            change, partial(self._on_persisted, entry, before, wanted, told, started)
        )

    def _on_persisted(
        self,
        entry: AnyEntry,
        before: str,
        wanted: QueuedCommand,
        told: Reply,
        started: float,
        outcome: bool | PersistError,
    ) -> None:
        """The store says what became of an entry."""
        if outcome is True:
            self._is_busy = False
            metrics.MOVES.committed(time.perf_counter() - started)
            done = Receipt(self.table.n, self.table.version)
            try:
                self._broadcast(entry, before)
            except Exception as error:  # it is kept all the same, and somebody waits to hear so
                failed(error)
                self.schedule()
            tell(told, done)
            if self._line:
                self._process_queue()
        elif outcome is False:  # its number was taken: look, and decide again
            self._line.appendleft((wanted, told))
            self._reload()
        else:
            tell(told, _storage_refusal(outcome))
            self._reload(RETRY_SECONDS)

    def _reload(self, pause: float = 0.0) -> None:
        """What we have may not be what was kept: do nothing else until we know.

        What the server does by itself waits for a while longer: as long as a disk is full, it
        would be tried again and again.
        """
        self._is_busy = True
        self._stored_summary = None
        if not self.registry.is_closing:
            self.registry.start_task(self._reload_until_done(pause))

    async def _reload_until_done(self, pause: float) -> None:
        while (trouble := await self._try_reload()) is not None:
            waiting, self._line = self._line, deque()
            for _, told in waiting:
                tell(told, trouble)
            await asyncio.sleep(RETRY_SECONDS)
        self._is_busy = False
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self.schedule)
        self._process_queue()

    async def _try_reload(self) -> Refusal | None:
        """Have the table as it was kept; or what is wrong."""
        try:
            found = await kept(self.registry.store.load(self.id))
            assert found is not None
            self.table = Table(found.config)
            self._apply_stored(found.entries)
        except Refusal as refusal:
            return refusal
        except Exception as error:  # or nobody would ever be answered at this table again
            return failed(error)
        return None

    def _apply_stored(self, entries: Sequence[bytes]) -> None:
        """Entries that were kept; tell about those that are new to listeners."""
        if entries:
            self._stored_summary = None  # others may have noted something else
        for raw in entries:
            before = self.table.status
            entry = e.decode_entry(raw)
            self.table.apply(entry)
            if self.table.n > self.told:
                self._broadcast(entry, before, ours=False)

    # ---- for those who can wait -----------------------------------------------------------------

    async def do(self, person: Person, command: Command) -> Receipt:
        """Carry out a command, and keep it; or raise a Refusal."""
        return await self.change(self.queued(person, command))

    def queued(self, person: Person, command: Command) -> QueuedCommand:
        """What somebody's command wants."""
        return lambda: decide(Asked(self.table, person, now_ms()), command)

    async def change(self, wanted: QueuedCommand) -> Receipt:
        """Keep the entry that is wanted, as the table stands when its turn comes."""
        future: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self.ask(wanted, future_callback(future))
        return await future

    async def look(self, at: Callable[[Table], T]) -> T:
        """What one sees of the table as it was kept. The only way to look at it."""
        seen: list[T] = []

        def wanted() -> None:
            seen.append(at(self.table))

        await self.change(wanted)
        return seen[0]

    async def welcome(self) -> views.Welcome:
        """Everything about the table, also what other processes have just added."""
        await self.catch_up()
        return await self.look(lambda table: views.welcome(table, now_ms()))

    async def join(self, subscriber: Subscriber, after: int | None) -> None:
        """Let somebody listen from now on, after telling what was missed since an event."""
        await self.catch_up()

        def come_in(_: Table) -> None:
            subscriber.tell(self._catch_up_message(after))
            self.subscribers.add(subscriber)

        await self.look(come_in)
        if subscriber.person is not None:
            await self.mark_connected(subscriber.person.id)

    async def catch_up(self) -> None:
        """Another process may have added entries."""
        if self.registry.store.is_single_process:
            return
        after = await self.look(lambda table: table.n)
        try:
            found = await kept(self.registry.store.load(self.id, after=after))
        except Refusal:
            await self.look(lambda _: self._reload())  # or it would never be seen
            raise
        assert found is not None
        await self.look(lambda table: self._apply_stored(found.entries[table.n - after :]))

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
        return frame(views.encode(message))

    def leave(self, subscriber: Subscriber) -> None:
        """Somebody no longer listens."""
        self.subscribers.discard(subscriber)
        self.used = time.monotonic()
        if subscriber.person is not None and not self.registry.is_closing:
            self.registry.start_task(self._mark_gone(subscriber.person.id))

    # ---- keeping and telling --------------------------------------------------------------------

    def change_for(self, entry: AnyEntry, before: str) -> Change:
        """How the store gets an entry that the table has taken in."""
        table = self.table
        wake_at = self._wake_at(entry.at)
        is_plain = table.status == before and isinstance(entry, POSITION_ONLY)
        if is_plain and self._is_summary_current(entry.at, wake_at):
            return Change(table.config.id, table.n, e.encode(entry), None)
        view = None if is_plain else views.encode(views.table_view(table))
        self._stored_summary = Summary(
            table.status, wake_at, entry.at, view, self._participant(entry)
        )
        return Change(table.config.id, table.n, e.encode(entry), self._stored_summary)

    def _is_summary_current(self, now: int, wake_at: int | None) -> bool:
        """Whether what the store has will do: it wakes us in time, and lists are nearly right."""
        noted = self._stored_summary
        if noted is None or now >= noted.at + SUMMARY_MS:
            return False
        if wake_at is None:
            return True
        return noted.wake_at is not None and now < noted.wake_at <= wake_at

    def _participant(self, entry: AnyEntry) -> str | None:
        """Whose table it is from now on: the host's from the first entry."""
        if isinstance(entry, e.Sat):
            return entry.person
        return self.table.config.host if self.table.n == 1 else None

    def _wake_at(self, now: int) -> int | None:
        """When somebody should have looked after the table, if nobody did."""
        table = self.table
        if table.mover is None:
            is_waited = table.status == "waiting" and any(
                seat.person and seat.away_since is None for seat in table.seats
            )  # somebody may have gone together with a server: the host, too
            return now + PRESENCE_CHECK_MS if is_waited else None
        if table.seats[table.mover].is_played_by_computer:
            return now + COMPUTER_MS
        due = table.takeover()
        if due is not None:
            return max(now, due[0]) + 2000
        return None if table.config.absent == "never" else now + PRESENCE_CHECK_MS

    def _broadcast(self, entry: AnyEntry, before: str, *, ours: bool = True) -> None:
        """Tell everybody about the entry that the table has just taken in, ours or another's."""
        table = self.table
        metrics.MOVES.entries[entry.kind()] += 1
        event = Raw(views.encode(views.event_view(table, entry)))
        self._recent.append((table.n, event))
        self.told = table.n
        if self.subscribers:
            is_plain = table.status == before and isinstance(entry, POSITION_ONLY)
            is_talk = isinstance(entry, e.Said)
            message = views.Events(
                events=[event],
                now=now_ms(),
                table=None if is_plain else views.table_view(table),
                position=None if is_talk else views.position_view(table),
            )
            told = frame(views.encode(message))
            metrics.MOVES.sent += len(self.subscribers)
            for subscriber in self.subscribers:
                subscriber.tell(told)
        if before != table.status:
            log.info("table %s", table.status, extra={"table": table.config.id, "n": table.n})
        self.schedule(ours=ours)

    # ---- what the server does by itself ---------------------------------------------------------

    def begin(self, *, ours: bool) -> None:
        """Whoever listens from now on knows everything so far."""
        self.told = self.table.n
        self.schedule(ours=ours)

    def schedule(self, *, ours: bool = True) -> None:
        """See to it that whoever must act does, or that the computer does it for them.

        After another process's entry that process lets the computer think; if it does not, the
        table will be found by the sweep.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        table = self.table
        if table.mover is None or self.registry.is_closing or self._is_busy:
            return
        if table.seats[table.mover].is_played_by_computer:
            if self._computer_task is None and ours:
                self._computer_task = self.registry.start_task(self._computer_move())
            return
        due = table.takeover()
        if due is not None:
            delay = max(0, due[0] - now_ms()) / 1000
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(
                delay, lambda: self.registry.start_task(self._take_over())
            )

    async def _computer_move(self) -> None:
        """Let the computer make the move that is due."""
        table, version = self.table, self.table.version
        try:
            if table.mover is None:
                return  # the game ended in the meantime
            level = table.level_of(table.seats[table.mover])
            started = time.perf_counter()
            text = await self.registry.workers.choose(
                table.trial(), level, table.start, table.actions
            )
            metrics.THINKING.observe(time.perf_counter() - started)

            def wanted() -> AnyEntry | None:
                table = self.table
                seat = table.mover
                if table.version != version or seat is None:
                    return None
                if not table.seats[seat].is_played_by_computer:
                    return None
                self._computer_task = None  # so that the next move can be thought about
                return acted(table, seat, text, now_ms())

            await self.change(wanted)
        except Refusal as refusal:  # once we are sure of the table, it is thought about again
            log.error("a computer's move was not kept", extra={"error": refusal.sentence})
        finally:
            if self._computer_task is asyncio.current_task():
                self._computer_task = None
        if self._computer_task is None:
            self.schedule()

    async def _take_over(self) -> None:
        """The computer plays on for whoever must act, if that is due."""

        def wanted() -> AnyEntry | None:
            due = self.table.takeover()
            now = now_ms()
            if due is None or due[0] > now or self.table.mover is None:
                return None
            return e.TakenOver(at=now, seat=self.table.mover, why=due[1])

        await self._submit_quietly(wanted)
        self.schedule()  # a timer may go off a moment too early

    async def mark_connected(self, person: str) -> None:
        """Somebody is connected."""
        people = await self.look(lambda table: [seat.person for seat in table.seats])
        if self.table.status == "over" or person not in people:
            return
        store = self.registry.store
        pairs = [(self.id, person)]
        await kept(store.mark_present(self.registry.process, pairs, now_ms() + PRESENCE_MS))
        for number in range(len(people)):

            def wanted(number: int = number) -> AnyEntry | None:
                if self.table.seats[number].person != person:
                    return None
                return presence_entry(self.table, number, now_ms(), is_there=True)

            await self._submit_quietly(wanted)

    async def _mark_gone(self, person: str) -> None:
        """Somebody's last socket may have closed; if nobody comes back soon, he is away."""
        await asyncio.sleep(AWAY_SECONDS)
        if person not in self._connected():
            await self.registry.store.remove_present(self.registry.process, self.id, person)
            await self.update_presence()

    def _connected(self) -> set[str]:
        """The people who are connected to this table in this process."""
        return {one.person.id for one in self.subscribers if one.person is not None}

    def pairs(self) -> list[tuple[str, str]]:
        """Which seated people are connected here, for the store."""
        if self.table.status == "over":
            return []
        seated = {seat.person for seat in self.table.seats}
        return [(self.table.config.id, one) for one in self._connected() if one in seated]

    def has_wrong_presence(self) -> bool:
        """Whether somebody counts as away who is connected here."""
        connected, table = self._connected(), self.table
        away = {seat.person for seat in table.seats if seat.away_since is not None}
        return any(table.may_reconnect(person) for person in away & connected)

    async def update_presence(self) -> None:
        """Note who is away and who is not, and go on with whatever is due."""
        there = await self.registry.store.present(self.id, now_ms())
        for number in range(len(self.table.seats)):

            def wanted(number: int = number) -> AnyEntry | None:
                is_there = self.table.seats[number].person in there | self._connected()
                return presence_entry(self.table, number, now_ms(), is_there=is_there)

            await self._submit_quietly(wanted)
        await self.look(lambda _: self.schedule())

    async def _submit_quietly(self, wanted: Callable[[], AnyEntry | None]) -> None:
        """A change that nobody waits for."""
        try:
            await self.change(wanted)
        except Refusal as refusal:
            log.error("a change was not kept", extra={"error": refusal.sentence})

    @property
    def is_idle(self) -> bool:
        """Whether the room can be let go: everything is in the store."""
        is_quiet = not self.subscribers and self._computer_task is None and not self._is_busy
        return is_quiet and time.monotonic() - self.used > IDLE_SECONDS

    def close(self) -> None:
        """Stop whatever would act by itself."""
        if self._timer is not None:
            self._timer.cancel()


def failed(error: Exception) -> Refusal:
    log.error("something failed at a table", exc_info=error)
    return Refusal("not-possible", "Something went wrong here; it was noted.")


async def kept(asked: Coroutine[Any, Any, T]) -> T:
    """What the store gives; its trouble becomes a refusal."""
    try:
        return await asked
    except PersistError as error:
        raise _storage_refusal(error) from None


def _storage_refusal(error: PersistError) -> Refusal:
    log.error("the store has trouble", extra={"error": str(error)})
    sentence = "The server cannot be sure that this was kept. Ask again: it will be done once."
    return Refusal("not-saved", sentence)
