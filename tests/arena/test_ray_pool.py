"""A Ray cluster plays the same games, even if one of its workers is killed."""

import os
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

import souk
from souk.arena import Tournament, TournamentRunner
from souk.players import Player
from tests.arena.test_tournament_runner import play_all, without_times

# Ray is found, not imported: every worker collects this file, and few run it.
pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="the extra ray is not installed")


def ray_workers() -> list[int]:
    """Return the processes of Ray that play a game now and descend from this one."""
    parents: dict[int, int] = {}
    playing = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text().rpartition(")")[2].split()[1]
                )
                if (entry / "cmdline").read_bytes().startswith(b"ray::play_remotely"):
                    playing.append(int(entry.name))
            except OSError:
                continue

    def is_ours(process: int) -> bool:
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False

    return [process for process in playing if is_ours(process)]


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of Ray's own
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_cluster_plays_the_same_games_even_if_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Strange(Player):
        """A class that the cluster cannot import."""

        def think(self, _state: souk.State, _actions: list[int]) -> int:
            raise KeyError("oh")

    monkeypatch.setenv("PYTHONPATH", str(Path(souk.__file__).parents[1]))
    game = souk.load_game("marrakech(players=2,rugs=6)")
    tournament = Tournament.of(game, ["greedy", "random", Strange], games=30, plan="round-robin")
    alone = Tournament.of(game, ["greedy", "random"], games=30)
    whole = without_times(play_all(alone, workers=2))
    file = tmp_path / "games.jsonl"
    with TournamentRunner(tournament, results=file, ray="local", workers=3) as runner:
        playing = runner.play()
        seen = [next(playing)]
        killed = ray_workers()[0]
        os.kill(killed, signal.SIGKILL)
        seen += playing
        (failure,) = runner.failures
    assert failure.player == "Strange" and "KeyError: 'oh'" in failure.reason
    assert without_times([game for game in seen if "Strange" not in game.players]) == whole
    assert len({game.key for game in seen}) == len(seen)
    assert killed not in ray_workers()
