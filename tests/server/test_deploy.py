"""The files in deploy/: the unit is hardened, and all start the server in the same way."""

import asyncio
import configparser
import datetime
import ipaddress
import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.asyncio import client

from tests.server.server_process import Line, Person, Server, play_on

DEPLOY = Path(__file__).parents[2] / "deploy"
MOST_EXPOSURE = 2.0
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


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


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_certificate(folder):
    """Write a certificate for play.example that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "play.example")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("play.example"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


@contextmanager
def nginx(folder, ports):
    """Run nginx with deploy/nginx.conf in front of two servers; yield its port."""
    write_certificate(folder)
    port = free_port()
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/letsencrypt/live/play.example", str(folder)),
        ("127.0.0.1:8081", f"127.0.0.1:{ports[0]}"),
        ("127.0.0.1:8082", f"127.0.0.1:{ports[1]}"),
    ):
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    main = f"""
        daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        worker_processes 2;
        events {{ worker_connections 256; }}
        http {{ access_log off; {paths} {text} }}
    """
    (folder / "main.conf").write_text(main, "utf-8")
    process = subprocess.Popen([NGINX, "-c", folder / "main.conf", "-e", folder / "error.log"])
    try:
        yield port
    finally:
        process.terminate()
        process.wait(10)


class BehindNginx(Person):
    """A client that reaches the servers through nginx only."""

    def __init__(self, server, port, folder):
        self.context = ssl.create_default_context(cafile=folder / "fullchain.pem")
        self.port = port
        self.server = server
        self.headers = {"Host": "play.example"}
        base = f"https://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=base, verify=self.context, headers=self.headers)
        server.people.append(self)
        answer = self.http.post("/api/me", json={"name": "Ada"})
        answer.raise_for_status()
        cookie = answer.headers["set-cookie"]
        assert "Secure" in cookie, "the servers know that it is https"
        self.headers["Cookie"] = cookie.partition(";")[0]
        self.http.headers.update(self.headers)

    @asynccontextmanager
    async def connect(self, table):
        url = f"wss://play.example:{self.port}/api/tables/{table}/live"
        cookie = {"Cookie": self.headers["Cookie"]}
        async with client.connect(
            url, host="127.0.0.1", ssl=self.context, additional_headers=cookie
        ) as socket:
            line = Line(socket)
            await line.next()
            yield line


@pytest.mark.asyncio
@pytest.mark.skipif(NGINX is None, reason="needs nginx")
async def test_a_game_is_played_through_nginx_and_two_processes(postgres, tmp_path):
    options = ("--no-limits", "--origin", "https://play.example")
    with (
        postgres.database() as url,
        Server(url, *options) as one,
        Server(url, *options) as other,
        nginx(tmp_path, (one.port, other.port)) as port,
    ):
        await wait_for_port(port)
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


async def wait_for_port(port):
    async with asyncio.timeout(10):
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            await asyncio.sleep(0.05)
