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
from souk.server.live.live_table import LOOK_MS, PRESENCE_MS, Room, kept, now_ms
from souk.server.live.worker_pool import Thinkers
from souk.server.store import NotKept, Store
from souk.server.tables import entries as e
from souk.server.tables.entries import AnyEntry, Terms
from souk.server.tables.messages import Refusal

SWEEP_SECONDS = 1.0
BEAT_SECONDS = 15.0

T = TypeVar("T")
_LOOKS_LIKE_ONE = re.compile(e.TABLE_ID).fullmatch

log = logging.getLogger("souk.server")


class Hall:
    """All tables that are alive in this process."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self.store = store
        self.thinkers = thinkers
        self.process = secrets.token_hex(8)
        self.rooms: dict[str, Room] = {}
        self.is_closing = False
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._heard_of: dict[str, int] = {}  # entries of tables that are being loaded
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Go on with every table that was left."""
        await self.store.open(self._heard)
        self.spawn(self._sweep())
        self.spawn(self._beat())

    async def close(self) -> None:
        """Stop; everything that anybody was told is in the store."""
        self.is_closing = True
        for room in self.rooms.values():
            room.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.close()
        await self.store.close()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something on the side; trouble is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, NotKept | Refusal):
                log.error("something was not done", extra={"error": str(error)})
            else:
                log.error("something failed", exc_info=error)

    # ---- tables -------------------------------------------------------------------------------

    async def create(self, terms: Terms, first: Sequence[AnyEntry]) -> Room | None:
        """A new table with its first entries; None if there is one of this id already."""
        room = Room(self, terms)
        changes = []
        for entry in first:
            before = room.table.status
            room.table.apply(entry)
            changes.append(room.change_of(entry, before))
        if not await kept(self.store.create(terms, changes)):
            return None
        return self._enter(room, ours=True)

    def _enter(self, room: Room, *, ours: bool) -> Room:
        """A table is alive from now on, as it was kept."""
        if room.id in self.rooms:  # asked for while it was created: one table is one room
            self.rooms[room.id].drive(ours=ours)
            return self.rooms[room.id]
        room.begin(ours=ours)
        self.rooms[room.table.terms.id] = room
        metrics.ROOMS.set(len(self.rooms))
        return room

    async def room(self, id: str) -> Room | None:
        """A table; None if there is no such table. Asking never creates one."""
        if id in self.rooms:
            self.rooms[id].used = time.monotonic()  # so it stays while somebody comes in
            return self.rooms[id]
        if not _LOOKS_LIKE_ONE(id):
            return None  # not every store can even be asked for any text
        if id not in self._loading:
            self._loading[id] = self.spawn(self._load(id))
        return await asyncio.shield(self._loading[id])  # whoever asked may go, others wait too

    async def _load(self, id: str) -> Room | None:
        try:
            found = await kept(self.store.load(id))
            if found is None:
                return None
            room = Room(self, found.terms)
            for raw in found.entries:
                room.table.apply(e.decode_entry(raw))
            room = self._enter(room, ours=False)
            if self._heard_of.get(id, 0) > room.table.n:
                self.spawn(room.catch_up())
            return room
        except SoukError as error:
            log.error("a table cannot be opened", extra={"table": id, "error": str(error)})
            raise Refusal("not-possible", "This table cannot be opened any more.") from None
        finally:
            del self._loading[id]
            self._heard_of.pop(id, None)

    def _heard(self, table: str, n: int) -> None:
        """Another process has added an entry; without a table, perhaps many have."""
        rooms = list(self.rooms.values()) if not table else [self.rooms.get(table)]
        for room in rooms:
            if room is not None and (not table or n > room.table.n):
                self.spawn(room.catch_up())
        if table in self._loading:  # it may have read the table just before
            self._heard_of[table] = n

    # ---- looking after everything -------------------------------------------------------------

    async def _sweep(self) -> None:
        """Every second: tables that nobody looks after, and those that nobody needs any more."""
        loop = asyncio.get_running_loop()
        # Whoever used the store alone before has gone: all tables that are not just waiting for a
        # person wait for us. (A turn can have a day's time.)
        ahead = 2 * 86_400_000 if self.store.is_alone else 0
        while True:
            try:
                limit = 1_000_000 if ahead else 200
                found = await self.store.claim(now_ms() + ahead, now_ms() + LOOK_MS, limit)
                for id in found:
                    self.spawn(self._look_after(id, is_first=ahead > 0))
                    await asyncio.sleep(0)
                ahead = 0
            except NotKept as error:
                log.error("the store has trouble", extra={"error": str(error)})
            self._forget_idle()
            planned = loop.time() + SWEEP_SECONDS
            await asyncio.sleep(SWEEP_SECONDS)
            metrics.LAG.set(max(0.0, loop.time() - planned))

    def _forget_idle(self) -> None:
        """Let go of tables that nobody needs any more."""
        for id, room in list(self.rooms.items()):
            if room.is_idle:
                room.close()
                del self.rooms[id]
        metrics.ROOMS.set(len(self.rooms))

    async def _look_after(self, id: str, *, is_first: bool) -> None:
        """Look after a table; after a start people need a moment to connect again."""
        room = await self.room(id)
        if room is not None and is_first:
            room.drive()
            await asyncio.sleep(BEAT_SECONDS)
        if room is not None:
            await room.look_after()

    async def _beat(self) -> None:
        """Every few seconds: tell the others who is connected here."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            pairs = [pair for room in self.rooms.values() for pair in room.pairs()]
            try:
                await self.store.mark_present(self.process, pairs, now_ms() + PRESENCE_MS)
            except NotKept as error:
                log.error("the store has trouble", extra={"error": str(error)})
            for room in list(self.rooms.values()):
                if room.has_lost_sight():
                    self.spawn(room.look_after())
