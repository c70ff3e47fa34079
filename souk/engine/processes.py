"""Starting processes that leave Ctrl-C to us."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def shield_sigint() -> Iterator[None]:
    """Let processes that are started now never hear Ctrl-C, which a terminal sends to all.

    It is blocked, not ignored: children keep that. One that reaches us meanwhile, be it through
    another thread, waits until they have been started, if the main thread starts them.
    """
    resource_tracker.ensure_running()  # when it is started it would undo this
    with _held_back():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _held_back() -> Iterator[None]:
    """Hold Ctrl-C back from the main thread, which handles it whichever thread it reached."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not callable(signal.getsignal(signal.SIGINT)):
        yield
        return
    came = threading.Event()
    handler = signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came.is_set():
            signal.raise_signal(signal.SIGINT)
