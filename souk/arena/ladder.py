"""The published ladder: every level of every game against copies of the level below it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from souk.arena.entrants import Entrant
from souk.arena.report import Row, markdown
from souk.arena.standings import Standing
from souk.arena.tournament import Tournament
from souk.engine.errors import SoukError
from souk.engine.knobs import Integer
from souk.games import game_class, load_game, names
from souk.players import player, players

GAMES = 1000  # of each step


@dataclass(frozen=True)
class Rung:
    """All steps of one game with one number of seats."""

    game: str
    seats: int
    tournament: Tournament


def table_sizes(game: str) -> range:
    """How many may play a game.

    >>> table_sizes("marrakech")
    range(2, 5)
    """
    for knob in game_class(game).knobs:
        if knob.name == "players" and isinstance(knob, Integer):
            return range(knob.low, knob.high + 1)
    count = load_game(game).num_players()
    return range(count, count + 1)


def rungs(
    games: Sequence[str] = (),
    *,
    count: int = GAMES,
    seed: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
) -> Iterator[Rung]:
    """The tournaments of the ladder: of some games, or of all, at tables of every size."""
    for game in games or names():
        for seats in table_sizes(game):
            cup = Tournament.of(
                load_game(game, players=seats),
                _levels(game, seats),
                games=count,
                seed=seed,
                seconds=seconds,
                nodes=nodes,
                plan="steps",
            )
            yield Rung(game, seats, cup)


def _levels(game: str, seats: int) -> list[str]:
    """The players of a game, weakest first; those of others that do not play it are left out."""
    table = load_game(game, players=seats)
    found = []
    for name in players(game):
        with suppress(SoukError):
            player(name, table)
            found.append(name)
    return found


def ladder_text(standings: Sequence[tuple[Rung, Standing]]) -> str:
    """The ladder as Markdown: a table for each game, strongest first."""
    parts = []
    for game in dict.fromkeys(rung.game for rung, _ in standings):
        own = [(rung, found) for rung, found in standings if rung.game == game]
        heading = ["player", "against copies of"]
        heading += [f"{rung.seats} players (fair {1 / rung.seats:.2f})" for rung, _ in own]
        rows: list[Row] = [[*heading, "ms a move", "99 %", "longest"]]
        for pairing in reversed(own[0][0].tournament.pairings):
            player, below = pairing.players
            who = [Entrant.parse(one).name for one in pairing.players]
            rows.append([*who, *_cells(own, player, below), *_pace(own, player)])
        cup = own[0][0].tournament
        parts.append(
            f"**{game}**{_limit(cup)}: share of the win with its 95 % interval, {cup.games} games "
            f"or a few more for each figure.\n\n{markdown(rows)}"
        )
    return "\n\n".join(parts)


def _limit(cup: Tournament) -> str:
    """How long everybody may think; one player stands for all."""
    one = Entrant.parse(cup.pairings[0].players[0])
    if one.seconds is not None:
        return f", {one.seconds:g} s a move"
    return "" if one.nodes is None else f", {one.nodes:,} nodes a move"


def _cells(own: Sequence[tuple[Rung, Standing]], player: str, below: str) -> list[str]:
    cells = []
    for _, standing in own:
        try:
            one = standing.share(player, below)
            cells.append(f"{one.share:.3f} ({one.low:.3f}–{one.high:.3f})")
        except KeyError:
            cells.append("–")
    return cells


def _pace(own: Sequence[tuple[Rung, Standing]], player: str) -> list[str]:
    """How long a move took on the mean, 99 of 100 moves, and the longest."""
    seen = [one for _, found in own for one in found.players if one.player == player]
    paces = [one.seconds_a_move for one in seen if one.seconds_a_move is not None]
    if not paces:
        return ["–"] * 3
    slow = max(one.slow_move for one in seen if one.slow_move is not None)
    longest = max(one.longest_move for one in seen if one.longest_move is not None)
    mean = sum(paces) / len(paces)
    return [f"{1000 * mean:.1f}", f"{1000 * slow:.0f}", f"{1000 * longest:.0f}"]
