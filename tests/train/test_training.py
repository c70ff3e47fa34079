"""Training on the processor: small, but the real thing."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

import souk
from souk.engine.errors import SoukError
from souk.engine.state import State
from souk.games.marrakech.practice import ENDS, LIVE_END, NO_END, OVER_END, PLACES
from souk.train.machines import Processor, machine
from souk.train.marrakech import MIXES, Practice, Turn, lessons
from souk.train.net import Net, softmax
from souk.train.training import Plan, Training

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
    assert [(one.error, one.share) for one in again] == [(one.error, one.share) for one in reports]
    assert (again.net.flat() == training.net.flat()).all()
    other = Training(Plan(**{**vars(SMALL), "seed": 2}), processor)
    assert (other.net.flat() != training.net.flat()).any()


def test_a_net_is_kept_as_players_read_it(trained, tmp_path):
    training, reports = trained
    training.save(tmp_path / "net.npz")
    with np.load(tmp_path / "net.npz") as kept:
        weights, about = kept["weights"], json.loads(str(kept["about"]))
    assert weights.dtype == np.float16
    assert weights.shape == souk.load_game(GAME).weights("net").shape
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
    practice = Practice(processor, 4, game)
    choose = random.Random(5)
    states = []
    for number in range(4):
        state = game.new_initial_state(number)
        while choose.random() < 0.97 or not is_turn(game, state):
            state.apply_action(choose.choice(state.legal_actions()))
            if state.is_terminal():
                state = game.new_initial_state(number)
        states.append(state)
    practice.G[:] = [state.buffer for state in states]
    luck = np.zeros((4, 4), "i8")
    rows = 4 * ENDS
    processor.run("spread", rows, practice.G, luck, practice.ends, practice.known, practice.shares)
    for number, state in enumerate(states):
        mine = slice(number * ENDS, (number + 1) * ENDS)
        kinds, ends = practice.known[mine, 0], practice.ends[mine]
        found = {tuple(end) for kind, end in zip(kinds, ends, strict=True) if kind != NO_END}
        assert found == {tuple(end.buffer) for end in ends_of(game, state)}
        for kind, end in zip(kinds, ends, strict=True):
            if kind != NO_END:
                is_over = State(game, [int(slot) for slot in end]).is_terminal()
                assert kind == (OVER_END if is_over else LIVE_END)


def is_turn(game, state):
    turn_last = state.buffer[game.rules["TURN_LAST"]]
    phase = state.buffer[game.rules["PHASE"]]
    return phase == (game.rules["ROLL"] if turn_last else game.rules["TURN"])


def ends_of(game, state):
    """The positions in which a turn can end."""
    turns = state.buffer[game.rules["TURNS"]]
    waiting, ends = [state], []
    while waiting:
        one = waiting.pop()
        if one.buffer[game.rules["TURNS"]] > turns:
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
    assert souk.load_game(GAME).rules["MOST_LEGAL"] == PLACES


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
    assert "share of the win" in done.stdout and out.exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("marracash", "-o", "a.npz"), "trained for marrakech, not for marracash"),
        ((GAME, "-o", "a.txt"), "ends in .npz"),
        ((GAME, "-o", "/nowhere/a.npz"), "cannot be written"),
        ((GAME, "-o", "a.npz", "--on", "moon"), "cpu or gpu"),
        ((GAME, "-o", "a.npz", "--on", "gpu"), "souk[train]"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(options, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run_train(*options)
    assert done.returncode == 1
    assert told in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is left behind"
