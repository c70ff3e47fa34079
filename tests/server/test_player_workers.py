"""Computer players in worker processes: whatever they do, the game goes on."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

import souk
from souk.server.live import player_workers
from souk.server.live.player_workers import PlayerWorkers

pytestmark = pytest.mark.asyncio


@pytest.fixture
def pool():
    pool = PlayerWorkers(workers=2, seconds=0.5)
    yield pool
    pool.close()


def start():
    return souk.load_game("marrakech(players=2)").new_initial_state(1)


def at_a_turn():
    state = start()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def choose_move(pool, state, level):
    return pool.choose(state, level, state.buffer, [])


async def test_a_move_comes_from_another_process_and_the_state_stays(pool):
    state = at_a_turn()
    before = state.to_dict()
    assert await choose_move(pool, state, "greedy") in ("left", "ahead", "right")
    assert state.to_dict() == before


async def test_a_player_gets_the_moves_that_led_to_a_position(monkeypatch):
    """In the worker, to infer how others play."""
    state = start()
    first = list(state.buffer)
    while len(state.history()) < 30 or state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    request = []

    class Witness:
        def __init__(self, *_, **__):
            pass

        def choose(self, state):
            request.append(state)
            return state.legal_actions()[0]

    monkeypatch.setattr(player_workers, "player", Witness)
    text = player_workers._choose(str(state.game), first, state.history(), "greedy", 0.1)
    assert text == state.action_to_string(state.legal_actions()[0])
    assert request[0].to_dict() == state.to_dict() and request[0].history() == state.history()


async def test_every_level_thinks_in_the_pool(pool, caplog):
    state = at_a_turn()
    for level in souk.players("marrakech"):
        assert await choose_move(pool, state, level) in ("left", "ahead", "right")
    expected = await pool.analyse(state, "master")
    assert {text for text, _ in expected} == {"left", "ahead", "right"}
    assert not caplog.records, "nobody failed"


async def test_workers_that_are_killed_are_replaced_and_no_move_is_lost(pool):
    state = at_a_turn()
    await choose_move(pool, state, "greedy")
    for process in pool.processes():
        os.kill(process, signal.SIGKILL)
    moves = await asyncio.gather(*(choose_move(pool, state, "greedy") for _ in range(6)))
    assert set(moves) <= {"left", "ahead", "right"}


async def test_an_unknown_player_is_replaced_by_a_random_one(pool, caplog):
    assert await choose_move(pool, at_a_turn(), "nobody") in ("left", "ahead", "right")
    assert "a computer player failed" in caplog.text


async def test_a_player_that_hangs_is_ended(pool, monkeypatch, caplog):
    state = at_a_turn()
    await choose_move(pool, state, "greedy")
    hanging = pool.processes()[:1]  # not the one for quick players
    os.kill(hanging[0], signal.SIGSTOP)  # what a player in an endless loop looks like
    monkeypatch.setattr(pool, "timeout", 1)
    assert await choose_move(pool, state, "greedy") in ("left", "ahead", "right")
    assert "TimeoutError" in caplog.records[-1].error
    monkeypatch.setattr(pool, "timeout", 60)
    assert await choose_move(pool, state, "greedy") in ("left", "ahead", "right")
    for pid in hanging:
        end = time.monotonic() + 10
        while is_running(pid) and time.monotonic() < end:
            await asyncio.sleep(0.05)
        assert not is_running(pid)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


async def test_the_event_loop_is_not_blocked_while_many_players_search(pool):
    state = at_a_turn()
    await choose_move(pool, state, "greedy")
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticking = asyncio.create_task(tick())
    started = time.monotonic()
    await asyncio.gather(*(choose_move(pool, state, "greedy") for _ in range(40)))
    ticking.cancel()
    assert ticks > 20 * (time.monotonic() - started), "at least a fifth of what it could do"


def has_kernels():
    return "numba" in sys.modules


async def test_warm_workers_have_loaded_their_players(pool):
    await pool.warm_up()
    assert len(pool.processes()) == 3, "two, and the quick one"
    assert all([await pool._run(worker, has_kernels) for worker in range(3)])
