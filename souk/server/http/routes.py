"""The HTTP routes of games, tables and records. Described by OpenAPI."""

import asyncio
import gzip
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal, TypeVarTuple, Unpack

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from souk.engine.errors import SoukError
from souk.games import FIRST
from souk.records.signatures import Signer
from souk.server import rate_limits
from souk.server.clock import now_ms
from souk.server.http import replays, rulebooks
from souk.server.http.answer_worker import AnswerWorker, as_gzip, as_json
from souk.server.http.openapi import BOARD, TEXT, refusals, response_of
from souk.server.http.record_export import finished_record, record_text
from souk.server.http.request_bodies import (
    KeyBody,
    PersonBody,
    ProofBody,
    RecordBody,
    VerifyBody,
    WatchersBody,
)
from souk.server.identities import Identities, Session
from souk.server.live import presence
from souk.server.live.analyses import PENDING, Analyses, AnalysisReply, table_key
from souk.server.live.failures import refuse_on_failure, refuse_unreadable
from souk.server.live.fair_queue import Payer
from souk.server.live.invalidations import Invalidations
from souk.server.live.live_table import LiveTable
from souk.server.live.registry import Registry
from souk.server.live.running_games import refuse_running
from souk.server.local_network import LocalNetwork
from souk.server.proof_of_work import BITS, Challenges
from souk.server.rate_limits import Rate, RateLimits
from souk.server.settings import Settings
from souk.server.store import StoredTable
from souk.server.store.my_games import MyGames
from souk.server.tables import entries as e
from souk.server.tables import hosted_games, views
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.new_table import new_table, rematch_request
from souk.server.tables.request import Person
from souk.server.tables.table_request import NewTable

Arguments = TypeVarTuple("Arguments")
Status = Literal["waiting", "playing", "over"]
CHARGED_ACTIONS = 300  # of a replay count as one more request: a long answer takes memory
BUSY_FACTOR = 4  # calls that wait for each worker, from which on new identities cost something
MAX_WATCHERS = 20  # whose names are listed
LISTED_MS = 24 * 3600 * 1000  # tables without a change for longer are not listed
Limit = Annotated[int, Query(ge=1, le=100)]
GameText = Annotated[str, Query(min_length=1, max_length=300, examples=[f"{FIRST}(players=3)"])]

# A malformed id is the id of no table, hence 404: pydantic documents the pattern, we check it.
AnyId = Annotated[
    str, Path(description="The id of a table.", json_schema_extra={"pattern": e.TABLE_ID})
]

# Every request can be refused like this; 422 is a malformed request.
_ANY = refusals("bad-request", "cross-origin", "banned", "too-large", "too-fast", "not-saved")
ANY_REFUSAL = {**_ANY, 422: _ANY[400]}
router = APIRouter(prefix="/api", responses=ANY_REFUSAL)


class Service:
    """The dependencies of the routes."""

    signer: Signer  # set when the database is open

    def __init__(
        self,
        registry: Registry,
        identities: Identities,
        limits: RateLimits,
        invalidations: Invalidations,
        settings: Settings,
        local_network: LocalNetwork,
    ) -> None:
        self.registry = registry
        self.identities = identities
        self.limits = limits
        self.invalidations = invalidations
        self.settings = settings
        self.local_network = local_network
        self.analyses = Analyses(registry.start_task)
        self.my_games = MyGames(registry.store)
        self.answer_worker = AnswerWorker(limits=limits.is_on)
        # By position and nodes; whoever knows one may as well know a refined one.
        self.evaluations: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
        self.challenges = Challenges(identities.sign, limits)
        self.erasing = asyncio.Lock()
        self._is_warm = False

    def warm_up(self) -> None:
        """Start the workers in the background, once, so that nobody waits for them later."""
        if not self._is_warm:
            self._is_warm = True
            self.registry.start_task(self.answer_worker.call("", hosted_games.warm_up))
            self.registry.start_task(self.registry.workers.warm_up())

    def check_rate(
        self, rate: Rate, who: str, address: str | None = None, *, requests: int = 1
    ) -> None:
        """Refuse a request over the rate limit; one with a long answer counts as several."""
        for _ in range(requests):
            if not self.limits.allow(rate, who, address):
                raise Refusal("too-fast", "Too many requests: wait a moment.")

    def check_new_person(self, address: str, proof: ProofBody | None) -> None:
        """Refuse a new identity over the rate limit, or under load without a proof of work."""
        if not self.limits.is_on:
            return
        now = now_ms()
        if proof is not None:
            given = (proof.challenge, proof.solution)
            if self.challenges.is_solved(*given, address, now):
                self.check_rate(rate_limits.NEW_PEOPLE, address)
                return
        elif not self._is_loaded(address):
            self.check_rate(rate_limits.NEW_PEOPLE, address)
            return
        challenge = {"challenge": self.challenges.new(address, now), "bits": BITS}
        raise Refusal(
            "proof-needed",
            "The server is busy: send the solution of this challenge with your name.",
            {"proof": challenge},
        )

    def _is_loaded(self, address: str) -> bool:
        """Return whether new identities cost a proof of work, for an address or for all."""
        queue = self.registry.workers.queue
        return (
            queue.waiting() > BUSY_FACTOR * queue.workers
            or not self.limits.allow(rate_limits.FREE_PEOPLE, address)
            or not self.limits.allow(rate_limits.ALL_FREE_PEOPLE, "")
        )

    async def stored_table(self, id: str) -> StoredTable:
        """Return a table as it is stored, or refuse."""
        with refuse_unreadable(id):
            stored = await refuse_on_failure(self.registry.store.load(id))
        if stored is None:
            raise Refusal("no-such-table", "There is no such table.")
        return stored

    async def live_table(self, id: str, request: Request) -> LiveTable:
        """Return a live table, or refuse."""
        address = address_of(request)
        live = await self.registry.get(id, Payer(address, address))
        if live is None:
            raise Refusal("no-such-table", "There is no such table.")
        return live


async def _service(request: Request) -> Service:  # not in a thread, as FastAPI runs others
    service: Service = request.app.state.service
    return service


ServiceDependency = Annotated[Service, Depends(_service)]


async def _table_id(id: AnyId) -> str:
    if not re.fullmatch(e.TABLE_ID, id):
        raise Refusal("no-such-table", "There is no such table.")
    return id


TableId = Annotated[str, Depends(_table_id)]


async def _identify(request: Request, service: ServiceDependency) -> Session | None:
    return await refuse_on_failure(service.identities.identify(request.headers, now_ms()))


OptionalSession = Annotated[Session | None, Depends(_identify)]


async def require_session(session: OptionalSession) -> Session:
    """Refuse a request without an identity."""
    if session is None:
        raise Refusal("no-identity", "Choose a name first: POST /api/me.")
    return session


MySession = Annotated[Session, Depends(require_session)]


async def _person_of(session: MySession) -> Person:
    return session.person


Me = Annotated[Person, Depends(_person_of)]


def address_of(request: Request) -> str:
    """Return the key by which a request's address is limited."""
    return rate_limits.network(request.client.host) if request.client else "?"


def json_response(value: Any, status: int = 200) -> Response:
    """Return a value as a JSON response."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def table_list(listed: Sequence[bytes]) -> Response:
    """Return stored views as a JSON response, without damaged ones."""
    return json_response([msgspec.Raw(view) for view in listed if _is_json(view)])


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


async def computed_response(
    request: Request,
    service: Service,
    function: Callable[[Unpack[Arguments]], Any],
    *arguments: *Arguments,
) -> Response:
    """Return the response of slow work, done in a worker. The caller checks the rate."""
    address = address_of(request)
    if not _accepts_gzip(request):
        text = await service.answer_worker.call(address, as_json, function, *arguments)
        return _long_response(text)
    text = await service.answer_worker.call(address, as_gzip, function, *arguments)
    return _long_response(text, encoding="gzip")


async def cached_response(
    request: Request,
    service: Service,
    function: Callable[[Unpack[Arguments]], Any],
    *arguments: *Arguments,
) -> Response:
    """Return the response of slow work that depends on the arguments alone."""
    text = service.answer_worker.cached(function, *arguments)
    if text is None:
        address = address_of(request)
        service.check_rate(rate_limits.RULES, address)
        text = await service.answer_worker.call(address, as_json, function, *arguments)
        service.answer_worker.remember(text, function, *arguments)
    return Response(text, media_type="application/json")


def compressed_response(request: Request, compressed: bytes, status: int = 200) -> Response:
    """Return a response of compressed JSON, as it is if the client accepts that."""
    if not _accepts_gzip(request):
        return _long_response(gzip.decompress(compressed), status)
    return _long_response(compressed, status, encoding="gzip")


def _accepts_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _long_response(text: bytes, status: int = 200, *, encoding: str = "") -> Response:
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": encoding} if encoding else {})
    return Response(text, status, headers, media_type="application/json")


# ---- games and tables ---------------------------------------------------------------------------


@router.get("/games", responses=response_of(list[hosted_games.GameView]))
async def list_games() -> Response:
    """Return the games, with their knobs and computer players."""
    return json_response(hosted_games.game_views())


@router.get("/games/{name}/board", response_class=Response, responses=BOARD | refusals("bad-game"))
async def game_board(
    name: Annotated[str, Path(max_length=60)],
    game: GameText,
    service: ServiceDependency,
    request: Request,
) -> Response:
    """Return the board of a game, to be drawn; null for a game without board data."""
    try:
        hosted = hosted_games.hosted_game(game)
    except SoukError as error:
        raise Refusal("bad-game", f"{error}.") from None
    if hosted.name != name:
        raise Refusal("bad-game", f"This is no game of {name}: {hosted}.")
    text = service.answer_worker.cached("board", hosted)
    if text is None:
        service.check_rate(rate_limits.RULES, address_of(request))
        text = hosted_games.board_json(hosted)
        service.answer_worker.remember(text, "board", hosted)
    return Response(text, media_type="application/json")


@router.get(
    "/games/{name}/rules", responses=response_of(rulebooks.RulesView) | refusals("bad-game")
)
async def rules_of_game(
    name: Annotated[str, Path(max_length=60)],
    service: ServiceDependency,
    request: Request,
    language: Annotated[
        str, Query(max_length=20, description="en if there is no such language.")
    ] = "en",
    game: Annotated[
        str | None,
        Query(max_length=300, description="By default with default knobs."),
    ] = None,
) -> Response:
    """Return the rules of a game with exactly these knobs, as HTML."""
    return await cached_response(request, service, rulebooks.rules, name, game, language)


@router.get("/tables", responses=response_of(list[views.TableView]))
async def public_tables(
    service: ServiceDependency, status: Status = "waiting", limit: Limit = 50
) -> Response:
    """Return public tables, newest first."""
    since = now_ms() - LISTED_MS
    return table_list(await refuse_on_failure(service.registry.store.views(status, limit, since)))


@router.post(
    "/tables",
    status_code=201,
    responses=response_of(views.Welcome, 201)
    | refusals("no-identity", "bad-request", "bad-game", "bad-table", "not-possible", "seats-open")
    | refusals("request-used"),
)
async def create_table(
    body: NewTable, me: Me, service: ServiceDependency, request: Request
) -> Response:
    """Create a table, and start its game if requested.

    With a `request` this is idempotent: repeating it returns the same table as it is by now, also
    after a restart. Another table under the same name is refused as `request-used`.
    """
    service.check_rate(rate_limits.NEW_TABLES, me.id, address_of(request))
    id = None if body.request is None else service.identities.table_id(me, body.request)
    config, first = new_table(body, me, now_ms(), id=id)
    live = await _created(service, request, config, first)
    if live.table.config.request_digest != config.request_digest:
        raise Refusal("request-used", "You have used this request name for another table.")
    return json_response(await live.welcome(), 201)


async def _created(
    service: Service, request: Request, config: TableConfig, first: Sequence[AnyEntry]
) -> LiveTable:
    """Return a new table, or the one that the same request has created before."""
    registry, payer = service.registry, Payer(address_of(request), config.host)
    has_people = any(isinstance(seat, e.OpenSeat) for seat in config.seats)
    is_counted = not has_people and isinstance(first[-1], e.Started)
    if is_counted and config.request_digest is not None:
        known = await registry.get(config.id, payer)
        if known is not None:
            return known
    if is_counted:
        registry.computer_tables.start(config.id, payer)
    try:
        live = await registry.create(config, first)
    except BaseException:
        registry.computer_tables.remove(config.id)
        raise
    return live or await service.live_table(config.id, request)


@router.get(
    "/tables/{id}", responses=response_of(views.Welcome) | refusals("no-such-table", "unreadable")
)
async def one_table(id: TableId, service: ServiceDependency, request: Request) -> Response:
    """Return a table with its position, as a socket sends it."""
    return json_response(await (await service.live_table(id, request)).welcome())


@router.get("/tables/{id}/watchers", responses=refusals("no-such-table", "unreadable"))
async def table_watchers(id: TableId, service: ServiceDependency, request: Request) -> WatchersBody:
    """Return who watches a table without a seat; only those who are connected to this process."""
    named, anonymous = presence.watching(await service.live_table(id, request))
    people = [PersonBody(person=person, name=name) for person, name in named.items()]
    hidden = max(0, len(people) - MAX_WATCHERS)
    return WatchersBody(people=people[:MAX_WATCHERS], others=anonymous + hidden)


@router.get(
    "/tables/{id}/record",
    response_class=Response,
    responses=TEXT | refusals("no-such-table", "unreadable"),
)
async def table_record(id: TableId, service: ServiceDependency, request: Request) -> Response:
    """Return the signed record of a game so far; once it is over, with the secret of its dice."""
    address = address_of(request)
    service.check_rate(rate_limits.REPLAYS, address)
    stored = await service.stored_table(id)
    headers = {"Content-Disposition": f'attachment; filename="souk-{id}.souk"'}
    with refuse_unreadable(id):
        text = await service.answer_worker.call(address, record_text, stored, service.signer)
    return PlainTextResponse(text, headers=headers)


@router.get(
    "/tables/{id}/replay",
    responses=response_of(replays.Replay) | refusals("no-such-table", "unreadable", "not-possible"),
)
async def table_replay(id: TableId, service: ServiceDependency, request: Request) -> Response:
    """Return a game so far, step by step, for viewers without rules."""
    service.check_rate(rate_limits.REPLAYS, address_of(request))
    stored = await service.stored_table(id)
    _charge_actions(service, request, replays.acted_entries(stored))
    with refuse_unreadable(id):
        return await computed_response(request, service, replays.replay_of_table, stored)


def _charge_actions(service: Service, request: Request, actions: int) -> None:
    """Charge a replay for its actions, besides the request: a long answer takes memory."""
    count = actions // CHARGED_ACTIONS
    service.check_rate(rate_limits.REPLAYS, address_of(request), requests=count)


@router.post(
    "/replay", responses=response_of(replays.Replay) | refusals("bad-request", "bad-record")
)
async def record_replay(body: RecordBody, service: ServiceDependency, request: Request) -> Response:
    """Return a record step by step, for viewers without rules."""
    service.check_rate(rate_limits.REPLAYS, address_of(request))
    record = await service.answer_worker.call(address_of(request), replays.record_in, body.record)
    _charge_actions(service, request, len(record.actions))
    return await computed_response(request, service, replays.replay_of_record, record)


_ANALYSED = response_of(AnalysisReply) | response_of(AnalysisReply, 202)


@router.get(
    "/tables/{id}/analysis",
    responses=_ANALYSED | refusals("no-such-table", "unreadable", "not-over", "not-possible"),
)
async def table_analysis(id: TableId, service: ServiceDependency, request: Request) -> Response:
    """Return the analysis of a finished game, luck and skill; 202 while it is pending."""
    reply = service.analyses.get(table_key(id))
    if reply is None:
        service.check_rate(rate_limits.ANALYSES, address_of(request))
        stored = await service.stored_table(id)
        address = address_of(request)
        with refuse_unreadable(id):
            record = await service.answer_worker.call(address, finished_record, stored)
        store_luck = partial(service.my_games.set_luck, id)
        reply = service.analyses.start(table_key(id), record, Payer(address, address), store_luck)
    return compressed_response(request, reply, 202 if reply is PENDING else 200)


@router.post(
    "/analysis",
    responses=_ANALYSED | refusals("bad-request", "bad-record", "not-possible", "not-over"),
)
async def record_analysis(
    body: RecordBody, service: ServiceDependency, request: Request
) -> Response:
    """Return the analysis of a record, luck and skill; 202 while it is pending."""
    key = hashlib.sha256(body.record.encode("utf-8", "surrogatepass")).hexdigest()
    reply = service.analyses.get(key)
    if reply is None:
        service.check_rate(rate_limits.ANALYSES, address_of(request))
        address = address_of(request)
        record = await service.answer_worker.call(address, replays.record_in, body.record)
        payer = Payer(address, address)
        await refuse_running(service.registry, record, payer)
        reply = service.analyses.start(key, record, payer)
    return compressed_response(request, reply, 202 if reply is PENDING else 200)


@router.post(
    "/verify", responses=response_of(replays.Verification) | refusals("bad-request", "bad-record")
)
async def verify_record(body: VerifyBody, service: ServiceDependency, request: Request) -> Response:
    """Find out what is proven of a finished game, from its record."""
    service.check_rate(rate_limits.REPLAYS, address_of(request))
    return await computed_response(
        request,
        service,
        replays.verify,
        body.record,
        body.commitment,
        body.history_hash,
        [service.signer.key, *service.signer.previous_keys],
    )


@router.get("/key")
async def public_key(service: ServiceDependency) -> KeyBody:
    """Return the public key that verifies the records of this server, and earlier ones."""
    signer = service.signer
    return KeyBody(algorithm="ed25519", key=signer.key, previous=signer.previous_keys)


@router.post(
    "/tables/{id}/rematch",
    status_code=201,
    responses=response_of(views.Welcome, 201)
    | refusals("no-identity", "no-such-table", "not-over", "cross-origin", "not-at-table"),
)
async def rematch(id: TableId, me: Me, service: ServiceDependency, request: Request) -> Response:
    """Create a rematch, or return the one that exists already."""
    service.check_rate(rate_limits.NEW_TABLES, me.id, address_of(request))
    live = await service.live_table(id, request)
    new, rematch = await live.read(lambda table: (rematch_request(table, me), table.rematch))
    if rematch is None:
        # The id is derived from this table's, so there is only one rematch.
        rematch = service.identities.rematch_id(id)
        await service.registry.create(*new_table(new, me, now_ms(), id=rematch, rematch_of=id))

        def command() -> AnyEntry | None:
            if live.table.rematch is not None:
                return None
            return e.Rematched(at=now_ms(), by=me.id, table=rematch)

        await live.perform(command)
    return json_response(await (await service.live_table(rematch, request)).welcome(), 201)
