"""Hostile clients: forged tokens, guesses, malformed messages; others are not affected."""

import asyncio
import json
import random
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

import souk
from souk import records
from souk.games import marracash
from souk.records import fairness
from souk.server.live import websocket
from tests.server.raw_websocket import RawSocket
from tests.server.server_process import Line, Person, Server, play_on

pytestmark = pytest.mark.asyncio
BOTH = [{"kind": "me"}, {"kind": "me"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("hostile") / "souk.db", "--no-limits") as server:
        yield server
        log = server.stop()
        lines = [json.loads(line) for line in log.splitlines()]
        assert {line["level"] for line in lines} <= {"info", "warning"}, log
        assert not any("EVIL" in json.dumps(line) for line in lines)


@pytest.fixture(scope="module")
def ada(server):
    return Person(server)


@pytest.fixture
def table(ada):
    return ada.table("marrakech(players=2)", seats=BOTH, start=True)


def address(server, table):
    return f"ws{server.url[4:]}/api/tables/{table}/live"


# ---- who somebody is ----------------------------------------------------------------------------


def forgeries(token, other):
    """Yield forged tokens."""
    id, _, signature = token.partition(".")
    yield from ("", ".", id, f"{id}.", f".{signature}", token[:-1], f"{token}=", f"{token}.{token}")
    yield f"{other.partition('.')[0]}.{signature}"  # a signature for somebody else
    yield f"é{id}.é"
    yield f"{signature}.{id}"
    yield id.swapcase() + "." + signature
    yield "x" * 20_000
    for place in random.Random(1).sample(range(len(token)), 12):
        changed = "A" if token[place] != "A" else "B"
        yield token[:place] + changed + token[place + 1 :]


async def test_a_forged_identity_is_not_accepted(server, ada, table):
    token = ada.headers["Cookie"].removeprefix("souk=")
    other = Person(server, "Ben").headers["Cookie"].removeprefix("souk=")
    for forged in forgeries(token, other):
        for header in (("Cookie", f"souk={forged}"), ("Authorization", f"Bearer {forged}")):
            sent = [(header[0].encode(), header[1].strip().encode("latin-1"))]
            with httpx.Client(base_url=server.url, headers=sent) as http:
                assert http.get("/api/me").status_code == 401, forged
    async with connect(address(server, table), additional_headers=[("Cookie", "souk=a.b")]) as line:
        stranger = Line(line)
        await stranger.next()
        answer = await stranger.act(stranger.position["legal"][0])
        assert answer["code"] == "no-identity"
        assert (await stranger.ask("say", text="hi"))["code"] == "no-identity"


async def test_nobody_acts_for_the_seat_of_another_player_or_a_computer(server, ada):
    ben = Person(server, "Ben")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "computer", "level": "random"}]
    table = ada.table("marrakech(players=3)", seats=seats, absent="never")
    eve = Person(server, "Eve", bot=True)
    async with ada.connect(table) as host, ben.connect(table) as guest, eve.connect(table) as evil:
        await guest.ask("sit", seat=1)
        for seat, code in ((0, "not-your-seat"), (1, "not-your-seat"), (2, "not-your-seat")):
            assert (await evil.ask("leave", seat=seat))["code"] == code
            assert (await evil.ask("words", seat=seat, words="mine"))["code"] == code
            assert (await evil.ask("sit", seat=seat))["code"] == "seat-not-free"
        assert (await evil.ask("leave", seat=3))["code"] == "no-such-seat"
        for command in ({"type": "start"}, {"type": "chat", "open": False}):
            assert (await evil.ask(**command))["code"] == "not-the-host"
            assert (await guest.ask(**command))["code"] == "not-the-host"
        assert (await evil.ask("assign", seat=1, level=None))["code"] == "not-the-host"
        await host.ask("start")
        for _ in range(8):
            await host.until(lambda line: line.position["mover"] != 2)
            mover, idle = (host, guest) if host.position["mover"] == 0 else (guest, host)
            version, action = host.position["version"], host.position["legal"][0]
            for other in (idle, evil):
                answer = await other.ask("act", version=version, action=action)
                assert answer["code"] == "not-your-turn"
                assert answer["position"]["version"] == version
            for seat in range(3):
                assert (await evil.ask("resign", seat=seat))["code"] == "not-your-seat"
                assert (await evil.ask("take-back", seat=seat))["code"] == "not-your-seat"
            assert (await host.ask("resign", seat=2))["code"] == "not-your-seat"
            answer = await mover.ask("act", version=version, action=action)
            assert answer["type"] == "ack"
            await host.until(lambda line, v=version: line.position["version"] > v)


# ---- messages that make no sense ----------------------------------------------------------------

ACT = {"type": "act", "request": "r", "version": 1, "action": "left"}
SENSELESS = [
    *("", " ", "null", "1", '"act"', "[]", "{}", "{", "NaN", "\ufeff{}", "\x00", "{} {}"),
    *(json.dumps({**ACT, "version": value}) for value in (True, 1.0, "1", None, [1], {}, 1e3)),
    *(json.dumps({**ACT, "action": value}) for value in (1, None, "", "x" * 61, ["left"])),
    *(json.dumps({**ACT, "request": value}) for value in (1, None, "", "x" * 65)),
    *(json.dumps({**ACT, field: 1}) for field in ("seat", "person", "by", "at", "chance", "")),
    *(json.dumps({key: ACT[key] for key in ACT if key != left}) for left in ACT),
    *(json.dumps({"type": kind, "request": "r"}) for kind in ("Act", "acted", "", "welcome", 1)),
    *(json.dumps({"type": "sit", "request": "r", "seat": seat}) for seat in (-1, 32, True, 0.0)),
    json.dumps({"type": "say", "request": "r", "text": "x" * 301}),
    json.dumps({"type": "chat", "request": "r", "open": 1}),
    '{"type":"say","request":"r","text":"\\ud800"}',
    '{"type":"say","request":"\\udfff\\ud800","text":"x"}',
    '{"type":"act","request":"r","action":"left","version":' + "9" * 5000 + "}",
    '{"type":"act","request":"r","action":"left","version":' + "[" * 8000 + "}",
    '{"deep":' + "[" * 8000 + "]" * 8000 + ',"type":"ping"}',
    '{"a":' * 2500 + "1" + "}" * 2500,
]


@pytest.mark.parametrize("start", range(0, len(SENSELESS), 15))
async def test_a_message_that_makes_no_sense_is_refused_with_a_sentence(ada, table, start):
    async with ada.connect(table) as line:
        for text in SENSELESS[start : start + 15]:
            await line.socket.send(text)
            answer = await line.next()
            assert (answer["type"], answer["code"]) == ("refused", "bad-message"), text[:80]
            assert answer["message"].endswith(".") and answer["request"] is None
        await line.socket.send(b'{"type":"ping"}')
        assert (await line.next())["code"] == "bad-message", "binary, but else sensible"
        assert (await line.act(line.position["legal"][0]))["type"] == "ack"


async def test_impossible_versions_are_stale(ada, table):
    async with ada.connect(table) as line:
        for version in (-1, 10**9, 2**63, 2**64, -(2**70), 10**300, line.position["version"] + 1):
            answer = await line.act("left", version)
            assert answer["code"] == "stale" and len(answer["message"]) < 200
            assert answer["position"] == line.position
        assert line.n == (await line.act("left"))["n"] - 1


async def test_a_client_that_sends_garbage_is_disconnected_and_others_are_not_affected(ada, table):
    async with ada.connect(table) as calm, ada.connect(table) as mad:
        for number in range(3000):
            try:
                await mad.socket.send(f"EVIL {number}\r\n" * (1 + number % 7))
            except Exception:
                break
        assert await mad.closed() == (4400, "Too many invalid messages.")
        assert mad.goodbye == {
            "type": "goodbye",
            "reason": "Too many invalid messages.",
            "reconnect": False,
        }
        assert (await calm.act("left"))["type"] == "ack"


# ---- frames -------------------------------------------------------------------------------------


async def test_invalid_frames_close_only_their_own_connection(server, ada, table):
    path = f"/api/tables/{table}/live"
    for frames, code in (
        ([(1, b"\xff\xfe")], 1007),
        ([(1, b'{"type":"ping"\xed\xa0\x80}')], 1007),
        ([(1, b"x" * 16_385)], 1009),
        ([(1, b"x" * 9000, False), (0, b"x" * 9000)], 1009),
        ([(3, b"")], 1002),
        ([(0, b"more of nothing")], 1002),
        ([(1, b"a", False), (1, b"b")], 1002),
        ([(9, b"x" * 126)], 1002),
        ([(8, b"\x03")], 1002),
    ):
        raw = await RawSocket.open(server, path)
        assert raw.status == 101
        for opcode, data, *fin in frames:
            await raw.send(opcode, data, fin=fin != [False])
        ending = await raw.ending()
        assert ending is not None and ending[0] == code, frames[0][:1]
        await raw.close()
    raw = await RawSocket.open(server, path)
    await raw.send(1, b"no mask", masked=False)
    assert (await raw.ending())[0] == 1002
    await raw.close()
    async with ada.connect(table) as line:
        assert (await line.act("left"))["type"] == "ack"


async def test_a_message_of_too_many_parts_is_refused(server, table):
    raw = await RawSocket.open(server, f"/api/tables/{table}/live")
    await raw.send(1, b"", fin=False)
    for _ in range(websocket.MAX_FRAGMENTS):
        await raw.send(0, b"", fin=False)
    assert await raw.ending() == (1009, "This message has too many parts.")
    await raw.close()


async def test_a_fragmented_message_is_one_message(server, table):
    raw = await RawSocket.open(server, f"/api/tables/{table}/live")
    await raw.next()
    text = json.dumps({"type": "preview", "request": "ü", "action": "left"}, ensure_ascii=False)
    data = text.encode()
    for number in range(len(data)):  # through the middle of the ü, with pings in between
        await raw.send(0 if number else 1, data[number : number + 1], fin=False)
        await raw.send(0, b"", fin=False)
        await raw.send(9, b"still there?")
    await raw.send(0, b"")
    kinds = []
    while True:
        opcode, got = await raw.next()
        kinds.append(opcode)
        if opcode == 1:
            break
    assert json.loads(got)["request"] == "ü" and kinds.count(10) == len(data)
    await raw.close()


# ---- tables that are not there ------------------------------------------------------------------

NO_TABLE = {"code": "no-such-table", "message": "There is no such table."}
NO_IDS = ("x" * 22, "x", "..", "%2e%2e", "%00", "%ff", "%ed%a0%80", "a%0d%0aX-EVIL:1", "souk.db")


async def test_requesting_an_unknown_table_does_not_create_it(server, ada, table):
    def tables():
        metrics = ada.http.get("/metrics").text
        return next(line for line in metrics.splitlines() if line.startswith("souk_live_tables "))

    before = tables()
    for id in (*NO_IDS, table.swapcase(), table[:-1], f"{table}x", f"{table}%20"):
        url = f"/api/tables/{id}"
        answers = [
            ada.http.get(url),
            ada.http.get(f"{url}/record"),
            ada.http.post(f"{url}/rematch"),
        ]
        for answer in answers:
            assert answer.status_code == 404, id
            if id not in ("..", "%2e%2e"):  # which lead out of where the tables are
                assert answer.json() == NO_TABLE, id
            assert "x-evil" not in answer.headers
        raw = await RawSocket.open(server, f"/api/tables/{id}/live")
        assert raw.status in (101, 403)
        if raw.status == 101:
            assert await raw.ending() == (4404, "There is no such table.")
        await raw.close()
    assert tables() == before


async def test_an_oversized_handshake_gets_an_answer(server):
    with pytest.raises(asyncio.IncompleteReadError):
        await RawSocket.open(server, f"/api/tables/{'x' * 9000}/live")


async def test_a_game_string_cannot_name_a_file_of_the_server(ada, tmp_path):
    board = tmp_path / "board.json"  # a good one, which it would take from the command line
    board.write_text((Path(marracash.__file__).parent / "boards" / "medina.json").read_text())
    assert souk.load_game(f'marracash(layout="{board}")')
    for game in (
        "marracash(layout=/etc/passwd)",
        f'marracash(layout="{board}")',
        "marracash(layout=../boards/medina.json)",
        "marracash(layout='medina.json')",
        "marracash(layout=boards/medina)",
        "marracash(layout=)",
        "../marrakech",
        "souk.server",
        "marrakech.rules",
        "__init__",
        "marrakech(players=5)",
        "marrakech(players=True)",
        "marrakech(rugs=1000000000)",
        "marrakech(rugs=-1)",
        "marrakech(dirhams=999999999999999999)",
        "marrakech(players=2,players=3)",
        "marrakech(edition=EVIL\r\n)",
        "marrakech(" + "(" * 280,
        "marrakech\x00",
        "é",
    ):
        answer = ada.http.post("/api/tables", json={"game": game})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-game"), game
        message = answer.json()["message"]
        assert message.endswith(".") and "root:" not in message and len(message) < 500


# ---- other sites' pages -------------------------------------------------------------------------


async def test_a_page_of_another_site_is_refused(server, ada, table):
    host = server.url.removeprefix("http://")
    foreign = ("https://evil.example", "null", "", f"http://{host}.evil.example", "http://[", host)
    for origin in (*foreign, f"http://evil@{host}", f"http://127.0.0.1:{server.port + 1}"):
        sent = {**ada.headers, "Origin": origin}
        with pytest.raises(InvalidStatus) as refused:
            await connect(address(server, table), additional_headers=sent)
        assert refused.value.response.status_code == 403, origin
        assert json.loads(refused.value.response.body)["code"] == "cross-origin"
        for path in ("/api/me", "/api/me/link", "/api/tables", f"/api/tables/{table}/rematch"):
            answer = ada.http.post(path, json={"name": "Eve"}, headers={"Origin": origin})
            assert (answer.status_code, answer.json()["code"]) == (403, "cross-origin")
    own = {**ada.headers, "Origin": server.url}
    async with connect(address(server, table), additional_headers=own) as line:
        assert json.loads(await line.recv())["type"] == "welcome"


# ---- words that would be more than words --------------------------------------------------------

NASTY = '\r\n{"level":"EVIL"}\r\nSet-Cookie: a=b\x00\x1b[31m\u202e\u2028\u0085<script>'


async def test_names_chat_and_words_are_stored_unchanged(server, ada):
    eve = Person(server, NASTY[:24])
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    async with eve.connect(table) as line:
        await line.ask("sit", seat=1, name="\u202e\u200b\r\n")
        await line.ask("words", seat=1, words=NASTY)
        await line.ask("say", request="\r\n\x00EVIL", text=NASTY)
        assert (await line.ask("say", text="\x00\u202e"))["code"] == "not-possible"
        assert (await line.ask("act", version=0, action=NASTY))["code"] == "not-started"
    seen = json.dumps(ada.look(table), ensure_ascii=False)
    assert not any(ord(mark) < 32 or mark in "\u202e\u2028\u0085\u200b" for mark in seen)
    record = ada.record(table)
    words = ada.look(table)["table"]["seats"][1]["words"]
    assert json.loads(records.read(record).extra["words"]) == ["", words]
    assert "\nSet-Cookie" not in record and "\r" not in record


# ---- everything mixed up ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
async def test_repeated_late_lost_or_reordered_commands_act_at_most_once(ada, table, seed):
    pick = random.Random(seed)
    acks, events, refused = {}, {}, set()

    async def listen(line):
        while True:
            message = await line.next(60)
            if message["type"] == "ack":
                done = (message["n"], message["version"])
                assert acks.setdefault(message["request"], done) == done, "one answer for ever"
            if message["type"] == "refused":
                refused.add(message["request"])
            for event in message.get("events", []):
                assert events.setdefault(event["n"], event) == event, "all receive the same"

    for turn in range(4):  # lines come and go
        lines = [ada.connect(table) for _ in range(3)]
        opened = [await line.__aenter__() for line in lines]
        tasks = [asyncio.create_task(listen(line)) for line in opened]
        waiting = []
        for number in range(40):
            seen = pick.choice(opened).position  # perhaps an old one
            action = pick.choice(seen["legal"] or ["left"])
            act = {"type": "act", "version": seen["version"], "action": action}
            request = f"{turn}.{number}"
            say = {"type": "say", "text": request}
            sent = {**pick.choice((act, act, say)), "request": request}
            waiting += [sent] * pick.choice((0, 1, 1, 2, 4))
            pick.shuffle(waiting)
            while waiting and pick.random() < 0.6:
                await pick.choice(opened).send(**waiting.pop())
            await asyncio.sleep(pick.choice((0, 0, 0.005)))
        for one in opened[: pick.randrange(3)]:  # some do not wait for their answers
            one.socket.transport.abort()
        await asyncio.sleep(0.2)
        for task, line in zip(tasks, lines, strict=True):
            task.cancel()
            done = await asyncio.gather(task, return_exceptions=True)
            assert not isinstance(done[0], AssertionError), done
            await line.__aexit__(None, None, None)
    assert len(set(acks.values())) == len(acks) > 10, "every request its own entry"
    assert {n for n, _ in acks.values()} <= set(events)
    assert not refused & set(acks), "what was done once is never refused"
    said = [event["line"]["text"] for event in events.values() if event["kind"] == "said"]
    assert len(set(said)) == len(said) > 5
    async with ada.connect(table) as line:
        record = records.read(ada.record(table))
        assert record.replay().to_dict() == line.position["position"]
        assert len(record.actions) == line.position["version"]
        await play_on(line)
    assert fairness.verify(records.read(ada.record(table))).is_fair
