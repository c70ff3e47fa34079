"""The wheel and the source package: contents, licences, and the description for an index."""

import json
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.installed import ROOT, build, metadata
from tests.test_docs import FENCE

PAGE = "souk/page/"
ENTRY = re.compile(r"^(\S+) \d\S* \(\S+\)\n\n(.+?)(?=^-{80}$|\Z)", re.MULTILINE | re.DOTALL)
BARE_IMPORT = re.compile(r"(?:from|import\(?|url\()\s*'((?:@[\w.-]+/)?[a-z][\w.-]*)")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


def licences(wheel: Path) -> dict[str, str]:
    """The texts of the licences in the page, by package."""
    text = zipfile.ZipFile(wheel).read(f"{PAGE}licenses.txt").decode()
    return dict(ENTRY.findall(text))


def test_two_builds_have_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert build("wheel", tmp_path).read_bytes() == wheel.read_bytes()


def test_the_source_package_has_what_the_wheel_has(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("souk/")}
    assert names <= source
    assert {"LICENSE", "hatch_build.py", "web/package-lock.json", "docs/installing.md"} <= source


def test_the_description_is_complete_without_a_checkout(wheel: Path) -> None:
    description = str(metadata(wheel).metadata.get_payload())
    assert description.startswith("# Souk\n")
    commands = [text for kind, text in FENCE.findall(description) if kind in ("sh", "console")]
    assert commands[0].startswith("pip install")
    assert not re.search(r"^(\$ )?make |tests/", "\n".join(commands), re.MULTILINE)
    assert not re.search(r"<picture|<img|!\[|<!--|\]\((?!https?:)", description)


def test_versions_are_the_same_wherever_they_are_written(wheel: Path) -> None:
    package = metadata(wheel)
    assert f"version: {package.version}\n" in (ROOT / "CITATION.cff").read_text()
    classifiers = "\n".join(package.metadata.get_all("Classifier", []))
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
    for version in re.findall(r"Python :: (3\.\d+)", classifiers):
        assert f"'{version}'" in workflow


def test_every_package_and_font_in_the_page_has_its_licence(wheel: Path) -> None:
    texts = licences(wheel)
    for name, text in texts.items():
        assert re.search(r"copyright|reserved font name", text, re.IGNORECASE), name
        assert re.search(r"permission .*granted", text, re.IGNORECASE | re.DOTALL), name
    fonts = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".woff2")]
    assert fonts
    families = [name.rpartition("/")[2] for name in texts if name.startswith("@fontsource")]
    assert all(Path(font).name.startswith(tuple(families)) for font in fonts), fonts
    known = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    imported = {
        name
        for path in (ROOT / "web" / "src").rglob("*")
        if path.suffix in (".ts", ".svelte", ".css") and not path.name.endswith(".test.ts")
        for name in BARE_IMPORT.findall(path.read_text("utf-8"))
        if f"node_modules/{name}" in known
    }
    assert {"svelte", "uqr"} <= imported
    assert imported <= set(texts)
