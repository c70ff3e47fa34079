"""The examples in the README and the docs run, and the files that they name exist."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from souk.engine.game import Game
from souk.engine.kernel import playout_loop
from souk.engine.kernel.rules_protocol import RULES_NAMES

ROOT = Path(__file__).parents[1]
GENERATED = set(ROOT.glob("docs/generated/**/*.md"))  # by `make docs`
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} - GENERATED)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#]+)|(?:src|srcset|href)=\"([^\"]+)\"")
FOLDERS = "bench|deploy|docs|examples|requirements|souk|tests|tools|web"
PATH = re.compile(rf"(?:{FOLDERS})/[\w./-]+|[A-Z]+\.md|Makefile|pyproject\.toml")
BUILT = ("build/docs", "souk/page")  # a fresh checkout does not have them
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, kind: str) -> list[str]:
    return [text for result, text in FENCE.findall(page.read_text("utf-8")) if result == kind]


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    return [
        (command.split("  #")[0], output)
        for page in PAGES
        for block in blocks(page, "console")
        for command, output in COMMAND.findall(block)
    ]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_python_examples_of_a_page_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    # One text for the whole page: later blocks go on from earlier ones.
    text = "\n\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    complaints: list[str] = []
    results = doctest.DocTestRunner().run(examples, out=complaints.append)
    assert results.failed == 0, "".join(complaints)
    assert results.attempted >= len(blocks(page, "python"))


@pytest.mark.parametrize(("command", "output"), commands(), ids=lambda text: text.strip()[:60])
def test_the_commands_of_the_pages_do_what_is_shown(
    command: str, output: str, tmp_path: Path
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "SOUK_DATA_DIR": str(tmp_path), "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,  # a game that is asked for a choice stops there, and is saved
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    if output:
        check = doctest.OutputChecker().check_output
        assert check(output, ran.stdout, doctest.ELLIPSIS), ran.stdout


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_path_in_backticks_exists(page: Path) -> None:
    for span in CODE_SPAN.findall(prose(page)):
        if PATH.fullmatch(span) and not span.startswith(BUILT):
            assert (ROOT / span).exists(), f"{page.name} mentions {span}"


def test_the_links_and_pictures_of_the_readme_exist() -> None:
    """Sphinx checks the links of all other pages, which are in the site."""
    links = [one or other for one, other in LINK.findall(prose(ROOT / "README.md"))]
    relative = [link for link in links if "://" not in link and not link.startswith("data:")]
    for link in relative:
        assert (ROOT / link).exists(), f"the README links to {link}"


def test_the_readme_opens_with_the_two_commands_and_pip_install() -> None:
    commands, install, *_ = blocks(ROOT / "README.md", "sh")
    assert re.findall(r"^\w+ \w+", commands, re.MULTILINE) == ["make play", "make test"]
    assert install.startswith("pip install")


def test_the_recipe_for_a_new_game_names_everything_that_a_game_defines() -> None:
    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)(?:\([^`]*\))?`", recipe))
    missing = {*Game.__abstractmethods__, *RULES_NAMES} - {*playout_loop.ENTRIES} - named
    assert not missing
