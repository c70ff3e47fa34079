"""`souk prepare`: compile the kernels of games in advance."""

import gc
import logging
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.knobs import parse_game
from souk.engine.paths import lasting_cache_folder
from souk.engine.playouts import cores
from souk.games import game_class, load_game, names


def prepare(texts: Sequence[str]) -> None:
    """Compile the kernels of some games; without any, of every game's standard settings."""
    try:
        folder = lasting_cache_folder()
    except OSError as error:
        raise _not_stored(str(error)) from None
    games: list[Game] = []
    for text in texts or names():
        name, settings = parse_game(text)
        kind = game_class(name)
        games += [kind(**settings)] if settings else kind.common_games()
    missing = [game for game in games if not game.is_prepared()]
    if not missing:
        print(f"All {len(games)} games are prepared." if len(games) > 1 else "It is prepared.")
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _not_stored(f"{folder}: {error.strerror}") from None
    count = len(missing)
    print(
        f"Compiling {count} kernel{'' if count == 1 else 's'}; a minute or less each …", flush=True
    )
    workers = min(cores(), len(missing))
    if workers == 1:
        for game in missing:
            print(_compile(str(game)), flush=True)
        return
    # Processes, not threads: compiling holds the interpreter's lock.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for line in pool.map(_compile, map(str, missing)):
            print(line, flush=True)


def _not_stored(reason: str) -> SoukError:
    message = f"compiled games cannot be stored: {reason}; set SOUK_CACHE_DIR to a folder of yours"
    return SoukError(message)


def _compile(text: str) -> str:
    logging.getLogger("souk").setLevel(logging.ERROR)  # it would log the same again
    started = time.perf_counter()
    gc.disable()  # compiling makes little garbage and many objects: a tenth of the time
    load_game(text).prepare()
    gc.enable()
    return f"  {text}: {time.perf_counter() - started:.1f} s"
