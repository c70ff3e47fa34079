"""The command `souk train`."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from souk.cli.options import GameText

app = typer.Typer()


class TrainCommand(TyperCommand):
    """A command that takes the options of a game's trainer as well."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, including options of the trainer."""
        own = {text for param in self.get_params(ctx) for text in param.opts}
        return super().parse_args(ctx, as_options(args, own))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the options of every game's trainer, then the examples."""
        from souk.games import game_class, names
        from souk.train import trainer_class

        for name in names():
            if game_class(name).trainer:
                with formatter.section(f"Options for {name}"):
                    formatter.write_dl(trainer_class(game_class(name)).help())
        super().format_epilog(ctx, formatter)


def as_options(args: Sequence[str], own: Collection[str]) -> list[str]:
    """Rewrite `--NAME VALUE` to `--option NAME=VALUE`; the command's own options stay.

    >>> as_options(["--out", "net.npz", "--begin-with", "old.npz", "--rounds=5"], ["--out"])
    ['--out', 'net.npz', '--option', 'begin_with=old.npz', '--option', 'rounds=5']
    """
    left = list(args)
    rewritten: list[str] = []
    while left:
        word = left.pop(0)
        option, equals, value = word.partition("=")
        if not option.startswith("--") or option in (*own, "--"):
            rewritten.append(word)
            continue
        if not equals:
            value = left.pop(0) if left else ""
        rewritten += ["--option", f"{option[2:].replace('-', '_')}={value}"]
    return rewritten


@app.command(
    cls=TrainCommand,
    epilog="""\b
Examples:
  souk train -o net.npz --rounds 5 --games 100        a small one, to see it work
  souk train GAME -o three.npz --on gpu
  souk train GAME -o more.npz --begin-with three.npz --rate 3e-4
""",
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
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the trainer, as --NAME VALUE."),
    ] = None,
) -> int:
    """Train the evaluation of a game by self-play.

    What is trained depends on the game: a net, which takes minutes on a GPU and days on a CPU, or
    the weights of a heuristic, which take minutes on a CPU. Every round is saved. After Ctrl-C the
    same command continues where it stopped. docs/training.md says how to play with the result.
    """
    from souk.terminal.train import train as run

    pairs = [one.partition("=") for one in option or ()]
    return run(game, out, {name: value for name, _, value in pairs})
