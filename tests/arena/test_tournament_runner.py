"""Tournaments on real processes: repeatable games, results files, players that fail."""

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

import souk
from souk.arena import GameResult, Tournament, TournamentRunner, compete, game_runner
from souk.arena.chart import png, svg
from souk.arena.entrants import Entrant
from souk.arena.report import standings_text
from souk.arena.results_file import read_results
from souk.arena.worker_pool import LocalPool

SMALL = "marrakech(players=2,rugs=2)"


def install_players(folder: Path, monkeypatch: pytest.MonkeyPatch, **thoughts: str) -> None:
    """Install a third-party package whose players choose by the given code."""
    about = folder / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    lines = [f"{name} = theirs:{name.title()}\n" for name in thoughts]
    (about / "entry_points.txt").write_text("[souk.players]\n" + "".join(lines))
    code = "import os, sys, time\nfrom pathlib import Path\nfrom souk.players import Player\n"
    for name, thought in thoughts.items():
        code += f"class {name.title()}(Player):\n    name = {name!r}\n"
        code += f"    def think(self, state, actions):\n        {thought}\n"
    (folder / "theirs.py").write_text(code)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "theirs", raising=False)  # of another test


def without_times(games: list[GameResult]) -> list[object]:
    """Return what does not depend on the clock, sorted."""
    return sorted(
        (
            game.setup,
            game.players,
            game.scores,
            game.returns,
            game.places,
            game.turns,
            tuple(map(len, game.move_seconds)),
            game.luck,
        )
        for game in games
    )


def play_all(tournament: Tournament, **options: object) -> list[GameResult]:
    with TournamentRunner(tournament, **options) as runner:  # type: ignore[arg-type]
        return list(runner.play())


def test_games_do_not_depend_on_the_number_of_processes_or_interruptions(tmp_path: Path) -> None:
    tournament = Tournament.of(
        souk.load_game(SMALL), ["greedy:nodes=9", "random"], games=12, seed=3
    )
    whole = without_times(play_all(tournament, workers=1))
    assert len(whole) == 12 == len({(setup, seats) for setup, seats, *_ in whole})  # type: ignore[misc]
    assert without_times(play_all(tournament, workers=3)) == whole
    file = tmp_path / "games.jsonl"
    with TournamentRunner(tournament, results=file, workers=2) as runner:
        playing = runner.play()
        for _ in range(5):
            next(playing)
        playing.close()
    assert len(list(read_results(file))) == 5
    assert len(play_all(tournament, results=file, workers=2)) == 7
    assert without_times(list(read_results(file))) == whole
    assert play_all(tournament, results=file, workers=2) == []


def test_more_games_and_players_can_be_added_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    few = compete(SMALL, "greedy", "random", games=4, results=file, workers=1)
    more = compete(SMALL, "greedy", "random", games=8, results=file, workers=1)
    assert (few.games, more.games) == (4, 8)
    assert len(list(read_results(file))) == 8
    three = compete(SMALL, "greedy", "random", "random", games=4, results=file, workers=1)
    assert three.games == 12 and len(list(read_results(file))) == 8 + 8
    assert compete(SMALL, "greedy", "random", games=8, results=file).to_dict() == more.to_dict()


def test_the_game_of_an_incomplete_line_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    compete(SMALL, "greedy", "random", games=4, results=file, workers=1)
    whole = without_times(list(read_results(file)))
    text = file.read_bytes()
    for cut in (1, 20, len(text) - text.index(b"\n") - 5, len(text) - 3):
        file.write_bytes(text[:-cut])
        compete(SMALL, "greedy", "random", games=4, results=file, workers=1)
        assert without_times(list(read_results(file))) == whole
        assert all(json.loads(line) for line in file.read_text().splitlines())


@pytest.mark.parametrize(
    ("game", "seed", "message"),
    [
        (SMALL, 2, "belongs to another tournament: its seed is 1, not 2; name another file"),
        ("marrakech(players=2,rugs=3)", 1, "its game is 'marrakech.*rugs=2"),
    ],
)
def test_a_file_of_another_tournament_is_refused(
    game: str, seed: int, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    compete(SMALL, "greedy", "random", games=2, results=file, workers=1)
    before = file.read_bytes()
    with pytest.raises(souk.SoukError, match=message):
        compete(game, "greedy", "random", games=2, seed=seed, results=file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("line", ["hello\n", '{"format": "other"}\n', "[]\n", "dear Leila"])
def test_other_files_are_refused_and_not_changed(line: str, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text(line)
    with pytest.raises(souk.SoukError, match="is not a results file of the arena"):
        compete(SMALL, "greedy", "random", games=2, results=other)
    assert other.read_text() == line


@pytest.mark.parametrize(
    ("edited", "why"),
    [
        ({"turns": "many"}, "not a game of a tournament: Expected `int`, got `str`"),
        ({"move_seconds": [["soon"], []]}, "not a game of a tournament: Expected `float`"),
        ({"returns": [float("nan"), 1.0]}, "not a game of a tournament: Expected `float`"),
        ({"returns": [1.0, 1.0]}, "the shares of the win do not sum to 1"),
        ({"luck": [float("nan"), 0.0]}, "not a game of a tournament: Expected `float`"),
        ({"date": "today"}, "not a game of a tournament: Invalid isoformat"),
        ({"move_seconds": None}, "not a game of a tournament: Expected `array`"),
        ({"scores": [1]}, "a value is missing for some seat"),
        ({"luck": [0.1]}, "a value is missing for some seat"),
    ],
)
def test_an_invalid_line_is_named(edited: dict[str, object], why: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    compete(SMALL, "greedy", "random", games=2, results=file, workers=1)
    *_, last = file.read_text().splitlines()
    file.write_text(f"{file.read_text()}{json.dumps(json.loads(last) | edited)}\n")
    with pytest.raises(souk.SoukError, match=f"line 4: {why}"):
        compete(SMALL, "greedy", "random", games=2, results=file)


def test_a_file_in_use_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    tournament = Tournament.of(souk.load_game(SMALL), ["greedy", "random"], games=2)
    with (
        TournamentRunner(tournament, results=file),
        pytest.raises(souk.SoukError, match="is in use: another process"),
    ):
        TournamentRunner(tournament, results=file)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(souk.SoukError, match=r"cannot use .*: file exists"):
        compete(SMALL, "greedy", "random", games=2, results=tmp_path / "file" / "games.jsonl")


@pytest.mark.parametrize(
    ("thought", "why"),
    [
        ("raise KeyError('oh')", "the player 'strange' failed: KeyError: 'oh'"),
        ("return 99_999", "the player 'strange' chose 99999, which is not legal now"),
        ("os._exit(7)", "its process ended with code 7"),
        ("sys.stderr.write('bye\\n'); sys.stderr.flush(); os.abort()", "code -6: bye"),
        ("time.sleep(600)", "gave no answer for"),
        ("sys.exit(3)", "the player 'strange' failed: SystemExit: 3"),
    ],
    ids=["raises", "nonsense", "exits", "aborts", "hangs", "leaves"],
)
def test_a_player_that_fails_is_withdrawn_and_the_others_continue(
    thought: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_players(tmp_path, monkeypatch, strange=thought)
    patience = 6.0 if "sleep" in thought else 60.0
    standings = compete(SMALL, "greedy", "strange", "random", games=4, workers=2, patience=patience)
    (failure,) = standings.failures
    assert failure.player == "strange" and why in failure.reason
    assert standings.share("greedy", "random").games == 4
    assert all("strange" not in (one.player, one.against) for one in standings.shares)
    assert [one.player for one in standings.ratings] == ["greedy", "random"]


def test_an_endless_game_is_stopped_and_counts_as_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_runner, "MAX_TURNS", 5)
    game = souk.load_game("marracash(players=3)")
    job = game_runner.Job(str(game), seed=1, setup=0, players=("greedy",) * 3)
    result = game_runner.play_game(game, job, [Entrant.parse(name) for name in job.players])
    assert result.turns == 6
    best = max(result.scores)
    winners = [score == best for score in result.scores]
    assert list(result.returns) == [won / sum(winners) for won in winners], "as it stands"


def test_players_may_print_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = "print('{}'); os.write(1, b'hm\\n'); sys.stdin.read(); return actions[0]"
    install_players(tmp_path, monkeypatch, talker=talk)
    standings = compete(SMALL, "talker", "random", games=4, workers=1)
    assert standings.games == 4 and not standings.failures


def test_the_game_of_a_killed_process_is_played_again() -> None:
    tournament = Tournament.of(
        souk.load_game("marrakech(players=2,rugs=6)"), ["greedy", "random"], games=8
    )
    whole = without_times(play_all(tournament, workers=1))
    with TournamentRunner(tournament, workers=2) as runner:
        playing = runner.play()
        seen = [next(playing)]
        os.kill(children()[0], signal.SIGKILL)
        seen += playing
        assert not runner.failures
    assert without_times(seen) == whole


def children() -> list[int]:
    """Return our worker processes."""
    standings = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(status[1]) == os.getpid() and b"souk.arena.worker" in command:
                standings.append(int(entry.name))
    return standings


def test_no_process_is_left_behind() -> None:
    with LocalPool(2) as pool:
        tournament = Tournament.of(souk.load_game(SMALL), ["greedy", "random"], games=2)
        for job in tournament.jobs(0, tournament.pairings[0]):
            pool.submit(job)
        assert len(children()) == 2
    limit = time.monotonic() + 5
    while children() and time.monotonic() < limit:
        time.sleep(0.05)
    assert children() == []


@pytest.mark.parametrize(
    ("library", "extra"), [("choix", "arena"), ("resvg_py", "arena"), ("ray", "ray")]
)
def test_a_missing_extra_is_named(
    library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base installation plays and reports, without ratings, PNG and clusters."""
    monkeypatch.setitem(sys.modules, library, None)
    message = re.escape(f'pip install "souk[{extra}]"')
    standings = compete(SMALL, "greedy", "random", games=2, workers=1)
    assert standings.games == 2 and standings.shares
    if library == "choix":
        assert standings.ratings == () and re.search(message, str(standings.no_ratings))
        assert "No ratings: " in standings_text(standings) and "<svg" in svg(standings)
    elif library == "resvg_py":
        with pytest.raises(souk.SoukError, match=message):
            png(svg(standings))
    else:
        with pytest.raises(souk.SoukError, match=message):
            compete(SMALL, "greedy", "random", games=2, ray="local")


def test_a_tournament_ends_when_it_is_decided() -> None:
    standings = compete(SMALL, "greedy", "random", until="share=0.05", games=1000, workers=2)
    assert standings.shares[0].answer == "above"
    assert standings.games < 200
