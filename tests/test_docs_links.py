"""Links, anchors, file paths and diagrams in the documentation lead to something that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

FENCE = re.compile(r"^```(\w*).*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
FOLDERS = "bench|deploy|docs|examples|requirements|souk|tests|tools|web"
PATH = re.compile(rf"(?:{FOLDERS})/[\w./-]+|[A-Z]+\.md|Makefile|pyproject\.toml")
BUILT = ("souk/page",)  # `make page` creates it, so a fresh checkout does not have it
DIAGRAMS = {"flowchart", "sequenceDiagram", "stateDiagram-v2", "classDiagram", "erDiagram"}


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading.

    >>> slug("What `souk train` prints, in short")
    'what-souk-train-prints-in-short'
    """
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {slug(heading) for heading in HEADING.findall(prose(page))}


def links(page: Path) -> list[str]:
    result = [one or other for one, other in LINK.findall(prose(page))]
    return [link for link in result if "://" not in link and not link.startswith("mailto:")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_to_a_file(page: Path) -> None:
    for link in links(page):
        path = link.partition("#")[0]
        assert (page.parent / path).exists(), f"{page.name} links to {link}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_anchor_is_a_heading_of_its_page(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name} links to {link}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_in_backticks_exists(page: Path) -> None:
    for span in CODE_SPAN.findall(prose(page)):
        if PATH.fullmatch(span) and not span.startswith(BUILT):
            assert (ROOT / span).exists(), f"{page.name} mentions {span}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_mermaid_block_is_a_diagram(page: Path) -> None:
    for kind, block in FENCE.findall(page.read_text("utf-8")):
        if kind == "mermaid":
            first, *rest = [line for line in block.splitlines() if line.strip()]
            assert first.split()[0] in DIAGRAMS, f"{page.name}: {first}"
            assert rest, f"{page.name}: a diagram of one line shows nothing"


def test_the_pages_link_to_every_guide() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve() for page in PAGES for link in links(page)
    }
    guides = {page.resolve() for page in ROOT.glob("docs/*.md")}
    assert guides <= linked, "no page links to these"
