"""The registry of live tables in this process."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from souk.server import metrics
from souk.server.clock import now_ms
from souk.server.live import presence
from souk.server.live.computer_tables import ComputerTables
from souk.server.live.failures import refuse_on_failure, refuse_unreadable
from souk.server.live.fair_queue import NOBODY, FairQueue, Payer, Urgency
from souk.server.live.idle_tables import IdleTables
from souk.server.live.live_table import LOAD_STEP, LiveTable, apply_in_steps
from souk.server.live.outages import Outages
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.presence import PRESENCE_CHECK_MS, PRESENCE_MS
from souk.server.live.stored_views import refresh_views
from souk.server.rate_limits import RateLimits
from souk.server.store import RELEASED, PersistError, Store
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import AnyEntry, TableConfig

SWEEP_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
RELEASE_SECONDS = 2.0  # to finish pending writes before tables are released

T = TypeVar("T")
_is_table_id = re.compile(e.TABLE_ID).fullmatch

log = logging.getLogger("souk.server")


class Registry:
    """The live tables of this process, and the tasks that attend to them."""

    def __init__(
        self, store: Store, workers: PlayerWorkers, limits: RateLimits | None = None
    ) -> None:
        self.store = store
        self.workers = workers
        self.computer_tables = ComputerTables(limits or RateLimits(is_on=False))
        self.process = secrets.token_hex(8)
        self.live_tables: dict[str, LiveTable] = {}
        self.idle_tables = IdleTables(store)
        self.is_closing = False
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self._remote_entries: dict[str, int] = {}  # numbers, of tables that are being loaded
        self._tasks: set[asyncio.Task[Any]] = set()
        self.long_work = FairQueue(1)  # of this process itself: one at a time, by turns
        self._sweep_now = asyncio.Event()
        self._claiming = asyncio.Lock()
        self.outages = Outages(self._restore_clocks)

    async def open(self) -> None:
        """Open the store, and resume every table."""
        await self.store.open(self._on_remote_entry)
        try:
            await refresh_views(self.store)
        except PersistError as error:  # lists may lack new fields until the next start
            log.error("the store failed", extra={"error": str(error)})
        now = now_ms()
        with suppress(PersistError):
            self.outages.on_start(await self.store.mark_alive(now), now)
        self.start_task(self.outages.watch())
        self.start_task(self._sweep())
        self.start_task(self._send_heartbeats())

    async def release(self) -> None:
        """Start no more work, and hand all tables over to other processes.

        They go on at once, and not only when they notice that nobody attends to the tables.
        """
        self.is_closing = True  # entries from now on make their tables due
        end = time.monotonic() + RELEASE_SECONDS
        while any(live.is_busy for live in self.live_tables.values()) and time.monotonic() < end:
            await asyncio.sleep(0.01)  # entries from before would overwrite when tables are due
        try:
            async with self._claiming:  # what is claimed must be loading before it is released
                await self.store.release([*self.live_tables, *self._loading], now_ms())
        except PersistError as error:
            log.error("the tables were not released", extra={"error": str(error)})

    async def close(self) -> None:
        """Stop; everything that clients have seen is in the store."""
        self.is_closing = True
        for live in self.live_tables.values():
            live.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.workers.close()
        with suppress(PersistError):
            await self.store.mark_alive(now_ms())
        await self.store.close()

    def start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine in the background; errors are logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, Refusal) and error.code == "unreadable":
                return  # logged already
            if isinstance(error, PersistError | Refusal):
                log.error("a background task was refused", extra={"error": str(error)})
            else:
                log.error("a background task failed", exc_info=error)

    # ---- tables ---------------------------------------------------------------------------------

    async def create(self, config: TableConfig, entries: Sequence[AnyEntry]) -> LiveTable | None:
        """Store a new table with its first entries; return None if its id exists already."""
        live = LiveTable(self, config)
        changes = []
        for entry in entries:
            before = live.table.status
            live.table.apply(entry)
            changes.append(live.change_for(entry, before))
        if not await refuse_on_failure(self.store.create(config, changes)):
            return None
        return self._add(live, is_local=True)

    def _add(self, live: LiveTable, *, is_local: bool) -> LiveTable:
        """Serve a stored table from now on."""
        if live.id in self.live_tables:  # requested while it was created: there is one live table
            self.live_tables[live.id].schedule(is_local=is_local)
            return self.live_tables[live.id]
        table, is_alone = live.table, self.store.is_single_process
        # One of several processes counts a table only where it was started or left.
        if is_alone and table.is_left_to_computers:
            self.computer_tables.add(live.id, Payer("", table.config.host))
        live.begin(is_local=is_local)
        self.live_tables[live.table.config.id] = live
        metrics.LIVE_TABLES.set(len(self.live_tables))
        return live

    async def get(self, id: str, payer: Payer = NOBODY) -> LiveTable | None:
        """Return a table, loaded if need be; None if there is none with this id."""
        if id in self.live_tables:
            self.live_tables[id].used = time.monotonic()  # so that it is not dropped meanwhile
            return self.live_tables[id]
        if not _is_table_id(id):
            return None  # not every store can be asked for any text
        if id not in self._loading:
            self._loading[id] = self.start_task(self._load(id, payer))
        return await asyncio.shield(self._loading[id])  # others may wait for it too

    async def _load(self, id: str, payer: Payer) -> LiveTable | None:
        try:
            with refuse_unreadable(id):
                stored = await refuse_on_failure(self.store.load(id))
                if stored is None:
                    return None
                live = LiveTable(self, stored.config)
                await self._apply_all(live, stored.entries, payer)
            live = self._add(live, is_local=False)
            if self._remote_entries.get(id, 0) > live.table.n:
                self.start_task(live.catch_up())
            return live
        finally:
            del self._loading[id]
            self._remote_entries.pop(id, None)

    async def _apply_all(self, live: LiveTable, entries: Sequence[bytes], payer: Payer) -> None:
        """Apply the entries of a table; long ones that clients request take turns."""
        if len(entries) <= LOAD_STEP or payer == NOBODY:
            await apply_in_steps(live.table, entries)
        else:
            async with self.long_work.turn(payer, Urgency.MOVE, "load"):
                await apply_in_steps(live.table, entries)

    def drop(self, live: LiveTable) -> None:
        """Serve a table no longer, until it is requested again."""
        if self.live_tables.get(live.id) is live:
            self.computer_tables.remove(live.id)
            del self.live_tables[live.id]
            metrics.LIVE_TABLES.set(len(self.live_tables))

    def _on_remote_entry(self, table: str, n: int) -> None:
        """Catch up with an entry of another process; without a table, with possibly many."""
        if (table, n) == RELEASED:
            self._sweep_now.set()
            return
        affected = [self.live_tables.get(table)] if table else list(self.live_tables.values())
        for live in affected:
            if live is not None and (not table or n > live.table.n):
                self.start_task(live.catch_up())
        if table in self._loading:  # it may have been read just before
            self._remote_entries[table] = n

    # ---- background tasks -----------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Every second, attend to tables that no process attends to, and drop idle ones."""
        loop = asyncio.get_running_loop()
        # The process that used this store before has ended, so all tables but those that just wait
        # for a person are ours. (A turn can last a day.)
        ahead = 2 * 86_400_000 if self.store.is_single_process else 0
        while not self.is_closing:
            try:
                limit = 1_000_000 if ahead else 200
                now = now_ms()
                async with self._claiming:
                    ids = await self.store.claim(now + ahead, now + PRESENCE_CHECK_MS, limit)
                    for id in ids:
                        self.start_task(self._attend(id, is_first=ahead > 0))
                        await asyncio.sleep(0)
                ahead = 0
            except PersistError as error:
                log.error("the store failed", extra={"error": str(error)})
                self.outages.on_store_failure(now)
            self._drop_idle()
            planned = loop.time() + SWEEP_SECONDS
            try:
                await asyncio.wait_for(self._sweep_now.wait(), SWEEP_SECONDS)
            except TimeoutError:
                metrics.LAG.set(max(0.0, loop.time() - planned))
            self._sweep_now.clear()

    def _restore_clocks(self) -> None:
        """Give players the time of an outage back."""
        for live in list(self.live_tables.values()):
            live.restore_clock()

    def _drop_idle(self) -> None:
        """Drop live tables that nobody uses."""
        for id, live in list(self.live_tables.items()):
            if live.is_idle:
                live.close()
                self.computer_tables.remove(id)
                del self.live_tables[id]
        metrics.LIVE_TABLES.set(len(self.live_tables))

    async def _attend(self, id: str, *, is_first: bool) -> None:
        """Resume a table; after a start people get a moment to reconnect."""
        live = await self.get(id)
        if live is not None and is_first:
            live.schedule()
            await asyncio.sleep(HEARTBEAT_SECONDS)
        if live is not None:
            await presence.update(live)

    async def _send_heartbeats(self) -> None:
        """Every few seconds, tell other processes who is connected here."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            tables = self.live_tables.values()
            pairs = [pair for live in tables for pair in presence.connected_pairs(live)]
            try:
                await self.store.mark_present(self.process, pairs, now_ms() + PRESENCE_MS)
                await self.store.mark_alive(now_ms())
                self.outages.on_store_success()
            except PersistError as error:
                log.error("the store failed", extra={"error": str(error)})
            for live in list(self.live_tables.values()):
                if presence.is_wrong(live):
                    self.start_task(presence.update(live))
