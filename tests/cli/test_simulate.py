"""`souk simulate`."""

import csv
import io
import json
from pathlib import Path

import pytest

import souk
from tests.cli.run_souk import GREEDY, SMALL, run


def games_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_same_games_for_any_number_of_threads() -> None:
    tables = [
        run("simulate", SMALL, "-n", "6", *GREEDY, "--threads", threads, "--csv", "-").stdout
        for threads in ("1", "3")
    ]
    assert tables[0] == tables[1]
    rows = games_of(tables[0])
    assert [int(row["game"]) for row in rows] == list(range(6))
    assert len({row["score_0"] for row in rows}) > 1
    longer = run("simulate", SMALL, "-n", "8", *GREEDY, "--csv", "-").stdout
    assert longer.startswith(tables[0])


@pytest.mark.parametrize("game", souk.games())
def test_random_games_are_those_of_playouts(game: str, tmp_path: Path) -> None:
    table, summary = tmp_path / "games.csv", tmp_path / "summary.json"
    files = ("--csv", str(table), "--json", str(summary))
    done = run("simulate", game, "-n", "300", "--seed", "9", *files)
    result = souk.playouts(souk.load_game(game), games=300, seed=9)
    players = result.scores.shape[1]
    rows = games_of(table.read_text())
    for seat in range(players):
        assert [int(row[f"score_{seat}"]) for row in rows] == result.scores[:, seat].tolist()
    assert [int(row["turns"]) for row in rows] == result.turns.tolist()
    report = json.loads(summary.read_text())
    assert report["games"] == 300 and report["settings"]["players"] == ["random"] * players
    wins = [seat["wins"] for seat in report["seats"]]
    assert wins == pytest.approx(result.returns.mean(axis=0).tolist())
    assert "300 games" in done.stdout and "turns per game" in done.stdout


def test_standard_output_has_only_the_json() -> None:
    done = run("simulate", SMALL, "-n", "2", *GREEDY, "--json", "-")
    assert json.loads(done.stdout)["games"] == 2
    assert "2 games" in done.stderr
