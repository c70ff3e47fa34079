"""The command `souk simulate`."""

from typing import Annotated

import typer

from souk.cli.options import (
    CsvFile,
    GameText,
    Knobs,
    Nodes,
    Players,
    RecordsFile,
    Seats,
    Seconds,
)
from souk.terminal.knob_options import KnobCommand

app = typer.Typer()


@app.command(
    cls=KnobCommand,
    epilog="""\b
Examples:
  souk simulate -n 100000                            random games, in compiled code
  souk simulate -n 10000000 --device cuda            random games on an NVIDIA GPU
  souk simulate -n 200 --seat greedy --seat random   two players against each other
  souk simulate -n 1000 --json - | jq .seats         for programs
  souk simulate -n 1000 --records games.souk         keep the games as records
""",
)
def simulate(
    game: GameText = None,
    games: Annotated[
        int, typer.Option("-n", "--games", metavar="N", help="Number of games.", min=1)
    ] = 1000,
    players: Players = None,
    knob: Knobs = None,
    seat: Seats = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same games.")] = 1,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of cores to use; by default all, if that is faster.",
            min=1,
            max=1024,
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="DEVICE", help="cpu, or cuda: random games on an NVIDIA GPU.")
    ] = "cpu",
    csv: CsvFile = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write settings and summary; - for standard output."),
    ] = None,
    records: RecordsFile = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
) -> int:
    """Play many games between computer players, and sum them up.

    The last player given takes the remaining seats; without any, all play at random. The games of
    a seed are the same for any number of games and threads, unless players are limited by time.
    Ctrl-C stops early and sums up the games played.
    """
    from souk.arena.simulation import Simulation
    from souk.games import FIRST
    from souk.players import players as player_names
    from souk.players.random_player import Uniform
    from souk.terminal.game_choice import GameChoice
    from souk.terminal.seats import fill_seats
    from souk.terminal.simulate import simulate as run

    kinds = seat or [Uniform.name]
    chosen = GameChoice(game or FIRST, players, knob or ()).game(len(seat or ()))
    others = [kinds[-1]] * chosen.num_players()
    names = fill_seats(chosen, kinds, others, player_names(chosen.name))
    simulation = Simulation.of(
        chosen,
        names,
        seed=seed,
        games=games,
        seconds=seconds,
        nodes=nodes,
        records_folder=None if records is None else records.parent,
        device=device,
    )
    return run(simulation, workers=threads, csv_file=csv, json_file=json, records_file=records)
