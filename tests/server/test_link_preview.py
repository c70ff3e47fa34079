"""What messengers show of a link to a table: who invites to which game, and a picture."""

import re
from html import unescape

import httpx
import pytest

from souk.games import game_class
from tests.server.server_process import Person, Server

INDEX = """<!doctype html>
<html lang="en">
  <head>
    <meta name="description" content="Two games." />
    <title>Souk</title>
  </head>
  <body><script type="module" src="/assets/index.js"></script></body>
</html>
"""
WITH_PAGE = """if True:
    import os
    from pathlib import Path
    from souk.server.http import static_page

    static_page.FOLDER = Path(os.environ["PAGE"])
    from souk.cli import main
    main()
"""


def start(folder, *options):
    (folder / "page").mkdir()
    (folder / "page" / "index.html").write_text(INDEX)
    server = Server(folder / "souk.db", *options, PAGE=str(folder / "page"))
    server.command[1:3] = ["-c", WITH_PAGE]
    return server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with start(tmp_path_factory.mktemp("preview")) as server:
        yield server


def tags(html):
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)" />', html)
    return {name: unescape(text) for name, text in found}


def test_a_link_is_described_with_a_picture(server):
    ada = Person(server, "Ada & Co")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    for game in ("marracash", "marrakech"):
        table = ada.table(f"{game}(players=3)", seats=seats)
        answer = httpx.get(f"{server.url}/t/{table}")
        html = answer.text
        assert html.count("<title>") == html.count('name="description"') == 1
        title = re.search("<title>(.*)</title>", html)[1]
        assert title == f"Ada &amp; Co invites you to {game_class(game).title}"
        shown = tags(html)
        assert shown["og:title"] == unescape(title)
        assert shown["og:description"] == shown["description"]
        assert shown["og:url"] == f"{server.url}/t/{table}"
        picture = httpx.get(shown["og:image"])
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
        assert shown["og:image"].startswith(server.url) and picture.content.startswith(b"\x89PNG")
        assert picture.headers["cache-control"] == "public, max-age=86400"
        assert len(picture.content) < 300_000, "some messengers show no larger one"
        assert html.endswith(INDEX[INDEX.index("  </head>") + 2 :]), "the rest is as it was"
        assert "unsafe" not in answer.headers["content-security-policy"]


def test_a_preview_tells_no_more_than_an_invitation(server):
    ada, bela = Person(server, "Ada"), Person(server, "Bela")
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    view = ada.look(table)["table"]
    html = httpx.get(f"{server.url}/t/{table}", headers=bela.headers).text
    for hidden in (view["commitment"], ada.id, bela.id, "Bela", ada.http.cookies["souk"]):
        assert hidden not in html
    assert "og:" not in httpx.get(f"{server.url}/t/{table[::-1]}").text
    for path in ("/", "/t/short", f"/replay/{table}", f"/t/{table}/more"):
        assert httpx.get(server.url + path).text == INDEX


def test_a_preview_speaks_the_readers_language_and_is_revalidated(server):
    table = Person(server, "Ada").table("marrakech(players=2)", seats=[{"kind": "open"}] * 2)
    url = f"{server.url}/t/{table}"
    answer = httpx.get(url, headers={"Accept-Language": "de-AT,en;q=0.5"})
    assert tags(answer.text)["og:title"] == "Eine Partie Marrakech"
    assert answer.headers["vary"] == "Accept-Language"
    assert answer.headers["cache-control"] == "no-cache"
    sent = {"Accept-Language": "de-AT,en;q=0.5", "If-None-Match": answer.headers["etag"]}
    assert httpx.get(url, headers=sent).status_code == 304
    assert httpx.get(url, headers={**sent, "Accept-Language": "fr"}).status_code == 200


def test_a_strange_host_is_escaped(server):
    table = Person(server).table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    answer = httpx.get(f"{server.url}/t/{table}", headers={"Host": 'x"><script>alert(1)</script>'})
    assert "<script>alert" not in answer.text


def test_a_public_address_is_that_of_the_preview(tmp_path):
    with start(tmp_path, "--origin", "https://play.example") as server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
        shown = tags(httpx.get(f"{server.url}/t/{table}").text)
        assert shown["og:url"] == f"https://play.example/t/{table}"
        assert shown["og:image"] == "https://play.example/previews/marrakech.png"
