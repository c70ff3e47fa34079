"""The HTTP routes of how others reach this server. Described by OpenAPI.

Only somebody at this computer may open the server to the local network.
"""

from fastapi import APIRouter, Request

from souk.server import rate_limits
from souk.server.http.openapi import refusals
from souk.server.http.request_bodies import LanBody, NetworkBody
from souk.server.http.routes import ANY_REFUSAL, ServiceDependency, address_of
from souk.server.origins import is_from_this_computer
from souk.server.tables.commands import Refusal

router = APIRouter(prefix="/api", responses=ANY_REFUSAL)


@router.get("/network")
async def network(service: ServiceDependency, request: Request) -> NetworkBody:
    """Return how others reach this server."""
    settings, local = service.settings, service.local_network
    if settings.origin:
        return NetworkBody(origins=[settings.origin], can_switch=False)
    if not _is_local(request):
        here = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return NetworkBody(origins=[here], can_switch=False)
    return NetworkBody(origins=local.origins(), can_switch=local.can_switch)


@router.put("/network", responses=refusals("not-local", "no-network"))
async def switch_network(
    body: LanBody, service: ServiceDependency, request: Request
) -> NetworkBody:
    """Open the server to the local network, or close it; for people at this computer only."""
    service.check_rate(rate_limits.COMMANDS, address_of(request))
    local = service.local_network
    if service.settings.origin or not (local.can_switch and _is_local(request)):
        raise Refusal("not-local", "Only somebody at the server's own computer can switch this.")
    await (local.open() if body.lan else local.close())
    return await network(service, request)


def _is_local(request: Request) -> bool:
    client = request.client.host if request.client else ""
    return is_from_this_computer(client, request.headers)
