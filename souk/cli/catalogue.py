"""The commands that tell what there is: `rules`, `games`, `players`; and `prepare`."""

import shutil
import sys
from typing import Annotated

import typer

from souk.cli.options import GameText, Knobs, Language, Players
from souk.terminal.knob_options import WithKnobs

app = typer.Typer()


@app.command(cls=WithKnobs)
def rules(
    game: GameText = None,
    players: Players = None,
    knob: Knobs = None,
    language: Language = None,
) -> None:
    """Show the rules of a game, as it is set.

    In the language of your locale if there is a translation, else in English.
    """
    from souk.games import FIRST
    from souk.terminal.catalogue import rules_text
    from souk.terminal.palette import depth_of
    from souk.terminal.seats import Wish

    chosen = Wish(game or FIRST, players, knob or ()).game()
    columns = shutil.get_terminal_size().columns
    print(rules_text(chosen, language, depth_of(sys.stdout), columns))


@app.command()
def games() -> None:
    """List the games with their settings."""
    from souk.terminal.catalogue import games_text

    print(games_text())


@app.command()
def players(game: GameText = None) -> None:
    """List the computer players of a game, weakest first."""
    from souk.engine.knobs import parse_game
    from souk.games import FIRST
    from souk.terminal.catalogue import players_text

    print(players_text(parse_game(game or FIRST)[0]))


@app.command()
def prepare(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Games; all by default.")
    ] = None,
) -> None:
    """Compile what later commands need.

    So nobody's first game waits for it. What is compiled already is left alone.
    """
    from souk.terminal.catalogue import prepare as run

    run(games or ())
