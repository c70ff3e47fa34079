"""Measure what rollouts gain by subtracting luck and by truncation, against plain rollouts.

The figures are the games that a standard error of 0.01 takes, a mean over positions of games of
mixed players. Luck is subtracted without any bias; truncation has the bias of the evaluation.
"""

from collections.abc import Iterator
from random import Random

from bench.report import Figure
from souk.analysis.decisions import pick_decision
from souk.analysis.rollouts import RolloutRunner
from souk.engine.playouts import cores
from souk.games import load_game

POSITIONS = {"marrakech": 6, "marracash": 24}  # those of MarraCash differ more
GAMES = 120
ERROR = 0.01
TRUNCATED = {  # turns of each player until games are truncated
    "marrakech(players=2,two_player=one-colour)": 3,
    "marrakech(players=2)": 3,
    "marrakech(players=3)": 3,
    "marrakech(players=4)": 3,
    "marracash(players=3)": 1,
    "marracash(players=4)": 1,
}


def figures() -> Iterator[Figure]:
    """Yield the games that plain rollouts take, beside those of each way to reduce them."""
    for text, turns in TRUNCATED.items():
        game = load_game(text)
        random = Random(1)
        plain = adjusted = truncated = 0.0
        positions = POSITIONS[game.name]
        for _ in range(positions):
            state = pick_decision(game, random)
            seat = state.current_player()
            shares, luck = RolloutRunner(state, threads=cores()).play([-1], 0, GAMES)
            plain += shares[:, 0, seat].var(ddof=1)
            adjusted += (shares - luck)[:, 0, seat].var(ddof=1)
            end = turns * game.num_players()
            shares, luck = RolloutRunner(state, threads=cores(), truncate=end).play([-1], 0, GAMES)
            truncated += (shares - luck)[:, 0, seat].var(ddof=1)
        scale = positions * ERROR**2
        what = f"{text}, plain"
        yield Figure(what, plain / scale, "games", "luck subtracted", adjusted / scale)
        beside = f"also truncated ({turns} turns each)"
        yield Figure(what, plain / scale, "games", beside, truncated / scale, at_least=10)
