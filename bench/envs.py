"""Measure steps a second of the environments, with random legal actions, beside their peers."""

import random
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel
from open_spiel.python import games as _registered  # noqa: F401

import souk.envs.open_spiel
import souk.envs.pettingzoo
from bench.report import Figure

ROUNDS = 5
SECONDS = 0.3
ROWS = 1024
FLOORS = {  # k steps/s that we promise
    "PettingZoo, Marrakech, 3 players": 30.0,
    "Gymnasium, Marrakech, greedy": 20.0,
    "Gymnasium, MarraCash, greedy": 2.0,
}


def figures() -> list[Figure]:
    """Return all figures, measured in turn so that noise affects all of them alike."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pygame, which PettingZoo's games load
        from pettingzoo.classic import connect_four_v3

    pettingzoo = souk.envs.pettingzoo.env
    jobs: dict[str, Callable[[], int]] = {
        "PettingZoo, its connect four": agents(connect_four_v3.env()),
        "PettingZoo, Marrakech, 3 players": agents(pettingzoo("marrakech(players=3)")),
        "PettingZoo, MarraCash, 4 players": agents(pettingzoo("marracash(players=4)")),
        "Gymnasium, its CartPole": seat("CartPole-v1"),
        "Gymnasium, its CartPole, vector": rows(
            "CartPole-v1", vectorization_mode="vector_entry_point"
        ),
        "OpenSpiel, its tic-tac-toe in Python": tree("python_tic_tac_toe"),
        "OpenSpiel, its backgammon in C++": tree("backgammon"),
        "OpenSpiel, Marrakech, 3 players": tree("python_marrakech(players=3)"),
        "OpenSpiel, MarraCash, 4 players": tree("python_marracash"),
    }
    for game in ("Marrakech", "MarraCash"):
        for name in ("random", "greedy"):
            jobs[f"Gymnasium, {game}, {name}"] = seat(f"souk/{game}-v0", opponents=name)
            jobs[f"Gymnasium, {game}, {name}, vector"] = rows(f"souk/{game}-v0", opponents=name)
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            best[name] = max(best[name], rate(job))
    return [figure(name, best) for name in sorted(best)]


def figure(name: str, best: dict[str, float]) -> Figure:
    """Return the figure of an environment beside the peer of its framework."""
    framework = name.partition(",")[0]
    peers = {one: value for one, value in best.items() if one.startswith(f"{framework}, its ")}
    peers = {
        one: value
        for one, value in peers.items()
        if one.endswith("vector") == name.endswith("vector")
    }
    peer = next(iter(peers))
    kilo, floor = best[name] / 1e3, FLOORS.get(name)
    if name in peers:
        return Figure(name, kilo, "k steps/s")
    beside = peer.partition(", ")[2].removesuffix(", vector")
    return Figure(name, kilo, "k steps/s", beside, best[peer] / 1e3, floor=floor)


def rate(job: Callable[[], int]) -> float:
    """Return the steps in a second of CPU time of a job, which does some and returns how many."""
    began, steps = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        steps += job()
    return steps / (time.process_time() - began)


def chosen(mask: Any, pick: Callable[[], float]) -> Any:
    legal = mask.nonzero()[0]
    return legal[int(pick() * len(legal))]


def agents(env: Any) -> Callable[[], int]:
    """Play a game of PettingZoo."""
    pick = random.Random(1).random

    def play() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, is_over, is_cut, _ = env.last()
            env.step(None if is_over or is_cut else chosen(seen["action_mask"], pick))
            steps += 1
        return steps

    return play


def seat(id: str, **settings: Any) -> Callable[[], int]:
    """Play an episode of Gymnasium."""
    env = gymnasium.make(id, **settings)
    pick = random.Random(1).random
    everything = np.ones(getattr(env.action_space, "n", 0), np.int8)

    def play() -> int:
        _, info = env.reset()
        steps, is_over = 0, False
        while not is_over:
            action = chosen(info.get("action_mask", everything), pick)
            _, _, is_over, is_cut, info = env.step(action)
            is_over |= is_cut
            steps += 1
        return steps

    return play


def rows(id: str, **settings: Any) -> Callable[[], int]:
    """Step a vector of Gymnasium once."""
    envs = gymnasium.make_vec(id, num_envs=ROWS, **settings)
    _, info = envs.reset(seed=1)
    pick = np.random.default_rng(1)
    shape = (ROWS, int(envs.single_action_space.n))
    everything = np.ones(shape, np.int8)

    def play() -> int:
        nonlocal info
        mask = info.get("action_mask", everything)
        actions = (mask * pick.random(shape, np.float32)).argmax(axis=1)
        info = envs.step(actions)[4]
        return ROWS

    return play


def tree(text: str) -> Callable[[], int]:
    """Play a game of OpenSpiel, chance included."""
    game = pyspiel.load_game(text)
    pick = random.Random(1).random

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(pick() * len(legal))])
            steps += 1
        return steps

    return play
