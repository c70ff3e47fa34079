"""The command `souk train`."""

from typing import Annotated

import typer

from souk.cli.options import GameText

app = typer.Typer()


@app.command(
    epilog="""\b
Examples:
  souk train -o net.npz --rounds 5 --games 100        a small one, to see it work
  souk train GAME -o three.npz --on gpu
  souk train GAME -o more.npz --begin-with three.npz --rate 3e-4
"""
)
def train(
    out: Annotated[
        str,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="File to save to: .npz for a net, .json for weights.",
        ),
    ],
    game: GameText = None,
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Rounds of games; the default depends on the game.", min=1),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Games per round; the default depends on the game.",
            min=20,
            max=1_000_000,
        ),
    ] = None,
    against: Annotated[
        float | None,
        typer.Option(
            metavar="PART",
            help="Part of the games with opponents of another kind, from 0 to 1.",
            min=0,
            max=1,
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="Initial learning rate of a net: 0.001.", min=0, max=1),
    ] = None,
    begin_with: Annotated[
        str | None, typer.Option(metavar="FILE", help="A saved file to train further.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="MACHINE", help="Where a net is trained: cpu or gpu.")
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The same seed gives the same result.")
    ] = 1,
) -> int:
    """Train the evaluation of a game by self-play.

    What is trained depends on the game: a net, which takes minutes on a GPU and days on a CPU, or
    the weights of a heuristic, which take minutes on a CPU. They are saved after every report, so
    Ctrl-C loses little.
    """
    from souk.engine.game import check_seed
    from souk.terminal.train import train as run

    check_seed(seed)
    options = {
        "rounds": rounds,
        "games": games,
        "against": against,
        "rate": rate,
        "begin_with": begin_with,
        "on": on,
        "seed": seed,
    }
    return run(game, out, options)
