"""Kill a server at any moment: acknowledged entries are there, and nothing is half done."""

import asyncio
import random
import time

import pytest
from websockets.exceptions import WebSocketException

from souk import records
from souk.records import fairness
from tests.server.server_process import Person, Server, play_on

pytestmark = pytest.mark.asyncio

BROKEN = (OSError, WebSocketException, TimeoutError)


class Stubborn:
    """A client that plays all seats and repeats each request until it is answered."""

    def __init__(self, person, table, seed):
        self.person = person
        self.table = table
        self.pick = random.Random(seed)
        self.acknowledged = {}  # version before: action, version after
        self.waiting = None  # what was sent and not yet answered
        self.seen = None

    async def play(self, stop):
        while not stop.is_set():
            try:
                async with self.person.connect(self.table, self.seen) as line:
                    while line.goodbye is not None:  # the store has trouble: until it is closed
                        await line.next()
                    while not stop.is_set() and line.table["status"] == "playing":
                        await self.move(line)
                    if line.table["status"] == "over":
                        return
            except BROKEN:
                await asyncio.sleep(0.05)

    async def move(self, line):
        if self.waiting is None:
            position = line.position
            version, action = position["version"], self.pick.choice(position["legal"])
            self.waiting = (f"move {version}", version, action)
        request, version, action = self.waiting
        answer = await line.ask("act", request=request, version=version, action=action)
        if answer.get("code") == "not-saved":  # the store has trouble: ask again
            await asyncio.sleep(0.05)
            return
        assert answer["type"] == "ack", (self.waiting, answer)
        self.acknowledged[version] = (action, answer["version"])
        self.waiting = None
        self.seen = line.n
        await line.until(lambda line: line.position["version"] >= answer["version"])


async def load_with_kills(server, kills, kill):
    """Run tables under load while processes are killed; return clients and computer tables."""
    ada = Person(server)
    seats = [{"kind": "me"}] * 3
    games = ["marrakech(players=3)", "marracash(players=3,souvenirs=True)"] * 3
    players = [
        Stubborn(ada, ada.table(game, seats=seats, start=True), seed)
        for seed, game in enumerate(games)
    ]
    computers = [{"kind": "computer", "level": "greedy"}] * 3
    alone = [ada.table(game, seats=computers, start=True) for game in games[:2]]
    stop = asyncio.Event()
    tasks = [asyncio.create_task(player.play(stop)) for player in players]
    pick = random.Random(7)
    for _ in range(kills):
        await played_on(players, tasks)
        await asyncio.sleep(pick.uniform(0, 0.4))
        kill()
    await played_on(players, tasks)
    stop.set()
    await asyncio.gather(*tasks)
    return ada, players, alone


async def played_on(players, tasks, moves=4, seconds=120):
    """Wait until every client with an unfinished game has made more moves."""
    body = [len(player.acknowledged) + moves for player in players]
    async with asyncio.timeout(seconds):
        while any(
            len(player.acknowledged) < count and not task.done()
            for player, count, task in zip(players, body, tasks, strict=True)
        ):
            await asyncio.sleep(0.05)


def check(ada, players):
    """Check that every acknowledged action is in the record, at its place."""
    for player in players:
        record = records.read(ada.record(player.table))
        texts = record.texts()
        assert len(player.acknowledged) > 10
        for version, (action, after) in player.acknowledged.items():
            assert texts[version] == action
            assert after <= len(texts)
        state = record.replay()
        assert state.current_player() >= 0 or state.is_terminal(), "no half step"


async def test_a_server_that_is_killed_again_and_again_loses_nothing(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:

        def kill():
            server.kill()
            server.restart()

        ada, players, alone = await load_with_kills(server, 4, kill)
        check(ada, players)
        for table in alone:  # nobody looked at these, and yet they go on to their end
            end = time.monotonic() + 60
            while ada.look(table)["table"]["status"] != "over":
                assert time.monotonic() < end, "a table of computers is stuck"
                await asyncio.sleep(0.2)
            assert fairness.verify(records.read(ada.record(table))).is_fair


async def test_stopping_says_goodbye_to_clients_and_loses_nothing(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        ada = Person(server)
        table = ada.table("marrakech(players=2)", seats=[{"kind": "me"}] * 2, start=True)
        async with ada.connect(table) as line:
            await play_on(line, moves=6)
            position = line.position
            await asyncio.to_thread(server.stop)
            assert server.code == 0
            code, _ = await line.closed()
            assert code == 1012
            assert line.goodbye["reconnect"] and "nothing is lost" in line.goodbye["reason"]
        server.restart()
        assert ada.look(table)["position"] == position


async def test_the_computer_plays_for_a_player_who_is_away_after_a_restart(tmp_path):
    """People who left while the server was down are away after a moment, and the game goes on."""
    with Server(tmp_path / "souk.db") as server:
        ada = Person(server)
        seats = [{"kind": "me"}, {"kind": "computer", "level": "random"}]
        config = {"seats": seats, "start": True, "absent": "at-once"}
        table = ada.table("marrakech(players=2)", **config)
        server.kill()
        server.restart()
        end = time.monotonic() + 180
        while ada.look(table)["table"]["status"] != "over":
            assert time.monotonic() < end
            await asyncio.sleep(0.5)
        assert ada.look(table)["table"]["seats"][0]["takeover"] == "away"
