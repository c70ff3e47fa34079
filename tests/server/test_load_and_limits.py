"""Floods, clients that do not read, thousands of spectators, rate limits."""

import asyncio
import contextlib
import itertools
import json
import re
import resource
import statistics
import time

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from souk.bot import PROOF_NEEDED, solve
from souk.server import rate_limits
from souk.server.rate_limits import Rate
from tests.server import serve_without_gc
from tests.server.raw_websocket import RawSocket, frame, memory
from tests.server.server_process import Line, Person, Server
from tests.server.store_helpers import wait_until

pytestmark = pytest.mark.asyncio
BOTH = [{"kind": "me"}, {"kind": "me"}]
LONG = "marrakech(players=2,rugs=1000)"
MEGABYTE = 2**20
PATIENCE = 120  # seconds until something will never happen; a slow machine needs many of them


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Return a server without rate limits."""
    with Server(tmp_path_factory.mktemp("crowds") / "souk.db", "--no-limits") as server:
        yield server
        assert_calm(server)


@pytest.fixture(scope="module")
def limited_server(tmp_path_factory):
    """Return a server with rate limits."""
    with Server(tmp_path_factory.mktemp("limits") / "souk.db") as server:
        yield server
        assert_calm(server)


def assert_calm(server):
    log = server.stop()
    assert server.code == 0
    assert {json.loads(line)["level"] for line in log.splitlines()} <= {"info", "warning"}, log


def forwarded_header(number):
    """Return the header of a trusted proxy."""
    return {"X-Forwarded-For": f"203.0.113.{number}"}


def remote_person(server, number, name="Ada"):
    """Return a person with an address of their own."""
    person = Person(server, name)
    person.headers.update(forwarded_header(number))
    person.http.headers.update(person.headers)
    return person


def address(server, table):
    return f"ws{server.url[4:]}/api/tables/{table}/live"


def count(person, metric):
    lines = person.http.get("/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(metric)), 0.0)


async def latency(line, moves=40):
    """Return the median time of a move, in seconds."""
    took = []
    for _ in range(moves):
        started = time.perf_counter()
        assert (await line.act(line.position["legal"][0]))["type"] == "ack"
        took.append(time.perf_counter() - started)
    return statistics.median(took)


# ---- floods -------------------------------------------------------------------------------------


async def test_a_flood_is_slowed_down_and_others_hardly_notice(limited_server):
    ada, eve = remote_person(limited_server, 1), remote_person(limited_server, 2, "Eve")
    mine, hers = ada.table(LONG, seats=BOTH, start=True), eve.table(LONG, seats=BOTH, start=True)
    answered = 0

    async def flood(line):
        text = json.dumps({"type": "act", "request": "r", "version": 0, "action": "left"})
        with contextlib.suppress(ConnectionClosed):
            while True:
                await line.send(text)

    async def listen(line):
        nonlocal answered
        with contextlib.suppress(ConnectionClosed):
            async for _ in line:
                answered += 1

    async with ada.connect(mine) as calm:
        await latency(calm, moves=20)
        before = await latency(calm, moves=10)
        async with connect(address(limited_server, hers), additional_headers=eve.headers) as line:
            started = time.perf_counter()
            tasks = [asyncio.create_task(work(line)) for work in (flood, listen)]
            await wait_until(lambda: answered > rate_limits.COMMANDS.burst + 5, PATIENCE)
            # The machine may be busy with something else for a while, but not every time.
            during = min([await latency(calm, moves=8) for _ in range(3)])
            took = time.perf_counter() - started
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            line.transport.abort()
    assert during < 10 * before + 0.05, (before, during)
    allowed = rate_limits.COMMANDS.burst + took * rate_limits.COMMANDS.per_second
    assert answered < 1.2 * allowed + 5, "slowed down, not cut off"


PINGS_OFTEN = """
import uvicorn
from souk.cli import main

class Config(uvicorn.Config):
    def __init__(self, *args, **options):
        super().__init__(*args, **options, ws_ping_interval=0.5, ws_ping_timeout=0.5)

uvicorn.Config = Config
main()
"""


async def test_a_slowed_client_is_not_disconnected(tmp_path):
    """The answers to pings wait behind the commands, which nobody reads for a while."""
    server = Server(tmp_path / "souk.db")
    server.command[1:3] = ["-c", PINGS_OFTEN]
    with server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=BOTH, start=True)
        async with ada.connect(table) as line:
            for number in range(rate_limits.COMMANDS.burst + 100):
                last = await line.send("preview", f"{number}", action="left")
            while (await line.next()).get("request") != last:
                pass


async def test_chat_that_comes_too_fast_is_refused_and_games_go_on(limited_server):
    eve = remote_person(limited_server, 3, "Eve")
    table = eve.table("marrakech(players=2)", seats=BOTH, start=True)
    async with eve.connect(table) as line, eve.connect(table) as other:
        codes, started = [], time.perf_counter()
        for one in itertools.islice(itertools.cycle((line, other)), 60):
            codes.append((await one.ask("say", text="hello")).get("code"))
            if codes.count("too-fast") == 4:
                break
        took = time.perf_counter() - started
        assert set(codes) == {None, "too-fast"}
        allowed = rate_limits.CHAT.burst + took * rate_limits.CHAT.per_second
        assert codes.count(None) <= allowed, "whichever line it comes through"
        assert (await line.act("left"))["type"] == "ack"


async def test_unread_pongs_do_not_accumulate(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)", seats=BOTH, start=True)
    raw = await RawSocket.open(server, f"/api/tables/{table}/live", buffer=4096)
    before = memory(server)
    pings = frame(9, b"x" * 125) * 2000

    async def flood():
        with contextlib.suppress(ConnectionError):
            for _ in range(150):  # about 40 MB
                raw.writer.write(pings)
                await raw.writer.drain()

    await asyncio.wait_for(flood(), PATIENCE)
    assert memory(server) - before < 12 * MEGABYTE
    await raw.close()


# ---- readers that do not read -------------------------------------------------------------------


async def test_a_client_that_never_reads_is_disconnected_and_the_table_continues(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)", seats=BOTH, start=True)
    path = f"/api/tables/{table}/live"
    slow = [await RawSocket.open(server, path, buffer=4096) for _ in range(5)]
    before, closed = memory(server), 'souk_sockets_closed_total{reason="4408"}'
    connected = count(ada, "souk_connections ") + 1  # the next socket
    text = "\U0001f42a" * 300
    async with ada.connect(table) as line:
        said = 0
        while count(ada, closed) < len(slow):
            for _ in range(99):
                await line.send("say", text=text)
            assert (await line.ask("say", text=text))["type"] == "ack"
            said += 100
            assert said < 10_000, "nobody was let go"
        assert memory(server) - before < (len(slow) * 3 + 10) * MEGABYTE
        assert (await line.act("left"))["type"] == "ack"
        assert await slow[0].ending(PATIENCE) == (4408, "You read too slowly.")
        # The others read not even the close frame: their connections are cut.
        async with asyncio.timeout(PATIENCE):
            while count(ada, "souk_connections ") > connected - len(slow):
                await asyncio.sleep(0.2)
    for one in slow:
        await one.close()


async def test_a_client_that_sends_and_never_reads_is_disconnected_too(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)", seats=BOTH, start=True)
    raw = await RawSocket.open(server, f"/api/tables/{table}/live", buffer=4096, **ada.headers)
    ask = json.dumps({"type": "act", "request": "r", "version": -1, "action": "left"}).encode()
    request, before = frame(1, ask) * 100, memory(server)
    closed = 'souk_sockets_closed_total{reason="4408"}'
    already = count(ada, closed)

    async def flood():
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                raw.writer.write(request)
                await raw.writer.drain()

    task = asyncio.create_task(flood())
    async with asyncio.timeout(PATIENCE), ada.connect(table) as line:
        while count(ada, closed) == already:
            assert (await line.act(line.position["legal"][0]))["type"] == "ack"
            await asyncio.sleep(0.05)
    assert memory(server) - before < 10 * MEGABYTE
    await task
    await raw.close()


async def test_two_thousand_spectators_cost_little(server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 6000:
        if hard != resource.RLIM_INFINITY and hard < 6000:
            pytest.skip("not enough files may be open here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (6000, hard))
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (6000, hard))
    ada = Person(server)
    tables = [ada.table("marrakech(players=2)", seats=BOTH, start=True) for _ in range(20)]
    before = memory(server)
    idle = []
    for _ in range(20):
        opening = [RawSocket.open(server, f"/api/tables/{table}/live") for table in tables * 5]
        idle += await asyncio.gather(*opening)
    assert {one.status for one in idle} == {101} and len(idle) == 2000
    each = (memory(server) - before) / len(idle)
    assert each < 100_000, f"{each:.0f} bytes each"
    assert count(ada, "souk_sockets ") >= 2000
    async with ada.connect(tables[0]) as line:
        assert (await line.act(line.position["legal"][0]))["type"] == "ack"
    for one in idle:
        one.writer.transport.abort()
    async with asyncio.timeout(PATIENCE):
        while count(ada, "souk_sockets ") > 50:
            await asyncio.sleep(0.1)


# ---- limits -------------------------------------------------------------------------------------


async def test_the_connections_of_a_person_are_limited(limited_server):
    eve = remote_person(limited_server, 4, "Eve")
    table = eve.table("marrakech(players=2)")
    url = address(limited_server, table)
    lines = [
        await connect(url, additional_headers=eve.headers) for _ in range(rate_limits.MAX_SOCKETS)
    ]
    more = Line(await connect(url, additional_headers=eve.headers))
    assert await more.closed() == (4429, "You have too many tables open.")
    assert more.goodbye["reconnect"] is False
    await lines.pop().close()
    kind = "goodbye"
    async with asyncio.timeout(PATIENCE):
        while kind == "goodbye":  # until the server has noticed that one closed
            await asyncio.sleep(0.1)
            lines.append(await connect(url, additional_headers=eve.headers))
            kind = json.loads(await lines[-1].recv())["type"]
    assert kind == "welcome", "one closed, one more may come"
    await asyncio.gather(*(line.close() for line in lines))


async def test_the_new_connections_of_an_address_are_limited(limited_server):
    eve = remote_person(limited_server, 5, "Eve")
    table = eve.table("marrakech(players=2)")
    path, answers, started = f"/api/tables/{table}/live", [], time.perf_counter()
    while 429 not in [one.status for one in answers]:  # many at once: quicker than it fills again
        opening = [RawSocket.open(limited_server, path, **forwarded_header(5)) for _ in range(100)]
        answers += await asyncio.gather(*opening)
        assert len(answers) <= 10 * rate_limits.CONNECTIONS.burst, "nobody was refused"
    took = time.perf_counter() - started
    opened = [one for one in answers if one.status == 101]
    refused = next(one for one in answers if one.status == 429)
    assert len(opened) <= rate_limits.CONNECTIONS.burst + took * rate_limits.CONNECTIONS.per_second
    size = int(re.search(r"content-length: (\d+)", refused.answer)[1])
    assert json.loads(await refused.reader.readexactly(size))["code"] == "too-fast"
    for one in answers:
        await one.close()
    ada = remote_person(limited_server, 6)
    async with ada.connect(table) as line:
        assert line.table["id"] == table, "others are not held up"


async def test_the_new_tables_of_a_person_are_limited(limited_server):
    eve = remote_person(limited_server, 7, "Eve")
    asking = (eve.http.post("/api/tables", json={"game": "marrakech"}) for _ in forever())
    assert_slowed(rate_limits.NEW_TABLES, asking, 201)


async def test_the_new_identities_of_an_address_are_limited(limited_server):
    with httpx.Client(base_url=limited_server.url, headers=forwarded_header(8)) as http:

        def request_in_turn():
            for path in itertools.cycle(("/api/me", "/api/bots")):
                http.cookies.clear()
                answer = http.post(path, json={"name": "Eve"})
                if answer.status_code == PROOF_NEEDED:
                    proof = solve(**answer.json()["proof"])
                    answer = http.post(path, json={"name": "Eve", "proof": proof})
                yield answer

        assert_slowed(rate_limits.NEW_PEOPLE, request_in_turn(), 200, 201)
        guesses = (http.post("/api/me/claim", json={"code": "guess"}) for _ in forever())
        assert_slowed(
            Rate("", 0, rate_limits.NEW_PEOPLE.per_second), guesses, 404
        )  # nor can these be made


async def test_the_requests_of_an_address_are_limited(limited_server):
    head = "".join(f"{name}: {value}\r\n" for name, value in forwarded_header(9).items())
    one = f"GET /api/nowhere HTTP/1.1\r\nHost: souk\r\n{head}\r\n".encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", limited_server.port)
    statuses, started = [], time.perf_counter()
    while 429 not in statuses:  # which ends the connection
        writer.write(one)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        statuses.append(int(answer.split()[1]))
        await reader.readexactly(int(re.search(r"content-length: (\d+)", answer)[1]))
        assert len(statuses) < 20_000, "nobody was refused"
    took = time.perf_counter() - started
    writer.close()
    assert set(statuses) == {404, 429}
    rate = rate_limits.REQUESTS
    assert rate.burst - 5 <= statuses.count(404) <= rate.burst + took * rate.per_second + 1


def forever():
    return itertools.repeat(None)


def assert_slowed(rate, asking, *good):
    """Ask until it is refused some times; before that it is allowed as often as the rate says."""
    answers, started = [], time.perf_counter()
    while [answer.status_code for answer in answers].count(429) < 5:
        answers.append(next(asking))
        assert len(answers) < 20 * rate.burst + 500, "it is never too much"
    took = time.perf_counter() - started
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) <= {429, *good}, set(statuses)
    done = len(answers) - statuses.count(429)
    assert rate.burst - 5 <= done <= rate.burst + took * rate.per_second + 1
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json() == {
        "code": "too-fast",
        "message": "Too many requests: wait a moment.",
    }


async def test_closed_sockets_and_finished_tables_are_freed_at_once(tmp_path):
    """Reference cycles would stay in memory until the next garbage collection."""
    kinds = ("SocketProtocol", "LiveTable")
    server = Server(tmp_path / "souk.db", "--no-limits")
    server.command[1:3] = [str(serve_without_gc.__file__)]
    with server:
        ada = Person(server)
        table = ada.table("marrakech(players=2,rugs=1)", seats=BOTH, start=True)

        def count_objects():
            return [count(ada, f'{serve_without_gc.IN_MEMORY}{{kind="{kind}"}}') for kind in kinds]

        async with ada.connect(table) as line, ada.connect(table) as other:
            assert count_objects() == [2, 1]
            assert (await line.act("nonsense"))["type"] == "refused"
            while line.table["status"] != "over":
                await line.act(line.position["legal"][0])
            await other.until(lambda line: line.table["status"] == "over")
        await wait_until(lambda: count_objects() == [0, 0], PATIENCE)
        assert_calm(server)
