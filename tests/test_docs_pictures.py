"""The pictures of the README are what the drawing makes today."""

import runpy
import sys
from pathlib import Path

import pytest

from souk.games import own_names

DOCS = Path(__file__).parents[1] / "docs"


def test_the_pictures_are_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["make_pictures.py", str(tmp_path)])
    runpy.run_path(str(DOCS / "make_pictures.py"), run_name="__main__")
    made = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert set(made) == {
        f"{game}-{theme}.svg" for game in own_names() for theme in ("dark", "light")
    }
    for name, picture in made.items():
        stored = (DOCS / "pictures" / name).read_text("utf-8")
        assert stored == picture, "run docs/make_pictures.py and look at the pictures"
