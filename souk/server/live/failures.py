"""Turn failures of the store, of stored tables and of our own code into refusals."""

import logging
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from souk.server.store import PersistError
from souk.server.tables.commands import Refusal

UNREADABLE = "This table cannot be read any more: what is stored of it is damaged."

T = TypeVar("T")

log = logging.getLogger("souk.server")


def internal_error(error: Exception) -> Refusal:
    """Log a bug of ours; return the refusal for the client."""
    log.error("a command failed", exc_info=error)
    return Refusal("not-possible", "Something went wrong on the server; the error was logged.")


@contextmanager
def refuse_unreadable(table: str) -> Iterator[None]:
    """Refuse a table that cannot be read from its stored entries; log why."""
    try:
        yield
    except Refusal:
        raise
    except Exception as error:  # a damaged log can fail anywhere
        log.error("a table cannot be read", extra={"table": table, "error": repr(error)})
        raise Refusal("unreadable", UNREADABLE) from None


async def refuse_on_failure(call: Coroutine[Any, Any, T]) -> T:
    """Return what a call to the store returns; raise its failure as a Refusal."""
    try:
        return await call
    except PersistError as error:
        raise storage_refusal(error) from None


def storage_refusal(error: PersistError) -> Refusal:
    """Log a failure of the store; return the refusal for the client."""
    log.error("the store failed", extra={"error": str(error)})
    sentence = "The server may not have saved this. Repeat the request: it takes effect once."
    return Refusal("not-saved", sentence)
