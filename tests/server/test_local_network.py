"""Friends in the same network join when somebody at the server's computer wants it; not before."""

import asyncio
import contextlib
import ipaddress
import re

import httpx
import pytest

from souk.server.local_network import own_addresses, private_addresses
from souk.server.origins import is_from_this_computer
from tests.server.server_process import Person, Server

ADDRESSES = private_addresses()
needs_network = pytest.mark.skipif(not ADDRESSES, reason="this machine is in no private network")
OPEN = [{"kind": "me"}, {"kind": "open"}]


def origin_at(server, address):
    return f"http://{f'[{address}]' if ':' in address else address}:{server.port}"


def switch(server, on, url=None, **headers):
    return httpx.put(f"{url or server.url}/api/network", json={"lan": on}, headers=headers)


def is_reached(url):
    with contextlib.suppress(httpx.ConnectError):
        return httpx.get(f"{url}/healthz").status_code == 200
    return False


@needs_network
def test_the_network_is_switched_on_and_off(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        line = server.process.stdout.readline()
        assert "Wi-Fi" in line and "--lan" in line
        origins = [origin_at(server, one) for one in ADDRESSES]
        assert httpx.get(f"{server.url}/api/network").json() == {"origins": [], "can_switch": True}
        assert not any(map(is_reached, origins))
        for _ in range(2):  # twice is as good as once
            opened = switch(server, True, Origin=server.url)
            assert opened.json() == {"origins": origins, "can_switch": True}
        assert all(map(is_reached, origins))
        seen_there = httpx.get(f"{origins[0]}/api/network").json()
        assert seen_there == {"origins": [origins[0]], "can_switch": False}

        asyncio.run(play_until_closed(server, origins[0]))
        assert not any(map(is_reached, origins))
        assert is_reached(server.url)
        assert server.stop() is not None and server.code == 0


async def play_until_closed(server, origin):
    """Join from the network; a guest's line ends with the switch, the host's goes on."""
    host = Person(server, "Ada")
    table = host.table("marrakech(players=2)", seats=OPEN)
    with httpx.Client(base_url=origin) as client:
        guest = Person.__new__(Person)
        guest.http, guest.server = client, type("There", (), {"url": origin})
        answer = client.post("/api/me", json={"name": "Bela"}, headers={"Origin": origin})
        guest.headers = {"Cookie": f"souk={answer.cookies['souk']}", "Origin": origin}
        async with host.connect(table) as here, guest.connect(table) as there:
            assert (await there.ask("sit", seat=1))["type"] == "ack"
            await here.until(lambda line: line.table["seats"][1]["name"] == "Bela")
            assert (await here.ask("start"))["type"] == "ack"
            refused = switch(server, False, url=origin)
            assert (refused.status_code, refused.json()["code"]) == (403, "not-local")
            assert switch(server, False).json() == {"origins": [], "can_switch": True}
            await there.closed()
            assert (await here.ask("say", text="Still here."))["type"] == "ack"


@needs_network
@pytest.mark.parametrize("options", [("--lan",), ("--host", "0.0.0.0"), ("--host", "::")])
def test_a_server_for_others_prints_addresses_that_they_can_open(tmp_path, options):
    with Server(tmp_path / "souk.db", *options) as server:
        assert re.fullmatch(r"http://(127\.0\.0\.1|\[::1\]):\d+", server.url)
        line = server.process.stdout.readline()
        printed = re.findall(r"http://\S+", line)
        assert printed and all(map(is_reached, printed)), line
        network = httpx.get(f"{server.url}/api/network").json()
        assert network == {"origins": printed, "can_switch": "--lan" in options}
        if "--lan" not in options:
            assert switch(server, False).status_code == 403
            assert is_reached(printed[0])


def test_strangers_cannot_switch(tmp_path):
    with Server(tmp_path / "souk.db", "--proxies", "*") as server:
        host = server.url.removeprefix("http://")
        forged = [
            {"X-Forwarded-For": "127.0.0.1"},  # a proxy, or somebody who would like to be one
            {"X-Forwarded-For": "203.0.113.7"},
            {"X-Forwarded-Host": host},
            {"X-Real-IP": "127.0.0.1"},
            {"Forwarded": "for=127.0.0.1"},
            {"Via": "1.1 proxy"},
            {"Host": f"192.168.1.20:{server.port}"},
            {"Host": "pc"},
        ]
        for headers in forged:
            refused = switch(server, True, **headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "not-local"), headers
            seen = httpx.get(f"{server.url}/api/network", headers=headers).json()
            assert seen["can_switch"] is False, headers
        for headers in (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:1"},
            {"Host": "evil.example", "Origin": "http://evil.example"},  # it points to 127.0.0.1
        ):
            refused = switch(server, True, **headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "cross-origin"), headers
        preflight = httpx.options(
            f"{server.url}/api/network",
            headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "PUT"},
        )
        assert not [name for name in preflight.headers if name.startswith("access-control")]
        assert httpx.get(f"{server.url}/api/network").json() == {"origins": [], "can_switch": True}


def test_a_server_with_a_public_address_gives_that(tmp_path):
    with Server(tmp_path / "souk.db", "--origin", "https://play.example") as server:
        assert server.process.stdout.readline() == "Friends join at https://play.example\n"
        expected = {"origins": ["https://play.example"], "can_switch": False}
        assert httpx.get(f"{server.url}/api/network").json() == expected
        assert switch(server, True).json()["code"] == "not-local"


def test_addresses_are_of_networks_with_others():
    addresses = [ipaddress.ip_address(one) for one in own_addresses()]
    assert addresses == sorted(addresses, key=lambda one: one.version)
    assert not [one for one in addresses if one.is_loopback or one.is_link_local]
    assert set(ADDRESSES) <= set(own_addresses())


@pytest.mark.parametrize("client", ["192.168.1.20", "203.0.113.7", "fd00::2", "", "testclient"])
def test_others_are_not_at_this_computer(client):
    assert not is_from_this_computer(client, {"host": "127.0.0.1:8080"})


@pytest.mark.parametrize("client", ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
def test_loopback_addresses_are_this_computer(client):
    for host in ("127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST"):
        assert is_from_this_computer(client, {"host": host})
    for host in ("", "[", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.1.20"):
        assert not is_from_this_computer(client, {"host": host})
