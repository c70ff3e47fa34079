"""Call functions in a few worker processes of low priority, which clients share fairly.

So the event loop is never blocked, nobody waits long for somebody else's work, and a call that
hangs or crashes ends only its own worker.
"""

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple, TypeVar, TypeVarTuple, Unpack

from souk.engine.processes import exit_with_parent, shield_sigint
from souk.server.live.fair_queue import NOBODY, FairQueue, Payer, Urgency

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

NICENESS = 10
QUICK_NICENESS = 5  # of the worker for quick calls


class Order(NamedTuple):
    """Who requests a call, and what for."""

    payer: Payer = NOBODY
    urgency: Urgency = Urgency.BACKGROUND
    what: str = ""  # calls of the same kind take about the same time; empty if it varies
    is_wanted: Callable[[], bool] = lambda: True  # asked when a worker is free


UNATTENDED = Order()


class NotWanted(Exception):
    """Nobody waits for a call any more when its turn comes."""


class FairWorkers:
    """Worker processes, started when they are needed."""

    def __init__(self, workers: int, timeout: float, *, quick: bool = False) -> None:
        self.queue = FairQueue(workers, quick=quick)
        self.timeout = timeout  # seconds before a call counts as hung
        self._pools: list[ProcessPoolExecutor | None] = [None] * (workers + quick)
        self._is_started = False

    async def run(
        self, order: Order, function: Callable[[Unpack[Arguments]], T], *arguments: *Arguments
    ) -> T:
        """Call a function in a worker when it is its turn; errors are raised."""
        if not self._is_started:
            self._start_quick_worker()
        async with self.queue.turn(order.payer, order.urgency, order.what) as worker:
            if not order.is_wanted():
                raise NotWanted
            # Waiting does not count towards the time limit.
            return await self._run(worker, function, *arguments)

    def _start_quick_worker(self) -> None:
        """Start the worker for quick calls ahead, or the first of them would wait for that."""
        self._is_started = True
        if len(self._pools) > self.queue.workers:
            with shield_sigint():
                self._pool(self.queue.workers).submit(os.getpid)

    async def _run(
        self, worker: int, function: Callable[[Unpack[Arguments]], T], *arguments: *Arguments
    ) -> T:
        """Call a function in a worker; once more if that has died before."""
        for is_last in (False, True):
            pool = self._pool(worker)
            with shield_sigint():  # this may start the process
                future = asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
            try:
                return await asyncio.wait_for(future, self.timeout)
            except TimeoutError:
                self._end(worker)
                raise
            except SystemExit as error:  # of a third-party game or player; it would end the server
                raise RuntimeError(f"a function in a worker called exit({error})") from error
            except BrokenProcessPool:
                self._end(worker)
                if is_last:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _pool(self, worker: int) -> ProcessPoolExecutor:
        pool = self._pools[worker]
        if pool is None:
            niceness = NICENESS if worker < self.queue.workers else QUICK_NICENESS
            pool = self._pools[worker] = ProcessPoolExecutor(
                1,
                multiprocessing.get_context("spawn"),
                initializer=_start_worker,
                initargs=(niceness,),
            )
        return pool

    def _end(self, worker: int) -> None:
        """Kill a worker that hangs or is broken; the next call starts another."""
        pool, self._pools[worker] = self._pools[worker], None
        if pool is not None:
            _kill(pool)

    def processes(self) -> list[int]:
        """Return the process ids of the workers."""
        return [pid for pool in self._pools if pool is not None for pid in pool._processes or ()]

    def close(self) -> None:
        """Kill the workers."""
        pools, self._pools = self._pools, [None] * len(self._pools)
        for pool in pools:
            if pool is not None:
                _kill(pool, wait=True)  # for its thread, which may not run while Python exits


def _kill(pool: ProcessPoolExecutor, *, wait: bool = False) -> None:
    """Kill a worker at once, even if it hangs."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait, cancel_futures=True)


# ---- in a worker --------------------------------------------------------------------------------


def _start_worker(niceness: int) -> None:
    """Lower the priority, and exit with the server, even if it is killed."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    exit_with_parent()
