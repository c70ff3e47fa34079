"""Tables whose stored entries are damaged: a sentence, no retries, and all others go on."""

import json
import sqlite3

import pytest
from websockets.asyncio.client import connect

from tests.server.server_process import Line, Person, Server

BOTH = [{"kind": "me"}, {"kind": "me"}]
GAME = "marrakech(players=2)"
SENTENCE = "This table cannot be read any more: what is stored of it is damaged."

ENTRY = (
    "UPDATE entries SET entry = ? WHERE n = 2 AND table_key = (SELECT key FROM tables WHERE id = ?)"
)
DAMAGES = {
    "no JSON": (ENTRY, b"\xff\x00"),
    "an unknown entry": (ENTRY, b'{"entry":"exploded","at":1}'),
    "a seat that does not exist": (ENTRY, b'{"entry":"left","at":1,"seat":31}'),
    "a field that is missing": (ENTRY, b'{"entry":"left"}'),
    "an action that is not legal": (
        ENTRY,
        b'{"entry":"acted","at":1,"seat":0,"action":"nowhere","chance":[]}',
    ),
    "a game that does not exist": (
        "UPDATE tables SET terms = CAST(replace(CAST(terms AS TEXT), ?, 'x') AS BLOB) WHERE id = ?",
        "marrakech",
    ),
    "a configuration that is no JSON": ("UPDATE tables SET terms = ? WHERE id = ?", b"{"),
}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    """Yield a server, its user, damaged tables by kind and one that is not damaged."""
    file = tmp_path_factory.mktemp("unreadable") / "souk.db"
    with Server(file, "--no-limits") as server:
        ada = Person(server)
        tables = {kind: ada.table(GAME, seats=BOTH, start=True) for kind in [*DAMAGES, "none"]}
        server.stop()
        with sqlite3.connect(file) as database:
            for kind, (sql, value) in DAMAGES.items():
                changed = database.execute(sql, (value, tables[kind])).rowcount
                assert changed == 1, kind
        database.close()
        server.restart()
        yield server, ada, tables
        log = server.stop()
        lines = [json.loads(line) for line in log.splitlines()]
        errors = [line for line in lines if line["level"] == "error"]
        assert {line["message"] for line in errors} == {"a table cannot be read"}, log
        assert {line["table"] for line in errors} == {tables[kind] for kind in DAMAGES}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_table_is_refused_with_a_sentence(damaged, kind):
    _, ada, tables = damaged
    for path in ("", "/record", "/replay", "/analysis"):
        answer = ada.http.get(f"/api/tables/{tables[kind]}{path}")
        assert (answer.status_code, answer.json()) == (
            410,
            {"code": "unreadable", "message": SENTENCE},
        ), path
    assert ada.http.post(f"/api/tables/{tables[kind]}/rematch").status_code == 410


@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.asyncio
async def test_clients_of_a_damaged_table_do_not_try_again(damaged, kind):
    server, ada, tables = damaged
    url = f"ws{server.url[4:]}/api/tables/{tables[kind]}/live"
    async with connect(url, additional_headers=ada.headers) as socket:
        line = Line(socket)
        assert await line.closed() == (4410, SENTENCE)
    assert line.goodbye["reconnect"] is False


@pytest.mark.asyncio
async def test_other_tables_go_on(damaged):
    _, ada, tables = damaged
    async with ada.connect(tables["none"]) as line:
        assert (await line.act("left"))["type"] == "ack"
    assert len(ada.http.get("/api/me/tables").json()) == len(tables)
