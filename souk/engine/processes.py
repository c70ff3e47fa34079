"""Start child processes that ignore SIGINT, and end with their parent."""

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
WAITING = 4  # items in the queue of every process


def in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], processes: int
) -> Generator[Result, None, None]:
    """Yield the results of a function for some items, in their order, from child processes.

    Only a few items are taken in advance. With one process, this process computes.
    """
    if processes == 1:
        yield from map(function, items)
        return
    remaining = iter(items)
    waiting: deque[Future[Result]] = deque()
    with shield_sigint():
        pool = ProcessPoolExecutor(processes, get_context("spawn"), exit_with_parent)
        for item in islice(remaining, WAITING * processes):
            waiting.append(pool.submit(function, item))
    try:
        while waiting:
            yield waiting.popleft().result()
            for item in islice(remaining, 1):
                waiting.append(pool.submit(function, item))
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def shield_sigint() -> Iterator[None]:
    """Block SIGINT, which a terminal sends to all processes, in processes that are started now.

    Child processes inherit the blocked signal. A SIGINT for this process is delivered after the
    context, if it is used in the main thread. Windows has no such signals: processes get Ctrl-C.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting it unblocks the signal
    with _deferred_sigint():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def exit_with_parent() -> None:
    """Let this process, a child, exit when its parent does, even if the parent is killed."""
    parent = parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _deferred_sigint() -> Iterator[None]:
    """Defer SIGINT, which Python handles in the main thread whichever thread receives it."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not callable(signal.getsignal(signal.SIGINT)):
        yield
        return
    received = threading.Event()
    handler = signal.signal(signal.SIGINT, lambda *_: received.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if received.is_set():
            signal.raise_signal(signal.SIGINT)
