"""The files in deploy/: the unit is hardened, and all start the server in the same way."""

import configparser
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from websockets.exceptions import InvalidStatus

from tests.server.nginx import DEPLOY, BehindNginx, nginx
from tests.server.server_process import Server, play_on

MOST_EXPOSURE = 2.0


# ---- the unit -----------------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_the_unit_is_hardened():
    threshold = f"--threshold={int(MOST_EXPOSURE * 10)}"  # fails above it
    command = ["systemd-analyze", "security", "--offline=true", threshold, "souk.service"]
    done = subprocess.run(command, cwd=DEPLOY, capture_output=True, text=True, check=False)
    rated = re.search(r"Overall exposure level for souk.service: ([0-9.]+)", done.stdout)
    assert rated is not None, done.stderr
    assert float(rated[1]) <= MOST_EXPOSURE and done.returncode == 0, done.stdout


# ---- one start command --------------------------------------------------------------------------


def test_unit_and_containers_start_the_same_command():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(DEPLOY / "souk.service")
    assert unit["Service"]["ExecStart"].split("/")[-1] == "souk serve"
    lines = (DEPLOY / "Containerfile").read_text("utf-8").splitlines()
    assert json.loads(lines[-1].removeprefix("CMD ")) == ["souk", "serve"]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    souk = compose["services"]["souk"]
    assert not {"command", "entrypoint", "privileged", "network_mode", "user"} & set(souk)
    built = (DEPLOY / souk["build"]["context"] / souk["build"]["dockerfile"]).resolve()
    assert built == DEPLOY / "Containerfile"
    assert all(port.startswith("127.0.0.1:") for port in souk["ports"])
    assert set(souk["environment"]) <= {"SOUK_DATABASE", "SOUK_ORIGIN", "SOUK_PROXIES"}


def test_the_containerfile_is_linted():
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, DEPLOY / "Containerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_health_check_of_the_container_asks_the_server(tmp_path):
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    command = json.loads(re.search(r'CMD (\["python".*\])', text)[1])
    with Server(tmp_path / "souk.db") as server:
        script = command[2].replace(":8080/", f":{server.port}/")
        assert script != command[2]
        assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
        server.stop()
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
        assert done.returncode == 1


# ---- nginx --------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_game_is_played_through_nginx_and_two_processes(postgres, tmp_path):
    options = ("--no-limits", "--origin", "https://play.example")
    with (
        postgres.database() as url,
        Server(url, *options) as one,
        Server(url, *options) as other,
        nginx(tmp_path, (one.port, other.port)) as port,
    ):
        ada = BehindNginx(one, port, tmp_path)
        assert ada.http.get("/api/games").status_code == 200
        for path in ("/metrics", "/healthz", "/readyz"):
            assert ada.http.get(path).status_code == 403, path
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(table) as first, ada.connect(table) as second:
            await play_on(first, moves=6)
            await second.until(lambda line: line.n == first.n)
            assert second.position == first.position
        log = (tmp_path / "error.log").read_text("utf-8")
        assert "[error]" not in re.sub(r".*access forbidden by rule.*\n", "", log), log


@pytest.mark.asyncio
async def test_one_address_cannot_take_all_connections_of_nginx(tmp_path):
    changes = (("addresses 400", "addresses 3"), ("header_timeout 10s", "header_timeout 1s"))
    with (
        Server(tmp_path / "souk.db", "--no-limits", "--origin", "https://play.example") as server,
        nginx(tmp_path, (server.port, server.port), *changes) as port,
    ):
        ada = BehindNginx(server, port, tmp_path)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(table), ada.connect(table), ada.connect(table):
            with pytest.raises(InvalidStatus) as refused:
                await ada.connect(table).__aenter__()
            assert refused.value.response.status_code == 429
        with socket.create_connection(("127.0.0.1", port)) as silent:
            silent.settimeout(10)
            assert silent.recv(1) == b"", "cut, before the handshake"
