"""Tables that are played but not live in this process, to be looked at again and again."""

from souk.server.live.failures import refuse_on_failure
from souk.server.live.live_table import apply_in_steps
from souk.server.store import Store
from souk.server.tables.table import Table

MAX_TABLES = 200


class IdleTables:
    """A cache of tables that are built from the store once, and then from their new entries."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[str, Table] = {}  # least recently used first

    async def get(self, id: str) -> Table | None:
        """Return a table as it is stored; None if there is no such table."""
        table = self._tables.pop(id, None)
        stored = await refuse_on_failure(self._store.load(id, 0 if table is None else table.n))
        if stored is None:
            return None
        table = table or Table(stored.config)
        await apply_in_steps(table, stored.entries)
        if len(self._tables) >= MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        self._tables[id] = table
        return table
