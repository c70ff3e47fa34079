"""What an operator relies on: stopping, settings, private files, reading without changes."""

import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import get_args

import asyncpg
import httpx
import pytest

from souk import records
from souk.engine.errors import SoukError
from souk.records import fairness
from souk.server import rate_limits
from souk.server.http import app, connections, openapi
from souk.server.live import sockets, websocket
from souk.server.settings import Settings
from souk.server.store import PersistError, store_at
from souk.server.tables import commands, table, views
from tests.server.server_process import Person, Server
from tests.server.store_helpers import append, change, create, entries, open_store

ROOT = Path(__file__).parents[2]
FAIR = ROOT / "tests" / "records" / "fair.souk"
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")


# ---- stopping -----------------------------------------------------------------------------------


class InItsOwnGroup(Server):
    """A server like the one that a terminal starts: Ctrl-C reaches all of its processes."""

    def start(self, port=0):
        before = self.command
        try:
            self.command = ["setsid", *before]
            return super().start(port)
        finally:
            self.command = before

    def interrupt(self):
        assert os.getpgid(self.process.pid) == self.process.pid != os.getpgid(0)
        os.killpg(self.process.pid, signal.SIGINT)
        return self.wait()


@pytest.mark.asyncio
async def test_ctrl_c_stops_gracefully_while_computers_think(tmp_path):
    with InItsOwnGroup(tmp_path / "souk.db", "--seconds", "0.05") as server:
        ada = Person(server)
        computers = [{"kind": "computer", "level": "greedy"}] * 4
        table = ada.table("marrakech(players=4)", seats=computers, start=True)
        async with ada.connect(table) as line:
            await line.until(lambda line: line.n > 10, seconds=60)
            assert line.table["status"] == "playing"
            os.killpg(server.process.pid, signal.SIGINT)
            assert (await line.closed())[0] == 1012
            assert line.goodbye["reconnect"]
        log = server.wait()
        assert server.code == 0
        assert "Traceback" not in log and "failed" not in log, log


@pytest.mark.asyncio
async def test_ctrl_c_stops_gracefully_while_workers_start(tmp_path):
    with InItsOwnGroup(tmp_path / "souk.db") as server:
        ada = Person(server)
        computers = [{"kind": "computer", "level": "greedy"}] * 4
        for _ in range(4):
            ada.table("marrakech(players=4)", seats=computers, start=True)
        log = server.interrupt()
        assert server.code == 0
        assert "Traceback" not in log and "failed" not in log, log


# ---- the database file --------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_database_file_is_for_its_owner_alone(tmp_path):
    file = tmp_path / "new" / "souk.db"
    before = os.umask(0o022)
    try:
        async with open_store(str(file)) as store:
            await create(store)
            modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in file.parent.iterdir()}
    finally:
        os.umask(before)
    assert set(modes) >= {"souk.db", "souk.db-wal", "souk.db.lock"}
    assert set(modes.values()) == {0o600}, modes
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.asyncio
async def test_a_folder_and_a_file_that_were_there_stay_as_they_are(tmp_path):
    folder = tmp_path / "there"
    folder.mkdir()
    folder.chmod(0o755)
    file = folder / "souk.db"
    file.touch()
    file.chmod(0o640)
    async with open_store(str(file)) as store:
        await create(store)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


# ---- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "normalised"),
    [
        ("https://play.example", "https://play.example"),
        ("https://play.example/", "https://play.example"),
        ("HTTPS://Play.Example:443", "https://play.example"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://[::1]:80/", "http://[::1]"),
        ("", ""),
    ],
)
def test_an_origin_is_normalised_as_browsers_send_it(given, normalised):
    assert Settings.from_sources({"origin": given}, {}).origin == normalised
    assert Settings.from_sources({}, {"SOUK_ORIGIN": given}).origin == normalised


@pytest.mark.parametrize(
    "given",
    [
        *("play.example", "ftp://play.example", "https://", "https:///", "*", "null"),
        *("https://play.example/souk", "https://play.example//", "https://play.example?a"),
        *("https://ada@play.example", "https://a.example,https://b.example"),
        *("https://play.example:99999", "https://play.example:x", "https://play example"),
    ],
)
def test_an_invalid_origin_is_refused(given):
    with pytest.raises(SoukError, match=r"^origin accepts http:// or https:// with a host"):
        Settings.from_sources({"origin": given}, {})


@pytest.mark.parametrize(
    ("given", "normalised"),
    [
        ("*", "*"),
        ("", ""),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1, 10.0.0.0/8 ,::1", "127.0.0.1,10.0.0.0/8,::1"),
    ],
)
def test_proxies_are_addresses_and_networks(given, normalised):
    assert Settings.from_sources({"proxies": given}, {}).proxies == normalised


@pytest.mark.parametrize(
    "given", ["localhost", "10.0.0.1/8", "127.0.0.1;::1", "*,127.0.0.1", "1.2.3"]
)
def test_an_invalid_proxy_is_refused(given):
    with pytest.raises(SoukError, match=r"^proxies accepts \* or IP addresses and networks"):
        Settings.from_sources({}, {"SOUK_PROXIES": given})


# ---- looking into PostgreSQL --------------------------------------------------------------------


async def query_database(url, query):
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(query)
    finally:
        await connection.close()


@pytest.mark.asyncio
async def test_reading_changes_nothing(postgres):
    url = postgres.new_database()
    async with open_store(url) as store:
        await create(store)
        await store.mark_present("gone", [("t", "ann")], 1)
        reader = store_at(url)
        await reader.open_read_only()
        try:
            assert await entries(reader) == [b"entry 1"]
            with pytest.raises(PersistError, match="closed"):
                await append(reader, change(n=2))
            with pytest.raises(PersistError, match="read-only"):
                await reader.check()
            listening = "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
            got = [row["query"] for row in await query_database(url, listening)]
            assert sum(query.startswith("LISTEN") for query in got) <= 1, "the server's alone"
        finally:
            await reader.close()
            await reader.close()
        assert len(await query_database(url, "SELECT * FROM present")) == 1, "nobody was forgotten"
        assert len(await entries(store)) == 1


@pytest.mark.asyncio
async def test_a_database_that_is_not_ours_is_left_alone(postgres):
    url = postgres.new_database()
    reader = store_at(url)
    with pytest.raises(SoukError, match=r"^postgresql://\S+ is not a database of souk$"):
        await reader.open_read_only()
    await reader.close()
    assert await query_database(url, "SELECT * FROM pg_tables WHERE schemaname = 'public'") == []


@pytest.mark.asyncio
async def test_a_database_of_a_newer_souk_is_not_read(postgres):
    url = postgres.new_database()
    async with open_store(url):
        await query_database(url, "UPDATE schema_version SET version = 99")
        with pytest.raises(SoukError, match="schema 99"):
            await store_at(url).open_read_only()


# ---- health -------------------------------------------------------------------------------------


def test_healthz_answers_head(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        request = httpx.get(f"{server.url}/healthz")
        assert (request.status_code, request.json()) == (200, {"ok": True})
        request = httpx.head(f"{server.url}/healthz")
        assert (request.status_code, request.content) == (200, b"")
        assert httpx.post(f"{server.url}/healthz").headers["allow"] == "GET, HEAD"


# ---- the commitment -----------------------------------------------------------------------------


def committed_hash():
    return records.read(FAIR.read_text("utf-8")).extra["commitment"]


def verify(*options):
    command = [sys.executable, "-m", "souk", "verify", str(FAIR), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_noted_commitment_is_compared():
    record = records.read(FAIR.read_text("utf-8"))
    assert fairness.verify(record, committed_hash()).is_fair
    assert fairness.verify(record, f" {committed_hash().upper()}\n").is_fair
    (problem,) = fairness.verify(record, "0" * 64).problems
    assert problem == "the record's commitment is not the one that was noted before the game"
    with pytest.raises(SoukError, match=r"^a commitment is 64 hexadecimal digits, not"):
        fairness.verify(record, "0" * 63)


def test_verify_takes_a_noted_commitment():
    fair = verify("--commitment", committed_hash())
    assert (fair.returncode, fair.stderr) == (3, ""), "it is not signed"
    assert "secret: it was chosen before the game" in fair.stdout
    foul = verify("--commitment", "0" * 64)
    assert foul.returncode == 1
    assert re.search("refuted: .* noted before the game", foul.stderr)
    two = verify(str(FAIR), "--commitment", committed_hash())
    assert two.returncode == 1
    assert "one record" in two.stderr


# ---- what the docs say ------------------------------------------------------------------------


def test_the_page_names_every_code():
    codes = {*get_args(commands.Code), *openapi.STATUS, "bad-request", "internal-error"}
    assert [code for code in sorted(codes) if f"`{code}`" not in PROTOCOL] == []


def test_the_page_names_every_status_of_a_code():
    for code, status in openapi.STATUS.items():
        if code != "not-the-host":  # it cannot happen over HTTP
            assert re.search(rf"^\| .*{status}.* \| .*`{code}`", PROTOCOL, re.MULTILINE), code


@pytest.mark.parametrize(
    "kind", [views.TableView, views.SeatView, views.PositionView, views.ResultView, views.EventView]
)
def test_the_page_names_every_field(kind):
    section = PROTOCOL.split("## Messages")[1] + "`version`"
    assert [field for field in kind.__struct_fields__ if f"`{field}`" not in section] == []


def test_the_page_lists_the_limits():
    section = PROTOCOL.split("## Limits")[1]
    shown = re.findall(r"^\|[^|]+\|([^|]+)\| (\d+) \| ([\d.]+) \|", section, re.MULTILINE)
    rates = rate_limits.LIMITS
    assert [(float(a), float(b)) for _, a, b in shown] == [(r.burst, r.per_second) for r in rates]
    people = [re.search(r"address: (\d+) times", by) for by, *_ in shown]
    assert [int(one[1]) if one else 0 for one in people] == [rate.people for rate in rates]
    lengths = [
        commands.MAX_NAME,
        commands.MAX_WORDS,
        commands.MAX_CHAT,
        rate_limits.MAX_SOCKETS,
    ]
    sizes = [sockets.MAX_FRAME, sockets.MAX_BAD, app.MAX_BODY, websocket.MAX_UNSENT]
    sizes += [websocket.MAX_FRAGMENTS, app.MAX_RECORD_BODY, app.CHARGED_BYTES]
    sizes += [connections.MAX_READS, int(connections.HEAD_SECONDS), int(connections.BODY_SECONDS)]
    sizes += [int(connections.WRITE_SECONDS), Settings().connections]
    for number in (*lengths, *sizes):
        assert re.search(rf"\b{number}\b", section), number
    assert f"more than {table.MAX_RECONNECTS} times" in PROTOCOL
