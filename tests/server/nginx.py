"""The real nginx with deploy/nginx.conf, and clients behind it."""

import datetime
import ipaddress
import socket
import ssl
import subprocess
import time
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.asyncio import client

import tools.nginx
from tests.server.server_process import Line, Person

DEPLOY = Path(__file__).parents[2] / "deploy"


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
def nginx(folder, ports, *changes):
    """Run nginx with deploy/nginx.conf and some changes before two servers; yield its port."""
    path = tools.nginx.find()
    assert path is not None, "no nginx: python -m tools.nginx unpacks it"
    write_certificate(folder)
    port = free_port()
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/letsencrypt/live/play.example", str(folder)),
        ("127.0.0.1:8081", f"127.0.0.1:{ports[0]}"),
        ("127.0.0.1:8082", f"127.0.0.1:{ports[1]}"),
        *changes,
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
    process = subprocess.Popen([path, "-c", folder / "main.conf", "-e", folder / "error.log"])
    try:
        wait_for_port(port)
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
    async def connect(self, table, after=None):
        query = "" if after is None else f"?after={after}"
        url = f"wss://play.example:{self.port}/api/tables/{table}/live{query}"
        cookie = {"Cookie": self.headers["Cookie"]}
        async with client.connect(
            url, host="127.0.0.1", ssl=self.context, additional_headers=cookie
        ) as socket:
            line = Line(socket)
            await line.next()
            yield line


def wait_for_port(port):
    """Wait until something listens."""
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("nginx does not listen")
