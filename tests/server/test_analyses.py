"""Analyses over HTTP: computed in the background, bounded and cached."""

import asyncio
import gzip
import time

import msgspec
import pytest

import souk
from souk import records
from souk.server.live import analyses
from souk.server.live.analyses import PENDING, Analyses, AnalysisReply, nodes_for, shorten
from souk.server.tables.commands import Refusal
from tests.analysis.example_games import random_record
from tests.server.server_process import Person, Server, play_on

SMALL = "marrakech(players=2,rugs=2)"
TWO = [{"kind": "me"}, {"kind": "me", "name": "Bob"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("analyses")
    with Server(folder / "souk.db", "--seconds", "0.05", "--no-limits") as server:
        yield server


@pytest.fixture(scope="module")
def ada(server):
    return Person(server)


def until_ready(ask):
    """Poll until the analysis is ready, as a page does."""
    end = time.monotonic() + 150
    while (answer := ask()).status_code == 202 and time.monotonic() < end:
        assert answer.json() == {"ready": False, "analysis": None}
        time.sleep(0.3)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_record_is_analysed_in_the_background(ada):
    text = records.write(random_record(SMALL))
    first = ada.http.post("/api/analysis", json={"record": text})
    assert first.status_code == 202  # nobody waits for it
    reply = until_ready(lambda: ada.http.post("/api/analysis", json={"record": text}))
    result = msgspec.convert(reply, AnalysisReply)
    record = records.read(text)
    nodes = nodes_for(len(record.actions))
    assert result.ready and result.analysis == shorten(souk.analyse(record, nodes=nodes))
    started = time.monotonic()
    again = ada.http.post("/api/analysis", json={"record": text})
    assert again.json() == reply and time.monotonic() - started < 5
    assert again.headers["content-encoding"] == "gzip"
    plain = ada.http.post("/api/analysis", json={"record": text}, headers={"Accept-Encoding": ""})
    assert plain.json() == reply and "content-encoding" not in plain.headers


@pytest.mark.asyncio
async def test_a_table_is_analysed_when_its_game_is_over(ada):
    table = ada.table(SMALL, seats=TWO)
    address = f"/api/tables/{table}/analysis"
    for _ in range(2):  # before the start, and in the middle: it would be advice
        answer = ada.http.get(address)
        assert (answer.status_code, answer.json()["code"]) == (409, "not-over")
        async with ada.connect(table) as line:
            if line.table["status"] == "waiting":
                await line.ask("start")
                await play_on(line, moves=2)
    async with ada.connect(table) as line:
        await play_on(line)
        returns = line.table["result"]["returns"]
    reply = until_ready(lambda: ada.http.get(address))["analysis"]
    replay = ada.http.get(f"/api/tables/{table}/replay").json()
    assert [step["action"] for step in reply["steps"]] == [
        frame["action"] for frame in replay["frames"][1:]
    ]
    assert [one["end"] for one in reply["players"]] == returns
    assert [one["name"] for one in reply["players"]] == ["Ada", "Bob"]
    assert ada.http.get(f"/api/tables/{'x' * 22}/analysis").status_code == 404


@pytest.mark.asyncio
async def test_a_resigned_game_is_analysed_up_to_its_end(ada):
    table = ada.table(SMALL, seats=TWO, start=True)
    async with ada.connect(table) as line:
        await play_on(line, moves=3)
        await line.ask("resign", seat=0)
    reply = until_ready(lambda: ada.http.get(f"/api/tables/{table}/analysis"))["analysis"]
    assert not reply["over"] and len(reply["steps"]) >= 3


def test_a_bad_record_is_refused(ada):
    for record in ("nothing", "game: marracash(layout=/etc/passwd)\nseed: 1"):
        answer = ada.http.post("/api/analysis", json={"record": record})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-record")
    assert ada.http.post("/api/analysis", json={}).status_code == 422


def test_analyses_are_rate_limited(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        ada = Person(server)
        bad = [ada.http.post("/api/analysis", json={"record": f"x{n}"}) for n in range(12)]
        assert bad[0].status_code == 400 and bad[-1].json()["code"] == "too-fast"


# ---- the service alone ---------------------------------------------------------------------------


class ManualWorkers:
    """Workers that answer when the test says so."""

    def __init__(self):
        self.asked = []
        self.go_on = asyncio.Event()
        self.fails = False

    async def run(self, _order, _function, record):
        self.asked.append(record)
        await self.go_on.wait()
        if self.fails:
            raise RuntimeError("a worker ended")
        return b"analysis", [0.1, -0.1]


@pytest.fixture
def service():
    tasks = set()

    def start_task(work):
        task = asyncio.get_running_loop().create_task(work)
        tasks.add(task)

    service = Analyses(start_task)
    service._workers = ManualWorkers()
    return service


RECORD = random_record(SMALL, moves=1)


@pytest.mark.asyncio
async def test_a_repeated_request_does_not_start_a_second_analysis(service):
    assert service.get("a") is None
    assert service.start("a", RECORD) is service.start("a", RECORD) is service.get("a") is PENDING
    await asyncio.sleep(0)
    service._workers.go_on.set()
    await asyncio.sleep(0.01)
    assert service.get("a") == service.start("a", RECORD) == b"analysis"
    assert service._workers.asked == [RECORD]


@pytest.mark.asyncio
async def test_queue_and_cache_are_bounded(service, monkeypatch):
    monkeypatch.setattr(analyses, "MAX_WAITING", 3)
    monkeypatch.setattr(analyses, "MAX_CACHED", 2)
    for key in "abc":
        service.start(key, RECORD)
    with pytest.raises(Refusal, match="waiting to be analysed") as refusal:
        service.start("d", RECORD)
    assert refusal.value.code == "too-fast"
    service._workers.go_on.set()
    await asyncio.sleep(0.01)
    assert [service.get(key) for key in "abc"] == [None, b"analysis", b"analysis"]
    assert service.start("d", RECORD) is PENDING


@pytest.mark.asyncio
async def test_a_failure_is_reported_once_and_may_be_retried(service, caplog):
    service._workers.fails = True
    service._workers.go_on.set()
    service.start("a", RECORD)
    await asyncio.sleep(0.01)
    with pytest.raises(Refusal, match="could not be analysed") as refusal:
        service.get("a")
    assert refusal.value.code == "not-possible" and "an analysis failed" in caplog.text
    service._workers.fails = False
    assert service.start("a", RECORD) is PENDING


@pytest.mark.asyncio
async def test_a_game_that_is_too_long_is_refused(service):
    """Everybody else waits for it: 1500 actions took 16 s."""
    long = random_record("marrakech(players=4,rugs=90,dirhams=100000)")
    assert 1000 < len(long.actions) < 1500
    with pytest.raises(Refusal, match="at most 1000 actions"):
        service.start("a", long)


def test_the_worker_compresses_analyses():
    reply, luck = analyses._compressed_analysis(RECORD)  # 20 ms for a long game
    assert msgspec.json.decode(gzip.decompress(reply), type=AnalysisReply).ready and len(luck) == 2


def test_a_page_gets_fewer_options_and_digits_but_what_was_chosen():
    reply = souk.analyse(random_record("marrakech(players=3,rugs=2)"), level="trader")
    short = shorten(reply)
    for step, whole in zip(short.steps, reply.steps, strict=True):
        assert step.action in [one.action for one in step.alternatives]
        assert step.seat is None or len(step.alternatives) <= analyses.MAX_ALTERNATIVES + 1
        if step.seat is None:
            assert len(step.alternatives) == len(whole.alternatives)
        assert step.shares == pytest.approx(whole.shares, abs=1e-4)
