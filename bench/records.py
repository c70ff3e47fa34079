"""Measure how many games a second are read and written, beside one game at a time in Python."""

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import souk
from bench.report import Figure
from souk import records
from souk.records import Record, Seat, replay

GAMES = {"Marrakech, 3 players": 2000, "MarraCash, 4 players": 600}
STRINGS = {"Marrakech, 3 players": "marrakech(players=3)", "MarraCash, 4 players": "marracash"}
# What we promise for Marrakech: 10,000 games/s where one by one 1,422 are read and 767 written.
AT_LEAST = {"read and checked": 7.0, "written": 13.0}
FLOORS = {"Marrakech, 3 players": 10.0}
DIFFERENT = 200  # games; the others repeat them
ROUNDS = 5


def figures() -> list[Figure]:
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name, count in GAMES.items():
            different = random_games(STRINGS[name])
            games = (different * -(-count // DIFFERENT))[:count]
            file = Path(folder) / "games.souk"
            records.write_games(file, games)
            texts = [records.write(game) for game in different]
            read, plainly_read = best(
                lambda file=file: [*records.read_games(file)],
                lambda texts=texts: plainly(records.read, texts),
            )
            wrote, plainly_wrote = best(
                lambda file=file, games=games: records.write_games(file, games),
                lambda games=different: plainly(records.write, games),
            )
            for what, fast, plain in (
                ("read and checked", read, plainly_read),
                ("written", wrote, plainly_wrote),
            ):
                lines.append(
                    Figure(
                        f"{name}, {what}",
                        count / fast / 1e3,
                        "k games/s",
                        "one by one, in Python",
                        len(different) / plain / 1e3,
                        at_least=AT_LEAST[what] if name in FLOORS else None,
                        floor=FLOORS.get(name),
                    )
                )
    return lines


def plainly(function: Callable[[Any], object], values: Sequence[object]) -> None:
    """Call a function for each value, without compiled code."""
    with patch.object(replay, "_are_many", lambda *_: False):
        for value in values:
            function(value)


def best(*tasks: Callable[[], object]) -> list[float]:
    """Return the least CPU seconds of each task, in rounds of all tasks."""
    least = [float("inf") for _ in tasks]
    for _ in range(ROUNDS):
        for number, task in enumerate(tasks):
            began = time.process_time()
            task()
            least[number] = min(least[number], time.process_time() - began)
    return least


def random_games(text: str) -> list[Record]:
    game, pick = souk.load_game(text), random.Random(1)
    games = []
    for seed in range(DIFFERENT):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(game.random_action(state, pick))
        seats = [Seat(f"Player {seat}", "random") for seat in range(1, game.num_players() + 1)]
        games.append(Record.from_state(state, seed=seed, seats=seats))
    return games
