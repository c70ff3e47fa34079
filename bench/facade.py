"""Measure actions a second through the Python API, beside OpenSpiel with its backgammon.

Then the decisions a second of the level `greedy`, beside the same in plain Python.
"""

import random
import time
from typing import Any

import pyspiel

import souk
from bench.report import Figure
from souk.players import greedy
from souk.players.greedy import Greedy

ROUNDS = 7
FLOORS = {"Marrakech, 3 players": 150.0}  # what we promise
SECONDS = 0.4
DECISIONS = 300


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
        *(greedy_figure(name, game) for name, game in games.items()),
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


def greedy_figure(name: str, game: souk.Game) -> Figure:
    Greedy.prepare(game)
    states = decisions(game)
    rates = []
    for make in (greedy.compiled, greedy.plain):
        player = Greedy(game, seed=1)
        player._best_actions = make(game)
        player.choose(states[0])
        best = 0.0
        for _ in range(ROUNDS):
            began = time.perf_counter()
            for state in states:
                player.choose(state)
            best = max(best, len(states) / (time.perf_counter() - began))
        rates.append(best / 1e3)
    return Figure(f"greedy, {name}", rates[0], "k choices/s", "plain Python", rates[1])


def decisions(game: souk.Game) -> list[souk.State]:
    """Return the states of games between greedy players that have a choice."""
    pick = random.Random(1)
    states: list[souk.State] = []
    while len(states) < DECISIONS:
        state = game.new_initial_state(len(states))
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node():
                state.apply_action(pick.choice(legal))
            else:
                states += [state.clone()] if len(legal) > 1 else []
                state.apply_action(Greedy(game, seed=1).choose(state))
    return states[:DECISIONS]
