"""`souk.games` and `souk.players` are packages that can also be called."""

import importlib
import subprocess
import sys
from pathlib import Path

import souk

ROOT = Path(souk.__file__).parents[1]
BOTH_USES = """
import souk
import souk.games as g
import souk.players as p

names: list[str] = souk.games()
levels: list[str] = souk.players(names[0])
game: souk.Game = g.load_game(names[0])
player: p.Player = souk.player(levels[0], game)
"""


def test_the_packages_can_be_imported_and_called() -> None:
    games, players = (importlib.import_module(f"souk.{name}") for name in ("games", "players"))
    assert souk.games is games and souk.players is players
    assert souk.games() == games.names()
    for name in souk.games():
        assert souk.players(name) == players.players(name)
        assert isinstance(souk.player("random", games.load_game(name)), players.Player)


def test_mypy_accepts_both_uses(tmp_path: Path) -> None:
    file = tmp_path / "both_uses.py"
    file.write_text(BOTH_USES)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
