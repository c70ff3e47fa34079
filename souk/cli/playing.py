"""The command that plays: `souk play`."""

from pathlib import Path
from typing import Annotated

import typer

from souk.cli.options import GameText, Knobs, Language, Nodes, Players, Seats, Seconds
from souk.terminal.knob_options import WithKnobs

app = typer.Typer()


@app.command(
    cls=WithKnobs,
    epilog="""\b
Examples:
  souk play                                 a few questions, then a game
  souk play --players 2 --name Ada          at once, against a friendly player
  souk play --seat person --seat person     two people at one keyboard
  souk play --resume                        go on with the last unfinished game
  printf '?\\nquit\\n' | souk play           through a pipe: plain lines, no pauses
""",
)
def play(
    game: GameText = None,
    players: Players = None,
    knob: Knobs = None,
    seat: Seats = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", "-n", metavar="NAME", help="A name; people come first."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Deal the setup and draw all chance from this number: repeatable."
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to keep the game.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with a game: with the record named instead of GAME, or with the newest "
            "unfinished one.",
        ),
    ] = False,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="No questions at the start.")] = False,
    seconds: Seconds = None,
    nodes: Nodes = None,
    language: Language = None,
) -> int:
    """Play a game in the terminal, with people and computer players.

    A person sits first and friendly computer players around, unless seats are given. The game
    is saved after every action; Ctrl-C stops at any moment and loses nothing. Without any
    option a few questions are asked. While playing, type help.
    """
    from souk.games import FIRST
    from souk.terminal.play import Sitting
    from souk.terminal.play import play as sit_down
    from souk.terminal.seats import Wish

    given = (game, players, knob, seat, name, seed, seconds, nodes)
    return sit_down(
        Sitting(
            wish=Wish(game or FIRST, players, knob or ()),
            seats=seat or (),
            names=name or (),
            seed=seed,
            save=save,
            force=force,
            fast=fast,
            questions=not yes and all(option is None for option in given),
            seconds=seconds,
            nodes=nodes,
            language=language,
            resume=resume,
            file=game,
        )
    )
