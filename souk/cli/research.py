"""The commands that let computer players play many games: `simulate`, `arena` and `train`."""

from pathlib import Path
from typing import Annotated

import typer

from souk.cli.options import CsvFile, GameText, Knobs, Nodes, Players, Seats, Seconds
from souk.engine.errors import SoukError
from souk.terminal.knob_options import WithKnobs

app = typer.Typer()


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
    csv: CsvFile = None,
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
    csv: CsvFile = None,
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
        from souk.arena.ladder import GAMES, rungs

        steps = rungs(
            [game] if game else [],
            count=games or GAMES,
            seed=seed,
            seconds=seconds,
            nodes=nodes,
        )
        return room.ladder(list(steps), how)
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
  souk train 'marracash(players=4)' -o four.json      a few minutes on a processor
"""
)
def train(
    out: Annotated[
        str,
        typer.Option(
            "-o", "--out", metavar="FILE", help="Where to keep it: .npz, for marracash .json."
        ),
    ],
    game: GameText = None,
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Rounds of games: 200, for marracash 6.", min=1),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Games of a round: 16384, for marracash 4000.", min=20, max=1_000_000
        ),
    ] = None,
    against: Annotated[
        float | None,
        typer.Option(
            metavar="PART",
            help="Part of the games with opponents of another kind, from 0 to 1: 0.1, for "
            "marracash 0.5.",
            min=0,
            max=1,
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="How fast a net learns at first: 0.001.", min=0, max=1),
    ] = None,
    begin_with: Annotated[
        str | None, typer.Option(metavar="FILE", help="A kept one to train on, instead of anew.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="MACHINE", help="Where a net is trained: cpu or gpu.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed, the same result.")] = 1,
) -> int:
    """Train the judgement of a game, by games against itself.

    For marrakech that is a net: those of the package took 3 to 22 minutes each on one GPU; a
    processor takes days for as many games. For marracash it is weights, fitted in minutes on a
    processor. Kept after every report, so Ctrl-C loses little.
    """
    from souk.engine.game import check_seed
    from souk.games.marrakech.ai.trainer import Plan
    from souk.terminal.train import train as run

    check_seed(seed)
    wishes = {
        "rounds": rounds,
        "games": games,
        "against": against,
        "rate": rate,
        "begin_with": begin_with,
        "on": on,
        "seed": seed,
    }
    return run(game or Plan.game, out, wishes)
