"""The same games over a Ray cluster, one of whose workers is killed in the middle."""

import os
import signal
from pathlib import Path

import pytest

import souk
from souk.arena import Match, Tournament
from tests.arena.test_match import bare, games_of, package

pytest.importorskip("ray", reason="the extra ray is not installed")


def ray_workers() -> list[int]:
    """Ray's processes that play a game now, started by us or by what we started."""
    parents: dict[int, int] = {}
    playing = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text().rpartition(")")[2].split()[1]
                )
                if (entry / "cmdline").read_bytes().startswith(b"ray::play_there"):
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
def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, monkeypatch, strange="raise KeyError('oh')")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(souk.__file__).parents[1]}")
    game = souk.load_game("marrakech(players=2,rugs=6)")
    cup = Tournament.of(game, ["greedy", "random", "strange"], games=30, plan="each")
    alone = Tournament.of(game, ["greedy", "random"], games=30)
    whole = bare(games_of(alone, workers=2))
    kept = tmp_path / "cup.jsonl"
    with Match(cup, results=kept, ray="local", workers=3) as match:
        playing = match.play()
        seen = [next(playing)]
        killed = ray_workers()[0]
        os.kill(killed, signal.SIGKILL)
        seen += playing
        (failure,) = match.failures
    assert failure.player == "strange" and "KeyError: 'oh'" in failure.why
    assert bare([game for game in seen if "strange" not in game.seats]) == whole
    assert len({game.key for game in seen}) == len(seen)
    assert killed not in ray_workers()
