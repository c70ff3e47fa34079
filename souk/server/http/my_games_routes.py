"""The HTTP routes of a person's own games. Described by OpenAPI."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from souk.server import rate_limits
from souk.server.http.openapi import refusals, response_of
from souk.server.http.routes import (
    ANY_REFUSAL,
    Limit,
    Me,
    ServiceDependency,
    TableId,
    json_response,
    table_list,
)
from souk.server.live.failures import refuse_on_failure
from souk.server.store.my_games import GameStatistics
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import TABLE_ID
from souk.server.tables.views import TableView

router = APIRouter(prefix="/api/me", responses=ANY_REFUSAL)
_TABLES = response_of(list[TableView]) | refusals("no-identity")


@router.get("/tables", responses=_TABLES)
async def my_tables(me: Me, service: ServiceDependency, limit: Limit = 50) -> Response:
    """Return your tables: those in progress first, the newest first."""
    return table_list(await refuse_on_failure(service.my_games.views(me.id, limit)))


@router.get("/history", responses=_TABLES)
async def my_history(
    me: Me,
    service: ServiceDependency,
    game: Annotated[
        str | None,
        Query(
            max_length=60,
            pattern=r"^[\w-]*$",  # PostgreSQL takes no NUL
            description="The name of a game; by default all games.",
        ),
    ] = None,
    before: Annotated[
        str | None,
        Query(pattern=TABLE_ID, description="The last table of the page before."),
    ] = None,
    limit: Limit = 50,
) -> Response:
    """Return your finished games, the newest first."""
    views = service.my_games.history(me.id, limit, game, before)
    return table_list(await refuse_on_failure(views))


@router.get("/statistics", responses=response_of(list[GameStatistics]) | refusals("no-identity"))
async def my_statistics(me: Me, service: ServiceDependency) -> Response:
    """Return your results, for each game with other people and against computers only.

    Games in which you had several seats, or that were aborted, do not count.
    """
    return json_response(await refuse_on_failure(service.my_games.statistics(me.id)))


@router.delete(
    "/tables/{id}",
    status_code=204,
    response_class=Response,
    responses=refusals("no-identity", "no-such-table", "not-over"),
)
async def remove_from_my_tables(id: TableId, me: Me, service: ServiceDependency) -> Response:
    """Remove a table from your list, history and statistics; others keep it.

    You must have left your seat or resigned, unless the game is over.
    """
    service.check_rate(rate_limits.COMMANDS, me.id)
    if not await refuse_on_failure(service.my_games.hide(me.id, id)):
        raise Refusal("not-over", "You play there: leave your seat or resign first.")
    return Response(status_code=204)
