"""The examples in the README and the docs run, and print what is shown."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from souk.engine.game import Game
from souk.engine.kernel.rules_protocol import Rules

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def blocks(page: Path, kind: str) -> list[str]:
    return [text for result, text in FENCE.findall(page.read_text("utf-8")) if result == kind]


def commands() -> list[tuple[str, str]]:
    return [
        (command.split("  #")[0], output)
        for page in PAGES
        for block in blocks(page, "console")
        for command, output in COMMAND.findall(block)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
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


def test_the_readme_opens_with_pip_install_and_the_two_commands() -> None:
    first = blocks(ROOT / "README.md", "sh")[0]
    assert first.startswith("pip install")
    assert re.findall(r"^make \w+", first, re.MULTILINE) == ["make play", "make test"]


def test_the_recipe_for_a_new_game_names_everything_that_a_game_defines() -> None:
    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)(?:\([^`]*\))?`", recipe))
    kernel = {name for name in {**Rules.__annotations__, **vars(Rules)} if not name.startswith("_")}
    missing = (Game.__abstractmethods__ | kernel) - named
    assert not missing
