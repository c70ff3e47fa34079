"""The files of the page: what is served, how it is cached, and that nothing else is."""

import asyncio
import gzip
import sys
from pathlib import Path
from typing import get_args

import httpx
import pytest

from souk.server import serve
from souk.server.http import app, static_page
from souk.server.http.openapi import STATUS
from souk.server.settings import Settings
from souk.server.tables.commands import Code
from tests.server.server_process import Server

SCRIPT = b"console.log('a rug');" * 50


@pytest.fixture
def folder(tmp_path):
    built = tmp_path / "page"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_bytes(b"<!doctype html><title>Souk</title>")
    (built / "manifest.webmanifest").write_bytes(b"{}")
    (built / "sw.js").write_bytes(b"self;")
    (built / ".stamp").write_bytes(b"hidden")
    (built / "assets" / "index-Ab1.js").write_bytes(SCRIPT)
    (built / "assets" / "index-Ab1.js.gz").write_bytes(gzip.compress(SCRIPT))
    (built / "assets" / "index-Ab1.js.br").write_bytes(b"as if it were brotli")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    return built


@pytest.fixture
def ask(folder, tmp_path, monkeypatch):
    """Return a client of an application with this page."""
    monkeypatch.setattr(static_page, "FOLDER", folder)
    whole = app.SoukApp(Settings(database=str(tmp_path / "souk.db"), limits=False)).app

    async def send_request(method, path, headers):
        transport = httpx.ASGITransport(whole)
        async with httpx.AsyncClient(transport=transport, base_url="http://souk") as client:
            client.headers["Accept-Encoding"] = "identity"
            return await client.request(method, path, headers=headers)

    return lambda path, method="GET", **headers: asyncio.run(send_request(method, path, headers))


@pytest.mark.parametrize("path", ["/", "/t/abc", "/join/abc", "/replay", "/device/word", "/apiary"])
def test_every_address_of_the_page_gives_its_index(ask, path):
    answer = ask(path)
    assert answer.status_code == 200 and "<title>Souk" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "unsafe" not in policy


def test_assets_have_no_headers_that_only_documents_need(ask):
    headers = ask("/assets/index-Ab1.js").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "content-security-policy" not in headers and "x-frame-options" not in headers


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing.js", "/assets/nothing.js", "/.stamp", "/secret.txt", "/../secret.txt"),
        *("/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"),
        *("/assets/index-Ab1.js.gz", "/index.html/x.js", "/assets/INDEX-Ab1.js"),
        *("/api", "/api/nothing", "/api/", "/healthz/x", "/metrics/x"),
    ],
)
def test_files_outside_the_page_are_not_served(ask, path):
    answer = ask(path)
    assert answer.status_code == 404 and answer.json()["code"] == "bad-request"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/sw.js", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/index.html", "text/html; charset=utf-8"),
    ],
)
def test_files_have_their_types_and_are_asked_about_every_time(ask, path, kind):
    answer = ask(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.headers["cache-control"] == "no-cache"
    again = ask(path, **{"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_assets_are_cached_for_ever_and_compressed(ask):
    path = "/assets/index-Ab1.js"
    plain = ask(path)
    assert plain.content == SCRIPT and "content-encoding" not in plain.headers
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    packed = ask(path, **{"Accept-Encoding": "gzip, deflate"})
    assert packed.headers["content-encoding"] == "gzip" and packed.content == SCRIPT
    for answer in (plain, packed):
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    head = ask(path, "HEAD", **{"Accept-Encoding": "gzip, br;q=0.9"})
    assert head.headers["content-encoding"] == "br"


def test_a_page_is_only_read(ask):
    assert ask("/", "POST").status_code in (404, 405)
    assert ask("/assets/index-Ab1.js", "DELETE").status_code in (404, 405)


def test_a_page_that_was_not_built_says_how_to_build_it(tmp_path):
    result = static_page.Page(tmp_path / "nowhere").find("/t/abc")
    assert b"make page" in result.body and b"style" not in result.body


def test_a_real_server_has_a_page(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        for path in ("/", "/t/abc"):
            answer = httpx.get(server.url + path)
            assert answer.status_code == 200 and "Souk" in answer.text
        head = httpx.head(server.url)
        assert (head.status_code, head.content) == (200, b"")


# ---- opening it ---------------------------------------------------------------------------------


def test_the_page_is_opened_where_there_is_a_graphical_browser(monkeypatch):
    shown = []
    monkeypatch.setattr(serve.webbrowser, "open", lambda url: shown.append(url) or True)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not serve.open_page("http://127.0.0.1:8080") and shown == []
    monkeypatch.setenv("DISPLAY", ":0")
    assert serve.open_page("http://127.0.0.1:8080")
    assert shown == ["http://127.0.0.1:8080/"]


def test_serve_opens_the_page_only_with_its_option(tmp_path):
    shown = tmp_path / "shown"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {shown}\n')
    browser.chmod(0o755)
    with Server(tmp_path / "souk.db", "--open", BROWSER=str(browser)) as server:
        for _ in range(100):
            if shown.exists() and shown.read_text():
                break
            asyncio.run(asyncio.sleep(0.05))
        assert shown.read_text().strip() == f"{server.url}/"


def test_every_refusal_has_a_text_on_the_page():
    words = (Path(__file__).parents[2] / "web" / "src" / "texts" / "en.ts").read_text("utf-8")
    codes = {*get_args(Code), *STATUS, "bad-request"}
    assert not {code for code in codes if f"'error.{code}':" not in words}
