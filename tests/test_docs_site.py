"""The documentation site: it builds without warnings, is complete, and needs no network."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest
from filelock import FileLock
from sphinx.util.inventory import InventoryFile

import souk
from souk import arena, players, records
from souk.players import Player
from tests.browser.visitor import chromium
from tests.example_packages import install
from tests.test_docs import PAGES, ROOT, blocks
from tools.docs_site import game_pages, protocol_pages, root_pages, tables

ID = re.compile(r'\bid="([^"]+)"')
LINK = re.compile(r'<(?:a|link|img|script|source)\b[^>]*? (?:href|src|srcset)="([^"]+)"')
LOADED = re.compile(r'<(?:link|img|script|source|iframe)\b[^>]*? (?:href|src|srcset)="([^"]+)"')
DRAWN = "pre.mermaid svg:has(.node, .actor)"
# Its examples are the games themselves.
WITHOUT_EXAMPLES = "api/game-interface.html"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, which is built once for all processes that run tests."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "docs-site"
    with FileLock(shared / "docs-site.lock"):
        if not (folder / "objects.inv").exists():
            command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning"]
            built = subprocess.run(
                [*command, "docs", str(folder)], cwd=ROOT, capture_output=True, text=True
            )
            assert built.returncode == 0, built.stderr
    return folder


def documented(site: Path) -> dict[str, str]:
    """Return the page of every Python name in the reference."""
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    return {
        name: item.uri.partition("#")[0]
        for kind, items in inventory.items()
        if kind.startswith("py:")
        for name, item in items.items()
    }


@pytest.mark.parametrize("module", [game_pages, protocol_pages, root_pages, tables])
def test_the_examples_of_the_generators_run(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted and not results.failed


def test_every_link_of_the_site_leads_to_a_page_and_its_anchor(site: Path) -> None:
    texts = {page: page.read_text("utf-8") for page in site.rglob("*.html")}
    assert len(texts) > 30
    anchors = {page: {*map(unescape, ID.findall(text)), ""} for page, text in texts.items()}
    for page, text in texts.items():
        for link in {unescape(link) for link in LINK.findall(text)}:
            path, _, anchor = link.partition("#")
            if re.match(r"\w+:", path):
                continue
            target = (page.parent / unquote(path.partition("?")[0])).resolve() if path else page
            assert target.exists(), f"{page.relative_to(site)} links to {link}"
            if target in anchors:
                assert unquote(anchor) in anchors[target], f"{page.relative_to(site)}: {link}"


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        for link in LOADED.findall(page.read_text("utf-8")):
            assert not re.match(r"(?:\w+:)?//", link), f"{page.relative_to(site)} loads {link}"
    for sheet in site.rglob("*.css"):
        text = sheet.read_text("utf-8")
        assert not re.search(r"""(?:url\(|@import )\s*["']?(?:\w+:)?//""", text), sheet.name


def test_a_browser_draws_every_diagram_in_both_themes(site: Path) -> None:
    requests: list[str] = []
    complaints: list[str] = []
    with chromium() as browser:
        page = browser.new_context(color_scheme="dark").new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((site / "architecture.html").as_uri())
        diagrams = page.locator("pre.mermaid")
        count = diagrams.count()
        for theme in ("dark", "light"):
            page.evaluate(f"document.body.dataset.theme = '{theme}'")
            page.wait_for_function(f"document.querySelectorAll('{DRAWN}').length === {count}")
    assert count == len(blocks(ROOT / "docs" / "architecture.md", "mermaid"))
    assert not complaints
    assert all(url.startswith(("file:", "data:")) for url in requests)


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    names = documented(site)
    public = {f"souk.{name}" for name in souk.__all__}
    for package in (arena, players, records, sys.modules["souk.analysis"]):
        public |= {f"{package.__name__}.{name}" for name in package.__all__}
    for kind in (souk.Game, souk.State):
        methods = (name for name in vars(kind) if not name.startswith("_"))
        public |= {f"souk.{kind.__name__}.{name}" for name in methods}
    # Class variables have a table, and these two functions are documented as `souk.…`.
    public -= {f"souk.Game.{name}" for name in inspect.get_annotations(souk.Game)}
    public -= {"souk.analysis.Rollout", "souk.analysis.analyse", "souk.analysis.rollout"}
    public -= {"souk.players.player", "souk.players.players"}
    assert not sorted(public - names.keys()), "add them to a page in docs/api"


def test_every_class_variable_of_games_is_in_the_table() -> None:
    page = (ROOT / "docs" / "api" / "game-interface.md").read_text("utf-8")
    missing = [name for name in inspect.get_annotations(souk.Game) if f"`{name}`" not in page]
    assert not missing


def test_every_name_of_the_reference_has_an_example_that_runs(site: Path) -> None:
    """The example is in its docstring or on a page; data, and methods of results, need none."""
    pages = "".join(block for page in PAGES for block in blocks(page, "python"))
    missing = []
    for name, page in documented(site).items():
        thing, parent = _resolve(name), _resolve(name.rpartition(".")[0])
        is_method = isinstance(parent, type) and parent not in (souk.Game, souk.State, Player)
        is_code = callable(thing) and not (isinstance(thing, ModuleType) or _is_data(thing))
        if is_code and not is_method and page != WITHOUT_EXAMPLES:
            is_used = re.search(
                rf"^(?:>>>|\.\.\.) .*\b{name.split('.')[-1]}\b", pages, re.MULTILINE
            )
            if not is_used and ">>>" not in (inspect.getdoc(thing) or ""):
                missing.append(name)
    assert not missing, f"without an example: {', '.join(missing)}"


def _resolve(name: str) -> object:
    """Return what a dotted name stands for; None for the attribute of an instance."""
    head, *rest = name.split(".")
    thing: object = sys.modules[head]
    for part in rest:
        thing = getattr(thing, part, None)
    return thing


def _is_data(thing: object) -> bool:
    """Return whether it is a class of plain data: a result, or part of one."""
    return isinstance(thing, type) and (
        hasattr(thing, "__dataclass_fields__") or hasattr(thing, "__struct_fields__")
    )


def test_a_game_of_another_package_gets_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("examples/pig", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    files = game_pages.files()
    page = files["games/pig.md"]
    for heading in ("# Pig", "## Rules", "## Knobs", "## Actions", "## Positions"):
        assert f"\n{heading}\n" in f"\n{page}"
    assert "| `target` | points to reach | a whole number from 1 to 1000 | `100` |" in page
    assert "| `choose` | a player | `roll`, `hold` |" in page
    assert "| `turn_total` | points rolled in this turn |" in page
    assert "<svg" in files["games/pig-dark.svg"]
