"""Computer players, thinking in processes of their own, a few at a time.

So the event loop is never held up: not by a player in plain Python, not by the first compilation
of a kernel, not by a third party's player that hangs or crashes. Workers are nice to the server.
"""

import asyncio
import logging
import multiprocessing
import os
import random
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

from souk.engine.state import State
from souk.games import load_game
from souk.players import player

NICENESS = 10
PATIENCE = 30.0  # seconds for a move, with waiting and a first compilation

log = logging.getLogger("souk.server")


class Thinkers:
    """A bounded pool of processes that choose moves."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.workers = workers
        self.seconds = seconds  # a player may take for a move
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, state: State, level: str) -> str:
        """The move of a computer player; whatever goes wrong with it, a legal one."""
        try:
            return await self._ask(str(state.game), list(state.buffer), level)
        except Exception as error:  # a player can fail in any way, and a table must go on
            log.error("a computer player failed", extra={"level": level, "error": repr(error)})
        return state.action_to_string(state.game.random_action(state, random.Random()))

    async def _ask(self, game: str, buffer: list[int], level: str) -> str:
        pool = self._running()
        future = asyncio.get_running_loop().run_in_executor(
            pool, _choose, game, buffer, level, self.seconds
        )
        try:
            return await asyncio.wait_for(future, PATIENCE)
        except (BrokenProcessPool, TimeoutError):
            if pool is self._pool:
                self._pool = None
                _end(pool)
            raise

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.workers, multiprocessing.get_context("spawn"), initializer=_begin
            )
        return self._pool

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            _end(self._pool)
            self._pool = None


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool at once, even if its workers hang."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


# ---- in a worker --------------------------------------------------------------------------------


def _begin() -> None:
    """Be nice, and do not outlive the server, not even one that was killed."""
    os.nice(NICENESS)
    parent = multiprocessing.parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _choose(game: str, buffer: list[int], level: str, seconds: float) -> str:
    state = State(load_game(game), buffer)
    return state.action_to_string(player(level, state.game, seconds=seconds).choose(state))
