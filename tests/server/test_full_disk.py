"""A full disk: a clear refusal, no acknowledged entry is lost, and play goes on."""

import resource

import pytest

from souk import records
from tests.server.server_process import Person, Server

pytestmark = pytest.mark.asyncio


async def test_a_full_disk_refuses_clearly_and_loses_nothing(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        acknowledged = {}
        async with ada.connect(table) as line:

            async def play(moves):
                for _ in range(moves):
                    version, action = line.position["version"], line.position["legal"][0]
                    answer = await line.act(action)
                    if answer["type"] != "ack":
                        return answer
                    acknowledged[version] = action
                return None

            assert await play(10) is None
            wal = tmp_path / "souk.db-wal"
            full = (wal.stat().st_size, resource.RLIM_INFINITY)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, full)
            refused = await play(200)
            assert refused is not None and refused["code"] == "not-saved"
            assert ada.http.get("/healthz").status_code == 503
            assert ada.look(table)["n"] == line.n, "nothing was broadcast that was not persisted"
            assert ada.http.post("/api/tables", json={"game": "marrakech"}).status_code == 503

            live = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, live)
            assert await play(10) is None, "when there is space again, play continues"
            assert ada.http.get("/healthz").status_code == 200
        server.kill()
        server.restart()
        texts = records.read(ada.record(table)).texts()
        assert all(texts[version] == action for version, action in acknowledged.items())


async def test_a_database_that_cannot_be_written_is_refused_at_the_start(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(AssertionError, match=r"cannot use .* as a database"):
        Server(tmp_path / "file" / "souk.db").start()
    (tmp_path / "garbage.db").write_text("this is not a database at all, " * 100)
    with pytest.raises(AssertionError, match=r"cannot use .* as a database: .*not a database"):
        Server(tmp_path / "garbage.db").start()
