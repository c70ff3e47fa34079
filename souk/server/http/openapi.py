"""Describe answers that pydantic does not encode, and refusals, for OpenAPI."""

from typing import Any

import msgspec
from fastapi import FastAPI

from souk.server.http.descriptions import Description
from souk.server.http.replays import Replay, Verification
from souk.server.http.request_bodies import ProblemBody
from souk.server.http.rulebooks import RulesView
from souk.server.http.studies import Evaluation, Study
from souk.server.live.analyses import AnalysisReply
from souk.server.store.my_games import GameStatistics
from souk.server.tables.hosted_games import GameView
from souk.server.tables.views import TableView, Welcome

_KINDS = (
    *(Welcome, list[TableView], list[GameView], list[GameStatistics]),
    *(RulesView, Replay, Verification, AnalysisReply),
    *(Study, Evaluation, Description),
)
_SCHEMAS, _PARTS = msgspec.json.schema_components(
    _KINDS, ref_template="#/components/schemas/{name}"
)

Answers = dict[int | str, dict[str, Any]]
TEXT: Answers = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}

# Each game has its own form of board; null for a game with only one.
BOARD: Answers = {200: {"content": {"application/json": {"schema": {"type": ["object", "null"]}}}}}

# As in the `preview` of a table.
_PREVIEW_LIST = {"type": "array", "items": {"type": "object"}}
PREVIEWS: Answers = {200: {"content": {"application/json": {"schema": _PREVIEW_LIST}}}}

_SENTENCE_LIST = {"type": "array", "items": {"type": "string"}}
SENTENCES: Answers = {200: {"content": {"application/json": {"schema": _SENTENCE_LIST}}}}

# HTTP status by code; 400 for all others.
STATUS = {
    "no-identity": 401,
    "not-at-table": 403,
    "not-the-host": 403,
    "not-local": 403,
    "cross-origin": 403,
    "banned": 403,
    "no-such-table": 404,
    "no-such-link": 404,
    "no-such-person": 404,
    "not-over": 409,
    "no-network": 409,
    "unreadable": 410,
    "request-used": 409,
    "too-large": 413,
    "proof-needed": 428,
    "too-fast": 429,
    "not-saved": 503,
}


def refusals(*codes: str) -> Answers:
    """Return the responses that refuse a request with these codes."""
    answers: Answers = {}
    for code in codes:
        status = STATUS.get(code, 400)
        others = [answers[status]["description"]] if status in answers else []
        answers[status] = {"model": ProblemBody, "description": ", ".join([*others, code])}
    return answers


def response_of(kind: Any, status: int = 200) -> Answers:
    """Return the response of one of our structs."""
    schema = _SCHEMAS[_KINDS.index(kind)]
    return {status: {"content": {"application/json": {"schema": schema}}}}


def add_schemas(app: FastAPI) -> None:
    """Add the schemas of our structs to an application's OpenAPI document."""
    original = app.openapi

    def openapi() -> dict[str, Any]:
        document = original()
        document["components"]["schemas"].update(_PARTS)
        return document

    app.openapi = openapi  # type: ignore[method-assign]
