"""Moderation on a running server: the host's removals, block lists, reports, bans, deletion."""

import pytest

from tests.server.server_process import Person, Server

OPEN_SEAT = [{"kind": "me"}, {"kind": "open"}]
pytestmark = pytest.mark.asyncio


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("moderation") / "souk.db", "--no-limits") as server:
        yield server


async def test_a_removed_guest_is_disconnected_and_stays_out_when_banned(server):
    ada, ben = Person(server), Person(server, "Ben")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with ada.connect(table) as host:
        async with ben.connect(table) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("kick", person=ben.id)
            code, reason = await guest.closed()
            assert (code, reason) == (4403, "The host has removed you from this table.")
            assert guest.goodbye["reconnect"] is False
        assert host.table["seats"][1]["kind"] == "open"
        async with ben.connect(table) as guest:
            assert (await guest.ask("sit", seat=1))["type"] == "ack", "a kick is no ban"
            await host.ask("kick", person=ben.id, ban=True)
            assert (await guest.closed())[0] == 4403
        async with ben.connect(table) as guest:
            assert guest.goodbye is not None
            assert (await guest.closed())[0] == 4403
        assert host.table["banned"] == [{"person": ben.id, "name": "Ben"}]
        await host.ask("unban", person=ben.id)
        async with ben.connect(table) as guest:
            assert (await guest.ask("sit", seat=1))["type"] == "ack"
