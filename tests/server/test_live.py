"""Whole games on a real server, from creation to record, by people, computers and bots."""

import asyncio
import json
import random
import subprocess
import sys

import pytest

from souk import records
from souk.records import fairness
from tests.server.server_process import Everybody, Person, Server, play_on

pytestmark = pytest.mark.asyncio


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("live") / "souk.db", "--no-limits") as server:
        yield server
        log = server.stop()
        assert server.code == 0
        levels = {json.loads(line)["level"] for line in log.splitlines()}
        assert levels == {"info"}, log


def person(server, name="Ada", **options):
    return Person(server, name, **options)


async def test_one_person_plays_the_computers_to_the_end_and_can_prove_the_dice(server):
    ada = person(server)
    table = ada.table("marrakech(players=3)", start=True)
    pick = random.Random(1)
    async with ada.connect(table) as line:
        assert [seat["kind"] for seat in line.table["seats"]] == ["person", "computer", "computer"]
        commitment = line.table["commitment"]
        assert line.table["secret"] is None
        await play_on(line, seats={0}, choose=pick.choice)
        assert line.table["status"] == "over"
        assert line.table["result"]["how"] == "played"
        assert fairness.commitment(line.table["secret"]) == commitment
    numbers = [event["n"] for event in line.events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), (
        "none left out, none twice"
    )
    record = records.read(ada.record(table))
    assert record.replay().is_terminal()
    assert record.replay().scores() == line.table["result"]["scores"]
    verdict = fairness.verify(record)
    assert verdict.is_fair and verdict.draws > 20
    message = [step["action"] for event in line.events for step in event.get("steps", [])]
    assert message == record.texts(), "what was broadcast is what is stored"


async def test_those_who_watch_are_listed_until_they_sit_down(server):
    ada, bela, cleo = (person(server, name) for name in ("Ada", "Bela", "Cleo"))
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    nobody = person(server)
    nobody.headers = {}

    def watchers():
        body = ada.http.get(f"/api/tables/{table}/watchers").json()
        return {one["person"]: one["name"] for one in body["people"]}, body["others"]

    async with Everybody((ada, bela, bela, cleo, nobody), table) as lines:
        assert watchers() == ({bela.id: "Bela", cleo.id: "Cleo"}, 1)
        assert (await lines[1].ask("sit", seat=1))["type"] == "ack"
        assert watchers() == ({cleo.id: "Cleo"}, 1)


@pytest.mark.parametrize(
    "game", ["marracash(players=3,souvenirs=True)", "marrakech(players=2)", "marrakech(players=4)"]
)
async def test_friends_play_by_link_and_see_the_same(server, game):
    people = [person(server, name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    table = people[0].table(game, seats=[{"kind": "open"}] * int(game[game.index("=") + 1]))
    seats = len(people[0].look(table)["table"]["seats"])
    pick = random.Random(game)
    async with Everybody(people[:seats], table) as lines:
        for number, line in enumerate(lines):
            answer = await line.ask("sit", seat=number)
            assert answer["type"] == "ack"
            assert (await line.ask("words", seat=number, words=f"luck {number}"))["type"] == "ack"
        assert (await lines[0].ask("start"))["type"] == "ack"
        while lines[0].table["status"] != "over":
            mover = lines[0].position["mover"]
            version = lines[0].position["version"]
            await lines[mover].until(
                lambda line, v=version: line.position and line.position["version"] == v
            )
            assert lines[mover].position == lines[0].position
            await lines[mover].act(pick.choice(lines[mover].position["legal"]))
            await lines[0].until(lambda line, v=version: line.position["version"] > v)
    record = records.read(people[0].record(table))
    assert [seat.name for seat in record.seats] == ["Ada", "Ben", "Cleo", "Dan"][:seats]
    assert json.loads(record.extra["words"]) == [f"luck {number}" for number in range(seats)]
    assert fairness.verify(record).is_fair


async def test_a_computer_waits_until_a_person_has_had_time_to_undo(server):
    ada = person(server)
    seats = [{"kind": "me"}, {"kind": "computer", "level": "random"}]
    table = ada.table(
        "marrakech(players=2,two_player=one-colour)", seats=seats, start=True, undo=True
    )
    async with ada.connect(table) as line:
        await line.act("ahead")  # and the die is rolled
        await line.until(lambda line: line.position["version"] == 2)
        first, second, *_ = line.position["legal"]
        await line.act(first)
        await line.until(lambda line: line.position["mover"] == 1)
        answer = await line.ask("undo", version=line.position["version"])
        assert answer["type"] == "ack"
        await line.until(lambda line: line.position["mover"] == 0)
        await line.act(second)
        await line.until(lambda line: line.events[-1].get("computer"))
        await line.until(lambda line: line.position["mover"] == 0)
    assert records.read(ada.record(table)).texts()[2] == second


async def test_only_computers_play_by_themselves(server):
    ada = person(server)
    seats = [{"kind": "computer", "level": "greedy"}, {"kind": "computer", "level": "random"}]
    table = ada.table("marrakech(players=2)", seats=seats, start=True)
    async with ada.connect(table) as line:
        await line.until(lambda line: line.table["status"] == "over", seconds=60)
    assert fairness.verify(records.read(ada.record(table))).is_fair


async def test_a_bot_takes_a_seat_from_the_command_line_and_plays_to_the_end(server):
    ada = person(server)
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    command = [sys.executable, "-m", "souk", "bot", f"{server.url}/t/{table}", "--player", "random"]
    bot = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    async with ada.connect(table) as line:
        await line.until(lambda line: line.table["seats"][1]["kind"] == "bot")
        assert line.table["seats"][1]["name"] == "random"
        await line.ask("start")
        await play_on(line, seats={0})
    out, err = await asyncio.to_thread(bot.communicate)
    assert bot.returncode == 0, err
    best = [line.table["seats"][seat]["name"] for seat in line.table["result"]["ranking"][0]]
    assert out.startswith((" and ".join(best), "draw"))


async def test_a_request_that_is_sent_twice_acts_once(server):
    ada = person(server)
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "me"}], start=True)
    async with ada.connect(table) as line:
        version = line.position["version"]
        action = line.position["legal"][0]
        first = await line.ask("act", request="once", version=version, action=action)
        again = await line.ask("act", request="once", version=version, action=action)
        assert first == again and first["type"] == "ack"
        other = await line.ask("act", request="twice", version=version, action=action)
        assert (other["type"], other["code"]) == ("refused", "stale")
        assert other["position"]["version"] == first["version"]
    async with ada.connect(table) as line:
        assert line.n == first["n"]
        later = await line.ask("act", request="once", version=version, action=action)
        assert later == first, "on another line too"


async def test_a_reconnecting_client_gets_the_missed_events_or_a_welcome(server):
    ada = person(server)
    game = "marrakech(players=2,cannot_pay=plays-on)"  # nobody is out, so it is long
    table = ada.table(game, seats=[{"kind": "me"}] * 2, start=True)
    async with ada.connect(table) as line:
        await play_on(line, moves=5)
        seen = line.n
        await play_on(line, moves=7)
        at_the_end = line.position
        missed = [event for event in line.events if event["n"] > seen]
    async with ada.connect(table, after=seen) as back:
        assert back.events == missed
        assert back.position == at_the_end
        assert back.table["id"] == table
    async with ada.connect(table, after=line.n) as back:
        assert back.events == [] and back.position == at_the_end
    for strange in (0, line.n + 1, 999_999_999):
        async with ada.connect(table, after=strange) as back:
            assert back.n == line.n and back.position == at_the_end
    async with ada.connect(table) as line:
        await play_on(line, moves=80)
        position, n = line.position, line.n
    async with ada.connect(table, after=seen) as back:
        assert back.events == [] and (back.n, back.position) == (n, position), "too far: a welcome"


async def test_a_preview_has_the_effects_of_an_action(server):
    ada = person(server)
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "me"}], start=True)
    async with ada.connect(table) as line:
        answer = await line.ask("preview", action="left")
        assert answer["type"] == "preview" and answer["preview"]["action"] == "left"
        assert sum(one["probability"] for one in answer["preview"]["outcomes"]) == pytest.approx(1)
        bad = await line.ask("preview", action="a1a2")
        assert bad["code"] == "illegal" and "legal: left, ahead, right" in bad["message"]


async def test_chat_is_broadcast_and_can_be_switched_off_by_the_host(server):
    ada, ben = person(server), person(server, "Ben")
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    async with ada.connect(table) as host, ben.connect(table) as guest:
        await guest.ask("say", text="hello \n\u202e there")
        await host.until(lambda line: any(event["kind"] == "said" for event in line.events))
        assert host.events[-1]["line"]["text"] == "hello there"
        assert host.events[-1]["line"]["name"] == "Ben"
        assert (await guest.ask("chat", open=False))["code"] == "not-the-host"
        assert (await host.ask("chat", open=False))["type"] == "ack"
        assert (await guest.ask("say", text="more"))["code"] == "chat-off"
    async with ben.connect(table) as guest:
        assert [line["text"] for line in guest.chat] == ["hello there"]
        assert guest.table["chat_open"] is False


async def test_the_host_can_give_a_taken_seat_to_somebody_else(server):
    ada, ben = person(server), person(server, "Ben")
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    async with ada.connect(table) as host, ben.connect(table) as guest:
        assert (await guest.ask("sit", seat=1))["type"] == "ack"
        assert (await guest.ask("assign", seat=0, level=None))["code"] == "not-the-host"
        assert (await host.ask("assign", seat=1, level=None))["type"] == "ack"
        assert host.table["seats"][1]["kind"] == "open"
        assert (await host.ask("assign", seat=1, level="random"))["type"] == "ack"
        assert (await guest.ask("sit", seat=1))["code"] == "seat-not-free"
        assert (await host.ask("start"))["type"] == "ack"
        assert (await host.ask("assign", seat=1, level=None))["code"] == "already-started"


async def test_the_last_player_who_has_not_resigned_wins(server):
    ada, ben = person(server), person(server, "Ben")
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    async with ada.connect(table) as host, ben.connect(table) as guest:
        await guest.ask("sit", seat=1)
        await host.ask("start")
        assert (await host.ask("resign", seat=1))["code"] == "not-your-seat"
        assert (await guest.ask("resign", seat=1))["type"] == "ack"
        await host.until(lambda line: line.table["status"] == "over")
        assert host.table["result"]["ranking"] == [[0], [1]]
        assert host.table["result"]["returns"] == [1.0, 0.0]
        assert (await host.act("left"))["code"] == "over"
    record = records.read(ada.record(table))
    assert record.extra["ended"] == "seat 2 resigned"
    assert fairness.verify(record).is_fair


async def test_a_rematch_has_the_same_options_and_is_one_table_for_both(server):
    ada, ben = person(server), person(server, "Ben")
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}], seconds=30)
    assert ada.http.post(f"/api/tables/{table}/rematch").status_code == 409
    async with ada.connect(table) as host, ben.connect(table) as guest:
        await guest.ask("sit", seat=1)
        await host.ask("start")
        await guest.ask("resign", seat=1)
        await host.until(lambda line: line.table["status"] == "over")
        stranger = person(server, "Cleo")
        assert stranger.http.post(f"/api/tables/{table}/rematch").status_code == 403
        first = ada.http.post(f"/api/tables/{table}/rematch").json()["table"]
        again = ben.http.post(f"/api/tables/{table}/rematch").json()["table"]
        assert first["id"] == again["id"] != table
        assert first["seconds"] == 30 and first["commitment"] != host.table["commitment"]
        await host.until(lambda line: line.table["rematch"] == first["id"])
        assert [seat["kind"] for seat in first["seats"]] == ["person", "open"]


async def test_the_computer_plays_for_a_player_who_is_away_until_they_come_back(server):
    ada, ben = person(server), person(server, "Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = ada.table("marrakech(players=2)", seats=seats, absent="at-once")
    async with ada.connect(table) as host:
        async with ben.connect(table) as guest:
            await guest.ask("sit", seat=1)
            await host.ask("start")
        await play_on(host, seats={0}, moves=1)
        if host.position["mover"] == 0:
            await play_on(host, seats={0}, moves=1)
        await host.until(lambda line: line.table["seats"][1]["takeover"] == "away")
        await host.until(lambda line: line.position["mover"] == 0)
        played = [e for e in host.events if e["kind"] == "acted" and e.get("seat") == 1]
        assert played and all(event.get("computer") for event in played)
        async with ben.connect(table) as guest:
            await host.until(lambda line: not line.table["seats"][1]["away"])
            await play_on(host, seats={0}, moves=1)
            answer = await guest.ask("take-back", seat=1)
            assert answer["type"] == "ack"
            await host.until(lambda line: line.table["seats"][1]["takeover"] is None)


async def test_the_computer_plays_for_a_player_who_is_out_of_time(server):
    ada, ben = person(server), person(server, "Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = ada.table("marrakech(players=2)", seats=seats, absent="at-once", seconds=5)
    async with ada.connect(table) as host, ben.connect(table) as guest:
        await guest.ask("sit", seat=1)
        await host.ask("start")
        assert host.position["deadline"] - host.table["started"] == 5000
        await host.until(lambda line: line.table["seats"][0]["takeover"] == "time", seconds=12)
        await host.until(lambda line: line.position["mover"] == 1)
        assert (await host.ask("take-back", seat=0))["type"] == "ack"


async def test_the_computer_takes_the_seat_of_a_player_who_leaves_unless_the_table_forbids_it(
    server,
):
    ada = person(server)
    seats = [{"kind": "me"}, {"kind": "computer", "level": "random"}]
    table = ada.table("marrakech(players=2)", seats=seats, start=True)
    async with ada.connect(table) as line:
        assert (await line.ask("leave", seat=0))["type"] == "ack"
        await line.until(lambda line: line.table["status"] == "over", seconds=60)
    table = ada.table("marrakech(players=2)", seats=seats, start=True, absent="never")
    async with ada.connect(table) as line:
        assert (await line.ask("leave", seat=0))["code"] == "not-possible"


async def test_an_identity_moves_to_another_device_once(server):
    ada, phone = person(server), person(server, "Phone")
    code = ada.http.post("/api/me/link").json()["code"]
    claimed = phone.http.post("/api/me/claim", json={"code": code}, headers={"Cookie": ""})
    assert claimed.json()["id"] == ada.id
    cookie = f"souk={claimed.cookies['souk']}"
    assert cookie != ada.headers["Cookie"], "every device has a session of its own"
    assert phone.http.get("/api/me", headers={"Cookie": cookie}).json()["id"] == ada.id
    again = phone.http.post("/api/me/claim", json={"code": code})
    assert again.status_code == 404 and again.json()["code"] == "no-such-link"


async def test_my_tables_and_public_ones_are_listed_and_private_ones_are_not(server):
    ada, ben = person(server), person(server, "Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    hidden = ada.table("marrakech(players=2)", seats=seats)
    shown = ada.table("marrakech(players=2)", seats=seats, public=True)
    listed = [table["id"] for table in ben.http.get("/api/tables?limit=100").json()]
    assert shown in listed and hidden not in listed
    hosted_game = ada.table("marrakech(players=2)", seats=[{"kind": "open"}] * 2)
    mine = [table["id"] for table in ada.http.get("/api/me/tables").json()]
    assert mine[:3] == [hosted_game, shown, hidden], "those I host too"
    assert ben.http.get("/api/me/tables").json() == []
