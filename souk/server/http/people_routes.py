"""The HTTP routes of identities: names, sessions, block lists, reports. Described by OpenAPI."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from souk.server import rate_limits
from souk.server.clock import now_ms
from souk.server.erasure import erase_from_tables, log_damaged
from souk.server.http.openapi import refusals
from souk.server.http.request_bodies import (
    PERSON_ID,
    BotBody,
    ClaimBody,
    LinkBody,
    LogoutBody,
    MeBody,
    NameBody,
    PersonBody,
    ReportBody,
    ServerBody,
    TokenBody,
)
from souk.server.http.routes import (
    ANY_REFUSAL,
    Me,
    MySession,
    OptionalSession,
    Service,
    ServiceDependency,
    address_of,
    require_session,
)
from souk.server.identities import COOKIE, LINK_MS
from souk.server.live.failures import refuse_on_failure
from souk.server.store import PersonRow
from souk.server.store.people import ReportRow
from souk.server.tables.commands import Refusal, clean
from souk.server.tables.request import Person

MAX_BLOCKED = 500
PersonId = Annotated[str, Path(pattern=PERSON_ID, description="The public id of a person.")]

router = APIRouter(prefix="/api", responses=ANY_REFUSAL)


@router.get("/server")
async def about_server(service: ServiceDependency) -> ServerBody:
    """Return what the operator says about this server: terms, and how to reach them."""
    return ServerBody(terms=service.settings.terms, contact=service.settings.contact)


@router.get("/me", responses=refusals("no-identity"))
async def who_am_i(
    session: OptionalSession,
    service: ServiceDependency,
    request: Request,
    response: Response,
    optional: Annotated[bool, Query(description="Answer null without an identity.")] = False,
) -> MeBody | None:
    """Return who you are, by your cookie or token. Once a day a browser gets a new cookie."""
    if optional:  # a page was opened, and somebody is about to play
        service.warm_up()
    if session is None and optional:
        return None  # an error would appear in the browser's log at the first visit
    session = await require_session(session)
    renewed = service.identities.renewed_token(session, address_of(request), now_ms())
    if (token := await refuse_on_failure(renewed)) is not None:
        _set_cookie(response, service, token)
    return _me(session.person)


@router.post("/me", responses=refusals("bad-request", "bad-name", "proof-needed"))
async def call_me(
    body: NameBody,
    service: ServiceDependency,
    session: OptionalSession,
    request: Request,
    response: Response,
) -> MeBody:
    """Choose a name: create an identity, or rename yours."""
    identities = service.identities
    if session is not None:
        service.check_rate(rate_limits.COMMANDS, session.person.id, address_of(request))
        renamed = identities.rename(session.person, body.name, now_ms())
        return _me(await refuse_on_failure(renamed))
    service.check_new_person(address_of(request), body.proof)
    person = await refuse_on_failure(identities.new(body.name, now_ms()))
    await _log_in(person, service, request, response)
    return _me(person)


@router.delete(
    "/me",
    operation_id="delete_me",
    status_code=204,
    response_class=Response,
    responses=refusals("no-identity"),
)
async def delete_me(me: Me, service: ServiceDependency) -> Response:
    """Delete yourself for good: your name, your lines of chat and all your devices.

    You leave tables that wait, and resign from games.
    """
    people = service.identities.people
    await refuse_on_failure(people.delete(me.id, now_ms()))
    await refuse_on_failure(service.invalidations.apply())
    service.registry.start_task(_erase(service, me.id))
    return _without_cookie(service)


async def _erase(service: Service, person: str) -> None:
    """Remove a deleted person from their tables; one person at a time, as there may be many."""
    async with service.erasing:
        log_damaged(await erase_from_tables(service.identities.people, person, now_ms()))


@router.post(
    "/me/logout",
    operation_id="log_out",
    status_code=204,
    response_class=Response,
    responses=refusals("no-identity"),
)
async def log_out(body: LogoutBody, session: MySession, service: ServiceDependency) -> Response:
    """Log out: here, on all other devices, or everywhere.

    Without a device that is logged in, or a link made before, an identity is lost.
    """
    identities, now = service.identities, now_ms()
    response = _without_cookie(service)
    if body.where == "elsewhere" and session.is_cookie:  # a copy of the cookie ends too
        token = await refuse_on_failure(identities.replace_token(session, now))
        response = Response(status_code=204)
        _set_cookie(response, service, token)
    if body.where != "here":
        await refuse_on_failure(identities.end_other_sessions(session, now))
    if body.where != "elsewhere":
        await refuse_on_failure(identities.end_session(session, now))
    await refuse_on_failure(service.invalidations.apply())
    return response


@router.post("/me/token", responses=refusals("no-identity", "not-possible"))
async def replace_token(session: MySession, service: ServiceDependency) -> TokenBody:
    """Replace the token of a program; the old one ends at once."""
    if session.is_cookie:
        raise Refusal("not-possible", "A browser's token is replaced by itself.")
    return TokenBody(
        token=await refuse_on_failure(service.identities.replace_token(session, now_ms()))
    )


@router.post("/me/link", responses=refusals("no-identity"))
async def link_me(me: Me, service: ServiceDependency, request: Request) -> LinkBody:
    """Return a code that moves your identity to another device, once, within 15 minutes."""
    service.check_rate(rate_limits.NEW_TABLES, me.id, address_of(request))
    now = now_ms()
    return LinkBody(
        code=await refuse_on_failure(service.identities.new_link(me, now)), expires=now + LINK_MS
    )


@router.post("/me/claim", responses=refusals("no-such-link"))
async def claim_me(
    body: ClaimBody, service: ServiceDependency, request: Request, response: Response
) -> MeBody:
    """Use the identity that a code from another device carries."""
    service.check_rate(rate_limits.NEW_PEOPLE, address_of(request))
    person = await refuse_on_failure(service.identities.use_link(body.code, now_ms()))
    if person is None:
        raise Refusal("no-such-link", "This link was used already, or it has expired.")
    await _log_in(person, service, request, response)
    return _me(person)


@router.post(
    "/bots", status_code=201, responses=refusals("bad-request", "bad-name", "proof-needed")
)
async def new_bot(body: NameBody, service: ServiceDependency, request: Request) -> BotBody:
    """Create an identity for a program, which sends `Authorization: Bearer TOKEN`."""
    service.check_new_person(address_of(request), body.proof)
    identities, now = service.identities, now_ms()
    bot = await refuse_on_failure(identities.new(body.name, now, is_bot=True))
    token = await refuse_on_failure(identities.new_session(bot, address_of(request), now))
    return BotBody(id=bot.id, name=bot.name, bot=True, token=token)


# ---- other people -------------------------------------------------------------------------------


@router.get("/me/blocks", responses=refusals("no-identity"))
async def my_blocks(me: Me, service: ServiceDependency) -> list[PersonBody]:
    """Return whom you have blocked: they take no seat at your tables."""
    rows = await refuse_on_failure(service.identities.people.blocks(me.id))
    return [PersonBody(person=person, name=name) for person, name in rows]


@router.put(
    "/me/blocks/{person}",
    status_code=204,
    response_class=Response,
    responses=refusals("no-identity", "no-such-person", "not-possible"),
)
async def block(person: PersonId, me: Me, service: ServiceDependency) -> Response:
    """Block somebody."""
    service.check_rate(rate_limits.COMMANDS, me.id)
    if person == me.id:
        raise Refusal("not-possible", "You cannot do that to yourself.")
    people = service.identities.people
    if len(await refuse_on_failure(people.blocks(me.id))) >= MAX_BLOCKED:
        raise Refusal("not-possible", f"You have blocked {MAX_BLOCKED} people, the most possible.")
    other = await _known_person(service, person)
    await refuse_on_failure(people.block(me.id, person, other.name, now_ms()))
    return Response(status_code=204)


@router.delete(
    "/me/blocks/{person}",
    status_code=204,
    response_class=Response,
    responses=refusals("no-identity"),
)
async def unblock(person: PersonId, me: Me, service: ServiceDependency) -> Response:
    """No longer block somebody."""
    service.check_rate(rate_limits.COMMANDS, me.id)
    await refuse_on_failure(service.identities.people.unblock(me.id, person))
    return Response(status_code=204)


@router.post(
    "/reports",
    status_code=204,
    response_class=Response,
    responses=refusals("no-identity", "no-such-person"),
)
async def report(
    body: ReportBody, me: Me, service: ServiceDependency, request: Request
) -> Response:
    """Report somebody to the operator of the server."""
    service.check_rate(rate_limits.REPORTS, me.id, address_of(request))
    other = await _known_person(service, body.person)
    text = clean(body.text, 1000)
    row = ReportRow(
        0, now_ms(), me.id, other.id, other.name, body.table or "", body.reason, text, None
    )
    await refuse_on_failure(service.identities.people.add_report(row))
    return Response(status_code=204)


async def _known_person(service: Service, id: str) -> PersonRow:
    row = await refuse_on_failure(service.identities.store.person(id))
    if row is None:
        raise Refusal("no-such-person", "There is no such person.")
    return row


# ---- cookies ------------------------------------------------------------------------------------


def _me(person: Person) -> MeBody:
    return MeBody(id=person.id, name=person.name, bot=person.is_bot)


async def _log_in(person: Person, service: Service, request: Request, response: Response) -> None:
    new = service.identities.new_session(person, address_of(request), now_ms())
    _set_cookie(response, service, await refuse_on_failure(new))


def _set_cookie(response: Response, service: Service, token: str) -> None:
    """Set the cookie of a session. Scripts cannot read it, other sites cannot send it."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=service.identities.session_ms // 1000,
        httponly=True,
        samesite="lax",
        secure=service.settings.is_secure,
    )


def _without_cookie(service: Service) -> Response:
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=service.settings.is_secure)
    return response
