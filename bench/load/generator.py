"""Play games at many tables, and measure the same part of each."""

import asyncio
import itertools
import random
import time
from contextlib import suppress
from typing import Any

from bench.load import Plan, Result
from bench.load.boardgame_io import BoardgameIoTable
from bench.load.meter import Meter
from bench.load.souk import Http, SoukTable
from bench.load.table import SEATS, Table

WARM_UP = 0.7  # seconds before measuring starts, with a pace
# Without a pace, the moves of each game that count, as a mean over all tables: the same for both
# servers, since positions become longer as the board fills up.
SPAN = (10, 70)
SETUP_CONCURRENCY = 50  # tables that are set up at a time
ENDLESS = "marrakech(players=3,rugs=1000,dirhams=1000000)"
TABLES: dict[str, type[Table]] = {"souk": SoukTable, "boardgame.io": BoardgameIoTable}


class LoadGenerator:
    """Plays games at all tables until enough time is measured."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.meter = Meter(plan)
        self.pick = random.Random(1).choice
        self.live = plan.url.replace("http", "ws", 1)
        self.round = 0
        self.is_running = False
        self.people: list[str] = []
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if plan.protocol == "souk":
            self.http = Http(plan.url)
            self.people = [
                self.http.new_person(f"Guest {number}") for number in range(SEATS * plan.tables)
            ]

    def fail(self, why: str) -> None:
        if not self.failed.done():
            self.failed.set_exception(RuntimeError(why))

    async def run(self) -> Result:
        for _ in range(self.plan.thinking):
            computers = [{"kind": "computer"}] * SEATS
            body = {"game": ENDLESS, "seats": computers, "start": True}
            self.http.post("/api/tables", body, self.people[0])
        while self.meter.result.seconds < 0.9 * self.plan.seconds:
            self.round += 1
            await self._play()
        return self.meter.finish()

    async def _play(self) -> None:
        """Play a game at every table, until one of them is over or enough time is measured."""
        tables = [TABLES[self.plan.protocol](self, number) for number in range(self.plan.tables)]
        limit = asyncio.Semaphore(SETUP_CONCURRENCY)

        async def set_up(table: Table) -> None:
            async with limit:
                await table.set_up()

        await self._run_or_fail(asyncio.gather(*map(set_up, tables)))
        if self.plan.protocol == "souk":
            self.http.disconnect()
        self.moves = 0
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        self.is_running = True
        for table in tables:
            table.is_playing = True
        pacing = asyncio.ensure_future(self._pace(tables))
        await self._run_or_fail(self._measure())
        self.is_running = False
        pacing.cancel()
        while any(table.is_move_pending for table in tables):
            await self._run_or_fail(asyncio.sleep(0.05))
        await asyncio.gather(*(table.close() for table in tables))

    async def _measure(self) -> None:
        """Measure the part of the games that counts."""
        is_paced = self.plan.pace is not None
        await (asyncio.sleep(WARM_UP) if is_paced else self.begun.wait())
        if self.ended.is_set():
            raise RuntimeError("a game was over before measuring began: use more tables")
        self.meter.start()
        left = self.plan.seconds - self.meter.result.seconds if is_paced else None
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), left)
        self.meter.stop()

    def count_move(self) -> None:
        """Count a move of the current games."""
        self.moves += 1
        first, last = (self.plan.tables * number for number in SPAN)
        if self.moves == first:
            self.begun.set()
        elif self.moves == last and self.plan.pace is None:
            self.ended.set()

    async def _run_or_fail(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        await asyncio.wait([task, self.failed], return_when=asyncio.FIRST_COMPLETED)
        if self.failed.done():
            self.failed.result()
        task.result()

    async def _pace(self, tables: list[Table]) -> None:
        if self.plan.pace is None:
            for table in tables:
                table.act()
            return
        began = time.perf_counter()
        for number, table in enumerate(itertools.cycle(tables)):
            when = began + number / self.plan.pace
            while (wait := when - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            table.schedule_move(when)
