"""No game is named outside its own folder: adding one means adding a folder."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import souk
from souk.games import game_class, own_names

PACKAGE = Path(souk.__file__).parent
PAGE = Path(__file__).parents[1] / "web" / "src"
NAMES = re.compile("|".join(own_names()), re.IGNORECASE)
ALLOWED = {("games/__init__.py", "marrakech")}  # FIRST, the default game


def test_python_code_names_no_game() -> None:
    """In identifiers and texts; docstrings, which hold examples, and comments may."""
    named = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE)
        if not _is_in_game_folder(file):
            words = set(_words(ast.parse(path.read_text("utf-8"))))
            named |= {(file.as_posix(), word) for word in words if NAMES.search(word)}
    assert named == ALLOWED


def test_the_page_names_no_game() -> None:
    named = set()
    for path in sorted(PAGE.rglob("*.*")):
        file = path.relative_to(PAGE)
        if not _is_in_game_folder(file) and NAMES.search(path.read_text("utf-8")):
            named.add(file.as_posix())
    assert not named


@pytest.mark.parametrize("name", own_names())
def test_the_page_says_the_same_about_a_game_as_the_server(name: str) -> None:
    """The start page does not wait for the server's list of games."""
    info = (PAGE / "games" / name / "info.ts").read_text("utf-8")
    kind = game_class(name)
    assert f"title: '{kind.title}'," in info
    assert f"en: '{kind.about}'," in info


def test_games_are_known_without_a_free_file_descriptor() -> None:
    """A server without descriptors said that there is no such game."""
    code = """if True:
        import resource, souk
        def known():
            return [(str(souk.load_game(name)), souk.players(name)) for name in souk.games()]
        before = known()
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
        assert known() == before != []
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def _is_in_game_folder(file: Path) -> bool:
    return len(file.parts) > 2 and file.parts[0] == "games" and file.parts[1] in own_names()


def _words(tree: ast.Module) -> Iterator[str]:
    """Yield the identifiers, imported modules and texts of a module, without docstrings."""
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr):
                docstrings.add(first.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in docstrings:
            yield str(node.value)
        for name in ("id", "name", "attr", "arg", "module", "asname"):
            word = getattr(node, name, None)
            if isinstance(word, str):
                yield word
