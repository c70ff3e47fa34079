"""Settings of the whole suite, and what it begins with.

Hypothesis takes the same examples on every run, and no clock. `pytest
--hypothesis-profile=explore` looks for new ones.
"""

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("same")

# What compiles most: begun last, it would keep all others waiting.
FIRST = "tests/train/"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))
