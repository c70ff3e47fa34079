"""What there is: `souk games`, `souk players`, `souk rules`, and `souk prepare` to compile it."""

import logging
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Literal

from souk.engine.game import Game
from souk.engine.playouts import cores
from souk.engine.styled_text import plain_text, wrap
from souk.games import game_class, load_game, names
from souk.players import players
from souk.terminal.layout import PAPER_COLUMNS
from souk.terminal.palette import Depth

RULES_COLUMNS = 88  # longer lines are hard to read


def games_text() -> str:
    """Every game with its knobs."""
    parts = []
    for name in names():
        kind = game_class(name)
        defaults = kind.default_settings({})
        rows = [(knob.name, knob.accepts, knob.about) for knob in kind.knobs]
        wide = [max(len(row[column]) for row in rows) + 2 for column in range(2)]
        lines = [f"{name}    plain {name} is {kind()}"]
        for knob, accepts, about in rows:
            label = f"  {knob:<{wide[0]}}{accepts:<{wide[1]}}"
            told = wrap(f"{about} [{defaults[knob]}]", PAPER_COLUMNS, label=label, hang=len(label))
            lines += map(plain_text, told)
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def players_text(game: str) -> str:
    """The computer players of a game, weakest first."""
    return "\n".join(players(game))


def default_language(game: Game, environ: Mapping[str, str] = os.environ) -> str:
    """The rulebook's language for this locale, if it has it; else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(variable)
        if value:
            language = value.partition("_")[0].partition(".")[0].lower()
            return language if language in game.languages() else "en"
    return "en"


def rules_text(game: Game, language: str | None, depth: Depth, columns: int) -> str:
    """The rulebook: set in type for a terminal with colours, else as Markdown."""
    markdown = game.rulebook(language or default_language(game)).markdown()
    if depth is Depth.NONE:
        return markdown
    from io import StringIO

    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    calm = {f"markdown.{part}": "bold" for part in ("h1", "h2", "h3", "code", "item.bullet")}
    systems: dict[Depth, Literal["standard", "256", "truecolor"]] = {
        Depth.SIXTEEN: "standard",
        Depth.PALETTE: "256",
        Depth.TRUE: "truecolor",
    }
    console = Console(
        file=StringIO(),
        force_terminal=True,
        color_system=systems[depth],
        width=min(columns, RULES_COLUMNS),
        theme=Theme(calm),
    )
    with console.capture() as capture:
        console.print(Markdown(markdown))
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n"))


def prepare(texts: Sequence[str]) -> None:
    """Compile the kernels of some games; without any, the standard games of every game there is."""
    games: list[Game] = []
    for text in texts or names():
        games += game_class(text).common_games() if text in names() else [load_game(text)]
    waiting = [game for game in games if not game.is_prepared()]
    if not waiting:
        print(f"All {len(games)} games are prepared." if len(games) > 1 else "It is prepared.")
        return
    print(f"Compiling {len(waiting)} kernels, once; some seconds each …", flush=True)
    workers = min(cores(), len(waiting))
    if workers == 1:
        for game in waiting:
            print(_compiled(str(game)), flush=True)
        return
    # Fresh processes: compiling holds the interpreter's lock, so threads would take turns.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for told in pool.map(_compiled, map(str, waiting)):
            print(told, flush=True)


def _compiled(text: str) -> str:
    logging.getLogger("souk").setLevel(logging.ERROR)  # it would say the same again
    started = time.perf_counter()
    load_game(text).prepare()
    return f"  {text}: {time.perf_counter() - started:.1f} s"
