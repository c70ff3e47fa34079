"""Too much of everything: floods, readers that do not read, thousands that only listen, limits."""

import asyncio
import contextlib
import json
import resource
import statistics
import time

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from souk.server import limits
from tests.server.live import Line, Person, Server
from tests.server.raw import RawSocket, frame, memory

pytestmark = pytest.mark.asyncio
BOTH = [{"kind": "me"}, {"kind": "me"}]
LONG = "marrakech(players=2,rugs=1000)"
MEGABYTE = 2**20


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Without limits, so that the bounds below are all there is."""
    with Server(tmp_path_factory.mktemp("crowds") / "souk.db", "--no-limits") as server:
        yield server
        assert_calm(server)


@pytest.fixture(scope="module")
def limited(tmp_path_factory):
    """With limits, as it is run."""
    with Server(tmp_path_factory.mktemp("limits") / "souk.db") as server:
        yield server
        assert_calm(server)


def assert_calm(server):
    log = server.stop()
    assert server.code == 0
    assert {json.loads(line)["level"] for line in log.splitlines()} <= {"info", "warning"}, log


def from_afar(server, number, name="Ada"):
    """Somebody with an address of their own: the proxy that tells it is believed."""
    person = Person(server, name)
    person.headers["X-Forwarded-For"] = f"203.0.113.{number}"
    person.http.headers.update(person.headers)
    return person


def address(server, table):
    return f"ws{server.url[4:]}/api/tables/{table}/live"


def count(person, metric):
    lines = person.http.get("/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(metric)), 0.0)


async def latency(line, moves=40):
    """The seconds that a move takes, in the middle."""
    took = []
    for _ in range(moves):
        started = time.perf_counter()
        assert (await line.act(line.position["legal"][0]))["type"] == "ack"
        took.append(time.perf_counter() - started)
    return statistics.median(took)


# ---- floods -------------------------------------------------------------------------------------


async def test_a_flood_is_slowed_down_and_others_hardly_notice(limited):
    ada, eve = from_afar(limited, 1), from_afar(limited, 2, "Eve")
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

    async with ada.sit_by(mine) as calm:
        for _ in range(2):
            await latency(calm, moves=10)
        before = await latency(calm, moves=15)
        async with connect(address(limited, hers), additional_headers=eve.headers) as line:
            started = time.perf_counter()
            tasks = [asyncio.create_task(work(line)) for work in (flood, listen)]
            await asyncio.sleep(1.0)
            during = await latency(calm, moves=20)
            took = time.perf_counter() - started
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            line.transport.abort()
    assert during < 10 * before + 0.02, (before, during)
    allowed = limits.COMMANDS.burst + took * limits.COMMANDS.per_second
    assert 10 < answered < 1.2 * allowed + 5, "slowed down, not cut off"


async def test_chat_that_comes_too_fast_is_refused_and_games_go_on(limited):
    eve = from_afar(limited, 3, "Eve")
    table = eve.table("marrakech(players=2)", seats=BOTH, start=True)
    async with eve.sit_by(table) as line, eve.sit_by(table) as other:
        answers = [
            await one.ask("say", text=f"hello {n}") for n in range(8) for one in (line, other)
        ]
        codes = [answer.get("code") for answer in answers]
        assert codes.count(None) <= limits.CHAT.burst + 1, "whichever line it comes through"
        assert set(codes) == {None, "too-fast"}
        assert (await line.act("left"))["type"] == "ack"


async def test_pongs_that_nobody_reads_do_not_gather(server):
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

    await asyncio.wait_for(flood(), 20)
    assert memory(server) - before < 12 * MEGABYTE
    await raw.close()


# ---- readers that do not read -------------------------------------------------------------------


async def test_who_never_reads_is_let_go_and_the_table_goes_on(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)", seats=BOTH, start=True)
    path = f"/api/tables/{table}/live"
    slow = [await RawSocket.open(server, path, buffer=4096) for _ in range(5)]
    before, closed = memory(server), 'souk_sockets_closed_total{reason="4408"}'
    text = "\U0001f42a" * 300
    async with ada.sit_by(table) as line:
        said = 0
        while count(ada, closed) < len(slow):
            for _ in range(99):
                await line.send("say", text=text)
            assert (await line.ask("say", text=text))["type"] == "ack"
            said += 100
            assert said < 10_000, "nobody was let go"
        assert memory(server) - before < (len(slow) * 3 + 10) * MEGABYTE
        assert (await line.act("left"))["type"] == "ack"
        assert await slow[0].ending() == (4408, "You read too slowly.")
    for one in slow:
        await one.close()


async def test_who_asks_and_never_reads_is_let_go_too(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)", seats=BOTH, start=True)
    raw = await RawSocket.open(server, f"/api/tables/{table}/live", buffer=4096, **ada.headers)
    ask = json.dumps({"type": "act", "request": "r", "version": -1, "action": "left"}).encode()
    asked, before = frame(1, ask) * 100, memory(server)
    closed = 'souk_sockets_closed_total{reason="4408"}'
    already = count(ada, closed)

    async def flood():
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                raw.writer.write(asked)
                await raw.writer.drain()

    task = asyncio.create_task(flood())
    async with asyncio.timeout(20), ada.sit_by(table) as line:
        while count(ada, closed) == already:
            assert (await line.act(line.position["legal"][0]))["type"] == "ack"
            await asyncio.sleep(0.05)
    assert memory(server) - before < 10 * MEGABYTE
    await task
    await raw.close()


async def test_two_thousand_who_only_listen_cost_little(server):
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
    async with ada.sit_by(tables[0]) as line:
        assert (await line.act(line.position["legal"][0]))["type"] == "ack"
    for one in idle:
        one.writer.transport.abort()
    async with asyncio.timeout(10):
        while count(ada, "souk_sockets ") > 50:
            await asyncio.sleep(0.1)


# ---- limits -------------------------------------------------------------------------------------


async def test_one_person_has_only_so_many_lines(limited):
    eve = from_afar(limited, 4, "Eve")
    table = eve.table("marrakech(players=2)")
    lines = [
        await connect(address(limited, table), additional_headers=eve.headers)
        for _ in range(limits.MOST_SOCKETS)
    ]
    more = Line(await connect(address(limited, table), additional_headers=eve.headers))
    assert await more.closed() == (4429, "You have too many tables open.")
    assert more.goodbye["again"] is False
    await lines.pop().close()
    await asyncio.sleep(0.2)
    async with eve.sit_by(table) as line:
        assert line.table["id"] == table, "one closed, one more may come"
    await asyncio.gather(*(line.close() for line in lines))


async def test_one_address_opens_only_so_many_lines_in_a_while(limited):
    eve = from_afar(limited, 5, "Eve")
    table = eve.table("marrakech(players=2)")
    with pytest.raises(InvalidStatus) as refused:  # noqa: PT012
        for _ in range(2 * int(limits.CONNECTIONS.burst)):
            await (await connect(address(limited, table), additional_headers=eve.headers)).close()
    assert refused.value.response.status_code == 429
    assert json.loads(refused.value.response.body)["code"] == "too-fast"
    ada = from_afar(limited, 6)
    async with ada.sit_by(table) as line:
        assert line.table["id"] == table, "others are not held up"


async def test_one_person_makes_only_so_many_tables(limited):
    eve = from_afar(limited, 7, "Eve")
    with slowed(limits.NEW_TABLES, 201) as answers:
        for _ in range(40):
            answers.append(eve.http.post("/api/tables", json={"game": "marrakech"}))


async def test_one_address_makes_only_so_many_people(limited):
    far = {"X-Forwarded-For": "203.0.113.8"}
    with httpx.Client(base_url=limited.url, headers=far) as http:
        with slowed(limits.NEW_PEOPLE, 200, 201) as answers:
            for path in ("/api/me", "/api/bots") * 40:
                http.cookies.clear()
                answers.append(http.post(path, json={"name": "Eve"}))
        answers = [http.post("/api/me/claim", json={"word": "guess"}) for _ in range(5)]
        assert {answer.status_code for answer in answers} <= {429, 404}
        assert 429 in {answer.status_code for answer in answers}, "nor can links be guessed at"


async def test_one_address_asks_only_so_much(limited):
    far = {"X-Forwarded-For": "203.0.113.9"}
    with (
        httpx.Client(base_url=limited.url, headers=far) as http,
        slowed(limits.REQUESTS, 404) as answers,
    ):
        while not answers or answers[-1].status_code == 404:
            answers.append(http.get("/api/nowhere"))
            assert len(answers) < 5000


@contextlib.contextmanager
def slowed(rate, *good):
    """Gather answers; they must be good as often as the rate allows, and no more."""
    answers, started = [], time.perf_counter()
    yield answers
    took = time.perf_counter() - started
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) == {429, *good}, set(statuses)
    done = len(answers) - statuses.count(429)
    assert rate.burst - 5 <= done <= rate.burst + took * rate.per_second + 1
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json() == {
        "code": "too-fast",
        "message": "That is too much at once: wait a moment.",
    }
