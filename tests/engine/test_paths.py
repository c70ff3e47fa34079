"""The folders for cached files and data, also for users without a home folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from souk.engine import paths
from souk.engine.errors import SoukError

# The list of users is emptied, as for a user id that a container was given.
NOBODY = """
import pwd
def getpwuid(uid): raise KeyError(uid)
pwd.getpwuid = getpwuid
"""
STEP = """
import os, souk
from souk.engine.paths import cache_folder
state = souk.load_game("marrakech").new_initial_state()
state.apply_action(state.legal_actions()[0])
folder = cache_folder()
assert folder.is_dir() and os.environ["SOUK_CACHE_DIR"] == str(folder) # for child processes
print(folder)
"""


def run(program: str, home: Path | None) -> "subprocess.CompletedProcess[str]":
    hidden = ("HOME", "SOUK_CACHE_DIR", "SOUK_DATA_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME")
    environ = {key: value for key, value in os.environ.items() if key not in hidden}
    if home is not None:
        environ["HOME"] = str(home)
    command = [sys.executable, "-c", NOBODY + program]
    return subprocess.run(command, env=environ, capture_output=True, text=True)


@pytest.fixture(params=["none", "impossible"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """No home folder, or one in which nothing can be created, whoever we are."""
    if request.param == "none":
        return None
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "home"


def test_a_game_is_played_in_a_temporary_folder_without_a_home_folder(home: Path | None) -> None:
    done = run(STEP, home)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("SOUK_CACHE_DIR") == 1
    assert not Path(done.stdout.strip()).exists()  # it is deleted at the end


def test_data_is_refused_without_a_home_folder(home: Path | None) -> None:
    play = "import sys; from souk.cli import main; sys.argv = ['souk', 'play', '--players', '2']"
    done = run(f"{play}; main()", home)
    assert done.returncode == 1
    assert done.stderr.startswith("souk: no folder for data: ")
    assert done.stderr.endswith("; set SOUK_DATA_DIR to a folder of yours\n")


PREPARE = "import sys; from souk.cli import main; sys.argv = ['souk', 'prepare', 'marrakech']"


def test_nothing_is_prepared_that_cannot_be_stored(home: Path | None, tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("")
    choose = f"import os; os.environ['SOUK_CACHE_DIR'] = {str(tmp_path / 'no folder')!r}\n"
    for program in (PREPARE, choose + PREPARE):
        done = run(f"{program}; main()", home)
        assert done.returncode == 1 and not done.stdout
        assert done.stderr.startswith("souk: compiled games cannot be stored: ")
        assert done.stderr.endswith("; set SOUK_CACHE_DIR to a folder of yours\n")


def test_a_home_folder_that_does_not_exist_yet_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SOUK_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "new"))
    folder = paths.cache_folder()
    assert folder.is_dir() and folder.is_relative_to(tmp_path / "new")


def test_a_chosen_folder_of_an_unknown_user_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOUK_DATA_DIR", "~nobody-at-all/souk")
    with pytest.raises(SoukError, match="no such home folder"):
        paths.data_folder()
