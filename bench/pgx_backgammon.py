"""Measure pgx's backgammon on JAX with random legal actions, as its authors do."""

import os
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

STEPS = 60
ROWS = {"cpu": (256,), "cuda": (1 << 16, 1 << 20)}  # with more, a core is slower


def rates(device: str) -> list[Callable[[], float]]:
    """Return functions that measure decisions a second, one for each number of games.

    There is none without pgx, or if JAX does not see the device.
    """
    if not (find_spec("jax") and find_spec("pgx")):
        print("  without pgx: it is not installed")
        return []
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # others use the GPU, too
    import jax

    try:
        place = jax.devices(device)[0]
    except RuntimeError as error:
        print(f"  without pgx on {device}: {error}")
        return []
    return [_rate(place, rows) for rows in ROWS[device]]


def _rate(place: Any, rows: int) -> Callable[[], float]:
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    def play_step(state: Any, key: Any) -> tuple[Any, None]:
        ours, theirs = jax.random.split(key)
        actions = act_randomly(ours, state.legal_action_mask)
        return step(state, actions, jax.random.split(theirs, rows)), None

    @jax.jit
    def play(state: Any, key: Any) -> Any:
        return jax.lax.scan(play_step, state, jax.random.split(key, STEPS))[0]

    with jax.default_device(place):
        key = jax.random.key(1)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, rows))
        state = jax.block_until_ready(play(state, key))  # compiles

    def measure() -> float:
        nonlocal state, key
        with jax.default_device(place):
            key = jax.random.split(key, 1)[0]
            began = time.perf_counter()
            state = jax.block_until_ready(play(state, key))
            return STEPS * rows / (time.perf_counter() - began)

    return measure
