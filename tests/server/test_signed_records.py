"""Records of a real server: signed, bound to the moves as they happened, the same everywhere."""

import asyncio
import re
import subprocess
import sys

import pytest

from souk import load_game, records
from souk.records import fairness
from souk.records.signatures import Signer, new_key
from souk.server.admin import print_key
from souk.server.http import replays
from souk.server.http.record_export import RECORD_KEY
from tests.server.server_process import Person, Server, play_on
from tests.server.store_helpers import open_store

ORIGIN = "https://play.example"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("signed")
    with Server(folder / "souk.db", "--no-limits", "--origin", ORIGIN) as server:
        server.database = folder / "souk.db"
        yield server


@pytest.fixture(scope="module")
def ada(server):
    return Person(server, bot=True)


@pytest.fixture(scope="module")
def game(ada):
    """A finished game: the table, the commitment, and the history hash after every step."""

    async def play():
        table = ada.table("marrakech(players=2,rugs=3)", seats=[{"kind": "me"}] * 2)
        noted = {}
        async with ada.connect(table) as line:
            await line.ask("words", seat=1, words="Ada's own words")
            commitment = line.table["commitment"]
            await line.ask("start")
            while line.table["status"] != "over":
                noted[line.position["version"]] = line.position["history_hash"]
                await play_on(line, moves=1)
            noted[line.position["version"]] = line.position["history_hash"]
        return table, commitment, noted

    return asyncio.run(play())


def public_key(person):
    return person.http.get("/api/key").raise_for_status().json()["key"]


def test_every_history_hash_that_a_client_saw_is_that_of_the_record(ada, game):
    table, commitment, noted = game
    record = records.read(ada.record(table))
    assert len(noted) > 6
    verdict = fairness.verify(record, commitment, history_hashes=list(noted.values()))
    assert verdict.is_proven, verdict
    for version, history_hash in noted.items():
        early = fairness.verify(record, history_hashes=[history_hash])
        (text,) = [one.text for one in early.findings if one.subject == "moves"]
        assert f"first {version} of" in text or version == len(record.actions)
    assert record.extra["words"] == '["","Ada\'s own words"]'


def test_a_record_is_signed_with_the_key_of_the_server(ada, game):
    record = records.read(ada.record(game[0]))
    assert record.extra["server"] == ORIGIN
    assert fairness.verify(record, key=public_key(ada)).is_proven
    assert ada.http.get("/api/key").json()["algorithm"] == "ed25519"


def test_a_forged_game_is_refused_by_the_server_too(ada, game):
    table, commitment, noted = game
    text = ada.record(table)

    def verified(text, **more):
        return ada.http.post("/api/verify", json={"record": text, **more}).json()

    last = noted[max(noted)]
    real = verified(text, commitment=commitment, history_hash=last)
    assert real["fair"] and real["proven"]
    assert {one["status"] for one in real["findings"]} == {"proven"}
    forged = text.replace("seat 1: Ada", "seat 1: Eve")
    assert "changed after it was signed" in verified(forged)["problems"][0]
    unsigned = re.sub(r"^(history|server|server key|signature): .*\n", "", text, flags=re.M)
    answer = verified(unsigned, commitment=commitment)
    assert answer["fair"] and not answer["proven"]
    assert "history hash" in verified(text, history_hash="0" * 64)["problems"][0]
    bad = ada.http.post("/api/verify", json={"record": text, "history_hash": "12"})
    assert bad.status_code == 400 and "a history hash is 64" in bad.json()["message"]


def test_the_record_of_a_running_game_is_signed_and_hides_the_secret(ada):
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
    record = records.read(ada.record(table))
    assert "secret" not in record.extra and "signature" in record.extra
    waiting = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2)
    assert "history" not in records.read(ada.record(waiting)).extra


def test_the_key_is_the_same_after_a_restart_and_for_the_operator(server, ada, game):
    before = public_key(ada)
    server.stop()
    server.restart()
    assert public_key(ada) == before
    for command in (["key"], ["export", game[0]]):
        run = [sys.executable, "-m", "souk", "admin", *command, "--database", str(server.database)]
        printed = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        assert before in printed
    assert fairness.verify(records.read(printed), key=before).is_proven


def test_a_database_without_a_key_says_so(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        server.stop()
    delete = "import sqlite3,sys; db=sqlite3.connect(sys.argv[1]);"
    delete += "db.execute(\"DELETE FROM settings WHERE key='record key'\"); db.commit()"
    subprocess.run([sys.executable, "-c", delete, str(tmp_path / "souk.db")], check=True)
    run = [sys.executable, "-m", "souk", "admin", "key", "--database", str(tmp_path / "souk.db")]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 1 and "no key yet" in done.stderr


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_records_of_a_replaced_key_stay_proven(tmp_path, request, kind):
    url = str(tmp_path / "souk.db")
    if kind == "postgres":
        url = request.getfixturevalue("postgres").new_database()
    secret = "0" * 64
    headers = fairness.headers(secret, ("", ""), reveal=True)
    record = records.Record(load_game("marrakech(players=2)"), extra=headers)

    async def signer():
        async with open_store(url) as store:
            return Signer(await store.get_or_set(RECORD_KEY, new_key()))

    old = asyncio.run(signer())
    assert print_key(url, replace=True) == 0
    new = asyncio.run(signer())
    assert new.key != old.key and new.previous_keys == [old.key]
    text = records.write(old.sign(record))
    for keys, status in (([new.key, *new.previous_keys], "proven"), ([new.key], "unproven")):
        (found,) = [
            one
            for one in replays.verify(text, None, None, keys).findings
            if one.subject == "signature"
        ]
        assert found.status == status, found
