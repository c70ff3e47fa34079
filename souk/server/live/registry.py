"""The hall: all tables that are alive in this process, and looking after them."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from souk.engine.errors import SoukError
from souk.server import metrics
from souk.server.live.live_table import PRESENCE_CHECK_MS, PRESENCE_MS, LiveTable, kept, now_ms
from souk.server.live.player_workers import PlayerWorkers
from souk.server.store import PersistError, Store
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import AnyEntry, TableConfig

SWEEP_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0

T = TypeVar("T")
_LOOKS_LIKE_ONE = re.compile(e.TABLE_ID).fullmatch

log = logging.getLogger("souk.server")


class Registry:
    """All tables that are alive in this process."""

    def __init__(self, store: Store, workers: PlayerWorkers) -> None:
        self.store = store
        self.workers = workers
        self.process = secrets.token_hex(8)
        self.live_tables: dict[str, LiveTable] = {}
        self.is_closing = False
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self._remote_entries: dict[str, int] = {}  # entries of tables that are being loaded
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Go on with every table that was left."""
        await self.store.open(self._on_remote_entry)
        self.start_task(self._sweep())
        self.start_task(self._send_heartbeats())

    async def close(self) -> None:
        """Stop; everything that anybody was told is in the store."""
        self.is_closing = True
        for live in self.live_tables.values():
            live.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.workers.close()
        await self.store.close()

    def start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something on the side; trouble is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, PersistError | Refusal):
                log.error("something was not done", extra={"error": str(error)})
            else:
                log.error("something failed", exc_info=error)

    # ---- tables -------------------------------------------------------------------------------

    async def create(self, config: TableConfig, first: Sequence[AnyEntry]) -> LiveTable | None:
        """A new table with its first entries; None if there is one of this id already."""
        live = LiveTable(self, config)
        changes = []
        for entry in first:
            before = live.table.status
            live.table.apply(entry)
            changes.append(live.change_for(entry, before))
        if not await kept(self.store.create(config, changes)):
            return None
        return self._enter(live, ours=True)

    def _enter(self, live: LiveTable, *, ours: bool) -> LiveTable:
        """A table is alive from now on, as it was kept."""
        if live.id in self.live_tables:  # asked for while it was created: one table is one room
            self.live_tables[live.id].schedule(ours=ours)
            return self.live_tables[live.id]
        live.begin(ours=ours)
        self.live_tables[live.table.config.id] = live
        metrics.LIVE_TABLES.set(len(self.live_tables))
        return live

    async def get(self, id: str) -> LiveTable | None:
        """A table; None if there is no such table. Asking never creates one."""
        if id in self.live_tables:
            self.live_tables[id].used = time.monotonic()  # so it stays while somebody comes in
            return self.live_tables[id]
        if not _LOOKS_LIKE_ONE(id):
            return None  # not every store can even be asked for any text
        if id not in self._loading:
            self._loading[id] = self.start_task(self._load(id))
        return await asyncio.shield(self._loading[id])  # whoever asked may go, others wait too

    async def _load(self, id: str) -> LiveTable | None:
        try:
            found = await kept(self.store.load(id))
            if found is None:
                return None
            live = LiveTable(self, found.config)
            for raw in found.entries:
                live.table.apply(e.decode_entry(raw))
            live = self._enter(live, ours=False)
            if self._remote_entries.get(id, 0) > live.table.n:
                self.start_task(live.catch_up())
            return live
        except SoukError as error:
            log.error("a table cannot be opened", extra={"table": id, "error": str(error)})
            raise Refusal("not-possible", "This table cannot be opened any more.") from None
        finally:
            del self._loading[id]
            self._remote_entries.pop(id, None)

    def _on_remote_entry(self, table: str, n: int) -> None:
        """Another process has added an entry; without a table, perhaps many have."""
        live_tables = (
            list(self.live_tables.values()) if not table else [self.live_tables.get(table)]
        )
        for live in live_tables:
            if live is not None and (not table or n > live.table.n):
                self.start_task(live.catch_up())
        if table in self._loading:  # it may have read the table just before
            self._remote_entries[table] = n

    # ---- looking after everything -------------------------------------------------------------

    async def _sweep(self) -> None:
        """Every second: tables that nobody looks after, and those that nobody needs any more."""
        loop = asyncio.get_running_loop()
        # Whoever used the store alone before has gone: all tables that are not just waiting for a
        # person wait for us. (A turn can have a day's time.)
        ahead = 2 * 86_400_000 if self.store.is_single_process else 0
        while True:
            try:
                limit = 1_000_000 if ahead else 200
                found = await self.store.claim(
                    now_ms() + ahead, now_ms() + PRESENCE_CHECK_MS, limit
                )
                for id in found:
                    self.start_task(self._update_presence(id, is_first=ahead > 0))
                    await asyncio.sleep(0)
                ahead = 0
            except PersistError as error:
                log.error("the store has trouble", extra={"error": str(error)})
            self._drop_idle()
            planned = loop.time() + SWEEP_SECONDS
            await asyncio.sleep(SWEEP_SECONDS)
            metrics.LAG.set(max(0.0, loop.time() - planned))

    def _drop_idle(self) -> None:
        """Let go of tables that nobody needs any more."""
        for id, live in list(self.live_tables.items()):
            if live.is_idle:
                live.close()
                del self.live_tables[id]
        metrics.LIVE_TABLES.set(len(self.live_tables))

    async def _update_presence(self, id: str, *, is_first: bool) -> None:
        """Look after a table; after a start people need a moment to connect again."""
        live = await self.get(id)
        if live is not None and is_first:
            live.schedule()
            await asyncio.sleep(HEARTBEAT_SECONDS)
        if live is not None:
            await live.update_presence()

    async def _send_heartbeats(self) -> None:
        """Every few seconds: tell the others who is connected here."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            pairs = [pair for live in self.live_tables.values() for pair in live.pairs()]
            try:
                await self.store.mark_present(self.process, pairs, now_ms() + PRESENCE_MS)
            except PersistError as error:
                log.error("the store has trouble", extra={"error": str(error)})
            for live in list(self.live_tables.values()):
                if live.has_wrong_presence():
                    self.start_task(live.update_presence())
