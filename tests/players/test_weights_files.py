"""Players with weights of a file, wherever a player is named."""

import zipfile
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import souk
import souk.envs  # registers the environments
from souk.arena import Tournament, TournamentRunner
from souk.games.marracash.ai import weights as marracash_weights
from souk.games.marrakech.ai import weights
from souk.records import read_games
from souk.server.tables.commands import Refusal
from souk.server.tables.referee import check_level
from souk.terminal.seats import computer_players, fill_seats, name_seats
from souk.train import weights_file

GAME = "marrakech(players=2,rugs=2)"
PACKAGE = weights.FOLDER / "2-players-2-each.npz"


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A net that prefers what the package's net does not."""
    return save(tmp_path / "other.npz", -1.0)


def save(path: Path, factor: float) -> Path:
    with np.load(PACKAGE) as file:
        np.savez(path, weights=file["weights"] * np.float16(factor), about=file["about"])
    return path


def test_the_weights_of_a_file_replace_those_of_the_package(other: Path) -> None:
    game = souk.load_game(GAME)
    state = game.new_initial_state(1)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    usual = souk.player("expert", game).analyse(state)
    assert souk.player("expert", game, weights=PACKAGE).analyse(state) == usual
    changed = souk.player("expert", game, weights=str(other)).analyse(state)
    assert changed != usual
    named = souk.player(f"expert:nodes=9:weights={other}", game, nodes=5)
    assert named.nodes == 9 and named.analyse(state) == changed
    save(other, 1.0)
    assert souk.player("expert", game, weights=other).analyse(state) == usual, "read again"
    rolled = souk.rollout(state, f"expert:weights={other}", games=20)
    assert rolled == souk.rollout(state, "expert", games=20)


def test_a_net_of_the_file_plays_settings_that_the_package_has_none_for() -> None:
    game = souk.load_game("marrakech(players=2,rugs=2,dirhams=500)")
    assert souk.player("master", game).evaluation == "heuristic"
    assert souk.player("master", game, weights=PACKAGE).evaluation == "net"


def test_marracash_takes_weights() -> None:
    game = souk.load_game("marracash(players=3)")
    state = game.new_initial_state(1)
    package = marracash_weights.FOLDER / "3-players.npz"
    values = souk.player("expert", game, weights=package).analyse(state)
    assert values == souk.player("expert", game).analyse(state)
    with pytest.raises(souk.SoukError, match=r"7,394 weights .* with 4 players has 8,451"):
        souk.player("expert", souk.load_game("marracash(players=4)"), weights=package)


@pytest.mark.parametrize(
    ("name", "file", "message"),
    [
        ("greedy", PACKAGE, "'greedy' takes no weights; those that do are expert and master"),
        ("trader", PACKAGE, "'trader' takes no weights"),
        (f"expert:weights={PACKAGE}", PACKAGE, "give weights once"),
        ("expert", "none.npz", "none.npz cannot be read: no such file"),
        ("expert", "/dev/zero", "/dev/zero cannot be read: it is not a plain file"),
        ("expert", 7, "weights is the name of a file, not 7"),
        ("expert", f"{PACKAGE}@00000000", "has changed: its SHA-256 begins with"),
        ("expert", weights.FOLDER / "3-players-1-each.npz", "for marrakech.players=3.; that of 2"),
        ("expert", marracash_weights.FOLDER / "3-players.npz", "a net of 7,394 weights for marrac"),
    ],
)
def test_other_files_are_refused(name: str, file: object, message: str) -> None:
    with pytest.raises(souk.SoukError, match=message):
        souk.player(name, souk.load_game(GAME), weights=file)  # type: ignore[arg-type]


def test_broken_and_huge_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = souk.load_game(GAME)

    def refused(path: Path, message: str) -> None:
        with pytest.raises(souk.SoukError, match=message):
            souk.player("expert", game, weights=path)

    cut = tmp_path / "cut.npz"
    cut.write_bytes(PACKAGE.read_bytes()[:-500])
    refused(cut, "is not a net that souk has saved")
    bomb = tmp_path / "bomb.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("weights.npy", bytes(weights_file.MOST_BYTES + 1))
    refused(bomb, "is not a net that souk has saved")
    refused(save(tmp_path / "infinite.npz", np.inf), "weights that are not finite numbers")
    monkeypatch.setattr(weights_file, "MOST_BYTES", 1000)
    refused(save(tmp_path / "large.npz", 1.0), "weights take at most 1,000 bytes, not")


def test_the_games_of_two_files_are_kept_apart(other: Path, tmp_path: Path) -> None:
    entrants = [f"expert:nodes=1:weights={PACKAGE}", f"expert:nodes=1:weights={other}"]

    def played() -> tuple[int, tuple[str, ...]]:
        tournament = Tournament.of(souk.load_game(GAME), entrants, games=4)
        with TournamentRunner(tournament, results=tmp_path / "games", workers=1) as runner:
            return len(list(runner.play())), tournament.players

    games, players = played()
    assert games == 4 and len(set(players)) == 2
    assert players[1].startswith(f"expert:nodes=1:weights={other}@")
    assert played() == (0, players), "they are all in the file"
    save(other, 0.5)
    again, changed = played()
    assert again == 4 and changed[0] == players[0] and changed[1] != players[1]


def test_a_player_with_weights_can_be_named_everywhere(other: Path, tmp_path: Path) -> None:
    name = f"expert:weights={other}"
    game = souk.load_game(GAME)
    records = tmp_path / "games.souk"
    summary = souk.arena.simulate(game, name, "random", games=2, records=records)
    assert summary.games == 2
    record = next(read_games(records))
    assert record.seats[0].name == name
    analysis = souk.analyse(record, level=name, nodes=1)
    assert analysis.level == name
    kinds = fill_seats(game, [name], ["person", "greedy"], ["person", *souk.players("marrakech")])
    assert list(computer_players(game, name_seats(kinds, []))) == [0, 1]
    env = gymnasium.make("souk/Marrakech-v0", players=2, rugs=2, opponents=name)
    env.reset(seed=1)


def test_a_client_of_a_server_names_no_file() -> None:
    with pytest.raises(Refusal, match="take no settings or weights here; choose random, novice"):
        check_level("marrakech", f"expert:weights={PACKAGE}")
