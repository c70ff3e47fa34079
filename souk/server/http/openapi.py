"""For OpenAPI: how answers look that are not written by pydantic, and how requests are refused."""

from typing import Any

import msgspec
from fastapi import FastAPI

from souk.server.http.replays import Replay, Verification
from souk.server.http.request_bodies import ProblemBody
from souk.server.http.rulebooks import RulesView
from souk.server.live.analyses import AnalysisReply
from souk.server.tables.hosted_games import GameView
from souk.server.tables.views import TableView, Welcome

_KINDS = (Welcome, list[TableView], list[GameView], RulesView, Replay, Verification, AnalysisReply)
_SCHEMAS, _PARTS = msgspec.json.schema_components(
    _KINDS, ref_template="#/components/schemas/{name}"
)

Answers = dict[int | str, dict[str, Any]]
TEXT: Answers = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}

# What a game tells of its board is up to the game; null if there is nothing to tell.
BOARD: Answers = {200: {"content": {"application/json": {"schema": {"type": ["object", "null"]}}}}}

# The HTTP status of a refusal; 400 for all others.
STATUS = {
    "no-identity": 401,
    "not-at-table": 403,
    "not-the-host": 403,
    "cross-origin": 403,
    "no-such-table": 404,
    "no-such-link": 404,
    "not-over": 409,
    "request-used": 409,
    "too-large": 413,
    "too-fast": 429,
    "not-saved": 503,
}


def refusals(*codes: str) -> Answers:
    """How a request can be refused."""
    told: Answers = {}
    for code in codes:
        status = STATUS.get(code, 400)
        others = [told[status]["description"]] if status in told else []
        told[status] = {"model": ProblemBody, "description": ", ".join([*others, code])}
    return told


def answer(kind: Any, status: int = 200) -> Answers:
    """An answer that is one of our own structs."""
    schema = _SCHEMAS[_KINDS.index(kind)]
    return {status: {"content": {"application/json": {"schema": schema}}}}


def describe(app: FastAPI) -> None:
    """Put the parts of our own structs into the description of the whole."""
    written = app.openapi

    def openapi() -> dict[str, Any]:
        document = written()
        document["components"]["schemas"].update(_PARTS)
        return document

    app.openapi = openapi  # type: ignore[method-assign]
