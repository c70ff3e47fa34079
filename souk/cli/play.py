"""The command `souk play`."""

from pathlib import Path
from typing import Annotated

import typer

from souk.cli.options import GameText, Knobs, Language, Nodes, Players, SeatsWithPeople, Seconds
from souk.terminal.knob_options import KnobCommand

app = typer.Typer()


@app.command(
    cls=KnobCommand,
    epilog="""\b
Examples:
  souk play                                 a few questions, then a game
  souk play --players 2 --name Ada          against an easy opponent, without questions
  souk play --seat person --seat person     two people at one keyboard
  souk play --resume                        continue the last unfinished game
  printf '?\\nquit\\n' | souk play            through a pipe: plain lines, no pauses
""",
)
def play(
    game: GameText = None,
    players: Players = None,
    knob: Knobs = None,
    seat: SeatsWithPeople = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name", "-n", metavar="NAME", help="A player's name; people are named first."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Deal the setup and draw all chance from this seed."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to save the game.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Continue a game: the record named instead of GAME, or the last unfinished one.",
        ),
    ] = False,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask no questions at the start.")
    ] = False,
    seconds: Seconds = None,
    nodes: Nodes = None,
    language: Language = None,
) -> int:
    """Play a game in the terminal, with people and computer players.

    Unless seats are given, a person has the first seat and easy computer players the others. The
    game is saved after every action; Ctrl-C stops at any time and loses nothing. Without options
    a few questions are asked. Type help while playing.
    """
    from souk.games import FIRST
    from souk.terminal.game_choice import GameChoice
    from souk.terminal.play import PlayOptions
    from souk.terminal.play import play as run

    given = (game, players, knob, seat, name, seed, seconds, nodes)
    return run(
        PlayOptions(
            choice=GameChoice(game or FIRST, players, knob or ()),
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
