"""The HTTP API for third-party programs: OpenAPI, headers, refusals."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from souk.server.http import app as whole
from souk.server.http.record_export import record_text
from souk.server.settings import Settings
from souk.server.tables.entries import TABLE_ID
from tests.server.server_process import Person, Server

# The fuzzer does not know which games there are, so what fits the description may be refused.
CHECKS = "--exclude-checks=positive_data_acceptance"
STRICT = ("default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("rest") / "souk.db", "--no-limits") as server:
        yield server
        log = server.stop()
        levels = {json.loads(line)["level"] for line in log.splitlines()}
        assert levels <= {"info", "warning"}, log


@pytest.fixture(scope="module")
def ada(server):
    return Person(server)


def fuzz(server, folder, *options):
    """Let schemathesis try what OpenAPI allows, and what it does not."""
    command = [Path(sys.executable).parent / "schemathesis", "run", "--no-color", "--seed=1"]
    command += [CHECKS, "--max-examples=8", *options, f"{server.url}/api/openapi.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr


def test_a_fuzzer_without_an_identity_finds_nothing(server, tmp_path):
    fuzz(server, tmp_path, "--phases=coverage,fuzzing")


def test_a_fuzzer_with_an_identity_and_a_table_finds_nothing(server, tmp_path):
    ada = Person(server)
    seats = [{"kind": "me"}, {"kind": "me"}]
    table = ada.table("marrakech(players=2)", seats=seats, start=True)
    (tmp_path / "schemathesis.toml").write_text(f'[parameters]\n"path.id" = "{table}"\n')
    stays = ("--exclude-operation-id=delete_me", "--exclude-operation-id=log_out")
    cookie = f"Cookie: {ada.headers['Cookie']}"
    fuzz(server, tmp_path, "--phases=fuzzing,stateful", "-H", cookie, *stays)


def test_the_description_names_every_answer(server):
    document = httpx.get(f"{server.url}/api/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            assert {"413", "422", "429", "503"} <= set(route["responses"]), path
            for status, answer in route["responses"].items():
                if status == "204":
                    continue
                (content,) = answer["content"].values()
                assert content["schema"], (method, path, status, "says how it looks")


def test_openapi_has_the_pattern_of_ids_and_the_refusals(server):
    document = httpx.get(f"{server.url}/api/openapi.json").json()
    paths = [path for path in document["paths"] if "{id}" in path]
    assert len(paths) == 7
    for path in paths:
        for route in document["paths"][path].values():
            (parameter,) = (one for one in route["parameters"] if one["in"] == "path")
            assert parameter["schema"]["pattern"] == TABLE_ID
            assert "no-such-table" in route["responses"]["404"]["description"]


def test_an_optional_identity_is_null_for_a_stranger(server, ada):
    me = f"{server.url}/api/me"
    assert httpx.get(me).status_code == 401
    nobody = httpx.get(me, params={"optional": "true"})
    assert (nobody.status_code, nobody.json()) == (200, None)
    assert (
        ada.http.get("/api/me", params={"optional": "true"}).json()
        == ada.http.get("/api/me").json()
    )


# ---- headers ------------------------------------------------------------------------------------


def answers(server, ada):
    """Return one answer of every status."""
    table = ada.table("marrakech(players=2)")
    http = ada.http
    return {
        200: http.get("/api/me"),
        201: http.post("/api/bots", json={"name": "Bot"}),
        400: http.post("/api/tables", json={"game": "chess"}),
        401: httpx.get(f"{server.url}/api/me"),
        403: http.post("/api/me", json={"name": "x"}, headers={"Origin": "https://evil.example"}),
        404: http.get(f"/api/tables/{'x' * 22}"),
        405: http.put("/api/me", json={}),
        409: http.post(f"/api/tables/{table}/rematch"),
        413: http.post("/api/me", content=b"x" * 70_000),
        422: http.get("/api/tables?limit=many"),
    }


def assert_guarded(answer):
    policy = answer.headers["Content-Security-Policy"]
    assert all(rule in policy for rule in STRICT) and "unsafe" not in policy and "*" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "server" not in answer.headers and "access-control-allow-origin" not in answer.headers


def test_every_answer_has_its_status_and_the_security_headers(server, ada):
    for status, answer in answers(server, ada).items():
        assert answer.status_code == status, answer.text
        assert_guarded(answer)
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Content-Type"] == "application/json"
        if status >= 400:
            problem = answer.json()
            assert set(problem) == {"code", "message"} and all(problem.values())
    for path in ("/healthz", "/metrics", "/", "/nowhere", "/api/me/", "/api/openapi.json"):
        assert_guarded(httpx.get(server.url + path))
    insecure = httpx.get(server.url, headers={"Host": f"192.168.1.20:{server.port}"})
    assert "Cross-Origin-Opener-Policy" not in insecure.headers, "browsers would complain"


def test_an_internal_error_has_the_same_headers_and_no_details(tmp_path, monkeypatch, caplog):
    def broken():
        raise ZeroDivisionError("a detail")

    monkeypatch.setattr("souk.server.tables.hosted_games.game_views", broken)
    app = whole.SoukApp(Settings(database=str(tmp_path / "souk.db"))).app

    async def ask():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/api/games")

    answer = asyncio.run(ask())
    assert answer.status_code == 500 and answer.json()["code"] == "internal-error"
    assert "detail" not in answer.text
    assert_guarded(answer)
    assert [record.message for record in caplog.records] == ["a request failed"], "noted once"


def where(stored, signer):
    """Return the process in which a record is written."""
    assert record_text(stored, signer)
    return str(os.getpid())


def test_records_are_written_in_another_process(tmp_path, monkeypatch):
    async def ask():
        server = whole.SoukApp(Settings(database=str(tmp_path / "souk.db"), workers=1))
        await server.open()
        transport = httpx.ASGITransport(server.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://souk") as client:
            await client.post("/api/me", json={"name": "Ada"})
            made = await client.post("/api/tables", json={"game": "marrakech"})
            answer = await client.get(f"/api/tables/{made.json()['table']['id']}/record")
        await server.close()
        return answer

    monkeypatch.setattr("souk.server.http.routes.record_text", where)
    answer = asyncio.run(ask())
    assert answer.status_code == 200 and int(answer.text) != os.getpid()


def test_405_names_the_methods_and_head_has_no_body(server):
    with httpx.Client(base_url=server.url) as http:
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"):
            answer = http.request(method, "/api/tables")
            assert answer.status_code == 405, method
            assert answer.headers["Allow"] == "GET, POST"
            if method == "HEAD":
                assert answer.content == b""
            else:
                assert answer.json()["code"] == "bad-request"
        for path, methods in (("/api/network", "GET, PUT"), ("/api/me/history", "GET")):
            assert http.post(path).headers["Allow"] == methods


def test_nothing_redirects_to_where_the_host_header_says(server):
    with httpx.Client(base_url=server.url, headers={"Host": "evil.example"}) as http:
        for path in ("/api/me/", "/api/tables/", "//evil.example/", "/api/tables/%2e%2e%2f"):
            answer = http.get(path)
            assert not answer.is_redirect and "location" not in answer.headers, path
            assert "evil" not in answer.text


def test_the_cookie_is_for_the_browser_alone(server, tmp_path):
    plain = httpx.post(f"{server.url}/api/me", json={"name": "Ada"}).headers["Set-Cookie"]
    assert "HttpOnly" in plain and "SameSite=lax" in plain and "Path=/" in plain
    assert "Domain" not in plain and "Secure" not in plain
    with Server(tmp_path / "souk.db", "--origin", "https://play.example") as other:
        away = {"Origin": "https://play.example", "Host": "inside:8080"}
        answer = httpx.post(f"{other.url}/api/me", json={"name": "Ada"}, headers=away)
        assert answer.status_code == 200 and "Secure" in answer.headers["Set-Cookie"]
        for origin in ("https://evil.example", "null", "", "http://[", "https://play.example.evil"):
            away["Origin"] = origin
            answer = httpx.post(f"{other.url}/api/me", json={"name": "Ada"}, headers=away)
            assert (answer.status_code, answer.json()["code"]) == (403, "cross-origin"), origin


def test_a_proxy_s_own_password_does_not_hide_the_cookie(ada):
    answer = ada.http.get("/api/me", headers={"Authorization": "Basic YTpi"})
    assert answer.status_code == 200
    answer = ada.http.get("/api/me", headers={"Authorization": "Bearer nonsense"})
    assert answer.status_code == 401, "who shows a token means it"


# ---- bodies -------------------------------------------------------------------------------------

JSON = {"Content-Type": "application/json"}


def deep(levels):
    return b'{"name":' + b"[" * levels + b"]" * levels + b"}"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"name": 1}',
        b'{"name": true}',
        b'{"name": ["Ada"]}',
        b'{"name": "Ada", "id": "someone"}',
        b'{"name": ""}',
        b'{"name": "' + b"x" * 25 + b'"}',
        b'{"name": "\xff"}',
        b'{"name": "\\ud800"}',
        b'{"name": "x", "\\ud800": 1}',
        b'{"name": NaN}',
        b'{"name": ' + b"9" * 5000 + b"}",
        b'{"' + b"k" * 8_000 + b'": 1}',
        deep(4_000),
    ],
)
def test_a_body_that_makes_no_sense_is_refused_in_a_few_words(ada, body):
    for path in ("/api/me", "/api/bots", "/api/tables"):
        answer = ada.http.post(path, content=body, headers=JSON)
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["code"] == "bad-request"
        assert len(answer.content) < 1000, "not all that was sent is sent back"


def test_a_deep_record_is_refused_in_a_few_words(ada):
    answer = ada.http.post("/api/verify", content=deep(30_000), headers=JSON)
    assert answer.status_code in (400, 422) and answer.json()["code"] == "bad-request"
    assert len(answer.content) < 1000


def test_numbers_are_numbers_and_in_their_limits(ada):
    for field, values in {
        "seconds": (4, 86_401, True, 5.0, "5", -5, 10**30, [5]),
        "grace": (0, True, 60.5, "60", None),
        "public": (1, 0, "true", None),
        "start": (1, "yes"),
        "absent": ("always", 1, None),
        "seats": ([], [{"kind": "me"}] * 33, [{"kind": "god"}], [{}], {}, "me"),
        "secret": ("00" * 32,),
        "id": ("x" * 22,),
        "host": ("me",),
    }.items():
        for value in values:
            answer = ada.http.post("/api/tables", json={"game": "marrakech", field: value})
            assert answer.status_code in (400, 413, 422), (field, value, answer.text)


def test_a_body_is_json_and_says_so(ada):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = ada.http.post("/api/me", content=b'{"name":"x"}', headers={"Content-Type": kind})
        assert answer.status_code in (400, 413, 422), kind


def raw_answer(server, text, body=b""):
    """What the server answers to bytes that no library would send."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(text.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        return line.recv(65536).decode("latin-1")


def test_a_body_has_a_length_that_is_true(server, ada):
    start = "POST /api/me HTTP/1.1\nHost: souk\nContent-Type: application/json"
    chunk = b'e\r\n{"name":"abc"}\r\n0\r\n\r\n'
    for message in (
        "Transfer-Encoding: chunked",
        "Content-Length: 10\nTransfer-Encoding: chunked",
        "Content-Length: 99999999999999999999999999",
        "Content-Length: 65537",
        "Content-Length: -1",
        "Content-Length: 14\nContent-Length: 15",
        "Transfer-Encoding: gzip",
    ):
        answer = raw_answer(server, f"{start}\n{message}", chunk)
        assert answer.split()[1] in ("400", "413", "501"), answer
        assert "set-cookie" not in answer
    nothing = f"POST /api/me/link HTTP/1.1\nHost: souk\nCookie: {ada.headers['Cookie']}"
    assert raw_answer(server, nothing).split()[1] == "200", "no body needs no length"


def test_names_cannot_break_out_of_headers(server, ada):
    name = "a\r\nX-Evil: 1\r\n\r\n<b>"
    answer = ada.http.post("/api/me", json={"name": name})
    assert answer.json()["name"] == "a X-Evil: 1 <b>"
    assert "x-evil" not in answer.headers
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me", "name": name}] * 2)
    record = ada.http.get(f"/api/tables/{table}/record")
    assert record.headers["Content-Disposition"] == f'attachment; filename="souk-{table}.souk"'
    assert record.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "x-evil" not in record.headers and "\nX-Evil" not in record.text
    for header in ("Cookie: souk=a\x0b", "Authorization: Bearer \xff\xfe.\xc3", "Origin: \xff"):
        answer = raw_answer(server, f"GET /api/me HTTP/1.1\nHost: souk\n{header}")
        assert answer.split()[1] in ("400", "401"), answer


def test_pipelined_requests_are_answered_in_order(server):
    one = "GET /api/tables HTTP/1.1\r\nHost: souk\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall((one * 50).encode())
        received = b""
        while received.count(b"HTTP/1.1 200") < 50:
            received += line.recv(65536)
    assert received.count(b"HTTP/1.1 ") == 50


# ---- boards --------------------------------------------------------------------------------------


def board(ada, game, name="marracash"):
    return ada.http.get(f"/api/games/{name}/board", params={"game": game})


@pytest.mark.parametrize("layout", ["classic1996", "medina"])
def test_a_client_can_draw_the_board_of_a_game(ada, layout):
    result = board(ada, f"marracash(players=3,layout={layout})").json()
    fountains = {fountain["id"] for fountain in result["fountains"]}
    shops = {shop["id"]: shop for shop in result["shops"]}
    assert len(shops) == 25 and len(result["gates"]) == 3 and len(result["queue"]) == 4
    passed = set()
    for street in result["streets"]:
        assert {street["start"], street["end"]} <= fountains and len(street["way"]) >= 2
        for doors in (street["doors"], street["doors_back"]):
            met = [door["at"] for door in doors]
            assert met == sorted(met) and all(0 < at <= 1 for at in met)
            passed |= {door["shop"] for door in doors}
    assert passed == set(shops) == set(result["touching"])
    assert result["payments"] == [100, 200, 300, 400, 500]
    for shop in shops.values():
        assert 0 <= shop["x"] < shop["x"] + shop["width"] <= result["width"]
        assert 0 <= shop["y"] < shop["y"] + shop["height"] <= result["height"]


def test_a_client_can_walk_round_the_arcs_of_marrakech(ada):
    result = board(ada, "marrakech(players=2)", "marrakech").json()
    assert result["size"] == 7 and result["squares"][0] == "a1" and result["facings"] == [*"NESW"]
    ends = {tuple(arc["out"]): tuple(arc["in"]) for arc in result["arcs"]}
    assert len(ends) == 28 and ends["d1", "S"] == ("e1", "N") and ends["g7", "E"] == ("g7", "S")


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("chess", "chess"),
        ("marracash(players=9)", "marracash"),
        ("marrakech(players=2)", "marracash"),
        ("marracash(players=3,layout=/etc/passwd)", "marracash"),
    ],
)
def test_only_boards_of_hosted_games_are_returned(ada, game, name):
    answer = board(ada, game, name)
    assert answer.status_code == 400 and answer.json()["code"] == "bad-game"
    assert "root" not in answer.text
