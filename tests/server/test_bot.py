"""`souk bot`: complains before it takes a seat, and does not lose patience with a good server."""

import asyncio
import json
import subprocess
import sys

import pytest

import souk.bot
from souk import records
from souk.bot import Bot
from souk.bot import Server as Address
from souk.engine.errors import SoukError
from tests.server.server_process import Person, Server, play_on

SEATS = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("bot") / "souk.db") as server:
        yield server


def run(link, *options):
    command = [sys.executable, "-m", "souk", "bot", link, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_an_unknown_player_takes_no_seat(server):
    ada = Person(server)
    table = ada.table("marrakech(players=2)", seats=SEATS)
    bot = run(f"{server.url}/t/{table}", "--player", "nobody")
    assert bot.returncode == 1
    assert "marrakech has no computer player 'nobody'" in bot.stderr
    assert ada.look(table)["table"]["seats"][1]["kind"] == "open"


@pytest.mark.asyncio
async def test_an_unknown_game_takes_no_seat():
    bot = Bot(Address("http://localhost/t/x"), "me.signature", "greedy", None)
    seats = [{"seat": 0, "kind": "open", "person": None}]
    bot._table = {"status": "waiting", "game": "chess", "seats": seats}
    sent = []

    class Line:
        async def send(self, text):
            sent.append(text)

    with pytest.raises(SoukError, match="chess"):
        await bot._respond(Line())
    assert sent == []


def test_a_server_cannot_make_a_bot_compute_for_ever():
    with pytest.raises(SoukError, match="a proof of work of 200 bits; at most 24"):
        souk.bot.solve("example", 200)


@pytest.mark.parametrize("token", ["", "nobody.signature", "née", "two\nlines"])
def test_a_wrong_token_is_named_as_such(server, token):
    table = Person(server).table("marrakech(players=2)", seats=SEATS)
    address = Address(f"{server.url}/t/{table}")
    with pytest.raises(SoukError, match=f"^this token is not valid at {server.url}$"):
        address.check_token(token)


def test_a_token_is_checked_first(server):
    table = Person(server).table("marrakech(players=2)", seats=SEATS)
    bot = run(f"{server.url}/t/{table}", "--token", "nobody.signature")
    assert bot.returncode == 1
    assert bot.stderr.strip() == f"souk: this token is not valid at {server.url}"


def test_a_good_token_passes(server):
    address = Address(f"{server.url}/t/x")
    address.check_token(address.create_bot("Deep Rug"))


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(SoukError, match=r"^http://127\.0\.0\.1:9 cannot be reached: "):
        Address("http://127.0.0.1:9/t/x").check_token("some.token")


@pytest.mark.asyncio
async def test_a_good_connection_renews_the_patience(monkeypatch):
    monkeypatch.setattr(souk.bot, "PATIENCE", 1.0)
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    bot = Bot(Address("http://localhost/t/x"), "me.signature", "greedy", None)
    monkeypatch.setattr(bot.server, "check_token", lambda _token: "me")
    visits = iter(range(40))

    async def visit():
        if next(visits) == 39:
            return "done"
        bot._handle({"type": "welcome", "n": 1, "table": {"status": "playing"}})
        raise OSError("the line broke")

    monkeypatch.setattr(bot, "_connect", visit)
    assert await bot.play() == "done"
    assert sum(slept) > 2

    async def lost():
        raise OSError("nobody there")

    monkeypatch.setattr(bot, "_connect", lost)
    with pytest.raises(SoukError, match="cannot be reached: nobody there"):
        await bot.play()


@pytest.mark.asyncio
@pytest.mark.parametrize("code", ["not-your-turn", "too-fast"])
async def test_a_bot_retries_to_take_its_seat_back_when_the_game_has_gone_on(code):
    sent = []

    class Line:
        async def send(self, text):
            sent.append(json.loads(text)["type"])

    bot = Bot(Address("http://localhost/t/x"), "me.signature", "greedy", None)
    bot.me = "me"
    table = {"status": "playing", "seats": [{"seat": 0, "person": "me", "takeover": "time"}]}
    output = {"type": "welcome", "n": 9, "table": table, "position": {"version": 4, "mover": 0}}
    refused = {"type": "refused", "code": code, "message": "Wait.", "position": None}
    said = {"type": "events", "events": [{"n": 10}]}
    gone_on = {"type": "events", "events": [{"n": 11}], "position": {"version": 6, "mover": 1}}
    for message, request in ((output, 1), (refused, 1), (said, 1), (gone_on, 2)):
        bot._handle(message)
        await bot._respond(Line())
        assert sent == ["take-back"] * request


@pytest.mark.asyncio
async def test_a_player_is_asked_with_the_moves_that_led_to_a_position(server):
    """A bot gets the moves since it joined, to infer how others play."""
    ada = Person(server)
    table = ada.table("marrakech(players=3)", seats=[{"kind": "me"}, *[{"kind": "open"}] * 2])
    address = Address(f"{server.url}/t/{table}")
    bots = [Bot(address, address.create_bot("random"), "random", seat) for seat in (1, 2)]
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    async with ada.connect(table) as line:
        await line.until(lambda line: all(seat["person"] for seat in line.table["seats"]))
        await line.ask("start")
        await play_on(line, seats={0})
    await asyncio.gather(*playing)
    played = list(records.read(ada.record(table)).actions)
    for bot in bots:
        known = bot._state.history()
        begins = next(at for at in range(12) if played[at : at + 10] == known[:10])
        assert played[begins : begins + len(known)] == known
        assert begins + len(known) > len(played) - 12, "all since its first move, up to its last"


@pytest.mark.asyncio
async def test_a_bot_agrees_to_a_pause_and_declines_a_draw(server):
    ada, machine = Person(server), Person(server, "Bot", bot=True)
    game = "marrakech(players=2,full_tie=draw)"
    table = ada.table(game, seats=SEATS, absent="never")
    token = machine.headers["Authorization"].partition(" ")[2]
    bot = asyncio.create_task(Bot(Address(f"{server.url}/t/{table}"), token, "random", 1).play())
    async with ada.connect(table) as line:
        await line.until(lambda line: line.table["seats"][1]["kind"] == "bot")
        await line.ask("start")
        await line.ask("propose", what="pause")
        await line.until(lambda line: line.table["paused"] is not None)
        await line.ask("propose", what="resume")
        await line.until(lambda line: line.table["paused"] is None)
        while line.position["mover"] == 0:
            await line.act(line.position["legal"][0])
        await line.until(lambda line: line.position["mover"] == 0)
        await line.ask("propose", what="draw")
        await line.until(lambda line: line.table["proposal"] is None)
        answers = [one["agree"] for one in line.events if one["kind"] == "answered"]
        assert answers == [True, True, False] and line.table["status"] == "playing"
        while line.position["mover"] == 0:
            await line.act(line.position["legal"][0])
        await line.ask("propose", what="abort")
        await line.until(lambda line: line.table["status"] == "over")
        assert (await asyncio.wait_for(bot, 10)).startswith("aborted")
