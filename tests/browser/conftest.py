"""Fixtures: one server per process, one browser per module, new visitors for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import souk
from tests.browser.visitor import Visitor, chromium
from tests.server.server_process import Server

ROOT = Path(__file__).parents[2]
PAGE = Path(souk.__file__).with_name("page") / "index.html"


def seeded_server(database: Path, *options: str) -> Server:
    """Return a server whose games have the same dice every time."""
    server = Server(database, *options, PYTHONPATH=str(ROOT))
    server.command[2] = "tests.browser.seeded_server"
    return server


@pytest.fixture(scope="module")  # while it runs, no other test can run an event loop
def browser() -> Iterator[Browser]:
    assert PAGE.exists(), "the page is not built: make page"
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with seeded_server(tmp_path_factory.mktemp("browser") / "souk.db", "--no-limits") as server:
        yield server
        assert "a computer player failed" not in server.stop()


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Return a function that creates visitors; in the end their consoles must be clean."""
    visitors: list[Visitor] = []

    def new(name: str = "Ada", url: str | None = None, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, url or server.url, name, **options))
        return visitors[-1]

    yield new
    for one in visitors:
        one.close()
    complaints = [line for one in visitors for line in one.complaints]
    assert not complaints
