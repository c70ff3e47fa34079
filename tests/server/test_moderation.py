"""Moderation on a running server: the host's removals, block lists, reports, bans, deletion."""

import asyncio
import contextlib
import json
import sqlite3
import subprocess
import sys
import time
from types import SimpleNamespace

import httpx
import pytest

from tests.server.server_process import Person, Server

OPEN_SEAT = [{"kind": "me"}, {"kind": "open"}]
pytestmark = pytest.mark.asyncio


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("moderation") / "souk.db", "--no-limits") as server:
        yield server


async def test_a_removed_guest_is_disconnected_and_stays_out_when_banned(server):
    ada, ben = Person(server), Person(server, "Ben")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with ada.connect(table) as host:
        async with ben.connect(table) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("kick", person=ben.id)
            code, reason = await guest.closed()
            assert (code, reason) == (4403, "The host has removed you from this table.")
            assert guest.goodbye["reconnect"] is False
        assert host.table["seats"][1]["kind"] == "open"
        async with ben.connect(table) as guest:
            assert (await guest.ask("sit", seat=1))["type"] == "ack", "a kick is no ban"
            await host.ask("kick", person=ben.id, ban=True)
            assert (await guest.closed())[0] == 4403
        async with ben.connect(table) as guest:
            assert guest.goodbye is not None
            assert (await guest.closed())[0] == 4403
        assert host.table["banned"] == [{"person": ben.id, "name": "Ben"}]
        await host.ask("unban", person=ben.id)
        async with ben.connect(table) as guest:
            assert (await guest.ask("sit", seat=1))["type"] == "ack"


def session(server, person):
    """Return another device of a person."""
    code = person.http.post("/api/me/link").json()["code"]
    http = httpx.Client(base_url=server.url, timeout=20)
    server.people.append(SimpleNamespace(http=http))  # closed with it
    assert http.post("/api/me/claim", json={"code": code}).json()["id"] == person.id
    return http


def who(http):
    return http.get("/api/me", params={"optional": "true"}).json()


def admin(server, *words, code=0):
    database = server.command[server.command.index("--database") + 1]
    command = [sys.executable, "-m", "souk", "admin", *words, "--database", database]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


async def eventually(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


# ---- sessions -----------------------------------------------------------------------------------


async def test_logging_out_ends_the_cookie_and_the_sockets_of_this_device_only(server):
    ada = Person(server)
    other = session(server, ada)
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with ada.connect(table) as line:
        answer = ada.http.post("/api/me/logout", json={})
        assert answer.status_code == 204 and 'souk=""' in answer.headers["set-cookie"]
        assert (await line.closed())[0] == 4401
        assert line.goodbye["reconnect"] is True, "to watch"
    assert who(ada.http) is None, "a copy of the cookie is worth nothing"
    assert who(other)["id"] == ada.id


async def test_logging_out_elsewhere_keeps_this_device_under_a_new_cookie(server):
    ada = Person(server)
    other, before = session(server, ada), dict(ada.headers)
    answer = ada.http.post("/api/me/logout", json={"where": "elsewhere"})
    assert answer.status_code == 204
    assert who(other) is None
    assert httpx.get(f"{server.url}/api/me", headers=before).status_code == 401
    ada.http.headers["Cookie"] = f"souk={answer.cookies['souk']}"
    assert who(ada.http)["id"] == ada.id


async def test_logging_out_everywhere_ends_all_devices(server):
    ada = Person(server)
    other = session(server, ada)
    assert ada.http.post("/api/me/logout", json={"where": "there"}).status_code == 422
    assert ada.http.post("/api/me/logout", json={"where": "everywhere"}).status_code == 204
    assert who(other) is None and who(ada.http) is None


async def test_a_program_can_replace_its_token_and_a_browser_need_not(server):
    bot, ada = Person(server, "Robot", bot=True), Person(server)
    token = bot.http.post("/api/me/token").json()["token"]
    assert bot.http.get("/api/me").status_code == 401
    bot.http.headers["Authorization"] = f"Bearer {token}"
    assert bot.http.get("/api/me").json()["id"] == bot.id
    assert ada.http.post("/api/me/token").json()["code"] == "not-possible"


async def test_a_replaced_token_ends_the_sockets_that_were_opened_with_it(server):
    bot, table = (
        Person(server, bot=True),
        Person(server, "Ben").table("marrakech(players=2)", seats=OPEN_SEAT),
    )
    async with bot.connect(table) as thief:
        token = bot.http.post("/api/me/token").json()["token"]
        bot.headers["Authorization"] = f"Bearer {token}"
        async with bot.connect(table) as line:
            await thief.until(lambda line: line.goodbye)
            assert thief.goodbye["reconnect"]
            assert (await line.ask("sit", seat=1))["type"] == "ack", "the new one goes on"


async def test_misleading_names_are_refused_over_http(server):
    ada = Person(server)
    for path in ("/api/me", "/api/bots"):
        answer = ada.http.post(path, json={"name": "Аda"})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-name")
    seats = [{"kind": "me", "name": "Moderator"}, {"kind": "open"}]
    answer = ada.http.post("/api/tables", json={"game": "marrakech(players=2)", "seats": seats})
    assert answer.json()["code"] == "bad-name"


# ---- block lists and reports --------------------------------------------------------------------


async def test_somebody_who_is_blocked_takes_no_seat_at_the_hosts_table(server):
    ada, ben = Person(server), Person(server, "Ben")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    assert ada.http.put(f"/api/me/blocks/{ben.id}").status_code == 204
    assert ada.http.get("/api/me/blocks").json() == [{"person": ben.id, "name": "Ben"}]
    async with ben.connect(table) as guest:
        assert (await guest.ask("sit", seat=1))["code"] == "removed"
        assert ada.http.delete(f"/api/me/blocks/{ben.id}").status_code == 204
        assert (await guest.ask("sit", seat=1))["type"] == "ack"
    assert ada.http.put(f"/api/me/blocks/{ada.id}").json()["code"] == "not-possible"
    assert ada.http.put("/api/me/blocks/nobody").status_code == 404


async def test_a_report_reaches_the_operator_with_the_lines_of_the_person(server):
    ada, ben = Person(server), Person(server, "Benno")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with ben.connect(table) as guest:
        await guest.ask("say", text="a very rude line")
    report = {"person": ben.id, "table": table, "reason": "chat", "text": "He is rude."}
    assert ada.http.post("/api/reports", json=report).status_code == 204
    assert ada.http.post("/api/reports", json={**report, "person": "x"}).status_code == 404
    assert ada.http.post("/api/reports", json={**report, "reason": "hm"}).status_code == 422
    shown = admin(server, "reports")
    for part in ("Benno", ben.id, "Ada", "chat", "He is rude.", table, "a very rude line"):
        assert part in shown, part
    (row,) = map(json.loads, admin(server, "reports", "--json").splitlines())
    assert (row["person"], row["reason"], row["table"]) == (ben.id, "chat", table)
    assert "closed" in admin(server, "close", str(row["id"]))
    assert admin(server, "reports") == "no open reports\n"
    assert "Benno" in admin(server, "reports", "--all")
    assert "no open report 99" in admin(server, "close", "99", code=1)


# ---- souk admin while the server runs -----------------------------------------------------------


async def test_the_operator_bans_a_person_at_once_and_lifts_the_ban(server):
    ada, eve = Person(server), Person(server, "Eve")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with eve.connect(table) as line:
        admin(server, "ban", eve.id, "--reason", "spam", "--days", "3")
        assert (await line.closed())[0] == 4403
        assert line.goodbye == {
            "type": "goodbye",
            "reason": "The operator of this server has banned you: spam.",
            "reconnect": False,
        }
    answer = eve.http.get("/api/me")
    assert (answer.status_code, answer.json()["code"]) == (403, "banned")
    async with eve.connect(table) as line:
        assert (await line.closed())[0] == 4403
    shown = admin(server, "bans")
    assert eve.id in shown and "spam" in shown
    admin(server, "unban", eve.id)
    await eventually(lambda: eve.http.get("/api/me").status_code == 200)
    assert "is not banned" in admin(server, "unban", eve.id, code=1)
    assert "no person" in admin(server, "ban", "nobody", code=1)


async def test_the_operator_bans_an_address(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)")
    forwarded = {"X-Forwarded-For": "198.51.100.7"}
    outside = httpx.Client(base_url=server.url, headers=forwarded)
    assert outside.get("/api/games").status_code == 200
    admin(server, "ban", "198.51.100.0/24")
    await eventually(lambda: outside.get("/api/games").status_code == 403)
    assert outside.get("/api/games").json()["code"] == "banned"
    assert outside.get("/healthz").status_code != 403
    ada.headers.update(forwarded)
    async with ada.connect(table) as line:
        assert (await line.closed())[0] == 4403
    admin(server, "unban", "198.51.100.0/24")
    await eventually(lambda: outside.get("/api/games").status_code == 200)
    outside.close()


async def test_the_operator_removes_a_line_and_a_name_and_everybody_sees_it(server):
    ada, ben = Person(server), Person(server, "Badname")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with ada.connect(table) as host, ben.connect(table) as guest:
        await guest.ask("sit", seat=1)
        await guest.ask("say", text="foul words")
        await host.until(lambda line: line.events and line.events[-1]["kind"] == "said")
        n = host.events[-1]["n"]
        assert f"{n}" in admin(server, "chat", table)
        admin(server, "remove-line", table, str(n))
        await host.until(lambda line: line.events[-1]["kind"] == "line-removed")
        assert host.events[-1]["removed"] == n
        admin(server, "rename", ben.id, "Guest 7")
        await host.until(lambda line: line.events[-1]["kind"] == "renamed")
        assert host.table["seats"][1]["name"] == "Guest 7"
        assert (await guest.ask("say", text="hm"))["type"] == "ack", "the server goes on"
        await host.until(lambda line: line.events[-1]["kind"] == "said")
        assert host.events[-1]["line"]["name"] == "Guest 7"
    assert ben.http.get("/api/me").json()["name"] == "Guest 7"
    async with ada.connect(table, after=2) as line:
        assert "foul words" not in json.dumps([line.chat, line.events])
    assert "no line 2" in admin(server, "remove-line", table, "2", code=1)


async def test_a_removed_name_is_gone_from_those_who_watch(server):
    ada, ben = Person(server), Person(server, "Badname")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with ada.connect(table) as host, ben.connect(table) as guest:
        admin(server, "rename", ben.id, "Guest 7")

        def watchers():
            body = ada.http.get(f"/api/tables/{table}/watchers").json()
            return [one["name"] for one in body["people"]]

        await eventually(lambda: watchers() == ["Guest 7"])
        await guest.ask("say", text="hm")
        await host.until(lambda line: line.events and line.events[-1]["kind"] == "said")
        assert host.events[-1]["line"]["name"] == "Guest 7"


async def test_the_operator_sees_people_and_logs_them_out(server):
    zoe = Person(server, "Zoe Zebra")
    assert zoe.id in admin(server, "people", "zebra")
    shown = admin(server, "person", zoe.id)
    assert "Zoe Zebra" in shown and "127.0.0.1" in shown
    assert admin(server, "delete", zoe.id, code=1) == (
        "souk: nothing was changed: the question was not answered\n"
    )
    admin(server, "logout", zoe.id)
    await eventually(lambda: zoe.http.get("/api/me").status_code == 401)


async def test_an_id_that_begins_with_a_dash_is_no_option(server):
    database = server.command[server.command.index("--database") + 1]
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        now = time.time_ns() // 1_000_000  # or retention deletes them
        db.execute("INSERT INTO people VALUES ('-Dash', 'Dot', 0, ?)", (now,))
    assert "Dot" in admin(server, "person", "-Dash")
    admin(server, "ban", "-Dash", "--reason", "spam")
    assert "-Dash is banned" in admin(server, "bans")
    admin(server, "unban", "-Dash")


@pytest.mark.parametrize("by", ["themselves", "the operator"])
async def test_a_deleted_person_is_gone_and_the_game_ends(server, by):
    ada, ben = Person(server), Person(server, "Bartholomew")
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    async with ada.connect(table) as host, ben.connect(table) as guest:
        await guest.ask("sit", seat=1)
        await guest.ask("say", text="my address is …")
        await host.ask("start")
        if by == "themselves":
            answer = ben.http.delete("/api/me")
            assert answer.status_code == 204 and 'souk=""' in answer.headers["set-cookie"]
        else:
            assert "1 table" in admin(server, "delete", ben.id, "--yes")
        await host.until(lambda line: line.events[-1]["kind"] == "renamed")
        assert host.table["status"] == "over" and host.table["seats"][1]["resigned"]
        assert host.table["seats"][1]["name"] == "Deleted player"
        assert (await guest.closed())[0] == 4401
    assert who(ben.http) is None
    texts = [ada.http.get(f"/api/tables/{table}").text, ada.record(table)]
    assert not any("Bartholomew" in text or "my address" in text for text in texts)
    assert "nobody matches" in admin(server, "people", "Bartholomew")


async def test_deleting_many_people_cleans_the_tables_of_each_once(server):
    people = [Person(server, f"Ben {number}") for number in range(8)]
    tables = [one.table("marrakech(players=2)", seats=OPEN_SEAT) for one in people]
    for one in people:
        assert one.http.delete("/api/me").status_code == 204
    ada = Person(server)
    await eventually(
        lambda: all(ada.look(table)["table"]["seats"][0]["kind"] == "open" for table in tables)
    )
    await asyncio.sleep(0.5)  # more passes over all tables would show by now
    assert {ada.look(table)["n"] for table in tables} == {4}, "created, sat, left, renamed"


async def test_cleaning_up_says_what_it_would_delete_first(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)", seats=OPEN_SEAT)
    assert "0 tables" in admin(server, "cleanup", "--table-days", "1", "--dry-run")
    assert ada.look(table)["table"]["id"] == table


async def test_the_operators_terms_and_contact_are_public(tmp_path):
    options = ("--terms", "https://play.example/terms", "--contact", "ops@play.example")
    with Server(tmp_path / "souk.db", *options) as server:
        answer = httpx.get(f"{server.url}/api/server").json()
        assert answer == {"terms": "https://play.example/terms", "contact": "ops@play.example"}
