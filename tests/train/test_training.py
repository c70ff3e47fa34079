"""Training on the processor: small, but the real thing."""

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

import souk
from souk.engine.errors import SoukError
from souk.engine.file_system import try_lock
from souk.engine.kernel import targets
from souk.engine.state import State
from souk.games.marrakech.ai import weights
from souk.games.marrakech.ai.opponent_kinds import GREEDY, KINDS, TWO_PLY
from souk.games.marrakech.ai.self_play import ENDS, LIVE_END, NO_END, OVER_END, PLACES
from souk.games.marrakech.ai.trainer import MOST_MEASURED, NetTrainer, Plan
from souk.games.marrakech.ai.training_games import MIXES, UNKNOWN_KIND, Turn, training_targets
from souk.games.marrakech.game import Marrakech
from souk.terminal.train import train
from souk.train.checkpoint import restore_checkpoint, save_checkpoint
from souk.train.devices import Gpu, Processor, machine
from souk.train.net import Net, softmax
from tests.train.turn_batches import expand_turns, random_turn

GAME = "marrakech(players=3)"
SMALL = Plan(GAME, rounds=2, games=20, batch=60, against=0.5)


@pytest.fixture(scope="module")
def processor():
    return Processor()


@pytest.fixture(scope="module")
def trained(processor):
    training = NetTrainer(SMALL, processor)
    return training, list(training)


@pytest.mark.usefixtures("gpu")
def test_a_gpu_trains(tmp_path):
    trainer = NetTrainer(replace(SMALL, games=4, batch=30), Gpu())
    trainer.train_round(1)
    assert 0 <= trainer.measure(GREEDY).share <= 1
    trainer.set_arrays(trainer.arrays())
    trainer.save(tmp_path / "net.npz")


def test_another_seed_gives_another_net(trained, processor):
    other = NetTrainer(replace(SMALL, seed=2), processor)
    assert (other.net.flat() != trained[0].net.flat()).any()


def test_every_table_has_the_net_and_all_kinds_occur(trained):
    training, _ = trained
    kinds, is_hidden = training._opponents()
    assert set(kinds.reshape(-1).tolist()) == set(range(KINDS))
    assert is_hidden.any() and not is_hidden.all(axis=1).any(), "every player knows themselves"
    assert (kinds == 0).any(1).all()


def test_fewer_games_are_measured_against_slow_players(trained, monkeypatch):
    training, _ = trained
    monkeypatch.setitem(MOST_MEASURED, TWO_PLY, 3)
    share = training.measure(TWO_PLY).share
    assert 12 * 3 * share == pytest.approx(round(12 * 3 * share), abs=1e-4)
    phases = training.self_play.G[:, training.self_play.k.PHASE]
    assert (phases == training.self_play.k.OVER).all()
    turns = training.self_play.G[:, training.self_play.k.TURNS]
    assert (turns[:3] > 0).all() and (turns[3:] == 0).all()


def test_a_saved_net_can_be_trained_further(trained, processor, tmp_path):
    training, _ = trained
    path = tmp_path / "net.npz"
    training.save(path)
    plan = replace(SMALL, rounds=1, rate=1e-4, begin_with=str(path))
    on = NetTrainer(plan, processor)
    saved = training.net.flat().astype(np.float16).astype("f4")
    assert (on.net.flat() == saved).all()
    assert len(list(on)) == 1
    assert 0 < np.abs(on.net.flat() - saved).max() < 0.05
    on.save(tmp_path / "on.npz")
    with np.load(tmp_path / "on.npz") as message:
        assert json.loads(str(message["about"]))["plan"]["begin_with"] == str(path)


def test_the_nets_of_the_package_can_be_trained_further(processor):
    path = weights.FOLDER / "3-players-1-each.npz"
    training = NetTrainer(replace(SMALL, begin_with=str(path)), processor)
    assert (training.net.flat() == weights.load(3, 1)).all()


def test_self_play_evaluates_as_players_do(processor):
    """All inputs are the same, the kinds of players included, whether known or not."""
    game = souk.load_game(GAME)
    choose = random.Random(3)
    states = [random_turn(game, number, choose) for number in range(4)]
    batch = expand_turns(processor, game, states)
    kinds = np.array([[0, 1, 2], [3, 0, 1], [2, 3, 0], [1, 2, 3]])
    is_hidden = np.array([[False] * 3, [False] * 3, [True, True, False], [False] * 3])
    batch.start(batch.G.copy(), np.random.default_rng(1), kinds, is_hidden)
    net = Net(
        np,
        tuple(getattr(batch.net_names, one) for one in ("INPUTS", "HIDDEN_1", "HIDDEN_2")),
        3,
        seed=1,
    )
    net.begin_with(weights.load(3, 1))
    evaluated = batch._evaluate_ends(net)
    kernel = targets.python_kernel(game.kernel, game.constants(), game.search_modules("net"))
    for number in range(4):
        beliefs = [
            UNKNOWN_KIND if hidden else [float(kind == one) for one in range(KINDS)]
            for kind, hidden in zip(kinds[number], is_hidden[number], strict=True)
        ]
        taken = game.weights("net", beliefs).tolist()
        ends = np.flatnonzero(batch.status[number * ENDS :][:ENDS, 0] == LIVE_END)
        for end in choose.sample([number * ENDS + int(one) for one in ends], 5):
            shares = [0.0] * 3
            kernel.evaluate(batch.ends[end].tolist(), taken, shares)
            assert evaluated[end] == pytest.approx(shares, abs=1e-4)


def test_a_file_without_a_fitting_net_is_refused(processor, tmp_path):
    def refused(path, message):
        with pytest.raises(SoukError, match=message):
            NetTrainer(replace(SMALL, begin_with=str(path)), processor)

    refused(tmp_path / "none.npz", "none.npz cannot be read: no such file")
    refused(tmp_path, "cannot be read")
    text, empty = tmp_path / "text.npz", tmp_path / "empty.npz"
    text.write_text("not a net")
    empty.write_bytes(b"")
    array, other = tmp_path / "array.npy", tmp_path / "other.npz"
    np.save(array, np.zeros(3))
    np.savez(other, something=np.zeros(3))
    for path in (text, empty, array, other):
        refused(path, "is not a net that souk has saved")
    refused(
        weights.FOLDER / "4-players-1-each.npz",
        r"has a net of [\d,]+ weights for marrakech\(players=4\); that of 3 players",
    )


def test_a_net_is_saved_as_players_load_it(trained, tmp_path):
    training, reports = trained
    training.save(tmp_path / "net.npz")
    with np.load(tmp_path / "net.npz") as stored:
        saved, about = stored["weights"], json.loads(str(stored["about"]))
    assert saved.dtype == np.float16
    assert saved.shape == weights.load(3, 1).shape
    assert about["plan"]["game"] == GAME and len(about["reports"]) == len(reports)


def test_a_net_learns_what_it_is_taught():
    draw = np.random.default_rng(1)
    net = Net(np, (30, 16, 8), 3, seed=1)
    inputs = (draw.random((200, 30)) < 0.2).astype("f4")
    shares = softmax(np, 3 * inputs[:, :3])
    scores = inputs[:, 3:6]
    nobody = np.zeros((200, 3), "f4")
    errors = [float(net.learn(inputs, nobody, shares, scores, 0.01)) for _ in range(200)]
    least = float(-(shares * np.log(shares)).sum() / 200)
    assert errors[-1] - least < 0.2 * (errors[0] - least)
    assert np.abs(net.shares(inputs, nobody) - shares).mean() < 0.1


def test_players_who_are_out_have_no_share():
    net = Net(np, (5, 4, 4), 3, seed=1)
    out = np.array([[0, -1e9, 0]], "f4")
    assert net.shares(np.ones((1, 5), "f4"), out)[0, 1] == 0


@pytest.mark.parametrize(
    "text", [GAME, "marrakech(players=3,turn_last=True)", "marrakech(players=3,cover_own=True)"]
)
def test_all_ends_of_a_turn_are_expanded(text, processor):
    """Against the states of the game, one by one."""
    game = souk.load_game(text)
    choose = random.Random(5)
    states = [random_turn(game, number, choose) for number in range(4)]
    batch = expand_turns(processor, game, states)
    for number, state in enumerate(states):
        mine = slice(number * ENDS, (number + 1) * ENDS)
        kinds, ends = batch.status[mine, 0], batch.ends[mine]
        result = {tuple(end) for kind, end in zip(kinds, ends, strict=True) if kind != NO_END}
        assert result == {tuple(end.buffer) for end in ends_of(game, state)}
        for kind, end in zip(kinds, ends, strict=True):
            if kind != NO_END:
                is_over = State(game, [int(slot) for slot in end]).is_terminal()
                assert kind == (OVER_END if is_over else LIVE_END)


def ends_of(game, state):
    """The positions in which a turn can end."""
    turns = state.buffer[game.rules.TURNS]
    waiting, ends = [state], []
    while waiting:
        one = waiting.pop()
        if one.buffer[game.rules.TURNS] > turns:
            ends.append(one)
            continue
        for action in one.legal_actions():
            after = one.clone()
            after.apply_action(action)
            waiting.append(after)
    return ends


def test_targets_come_from_later_turns_unless_these_were_explored():
    def turn(worth, tried, kind, result):
        return Turn(
            np.array([True]),
            np.array([worth], "f4"),
            np.zeros((1, 2), "f4"),
            np.array([tried]),
            np.zeros((1, 3), "i8"),
            np.array([[kind, 0]]),
            np.array([result], "f4"),
        )

    turns = [
        turn([0.5, 0.5], False, LIVE_END, [0, 0]),
        turn([0.6, 0.4], False, LIVE_END, [0, 0]),
        turn([0.8, 0.2], True, LIVE_END, [0, 0]),
        turn([0.9, 0.1], False, OVER_END, [1, 0]),
    ]
    targets, is_sample = training_targets(np, turns, 0.5)
    assert targets[3, 0].tolist() == [1, 0]
    assert targets[2, 0] == pytest.approx([0.95, 0.05])
    assert targets[1, 0] == pytest.approx([0.8, 0.2]), "an explored turn counts for nothing"
    assert targets[0, 0] == pytest.approx([0.7, 0.3])
    assert is_sample[:, 0].tolist() == [True, True, True, False]


def test_the_mixes_are_of_games_that_share_a_net():
    for (players, each), mix in MIXES.items():
        for _, text in mix:
            game = souk.load_game(text)
            assert (game.num_players(), game.colours_each) == (players, each)
            assert "net" in game.available_evaluations()
    assert souk.load_game(GAME).rules.MOST_LEGAL == PLACES


def test_an_unknown_machine_is_refused():
    with pytest.raises(SoukError, match="training runs on cpu or gpu, not on 'abacus'"):
        machine("abacus")


def test_a_game_without_a_trainer_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(Marrakech, "trainer", "")
    with pytest.raises(SoukError, match="marrakech has nothing to train"):
        train("marrakech", str(tmp_path / "net.npz"), {})


def run_train(*options):
    command = [sys.executable, "-m", "souk", "train", *options]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ)


def test_a_training_that_is_killed_goes_on_exactly(trained, tmp_path):
    """The whole command, killed while it trains, against a training that is not."""
    training, reports = trained
    out, checkpoint = tmp_path / "net.npz", tmp_path / "net.npz.checkpoint"
    options = [
        f"--{name}={getattr(SMALL, name)}" for name in ("rounds", "games", "batch", "against")
    ]
    command = (GAME, "-o", str(out), *options)
    with subprocess.Popen([sys.executable, "-m", "souk", "train", *command]) as killed:
        while not checkpoint.exists() and killed.poll() is None:
            time.sleep(0.01)
        killed.kill()
    done = run_train(*command)
    assert done.returncode == 0, done.stderr
    assert "1 of 2 rounds are done" in done.stdout and "95% interval" in done.stdout
    with np.load(out) as saved:
        assert (saved["weights"] == training.net.flat().astype(np.float16)).all()
        about = json.loads(str(saved["about"]))
    assert [one["share"] for one in about["reports"]] == [vars(one.share) for one in reports]
    with np.load(checkpoint) as saved:  # in full precision, with the state of the optimiser
        for name, array in training.arrays().items():
            assert saved[name].tobytes() == array.tobytes(), name
    last = out.read_bytes()
    out.unlink()
    assert "2 of 2 rounds are done" in run_train(*command).stdout
    assert out.read_bytes() == last, "it was stopped before it could write the net"


def test_a_checkpoint_of_another_training_is_refused(trained, processor, tmp_path):
    training, _ = trained
    path = tmp_path / "net.npz.checkpoint"
    save_checkpoint(training, path)
    other = NetTrainer(replace(SMALL, rate=0.5), processor)
    with pytest.raises(SoukError, match=r"another training: its --rate is 0\.001, not 0\.5; name"):
        restore_checkpoint(other, path)
    with np.load(path) as saved:
        arrays = dict(saved)
    header = json.loads(str(arrays["header"]))
    for edited in ({"plan": None}, {"round": -1}, {"round": 10**9}, {"round": float("inf")}):
        text = json.dumps(header | edited)
        with path.open("wb") as file:
            np.savez(file, **arrays | {"header": np.array(text)})
        with pytest.raises(SoukError, match="is not a checkpoint that souk has saved; remove it"):
            restore_checkpoint(NetTrainer(SMALL, processor), path)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(SoukError, match="is not a checkpoint that souk has saved; remove it"):
        restore_checkpoint(NetTrainer(SMALL, processor), path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("marracash", "-o", "a.json"), "ends in .npz"),
        (("marracash", "-o", "a.npz", "--begin-with", "none.npz"), "none.npz cannot be read"),
        ((GAME, "-o", "a.npz", "--turns", "0.5"), "--turns does not apply"),
        ((GAME, "-o", "a.txt"), "ends in .npz"),
        ((GAME, "-o", "a.npz", "--games", "3"), "--games is a whole number from 20 to 1000000"),
        ((GAME, "-o", "a.npz", "--rate=nan"), "--rate is a number from 0 to 1, not 'nan'"),
        ((GAME, "-o", "/nowhere/a.npz"), "cannot be written"),
        ((GAME, "-o", "a.npz", "--on", "moon"), "cpu or gpu"),
        ((GAME, "-o", "a.npz", "--on", "gpu"), "souk[gpu]"),
        ((GAME, "-o", "a.npz", "--begin-with", "none.npz"), "none.npz cannot be read"),
    ],
)
def test_errors_are_one_sentence(options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run_train(*options)
    assert done.returncode == 1
    assert message in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_two_trainings_do_not_write_the_same_file(tmp_path):
    path = tmp_path / "net.npz"
    with (tmp_path / "net.npz.lock").open("ab") as other:
        assert try_lock(other.fileno())
        with pytest.raises(SoukError, match=r"net\.npz is in use: another training writes it"):
            train(None, str(path), {})
    assert not path.exists()
