"""Measure actions a second through the Python API, beside OpenSpiel with its backgammon."""

import random
import time
from typing import Any

import pyspiel

import souk
from bench.report import Figure

ROUNDS = 7
FLOORS = {"Marrakech, 3 players": 150.0}  # what we promise
SECONDS = 0.4


def figures() -> list[Figure]:
    ours = {
        "Marrakech, 3 players": "marrakech(players=3)",
        "Marrakech, 2 players, two colours": "marrakech(players=2)",
        "Marrakech, 4 players": "marrakech(players=4)",
        "MarraCash, 4 players": "marracash(players=4)",
    }
    games = {name: souk.load_game(text) for name, text in ours.items()}
    theirs = pyspiel.load_game("backgammon")
    best: dict[str, float] = dict.fromkeys([*games, "backgammon"], 0.0)
    for _ in range(ROUNDS):
        for name, game in {**games, "backgammon": theirs}.items():
            best[name] = max(best[name], actions_per_second(game))
    kilo = {name: rate / 1e3 for name, rate in best.items()}
    reference = kilo.pop("backgammon")
    return [
        Figure("OpenSpiel, backgammon", reference, "k actions/s"),
        *(
            Figure(name, rate, "k actions/s", "OpenSpiel", reference, floor=FLOORS.get(name))
            for name, rate in kilo.items()
        ),
    ]


def actions_per_second(game: Any) -> float:
    """Play at random with legal_actions and apply_action, with the same code for both."""
    pick = random.Random(1).random
    began = time.perf_counter()
    actions = 0
    while time.perf_counter() - began < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(pick() * len(legal))])
            actions += 1
    return actions / (time.perf_counter() - began)
