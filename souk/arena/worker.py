"""A process that plays games: `python -m souk.arena.worker FD`, started by the crew.

It reads a job a line and answers a line each. Whose answer it waits for stands in shared memory,
so that the crew knows whom to blame when a player hangs or takes the process down with it.
"""

import json
import mmap
import os
import queue
import struct
import sys
import threading
import time
from functools import cache
from typing import IO, Any

from souk.arena.entrants import Entrant
from souk.arena.game_runner import Job, PlayerFailed, play
from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.games import load_game

WATCH = struct.Struct("<qd")  # the seat that is asked, -1 for none, and since when


def main(watch: int) -> None:
    """Play whatever is asked for, until nobody asks any more."""
    jobs, answers = _private(0, "rb"), _private(1, "wb")
    # What players read and write must not get between us and the crew.
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        os.dup2(os.open(os.devnull, mode), stream)
    shared = mmap.mmap(watch, WATCH.size)

    def asked(seat: int) -> None:
        WATCH.pack_into(shared, 0, seat, time.monotonic())

    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs, waiting), daemon=True).start()
    while True:
        answer = _answer(json.loads(waiting.get()), asked)
        asked(-1)
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _private(stream: int, mode: str) -> IO[bytes]:
    return os.fdopen(os.dup(stream), mode)


def _listen(jobs: IO[bytes], waiting: "queue.SimpleQueue[bytes]") -> None:
    """Pass jobs on, and do not outlive the crew, not even one that was killed."""
    for line in jobs:
        waiting.put(line)
    os._exit(0)


def _answer(found: dict[str, Any], asked: Any) -> dict[str, Any]:
    """What came of a job: the game, or who failed and how, or what else is wrong."""
    job = Job(found["game"], found["seed"], found["setup"], tuple(found["seats"]))
    try:
        game = _game(job.game)
        for seat, text in enumerate(job.seats):
            asked(seat)
            _warm_up(game, text)
        seats = [Entrant.parse(text) for text in job.seats]
        return {"played": play(game, job, seats, asked).to_dict()}
    except PlayerFailed as failure:
        return {"failed": failure.player, "why": failure.why}
    except SoukError as error:
        return {"error": str(error)}


@cache
def _game(text: str) -> Game:
    return load_game(text)


@cache
def _warm_up(game: Game, text: str) -> None:
    """Let a player move once before it counts: what it loads and compiles is no thinking time."""
    state = game.new_initial_state(0)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    try:
        Entrant.parse(text).player(game, 0).choose(state)
    except SoukError as error:
        raise PlayerFailed(text, str(error)) from error


if __name__ == "__main__":
    main(int(sys.argv[1]))
