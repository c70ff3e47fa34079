"""The command `souk arena`."""

from pathlib import Path
from typing import Annotated

import typer

from souk.cli.options import CsvFile, Knobs, Nodes, RecordsFile, Seconds
from souk.engine.errors import SoukError
from souk.terminal.knob_options import KnobCommand

app = typer.Typer()


@app.command(
    cls=KnobCommand,
    epilog="""\b
Examples:
  souk arena greedy random                           until it is clear which is stronger
  souk arena greedy random --games 200 --seats 4     one against three copies, 200 games
  souk arena greedy:seconds=1 greedy:nodes=500 --until width=0.05
  souk arena expert:weights=net.npz expert           a net of yours against the package's
  souk arena greedy random --results games.jsonl     run again to continue where it stopped
  souk arena greedy random --records games.souk      keep the games as records
  souk arena GAME greedy random                      a game by its name or string (`souk games`)
  souk arena --ladder                                every level against the one below, as Markdown
""",
)
def arena(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER",
            help="Computer players (see `souk players`), optionally with a limit per move or with "
            "weights of `souk train`: NAME:seconds=S, NAME:nodes=N or NAME:weights=FILE. "
            "The game may be named before them.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="GAME", help="A game's name, or a game string."),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(
            "--seats",
            "-s",
            metavar="N",
            help="Number of seats; by default the fewest the game allows.",
        ),
    ] = None,
    knob: Knobs = None,
    plan: Annotated[
        str | None,
        typer.Option(
            metavar="PLAN",
            help="Which players meet: gauntlet (the first against copies of each other player), "
            "round-robin (each against copies of each other player), ladder (each against copies "
            "of the one named before it) or mixed (different players at each table).",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("-n", "--games", metavar="N", help="Number of games per pairing.", min=1),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Stop as soon as this is known of every share of the win: decided (above or "
            "below the fair share), share=S (above or below S) or width=W (its interval "
            "is at most W wide).",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The seed of setups, dice and players.")
    ] = 1,
    seconds: Seconds = None,
    nodes: Nodes = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save every game in this file; games that it has are not played again.",
        ),
    ] = None,
    records: RecordsFile = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the standings; - for standard output."),
    ] = None,
    csv: CsvFile = None,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the standings as an .svg or .png file."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="Number of cores to use; by default all.", min=1, max=1024),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on a Ray cluster; local starts one on this machine. Needs the extra ray.",
        ),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            metavar="S",
            help="Seconds beyond its limit before a player counts as hung.",
            min=1,
        ),
    ] = 120.0,
    ladder: Annotated[
        bool,
        typer.Option(
            "--ladder", help="Play the ladder of a game, or of all, and print it as Markdown."
        ),
    ] = False,
) -> int:
    """Measure how strong computer players are by a tournament.

    Every setup is played once for each rotation of the seats, with the same dice. Where there are
    more seats than players, copies take the rest. Without --games the tournament ends when it
    is clear which player is stronger. Shares of the win are reported as they are and
    luck-adjusted: less what the dice gave or took. Ctrl-C stops early and loses no finished game.
    """
    from souk.games import FIRST
    from souk.terminal import arena as terminal
    from souk.terminal.game_choice import is_game

    if players and game is None and is_game(players[0]):
        game, *players = players
    options = terminal.RunOptions(results, records, threads, ray, patience)
    if ladder:
        if players or knob or plan or until or json or csv or chart or seats or records:
            raise SoukError(
                "--ladder can only be combined with --game, --games, --seed, --seconds, --nodes, "
                "--results, --threads, --ray and --patience"
            )
        from souk.arena.ladder import DEFAULT_GAMES, ladder_tournaments

        ladders = ladder_tournaments(
            [game] if game else [],
            count=games or DEFAULT_GAMES,
            seed=seed,
            seconds=seconds,
            nodes=nodes,
        )
        return terminal.ladder(list(ladders), options)
    from souk.arena import Tournament

    for player in players or ():
        if is_game(player):
            raise SoukError(f"{player} is a game: name one game, before the players")
    tournament = Tournament.of(
        terminal.choose_game(game or FIRST, seats, knob or ()),
        players or (),
        games=games,
        seed=seed,
        seconds=seconds,
        nodes=nodes,
        plan=plan,
        until=until,
    )
    return terminal.arena(tournament, options, terminal.Outputs(csv, json, chart))
