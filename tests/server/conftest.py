"""Servers for the tests, started when the first test asks for them."""

from collections.abc import Iterator

import pytest

from tests.server.postgres import Postgres, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL; each worker of pytest-xdist has its own."""
    with running() as server:
        yield server
