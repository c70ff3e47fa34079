"""The store: tables with their entries, people and a few settings. One interface, two databases.

An entry is durable when its callback says so, not before. Entries are numbered and each number can
be used once: a process that comes second learns it and reloads, so any process may serve any table.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from souk.engine.errors import SoukError
from souk.engine.extras import needs_extra
from souk.server.tables.entries import TableConfig

MAX_BROADCAST = 7000  # bytes

log = logging.getLogger("souk.server")


class PersistError(Exception):
    """Something could not be stored or read; the text is for the operator."""


class Summary(Struct, frozen=True, gc=False):
    """The columns of a table that lists and the sweep read."""

    status: str
    wake_at: int | None  # when a server must attend to the table
    at: int  # when it changed
    view: bytes | None = None  # the table as lists show it, if that changed
    participant: str | None = None  # a person who takes part from now on


class Change(Struct, frozen=True, gc=False):
    """An entry to append, and the new summary of its table if that is to be stored."""

    table: str
    n: int  # the entry's number
    entry: bytes
    summary: Summary | None


@dataclass(frozen=True)
class StoredTable:
    """A stored table: its configuration, and entries from some number on."""

    config: TableConfig
    entries: Sequence[bytes]


@dataclass(frozen=True)
class PersonRow:
    """A stored identity."""

    id: str
    name: str
    is_bot: bool


OnRemoteEntry = Callable[[str, int], None]
"""Called with a table and the number of an entry that another process added. With RELEASED another
process stops and has released its tables. An empty id and 0 mean that notifications may have been
missed: catch up with every live table."""
RELEASED = "released", 0


AppendCallback = Callable[[bool | PersistError], None]
"""Called with True if an entry is durable, False if its number is used (or there is no such table),
or an error if neither is certain."""


def notify(callback: Callable[[Any], None], outcome: Any) -> None:
    """Call a callback; log its errors."""
    try:
        callback(outcome)
    except Exception as error:
        log.error("a callback failed", exc_info=error)


def future_callback(future: "asyncio.Future[Any]") -> Callable[[Any], None]:
    """Return a callback that resolves a future; exceptions are raised there."""

    def callback(outcome: Any) -> None:
        if future.done():
            return  # it was cancelled
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)

    return callback


class Store(ABC):
    """A database. Every method may raise PersistError; then its change is stored or not."""

    is_single_process: ClassVar[bool] = False  # whether only one process can use it
    on_broadcast: Callable[[str], None] = staticmethod(lambda _text: None)
    """Called with a text that another process has broadcast."""

    @abstractmethod
    async def open(self, on_remote_entry: OnRemoteEntry) -> None:
        """Connect, migrate the schema, and subscribe to entries of other processes."""

    async def open_read_only(self) -> None:
        """Connect to read, also while a server is running."""
        await self.open(lambda _table, _n: None)

    async def open_beside_server(self) -> None:
        """Connect to read and write, also while a server is running."""
        await self.open(lambda _table, _n: None)

    @abstractmethod
    async def close(self) -> None:
        """Finish pending writes, and disconnect."""

    @abstractmethod
    async def check(self) -> None:
        """Raise PersistError unless the database can be written and has space for more."""

    @abstractmethod
    async def get_or_set(self, key: str, value: str) -> str:
        """Return the stored value of a key; store the given one if there is none."""

    @abstractmethod
    async def setting(self, key: str) -> str | None:
        """Return the stored value of a key; None if there is none."""

    @abstractmethod
    async def mark_alive(self, now: int) -> int | None:
        """Note that a server is running; return when one noted it last, None if never."""

    @abstractmethod
    async def query(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; each `?` in it stands for a value."""

    @abstractmethod
    async def transact(self, *steps: tuple[object, ...]) -> list[list[tuple[Any, ...]]]:
        """Run statements, each with its values, durably in one transaction; return their rows."""

    async def broadcast(self, text: str) -> None:  # noqa: B027 (a single process has no others)
        """Send a text of at most MAX_BROADCAST bytes to the other processes; it may get lost."""

    # ---- tables ---------------------------------------------------------------------------------

    @abstractmethod
    async def create(self, config: TableConfig, changes: Sequence[Change]) -> bool:
        """Store a new table with its first entries, at least one; return False if its id exists."""

    @abstractmethod
    def append(self, change: Change, callback: AppendCallback) -> None:
        """Append an entry. The callback is called later, never before this returns.

        Every move waits for this, so it is a plain call: a future and a task would cost more than
        writing the entry does.
        """

    @abstractmethod
    async def load(self, table: str, after: int = 0) -> StoredTable | None:
        """Return a table and its entries after a number; None if there is no such table."""

    @abstractmethod
    async def views(self, status: str, limit: int, since: int = 0) -> list[bytes]:
        """Return views of public tables of a status that changed since a time, newest first."""

    @abstractmethod
    async def claim(self, now: int, until: int, limit: int) -> list[str]:
        """Return tables that need attention, reserved for the caller until a time."""

    async def release(self, tables: Sequence[str], now: int) -> None:  # noqa: B027  # see below
        """Ask other processes to attend to tables at once: this one stops.

        A single process has none; when it starts again, it attends to all tables.
        """

    @abstractmethod
    async def replace_entries(self, table: str, entries: Mapping[int, bytes]) -> None:
        """Replace stored entries by their numbers: names and texts that must go."""

    @abstractmethod
    async def delete_table(self, id: str, before: int) -> None:
        """Delete a table with all that belongs to it, unless it changed after a time."""

    # ---- presence -------------------------------------------------------------------------------

    @abstractmethod
    async def mark_present(
        self, process: str, pairs: Iterable[tuple[str, str]], until: int
    ) -> None:
        """Note that people are connected through a process, as pairs (table, person)."""

    @abstractmethod
    async def remove_present(self, process: str, table: str, person: str) -> None:
        """Note that a person is no longer connected to a table through a process."""

    @abstractmethod
    async def present(self, table: str, now: int) -> set[str]:
        """Return who is connected to a table through any process."""

    # ---- people ---------------------------------------------------------------------------------

    @abstractmethod
    async def add_person(self, person: PersonRow, at: int) -> None:
        """Store a new identity."""

    @abstractmethod
    async def person(self, id: str) -> PersonRow | None:
        """Return a person by id."""

    @abstractmethod
    async def add_link(self, digest: str, person: str, expires: int) -> None:
        """Store the digest of a device link."""

    @abstractmethod
    async def use_link(self, digest: str, now: int) -> str | None:
        """Delete a link and return its person; None if there is none."""

    # ---- for the operator -----------------------------------------------------------------------

    @abstractmethod
    async def tables(self, status: str | None, limit: int) -> list[bytes]:
        """Return views of all tables, private ones too, newest first."""

    @abstractmethod
    async def ids(self, status: str) -> list[str]:
        """Return the ids of all tables of a status, newest first."""

    @abstractmethod
    async def copy_to(self, file: Path) -> None:
        """Copy the database, which need not be open, to an empty SQLite file."""

    @abstractmethod
    async def copy_from(self, file: Path) -> None:
        """Fill the database, which must be new or empty, from a SQLite file of this version."""


def store_at(url: str) -> Store:
    """Return the store of an address: a file, sqlite:///FILE or postgresql://…"""
    scheme, separator, rest = url.partition("://")
    if separator and scheme in ("postgresql", "postgres"):
        with needs_extra("postgres", "PostgreSQL"):
            from souk.server.store.postgres import PostgresStore
        return PostgresStore(url)
    if separator and scheme != "sqlite":
        raise SoukError(f"a database is a file, sqlite:///FILE or postgresql://…, not {scheme}://…")
    from souk.server.store.sqlite import SqliteStore

    return SqliteStore(rest.removeprefix("/") if separator else url)
