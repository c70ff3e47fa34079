"""Two processes behind nginx are restarted in turn: no move is lost, and none is late."""

import asyncio
import time

import pytest
from websockets.exceptions import InvalidStatus, WebSocketException

from souk import records
from souk.records import fairness
from tests.server.nginx import BehindNginx, nginx
from tests.server.server_process import Server

pytestmark = pytest.mark.asyncio

LATE_SECONDS = 60  # the time limit of a turn: a slow machine is no failure
# Computer players think most of the time, so that a process is stopped while they do.
OPTIONS = ("--no-limits", "--seconds", "0.3", "--workers", "1", "--origin", "https://play.example")
MASTERS = [{"kind": "computer", "level": "master"}] * 4


class Hopper:
    """A person among computer players, who connects again after a goodbye."""

    def __init__(self, table, person, seats):
        self.table = table
        self.person = person
        self.seats = seats  # those of the person
        self.acknowledged = {}  # by version: the action
        self.longest = 0.0  # seconds between two steps of the game
        self.refused = []  # handshakes

    async def play(self, stop):
        after, moved = None, time.monotonic()
        while not stop.is_set():
            try:
                async with self.person.connect(self.table, after) as line:
                    while not stop.is_set() and line.table["status"] == "playing":
                        version = line.position["version"]
                        if line.position["mover"] in self.seats and line.goodbye is None:
                            action = line.position["legal"][0]
                            answer = await line.ask(
                                "act", request=f"v{version}", version=version, action=action
                            )
                            assert answer["type"] == "ack", answer
                            self.acknowledged[version] = action
                        await line.until(lambda line, v=version: line.position["version"] > v)
                        self.longest = max(self.longest, time.monotonic() - moved)
                        after, moved = line.n, time.monotonic()
                    if line.table["status"] == "over":
                        return
            except InvalidStatus as error:
                self.refused.append(error)
            except (OSError, WebSocketException):
                pass  # the process has stopped
            await asyncio.sleep(0.05)


async def test_a_rolling_restart_loses_no_move_and_makes_none_late(postgres, tmp_path):
    database = postgres.new_database()
    with (
        Server(database, *OPTIONS) as one,
        Server(database, *OPTIONS) as other,
        nginx(tmp_path, (one.port, other.port)) as port,
    ):
        ada = BehindNginx(one, port, tmp_path)
        seats = [{"kind": "me"}, MASTERS[0]]
        config = {"seats": seats, "seconds": LATE_SECONDS, "absent": "at-once", "start": True}
        tables = [ada.table("marrakech(players=2)", **config) for _ in range(2)]
        tables.append(ada.table("marrakech(players=4)", seats=MASTERS, start=True))
        stop = asyncio.Event()
        hoppers = [
            Hopper(table, ada, seats) for table, seats in zip(tables, ([0], [0], []), strict=True)
        ]
        tasks = [asyncio.create_task(hopper.play(stop)) for hopper in hoppers]
        for server in (one, other):
            await asyncio.sleep(0.7)
            await asyncio.to_thread(server.stop)
            assert server.code == 0
            await asyncio.sleep(0.5)  # the other process serves all tables alone
            await asyncio.to_thread(server.restart)
        await asyncio.sleep(0.5)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*tasks), 120)
        for hopper in hoppers:
            look = ada.look(hopper.table)
            assert look["table"]["seats"][0]["takeover"] is None, "nobody ran out of time"
            assert not hopper.refused, "one of the processes always serves"
            assert hopper.longest < LATE_SECONDS, "a move was late"
            record = records.read(ada.record(hopper.table))
            texts = record.texts()
            assert all(texts[version] == text for version, text in hopper.acknowledged.items())
            assert len(hopper.acknowledged) >= 3 * len(hopper.seats)
            assert texts, "computers among themselves give way to people"
            if look["table"]["status"] == "over":
                assert fairness.verify(record).is_fair
