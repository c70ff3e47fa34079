"""Tournaments with real processes: the same games however they are played, and nothing lost."""

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

import souk
from souk.arena import Match, Played, Tournament, compete, game_runner, play
from souk.arena.entrants import Entrant
from souk.arena.plot import png, svg
from souk.arena.report import text
from souk.arena.results import ResultsError, read
from souk.arena.worker_pool import LocalCrew

SMALL = "marrakech(players=2,rugs=2)"


def package(folder: Path, monkeypatch: pytest.MonkeyPatch, **thoughts: str) -> None:
    """A package of others whose players think so, as installing it would leave it."""
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


def bare(games: list[Played]) -> list[object]:
    """What does not depend on the clock, in a fixed order."""
    return sorted(
        (
            game.setup,
            game.seats,
            game.scores,
            game.shares,
            game.places,
            game.turns,
            tuple(map(len, game.seconds)),
        )
        for game in games
    )


def games_of(cup: Tournament, **how: object) -> list[Played]:
    with Match(cup, **how) as match:  # type: ignore[arg-type]
        return list(match.play())


def test_games_are_the_same_on_any_number_of_processes_and_in_parts(tmp_path: Path) -> None:
    cup = Tournament.of(souk.load_game(SMALL), ["greedy:nodes=9", "random"], games=12, seed=3)
    whole = bare(games_of(cup, workers=1))
    assert len(whole) == 12 == len({(setup, seats) for setup, seats, *_ in whole})  # type: ignore[misc]
    assert bare(games_of(cup, workers=3)) == whole
    kept = tmp_path / "cup.jsonl"
    with Match(cup, results=kept, workers=2) as match:
        playing = match.play()
        for _ in range(5):
            next(playing)
        play.close()
    assert len(list(read(kept))) == 5
    assert len(games_of(cup, results=kept, workers=2)) == 7
    assert bare(list(read(kept))) == whole
    assert games_of(cup, results=kept, workers=2) == []


def test_a_file_can_be_added_to_by_more_games_and_more_players(tmp_path: Path) -> None:
    kept = tmp_path / "cup.jsonl"
    few = compete(SMALL, "greedy", "random", games=4, results=kept, workers=1)
    more = compete(SMALL, "greedy", "random", games=8, results=kept, workers=1)
    assert (few.games, more.games) == (4, 8)
    assert len(list(read(kept))) == 8
    three = compete(SMALL, "greedy", "random", "random", games=4, results=kept, workers=1)
    assert three.games == 12 and len(list(read(kept))) == 8 + 8
    assert compete(SMALL, "greedy", "random", games=8, results=kept).to_dict() == more.to_dict()


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    kept = tmp_path / "cup.jsonl"
    compete(SMALL, "greedy", "random", games=4, results=kept, workers=1)
    whole = bare(list(read(kept)))
    text = kept.read_bytes()
    for cut in (1, 20, len(text) - text.index(b"\n") - 5, len(text) - 3):
        kept.write_bytes(text[:-cut])
        compete(SMALL, "greedy", "random", games=4, results=kept, workers=1)
        assert bare(list(read(kept))) == whole
        assert all(json.loads(line) for line in kept.read_text().splitlines())


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
    kept = tmp_path / "cup.jsonl"
    compete(SMALL, "greedy", "random", games=2, results=kept, workers=1)
    before = kept.read_bytes()
    with pytest.raises(ResultsError, match=message):
        compete(game, "greedy", "random", games=2, seed=seed, results=kept)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("line", ["hello\n", '{"format": "other"}\n', "[]\n", "dear Leila"])
def test_a_file_that_is_something_else_is_left_alone(line: str, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text(line)
    with pytest.raises(ResultsError, match="is no file of an arena"):
        compete(SMALL, "greedy", "random", games=2, results=other)
    assert other.read_text() == line


@pytest.mark.parametrize(
    ("edited", "why"),
    [
        ({"turns": "many"}, "this is no game of a tournament: Expected `int`, got `str`"),
        ({"seconds": [["soon"], []]}, "this is no game of a tournament: Expected `float`"),
        ({"seconds": None}, "this is no game of a tournament: Expected `array`"),
        ({"scores": [1]}, "a value for each seat is missing"),
    ],
)
def test_a_bad_line_in_the_middle_is_named(
    edited: dict[str, object], why: str, tmp_path: Path
) -> None:
    kept = tmp_path / "cup.jsonl"
    compete(SMALL, "greedy", "random", games=2, results=kept, workers=1)
    *_, last = kept.read_text().splitlines()
    kept.write_text(f"{kept.read_text()}{json.dumps(json.loads(last) | edited)}\n")
    with pytest.raises(ResultsError, match=f"line 4: {why}"):
        compete(SMALL, "greedy", "random", games=2, results=kept)


def test_two_arenas_do_not_write_to_one_file(tmp_path: Path) -> None:
    kept = tmp_path / "cup.jsonl"
    cup = Tournament.of(souk.load_game(SMALL), ["greedy", "random"], games=2)
    with Match(cup, results=kept), pytest.raises(ResultsError, match="is in use: another arena"):
        Match(cup, results=kept)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultsError, match=r"cannot use .*: file exists"):
        compete(SMALL, "greedy", "random", games=2, results=tmp_path / "file" / "cup.jsonl")


@pytest.mark.parametrize(
    ("thought", "why"),
    [
        ("raise KeyError('oh')", "the player 'strange' failed: KeyError: 'oh'"),
        ("return 99_999", "the player 'strange' chose 99999, which is not legal now"),
        ("os._exit(7)", "its process ended with code 7"),
        ("sys.stderr.write('bye\\n'); sys.stderr.flush(); os.abort()", "code -6: bye"),
        ("time.sleep(600)", "gave no answer for"),
        ("sys.exit(3)", "its process ended with code 3"),
    ],
    ids=["raises", "nonsense", "exits", "aborts", "hangs", "leaves"],
)
def test_a_player_that_fails_is_withdrawn_by_name_and_the_others_play_on(
    thought: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, monkeypatch, strange=thought)
    patience = 1.5 if "sleep" in thought else 60.0
    found = compete(SMALL, "greedy", "strange", "random", games=4, workers=2, patience=patience)
    (failure,) = found.failures
    assert failure.player == "strange" and why in failure.why
    assert found.share("greedy", "random").games == 4
    assert all("strange" not in (one.player, one.against) for one in found.shares)
    assert [one.player for one in found.ratings] == ["greedy", "random"]


def test_a_game_without_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_runner, "MOST_TURNS", 5)
    game = souk.load_game("marracash(players=3)")
    job = game_runner.Job(str(game), seed=1, setup=0, seats=("greedy",) * 3)
    played = game_runner.play(game, job, [Entrant.parse(name) for name in job.seats])
    assert played.turns == 6
    best = max(played.scores)
    winners = [score == best for score in played.scores]
    assert list(played.shares) == [won / sum(winners) for won in winners], "as it stands"


def test_what_players_print_and_read_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = "print('{}'); os.write(1, b'hm\\n'); sys.stdin.read(); return actions[0]"
    package(tmp_path, monkeypatch, talker=talk)
    found = compete(SMALL, "talker", "random", games=4, workers=1)
    assert found.games == 4 and not found.failures


def test_a_process_that_is_killed_from_outside_costs_nobody_anything() -> None:
    cup = Tournament.of(
        souk.load_game("marrakech(players=2,rugs=6)"), ["greedy", "random"], games=8
    )
    whole = bare(games_of(cup, workers=1))
    with Match(cup, workers=2) as match:
        playing = match.play()
        seen = [next(playing)]
        os.kill(children()[0], signal.SIGKILL)
        seen += playing
        assert not match.failures
    assert bare(seen) == whole


def children() -> list[int]:
    """The processes that play for us."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(status[1]) == os.getpid() and b"souk.arena.worker" in command:
                found.append(int(entry.name))
    return found


def test_no_process_is_left_behind() -> None:
    with LocalCrew(2) as crew:
        cup = Tournament.of(souk.load_game(SMALL), ["greedy", "random"], games=2)
        for job in cup.jobs(0, cup.pairings[0]):
            crew.submit(job)
        assert len(children()) == 2
    limit = time.monotonic() + 5
    while children() and time.monotonic() < limit:
        time.sleep(0.05)
    assert children() == []


@pytest.mark.parametrize(
    ("library", "extra"), [("choix", "arena"), ("resvg_py", "arena"), ("ray", "ray")]
)
def test_what_an_extra_brings_is_asked_for_by_its_name(
    library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base install plays and reports; it only has no ratings, no PNG and no cluster."""
    monkeypatch.setitem(sys.modules, library, None)
    wanted = re.escape(f"pip install 'souk[{extra}]'")
    found = compete(SMALL, "greedy", "random", games=2, workers=1)
    assert found.games == 2 and found.shares
    if library == "choix":
        assert found.ratings == () and re.search(wanted, str(found.no_ratings))
        assert "No ratings: " in text(found) and "<svg" in svg(found)
    elif library == "resvg_py":
        with pytest.raises(souk.SoukError, match=wanted):
            png(svg(found))
    else:
        with pytest.raises(souk.SoukError, match=wanted):
            compete(SMALL, "greedy", "random", games=2, ray="local")


def test_a_tournament_ends_when_it_is_decided() -> None:
    found = compete(SMALL, "greedy", "random", until="share=0.05", games=1000, workers=2)
    assert found.shares[0].answer == "above"
    assert found.games < 200
