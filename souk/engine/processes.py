"""Start child processes that ignore SIGINT."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def shield_sigint() -> Iterator[None]:
    """Block SIGINT, which a terminal sends to all processes, in processes that are started now.

    Child processes inherit the blocked signal. A SIGINT for this process is delivered after the
    context, if it is used in the main thread.
    """
    resource_tracker.ensure_running()  # starting it unblocks the signal
    with _deferred_sigint():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
