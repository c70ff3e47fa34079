"""Training MarraCash's net: small, but the real thing."""

import json
from dataclasses import astuple, replace

import numpy as np
import pytest

from souk.engine.errors import SoukError
from souk.engine.kernel import targets
from souk.games.marracash.ai import trainer, weights
from souk.games.marracash.ai.self_play import SAMPLES
from souk.games.marracash.ai.trainer import NetTrainer, Plan
from souk.games.marracash.ai.training_games import MIXES, SELF_PLAY, SelfPlay
from souk.games.marracash.game import MarraCash
from souk.terminal.train import train
from souk.train.checkpoint import restore_checkpoint, save_checkpoint
from souk.train.devices import Gpu, Processor

PLAN = Plan("marracash(players=3)", rounds=2, games=20, batch=60, turns=0.5)


@pytest.fixture(scope="module", autouse=True)
def one_board():
    """One kernel is enough."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer, "MIXES", {"classic1996": MIXES["classic1996"]})
        yield


@pytest.fixture(scope="module")
def trained():
    result = NetTrainer(PLAN)
    return result, list(result)


def test_the_same_seed_gives_the_same_net(trained):
    result, reports = trained
    again = NetTrainer(PLAN)
    assert [replace(one, seconds=0) for one in again] == [
        replace(one, seconds=0) for one in reports
    ]
    assert (again.flat() == result.flat()).all()
    other = NetTrainer(replace(PLAN, rounds=1, seed=2**63 - 1))
    assert len(list(other)) == 1 and (other.flat() != result.flat()).any()


def test_a_training_goes_on_from_its_checkpoint(trained, tmp_path):
    result, reports = trained
    half = NetTrainer(PLAN)
    next(half.rounds())
    save_checkpoint(half, tmp_path / "checkpoint")
    on = NetTrainer(PLAN)
    restore_checkpoint(on, tmp_path / "checkpoint")
    assert on.round == 1
    assert [one.share for one in on] == [one.share for one in reports]
    assert (on.flat() == result.flat()).all()


def test_a_saved_net_can_be_trained_further(trained, tmp_path):
    result, reports = trained
    path = tmp_path / "net.npz"
    result.save(path)
    saved, about = weights.parse(path.read_bytes(), path.name, 3)
    assert (saved == result.flat().astype(np.float16)).all()
    assert about["plan"]["games"] == 20 and len(about["reports"]) == len(reports)
    on = NetTrainer(replace(PLAN, begin_with=str(path)))
    assert (on.flat() == saved).all() and on.previous == about
    four = replace(PLAN, game="marracash(players=4)", begin_with=str(path))
    with pytest.raises(SoukError, match="4 players has 8,451"):
        NetTrainer(four, lambda _: Uncompiled())


class Uncompiled:
    """A machine that cannot run anything."""

    xp = np

    def load(self, kernel, constants):
        pass


def test_a_new_net_against_the_heuristic_has_the_fair_share():
    measured = NetTrainer(replace(PLAN, games=300)).measure()
    assert measured.low < 1 / 3 < measured.high


def test_a_net_learns_results(trained):
    """What it has learned of some games helps to predict others."""
    result, _ = trained
    board, tables = result.boards[0], NetTrainer(PLAN).tables()

    def play(seed):
        players = np.zeros((200, 3), int)
        starts = board.starts(200)
        return board.play(
            starts, tables, players, seed=seed, to_end_of_turn=False, random_percent=5, noise=8
        )

    new = NetTrainer(PLAN)
    rng = np.random.default_rng(1)
    samples, others = play(1), play(2)
    assert len(samples.positions) > 0.9 * 200 * SAMPLES
    assert samples.results.sum(1) == pytest.approx(1)
    assert samples.ahead.sum(1) == pytest.approx(1, abs=1e-5)
    inputs, logits, first = board.encode(others.positions, new.heuristic)
    targets_ = board.from_first(others.results, first)

    def error():
        return -(targets_ * np.log(new.net.shares(inputs, logits))).sum(1).mean()

    before = error()
    for _ in range(4):
        new._learn(board, samples, 1.0, 1e-3, rng)
    assert error() < before


def test_self_play_evaluates_as_players_do():
    """Both on the heuristic's part and on the net's."""
    board = SelfPlay(Processor(), 3, "classic1996")
    net = NetTrainer(PLAN)
    rng = np.random.default_rng(2)
    for one in net.net.mean:
        one[...] = rng.normal(0, 0.3, one.shape)
    samples = board.play(
        board.starts(20), net.tables(), np.zeros((20, 3), int), seed=1, to_end_of_turn=False
    )
    rows = samples.positions[rng.permutation(len(samples.positions))[:30]]
    inputs, logits, first = board.encode(rows, net.heuristic)
    shares = net.net.shares(inputs, logits)
    constants = MarraCash(players=3).constants()
    python = targets.python_kernel(SELF_PLAY[:-1], constants, SELF_PLAY[-1:])
    for row in range(30):
        by_seat = [0.0] * 3
        python.evaluate(rows[row].tolist(), net.flat().tolist(), by_seat)
        assert np.roll(by_seat, -first[row]) == pytest.approx(shares[row], abs=1e-4)


@pytest.mark.usefixtures("gpu")
def test_a_gpu_plays_the_same_games():
    new = NetTrainer(PLAN, lambda _: Uncompiled())
    played = []
    for machine in (Processor(), Gpu()):
        board = SelfPlay(machine, 3, "classic1996")
        tables = machine.xp.asarray(new.tables())
        players = machine.xp.array([[0, 1, 2], [0, 0, 0], [2, 0, 1]] * 2)
        samples = board.play(
            *(board.starts(6), tables, players),
            seed=4,
            to_end_of_turn=True,
            random_percent=10,
            noise=8,
        )
        heuristic = machine.xp.asarray(new.heuristic)
        played.append((*astuple(samples), *board.encode(samples.positions, heuristic)))
    for one, other in zip(*played, strict=True):
        assert one == pytest.approx(other.get(), abs=1e-4)


@pytest.mark.usefixtures("gpu")
def test_a_gpu_trains(tmp_path):
    trainer = NetTrainer(replace(PLAN, games=4, batch=30), lambda _: Gpu())
    trainer.train_round(1)
    assert 0 <= trainer.measure().share <= 1
    trainer.set_arrays(trainer.arrays())
    trainer.save(tmp_path / "net.npz")


def test_the_command(tmp_path, capsys):
    out = tmp_path / "three.npz"
    start = str(weights.FOLDER / "3-players.npz")
    options = {"rounds": 1, "games": 20, "begin_with": start}
    assert train("marracash(players=3)", str(out), options) == 0
    assert "against copies of the heuristic" in capsys.readouterr().out
    with np.load(out) as saved:
        assert json.loads(str(saved["about"]))["plan"]["begin_with"] == start
