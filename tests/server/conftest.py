"""Servers for the tests, started on demand."""

from collections.abc import Iterator

import pytest

from tests.server.postgres import Postgres, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL server; each worker of pytest-xdist has its own."""
    with running() as server:
        yield server
