"""Starting processes that leave Ctrl-C to us."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes that are started now never hear Ctrl-C, which a terminal sends to all.

    It is blocked, not ignored: children keep that, and one that reaches us meanwhile is not lost.
    """
    resource_tracker.ensure_running()  # when it is started it would undo this
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
