"""`/healthz` and `/readyz`: whether the server can do its work.

Both check that the database can be written, that its disk has space and that computer players can
think. `/readyz` also says no while the server stops, so that proxies send new clients elsewhere.
"""

import asyncio
import time

from fastapi import FastAPI, Response

from souk.server.http.routes import json_response
from souk.server.live.registry import Registry
from souk.server.store import PersistError

SECONDS = 1.0  # for which good health is believed: each check writes to the disk
TIMEOUT = 5.0  # seconds until a database that does not answer counts as lost


class Health:
    """The state of a server. While it is good, it is checked at most once a second."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._was_good = -SECONDS  # when
        self._lock = asyncio.Lock()

    async def problems(self) -> list[str]:
        """Return what is wrong, in sentences."""
        async with self._lock:
            if time.monotonic() < self._was_good + SECONDS:
                return []
            problems = await self._check()
            if not problems:
                self._was_good = time.monotonic()
            return problems

    async def _check(self) -> list[str]:
        problems = [self.registry.workers.problem()]
        try:
            async with asyncio.timeout(TIMEOUT):
                await self.registry.store.check()
        except PersistError as error:
            problems.append(f"the database cannot be written: {error}")
        except TimeoutError:
            problems.append("the database does not answer")
        return [problem for problem in problems if problem is not None]


def add_health_routes(app: FastAPI, registry: Registry) -> None:
    """Add `/healthz` and `/readyz`."""
    health = Health(registry)

    @app.api_route("/healthz", methods=["GET", "HEAD"], include_in_schema=False)
    async def healthz() -> Response:
        return _answer(await health.problems())

    @app.api_route("/readyz", methods=["GET", "HEAD"], include_in_schema=False)
    async def readyz() -> Response:
        stopping = ["the server is stopping"] if registry.is_closing else []
        return _answer(stopping + await health.problems())


def _answer(problems: list[str]) -> Response:
    if problems:
        return json_response({"ok": False, "error": "; ".join(problems)}, 503)
    return json_response({"ok": True})
