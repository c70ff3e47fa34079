"""The whole server as one application: routes, sockets, headers, errors, start and stop."""

import logging

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
from souk.server.http import routes
from souk.server.http.health import add_health_routes
from souk.server.http.openapi import STATUS, add_schemas
from souk.server.http.record_export import RECORD_KEY
from souk.server.http.routes import Service, address_of, json_response
from souk.server.http.static_page import Page
from souk.server.identities import Identities
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.registry import Registry
from souk.server.live.sockets import Sockets, is_same_origin
from souk.server.rate_limits import RateLimits
from souk.server.settings import Settings
from souk.server.store import PersistError, store_at
from souk.server.tables.commands import Refusal
from souk.server.tables.hosted_games import warm_up

MAX_BODY = 65_536  # bytes of a request
MAX_ERROR_TEXT = 500  # characters: an error may quote the request
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

log = logging.getLogger("souk.server")


class SoukApp:
    """The parts of a server, and the application for uvicorn."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        store = store_at(settings.database_url())
        self.registry = Registry(store, PlayerWorkers(settings.worker_count(), settings.seconds))
        self.identities = Identities(store)
        limits = RateLimits(settings.limits)
        self.sockets = Sockets(self.registry, self.identities, limits, settings.origin)
        self.app = FastAPI(
            title="Souk",
            version=souk.__version__,
            summary="Tables of market games",
            openapi_url="/api/openapi.json",
            docs_url=None,
            redoc_url=None,
            redirect_slashes=False,  # to wherever the Host header says
        )
        is_secure = settings.origin.startswith("https:")
        self.service = Service(self.registry, self.identities, limits, secure=is_secure)
        self.app.state.service = self.service
        self.app.include_router(routes.router)
        self.app.routes.append(WebSocketRoute("/api/tables/{id}/live", self.sockets))
        add_health_routes(self.app, self.registry)
        _add_metrics(self.app)
        self.app.routes.append(Page())
        _add_errors(self.app)
        self.app.add_middleware(Guard, limits=limits, settings=settings)
        add_schemas(self.app)

    async def open(self) -> None:
        """Open the database, and resume all tables."""
        warm_up()
        await self.registry.open()
        try:
            await self.identities.open()
            self.service.signer = Signer(
                await self.registry.store.get_or_set(RECORD_KEY, new_key()), self.settings.origin
            )
        except PersistError as error:
            await self.registry.close()
            raise SoukError(f"the database cannot be written: {error}") from None
        log.info("ready")

    async def close(self) -> None:
        """Finish pending writes, and stop."""
        await self.registry.close()
        self.service.analyses.close()
        log.info("stopped")


def _add_metrics(app: FastAPI) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _add_errors(app: FastAPI) -> None:
    """Answer every error with a code and a sentence."""

    @app.exception_handler(Refusal)
    async def refused(_: Request, refusal: Refusal) -> Response:
        return problem(STATUS.get(refusal.code, 400), refusal.code, refusal.sentence)

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
    known = [*routes.router.routes, *app.routes]
    there = [route for route in known if route.matches(request.scope)[0] != Match.NONE]
    return {method for route in there for method in getattr(route, "methods", ())}


def problem(status: int, code: str, sentence: str) -> Response:
    """Return an error, for programs and for people."""
    return json_response({"code": code, "message": sentence}, status)


class Guard:
    """Middleware for every request: rate limits, early refusals, and headers."""

    def __init__(self, app: ASGIApp, limits: RateLimits, settings: Settings) -> None:
        self.app = app
        self.limits = limits
        self.settings = settings
        self.headers = dict(HEADERS)
        if settings.origin.startswith("https:"):
            self.headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; sockets pass through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_started = False

        async def answer(message: Message) -> None:
            nonlocal is_started
            if message["type"] == "http.response.start":
                is_started = True
                self._add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        refusal = _early_refusal(Request(scope), self.limits, self.settings)
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

    def _add_headers(self, headers: MutableHeaders, path: str) -> None:
        for name, value in self.headers.items():
            headers.setdefault(name, value)
        if path.startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")


def _early_refusal(request: Request, limits: RateLimits, settings: Settings) -> Response | None:
    """Return the answer to a request that is refused before it is read."""
    if not limits.allow(rate_limits.REQUESTS, address_of(request)):
        return problem(429, "too-fast", "Too many requests: wait a moment.")
    if request.method in ("GET", "HEAD"):
        return None
    if not is_same_origin(request.headers, settings.origin):
        return problem(403, "cross-origin", "This request is from another site.")
    size = request.headers.get("content-length", "0")
    # A chunked body has an unknown length, whatever its headers say.
    if "transfer-encoding" in request.headers or len(size) > 9 or int(size) > MAX_BODY:
        return problem(
            413, "too-large", f"A body must state its length, of at most {MAX_BODY} bytes."
        )
    return None
