"""A full disk: a clear refusal, no acknowledged entry is lost, and play goes on."""

import asyncio
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from souk import records
from tests.server.server_process import Person, Server, play_on
from tests.server.store_helpers import open_store

pytestmark = pytest.mark.asyncio

HEALTH = ("/healthz", "/readyz")
FILL = "{ dd if=/dev/zero of=large bs=4k 2>/dev/null || true; }"
UNSHARE = ("unshare", "--map-root-user", "--mount", "sh", "-c")
can_mount = pytest.mark.skipif(
    not shutil.which("unshare")
    or subprocess.run([*UNSHARE, "mount -t tmpfs tmpfs /mnt"], check=False).returncode > 0,
    reason="needs to mount a small disk",
)


class OnSmallDisk(Server):
    """A server whose database is alone on a disk of 32 MB; a script may put more there before."""

    def __init__(self, folder, script="true"):
        super().__init__(folder / "souk.db", "--no-limits")
        mount = f"mount -t tmpfs -o size=32m tmpfs {folder} && cd {folder}"
        self.command = [*UNSHARE, f'{mount} && {script} && exec "$@"', "sh", *self.command]
        self.folder = folder

    @property
    def disk(self):
        """The disk as the server sees it."""
        return Path(f"/proc/{self.process.pid}/root{self.folder}")


@can_mount
async def test_health_tells_of_a_full_disk_before_a_move_fails(tmp_path):
    with OnSmallDisk(tmp_path) as server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(table) as line:
            await play_on(line, moves=3)
            assert [ada.http.get(path).status_code for path in HEALTH] == [200, 200]
            subprocess.run(["sh", "-c", FILL], cwd=server.disk, check=True)
            await asyncio.sleep(1.1)  # good health is believed for a second
            for path in HEALTH:
                answer = ada.http.get(path)
                assert (answer.status_code, answer.json()["ok"]) == (503, False)
                assert answer.json()["error"].endswith("the disk is full: it has 0 MB left")
            (server.disk / "large").unlink()
            assert [ada.http.get(path).status_code for path in HEALTH] == [200, 200]
            await play_on(line, moves=3)


@can_mount
async def test_starting_on_a_full_disk_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "seed").mkdir()
    async with open_store(str(tmp_path / "seed" / "souk.db")):
        pass
    disk = tmp_path / "disk"
    disk.mkdir()
    can_open = "dd if=/dev/zero of=small bs=4k count=8 2>/dev/null"  # but not write
    old = f"cp {tmp_path}/seed/souk.db . && {can_open} && {FILL} && rm small"
    for script in (FILL, old):
        with pytest.raises(AssertionError, match=r"souk: .* disk is full") as error:
            OnSmallDisk(disk, script).start()
        assert "Traceback" not in str(error.value)


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
