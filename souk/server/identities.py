"""Who somebody is: a signed token, in a cookie for people and in a header for programs.

No registration: whoever comes without a token may have a new identity. The token is the identity's
id with a signature, so it can be checked without asking anybody and cannot be guessed or forged.
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
COOKIE_SECONDS = 400 * 24 * 3600  # the longest that browsers keep one
LINK_MS = 15 * 60 * 1000
MAX_CACHED = 10_000  # people kept in mind


class Identities:
    """Identities, and how they are proved."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._key = b""
        self._known: OrderedDict[str, Person] = OrderedDict()

    async def open(self, key: str | None = None) -> None:
        """Use a key that is given, or the one that was made up when the database was new."""
        word = key or await self.store.word("signing key", secrets.token_hex(32))
        self._key = hashlib.sha256(word.encode()).digest()

    async def new(self, name: str, now: int, *, is_bot: bool = False) -> Person:
        """A new identity."""
        shown = clean(name, MAX_NAME) or ("Bot" if is_bot else "Guest")
        person = Person(secrets.token_urlsafe(12), shown, is_bot)
        await self.store.add_person(PersonRow(person.id, person.name, is_bot), now)
        self._know(person)
        return person

    async def rename(self, person: Person, name: str) -> Person:
        """Another name for somebody."""
        renamed = Person(person.id, clean(name, MAX_NAME) or person.name, person.is_bot)
        await self.store.rename(renamed.id, renamed.name)
        self._know(renamed)
        return renamed

    def with_current_name(self, person: Person) -> Person:
        """Somebody, with the name of today."""
        return self._known.get(person.id, person)

    def token(self, person: Person) -> str:
        """What proves an identity."""
        return f"{person.id}.{self._signature(person.id)}"

    async def who(self, headers: Mapping[str, str]) -> Person | None:
        """Who sent a request, by its bearer token or else its cookie."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return await self._proved(token.strip())
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                return await self._proved(value)
        return None

    async def _proved(self, token: str) -> Person | None:
        id, _, signature = token.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(id).encode()):
            return None
        if id in self._known:
            self._known.move_to_end(id)
            return self._known[id]
        row = await self.store.person(id)
        if row is None:
            return None
        person = Person(row.id, row.name, row.is_bot)
        self._know(person)
        return person

    def _know(self, person: Person) -> None:
        self._known[person.id] = person
        self._known.move_to_end(person.id)
        if len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)

    def _signature(self, id: str) -> str:
        return self._derived(f"person {id}", 24)

    def _derived(self, text: str, size: int) -> str:
        """What only those who have the key can tell of a text, and always the same."""
        digest = hmac.digest(self._key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:size]).decode().rstrip("=")

    # ---- the ids of tables that can be asked for twice ------------------------------------------

    def table_id(self, person: Person, request: str) -> str:
        """The id of the table that somebody creates under a name of their own for it.

        It follows from who asks and the name, so wherever and whenever that is asked again, it is
        the same table; and nobody else can guess it.
        """
        return self._derived(f"table {person.id} {request}", 16)

    def rematch_id(self, table: str) -> str:
        """The id of the table that follows on another, whoever sets it up."""
        return self._derived(f"rematch {table}", 16)

    # ---- moving to another device ---------------------------------------------------------------

    async def link(self, person: Person, now: int) -> str:
        """A word that moves somebody's identity to another device, once and soon."""
        word = secrets.token_urlsafe(24)
        await self.store.add_link(_digest(word), person.id, now + LINK_MS)
        return word

    async def use_link(self, word: str, now: int) -> Person | None:
        """Whose identity a link carries."""
        id = await self.store.use_link(_digest(word), now)
        row = None if id is None else await self.store.person(id)
        return None if row is None else Person(row.id, row.name, row.is_bot)


def _digest(word: str) -> str:
    """What is kept of a link: nobody who reads the database can use it."""
    return hashlib.sha256(word.encode()).hexdigest()
