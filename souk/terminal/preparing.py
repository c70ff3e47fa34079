"""`souk prepare`: compiles the kernels of the standard games before anybody waits for them."""

import logging
import time
from collections.abc import Sequence

from souk.engine.game import Game
from souk.engine.playouts import playouts
from souk.games import game_class, load_game, names


def prepare(texts: Sequence[str]) -> None:
    """Prepare some games; without any, the standard games of every game there is."""
    games: list[Game] = []
    for text in texts or names():
        games += game_class(text).standard() if text in names() else [load_game(text)]
    waiting = [game for game in games if not game.is_prepared()]
    if not waiting:
        print(f"All {len(games)} games are prepared." if len(games) > 1 else "It is prepared.")
        return
    logging.getLogger("souk").setLevel(logging.ERROR)  # it would say the same again
    for game in waiting:
        print(f"Compiling {game} …", end=" ", flush=True)
        started = time.perf_counter()
        playouts(game, games=0, threads=1)
        print(f"{time.perf_counter() - started:.1f} s", flush=True)
