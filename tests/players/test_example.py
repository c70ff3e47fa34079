"""The example of the docs is a package that can be installed, and then plays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import souk
from tests.example_packages import ROOT, install

EXAMPLE = ROOT / "examples" / "dreamer"


@pytest.fixture(scope="module")
def install_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the example was installed into."""
    folder = tmp_path_factory.mktemp("install_folder")
    install("examples/dreamer", folder)
    return folder


def run(install_folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "souk", *arguments],
        env={**os.environ, "PYTHONPATH": f"{install_folder}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", souk.games())
def test_the_installed_player_is_listed_last(install_folder: Path, game: str) -> None:
    assert run(install_folder, "players", game).split() == [*souk.players(game), "dreamer"]


def test_the_installed_player_plays(install_folder: Path) -> None:
    message = run(
        install_folder,
        *("simulate", "marrakech(players=2,rugs=3)", "-n", "10", "--nodes", "200"),
        *("--seed", "1", "--seat", "dreamer", "--seat", "random"),
    )
    assert "10 games" in message and "dreamer" in message


def test_its_play_is_sensible_and_can_be_repeated(install_folder: Path) -> None:
    code = """
import souk
game = souk.load_game("marrakech", players=2, two_player="one-colour")
position = game.new_initial_state().to_dict()
for rug, squares in enumerate([("d3", "d2"), ("d1", "e1"), ("e2", "e3"), ("e4", "f4")]):
    for square in squares:
        position["squares"][square] = {"colour": "yellow", "rug": rug}
for seat, dirhams in enumerate((7, 4)):
    position["players"][seat]["dirhams"] = dirhams
state = game.state_from_dict(position)
dreamers = [souk.player("dreamer", game, nodes=1500, seed=3) for _ in range(2)]
print(*[state.action_to_string(dreamer.choose(state)) for dreamer in dreamers])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": f"{install_folder}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["right", "right"], done.stderr


def test_the_page_shows_what_the_package_has() -> None:
    page = (ROOT / "docs" / "players.md").read_text("utf-8")
    shown = page.split("```toml\n")[1].split("```")[0]
    package = (EXAMPLE / "pyproject.toml").read_text("utf-8").splitlines()
    assert all(line in package for line in shown.splitlines())
