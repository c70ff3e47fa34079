"""The strongest player of an earlier version of the package, in a process of its own.

SOUK_PREVIOUS is the folder of a checkout of that version. Its own environment is used if it has
one (`make setup`), otherwise this one.
"""

import itertools
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from souk import Game, State
from souk.players import Player

MOST_PLAYERS = 16  # that the process holds at a time
SERVE = f"""
import json, sys
import souk
players = {{}}
for line in sys.stdin:
    asked = json.loads(line)
    number, limits = asked["player"], asked["limits"]
    game = souk.load_game(asked["position"]["game"])
    if number not in players:
        players[number] = souk.player("master", game, **limits)
        for old in sorted(players)[:-{MOST_PLAYERS}]:
            del players[old]
    state = game.state_from_dict(asked["position"])
    for text in asked["actions"]:
        state.apply_action(state.string_to_action(text))
    print(state.action_to_string(players[number].choose(state)), flush=True)
    for name in ("_reader", "_inference"):  # forget the moves that were only imagined
        if reader := getattr(players[number], name, None):
            reader._history = reader._history[:asked["made"]]
            reader._read = {{at: one for at, one in reader._read.items() if at < asked["made"]}}
"""
_numbers = itertools.count()


class Previous(Player):
    """Chooses what `master` chooses in an earlier version."""

    name = "previous"

    def __init__(self, game: Game, **limits: Any) -> None:
        super().__init__(game, **limits)
        self._limits = {**limits, "seed": self.random.getrandbits(62)}
        self._number = next(_numbers)

    def think(self, state: State, _actions: list[int]) -> int:
        return self.answer(state, len(state.history()))

    def answer(self, state: State, made: int) -> int:
        """Ask the other process; only so many actions of the history were really made."""
        texts = []
        start = state.clone()
        for action in reversed(state.history()):
            start.undo_action()
            texts.append(start.action_to_string(action))
        asked = {
            "player": self._number,
            "limits": self._limits,
            "position": start.to_dict(),
            "actions": texts[::-1],
            "made": made,
        }
        process = _process()
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        return state.string_to_action(process.stdout.readline().strip())


@cache
def _process() -> "subprocess.Popen[str]":
    folder = Path(os.environ["SOUK_PREVIOUS"]).resolve()
    own = folder / ".venv" / "bin" / "python"
    return subprocess.Popen(
        [own if own.exists() else sys.executable, "-c", SERVE],
        cwd=folder,  # so that this version is found first
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
