"""README and docs show what is true: their Python examples run, their links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)|(?:src|srcset|href)=\"([^\":#]+)\"")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_examples_of_a_page_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = [text for kind, text in FENCE.findall(page.read_text("utf-8")) if kind == "python"]
    # One text for the whole page: later blocks go on from earlier ones.
    examples = doctest.DocTestParser().get_doctest("\n\n".join(blocks), {}, page.name, str(page), 0)
    complaints: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    results = runner.run(examples, out=complaints.append)
    assert results.failed == 0, "".join(complaints)
    assert results.attempted >= len(blocks)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_to_files(page: Path) -> None:
    for one, other in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / (one or other)).exists(), f"{page.name} links to {one or other}"
