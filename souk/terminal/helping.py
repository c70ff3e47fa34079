"""What can be typed during a game, and the rulebook beside it."""

import os
from collections.abc import Mapping

from souk.engine.game import Game
from souk.terminal.palette import Depth

HELP = """\
Type an option, or enough of it to be clear: case, spaces and hyphens do not matter.
The tab key completes what you began.

  ?            all options, each with what it would cause
  ? OPTION     what one option would cause
  u, undo      take back your last choice, unless chance has acted since
  s, save      say where the game is kept; save FILE keeps a copy there
  board        show the board again
  story        tell the whole game so far
  rules        the rules of this game
  help         this text
  q, quit      stop; the game is kept and can be resumed

The game is saved after every action. Ctrl-C stops at any moment and loses nothing.
While the others play, any key makes them hurry."""


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
    systems = {Depth.SIXTEEN: "standard", Depth.PALETTE: "256", Depth.TRUE: "truecolor"}
    console = Console(
        file=StringIO(),
        force_terminal=True,
        color_system=systems[depth],  # type: ignore[arg-type]
        width=min(columns, 88),
        theme=Theme(calm),
    )
    with console.capture() as capture:
        console.print(Markdown(markdown))
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n"))
