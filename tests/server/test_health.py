"""`/healthz` and `/readyz` tell the truth about the database, the workers and the server."""

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI

import souk
from souk.server.http import health
from souk.server.live.player_workers import PlayerWorkers
from souk.server.live.registry import Registry
from souk.server.store import store_at
from tests.server.test_backup import empty  # noqa: F401

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def opened(empty, monkeypatch):  # noqa: F811
    """A registry on PostgreSQL, and a client of its routes."""
    monkeypatch.setattr(health, "SECONDS", 0.0)
    registry = Registry(store_at(empty("postgres")), PlayerWorkers(1, 0.1))
    await registry.open()
    app = FastAPI()
    health.add_health_routes(app, registry)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://souk") as client:
        yield registry, client
    await registry.close()


async def answers(client):
    return [await client.get(path) for path in ("/healthz", "/readyz")]


async def test_a_database_that_cannot_be_written_is_told(opened, postgres):
    registry, client = opened
    assert [one.status_code for one in await answers(client)] == [200, 200]
    name = registry.store.url.rpartition("/")[2]
    for is_read_only, status in ((True, 503), (False, 200)):
        postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = {is_read_only}")
        postgres.disconnect(registry.store.url, "query NOT LIKE 'LISTEN%'")
        await answers(client)  # the first request may find that its connection is lost
        for one in await answers(client):
            assert one.status_code == status
            assert is_read_only == ("read-only" in one.text), one.text


async def test_computer_players_that_keep_failing_are_told(opened):
    registry, client = opened
    state = souk.load_game("marrakech(players=2)").new_initial_state(1)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    async def move(level):
        await registry.workers.choose(state, level, state.buffer, [])

    for _ in range(3):
        assert [one.status_code for one in await answers(client)] == [200, 200]
        await move("nobody")
    for one in await answers(client):
        assert one.status_code == 503
        assert one.json()["error"] == "the last 3 moves of computer players failed"
    await move("random")
    assert [one.status_code for one in await answers(client)] == [200, 200]


async def test_a_server_that_stops_is_healthy_but_not_ready(opened):
    registry, client = opened
    registry.is_closing = True
    good, stopping = await answers(client)
    assert (good.status_code, stopping.status_code) == (200, 503)
    assert stopping.json() == {"ok": False, "error": "the server is stopping"}
