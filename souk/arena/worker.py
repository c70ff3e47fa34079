"""Play games in a child process, started by the worker pool.

The worker reads the classes of players that have no installed name (see `pickled_players`) from the
first line, then one job per line, and answers one line each. The seat whose answer it waits for is
in shared memory, so that the pool can name the player that hangs or crashes the process.
"""

import json
import mmap
import os
import queue
import struct
import threading
import time
from functools import cache
from typing import IO, Any

from souk.arena.entrants import Entrant
from souk.arena.game_runner import Job, OnAsk, PlayerFailed, play_game
from souk.arena.pickled_players import PickledPlayers
from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.games import load_game

WATCH = struct.Struct("<qd")  # the seat that must answer, -1 for none, and since when


def main(watch: int) -> None:
    """Play jobs until standard input is closed."""
    jobs, answers = _duplicate(0, "rb"), _duplicate(1, "wb")
    # Players must not read our jobs or write between our answers.
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        os.dup2(os.open(os.devnull, mode), stream)
    shared = mmap.mmap(watch, WATCH.size)

    def on_ask(seat: int) -> None:
        WATCH.pack_into(shared, 0, seat, time.monotonic())

    players = PickledPlayers(json.loads(jobs.readline()))
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_jobs, args=(jobs, waiting), daemon=True).start()
    while True:
        answer = _answer(json.loads(waiting.get()), players, on_ask)
        on_ask(-1)
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _duplicate(stream: int, mode: str) -> IO[bytes]:
    return os.fdopen(os.dup(stream), mode)


def _read_jobs(jobs: IO[bytes], waiting: "queue.SimpleQueue[bytes]") -> None:
    """Queue jobs; end the process when the pool is gone, even if it was killed."""
    for line in jobs:
        waiting.put(line)
    os._exit(0)


def _answer(values: dict[str, Any], players: PickledPlayers, on_ask: OnAsk) -> dict[str, Any]:
    """Return the result of a job, or the player that failed, or another error."""
    job = Job.from_dict(values)
    try:
        game = _game(job.game)
        entrants = []
        for seat, text in enumerate(job.players):
            on_ask(seat)
            entrants.append(players.entrant(text))
            _warm_up(game, entrants[-1])
        on_ask(-1)
        return {"result": play_game(game, job, entrants, on_ask).to_dict()}
    except PlayerFailed as failure:
        return {"failed": failure.player, "reason": failure.reason}
    except SoukError as error:
        return {"error": str(error)}


@cache
def _game(text: str) -> Game:
    return load_game(text)


@cache
def _warm_up(game: Game, entrant: Entrant) -> None:
    """Let a player move once, so that loading and compiling do not count as thinking time."""
    state = game.new_initial_state(0)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    try:
        entrant.player(game, 0).choose(state)
    except SoukError as error:
        raise PlayerFailed.of(entrant, error) from error
