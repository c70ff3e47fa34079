"""What is kept: tables with their entries, people, and a few words. One interface, two stores.

An entry is kept for good when whoever appended it is told so, not before. Entries are numbered,
and a number can be taken only once, so whoever comes second learns it and looks again: any process
may serve any table.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec import Struct

from souk.engine.errors import SoukError
from souk.server.tables.entries import TableConfig

SCHEMA = 2  # the newest version of the schema

log = logging.getLogger("souk.server")


class PersistError(Exception):
    """The store could not keep something; it may say why in words for the operator."""


class Summary(Struct, frozen=True, gc=False):
    """What lists and the sweep know of a table as a whole."""

    status: str
    wake_at: int | None  # when the server must look after the table by itself
    at: int  # when it changed
    view: bytes | None = None  # the table as lists show it, if that changed
    participant: str | None = None  # a person who is at this table from now on


class Change(Struct, frozen=True, gc=False):
    """An entry to be kept, and the table as a whole if that is to be noted as well."""

    table: str
    n: int  # the entry's number
    entry: bytes
    summary: Summary | None


@dataclass(frozen=True)
class StoredTable:
    """A table as it was kept: its terms, and entries from some number on."""

    config: TableConfig
    entries: Sequence[bytes]


@dataclass(frozen=True)
class PersonRow:
    """Somebody with an identity."""

    id: str
    name: str
    is_bot: bool


OnRemoteEntry = Callable[[str, int], None]
"""A table, and the number of an entry that another process added. An empty name and 0 mean that
something may have been missed: look at every table you have."""


Then = Callable[[bool | PersistError], None]
"""What became of an entry: it is kept for good, or its number is taken (or there is no such table),
or nobody can tell."""


def tell(then: Callable[[Any], None], outcome: Any) -> None:
    """Tell somebody what became of something; what goes wrong with that is nobody else's affair."""
    try:
        then(outcome)
    except Exception as error:
        log.error("something failed", exc_info=error)


def future_callback(future: "asyncio.Future[Any]") -> Callable[[Any], None]:
    """What tells somebody who waits for a future; an exception is raised there."""

    def told(outcome: Any) -> None:
        if future.done():
            return  # whoever asked has gone
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)

    return told


class Store(ABC):
    """Keeps everything. Every method may raise NotKept; then nothing, or all of it, was kept."""

    is_single_process: ClassVar[bool] = False  # whether only one process can use it

    @abstractmethod
    async def open(self, on_remote_entry: OnRemoteEntry) -> None:
        """Connect, and bring the schema up to date. `heard` is told of others' entries."""

    async def open_read_only(self) -> None:
        """Connect beside a server that may be running, and change nothing."""
        await self.open(lambda _table, _n: None)

    @abstractmethod
    async def close(self) -> None:
        """Finish what was asked for, and disconnect."""

    @abstractmethod
    async def check(self) -> None:
        """Raise NotKept unless something could be written just now."""

    @abstractmethod
    async def word(self, key: str, first: str) -> str:
        """A word that is the same for all processes and for ever: the first one that was given."""

    # ---- tables ---------------------------------------------------------------------------------

    @abstractmethod
    async def create(self, config: TableConfig, changes: Sequence[Change]) -> bool:
        """Keep a new table with its first entries, at least one; False if its id is taken."""

    @abstractmethod
    def append(self, change: Change, then: Then) -> None:
        """Keep an entry. `then` is told what became of it, never before this returns.

        Every move waits for this, so it is a plain call: a future and a task would cost more than
        writing the entry does.
        """

    @abstractmethod
    async def load(self, table: str, after: int = 0) -> StoredTable | None:
        """A table and its entries after a number; None if there is no such table."""

    @abstractmethod
    async def views(self, status: str, limit: int, since: int = 0) -> list[bytes]:
        """Public tables of a status that changed since a moment, the newest first."""

    @abstractmethod
    async def views_of(self, person: str, limit: int) -> list[bytes]:
        """The tables of a person, the newest first."""

    @abstractmethod
    async def claim(self, now: int, until: int, limit: int) -> list[str]:
        """Tables that somebody should have looked after by now; they are the caller's till then."""

    # ---- who is there ---------------------------------------------------------------------------

    @abstractmethod
    async def mark_present(
        self, process: str, pairs: Iterable[tuple[str, str]], until: int
    ) -> None:
        """These people are connected to these tables (table, person) through a process."""

    @abstractmethod
    async def remove_present(self, process: str, table: str, person: str) -> None:
        """A person is no longer connected to a table through a process."""

    @abstractmethod
    async def present(self, table: str, now: int) -> set[str]:
        """Who is connected to a table through any process."""

    # ---- people ---------------------------------------------------------------------------------

    @abstractmethod
    async def add_person(self, person: PersonRow, at: int) -> None:
        """Keep a new identity."""

    @abstractmethod
    async def rename(self, person: str, name: str) -> None:
        """Give a person another name."""

    @abstractmethod
    async def person(self, id: str) -> PersonRow | None:
        """Somebody, by identity."""

    @abstractmethod
    async def add_link(self, digest: str, person: str, expires: int) -> None:
        """Keep the digest of a link that moves an identity to another device."""

    @abstractmethod
    async def use_link(self, digest: str, now: int) -> str | None:
        """The person a link is for; it works once."""

    # ---- for the operator -----------------------------------------------------------------------

    @abstractmethod
    async def tables(self, status: str | None, limit: int) -> list[bytes]:
        """All tables, private ones too, the newest first, as lists show them."""

    @abstractmethod
    async def ids(self, status: str) -> list[str]:
        """The ids of all tables of a status, the newest first."""


def store_at(url: str) -> Store:
    """The store that an address names: a file, sqlite:///FILE or postgresql://…"""
    scheme, found, rest = url.partition("://")
    if found and scheme in ("postgresql", "postgres"):
        try:
            from souk.server.store.postgres import PostgresStore
        except ModuleNotFoundError:
            raise SoukError(
                "PostgreSQL needs one more package: pip install souk[postgres]"
            ) from None
        return PostgresStore(url)
    if found and scheme != "sqlite":
        raise SoukError(f"a database is a file, sqlite:///FILE or postgresql://…, not {scheme}://…")
    from souk.server.store.sqlite import SqliteStore

    return SqliteStore(rest.removeprefix("/") if found else url)
