"""The HTTP routes of study boards: try actions from any position. Described by OpenAPI."""

from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple, Unpack

import msgspec
from fastapi import APIRouter, Request, Response

from souk.server import rate_limits
from souk.server.http import studies
from souk.server.http.openapi import PREVIEWS, refusals, response_of
from souk.server.http.request_bodies import EvaluationBody, PreviewsBody, StudyBody
from souk.server.http.routes import (
    ANY_REFUSAL,
    Service,
    ServiceDependency,
    address_of,
    computed_response,
    json_response,
)
from souk.server.live.fair_queue import Payer, Urgency
from souk.server.live.fair_workers import Order
from souk.server.live.running_games import refuse_running
from souk.server.tables.commands import Refusal

MAX_CACHED = 500  # evaluations, least recently used dropped first
CHARGED_ACTIONS = 50  # of a study count as one more request: a long answer takes memory
MAX_WAITING = 8  # calls of an address; further ones are refused

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

router = APIRouter(prefix="/api", responses=ANY_REFUSAL)


@router.post(
    "/study",
    responses=response_of(studies.Study) | refusals("bad-game", "bad-position", "illegal"),
)
async def study(body: StudyBody, service: ServiceDependency, request: Request) -> Response:
    """Return the positions that actions lead to, from a position or a new game."""
    count = 1 + len(body.actions) // CHARGED_ACTIONS
    service.check_rate(rate_limits.STUDIES, address_of(request), requests=count)
    position = None if body.position is None else position_json(body.position)
    return await computed_response(
        request, service, studies.study, body.game, position, body.actions
    )


@router.post("/study/previews", responses=PREVIEWS | refusals("bad-position", "illegal"))
async def previews(body: PreviewsBody, service: ServiceDependency, request: Request) -> Response:
    """Return what each of some actions would cause in a position, as live tables send it."""
    service.check_rate(rate_limits.STUDIES, address_of(request))
    position = position_json(body.position)
    return json_response(
        await _work(request, service, "previews", studies.previews, position, body.actions)
    )


@router.post(
    "/study/evaluation",
    responses=response_of(studies.Evaluation) | refusals("bad-position", "not-over"),
)
async def evaluation(
    body: EvaluationBody, service: ServiceDependency, request: Request
) -> Response:
    """Return the winning chances after every action of a position, quick or refined.

    The position of a game that is being played without hints is refused.
    """
    position, address, known = (
        position_json(body.position),
        address_of(request),
        service.evaluations,
    )
    nodes = studies.REFINED_NODES if body.refined else studies.QUICK_NODES
    if (position, nodes) not in known:
        service.check_rate(rate_limits.EVALUATIONS, address)
        if (position, studies.QUICK_NODES) not in known:
            record = await service.answer_worker.call(address, studies.record_at, position)
            await refuse_running(service.registry, record, Payer(address, address))
        # The time of a refined one depends on the position: it must not pass for quick work.
        what = "" if body.refined else "evaluation"
        known[position, nodes] = await _work(
            request, service, what, studies.evaluation, position, nodes
        )
    known.move_to_end((position, nodes))
    if len(known) > MAX_CACHED:
        known.popitem(last=False)
    return Response(known[position, nodes], media_type="application/json")


async def _work(
    request: Request,
    service: Service,
    what: str,
    function: Callable[[Unpack[Arguments]], T],
    *arguments: *Arguments,
) -> T:
    """Call a function in a worker of the computer players: an answer to somebody who waits."""
    address, workers = address_of(request), service.registry.workers
    if service.limits.is_on and workers.queue.waiting(address) >= MAX_WAITING:
        raise Refusal("too-fast", "Too many requests of your address wait: try again later.")
    try:
        order = Order(Payer(address, address), Urgency.HINT, what)
        return await workers.run(order, function, *arguments)
    except TimeoutError:
        raise Refusal("not-possible", "This took too long.") from None


def position_json(position: dict[str, Any]) -> bytes:
    """Return a position of a request as JSON, or refuse it."""
    try:
        return msgspec.json.encode(position)
    except (RecursionError, ValueError):  # deep, or not Unicode
        raise Refusal("bad-position", "This position cannot be read.") from None
