"""Settings of the whole suite, and the order of its tests.

Hypothesis uses the same examples in every run, without deadlines. `pytest
--hypothesis-profile=explore` looks for new ones.
"""

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from souk.engine.kernel import cuda_target
from tests.engine import cupy_on_cpu

collect_ignore = ["fixtures/old/make_fixtures.py"]  # it runs with the code of an old commit

pytest.register_assert_rewrite("souk.testing")

settings.register_profile("same", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=10)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("same")

# A shell that runs the suite in the background (`make test &`, nohup, some CI runners) ignores
# SIGINT, and so would all processes that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The longest tests start first: started last, they would keep one process busy at the end.
LONG = (
    "tests/browser/test_views.py",
    "tests/train/",
    "tests/server/test_crash.py",
    "tests/browser/test_whole_games.py",
    "tests/server/test_processes.py",
    "tests/browser/test_hostile.py",
    "tests/players/test_opponent_models.py",
    "tests/players/test_search.py",
    "tests/browser/test_layout.py",
    "tests/browser/test_analysis.py",
    "tests/browser/test_generic_table.py",
    "tests/browser/test_together.py",
    "tests/browser/test_friends.py",
    "tests/arena/",
    "tests/test_docs_site.py",
)


@pytest.fixture(scope="module")
def gpu() -> Iterator[None]:
    """Use an NVIDIA GPU or, where there is none, the stand-in for CuPy."""
    with pytest.MonkeyPatch.context() as patch:
        if not cupy_on_cpu.HAS_GPU:
            if cupy_on_cpu.COMPILER is None:
                pytest.skip("there is neither an NVIDIA GPU nor a C++ compiler here")
            patch.setitem(sys.modules, "cupy", cupy_on_cpu)
            patch.setitem(sys.modules, "cupyx", cupy_on_cpu)
        yield
    cuda_target.load_cupy.cache_clear()
    cuda_target._cuda_kernel.cache_clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let every worker start with some of the long tests: each is given a stretch of the list.

    A worker that has finished takes tests from the end of another worker's stretch.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [[item for item in items if item.nodeid.startswith(path)] for path in LONG]
    others = [item for item in items if not item.nodeid.startswith(LONG)]
    stretch = len(items) // workers
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        ordered += [item for file in long[worker::workers] for item in file]
        count = max(0, (worker + 1) * stretch - len(ordered))
        ordered += others[:count]
        del others[:count]
    items[:] = ordered + others
