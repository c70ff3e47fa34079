"""The command `souk`: reads the command line and calls the terminal's rooms.

Exit codes: 0 fine, 1 something given cannot be used, a check failed or the output cannot be
written (a full disk, a reader that has gone), 2 wrong usage, 130 stopped with Ctrl-C. What a
command needs is loaded when it runs, so that help is instant.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from souk.engine.errors import SoukError
from souk.terminal.knob_options import WithKnobs

app = typer.Typer(
    name="souk",
    help="Play, study and research market games.",
    rich_markup_mode=None,  # Rich would take longer to load than everything else together
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

GameText = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="A game's name, or a game string with settings: 'NAME(players=3)'.",
        show_default=False,
    ),
]
Players = Annotated[int | None, typer.Option("--players", "-p", metavar="N", help="How many play.")]
Knobs = Annotated[
    list[str] | None,
    typer.Option(
        "--knob",
        "-k",
        metavar="NAME=VALUE",
        help="Any setting that `souk games` lists; also written --NAME VALUE.",
    ),
]
Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        "-s",
        metavar="KIND",
        help="Who sits there, once per seat: a computer player (`souk players`), or, to play, a "
        "person.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option("--language", "-l", metavar="CODE", help="Of the rules: en, fr, it …"),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Thinking time of computer players per move."),
]
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", metavar="N", help="Thinking in nodes instead: play can be repeated."),
]


def main() -> None:
    """Run the command line; the one place where errors become sentences and exit codes."""
    # A stream that was closed before we started is None.
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a strange byte must not end a game
    try:
        code = app(standalone_mode=False) or 0
        sys.stdout.flush()
    except SoukError as error:
        code = _complain(str(error))
    except BrokenPipeError:  # a reader that has gone; typer, which may see it first, agrees on 1
        code = 1
        _let_go()
    except OSError as error:  # what is written to files is FileError's: this is a full disk
        code = _complain(f"cannot write the output: {error.strerror or error}".lower())
        _let_go()
    except Exception as error:
        show = getattr(error, "show", None)  # wrong usage, which typer words
        if show is None:
            raise
        show()
        code = getattr(error, "exit_code", 2)
    sys.exit(code)


def _complain(sentence: str) -> int:
    from souk.terminal.files import say

    say(f"souk: {sentence}", sys.stderr)
    return 1


def _let_go() -> None:
    """Let Python's last attempt to write what is left lead nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(wanted: bool) -> None:
    if wanted:
        import souk

        print(f"souk {souk.__version__}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    epilog="`souk play` starts a game at once; `souk COMMAND --help` has examples.",
)
def souk_command(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Play, study and research market games."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(
    cls=WithKnobs,
    epilog="""\b
Examples:
  souk play                                 a few questions, then a game
  souk play --players 2 --name Ada          at once, against the strongest player
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

    A person sits first and the strongest computer players around, unless seats are given. The game
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


@app.command(
    cls=WithKnobs,
    epilog="""\b
Examples:
  souk simulate -n 100000                            random games, in compiled code
  souk simulate -n 200 --seat greedy --seat random   two players against each other
  souk simulate -n 1000 --json - | jq .seats         for programs
""",
)
def simulate(
    game: GameText = None,
    games: Annotated[
        int, typer.Option("-n", "--games", metavar="N", help="How many games.", min=1)
    ] = 1000,
    players: Players = None,
    knob: Knobs = None,
    seat: Seats = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed, the same games.")] = 1,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Cores to use; by default all, if it pays.", min=1, max=1024
        ),
    ] = None,
    csv: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a row per game; - for standard output."),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write settings and summary; - for standard output."),
    ] = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
) -> int:
    """Let computer players play many games, and sum them up.

    The last player given takes the seats that are left; without any, all play at random. Game
    number g of a seed is the same for any number of games and threads, as long as the players
    do not think by the clock. Ctrl-C ends early and sums up what was played.
    """
    from souk.games import FIRST
    from souk.terminal.matches import match_of
    from souk.terminal.seats import Wish
    from souk.terminal.simulate import simulate as run

    chosen = Wish(game or FIRST, players, knob or ()).game(len(seat or ()))
    match = match_of(chosen, seat or (), seed=seed, games=games, seconds=seconds, nodes=nodes)
    return run(match, workers=threads, csv_file=csv, json_file=json)


@app.command(
    epilog="""\b
Examples:
  souk show game.souk                    how it ended
  souk show game.souk --at 12            after move 12; --at -2 is one before the last
  souk show game.souk --moves | less     every move with what came of it
  souk show game.souk --svg board.svg    a drawing of the position
"""
)
def show(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A game record; - for standard input.")
    ],
    at: Annotated[
        int | None,
        typer.Option(metavar="N", help="After so many moves; negative counts from the end."),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="List the moves instead.")] = False,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw it as SVG instead; - for standard output."),
    ] = None,
    theme: Annotated[
        str, typer.Option(metavar="NAME", help="Of the drawing: light, dark or auto.")
    ] = "light",
) -> int:
    """Show a position of a recorded game and the turn that led to it."""
    from souk.terminal.show import show as run

    return run(record, at=at, moves=moves, svg=svg, theme=theme)


@app.command()
def check(
    records: Annotated[
        list[str], typer.Argument(metavar="RECORD", help="Game records; - for standard input.")
    ],
) -> int:
    """Check records: every move, the result and the scores. One line for each file."""
    from souk.terminal.show import check as run

    return run(records)


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
    import shutil

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
