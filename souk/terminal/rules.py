"""`souk rules`: show the rulebook of a game."""

import os
from collections.abc import Mapping
from typing import Literal

from souk.engine.game import Game
from souk.terminal.palette import ColourDepth

MAX_COLUMNS = 88  # longer lines are hard to read


def default_language(game: Game, environ: Mapping[str, str] = os.environ) -> str:
    """Return the language of the locale if the rulebook has it, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(variable)
        if value:
            language = value.partition("_")[0].partition(".")[0].lower()
            return language if language in game.languages() else "en"
    return "en"


def rules_text(game: Game, language: str | None, depth: ColourDepth, columns: int) -> str:
    """Return the rulebook: formatted for a terminal with colours, else as Markdown."""
    markdown = game.rulebook(language or default_language(game)).markdown()
    if depth is ColourDepth.NONE:
        return markdown
    from io import StringIO

    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    styles = {f"markdown.{part}": "bold" for part in ("h1", "h2", "h3", "code", "item.bullet")}
    systems: dict[ColourDepth, Literal["standard", "256", "truecolor"]] = {
        ColourDepth.SIXTEEN: "standard",
        ColourDepth.PALETTE: "256",
        ColourDepth.TRUE: "truecolor",
    }
    console = Console(
        file=StringIO(),
        force_terminal=True,
        color_system=systems[depth],
        width=min(columns, MAX_COLUMNS),
        theme=Theme(styles),
    )
    with console.capture() as capture:
        console.print(Markdown(markdown))
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n"))
