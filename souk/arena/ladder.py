"""Play every level of every game against copies of the level below it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from souk.arena.entrants import Entrant
from souk.arena.report import Row, markdown
from souk.arena.standings import Standings
from souk.arena.tournament import Tournament
from souk.engine.errors import SoukError
from souk.engine.knobs import Integer
from souk.games import game_class, load_game, names
from souk.players import player, players

DEFAULT_GAMES = 1000  # of each pairing


@dataclass(frozen=True)
class LadderTournament:
    """All levels of one game with one number of seats."""

    game: str
    seats: int
    tournament: Tournament


def table_sizes(game: str) -> range:
    """Return the numbers of players a game allows.

    >>> table_sizes("marrakech")
    range(2, 5)
    """
    for knob in game_class(game).knobs:
        if knob.name == "players" and isinstance(knob, Integer):
            return range(knob.low, knob.high + 1)
    count = load_game(game).num_players()
    return range(count, count + 1)


def ladder_tournaments(
    games: Sequence[str] = (),
    *,
    count: int = DEFAULT_GAMES,
    seed: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
) -> Iterator[LadderTournament]:
    """Yield the tournaments of the ladder: of some games or all, at tables of every size."""
    for game in games or names():
        for seats in table_sizes(game):
            tournament = Tournament.of(
                load_game(game, players=seats),
                _levels(game, seats),
                games=count,
                seed=seed,
                seconds=seconds,
                nodes=nodes,
                plan="ladder",
            )
            yield LadderTournament(game, seats, tournament)


def _levels(game: str, seats: int) -> list[str]:
    """Return the players of a game, weakest first, without those that cannot play it."""
    table = load_game(game, players=seats)
    levels = []
    for name in players(game):
        with suppress(SoukError):
            player(name, table)
            levels.append(name)
    return levels


def ladder_markdown(standings: Sequence[tuple[LadderTournament, Standings]]) -> str:
    """Return the ladder as Markdown: a table for each game, strongest level first."""
    parts = []
    for game in dict.fromkeys(ladder.game for ladder, _ in standings):
        own = [(ladder, result) for ladder, result in standings if ladder.game == game]
        heading = ["player", "against copies of"]
        heading += [f"{ladder.seats} players (fair {1 / ladder.seats:.2f})" for ladder, _ in own]
        rows: list[Row] = [[*heading, "ms per move", "p99 ms", "max ms"]]
        tournament = own[0][0].tournament
        results = [result for _, result in own]
        for pairing in reversed(tournament.pairings):
            names = [Entrant.parse(player).name for player in pairing.players]
            shares = _share_cells(results, *pairing.players)
            rows.append([*names, *shares, *_move_times(results, pairing.players[0])])
        parts.append(
            f"**{game}**{_limit(tournament)}: share of the win with its 95% interval, at least "
            f"{tournament.games} games for each figure.\n\n{markdown(rows)}"
        )
    return "\n\n".join(parts)


def _limit(tournament: Tournament) -> str:
    """Return the limit per move, which is the same for all players."""
    entrant = tournament.entrants[0]
    if entrant.seconds is not None:
        return f", {entrant.seconds:g} s per move"
    return "" if entrant.nodes is None else f", {entrant.nodes:,} nodes per move"


def _share_cells(results: Sequence[Standings], player: str, below: str) -> list[str]:
    cells = []
    for standings in results:
        try:
            share = standings.share(player, below)
            cells.append(f"{share.share:.3f} ({share.low:.3f}–{share.high:.3f})")
        except KeyError:
            cells.append("–")
    return cells


def _move_times(results: Sequence[Standings], player: str) -> list[str]:
    """Return a player's mean, 99th percentile and longest move in milliseconds."""
    stats = [one for standings in results for one in standings.players if one.player == player]
    means = [one.mean_move_seconds for one in stats if one.mean_move_seconds is not None]
    if not means:
        return ["–"] * 3
    p99 = max(one.p99_move_seconds for one in stats if one.p99_move_seconds is not None)
    longest = max(one.max_move_seconds for one in stats if one.max_move_seconds is not None)
    mean = sum(means) / len(means)
    return [f"{1000 * mean:.1f}", f"{1000 * p99:.0f}", f"{1000 * longest:.0f}"]
