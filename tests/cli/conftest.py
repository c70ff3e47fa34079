"""Fixtures for tests of the command line."""

import sys
from pathlib import Path

import pytest

from souk.cli import main
from souk.records import write
from tests.cli.run_souk import RunMain, random_record


@pytest.fixture
def run_main(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> RunMain:
    """Return a function that runs `souk` in this process: exit code, output, errors."""

    def run(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["souk", *arguments])
        monkeypatch.setenv("SOUK_DATA_DIR", str(tmp_path))
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return end.value.code, said.out, said.err

    return run


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.souk"
    file.write_text(write(random_record()), "utf-8")
    return file
