"""The command `souk train`."""

from typing import Annotated

import typer

from souk.cli.options import GameText

app = typer.Typer()


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
