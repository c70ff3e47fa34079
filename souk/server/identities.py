"""Identities and their tokens: in a cookie for people, in a header for programs.

There is no registration: a client without a token gets a new identity. A token is the identity's id
with a signature, so it is verified without a look-up and cannot be guessed or forged.
"""

import base64
import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Mapping

from souk.server.store import PersonRow, Store
from souk.server.tables.commands import MAX_NAME, clean
from souk.server.tables.referee import Person

COOKIE = "souk"
COOKIE_SECONDS = 400 * 24 * 3600  # the maximum of browsers
LINK_MS = 15 * 60 * 1000
MAX_CACHED = 10_000  # people


class Identities:
    """Create and verify identities."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._key = b""
        self._cache: OrderedDict[str, Person] = OrderedDict()

    async def open(self, key: str | None = None) -> None:
        """Use the given signing key, or the one of the database, created with it."""
        key = key or await self.store.get_or_set("signing key", secrets.token_hex(32))
        self._key = hashlib.sha256(key.encode()).digest()

    async def new(self, name: str, now: int, *, is_bot: bool = False) -> Person:
        """Create an identity."""
        name = clean(name, MAX_NAME) or ("Bot" if is_bot else "Guest")
        person = Person(secrets.token_urlsafe(12), name, is_bot)
        await self.store.add_person(PersonRow(person.id, person.name, is_bot), now)
        self._remember(person)
        return person

    async def rename(self, person: Person, name: str) -> Person:
        """Rename a person."""
        renamed = Person(person.id, clean(name, MAX_NAME) or person.name, person.is_bot)
        await self.store.rename(renamed.id, renamed.name)
        self._remember(renamed)
        return renamed

    def with_current_name(self, person: Person) -> Person:
        """Return a person with their current name."""
        return self._cache.get(person.id, person)

    def token(self, person: Person) -> str:
        """Return the token of a person."""
        return f"{person.id}.{self._signature(person.id)}"

    async def identify(self, headers: Mapping[str, str]) -> Person | None:
        """Return who sent a request, by its bearer token or else its cookie."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return await self._verify(token.strip())
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                return await self._verify(value)
        return None

    async def _verify(self, token: str) -> Person | None:
        id, _, signature = token.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(id).encode()):
            return None
        if id in self._cache:
            self._cache.move_to_end(id)
            return self._cache[id]
        row = await self.store.person(id)
        if row is None:
            return None
        person = Person(row.id, row.name, row.is_bot)
        self._remember(person)
        return person

    def _remember(self, person: Person) -> None:
        self._cache[person.id] = person
        self._cache.move_to_end(person.id)
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)

    def _signature(self, id: str) -> str:
        return self._derived(f"person {id}", 24)

    def _derived(self, text: str, size: int) -> str:
        """Return what only those with the key can derive from a text, always the same."""
        digest = hmac.digest(self._key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:size]).decode().rstrip("=")

    # ---- ids of idempotent requests -------------------------------------------------------------

    def table_id(self, person: Person, request: str) -> str:
        """Return the id of the table that a person creates by a named request.

        It is derived from both, so repeating the request on any process and at any time gives the
        same table; nobody else can guess it.
        """
        return self._derived(f"table {person.id} {request}", 16)

    def rematch_id(self, table: str) -> str:
        """Return the id of a table's rematch, the same for everybody."""
        return self._derived(f"rematch {table}", 16)

    # ---- device links ---------------------------------------------------------------------------

    async def new_link(self, person: Person, now: int) -> str:
        """Return a code that moves an identity to another device, once, within LINK_MS."""
        code = secrets.token_urlsafe(24)
        await self.store.add_link(_digest(code), person.id, now + LINK_MS)
        return code

    async def use_link(self, code: str, now: int) -> Person | None:
        """Return the person of a link; None if it is used or expired."""
        id = await self.store.use_link(_digest(code), now)
        row = None if id is None else await self.store.person(id)
        return None if row is None else Person(row.id, row.name, row.is_bot)


def _digest(code: str) -> str:
    """Return what is stored of a link, which is useless to readers of the database."""
    return hashlib.sha256(code.encode()).hexdigest()
