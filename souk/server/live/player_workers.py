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
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import TypeVar, TypeVarTuple, Unpack

from souk.engine.processes import shield_sigint
from souk.engine.state import State
from souk.games import load_game
from souk.players import player

T = TypeVar("T")
Given = TypeVarTuple("Given")  # what a question is asked with

NICENESS = 10
PATIENCE = 60.0  # seconds beyond its time, for a first compilation; then a player hangs

log = logging.getLogger("souk.server")


class PlayerWorkers:
    """A bounded pool of processes that choose moves."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.workers = workers
        self.seconds = seconds  # a player may take for a move
        self._pool: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(workers)

    async def choose(
        self, state: State, level: str, start: Sequence[int], actions: Sequence[int]
    ) -> str:
        """The move of a computer player; whatever goes wrong with it, a legal one.

        It is told how the game started and which actions led to the state: so it can read others.
        """
        job = (str(state.game), list(start), list(actions), level, self.seconds)
        try:
            return await self.tell(_choose, *job)
        except Exception as error:  # a player can fail in any way, and a table must go on
            log.error("a computer player failed", extra={"level": level, "error": repr(error)})
        return state.action_to_string(state.game.random_action(state, random.Random()))

    async def analyse(self, state: State, level: str) -> list[tuple[str, float]] | None:
        """What a computer player expects of each action, the best first; None if it fails."""
        job = (str(state.game), list(state.buffer), level, self.seconds)
        try:
            return await self.tell(_analyse, *job)
        except Exception as error:
            log.error("a computer player failed", extra={"level": level, "error": repr(error)})
        return None

    async def tell(self, question: Callable[[Unpack[Given]], T], *job: *Given) -> T:
        """What a worker answers when one is free; whatever goes wrong is raised."""
        async with self._free:  # so that waiting does not count as thinking
            return await self._ask(question, *job)

    async def _ask(self, question: Callable[[Unpack[Given]], T], *job: *Given) -> T:
        """Ask a worker; once more if all of them ended because of somebody else's player."""
        for is_last in (False, True):
            pool = self._running()
            with shield_sigint():  # asking may start one
                future = asyncio.get_running_loop().run_in_executor(pool, question, *job)
            try:
                return await asyncio.wait_for(future, self.seconds + PATIENCE)
            except TimeoutError:
                self._replace(pool)
                raise
            except BrokenProcessPool:
                self._replace(pool)
                if is_last:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _replace(self, pool: ProcessPoolExecutor) -> None:
        """End a pool that hangs or is broken; the next move starts another."""
        if pool is self._pool:
            self._pool = None
            _end(pool)

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
            self._pool.shutdown()  # waits for what is left of it, so that nothing leaks
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


def _choose(game: str, start: list[int], actions: list[int], level: str, seconds: float) -> str:
    state = State(load_game(game), start)
    for action in actions:
        state.apply_action(action)
    return state.action_to_string(player(level, state.game, seconds=seconds).choose(state))


def _analyse(game: str, buffer: list[int], level: str, seconds: float) -> list[tuple[str, float]]:
    state = State(load_game(game), buffer)
    mover = state.current_player()
    found = player(level, state.game, seconds=seconds).analyse(state)
    return [(one.text, one.shares[mover]) for one in found]
