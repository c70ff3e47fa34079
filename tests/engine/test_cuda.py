"""Batches, random games and rollouts on an NVIDIA GPU, or on the stand-in for CuPy."""

import copy
import inspect
import pickle
import re
from typing import Any

import numpy as np
import pytest

import souk
from souk.engine.kernel.cuda_target import cuda_source
from souk.engine.observation import batch_driver
from tests.engine.cupy_on_cpu import HAS_GPU

pytestmark = pytest.mark.usefixtures("gpu")
needs_gpu = pytest.mark.skipif(not HAS_GPU, reason="there is no NVIDIA GPU here")

DEVICE = "cuda"
GAMES = [
    "marrakech(players=2)",
    "marrakech(players=2,two_player=one-colour,rugs=3)",
    "marrakech(players=3)",
    "marrakech(players=4,edition=pergioco,cannot_pay=plays-on,turn_last=may)",
    "marracash(players=3,souvenirs=True,pull_in=True)",
    "marracash(players=4,layout=medina,commission=once)",
]
ARRAYS = ("current_player", "legal_actions_mask", "observation", "rewards", "terminated")
ROWS, STEPS, PLAYOUTS, ROLLOUTS = (1000, 300, 20_000, 768) if HAS_GPU else (50, 150, 500, 8)


def host(array: Any) -> Any:
    """Return an array of NumPy in the order of the CPU's batches."""
    return np.ascontiguousarray(array.get() if hasattr(array, "get") else array)


def assert_equal(one: souk.Batch, other: souk.Batch) -> None:
    for name in ARRAYS:
        ours, theirs = host(getattr(one, name)), host(getattr(other, name))
        assert ours.dtype == theirs.dtype and ours.tobytes() == theirs.tobytes(), name


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("settings", [{}, {"autoreset": False}, {"reduced_actions": True}])
def test_both_devices_step_the_same_rows(text: str, settings: dict[str, Any]) -> None:
    game = souk.load_game(text)
    if "reduced_actions" in settings and not game.num_reduced_actions():
        return
    cpu = souk.batch(game, ROWS, seed=4, **settings)
    gpu = souk.batch(game, ROWS, seed=4, device=DEVICE, **settings)
    for _ in range(STEPS):
        actions = cpu.sample_actions()
        assert (host(gpu.sample_actions()) == actions).all()
        cpu.step(actions)
        gpu.step(actions)
        assert_equal(cpu, gpu)
    for batch in (cpu, gpu):
        batch.reset([3, ROWS - 1])
        batch.set_state(5, cpu.state(7))
    assert_equal(cpu, gpu)
    assert all(cpu.state(row) == gpu.state(row) for row in (3, 5, ROWS - 1))


@pytest.mark.parametrize("text", GAMES)
def test_both_devices_play_the_same_random_games(text: str) -> None:
    state = souk.load_game(text).new_initial_state(seed=2)
    for _ in range(6):
        state.apply_action(state.legal_actions()[-1])
    for start in (state.game, state):
        cpu = souk.playouts(start, games=PLAYOUTS, seed=3, first=10**12)
        gpu = souk.playouts(start, games=PLAYOUTS, seed=3, first=10**12, device=DEVICE)
        for name in ("scores", "returns", "turns"):
            ours, theirs = getattr(cpu, name), getattr(gpu, name)
            assert isinstance(theirs, np.ndarray) and (ours == theirs).all()


def test_an_illegal_action_is_refused_and_no_row_moves() -> None:
    batch = souk.batch(souk.load_game(GAMES[2]), 1000, device=DEVICE)
    before = [host(getattr(batch, name)).tobytes() for name in ARRAYS]
    for action in (5, -1, 87, 10**12):
        actions = np.zeros(1000, np.int64)
        actions[[500, 700]] = action
        with pytest.raises(souk.IllegalAction, match=r"row 500: .*not legal now; legal: left, "):
            batch.step(actions)
        assert before == [host(getattr(batch, name)).tobytes() for name in ARRAYS]
    with pytest.raises(souk.SoukError, match="rows are numbers from 0 to 999"):
        batch.reset([1000])
    with pytest.raises(souk.SoukError, match="step takes 1000 actions"):
        batch.step([0])


def test_a_gpu_compiles_what_a_batch_calls_and_nothing_else() -> None:
    game = souk.load_game("marracash")
    _, names = cuda_source(game.kernel, game.constants(), batch_driver(game), {})
    called = re.findall(r'_run\("(\w+)"', inspect.getsource(souk.Batch))
    assert sorted(names) == sorted({*called})


def test_a_copy_goes_on_alike() -> None:
    batch = souk.batch(souk.load_game(GAMES[1]), 300, device=DEVICE)
    batch.step(batch.sample_actions())
    copies = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for _ in range(50):
        batch.step(batch.sample_actions())
        for other in copies:
            other.step(other.sample_actions())
            assert_equal(batch, other)


@needs_gpu
@pytest.mark.parametrize("text", [GAMES[2], GAMES[4]])
def test_pytorch_shares_the_arrays_and_chooses_actions(text: str) -> None:
    torch = pytest.importorskip("torch")
    batch = souk.batch(souk.load_game(text), 1000, device=DEVICE)
    shared = {name: torch.from_dlpack(getattr(batch, name)) for name in ARRAYS}
    for _ in range(20):
        batch.step(shared["legal_actions_mask"].float().multinomial(1)[:, 0])
        for name, one in shared.items():
            assert (one.cpu().numpy() == host(getattr(batch, name))).all()


@needs_gpu
@pytest.mark.parametrize("text", [GAMES[2], GAMES[4]])
def test_jax_shares_the_arrays_and_chooses_actions(text: str) -> None:
    jax = pytest.importorskip("jax")
    batch = souk.batch(souk.load_game(text), 1000, device=DEVICE)
    for step in range(20):
        for name in ARRAYS:
            array = getattr(batch, name)
            one = jax.dlpack.from_dlpack(array)
            address = array.data.ptr if hasattr(array.data, "ptr") else array.ctypes.data
            assert one.unsafe_buffer_pointer() == address, name
            assert (np.asarray(one) == host(array)).all()
        legal = jax.numpy.log(jax.dlpack.from_dlpack(batch.legal_actions_mask))
        actions = jax.random.categorical(jax.random.key(step), legal)
        batch.step(jax.block_until_ready(actions))


@pytest.mark.parametrize(
    ("text", "player", "truncate"),
    [
        ("marrakech(players=2,two_player=one-colour,rugs=3)", "expert", None),
        ("marracash(players=3)", "trader", 2),
    ],
)
def test_rollouts_of_both_devices_agree(text: str, player: str, truncate: int | None) -> None:
    """On a GPU they add numbers in another order, and so may choose among equal actions."""
    state = souk.load_game(text).new_initial_state(3)
    options = {"actions": state.legal_actions()[:2], "truncate": truncate, "stop_early": False}
    cpu = souk.rollout(state, player, ROLLOUTS, **options)
    gpu = souk.rollout(state, player, ROLLOUTS, **options, device=DEVICE)
    for one, other in zip(cpu, gpu, strict=True):
        assert one.games == other.games == ROLLOUTS
        assert one.shares == pytest.approx(other.shares, abs=max(one.errors) if HAS_GPU else 1e-3)
