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
    typer.Option(
        "--language", "-l", metavar="CODE", help="Of the rules: de, en, es, fr, it, nl or pt."
    ),
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
    cls=WithKnobs,
    epilog="""\b
Examples:
  souk arena greedy random                           until it is clear who is better
  souk arena greedy random --games 200 --seats 4     one against three copies, 200 games
  souk arena greedy:seconds=1 greedy:nodes=500 --until width=0.05
  souk arena greedy random --results cup.jsonl       again: goes on where it stopped
  souk arena --ladder                                every level against the one below, as Markdown
""",
)
def arena(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="Computer players (`souk players`), also with a limit of their own: "
            "NAME:seconds=S or NAME:nodes=N.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="GAME", help="A game's name, or a game string."),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(
            "--seats", "-s", metavar="N", help="How many play; the game's fewest by default."
        ),
    ] = None,
    knob: Knobs = None,
    plan: Annotated[
        str | None,
        typer.Option(
            metavar="PLAN",
            help="Who meets whom: first (the first against copies of each other one), each "
            "(everyone against copies of everyone), steps (each against copies of the one before "
            "it) or together (different players at each table).",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("-n", "--games", metavar="N", help="Games of each pairing.", min=1),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="QUESTION",
            help="Stop as soon as it is answered: decided (above or below the fair share?), "
            "share=S (above or below S?) or width=W (of the intervals).",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of setups, dice and players.")] = 1,
    seconds: Seconds = None,
    nodes: Nodes = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep every game there; what it has is not played again."
        ),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the whole report; - for standard output."),
    ] = None,
    csv: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a row per game; - for standard output."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the report, as .svg or .png.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="Cores to use; by default all.", min=1, max=1024),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Ray cluster; local starts one here. Extra: ray."
        ),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            metavar="S", help="Seconds beyond its time after which a player hangs.", min=1
        ),
    ] = 120.0,
    ladder: Annotated[
        bool,
        typer.Option("--ladder", help="Play the ladder of a game, or of all, and print it."),
    ] = False,
) -> int:
    """Let computer players play each other, and say who is how strong.

    Every setup is played once for each rotation of the seats, with the same dice. At a table with
    more seats than players, copies take the others. Without --games it ends when it is clear who
    is better. Ctrl-C ends early and loses no game that was played.
    """
    from souk.games import FIRST
    from souk.terminal import arena as room

    how = room.How(results, threads, ray, patience)
    if ladder:
        if players or knob or plan or until or json or csv or plot or seats:
            raise SoukError("--ladder takes --game, --games, --seed, limits and --results alone")
        limits = {"count": games, "seed": seed, "seconds": seconds, "nodes": nodes}
        return room.ladder([game] if game else [], how, **limits)
    from souk.arena import Tournament

    cup = Tournament.of(
        room.game_of(game or FIRST, seats, knob or ()),
        players or (),
        games=games,
        seed=seed,
        seconds=seconds,
        nodes=nodes,
        plan=plan,
        until=until,
    )
    return room.arena(cup, how, room.Wanted(csv, json, plot))


@app.command(
    epilog="""\b
Examples:
  souk train -o net.npz --rounds 5 --games 100        a small one, to see it work
  souk train 'marrakech(players=3)' -o three.npz --on gpu
  souk train 'marrakech(players=3)' -o on.npz --begin-with three.npz --rate 3e-4
"""
)
def train(
    out: Annotated[str, typer.Option("-o", "--out", metavar="FILE", help="Where to keep the net.")],
    game: GameText = None,
    rounds: Annotated[int, typer.Option(metavar="N", help="Rounds of games.", min=1)] = 200,
    games: Annotated[int, typer.Option(metavar="N", help="Games of a round.", min=20)] = 16_384,
    against: Annotated[
        float,
        typer.Option(
            metavar="PART",
            help="Part of the games with opponents of another kind, from 0 to 1.",
            min=0,
            max=1,
        ),
    ] = 0.1,
    rate: Annotated[
        float, typer.Option(metavar="RATE", help="How fast it learns at first.", min=0)
    ] = 1e-3,
    begin_with: Annotated[
        str, typer.Option(metavar="FILE", help="A kept net to train on, instead of a new one.")
    ] = "",
    on: Annotated[str, typer.Option(metavar="MACHINE", help="The cpu or a gpu.")] = "cpu",
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed, the same net.")] = 1,
) -> int:
    """Train a net to judge positions, by games against itself.

    It is kept after every report, so Ctrl-C loses little. The nets of the package took four
    minutes each on one GPU; a processor takes days for as many games.
    """
    from souk.terminal.train import train as run
    from souk.train.training import Plan

    plan = Plan(
        game=game or Plan.game,
        rounds=rounds,
        games=games,
        rate=rate,
        against=against,
        seed=seed,
        begin_with=begin_with,
    )
    return run(plan, on, out)


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


@app.command(
    epilog="""\b
Examples:
  souk analyse game.souk                       who was lucky, who played well, what cost most
  souk analyse game.souk --moves | less        every move with what it cost or brought
  souk analyse game.souk --nodes 20000         think longer about each position
  souk analyse game.souk --chart share.svg     the expected share over time as a drawing
  souk analyse game.souk --json - | jq .accounts   for programs
"""
)
def analyse(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A game record; - for standard input.")
    ],
    level: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The computer player who judges; the strongest by default."
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes", metavar="N", help="How much it looks at for each position; 2000 by default."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", help="Time for each position instead."),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="List every move with what it cost or brought.")
    ] = False,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write everything as JSON; - for standard output."),
    ] = None,
    chart: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Draw the expected shares as SVG; - for standard output."
        ),
    ] = None,
    theme: Annotated[
        str, typer.Option(metavar="NAME", help="Of the drawing: light, dark or auto.")
    ] = "light",
) -> int:
    """Tell what was luck and what was skill in a game.

    A computer player thinks about every decision, and about all that chance might have brought. A
    game that is not over is told up to where it stands. docs/analysis.md says what the numbers
    mean.
    """
    from souk.terminal.analyse import Wanted
    from souk.terminal.analyse import analyse as run

    return run(
        record,
        Wanted(
            level=level,
            nodes=nodes,
            seconds=seconds,
            moves=moves,
            json=json,
            chart=chart,
            theme=theme,
        ),
    )


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


@app.command(
    epilog="""\b
Examples:
  souk serve                                     on this machine alone, port 8080
  souk serve --host 0.0.0.0 --port 80            for everybody who can reach it
  souk serve --database postgresql://souk@db/souk   one of several processes

Every option can be set in the environment too: SOUK_PORT=80 souk serve.
"""
)
def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen; 127.0.0.1 by default.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="N", help="8080 by default; 0 takes a free one.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A file, or postgresql://…; a file in your data folder by default.",
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The address people use, if a proxy is in between."),
    ] = None,
    proxies: Annotated[
        str | None, typer.Option(metavar="LIST", help="Proxies whose headers to believe.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Computer players that think at a time.")
    ] = None,
    seconds: Seconds = None,
    limits: Annotated[
        bool | None,
        typer.Option("--limits/--no-limits", help="How much one person may ask for."),
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Show the page in a browser, if there is one.")
    ] = False,
) -> int:
    """Host tables for people and computer players.

    Everything is kept in the database at every step: a server that is killed goes on where it
    was. Ctrl-C or SIGTERM stops it; clients are told and come back.
    """
    from souk.server.serve import serve as run
    from souk.server.settings import Settings

    given = {
        "host": host,
        "port": port,
        "database": database,
        "origin": origin,
        "proxies": proxies,
        "workers": workers,
        "seconds": seconds,
        "limits": limits,
        "log_level": log_level,
    }
    return run(Settings.chosen(given, os.environ), opens=open_page)


@app.command(
    epilog="""\b
Example:
  souk bot http://127.0.0.1:8080/t/TABLE --player greedy
"""
)
def bot(
    url: Annotated[str, typer.Argument(metavar="LINK", help="The link of a table.")],
    player: Annotated[
        str, typer.Option("--player", metavar="NAME", help="A computer player (`souk players`).")
    ] = "greedy",
    name: Annotated[
        str | None, typer.Option("--name", "-n", metavar="NAME", help="What to call it.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="The seat to take; any by default.", min=0)
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", envvar="SOUK_TOKEN", help="An identity that it had before."),
    ] = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
) -> int:
    """Seat a computer player at a table of a server, near or far, and let it play to the end."""
    from souk.bot import run

    return run(url, level=player, name=name, seat=seat, token=token, seconds=seconds, nodes=nodes)


@app.command()
def verify(
    records: Annotated[
        list[str], typer.Argument(metavar="RECORD", help="Game records; - for standard input.")
    ],
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="What the table showed before the game, if you noted it."),
    ] = None,
) -> int:
    """Prove or refute that a game's dice were fair.

    Works out every chance outcome again from the secret in the record, which was promised before
    the first move: note that promise, the commitment, and compare. One line for each file; exit
    code 1 unless all are proven.
    """
    from souk.terminal.show import verify as run

    return run(records, commitment)


admin = typer.Typer(
    help="Look into the database of a server, also while it runs.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.add_typer(admin, name="admin")
Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", envvar="SOUK_DATABASE", help="As given to `souk serve`."
    ),
]


@admin.command("list")
def admin_list(
    database: Database = None,
    status: Annotated[
        str | None, typer.Option(metavar="STATUS", help="waiting, playing or over; all by default.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="At most so many.", min=1)] = 100,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> int:
    """List tables, the newest first, private ones too."""
    from souk.server.admin import list_tables

    return list_tables(database, status, limit, as_json=json)


@admin.command("export")
def admin_export(
    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="TABLE", help="Ids of tables; all finished ones by default."),
    ] = None,
    database: Database = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="A file for each; else to the output."),
    ] = None,
) -> int:
    """Write the records of games."""
    from souk.server.admin import export

    return export(database, tables or [], to)
