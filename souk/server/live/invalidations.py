"""Apply changes to people, bans and tables that were made by any process or by `souk admin`."""

import asyncio
import logging
from contextlib import suppress

from souk.server.clock import now_ms
from souk.server.identities import Identities
from souk.server.live.registry import Registry
from souk.server.live.sockets import Sockets
from souk.server.store import PersistError
from souk.server.store.people import InvalidationKind
from souk.server.tables.commands import Refusal

POLL_SECONDS = 1.0
REPLACED_SECONDS = 1.0  # for a client to receive its new token, before it must reconnect

log = logging.getLogger("souk.server")


class Invalidations:
    """Reads invalidations from the store, and drops what is out of date."""

    def __init__(self, registry: Registry, identities: Identities, sockets: Sockets) -> None:
        self.registry = registry
        self.identities = identities
        self.sockets = sockets
        self._lock = asyncio.Lock()

    async def open(self) -> None:
        """Load the bans, and watch for changes from now on."""
        await self.identities.people.skip_invalidations()
        await self.identities.bans.load(now_ms())
        self.registry.start_task(self._watch())

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.apply()
            except PersistError as error:
                log.error("the store failed", extra={"error": str(error)})

    async def apply(self) -> None:
        """Apply the changes so far."""
        async with self._lock:
            people = self.identities.people
            for key, kind, id in await people.invalidations():
                await self._apply(kind, id)
                people.mark_applied(key)  # not before: a ban must not get lost

    async def _apply(self, kind: InvalidationKind, id: str) -> None:
        if kind == "session":
            self.identities.forget_session(id)
            row = await self.identities.people.session(id)
            if row is None:
                self.sockets.log_out(session=id)
            else:  # its token was replaced
                loop, end = asyncio.get_running_loop(), self.sockets.end_replaced
                loop.call_later(REPLACED_SECONDS, end, id, row.counter)
        elif kind == "person":
            self.identities.forget_person(id)
            self.sockets.log_out(person=id)
        elif kind == "name":
            self.identities.forget_person(id)
            if (person := await self.identities.person(id)) is not None:
                self.sockets.rename(person)
        elif kind == "bans":
            await self.identities.bans.load(now_ms())
            self.sockets.end_banned(now_ms())
        elif (live := self.registry.live_tables.get(id)) is not None:
            with suppress(Refusal):  # it is deleted or damaged, and takes care of that itself
                await live.catch_up(is_forced=True)
