"""The whole server as one application: routes, sockets, headers, errors, start and stop."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import Match, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import souk
from souk.engine.errors import SoukError
from souk.records.signatures import Signer, new_key
from souk.server import rate_limits
from souk.server.bans import Bans
from souk.server.clock import DAY_MS, now_ms
from souk.server.http import (
    description_routes,
    my_games_routes,
    network_routes,
    people_routes,
    routes,
    study_routes,
)
from souk.server.http.connections import Connections
from souk.server.http.health import add_health_routes
from souk.server.http.link_preview import LinkPreviews
from souk.server.http.openapi import STATUS, add_schemas
from souk.server.http.record_export import RECORD_KEY
from souk.server.http.routes import Service, json_response
from souk.server.http.static_page import Page
from souk.server.identities import Identities
from souk.server.live.invalidations import Invalidations
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.registry import Registry
from souk.server.live.shared_limits import SharedLimits
from souk.server.live.sockets import Sockets, refuse_handshake
from souk.server.local_network import LocalNetwork
from souk.server.origins import is_trustworthy, refusal_of_origin
from souk.server.rate_limits import RateLimits, network
from souk.server.retention import clean_up
from souk.server.settings import Settings
from souk.server.store import PersistError, store_at
from souk.server.store.people import People
from souk.server.tables.commands import Refusal
from souk.server.tables.hosted_games import warm_up

ROUTES = (
    *(people_routes, my_games_routes, routes, study_routes, description_routes),
    network_routes,
)
CLEAN_UP_SECONDS = 3600.0
MAX_BODY = 8_192  # bytes of a request
MAX_RECORD_BODY = 65_536  # of one with a record
STUDY_PATHS = (
    *("/api/study", "/api/study/previews", "/api/study/evaluation"),
    *("/api/description", "/api/description/actions"),
)
RECORD_PATHS = ("/api/replay", "/api/verify", "/api/analysis", *STUDY_PATHS)
CHARGED_BYTES = 4_096  # of a body count as one more request
PENALTY_SECONDS = 1.0  # until a request that came too fast is answered
MAX_PENALTIES = 50  # of an address at a time; others are answered at once
TOO_FAST = "Too many requests: wait a moment."
MAX_ERROR_TEXT = 500  # characters: an error may quote the request
OPENER_POLICY = "Cross-Origin-Opener-Policy"
ASSET_HEADERS = {"Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff"}
# Of everything but assets: scripts, styles and fonts are no documents, and there are many.
DOCUMENT_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    OPENER_POLICY: "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}

log = logging.getLogger("souk.server")


class SoukApp:
    """The parts of a server, and the application for uvicorn."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        store = store_at(settings.database_url())
        limits = RateLimits(settings.limits, is_shared=not store.is_single_process)
        self.shared_limits = SharedLimits(limits, store)
        workers = PlayerWorkers(settings.worker_count(), settings.seconds)
        self.registry = Registry(store, workers, limits)
        self.people = People(store)
        bans = Bans(self.people, settings.contact)
        session_ms = settings.session_days * DAY_MS
        self.identities = Identities(store, self.people, bans, session_ms)
        self.connections = Connections(limits, settings.proxies, settings.connections)
        self.sockets = Sockets(
            self.registry, self.identities, limits, settings.origin, self.connections.per_address
        )
        self.invalidations = Invalidations(self.registry, self.identities, self.sockets)
        self.app = FastAPI(
            title="Souk",
            version=souk.__version__,
            summary="Tables of market games",
            openapi_url="/api/openapi.json",
            docs_url=None,
            redoc_url=None,
            redirect_slashes=False,  # to wherever the Host header says
        )
        self.local_network = LocalNetwork(self.connections)
        self.service = Service(
            self.registry,
            self.identities,
            limits,
            self.invalidations,
            settings,
            self.local_network,
        )
        self.app.state.service = self.service
        for part in ROUTES:
            self.app.include_router(part.router)
        self.app.routes.append(WebSocketRoute("/api/tables/{id}/live", self.sockets))
        add_health_routes(self.app, self.registry)
        _add_metrics(self.app, settings)
        self.app.routes.append(Page(previews=LinkPreviews(store, settings.origin)))
        _add_errors(self.app)
        self.app.add_middleware(Guard, limits=limits, bans=bans, settings=settings)
        add_schemas(self.app)

    async def open(self) -> None:
        """Open the database, and resume all tables."""
        warm_up()
        await self.registry.open()
        try:
            await self.identities.open()
            await self.invalidations.open()
            self.service.signer = Signer(
                await self.registry.store.get_or_set(RECORD_KEY, new_key()), self.settings.origin
            )
        except PersistError as error:
            await self.registry.close()
            raise SoukError(f"the database cannot be written: {error}") from None
        self.registry.start_task(self._clean_up())
        if not self.registry.store.is_single_process:  # others serve until our players are ready
            await self.registry.workers.warm_up()
        self.registry.start_task(self.connections.watch())
        self.registry.start_task(self.shared_limits.run())
        log.info("ready", extra={"max_connections": self.connections.most})

    async def _clean_up(self) -> None:
        """Delete what is too old, every hour."""
        while True:
            try:
                await clean_up(self.people, self.settings.retention(), now_ms())
            except PersistError as error:
                log.error("the store failed", extra={"error": str(error)})
            await asyncio.sleep(CLEAN_UP_SECONDS)

    async def close(self) -> None:
        """Finish pending writes, and stop."""
        await self.registry.close()
        self.service.analyses.close()
        self.service.answer_worker.close()
        log.info("stopped")


def _add_metrics(app: FastAPI, settings: Settings) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        client = request.client
        if client is None or not settings.may_read_metrics(client.host):
            return problem(
                403,
                "bad-request",
                "Metrics are not public: the server's --metrics lists the addresses that get them.",
            )
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _add_errors(app: FastAPI) -> None:
    """Answer every error with a code and a sentence."""

    @app.exception_handler(Refusal)
    async def refused(_: Request, refusal: Refusal) -> Response:
        status = STATUS.get(refusal.code, 400)
        return problem(status, refusal.code, refusal.sentence, refusal.details)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        problems = [
            f"{'.'.join(map(str, one['loc'][1:])) or one['loc'][0]}: {one['msg']}"
            for one in error.errors()
        ]
        return problem(422, "bad-request", "; ".join(problems[:5])[:MAX_ERROR_TEXT])

    @app.exception_handler(HTTPException)
    async def missing(request: Request, error: HTTPException) -> Response:
        answer = problem(error.status_code, "bad-request", f"{error.detail}.")
        if error.status_code == 405:
            answer.headers["Allow"] = ", ".join(sorted(_methods(app, request)))
        return answer


def _methods(app: FastAPI, request: Request) -> set[str]:
    """Return the methods of an address; several routes may share it."""
    known = [*(route for part in ROUTES for route in part.router.routes), *app.routes]
    there = [route for route in known if route.matches(request.scope)[0] != Match.NONE]
    return {method for route in there for method in getattr(route, "methods", ())}


def problem(
    status: int, code: str, sentence: str, details: Mapping[str, object] | None = None
) -> Response:
    """Return an error, for programs and for people."""
    return json_response({"code": code, "message": sentence, **(details or {})}, status)


class Guard:
    """Middleware for every request: rate limits, early refusals, and headers."""

    def __init__(self, app: ASGIApp, limits: RateLimits, bans: Bans, settings: Settings) -> None:
        self.app = app
        self.limits = limits
        self.bans = bans
        self.settings = settings
        self.asset_headers = dict(ASSET_HEADERS)
        self._punished: Counter[str] = Counter()  # requests that wait, by address
        if settings.is_secure:
            self.asset_headers["Strict-Transport-Security"] = "max-age=31536000"
        self.headers = {**DOCUMENT_HEADERS, **self.asset_headers}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; sockets pass through."""
        address = network(scope["client"][0]) if scope.get("client") else "?"
        if scope["type"] != "http":
            if self.limits.allow(rate_limits.REQUESTS, address):
                await self.app(scope, receive, send)
            else:
                await receive()
                await self._punish(address)
                await refuse_handshake(send, 429, "too-fast", TOO_FAST)
            return
        is_started = False

        async def answer(message: Message) -> None:
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                self._add_headers(MutableHeaders(scope=message), Request(scope))
            await send(message)

        refusal = _early_refusal(Request(scope), address, self.limits, self.bans, self.settings)
        if refusal is not None:
            refusal.headers["Connection"] = "close"  # or the rest of the request would be read
            if refusal.status_code == 429:
                await self._punish(address)
        try:
            await (refusal or self.app)(scope, receive, answer)
        except Exception as error:  # caught here, so that the answer has our headers
            log.error("a request failed", exc_info=error, extra={"path": scope["path"]})
            if is_started:
                raise
            failed = problem(
                500, "internal-error", "Something went wrong on the server; the error was logged."
            )
            await failed(scope, receive, answer)

    async def _punish(self, address: str) -> None:
        """Let a client wait that asks too fast, so that refusing it takes little time."""
        if self._punished[address] < MAX_PENALTIES:
            self._punished[address] += 1
            await asyncio.sleep(PENALTY_SECONDS)
            self._punished[address] -= 1
            if not self._punished[address]:
                del self._punished[address]

    def _add_headers(self, headers: MutableHeaders, request: Request) -> None:
        path = request.scope["path"]
        is_asset = path.startswith("/assets/")
        for name, value in (self.asset_headers if is_asset else self.headers).items():
            headers.setdefault(name, value)
        is_secure = self.settings.is_secure or is_trustworthy(
            request.scope["scheme"], request.headers.get("host", "")
        )
        if not is_secure:
            del headers[OPENER_POLICY]  # browsers ignore it there, and complain
        if path.startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")


def _early_refusal(
    request: Request, address: str, limits: RateLimits, bans: Bans, settings: Settings
) -> Response | None:
    """Return the answer to a request that is refused before it is read."""
    size = request.headers.get("content-length", "0")
    most = MAX_RECORD_BODY if request.scope["path"] in RECORD_PATHS else MAX_BODY
    # A chunked body has an unknown length, whatever its headers say.
    is_large = "transfer-encoding" in request.headers or len(size) > 9 or int(size) > most
    cost = 1 if is_large else 1 + int(size) // CHARGED_BYTES
    if not all(limits.allow(rate_limits.REQUESTS, address) for _ in range(cost)):
        return problem(429, "too-fast", TOO_FAST)
    ban = bans.of_address(address, now_ms()) if request.scope["path"].startswith("/api/") else None
    if ban is not None:
        return problem(403, "banned", bans.refusal(ban).sentence)
    if (why := refusal_of_origin(_checked_headers(request), settings.origin)) is not None:
        return problem(403, "cross-origin", why)
    if is_large:
        return problem(413, "too-large", f"A body must state its length, of at most {most} bytes.")
    return None


def _checked_headers(request: Request) -> Mapping[str, str]:
    """Return the headers that say where a request is from; reading is allowed to all pages."""
    if request.method in ("GET", "HEAD"):
        return {"host": request.headers.get("host", "")}
    return request.headers
