"""The commands about games: `rules`, `games`, `players` and `prepare`."""

import shutil
import sys
from typing import Annotated

import typer

from souk.cli.options import GameText, Knobs, Language, Players
from souk.terminal.knob_options import KnobCommand

app = typer.Typer()


@app.command(cls=KnobCommand)
def rules(
    game: GameText = None,
    players: Players = None,
    knob: Knobs = None,
    language: Language = None,
) -> None:
    """Show the rules of a game with its settings.

    In the language of your locale if there is a translation, otherwise in English.
    """
    from souk.games import FIRST
    from souk.terminal.game_choice import GameChoice
    from souk.terminal.palette import colour_depth
    from souk.terminal.rules import rules_text

    chosen = GameChoice(game or FIRST, players, knob or ()).game()
    columns = shutil.get_terminal_size().columns
    print(rules_text(chosen, language, colour_depth(sys.stdout), columns))


@app.command()
def games() -> None:
    """List the games with their settings."""
    from souk.terminal.game_lists import games_text

    print(games_text())


@app.command()
def players(game: GameText = None) -> None:
    """List the computer players of a game, weakest first."""
    from souk.engine.knobs import parse_game
    from souk.games import FIRST
    from souk.terminal.game_lists import players_text

    print(players_text(parse_game(game or FIRST)[0]))


@app.command()
def prepare(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Games; by default all.")
    ] = None,
) -> None:
    """Compile games in advance, so that the first game does not have to wait.

    What is compiled already is skipped.
    """
    from souk.terminal.prepare import prepare as run

    run(games or ())
