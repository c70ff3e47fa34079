"""Identities and their sessions: tokens in a cookie for people, in a header for programs.

There is no registration: a client without a token gets a new identity. A token has the id of a
session, the number of the token in it, and a signature, so it cannot be guessed or forged.

A browser's token is replaced once a day. The next one counts from its first use, so that an answer
that gets lost does no harm; the one before is good for a minute more, for requests on their way.
Two tabs that renew at once get the same token.
"""

import base64
import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from souk.server.bans import Bans
from souk.server.clock import DAY_MS
from souk.server.store import PersonRow, Store
from souk.server.store.people import People, SessionRow
from souk.server.tables.names import checked_name
from souk.server.tables.request import Person

COOKIE = "souk"
RENEW_MS = DAY_MS  # a browser's token is replaced when it is older
GRACE_MS = 60 * 1000  # the token before still counts for this long
LINK_MS = 15 * 60 * 1000
MAX_CACHED = 10_000  # people, and sessions

T = TypeVar("T")
_TOKEN = re.compile(r"([A-Za-z0-9_-]{1,40})(?:\.([1-9][0-9]{0,8}))?\.([A-Za-z0-9_-]{32})")


@dataclass(frozen=True)
class Session:
    """A person on one device, by the token of a request."""

    row: SessionRow
    person: Person
    counter: int  # of the token
    is_cookie: bool

    @property
    def id(self) -> str:
        """Return the id of the session, which is the same for all its tokens."""
        return self.row.id


class Identities:
    """Create and verify identities."""

    def __init__(
        self, store: Store, people: People, bans: Bans, session_ms: int = 90 * DAY_MS
    ) -> None:
        self.store = store
        self.people = people
        self.bans = bans
        self.session_ms = session_ms  # how long a session lasts without being used
        self._key = b""
        self._people: OrderedDict[str, Person] = OrderedDict()
        self._sessions: OrderedDict[str, SessionRow] = OrderedDict()
        self._forgotten = 0  # times that something was dropped: what was read before may be old

    async def open(self, key: str | None = None) -> None:
        """Use the given signing key, or the one of the database, created with it."""
        key = key or await self.store.get_or_set("signing key", secrets.token_hex(32))
        self._key = hashlib.sha256(key.encode()).digest()

    async def new(self, name: str, now: int, *, is_bot: bool = False) -> Person:
        """Create an identity."""
        name = checked_name(name) or ("Bot" if is_bot else "Guest")
        person = Person(_new_id(), name, is_bot)
        await self.store.add_person(PersonRow(person.id, person.name, is_bot), now)
        _remember(self._people, person.id, person)
        return person

    async def rename(self, person: Person, name: str, now: int) -> Person:
        """Rename a person."""
        renamed = Person(person.id, checked_name(name) or person.name, person.is_bot)
        await self.people.rename(renamed.id, renamed.name, now)
        _remember(self._people, renamed.id, renamed)
        return renamed

    def with_current_name(self, person: Person) -> Person:
        """Return a person with their current name."""
        return self._people.get(person.id, person)

    # ---- sessions -------------------------------------------------------------------------------

    async def new_session(self, person: Person, network: str, now: int) -> str:
        """Start a session of a person; return its token."""
        id = secrets.token_urlsafe(12)
        row = SessionRow(id, person.id, 0, now, now, now + self.session_ms, network)
        await self.people.add_session(row)
        _remember(self._sessions, id, row)
        return self._token(id, 0)

    async def identify(self, headers: Mapping[str, str], now: int) -> Session | None:
        """Return who sent a request, by its bearer token or else its cookie; refuse the banned."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return await self._verify(token.strip(), now, is_cookie=False)
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                return await self._verify(value, now, is_cookie=True)
        return None

    async def _verify(self, token: str, now: int, *, is_cookie: bool) -> Session | None:
        match = _TOKEN.fullmatch(token)
        if match is None:
            return None
        id, counter = match[1], int(match[2] or 0)
        if not hmac.compare_digest(token.encode(), self._token(id, counter).encode()):
            return None
        forgotten = self._forgotten
        row = self._sessions.get(id)
        if row is None or not _is_current(row, counter, now):  # it may have gone on elsewhere
            row = await self.people.session(id)
        if row is None or row.expires <= now or not _is_current(row, counter, now):
            self._sessions.pop(id, None)
            return None
        if counter > row.counter:
            await self.people.advance_session(id, counter, now)
            row = replace(row, counter=counter, renewed=now)
        if forgotten == self._forgotten:  # or a session that has just ended would live on
            _remember(self._sessions, id, row)
        person = await self.person(row.person)
        if person is None:
            return None
        ban = self.bans.of_person(person.id, now)
        if ban is not None:
            raise self.bans.refusal(ban)
        session = Session(row, person, counter, is_cookie)
        if not is_cookie and row.expires < now + self.session_ms - RENEW_MS:
            await self._extend(session, row.network, now)
        return session

    async def person(self, id: str) -> Person | None:
        """Return a person; None if there is none."""
        if id in self._people:
            self._people.move_to_end(id)
            return self._people[id]
        forgotten = self._forgotten
        row = await self.store.person(id)
        if row is None:
            return None
        person = Person(row.id, row.name, row.is_bot)
        if forgotten == self._forgotten:
            _remember(self._people, id, person)
        return person

    async def renewed_token(self, session: Session, network: str, now: int) -> str | None:
        """Return the next token of a browser's session, if it is time; the session lasts longer."""
        is_due = session.is_cookie and now - session.row.renewed >= RENEW_MS
        if not is_due or session.counter != session.row.counter:
            return None
        await self._extend(session, network, now)
        return self._token(session.id, session.counter + 1)

    async def _extend(self, session: Session, network: str, now: int) -> None:
        expires = now + self.session_ms
        await self.people.extend_session(session.id, expires, network)
        if session.id in self._sessions:  # it may have ended meanwhile
            _remember(self._sessions, session.id, replace(session.row, expires=expires))

    async def replace_token(self, session: Session, now: int) -> str:
        """Return a new token of a session; those before end at once."""
        counter = session.row.counter + 3  # so that the one before was never sent
        await self.people.advance_session(session.id, counter, now)
        await self.people.invalidate("session", [session.id], now)
        self.forget_session(session.id)
        return self._token(session.id, counter)

    async def end_session(self, session: Session, now: int) -> None:
        """Log out here."""
        await self.people.end_session(session.id, now)
        self.forget_session(session.id)

    async def end_other_sessions(self, session: Session, now: int) -> None:
        """Log out everywhere else."""
        await self.people.end_sessions(session.person.id, now, but=session.id)

    def forget_session(self, id: str) -> None:
        """Read a session from the store when it is used again."""
        self._forgotten += 1
        self._sessions.pop(id, None)

    def forget_person(self, id: str) -> None:
        """Read a person and their sessions from the store when they come again."""
        self._forgotten += 1
        self._people.pop(id, None)
        for session in [row.id for row in self._sessions.values() if row.person == id]:
            del self._sessions[session]

    def _token(self, id: str, counter: int) -> str:
        """Return a token. The first ones of a session are as they were before there were others."""
        if counter == 0:
            return f"{id}.{self._derived(f'person {id}', 24)}"
        return f"{id}.{counter}.{self._derived(f'session {id} {counter}', 24)}"

    def _derived(self, text: str, size: int) -> str:
        """Return what only those with the key can derive from a text, always the same."""
        digest = hmac.digest(self._key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:size]).decode().rstrip("=")

    def sign(self, text: str) -> str:
        """Return a signature of a text, which is no part of a token."""
        return self._derived(f"text {text}", 16)

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
        person = None if id is None else await self.person(id)
        if person is not None and (ban := self.bans.of_person(person.id, now)) is not None:
            raise self.bans.refusal(ban)
        return person


def _new_id() -> str:
    """Return a random id that does not look like an option on a command line."""
    while (id := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return id


def _is_current(row: SessionRow, counter: int, now: int) -> bool:
    """Return whether a token of a session is good: the last, the next, or just now the last."""
    if counter == row.counter - 1:
        return now < row.renewed + GRACE_MS
    return counter in (row.counter, row.counter + 1)


def _remember(cache: "OrderedDict[str, T]", key: str, value: T) -> None:
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > MAX_CACHED:
        cache.popitem(last=False)


def _digest(code: str) -> str:
    """Return what is stored of a link, which is useless to readers of the database."""
    return hashlib.sha256(code.encode()).hexdigest()
