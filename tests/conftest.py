"""Settings of the whole suite, and the order of its tests.

Hypothesis uses the same examples in every run, without deadlines. `pytest
--hypothesis-profile=explore` looks for new ones.
"""

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=10)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("same")

# A shell that runs the suite in the background (`make test &`, nohup, some CI runners) ignores
# SIGINT, and so would all processes that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What takes minutes: begun last, it would keep all others waiting.
LONG = (
    "tests/browser/test_views.py",
    "tests/server/test_crash.py",
    "tests/train/",
    "tests/browser/test_whole_games.py",
    "tests/server/test_processes.py",
    "tests/players/test_minds.py",
    "tests/players/test_search.py",
    "tests/browser/test_hostile.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every process a share of the long tests to begin with: each gets a stretch of the list.

    Who is done early takes over from the end of somebody else's stretch.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [[item for item in items if item.nodeid.startswith(place)] for place in LONG]
    others = [item for item in items if not item.nodeid.startswith(LONG)]
    stretch = len(items) // processes
    dealt = []
    for process in range(processes):
        dealt += [item for some in long[process::processes] for item in some]
        rest = max(0, (process + 1) * stretch - len(dealt))
        dealt += others[:rest]
        del others[:rest]
    items[:] = dealt + others
