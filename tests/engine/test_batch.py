"""Batches: rows, resets, refusals, and the same games for any number of threads."""

import copy
import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import souk
from souk.engine.kernel import targets
from souk.engine.kernel.philox import STREAM_SIZE

GAMES = ["marrakech(players=3)", "marracash(players=3,souvenirs=True)"]
SMALL = souk.load_game("marrakech(players=2,two_player=one-colour,rugs=2)")


def arrays(batch: souk.Batch) -> list[bytes]:
    described = (batch.current_player, batch.legal_actions_mask, batch.terminated, batch.rewards)
    return [one.tobytes() for one in (*described, batch.observation)]


@pytest.mark.parametrize("text", GAMES)
def test_rows_do_not_depend_on_the_number_of_threads(text: str) -> None:
    game = souk.load_game(text)
    one, two = (souk.batch(game, 1000, seed=3, threads=threads) for threads in (1, 2))
    for _ in range(60):
        actions = one.sample_actions()
        assert (actions == two.sample_actions()).all()
        one.step(actions)
        two.step(actions)
        assert arrays(one) == arrays(two)


class View:
    """A part of a list that can be written to, for kernels in plain Python."""

    def __init__(self, items: list[Any], at: int = 0) -> None:
        self.items, self.at = items, at

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return View(self.items, self.at + index.start)
        return self.items[self.at + index]

    def __setitem__(self, index: int, value: Any) -> None:
        self.items[self.at + index] = value


@pytest.mark.parametrize("text", GAMES)
def test_plain_python_steps_the_same_rows(text: str) -> None:
    game = souk.load_game(text)
    batch = souk.batch(game, 2, seed=8)
    driver = (*game.observation_kernel, *game.reduced_actions_kernel, *targets.BATCH_LOOP)
    kernel = targets.python_kernel(game.kernel, game.constants(), driver)
    outputs = (batch.rewards, batch.current_player, batch.terminated, batch.legal_actions_mask)
    outputs += (batch.observation,)
    buffers = View([0] * 2 * (game.rules.SIZE + STREAM_SIZE))
    plain = [View([0] * one.size) for one in outputs]
    settings, start = [8, 2, 1, 0, batch.observation.shape[1]], game.initial_buffer()
    kernel.start_row_all(settings, start, buffers, 1, [True, True], 0, 2)
    for _ in range(150):
        chosen = batch.sample_actions().tolist()
        batch.step(np.array(chosen))
        kernel.step_row_all(settings, start, buffers, chosen, *plain, 0, 2)
        for one, other in zip(outputs, plain, strict=True):
            assert one.tobytes() == np.array(other.items, one.dtype).tobytes()


def test_row_i_plays_games_i_and_i_plus_n_and_so_on() -> None:
    game = souk.load_game("marracash(players=3)")
    dealt = souk.playouts(game, games=6, seed=9, actions=True)
    batch = souk.batch(game, 3, seed=9, observations=False)
    assert [batch.state(row) for row in range(3)] == [dealt.initial_state(row) for row in range(3)]
    batch.reset([1])
    batch.reset(np.array([False, False, True]))
    assert [batch.state(row) for row in range(3)] == [
        dealt.initial_state(number) for number in (0, 4, 5)
    ]
    batch.reset()
    assert batch.state(0) == dealt.initial_state(3)


def test_a_finished_game_waits_or_is_followed_by_the_next() -> None:
    waiting = souk.batch(SMALL, 4, seed=2, autoreset=False)
    going_on = souk.batch(SMALL, 4, seed=2)
    finished = 0
    for _ in range(60):
        actions = waiting.sample_actions().copy()
        was_over = waiting.terminated.copy()
        waiting.step(actions)
        assert (waiting.terminated >= was_over).all()
        assert not waiting.rewards[was_over].any(), "rewards are those of the last step"
        assert not waiting.legal_actions_mask[waiting.terminated].any()
        assert (waiting.current_player[waiting.terminated] == souk.TERMINAL).all()
        was_over = going_on.terminated.copy()
        going_on.step(going_on.sample_actions())
        assert not going_on.terminated[was_over].any()
        assert (going_on.rewards.sum(axis=1) == going_on.terminated).all()
        finished += int(going_on.terminated.sum())
    assert waiting.terminated.all() and finished > 8
    waiting.step(np.full(4, 10**9))
    waiting.reset([2])
    assert waiting.terminated.tolist() == [True, True, False, True]


def test_an_illegal_action_is_refused_and_no_row_moves() -> None:
    batch = souk.batch(souk.load_game("marrakech(players=3)"), 3)
    before = [batch.state(row) for row in range(3)]
    for action in (5, -1, 87, 10**12):
        with pytest.raises(souk.IllegalAction, match=r"row 1: .*not legal now; legal: left, ahead"):
            batch.step([0, action, 1])
        assert [batch.state(row) for row in range(3)] == before


def test_a_row_takes_the_position_of_a_state() -> None:
    game = souk.load_game("marrakech(players=2)")
    batch = souk.batch(game, 2, seed=4)
    state = game.new_initial_state()
    while len(state.history()) < 20 or state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    batch.set_state(1, state)
    assert batch.state(1) == state
    assert (batch.observation[1] == state.observation_tensor()).all()
    state.apply_action(state.legal_actions()[0])
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    batch.set_state(0, state)
    assert batch.current_player[0] >= 0, "chance is drawn"


def test_reduced_actions_are_few_bids_relative_to_the_current_one() -> None:
    game = souk.load_game("marracash(players=3)")
    batch = souk.batch(game, 1, reduced_actions=True)
    rules = game.observing_rules
    assert batch.num_actions == game.num_reduced_actions() < 150
    batch.step([rules.AUCTION])
    amounts = []
    for action in np.flatnonzero(batch.legal_actions_mask[0]):
        full = rules.full_action(batch.state(0).buffer, int(action))
        amounts.append(game.action_to_string(full))
    assert amounts == ["bid 100", "bid 125", "bid 175", "bid 275", "bid 475", "bid 875"]
    with pytest.raises(souk.IllegalAction, match=r"reduced action 0 is not.*\(bid 875\)"):
        batch.step([0])
    batch.step([rules.BID_OF + 2])
    assert batch.state(0).to_dict()["auction"]["bid"] == 175
    for _ in range(500):
        batch.step(batch.sample_actions())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda: souk.batch("marrakech", 3), "a batch is of a game"),  # type: ignore[arg-type]
        (lambda: souk.playouts("marrakech"), "see souk.load_game"),  # type: ignore[arg-type]
        (lambda: souk.batch(SMALL, 0), "the number of games is a whole number from 1"),
        (lambda: souk.batch(SMALL, 3, device="tpu"), "device accepts cpu or cuda"),
        (lambda: souk.batch(SMALL, 3, threads=0), "threads is a whole number from 1"),
        (lambda: souk.batch(SMALL, 3, reduced_actions=True), "marrakech has no reduced actions"),
        (lambda: souk.batch(SMALL, 3).step([0, 0]), "step takes 3 actions, one for each row"),
        (lambda: souk.batch(SMALL, 3).step([0.0] * 3), "actions are whole numbers"),
        (lambda: souk.batch(SMALL, 3).reset([3]), "rows are numbers from 0 to 2"),
        (lambda: souk.batch(SMALL, 3).reset([0.5]), "rows are numbers from 0 to 2"),
        (lambda: souk.batch(SMALL, 3).state(3), "a row is a whole number from 0 to 2"),
        (lambda: souk.batch(SMALL, 3, observations=False).observation, "has no observations"),
        (
            lambda: souk.batch(SMALL, 3).set_state(
                0, souk.load_game("marracash").new_initial_state()
            ),
            "this batch plays marrakech",
        ),
        (lambda: souk.batch(SMALL, 2).step([[0], [1, 2]]), "step takes a list of actions"),
        (lambda: souk.batch(SMALL, 2).reset([[0], [1, 2]]), "rows are numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: Any, why: str) -> None:
    with pytest.raises(souk.SoukError, match=why):
        wrong()


def test_arrays_are_shared_without_a_copy() -> None:
    batch = souk.batch(SMALL, 3)
    names = ("observation", "legal_actions_mask", "rewards", "terminated", "current_player")
    shared = {name: np.from_dlpack(getattr(batch, name)) for name in names}
    batch.step(batch.sample_actions())
    for name, one in shared.items():
        array = getattr(batch, name)
        assert np.shares_memory(one, array) and (one == array).all()
        assert array.ctypes.data % 64 == 0, "JAX would copy it"


def test_a_copy_has_its_own_memory_and_goes_on_alike() -> None:
    batch = souk.batch(SMALL, 3, seed=5)
    for _ in range(7):
        batch.step(batch.sample_actions())
    copies = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for _ in range(200):  # games end and others start
        batch.step(batch.sample_actions())
        for other in copies:
            other.step(other.sample_actions())
            assert other.rewards.tobytes() == batch.rewards.tobytes()
            assert other.state(2) == batch.state(2)


def in_fork(work: Callable[[], object]) -> int:
    """Return the exit status of a forked process that does some work."""
    child = os.fork()
    if not child:
        signal.alarm(60)  # ends it if it waits for threads of its parent
        with suppress(Exception):
            work()
            os._exit(0)
        os._exit(1)
    return os.waitpid(child, 0)[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_steps_with_threads_of_its_own() -> None:
    batch = souk.batch(SMALL, 600, threads=2)
    batch.step(batch.sample_actions())
    assert in_fork(lambda: batch.step(batch.sample_actions())) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_more_rows_than_fit_into_the_memory_are_refused() -> None:
    def work() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))
        with pytest.raises(souk.SoukError, match="not enough memory for 67,108,864 rows"):
            souk.batch(SMALL, 2**26)

    assert in_fork(work) == 0
