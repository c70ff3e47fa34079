"""What clients ask for over HTTP: who they are, games, tables, records. Described by OpenAPI."""

import asyncio
import gzip
import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from souk.engine.errors import SoukError
from souk.server import rate_limits
from souk.server.http import replays, rulebooks
from souk.server.http.openapi import BOARD, TEXT, answer, refusals
from souk.server.http.record_export import record_of, record_text
from souk.server.http.request_bodies import (
    BotBody,
    ClaimBody,
    LinkBody,
    MeBody,
    NameBody,
    NewTable,
    RecordBody,
    VerifyBody,
)
from souk.server.identities import COOKIE, COOKIE_SECONDS, LINK_MS, Identities
from souk.server.live.analyses import NOT_YET, Analyses, AnalysisReply, table_key
from souk.server.live.live_table import LiveTable, kept, now_ms
from souk.server.live.registry import Registry
from souk.server.rate_limits import Rate, RateLimits
from souk.server.tables import entries as e
from souk.server.tables import hosted_games, views
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import AnyEntry
from souk.server.tables.new_table import again, new_table
from souk.server.tables.referee import Person

Status = Literal["waiting", "playing", "over"]
LISTED_MS = 24 * 3600 * 1000  # tables at which nothing happened for so long are not listed
GZIP_LEVEL = 3  # of gzip: nearly all of the gain for a third of the time
Limit = Annotated[int, Query(ge=1, le=100)]
GameText = Annotated[str, Query(min_length=1, max_length=300, examples=["marracash(players=3)"])]

# What is no id at all is the id of no table: the pattern is told, and not checked by pydantic.
AnyId = Annotated[
    str, Path(description="The id of a table.", json_schema_extra={"pattern": e.TABLE_ID})
]

# Whatever is asked for can be refused like this; 422 is a request that means nothing here.
_ANY = refusals("bad-request", "cross-origin", "too-large", "too-fast", "not-saved")
router = APIRouter(prefix="/api", responses={**_ANY, 422: _ANY[400]})


class Service:
    """What the routes need."""

    def __init__(
        self, registry: Registry, people: Identities, allowed: RateLimits, *, secure: bool
    ) -> None:
        self.registry = registry
        self.people = people
        self.limits = allowed
        self.secure = secure  # whether the cookie travels over HTTPS alone
        self.analyses = Analyses(registry.start_task)
        self.exporting = asyncio.Lock()  # replaying takes a while: beside the loop, one at a time

    def check_rate(self, rate: Rate, whose: str) -> None:
        """Refuse what would be too much."""
        if not self.limits.allow(rate, whose):
            raise Refusal("too-fast", "That is too much at once: wait a moment.")

    async def get(self, id: str) -> LiveTable:
        """A table, if there is one."""
        live = await self.registry.get(id)
        if live is None:
            raise Refusal("no-such-table", "There is no such table.")
        return live


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Given = Annotated[Service, Depends(_service)]


def _table_id(id: AnyId) -> str:
    if not re.fullmatch(e.TABLE_ID, id):
        raise Refusal("no-such-table", "There is no such table.")
    return id


TableId = Annotated[str, Depends(_table_id)]


async def _anybody(request: Request, service: Given) -> Person | None:
    return await kept(service.people.who(request.headers))


Anybody = Annotated[Person | None, Depends(_anybody)]


async def _somebody(person: Anybody) -> Person:
    if person is None:
        raise Refusal("no-identity", "Choose a name first: POST /api/me.")
    return person


Me = Annotated[Person, Depends(_somebody)]


def address_of(request: Request) -> str:
    """Where a request comes from, as limits see it."""
    return rate_limits.network(request.client.host) if request.client else "?"


def json_response(value: Any, status: int = 200) -> Response:
    """Anything that msgspec can write."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def computed(request: Request, service: Service, work: Callable[[], Any]) -> Response:
    """The answer to what takes a while: made beside the loop, one at a time, small on the way."""
    service.check_rate(rate_limits.REPLAYS, address_of(request))
    async with service.exporting:
        return await asyncio.to_thread(lambda: packed(request, msgspec.json.encode(work())))


def packed(request: Request, text: bytes, status: int = 200) -> Response:
    """JSON that may be long, small on the way to whoever can unpack it."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        headers = {"Vary": "Accept-Encoding"}
        return Response(text, status, headers, media_type="application/json")
    headers = {"Vary": "Accept-Encoding", "Content-Encoding": "gzip"}
    body = gzip.compress(text, GZIP_LEVEL)
    return Response(body, status, headers, media_type="application/json")


# ---- who am I ---------------------------------------------------------------------------------


@router.get("/me", responses=refusals("no-identity"))
async def who_am_i(
    person: Anybody,
    optional: Annotated[bool, Query(description="Answer null without an identity.")] = False,
) -> MeBody | None:
    """Return who you are, by your cookie or token."""
    if person is None and optional:
        return None  # a page that asks for the first time must not fill the browser's log
    return _me(await _somebody(person))


@router.post("/me")
async def call_me(
    body: NameBody, service: Given, person: Anybody, request: Request, response: Response
) -> MeBody:
    """Choose a name: a new identity if you have none, else another name."""
    if person is not None:
        return _me(await kept(service.people.rename(person, body.name)))
    service.check_rate(rate_limits.NEW_PEOPLE, address_of(request))
    person = await kept(service.people.new(body.name, now_ms()))
    _set_cookie(response, service, person)
    return _me(person)


@router.post("/me/link", responses=refusals("no-identity"))
async def link_me(me: Me, service: Given) -> LinkBody:
    """A word that moves your identity to another device; it works once, for 15 minutes."""
    service.check_rate(rate_limits.NEW_TABLES, me.id)
    now = now_ms()
    return LinkBody(code=await kept(service.people.link(me, now)), expires=now + LINK_MS)


@router.post("/me/claim", responses=refusals("no-such-link"))
async def claim_me(body: ClaimBody, service: Given, request: Request, response: Response) -> MeBody:
    """Take over the identity that a word from another device carries."""
    service.check_rate(rate_limits.NEW_PEOPLE, address_of(request))
    person = await kept(service.people.use_link(body.code, now_ms()))
    if person is None:
        raise Refusal("no-such-link", "This link was used already, or it is too old.")
    _set_cookie(response, service, person)
    return _me(person)


@router.post("/bots", status_code=201)
async def new_bot(body: NameBody, service: Given, request: Request) -> BotBody:
    """An identity for a program. It sends the token as `Authorization: Bearer TOKEN`."""
    service.check_rate(rate_limits.NEW_PEOPLE, address_of(request))
    bot = await kept(service.people.new(body.name, now_ms(), is_bot=True))
    return BotBody(id=bot.id, name=bot.name, bot=True, token=service.people.token(bot))


def _me(person: Person) -> MeBody:
    return MeBody(id=person.id, name=person.name, bot=person.is_bot)


def _set_cookie(response: Response, service: Service, person: Person) -> None:
    """Give a browser its identity. Scripts cannot read it, other sites cannot send it."""
    response.set_cookie(
        COOKIE,
        service.people.token(person),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=service.secure,
    )


# ---- games and tables -------------------------------------------------------------------------


@router.get("/games", responses=answer(list[hosted_games.GameView]))
async def offered_games() -> Response:
    """The games, with their knobs and computer players."""
    return json_response(hosted_games.game_views())


@router.get("/games/{name}/board", response_class=Response, responses=BOARD | refusals("bad-game"))
async def game_board(name: Annotated[str, Path(max_length=60)], game: GameText) -> Response:
    """The board of a game as it is to be drawn; null for a game without board data."""
    try:
        found = hosted_games.hosted_game(game)
    except SoukError as error:
        raise Refusal("bad-game", f"{error}.") from None
    if found.name != name:
        raise Refusal("bad-game", f"This is no game of {name}: {found}.")
    return json_response(found.board_data())


@router.get("/games/{name}/rules", responses=answer(rulebooks.RulesView) | refusals("bad-game"))
async def rules_of_game(
    name: Annotated[str, Path(max_length=60)],
    language: Annotated[str, Query(max_length=20, description="If there is none: en.")] = "en",
    game: Annotated[
        str | None,
        Query(max_length=300, description="Exactly this game; with the usual knobs by default."),
    ] = None,
) -> Response:
    """The rules of a game, exactly as it is set up, for a page to show."""
    try:
        return json_response(rulebooks.rules(name, game, language))
    except SoukError as error:
        raise Refusal("bad-game", f"{error}.") from None


@router.get("/tables", responses=answer(list[views.TableView]))
async def public_tables(service: Given, status: Status = "waiting", limit: Limit = 50) -> Response:
    """Public tables, the newest first."""
    return _listed(await kept(service.registry.store.views(status, limit, now_ms() - LISTED_MS)))


@router.get("/me/tables", responses=answer(list[views.TableView]) | refusals("no-identity"))
async def my_tables(me: Me, service: Given, limit: Limit = 50) -> Response:
    """Your tables, the newest first."""
    return _listed(await kept(service.registry.store.views_of(me.id, limit)))


def _listed(found: Sequence[bytes]) -> Response:
    return json_response([msgspec.Raw(view) for view in found])


@router.post(
    "/tables",
    status_code=201,
    responses=answer(views.Welcome, 201)
    | refusals("no-identity", "bad-request", "bad-game", "bad-table", "not-possible", "seats-open")
    | refusals("request-used"),
)
async def create_table(body: NewTable, me: Me, service: Given) -> Response:
    """Create a table, and start its game if that is wanted.

    With a `request` it is created once: asking again for the same under the same name gives that
    table as it is by now, also after a restart. Asking for another is refused as `request-used`.
    """
    service.check_rate(rate_limits.NEW_TABLES, me.id)
    id = None if body.request is None else service.people.table_id(me, body.request)
    config, first = new_table(body, me, now_ms(), id=id)
    live = await service.registry.create(config, first) or await service.get(config.id)
    if live.table.config.wanted != config.wanted:
        raise Refusal("request-used", "You have used this request name for another table.")
    return json_response(await live.welcome(), 201)


@router.get("/tables/{id}", responses=answer(views.Welcome) | refusals("no-such-table"))
async def one_table(id: TableId, service: Given) -> Response:
    """A table with its position, as a socket would tell it."""
    return json_response(await (await service.get(id)).welcome())


@router.get(
    "/tables/{id}/record",
    response_class=Response,
    responses=TEXT | refusals("no-such-table"),
)
async def table_record(id: TableId, service: Given) -> Response:
    """The record of a game so far; once it is over, with the secret that proves its dice."""
    found = await kept(service.registry.store.load(id))
    if found is None:
        raise Refusal("no-such-table", "There is no such table.")
    headers = {"Content-Disposition": f'attachment; filename="souk-{id}.souk"'}
    async with service.exporting:
        text = await asyncio.to_thread(record_text, found)
    return PlainTextResponse(text, headers=headers)


@router.get("/tables/{id}/replay", responses=answer(replays.Replay) | refusals("no-such-table"))
async def table_replay(id: TableId, service: Given, request: Request) -> Response:
    """A game so far, step by step: all that a viewer without rules needs."""
    found = await kept(service.registry.store.load(id))
    if found is None:
        raise Refusal("no-such-table", "There is no such table.")
    return await computed(request, service, lambda: replays.replay_of_table(found))


@router.post("/replay", responses=answer(replays.Replay) | refusals("bad-request", "bad-record"))
async def record_replay(body: RecordBody, service: Given, request: Request) -> Response:
    """A record step by step: all that a viewer without rules needs."""
    return await computed(request, service, lambda: replays.replay_of_text(body.record))


_ANALYSED = answer(AnalysisReply) | answer(AnalysisReply, 202)


@router.get(
    "/tables/{id}/analysis",
    responses=_ANALYSED | refusals("no-such-table", "not-over", "not-possible"),
)
async def table_analysis(id: TableId, service: Given, request: Request) -> Response:
    """What was luck and what was skill in a finished game; 202 while it is worked out."""
    told = service.analyses.look(table_key(id))
    if told is None:
        service.check_rate(rate_limits.ANALYSES, address_of(request))
        found = await kept(service.registry.store.load(id))
        if found is None:
            raise Refusal("no-such-table", "There is no such table.")
        async with service.exporting:
            table, record = await asyncio.to_thread(record_of, found)
        if table.status != "over":
            raise Refusal("not-over", "A game is analysed when it is over.")
        told = service.analyses.begin(table_key(id), record)
    return packed(request, told, 202 if told is NOT_YET else 200)


@router.post(
    "/analysis", responses=_ANALYSED | refusals("bad-request", "bad-record", "not-possible")
)
async def record_analysis(body: RecordBody, service: Given, request: Request) -> Response:
    """What was luck and what was skill in a record; 202 while it is worked out: ask again."""
    key = hashlib.sha256(body.record.encode("utf-8", "surrogatepass")).hexdigest()
    told = service.analyses.look(key)
    if told is None:
        service.check_rate(rate_limits.ANALYSES, address_of(request))
        async with service.exporting:
            record = await asyncio.to_thread(replays.record_in, body.record)
        told = service.analyses.begin(key, record)
    return packed(request, told, 202 if told is NOT_YET else 200)


@router.post(
    "/verify", responses=answer(replays.Verification) | refusals("bad-request", "bad-record")
)
async def verify_record(body: VerifyBody, service: Given, request: Request) -> Response:
    """Whether the dice of a finished game were fair, from its record."""
    return await computed(request, service, lambda: replays.verified(body.record, body.commitment))


@router.post(
    "/tables/{id}/rematch",
    status_code=201,
    responses=answer(views.Welcome, 201)
    | refusals("no-identity", "no-such-table", "not-over", "cross-origin", "not-at-table"),
)
async def rematch(id: TableId, me: Me, service: Given) -> Response:
    """Set up the next game on the same terms, or find the table that somebody set up already."""
    service.check_rate(rate_limits.NEW_TABLES, me.id)
    live = await service.get(id)
    wanted, following = await live.look(lambda table: (again(table, me), table.rematch))
    if following is None:
        # The id follows from this table's, so whoever is quicker, there is only one.
        following = service.people.rematch_id(id)
        await service.registry.create(*new_table(wanted, me, now_ms(), id=following, rematch_of=id))

        def told() -> AnyEntry | None:
            if live.table.rematch is not None:
                return None
            return e.Rematched(at=now_ms(), by=me.id, table=following)

        await live.change(told)
    return json_response(await (await service.get(following)).welcome(), 201)
