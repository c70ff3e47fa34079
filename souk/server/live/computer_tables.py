"""Cap the tables at which only computers play: nobody waits there, but they think all the time.

Nobody starts more than a few. Tables that everybody has left count for their host; beyond the cap
they wait until others are over.
"""

from itertools import islice

from souk.server.live.fair_queue import Payer
from souk.server.rate_limits import RateLimits
from souk.server.tables.commands import Refusal

MAX_OF_PERSON = 4
MAX_OF_ADDRESS = 8
COUNT = "computer tables"


class ComputerTables:
    """The running games of computers alone, and who started them."""

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._running: dict[str, Payer] = {}  # by table
        self._tables: dict[str, dict[str, None]] = {}  # by person, oldest first

    def start(self, table: str, payer: Payer) -> None:
        """Count a game of computers that begins, or refuse it."""
        if self._limits.is_on:
            if self._limits.count(COUNT, payer.person) >= MAX_OF_PERSON:
                raise Refusal(
                    "too-fast",
                    f"Only computers play at {MAX_OF_PERSON} of your tables:"
                    " wait until one of these games is over.",
                )
            if payer.address and self._limits.count(COUNT, payer.address) >= MAX_OF_ADDRESS:
                raise Refusal(
                    "too-fast",
                    f"Only computers play at {MAX_OF_ADDRESS} tables of your address:"
                    " wait until one of these games is over.",
                )
        self.add(table, payer)

    def add(self, table: str, payer: Payer) -> None:
        """Count a game of computers that is running, such as one from before a restart."""
        if table not in self._running:
            self._running[table] = payer
            self._tables.setdefault(payer.person, {})[table] = None
            self._change(payer, 1)

    def remove(self, table: str) -> None:
        """Forget a game that is over or is no longer served here."""
        payer = self._running.pop(table, None)
        if payer is not None:
            tables = self._tables[payer.person]
            del tables[table]
            if not tables:
                del self._tables[payer.person]
            self._change(payer, -1)

    def must_wait(self, table: str) -> bool:
        """Return whether other games of computers of the same person go first."""
        payer = self._running.get(table)
        if payer is None or not self._limits.is_on:
            return False
        return table not in islice(self._tables[payer.person], MAX_OF_PERSON)

    def _change(self, payer: Payer, by: int) -> None:
        self._limits.change_count(COUNT, payer.person, by)
        if payer.address:
            self._limits.change_count(COUNT, payer.address, by)
