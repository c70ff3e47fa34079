"""The hall: all tables that are alive in this process, and looking after them."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Coroutine, Sequence
from typing import Any

from souk.server import entries as e
from souk.server import metrics
from souk.server.entries import AnyEntry, Terms
from souk.server.messages import Refusal
from souk.server.room import LOOK_MS, PRESENCE_MS, Room, kept, now_ms
from souk.server.store import NotKept, Store
from souk.server.thinkers import Thinkers

SWEEP_SECONDS = 1.0
BEAT_SECONDS = 15.0

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
        self._loading: dict[str, asyncio.Future[Room | None]] = {}
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

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something on the side; trouble is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, NotKept):
                log.error("the store has trouble", extra={"error": str(error)})
            else:
                log.error("something failed", exc_info=error)

    # ---- tables -------------------------------------------------------------------------------

    async def create(self, terms: Terms, first: Sequence[AnyEntry]) -> Room:
        """A new table with its first entries."""
        room = Room(self, terms)
        changes = []
        for entry in first:
            before = room.table.status
            room.table.apply(entry)
            changes.append(room.change_of(entry, before))
        await kept(self.store.create(terms, changes))
        return self._enter(room, ours=True)

    def _enter(self, room: Room, *, ours: bool) -> Room:
        """A table is alive from now on, as it was kept."""
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
            self._loading[id] = asyncio.ensure_future(self._load(id))
        return await asyncio.shield(self._loading[id])  # whoever asked may go, others wait too

    async def _load(self, id: str) -> Room | None:
        try:
            found = await kept(self.store.load(id))
            if found is None:
                return None
            room = Room(self, found.terms)
            for raw in found.entries:
                room.table.apply(e.decode_entry(raw))
            return self._enter(room, ours=False)
        finally:
            del self._loading[id]

    def _heard(self, table: str, n: int) -> None:
        """Another process has added an entry; without a table, perhaps many have."""
        rooms = list(self.rooms.values()) if not table else [self.rooms.get(table)]
        for room in rooms:
            if room is not None and (not table or n > room.table.n):
                self.spawn(room.catch_up())

    # ---- looking after everything -------------------------------------------------------------

    async def _sweep(self) -> None:
        """Every second: tables that nobody looks after, and those that nobody needs any more."""
        loop = asyncio.get_running_loop()
        # Whoever used the store alone before has gone: all tables that are not just waiting for a
        # person wait for us. (A turn can have a day's time.)
        ahead = 2 * 86_400_000 if self.store.is_alone else 0
        while True:
            planned = loop.time() + SWEEP_SECONDS
            try:
                limit = 1_000_000 if ahead else 200
                found = await self.store.claim(now_ms() + ahead, now_ms() + LOOK_MS, limit)
                for id in found:
                    room = await self.room(id)
                    if room is not None:
                        self.spawn(self._first_look(room) if ahead else room.look_after())
                ahead = 0
            except (NotKept, Refusal) as error:
                log.error("the store has trouble", extra={"error": str(error)})
            for id, room in list(self.rooms.items()):
                if room.is_idle:
                    room.close()
                    del self.rooms[id]
            metrics.ROOMS.set(len(self.rooms))
            await asyncio.sleep(max(0.0, planned - loop.time()))
            metrics.LAG.set(max(0.0, loop.time() - planned))

    async def _first_look(self, room: Room) -> None:
        """After a start people need a moment to connect again."""
        room.drive()
        await asyncio.sleep(BEAT_SECONDS)
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
