"""What a page requests besides playing: rules, replays, verification, hints."""

import asyncio
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import httpx
import msgspec
import pytest

import souk
from souk import records
from souk.engine.rulebook import MARK
from souk.server.http import replays
from souk.server.http.rulebooks import html
from souk.server.store import StoredTable
from souk.server.tables import entries
from souk.server.tables.commands import Refusal
from tests.analysis.example_games import random_record
from tests.server.server_process import Person, Server, play_on
from tests.server.test_agreements import begun, everybody_acts
from tests.server.test_load_and_limits import forwarded_header

TESTS = Path(__file__).parents[1]
FAIR = (TESTS / "records" / "fair.souk").read_text("utf-8")
TAGS = [
    "p",
    "ul",
    "ol",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "strong",
    "em",
    "code",
    "figure",
    "sup",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("viewing")
    with Server(folder / "souk.db", "--seconds", "0.05", "--no-limits") as server:
        yield server


@pytest.fixture(scope="module")
def ada(server):
    return Person(server)


# ---- rules --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["marrakech", "marracash"])
def test_the_rules_are_those_of_the_rulebook_in_every_language(ada, name):
    game_views = {game["name"]: game for game in ada.http.get("/api/games").json()}
    for language in game_views[name]["languages"]:
        answer = ada.http.get(f"/api/games/{name}/rules", params={"language": language})
        rules, book = answer.json(), souk.load_game(name).rulebook(language)
        assert (rules["language"], rules["title"]) == (language, book.title)
        assert [section["id"] for section in rules["sections"]] == [s.id for s in book.sections]
        marks = re.findall('<sup role="img" aria-label="([^"]*)"', str(rules["sections"]))
        assert len(marks) == sum(len(MARK.findall(part.body)) for part in book.sections) > 10
        assert set(marks) == {book.mark}
        for section in rules["sections"]:
            words = re.sub("<svg.*?</svg>", "", section["html"], flags=re.S)
            assert set(re.findall(r"</?([^> ]*)[^>]*>", words)) <= set(TAGS)
            assert "**" not in section["html"] and "`" not in section["html"]


@pytest.mark.parametrize("name", ["marrakech", "marracash"])
def test_the_rules_have_drawings_that_a_page_may_show(ada, name):
    sections = ada.http.get(f"/api/games/{name}/rules").json()["sections"]
    drawings = re.findall("<svg.*?</svg>", "".join(one["html"] for one in sections), flags=re.S)
    assert len(drawings) >= 4
    ids = [id for drawing in drawings for id in re.findall(r' id="([^"]+)"', drawing)]
    assert len(ids) == len(set(ids))
    for drawing in drawings:
        ElementTree.fromstring(drawing)
        assert "light-dark(" in drawing
        assert not re.search(r"<style|<script| style=| on\w+=", drawing)


def test_a_knob_that_can_be_on_in_several_ways_is_a_choice(ada):
    (game,) = [one for one in ada.http.get("/api/games").json() if one["name"] == "marrakech"]
    (knob,) = [one for one in game["knobs"] if one["name"] == "turn_last"]
    assert (knob["kind"], knob["values"], knob["default"]) == ("choice", ["must", "may"], False)
    assert "needs" not in knob, "in any edition"


def test_the_rules_are_of_exactly_that_game(ada):
    def rules_text(game):
        return ada.http.get("/api/games/marrakech/rules", params={"game": game}).text

    assert "three players" in rules_text("marrakech(players=3)")
    assert "two players" in rules_text("marrakech(players=2)")


def test_an_unknown_language_gives_english_and_an_unknown_game_is_refused(ada):
    rules = ada.http.get("/api/games/marrakech/rules?language=tlh").json()
    assert rules["language"] == "en"
    for url in (
        "/api/games/chess/rules",
        "/api/games/marracash/rules?game=marrakech",
        "/api/games/marracash/rules?game=marracash(layout=/etc/passwd)",
    ):
        answer = ada.http.get(url)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-game"), url


def test_no_text_of_a_rulebook_becomes_other_markup():
    assert html("<script>alert(1)</script> `<i>` **a & b**", str) == (
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; <code>&lt;i&gt;</code>"
        " <strong>a &amp; b</strong></p>"
    )
    assert html("one ` quote", str) == "<p>one ` quote</p>"
    assert html("A † here.†", str, "<b>") == (
        '<p>A † here.<sup role="img" aria-label="&lt;b&gt;" title="&lt;b&gt;">†</sup></p>'
    )
    assert (
        html("First:\n- a\n- b\n\nThen.", str)
        == "<p>First:</p><ul><li>a</li><li>b</li></ul><p>Then.</p>"
    )


# ---- replays ------------------------------------------------------------------------------------


def post(ada, record, **more):
    return ada.http.post("/api/replay", json={"record": record, **more})


def assert_is_that_of(replay, record):
    state = record.initial_state()
    first, *others = replay["frames"]
    assert (first["seat"], first["action"], first["events"]) == (None, None, [])
    for frame, action in zip(others, record.actions, strict=True):
        mover = state.current_player()
        state.apply_action(action)
        after = state.current_player()
        assert frame["seat"] == (None if mover < 0 else mover)
        assert frame["action"] == state.action_to_string(action)
        assert frame["events"] == json.loads(msgspec.json.encode(state.events()))
        assert frame["position"] == state.to_dict()
        assert frame["scores"] == state.scores()
        assert frame["mover"] == (None if after < 0 else after)
        legal = [] if after < 0 else [state.action_to_string(a) for a in state.legal_actions()]
        assert frame["legal"] == legal
    return state


def test_a_record_is_replayed_step_by_step(ada):
    record = records.read(FAIR)
    answer = post(ada, FAIR)
    assert answer.status_code == 200 and answer.headers["content-encoding"] == "gzip"
    replay = answer.json()
    state = assert_is_that_of(replay, record)
    assert replay["game"] == str(record.game)
    assert [seat["name"] for seat in replay["seats"]] == record.names()
    assert replay["result"]["returns"] == state.returns()
    assert replay["headers"]["commitment"] == record.extra["commitment"]
    plain = ada.http.post(
        "/api/replay", json={"record": FAIR}, headers={"Accept-Encoding": "identity"}
    )
    assert "content-encoding" not in plain.headers and plain.json() == replay


@pytest.mark.parametrize("file", ["marrakech-3-draw", "marrakech-4-draw"])
def test_a_draw_of_the_old_code_is_replayed_and_verified(ada, file):
    text = (TESTS / "fixtures" / "old" / "records" / f"{file}.souk").read_text("utf-8")
    state = records.read(text).replay()
    result = post(ada, text).json()["result"]
    assert (result["how"], result["text"]) == ("drawn", "draw")
    assert (result["ranking"], result["returns"]) == (state.ranking(), state.returns())
    assert sorted(result["returns"])[-3:] == [0, 0.5, 0.5]
    assert ada.http.post("/api/verify", json={"record": text}).json()["fair"]


def test_a_pasted_record_may_write_rugs_as_the_sheet_does(ada):
    sheet = (TESTS / "records" / "sheet004.souk").read_text("utf-8")
    spelled = sheet.replace("c2c3", "c2-c3").replace("c3d3", "d3 c3")
    assert spelled != sheet and post(ada, spelled).json() == post(ada, sheet).json()


@pytest.mark.asyncio
async def test_a_table_is_replayed_so_far_and_then_to_its_end(ada):
    seats = [{"kind": "me"}, {"kind": "me", "name": "Bob"}]
    table = ada.table("marrakech(players=2,rugs=2)", seats=seats)
    address = f"/api/tables/{table}/replay"
    assert ada.http.get(address).json()["frames"] == []
    async with ada.connect(table) as line:
        await line.ask("start")
        await play_on(line, moves=2)
        replay = ada.http.get(address).json()
        assert_is_that_of(replay, records.read(ada.record(table)))
        assert replay["result"] is None
        assert "secret" not in replay["headers"]
        assert replay["frames"][-1]["legal"] == line.position["legal"]
        await play_on(line)
        replay = ada.http.get(address).json()
        assert_is_that_of(replay, records.read(ada.record(table)))
        assert replay["result"] == line.table["result"]
        assert replay["headers"]["secret"] == line.table["secret"]
    assert post(ada, ada.record(table)).json()["frames"] == replay["frames"]
    assert ada.http.get(f"/api/tables/{'x' * 22}/replay").status_code == 404


@pytest.mark.asyncio
async def test_a_game_that_was_given_up_is_over_in_its_replay(ada):
    seats = [{"kind": "me"}, {"kind": "me", "name": "Bob"}]
    table = ada.table("marrakech(players=2)", seats=seats, start=True)
    async with ada.connect(table) as line:
        await line.ask("resign", seat=0)
    replay = ada.http.get(f"/api/tables/{table}/replay").json()
    result = replay["result"]
    assert (result["how"], result["text"]) == ("resigned", "seat 1 resigned")
    assert result["returns"] == [0, 1]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("game: marrakech(players=3)\n\n1. Ada: left, 9", "line 3, move 2: "),
        ("game: chess", "line 1: there is no game 'chess'"),
        ("game: marracash(layout=/etc/passwd)\nseed: 1", "line 1: layout accepts "),
        ("nothing", "line 1: the header needs a line like"),
    ],
)
def test_a_bad_record_is_refused_with_line_and_move(ada, record, why):
    for path in ("/api/replay", "/api/verify"):
        answer = ada.http.post(path, json={"record": record})
        assert answer.status_code == 400
        assert answer.json()["code"] == "bad-record"
        assert answer.json()["message"].startswith(why)


def test_a_position_in_a_record_opens_no_file_either(ada):
    position = '{"game": "marracash(layout=/etc/passwd)"}'
    answer = post(ada, f"game: marracash\nposition: {position}")
    assert answer.status_code == 400 and "root:" not in answer.text


def test_a_record_that_is_too_long_is_refused(ada, monkeypatch):
    assert post(ada, "x" * 70_000).status_code == 413
    monkeypatch.setattr(replays, "MAX_STEPS", 3)
    with pytest.raises(replays.Refusal, match="at most 3 actions"):
        replays.record_in(FAIR)


# ---- proofs -------------------------------------------------------------------------------------


def test_a_record_proves_its_dice(ada):
    commitment = records.read(FAIR).extra["commitment"]
    for more in ({}, {"commitment": None}, {"commitment": commitment}):
        answer = ada.http.post("/api/verify", json={"record": FAIR, **more}).json()
        assert answer["fair"] and answer["draws"] > 0 and answer["problems"] == []
        assert not answer["proven"], "it is not signed"
    foul = ada.http.post("/api/verify", json={"record": FAIR, "commitment": "0" * 64}).json()
    assert not foul["fair"] and "noted before the game" in foul["problems"][0]


def test_a_record_without_a_secret_cannot_be_checked(ada):
    bare = re.sub("^secret: .*\n", "", FAIR, flags=re.MULTILINE)
    answer = ada.http.post("/api/verify", json={"record": bare})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-record")
    assert "revealed when a game is over" in answer.json()["message"]


# ---- advice -------------------------------------------------------------------------------------


async def ask_hint(line):
    return await wait_for_answer(line, await line.send("hint"))


async def wait_for_answer(line, request):
    """Return the answer to a command, also if workers have to start first."""
    while (answer := await line.next(120)).get("request") != request:
        pass
    return answer


@pytest.mark.asyncio
async def test_the_player_to_move_gets_a_hint(server, ada):
    bob = Person(server, "Bob")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = ada.table("marrakech(players=2)", seats=seats, hints=True)
    async with ada.connect(table) as ada_socket, bob.connect(table) as bob_socket:
        assert (await ada_socket.ask("hint"))["code"] == "not-possible"
        await bob_socket.ask("sit", seat=1)
        await ada_socket.ask("start")
        hint = await ask_hint(ada_socket)
        assert hint["type"] == "hint" and hint["version"] == ada_socket.position["version"]
        assert hint["level"] == "master"
        assert {one["action"] for one in hint["options"]} == set(ada_socket.position["legal"])
        shares = [one["share"] for one in hint["options"]]
        assert shares == sorted(shares, reverse=True) and all(0 <= one <= 1 for one in shares)
        assert (await bob_socket.ask("hint"))["code"] == "not-your-turn"
        announced = [event for event in bob_socket.events if event["kind"] == "hinted"]
        assert [event["seat"] for event in announced] == [0], "everybody sees it"
        assert [seat["hints"] for seat in bob_socket.table["seats"]] == [1, 0]
        await ada_socket.act(hint["options"][0]["action"])
        lay = await ask_hint(ada_socket)
        assert len(lay["options"]) == min(10, len(ada_socket.position["legal"]))
        assert {one["action"] for one in lay["options"]} <= set(ada_socket.position["legal"])


@pytest.mark.asyncio
async def test_people_get_no_hints_against_people_unless_the_table_allows_them(server, ada):
    bob = Person(server, "Bob")
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}, {"kind": "open"}])
    async with ada.connect(table) as ada_socket, bob.connect(table) as bob_socket:
        await bob_socket.ask("sit", seat=1)
        await ada_socket.ask("start")
        assert ada_socket.table["hints"] is False
        assert (await ada_socket.ask("hint"))["code"] == "hints-off"


@pytest.mark.asyncio
async def test_spectators_and_programs_get_no_hints(server, ada):
    table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
    stranger = Person(server)
    stranger.headers = {}
    async with stranger.connect(table) as line:
        assert (await line.ask("hint"))["code"] == "no-identity"
    bot = Person(server, "Bot", bot=True)
    table = bot.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
    async with bot.connect(table) as line:
        assert (await line.ask("hint"))["code"] == "not-your-turn"


@pytest.mark.asyncio
async def test_other_commands_need_not_wait_for_a_hint(tmp_path):
    with Server(tmp_path / "souk.db", "--seconds", "3") as server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(table) as line:
            version = line.position["version"]
            request = await line.send("hint")
            await asyncio.sleep(0.3)  # by now the computer thinks about this position
            assert (await line.act("left"))["type"] == "ack"
            answer = await wait_for_answer(line, request)
            assert answer["type"] == "hint" and answer["version"] == version


@pytest.mark.asyncio
async def test_hints_and_replays_are_rate_limited(tmp_path):
    with Server(tmp_path / "souk.db", "--seconds", "0.01") as server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(table) as line:
            for _ in range(12):
                await line.send("hint")
            codes = []
            async with asyncio.timeout(90):
                while len(codes) < 12:
                    answer = await line.next(90)
                    if answer["type"] == "events":  # that a hint is used is announced
                        continue
                    codes.append(answer.get("code") or answer["type"])
        assert codes.count("hint") >= 8 and codes.count("too-fast") >= 1
        long = records.write(random_record("marrakech(players=2,rugs=80,dirhams=100000)"))
        with httpx.Client(base_url=server.url, headers=forwarded_header(7)) as client:
            answers = [client.post("/api/replay", json={"record": long}) for _ in range(8)]
        codes = [answer.status_code for answer in answers]
        steps = len(answers[0].json()["frames"]) - 1
        assert steps > 900 and codes.count(200) in (4, 5), "each counts as four or more"
        assert 429 in codes
        with httpx.Client(base_url=server.url) as client:  # a new one each time would be too slow
            codes = [
                client.post("/api/verify", json={"record": "x"}).status_code for _ in range(25)
            ]
        assert codes[0] == 400 and 429 in codes


def test_a_game_without_an_end_is_not_replayed(monkeypatch):
    logged = begun()
    everybody_acts(logged)
    log = [entries.encode(entry) for entry in logged.log]
    stored = StoredTable(logged.table.config, log)
    acted = [entry for entry in logged.log if isinstance(entry, entries.Acted)]
    assert replays.acted_entries(stored) == len(acted) > 0
    steps = len(logged.table.actions)
    monkeypatch.setattr(replays, "MAX_STEPS", steps)
    assert len(replays.replay_of_table(stored).frames) == steps + 1
    monkeypatch.setattr(replays, "MAX_STEPS", steps - 1)
    with pytest.raises(Refusal, match=f"at most {steps - 1} actions can be replayed"):
        replays.replay_of_table(stored)
