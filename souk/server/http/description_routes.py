"""The HTTP routes of descriptions: positions and actions in words. Described by OpenAPI."""

from fastapi import APIRouter, Request, Response

from souk.server import rate_limits
from souk.server.http import descriptions
from souk.server.http.openapi import SENTENCES, refusals, response_of
from souk.server.http.request_bodies import ActionsBody, DescriptionBody
from souk.server.http.routes import ANY_REFUSAL, ServiceDependency, address_of, computed_response
from souk.server.http.study_routes import CHARGED_ACTIONS, position_json

router = APIRouter(prefix="/api/description", responses=ANY_REFUSAL)


@router.post(
    "",
    responses=response_of(descriptions.Description) | refusals("bad-position", "illegal"),
)
async def description(
    body: DescriptionBody, service: ServiceDependency, request: Request
) -> Response:
    """Describe a position and the actions that led to it, in English and as a drawing."""
    for _ in range(1 + len(body.actions) // CHARGED_ACTIONS):
        service.check_rate(rate_limits.STUDIES, address_of(request))
    position = position_json(body.position)
    return await computed_response(
        request, service, descriptions.describe, position, body.actions, body.names, body.theme
    )


@router.post("/actions", responses=SENTENCES | refusals("bad-position", "illegal"))
async def actions(body: ActionsBody, service: ServiceDependency, request: Request) -> Response:
    """Say in a sentence or two what each of some actions would cause, in English."""
    service.check_rate(rate_limits.STUDIES, address_of(request))
    position = position_json(body.position)
    return await computed_response(
        request, service, descriptions.describe_actions, position, body.actions, body.names
    )
