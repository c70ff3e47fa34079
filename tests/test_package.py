"""`souk.arena`, `souk.games` and `souk.players` are packages that can also be called."""

import importlib
import subprocess
import sys
from pathlib import Path

import souk

ROOT = Path(souk.__file__).parents[1]
BOTH_USES = """
import souk
import souk.arena as a
import souk.games as g
import souk.players as p

names: list[str] = souk.games()
levels: list[str] = souk.players(names[0])
game: souk.Game = g.load_game(names[0])
player: p.Player = souk.player(levels[0], game)


class Last(p.Player):
    def think(self, state: souk.State, actions: list[int]) -> int:
        return actions[-1]


standings: a.Standings = souk.arena(game, "random:nodes=5", Last, ("last", Last), games=2)
with a.TournamentRunner(a.Tournament.of(game, [Last, "random"], games=2)) as runner:
    standings = runner.standings()
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


def test_the_arena_is_imported_when_it_is_used() -> None:
    code = "import sys, souk; assert 'souk.arena' not in sys.modules; print(souk.arena.compete)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.startswith("<function compete"), done.stderr
