"""Secrets are in no message and in no answer."""

import asyncio
import json
import random
import sqlite3

import httpx
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect

from souk.engine.state import CHANCE
from souk.server.http.record_export import record_text
from souk.server.live import player_workers, sockets
from souk.server.live.computer_tables import ComputerTables
from souk.server.live.fair_queue import NOBODY
from souk.server.live.live_table import LiveTable
from souk.server.rate_limits import RateLimits
from souk.server.store import StoredTable
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Refusal
from souk.server.tables.table import Table
from tests.server.random_tables import random_commands, random_table
from tests.server.server_process import Line, Person, Server, play_on

seeds = st.integers(0, 2**32).map(random.Random)


# ---- nothing that is sent depends on it ---------------------------------------------------------


class Listener:
    """A subscriber that records its messages."""

    person = None

    def __init__(self):
        self.received = []

    def send(self, message):
        self.received.append(message)


class WorkersInThisProcess:
    """Workers that compute previews at once."""

    async def preview(self, state, action, _payer):
        return player_workers._preview(str(state.game), list(state.buffer), action)


class QuietRegistry:
    """A registry in which nothing happens by itself."""

    is_closing = True
    computer_tables = ComputerTables(RateLimits(is_on=False))
    workers = WorkersInThisProcess()


def sent_messages(config, log, monkeypatch):
    """Return all messages and answers that these entries cause; commitments are all the same."""
    monkeypatch.setattr("souk.server.live.live_table.now_ms", lambda: 0)
    for module in ("souk.records.fairness", "souk.server.tables.views"):
        monkeypatch.setattr(f"{module}.commitment", lambda _: "c" * 64)
    live = LiveTable(QuietRegistry(), config)
    listener = Listener()
    live.subscribers.add(listener)
    sent = []
    for entry in log:
        before = live.table.status
        live.table.apply(entry)
        change = live.change_for(entry, before)
        if change.summary is not None:
            sent += [change.summary.view or b"", str(change.summary.wake_at).encode()]
        live._broadcast(entry, before)
        sent.append(views.encode(views.event_view(live.table, entry)))
    sent += listener.received
    sent += [live._catch_up_message(after) for after in (None, 0, live.table.n - 5, live.table.n)]
    sent.append(views.encode(views.welcome(live.table, 0)))
    sent.append(record_text(StoredTable(config, [e.encode(entry) for entry in log])).encode())
    return [*sent, *asyncio.run(answers(live))]


async def answers(live):
    """Return what a client receives of the table as it is."""
    result = []
    for code in ("stale", "illegal", "not-your-turn", "over", "bad-message"):
        refusal = Refusal(code, "No.")
        result.append(views.encode(await sockets._refused(live, "r", refusal)))
    state = live.table.state
    for action in state.legal_actions()[:4] if live.table.mover is not None else []:
        command = c.Preview("r", state.action_to_string(action))
        result.append(views.encode(await sockets._preview(live, NOBODY, command)))
    return result


def unfinished(pick, steps=60):
    """Return configuration and log of an unfinished game."""
    logged = random_table(pick)
    for _ in random_commands(pick, logged, steps):
        pass
    log = logged.log
    if logged.table.status == "over":
        table = Table(logged.table.config)
        for number, entry in enumerate(logged.log):
            table.apply(entry)
            if table.status == "over":
                log = logged.log[:number]
                break
    return logged.table.config, log


@settings(max_examples=25)
@given(seeds)
def test_no_message_before_the_end_depends_on_the_secret(pick):
    config, log = unfinished(pick)
    other = msgspec.structs.replace(config, secret=f"{pick.getrandbits(256):064x}")
    with pytest.MonkeyPatch.context() as patch:
        first, second = sent_messages(config, log, patch), sent_messages(other, log, patch)
    assert first == second
    assert not any(config.secret.encode() in one for one in first)


@settings(max_examples=25)
@given(seeds)
def test_no_message_depends_on_the_names_of_requests(pick):
    config, log = unfinished(pick)
    renamed = [msgspec.structs.replace(one, request=f"x{n}") for n, one in enumerate(log)]
    with pytest.MonkeyPatch.context() as patch:
        assert sent_messages(config, log, patch) == sent_messages(config, renamed, patch)


@settings(max_examples=25)
@given(seeds)
def test_a_position_holds_no_more_than_everybody_sees(pick):
    logged = random_table(pick)
    for _ in random_commands(pick, logged, 60):
        pass
    if logged.table.state is None:
        return
    hidden = logged.table.state.clone()
    position = json.loads(views.encode(views.position_view(logged.table)))["position"]
    shown = logged.table.game.state_from_dict(position)
    for _ in range(30):  # whatever comes, it comes from what was shown
        assert shown.to_dict() == hidden.to_dict()
        if hidden.is_terminal():
            break
        assert shown.legal_actions() == hidden.legal_actions()
        if hidden.current_player() == CHANCE:
            assert shown.chance_weights() == hidden.chance_weights()
        action = pick.choice(hidden.legal_actions())
        for state in (shown, hidden):
            state.apply_action(action)


def test_the_messages_above_are_all_there_are():
    names = {
        "Welcome": "broadcast",
        "Events": "broadcast",
        "Refused": "answers",
        "PreviewReply": "answers",
        "HintReply": "a player's thoughts, in a process that gets the position alone",
        "Ack": "numbers of entries and actions",
        "Pong": "the time",
        "Goodbye": "a fixed sentence",
    }
    tagged = {
        name
        for name, kind in vars(views).items()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind.__struct_config__.tag is not None
    }
    assert tagged == set(names), "a new message: add it to what is compared above"


# ---- nothing that is sent holds it --------------------------------------------------------------


class Tap:
    """A socket that remembers everything it received."""

    def __init__(self, socket, collected):
        self.socket = socket
        self.collected = collected

    async def recv(self):
        text = await self.socket.recv()
        self.collected.append(text)
        return text

    def __getattr__(self, name):
        return getattr(self.socket, name)


def record_answers(person, collected):
    """Record all answers that a person gets over HTTP, headers included."""

    def note(answer):
        answer.read()
        collected.append(f"{answer.headers.raw} {answer.text}")

    person.http.event_hooks["response"].append(note)
    return person


def secrets_of(database):
    """Return the secrets of the server."""
    with sqlite3.connect(database) as stored_db:
        config = [e.decode_config(raw) for (raw,) in stored_db.execute("SELECT terms FROM tables")]
        key = stored_db.execute("SELECT value FROM settings WHERE key = 'signing key'").fetchone()[
            0
        ]
    stored_db.close()
    return {one.id: one.secret for one in config}, key


@pytest.mark.asyncio
async def test_no_message_of_a_whole_game_holds_a_secret_before_its_time(tmp_path):
    database = tmp_path / "souk.db"
    collected = []
    pick = random.Random(4)
    with Server(database, "--no-limits") as server:
        people = [Person(server, name, bot=name == "Bot") for name in ("Ada", "Ben", "Bot")]
        for one in people:
            record_answers(one, collected)
        ada, ben, _ = people
        mine = [one.headers.get("Authorization", one.headers.get("Cookie")) for one in people]
        tokens = [text.partition(" ")[2] or text.partition("=")[2] for text in mine]
        link = ada.http.post("/api/me/link").json()["code"]
        collected.clear()  # a link is sent once, to its owner
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "computer", "level": "random"}]
        table = ada.table("marrakech(players=3,rugs=3)", seats=seats, public=True)
        other = ben.table("marrakech(players=2)", start=True)
        lines = []
        for one in people:
            url = f"ws{server.url[4:]}/api/tables/{table}/live"
            socket = await connect(url, additional_headers=one.headers)
            lines.append(Line(Tap(socket, collected)))
            await lines[-1].next()
        await lines[1].ask("sit", seat=1)
        await lines[2].ask("say", text="good luck")
        await lines[0].ask("words", seat=0, words="fortune")
        await lines[0].ask("start")
        while lines[0].table["status"] != "over":
            await lines[0].until(
                lambda line: line.table["status"] == "over" or line.position["mover"] != 2
            )
            if lines[0].table["status"] == "over":
                break
            mover, version = lines[0].position["mover"], lines[0].position["version"]
            action = pick.choice(lines[0].position["legal"])
            await lines[mover].ask("preview", action=action)
            await lines[2].ask("act", version=version, action=action)
            before = len(collected)
            answer = await lines[mover].ask("act", version=version, action=action)
            assert answer["type"] == "ack"
            await lines[0].until(lambda line, v=version: line.position["version"] > v)
            for path in ("", "/record"):
                pick.choice(people).http.get(f"/api/tables/{table}{path}")
        for path in ("/api/tables?status=playing", "/api/me/tables", "/metrics", "/healthz"):
            ada.http.get(path)
        ada.http.get("/api/tables/nonsense")
        secrets, key = secrets_of(database)
        over = next(n for n, text in enumerate(collected) if '"status":"over"' in text)
        assert before <= over + 3 and len(collected) > 100
        for text in collected:
            assert key not in text and link not in text and secrets[other] not in text
            assert not any(token in text for token in tokens)
            assert not any(token.partition(".")[2] in text for token in tokens)
        assert not any(secrets[table] in text for text in collected[:before])
        assert any(secrets[table] in text for text in collected[before:]), "and now it may be known"
        assert secrets[table] in ada.record(table) and secrets[other] not in ada.record(other)
        for line in lines:
            await line.socket.close()
        log = server.stop()
    for word in (key, link, *tokens, *secrets.values()):
        assert word not in log


@pytest.mark.asyncio
async def test_a_private_table_is_listed_nowhere_for_others(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        ada, eve = Person(server), Person(server, "Eve")
        hidden = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(hidden) as line:
            await play_on(line, moves=3)
            for status in ("waiting", "playing", "over"):
                assert hidden not in eve.http.get(f"/api/tables?status={status}").text
            assert hidden not in eve.http.get("/api/me/tables").text
            assert hidden not in httpx.get(f"{server.url}/metrics").text
