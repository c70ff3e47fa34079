"""Silent, slow and very many connections: they end, and others get theirs."""

import asyncio
import contextlib
import json
import resource
import socket
import time

import httpx
import pytest
import pytest_asyncio

from souk.engine.errors import SoukError
from souk.server import rate_limits
from souk.server.http import app, connections
from souk.server.rate_limits import RateLimits
from souk.server.settings import Settings
from tests.server.raw_websocket import RawSocket
from tests.server.server_process import Person, Server

pytestmark = pytest.mark.asyncio
BOTH = [{"kind": "me"}, {"kind": "me"}]
PATIENCE = 60

# The deadlines of a server in seconds, as a test cannot wait for the real ones.
IMPATIENT = """
from souk.server.http import connections
from souk.server.live import websocket

connections.HEAD_SECONDS = 1.0
connections.BODY_SECONDS = 1.5
connections.WRITE_SECONDS = 1.5
connections.CLOSE_SECONDS = 1.0
connections.SWEEP_SECONDS = 0.1
connections.MAX_OPEN = 300
connections.RESERVED_DESCRIPTORS = 60

from souk.cli import main
main()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("connections") / "souk.db", "--connections", "60")
    server.command[1:3] = ["-c", IMPATIENT]
    with server:
        yield server
        log = [json.loads(line) for line in server.stop().splitlines()]
        assert {line["level"] for line in log} <= {"info", "warning"}, log
        logged = [line["message"] for line in log if line["level"] == "warning"]
        assert len(logged) < 20, "the log is not filled"


@pytest.fixture(scope="module")
def ada(server):
    return Person(server)


@pytest.fixture
def table(ada):
    return ada.table("marrakech(players=2)", seats=BOTH, start=True)


opened = []  # connections of a test


@pytest_asyncio.fixture(autouse=True)
async def close_connections():
    yield
    while opened:
        writer = opened.pop()
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def open_line(server, address="127.0.0.1"):
    """Return a connection from an address of this machine; only 127.0.0.1 is a trusted proxy."""
    line = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(address, 0))
    opened.append(line[1])
    return line


async def open_socket(server, table, **options):
    raw = await RawSocket.open(server, f"/api/tables/{table}/live", **options)
    opened.append(raw.writer)
    return raw


async def ended(reader, seconds=PATIENCE):
    """Return all that comes until the server ends a connection."""
    received = b""
    async with asyncio.timeout(seconds):
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                received += data
    return received


def metric(ada, name):
    lines = ada.http.get("/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), 0.0)


# ---- silence ------------------------------------------------------------------------------------


async def test_a_silent_connection_is_closed(server):
    reader, _writer = await open_line(server)
    assert b"408" in (await ended(reader)).split(b"\r\n")[0]


async def test_headers_that_never_end_are_not_waited_for(server):
    reader, writer = await open_line(server)
    writer.write(b"GET / HTTP/1.1\r\nHost: souk\r\n")
    ending = asyncio.create_task(ended(reader))
    for number in range(PATIENCE * 10):  # a bit now and then does not help
        if ending.done():
            break
        writer.write(f"X-{number}: 1\r\n".encode())
        await asyncio.sleep(0.1)
    answer = (await ending).partition(b"\r\n\r\n")
    assert b" 408 " in answer[0]
    assert json.loads(answer[2])["code"] == "too-slow"


async def test_a_body_that_never_ends_is_not_waited_for(server):
    reader, writer = await open_line(server)
    writer.write(b"POST /api/me HTTP/1.1\r\nHost: souk\r\nContent-Length: 90\r\n\r\n{")
    await ended(reader)


async def test_a_kept_connection_must_not_begin_a_request_and_stop(server):
    reader, writer = await open_line(server)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: souk\r\n\r\n")
    await reader.readuntil(b"}")
    writer.write(b"G")
    assert b" 408 " in await ended(reader)


async def test_a_slow_but_complete_request_is_answered(server):
    reader, writer = await open_line(server)
    for piece in (
        b"POST /api/me HTTP/1.1\r\nHost: so",
        b"uk\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{",
        b'"name":"Ada"}',
    ):
        writer.write(piece)
        await asyncio.sleep(0.5)
    assert b" 200 " in await reader.readuntil(b"\r\n")


async def test_a_request_in_very_many_pieces_is_refused(server, ada):
    cut = 'souk_connections_cut_total{reason="pieces"}'
    before = metric(ada, cut)
    for _ in range(5):  # on a busy machine the server reads many pieces at once
        reader, writer = await open_line(server)
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        ending = asyncio.create_task(ended(reader))
        writer.write(b"GET / HTTP/1.1\r\nHost: souk\r\nX: ")
        while not ending.done():
            writer.write(b"x")
            await asyncio.sleep(0.0005)
        await ending
        if metric(ada, cut) > before:
            return
    raise AssertionError("no request was refused")


# ---- readers that do not read -------------------------------------------------------------------


async def test_a_response_that_is_not_read_does_not_stay(server, ada):
    """Neither in a buffer of ours nor as a connection that is being closed."""
    before = metric(ada, "souk_connections ")
    lines = []
    for number in range(2):
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", server.port))
        head = f"Host: souk\r\nX-Forwarded-For: 203.0.113.{number + 90}\r\n\r\n"
        line.sendall(f"GET /api/games/marrakech/rules HTTP/1.1\r\n{head}".encode() * 150)
        lines.append(line)
    await until(lambda: metric(ada, "souk_connections ") >= before + 2)
    await until(lambda: metric(ada, "souk_connections ") <= before)
    assert metric(ada, 'souk_connections_cut_total{reason="unread"}') >= 2
    for line in lines:
        line.close()


async def until(happened):
    async with asyncio.timeout(PATIENCE):
        while not happened():
            await asyncio.sleep(0.1)


# ---- very many ----------------------------------------------------------------------------------


async def test_the_open_connections_of_an_address_are_limited(server, ada, table):
    [await open_line(server, "127.0.0.2") for _ in range(60)]
    reader, _writer = await open_line(server, "127.0.0.2")
    answer = await ended(reader)
    assert b" 429 " in answer and b"an address has too many connections" in answer
    assert ada.look(table)["table"]["id"] == table, "others are not held up"


async def test_refused_connections_are_logged_once_a_minute(tmp_path):
    with Server(tmp_path / "souk.db", "--connections", "2") as server:
        lines = [await open_line(server, "127.0.0.5") for _ in range(6)]
        for reader, _ in lines[2:]:
            assert b" 429 " in await ended(reader)
        log = [json.loads(line) for line in server.stop().splitlines()]
    (warning,) = [line for line in log if line["level"] == "warning"]
    assert warning["message"] == "connections are refused: an address has too many connections"
    assert (warning["address"], warning["open"]) == ("127.0.0.5", 2)


async def test_sockets_count_as_connections_until_they_close(server, table):
    raws = [await open_socket(server, table, source="127.0.0.3") for _ in range(60)]
    assert {raw.status for raw in raws} == {101}
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError, AssertionError)):
        assert (await open_socket(server, table, source="127.0.0.3")).status == 101
    for raw in raws:
        raw.writer.transport.abort()
    async with asyncio.timeout(PATIENCE):
        status = 429
        while status != 101:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                status = (await open_socket(server, table, source="127.0.0.3")).status
            await asyncio.sleep(0.1)


async def test_the_sockets_behind_a_proxy_count_for_the_address_that_it_names(server, table):
    address = {"X-Forwarded-For": "203.0.113.77"}
    people = [Person(server, f"P{number}") for number in range(2)]
    for number in range(60):
        await open_socket(server, table, **people[number % 2].headers, **address)
    more = await open_socket(server, table, **people[0].headers, **address)
    assert await more.ending(PATIENCE) == (4429, "Your address has too many tables open.")


async def test_the_new_connections_of_an_address_are_slowed(server):
    statuses, started = [], time.perf_counter()
    while 429 not in statuses:
        lines = [await open_line(server, "127.0.0.4") for _ in range(50)]
        for _, writer in lines:
            writer.write(b"GET /nowhere.png HTTP/1.1\r\nHost: souk\r\nConnection: close\r\n\r\n")
        answers = await asyncio.gather(*(ended(reader) for reader, _ in lines))
        statuses += [int(answer.split()[1]) if answer else 429 for answer in answers]
        assert len(statuses) < 20_000, "it is never too much"
    took = time.perf_counter() - started
    rate = min(
        (rate_limits.NEW_CONNECTIONS, rate_limits.REQUESTS), key=lambda one: one.burst
    )  # of the two that count here
    assert statuses.count(404) <= rate.burst + rate.per_second * took + 1


@pytest.mark.parametrize("kind", ["silent", "kept"])
async def test_a_newcomer_gets_in_when_all_connections_are_in_use(tmp_path, kind):
    """Few file descriptors, and idle connections of a proxy that would take all of them."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (150, 150));"
        "from souk.cli import main; main()"
    )
    server = Server(tmp_path / "souk.db")
    server.command[1:3] = ["-c", code]
    with server:
        lines = []
        for _ in range(200):
            lines.append(await open_line(server))
            if kind == "kept":
                lines[-1][1].write(b"GET /healthz HTTP/1.1\r\nHost: souk\r\n\r\n")
                with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                    await lines[-1][0].readuntil(b"}")
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=BOTH, start=True)
        async with ada.connect(table) as line:
            assert (await line.act("left"))["type"] == "ack"
        log = [json.loads(line) for line in server.stop().splitlines()]
        (warning,) = [line for line in log if line["level"] == "warning"]
        assert warning["message"] == "all connections are in use; idle ones are cut"
        assert warning["open"] == 100


# ---- bytes of requests --------------------------------------------------------------------------


async def test_a_refused_body_is_not_read(server):
    for head in (b"POST /api/me", b"GET /healthz"):
        reader, writer = await open_line(server)
        writer.write(head + b" HTTP/1.1\r\nHost: souk\r\nContent-Length: 900000000\r\n\r\n")
        answer = await ended(reader)
        assert b" 413 " in answer and b"connection: close" in answer.lower()
        with pytest.raises(ConnectionError):
            await send_much(writer)


async def send_much(writer):
    for _ in range(1000):
        writer.write(bytes(100_000))
        await writer.drain()


async def test_only_records_may_be_long(ada):
    long = "x" * (app.MAX_BODY + 1)
    assert ada.http.post("/api/me", json={"name": long}).status_code == 413
    assert ada.http.post("/api/verify", json={"record": long}).json()["code"] == "bad-record"
    longer = "x" * (app.MAX_RECORD_BODY + 1)
    assert ada.http.post("/api/verify", json={"record": longer}).status_code == 413


async def test_bodies_count_by_their_bytes(server):
    statuses = []
    with httpx.Client(base_url=server.url, headers={"X-Forwarded-For": "203.0.113.88"}) as http:
        while 429 not in statuses:
            body = b" " * app.MAX_RECORD_BODY
            statuses.append(
                http.post("/api/nowhere/verify", content=body[: app.MAX_BODY]).status_code
            )
    assert len(statuses) < rate_limits.REQUESTS.burst


async def test_the_records_that_an_address_gets_are_limited(server, table):
    """Writing one replays the game."""
    statuses, started = [], time.perf_counter()
    with httpx.Client(base_url=server.url, headers={"X-Forwarded-For": "203.0.113.87"}) as http:
        while 429 not in statuses:
            statuses.append(http.get(f"/api/tables/{table}/record").status_code)
    took = time.perf_counter() - started
    rate = rate_limits.REPLAYS
    assert rate.burst <= statuses.count(200) <= rate.burst + rate.per_second * took + 1


async def test_a_request_that_comes_too_fast_waits_for_its_refusal(server):
    head = b"GET /nowhere.png HTTP/1.1\r\nHost: souk\r\nX-Forwarded-For: 203.0.113.89\r\n\r\n"
    reader, writer = await open_line(server)
    started = time.perf_counter()
    writer.write(head * 2000)
    answers = await ended(reader)
    took = time.perf_counter() - started
    assert answers.count(b"HTTP/1.1 429") == 1, "it ends the connection"
    assert answers.count(b"HTTP/1.1 404") >= rate_limits.REQUESTS.burst
    assert took > app.PENALTY_SECONDS


# ---- whose page it is ---------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8080", "evil.example:1"])
async def test_a_foreign_name_for_this_machine_is_refused(server, table, host):
    """A site may point its own name here (DNS rebinding): then Host and Origin match."""
    for method, path in (("GET", "/api/tables"), ("POST", "/api/me"), ("GET", "/")):
        headers = {"Host": host, "Origin": f"http://{host}"}
        answer = httpx.request(method, server.url + path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross-origin")
        assert "--origin" in answer.json()["message"]
    raw = await open_socket(server, table, Host=host, Origin=f"http://{host}")
    assert raw.status == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]:8080", "localhost:8080", "pc.local", "pc"])
async def test_names_of_local_networks_are_accepted(server, host):
    headers = {"Host": host, "Origin": f"http://{host}"}
    answer = httpx.post(server.url + "/api/me", headers=headers, json={"name": "Ada"})
    assert answer.status_code == 200


# ---- metrics ------------------------------------------------------------------------------------


async def test_metrics_are_for_this_machine_only(server):
    url = f"{server.url}/metrics"
    assert httpx.get(url).status_code == 200
    answer = httpx.get(url, headers={"X-Forwarded-For": "203.0.113.5"})
    assert (answer.status_code, answer.json()["code"]) == (403, "bad-request")
    assert "souk_sockets" not in answer.text


async def test_metrics_can_be_opened():
    settings = Settings.from_sources({"metrics": "10.0.0.0/8, ::1"}, {})
    assert settings.may_read_metrics("10.9.8.7") and not settings.may_read_metrics("127.0.0.1")
    assert Settings.from_sources({"metrics": "*"}, {}).may_read_metrics("203.0.113.5")


async def test_connections_are_a_number():
    with pytest.raises(SoukError, match=r"^connections is a number from 1 to 1000000, not 0$"):
        Settings.from_sources({"connections": 0}, {})


async def test_a_shortage_of_file_descriptors_is_logged_once(monkeypatch, caplog):
    monkeypatch.setattr(connections, "descriptor_limit", lambda: 5)
    few = connections.Connections(RateLimits(), "127.0.0.1", 400)
    for _ in range(3):
        few._check_descriptors()
    (line,) = caplog.records
    assert line.message == "file descriptors run short" and line.used > 5 == line.limit


async def test_an_address_gets_at_most_half_of_all_connections(monkeypatch):
    monkeypatch.setattr(connections, "max_connections", lambda: 80)
    assert connections.Connections(RateLimits(), "", 400).per_address == 40
    assert connections.Connections(RateLimits(), "", 30).per_address == 30


async def test_all_allowed_file_descriptors_are_used(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Server(tmp_path / "souk.db") as server:
        own = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    assert own[0] >= max(soft, min(65_536, hard if hard != resource.RLIM_INFINITY else 65_536))
