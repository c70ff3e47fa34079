"""Run `souk` in a child process, and make records for it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import souk
from souk.records import Record, Seat

GREEDY = ("--seat", "greedy", "--seat", "random")
SMALL = "marrakech(players=2,rugs=3)"


def run(
    *arguments: str,
    data: Path | None = None,
    stdin: str | bytes = b"",
    code: int = 0,
    seconds: float = 60,
    **environ: str,
) -> "subprocess.CompletedProcess[str]":
    """Run `souk`; check the exit code and that there is no traceback."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "souk", *arguments],
        input=given,
        capture_output=True,
        timeout=seconds,
        env={
            **os.environ,
            "SOUK_DATA_DIR": str(data or "/nonexistent"),
            "COLUMNS": "80",
            **environ,
        },
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err, err
    assert done.returncode == code, f"{done.returncode}\n{out}\n{err}"
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


RunMain = Callable[..., tuple[object, str, str]]


def random_record(moves: int | None = None, seed: int = 1, text: str = SMALL) -> Record:
    """Return the record of a game of random choices, a small one by default."""
    game = souk.load_game(text)
    state = game.new_initial_state(seed)
    player = souk.player("random", game, seed=seed)
    while not state.is_terminal() and (moves is None or len(state.history()) < moves):
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_action(player.choose(state))
    others = [Seat(name, "random") for name in ("Leila", "Karim", "Zineb")]
    seats = [Seat("Ada"), *others][: game.num_players()]
    return Record.from_state(state, seed=seed, seats=seats)
