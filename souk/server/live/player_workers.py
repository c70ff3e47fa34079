"""Run computer players in a bounded pool of worker processes.

So the event loop is never blocked: not by a player in plain Python, not by the first compilation of
a kernel, not by a third-party player that hangs or crashes. Workers have a low priority.
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
from souk.engine.state import CHANCE, State
from souk.games import load_game, names
from souk.players import player, strongest

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

NICENESS = 10
TIMEOUT = 60.0  # seconds beyond its limit, for a first compilation, before a player counts as hung

log = logging.getLogger("souk.server")


class PlayerWorkers:
    """A bounded pool of processes that choose moves."""

    def __init__(self, workers: int, seconds: float) -> None:
        self.workers = workers
        self.seconds = seconds  # the time limit of a move
        self._failures = 0  # moves since one succeeded
        self._pool: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(workers)

    async def choose(
        self, state: State, level: str, start: Sequence[int], actions: Sequence[int]
    ) -> str:
        """Return the move of a computer player, or a random one if it fails.

        The player gets the start of the game and all actions, to infer how others play.
        """
        job = (str(state.game), list(start), list(actions), level, self.seconds)
        try:
            move = await self.run(_choose, *job)
            self._failures = 0
            return move
        except Exception as error:  # a player can fail in any way, and the game must go on
            self._failures += 1
            log.error("a computer player failed", extra={"level": level, "error": repr(error)})
        return state.action_to_string(state.game.random_action(state, random.Random()))

    def problem(self) -> str | None:
        """Return a sentence if computer players fail, so that random moves replace theirs."""
        failures = self._failures
        return f"the last {failures} moves of computer players failed" if failures > 2 else None

    async def analyse(self, state: State, level: str) -> list[tuple[str, float]] | None:
        """Return each action with its expected share of the win, best first; None on failure."""
        job = (str(state.game), list(state.buffer), level, self.seconds)
        try:
            return await self.run(_analyse, *job)
        except Exception as error:
            log.error("a computer player failed", extra={"level": level, "error": repr(error)})
        return None

    async def run(self, function: Callable[[Unpack[Arguments]], T], *arguments: *Arguments) -> T:
        """Call a function in a worker as soon as one is free; errors are raised."""
        async with self._free:  # so that waiting does not count towards the time limit
            return await self._run(function, *arguments)

    async def _run(self, function: Callable[[Unpack[Arguments]], T], *arguments: *Arguments) -> T:
        """Call a function in a worker; once more if another call has broken the pool."""
        for is_last in (False, True):
            pool = self._running()
            with shield_sigint():  # this may start a worker
                future = asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
            try:
                return await asyncio.wait_for(future, self.seconds + TIMEOUT)
            except TimeoutError:
                self._replace(pool)
                raise
            except BrokenProcessPool:
                self._replace(pool)
                if is_last:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def warm_up(self) -> None:
        """Start all workers, and load the players, so that no first move takes seconds."""
        jobs = [self.run(_load_players) for _ in range(self.workers)]
        for error in await asyncio.gather(*jobs, return_exceptions=True):
            if error is not None:
                log.error("a worker did not start", extra={"error": repr(error)})

    def _replace(self, pool: ProcessPoolExecutor) -> None:
        """Kill a pool that hangs or is broken; the next call starts another."""
        if pool is self._pool:
            self._pool = None
            _kill(pool)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.workers, multiprocessing.get_context("spawn"), initializer=_start_worker
            )
        return self._pool

    def close(self) -> None:
        """Kill the workers."""
        if self._pool is not None:
            _kill(self._pool)
            self._pool.shutdown()  # waits for its threads, so that nothing leaks
            self._pool = None


def _kill(pool: ProcessPoolExecutor) -> None:
    """Kill a pool at once, even if its workers hang."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


# ---- in a worker --------------------------------------------------------------------------------


def _start_worker() -> None:
    """Lower the priority, and exit with the server, even if it is killed."""
    os.nice(NICENESS)
    parent = multiprocessing.parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _load_players() -> None:
    """Let the strongest player of every game choose once."""
    for name in names():
        game = load_game(name)
        state = game.new_initial_state(0)
        while state.current_player() == CHANCE:
            state.apply_action(state.chance_weights()[0][0])
        player(strongest(name), game, nodes=1).choose(state)


def _choose(game: str, start: list[int], actions: list[int], level: str, seconds: float) -> str:
    state = State(load_game(game), start)
    for action in actions:
        state.apply_action(action)
    return state.action_to_string(player(level, state.game, seconds=seconds).choose(state))


def _analyse(game: str, buffer: list[int], level: str, seconds: float) -> list[tuple[str, float]]:
    state = State(load_game(game), buffer)
    mover = state.current_player()
    options = player(level, state.game, seconds=seconds).analyse(state)
    return [(option.text, option.shares[mover]) for option in options]
