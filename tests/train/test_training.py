"""Training on the processor: small, but the real thing."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import souk
from souk.engine.errors import SoukError
from souk.engine.kernel import targets
from souk.engine.state import State
from souk.games.marrakech.ai import weights
from souk.games.marrakech.ai.opponent_models import BELIEFS
from souk.games.marrakech.ai.self_play import ENDS, LIVE_END, NO_END, OVER_END, PLACES
from souk.games.marrakech.ai.trainer import MOST_MEASURED, Plan, Training
from souk.games.marrakech.ai.training_games import MIXES, Turn, lessons
from souk.games.marrakech.ai.training_opponents import KINDS, TWO_PLIES
from souk.train.devices import Processor, machine
from souk.train.network import Net, softmax
from tests.train.turns import a_turn, spread_out

GAME = "marrakech(players=3)"
SMALL = Plan(GAME, rounds=2, games=20, batch=100, against=0.5)


@pytest.fixture(scope="module")
def processor():
    return Processor()


@pytest.fixture(scope="module")
def trained(processor):
    training = Training(SMALL, processor)
    return training, list(training)


def test_the_same_seed_gives_the_same_net(trained, processor):
    training, reports = trained
    again = Training(SMALL, processor)
    assert [told(one) for one in again] == [told(one) for one in reports]
    assert (again.net.flat() == training.net.flat()).all()
    other = Training(Plan(**{**vars(SMALL), "seed": 2}), processor)
    assert (other.net.flat() != training.net.flat()).any()


def told(report):
    return report.error, report.share, report.against_greedy, report.against_two_plies


def test_all_kinds_sit_at_the_tables_and_the_net_at_each(trained):
    training, _ = trained
    kinds, is_hidden = training._opponents()
    assert set(kinds.reshape(-1).tolist()) == set(range(KINDS))
    assert is_hidden.any() and not is_hidden.all(axis=1).any(), "everybody knows himself"
    assert (kinds == 0).any(1).all()


def test_against_slow_players_fewer_games_are_measured(trained, monkeypatch):
    training, _ = trained
    monkeypatch.setitem(MOST_MEASURED, TWO_PLIES, 3)
    share, _ = training.measure(TWO_PLIES)
    assert 12 * 3 * share == pytest.approx(round(12 * 3 * share), abs=1e-4)
    phases = training.practice.G[:, training.practice.k.PHASE]
    assert (phases == training.practice.k.OVER).all()
    turns = training.practice.G[:, training.practice.k.TURNS]
    assert (turns[:3] > 0).all() and (turns[3:] == 0).all()


def test_a_kept_net_is_trained_on(trained, processor, tmp_path):
    training, _ = trained
    path = tmp_path / "net.npz"
    training.save(path)
    plan = replace(SMALL, rounds=1, rate=1e-4, begin_with=str(path))
    on = Training(plan, processor)
    kept = training.net.flat().astype(np.float16).astype("f4")
    assert (on.net.flat() == kept).all()
    assert len(list(on)) == 1
    assert 0 < np.abs(on.net.flat() - kept).max() < 0.05
    on.save(tmp_path / "on.npz")
    with np.load(tmp_path / "on.npz") as told:
        assert json.loads(str(told["about"]))["plan"]["begin_with"] == str(path)


def test_the_nets_of_the_package_can_be_trained_on(processor):
    path = weights.FOLDER / "3-players-1-each.npz"
    training = Training(replace(SMALL, begin_with=str(path)), processor)
    assert (training.net.flat() == weights.kept(3, 1)).all()


def test_practice_judges_as_players_do(processor):
    """Every input is the same in both, who plays included: in some games known, in others not."""
    game = souk.load_game(GAME)
    choose = random.Random(3)
    states = [a_turn(game, number, choose) for number in range(4)]
    practice = spread_out(processor, game, states)
    kinds = np.array([[0, 1, 2], [3, 0, 1], [2, 3, 0], [1, 2, 3]])
    is_hidden = np.array([[False] * 3, [False] * 3, [True, True, False], [False] * 3])
    practice.start(practice.G.copy(), np.random.default_rng(1), kinds, is_hidden)
    net = Net(
        np, tuple(getattr(practice.shape, one) for one in ("ROWS", "FIRST", "SECOND")), 3, seed=1
    )
    net.begin_with(weights.kept(3, 1))
    judged = practice._judged(net)
    kernel = targets.python_kernel(game.kernel, game.constants(), game.searching("net"))
    for number in range(4):
        beliefs = [
            BELIEFS if hidden else [float(kind == one) for one in range(KINDS)]
            for kind, hidden in zip(kinds[number], is_hidden[number], strict=True)
        ]
        taken = game.weights("net", beliefs).tolist()
        ends = np.flatnonzero(practice.known[number * ENDS :][:ENDS, 0] == LIVE_END)
        for end in choose.sample([number * ENDS + int(one) for one in ends], 5):
            shares = [0.0] * 3
            kernel.judge(practice.ends[end].tolist(), taken, shares)
            assert judged[end] == pytest.approx(shares, abs=1e-4)


def test_a_file_without_a_fitting_net_is_refused(processor, tmp_path):
    def refused(path, told):
        with pytest.raises(SoukError, match=told):
            Training(replace(SMALL, begin_with=str(path)), processor)

    refused(tmp_path / "none.npz", "none.npz cannot be read: No such file")
    refused(tmp_path, "cannot be read")
    text, empty = tmp_path / "text.npz", tmp_path / "empty.npz"
    text.write_text("not a net")
    empty.write_bytes(b"")
    array, other = tmp_path / "array.npy", tmp_path / "other.npz"
    np.save(array, np.zeros(3))
    np.savez(other, something=np.zeros(3))
    for path in (text, empty, array, other):
        refused(path, "is not a net that souk has kept")
    refused(
        weights.FOLDER / "4-players-1-each.npz",
        r"has [\d,]+ weights; that of marrakech\(players=3\)",
    )


def test_a_net_is_kept_as_players_read_it(trained, tmp_path):
    training, reports = trained
    training.save(tmp_path / "net.npz")
    with np.load(tmp_path / "net.npz") as kept:
        saved, about = kept["weights"], json.loads(str(kept["about"]))
    assert saved.dtype == np.float16
    assert saved.shape == weights.kept(3, 1).shape
    assert about["plan"]["game"] == GAME and len(about["reports"]) == len(reports)


def test_a_net_learns_what_it_is_taught():
    draw = np.random.default_rng(1)
    net = Net(np, (30, 16, 8), 3, seed=1)
    inputs = (draw.random((200, 30)) < 0.2).astype("f4")
    shares = softmax(np, 3 * inputs[:, :3])
    scores = inputs[:, 3:6]
    nobody = np.zeros((200, 3), bool)
    errors = [float(net.learn(inputs, nobody, shares, scores, 0.01)) for _ in range(200)]
    least = float(-(shares * np.log(shares)).sum() / 200)
    assert errors[-1] - least < 0.2 * (errors[0] - least)
    assert np.abs(net.shares(inputs, nobody) - shares).mean() < 0.1


def test_those_who_are_out_have_no_share():
    net = Net(np, (5, 4, 4), 3, seed=1)
    out = np.array([[False, True, False]])
    assert net.shares(np.ones((1, 5), "f4"), out)[0, 1] == 0


@pytest.mark.parametrize(
    "text", [GAME, "marrakech(players=3,turn_last=True)", "marrakech(players=3,cover_own=True)"]
)
def test_all_ends_of_a_turn_are_looked_at(text, processor):
    """Against the states of the game, one by one."""
    game = souk.load_game(text)
    choose = random.Random(5)
    states = [a_turn(game, number, choose) for number in range(4)]
    practice = spread_out(processor, game, states)
    for number, state in enumerate(states):
        mine = slice(number * ENDS, (number + 1) * ENDS)
        kinds, ends = practice.known[mine, 0], practice.ends[mine]
        found = {tuple(end) for kind, end in zip(kinds, ends, strict=True) if kind != NO_END}
        assert found == {tuple(end.buffer) for end in ends_of(game, state)}
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


def test_a_lesson_is_what_came_later_as_far_as_play_was_good():
    def turn(worth, tried, kind, result):
        return Turn(
            np.array([True]),
            np.array([worth], "f4"),
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
    targets, is_lesson = lessons(np, turns, 0.5)
    assert targets[3, 0].tolist() == [1, 0]
    assert targets[2, 0] == pytest.approx([0.95, 0.05])
    assert targets[1, 0] == pytest.approx([0.8, 0.2]), "what was only tried teaches nothing"
    assert targets[0, 0] == pytest.approx([0.7, 0.3])
    assert is_lesson[:, 0].tolist() == [True, True, True, False]


def test_the_mixes_are_of_games_that_share_a_net():
    for (players, each), mix in MIXES.items():
        for _, text in mix:
            game = souk.load_game(text)
            assert (game.num_players(), game.colours_each) == (players, each)
            assert "net" in game.judges()
    assert souk.load_game(GAME).rules.MOST_LEGAL == PLACES


def test_only_machines_that_there_are():
    with pytest.raises(SoukError, match="training runs on cpu or gpu, not on 'abacus'"):
        machine("abacus")


def run_train(*options):
    command = [sys.executable, "-m", "souk", "train", *options]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ)


def test_the_command(tmp_path):
    out = tmp_path / "net.npz"
    done = run_train(GAME, "-o", str(out), "--rounds", "1", "--games", "20")
    assert done.returncode == 0, done.stderr
    assert "Share of the win" in done.stdout and out.exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("marracash", "-o", "a.npz"), "ends in .json"),
        (("marracash", "-o", "a.json", "--rate", "1"), "--rate is for nets"),
        (("marracash", "-o", "a.json", "--on", "cpu"), "--on is for nets"),
        (("marracash", "-o", "a.json", "--begin-with", "none.json"), "none.json cannot be read"),
        ((GAME, "-o", "a.txt"), "ends in .npz"),
        ((GAME, "-o", "/nowhere/a.npz"), "cannot be written"),
        ((GAME, "-o", "a.npz", "--on", "moon"), "cpu or gpu"),
        ((GAME, "-o", "a.npz", "--on", "gpu"), "souk[train]"),
        ((GAME, "-o", "a.npz", "--begin-with", "none.npz"), "none.npz cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(options, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run_train(*options)
    assert done.returncode == 1
    assert told in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is left behind"
