"""Format standings as text, HTML, Markdown and CSV."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TextIO

from souk.arena.game_runner import GameResult
from souk.arena.intervals import Interval
from souk.arena.standings import Share, Standings

LUCK_ADJUSTED = (
    "Luck-adjusted: the wins less what chance outcomes gave or took, which is 0 on average; the "
    "same share, as a rule more exact."
)
Row = Sequence[str]


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of which is the heading."""

    rows: list[Row]
    left: int = 0  # columns aligned left; the others are aligned right
    note: str = ""  # below the table


def standings_text(standings: Standings) -> str:
    """Return the standings as text."""
    parts = []
    for part in _parts(standings):
        if isinstance(part, Table):
            parts.append("\n".join(filter(None, [table(part.rows, part.left), part.note])))
        else:
            parts.append(part)
    return "\n\n".join(parts)


def standings_html(standings: Standings) -> str:
    """Return the standings as HTML, for notebooks."""
    html = []
    for part in _parts(standings):
        if isinstance(part, Table):
            heading, *rows = (_html_row(row, part.left) for row in part.rows)
            html.append(f"<table><thead>{heading}</thead><tbody>{''.join(rows)}</tbody></table>")
        note = part.note if isinstance(part, Table) else part
        html += [f"<p>{escape(line)}</p>" for line in note.split("\n") if line]
    return "".join(html)


def _html_row(row: Row, left: int) -> str:
    cells = (
        f'<td style="text-align: {"left" if column < left else "right"}">{escape(cell)}</td>'
        for column, cell in enumerate(row)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _parts(standings: Standings) -> Iterator[str | Table]:
    yield _heading(standings)
    if standings.games:
        yield _shares(standings)
        if standings.ahead:
            yield _ahead(standings)
        yield _ratings(standings)
        yield from (_players(standings), _seats(standings), _length(standings))
    for failure in standings.failures:
        sentence = f"{failure.player} was withdrawn: {failure.reason}."
        yield f"{sentence} Its remaining games were not played."


def _heading(standings: Standings) -> str:
    tournament = standings.tournament
    seats = tournament.game.num_players()
    lines = [f"{tournament.game}, seed {tournament.seed}: {quantity(standings.games, 'game')}"]
    if standings.games:
        lines[0] += f", each setup in all {seats} rotations of the seats"
    if standings.is_interrupted:
        lines.append("Stopped by Ctrl-C before the end.")
    if standings.incomplete:
        games = quantity(standings.incomplete, "game")
        lines.append(f"Not counted yet: {games} of incomplete setups.")
    return "\n".join(lines)


def quantity(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> quantity(1, "game"), quantity(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _shares(standings: Standings) -> Table:
    tournament = standings.tournament
    copies = tournament.game.num_players() - 1
    rule = tournament.until
    is_adjusted = any(share.adjusted for share in standings.shares)
    columns = ["luck-adjusted", "95% interval"] if is_adjusted else []
    rows: list[Row] = [
        ["player", "against", "wins", "95% interval", *columns, "fair", "games", "efficiency"]
    ]
    if rule is not None:
        rows[0] = [*rows[0], str(rule)]
    for share in standings.shares:
        is_copied = copies > 1 and not standings.ahead
        row = [
            share.player,
            f"{copies} × {share.against}" if is_copied else share.against,
            percent(share.share),
            interval_text(share),
            *([percent(share.best.share), interval_text(share.best)] if is_adjusted else []),
            percent(share.fair),
            f"{share.games:,}",
            "" if share.efficiency is None else f"{share.efficiency:.2f}",
        ]
        rows.append(row if rule is None else [*row, share.answer or "open"])
    notes = [LUCK_ADJUSTED] if is_adjusted else []
    if rule is not None:
        notes.append(
            "The intervals are valid whenever the tournament stops; the answers are all right with "
            "a probability of at least 95%."
        )
    return Table(rows, left=2, note="\n".join(notes))


def _ahead(standings: Standings) -> Table:
    rows: list[Row] = [["player", "ahead of", "games ahead", "95% interval", "games"]]
    for share in standings.ahead:
        cells = [percent(share.share), interval_text(share), f"{share.games:,}"]
        rows.append([share.player, share.against, *cells])
    return Table(rows, left=2)


def _ratings(standings: Standings) -> str | Table:
    if standings.no_ratings is not None:
        return f"No ratings: {standings.no_ratings}."
    rows: list[Row] = [["player", "rating", "95% interval"]]
    for rated in sorted(standings.ratings, key=lambda rated: -rated.rating):
        if rated is standings.ratings[0]:
            rows.append([rated.player, "0", "reference"])
        else:
            interval = f"{rated.low:+.0f} to {rated.high:+.0f}"
            rows.append([rated.player, f"{rated.rating:+.0f}", interval])
    return Table(rows, left=1)


def _players(standings: Standings) -> Table:
    rows: list[Row] = [
        ["player", "mean score", "", "min", "max", "ms per move", "p99 ms", "max ms"]
    ]
    for stats in standings.players:
        error = "" if stats.score_error is None else f"± {stats.score_error:.1f}"
        times = (stats.mean_move_seconds, stats.p99_move_seconds, stats.max_move_seconds)
        rows.append(
            [
                stats.player,
                f"{stats.score:.1f}",
                error,
                str(stats.score_min),
                str(stats.score_max),
                *("" if seconds is None else f"{1000 * seconds:.1f}" for seconds in times),
            ]
        )
    return Table(rows, left=1)


def _seats(standings: Standings) -> Table:
    rows: list[Row] = [["seat", "wins", "95% interval", "mean score", ""]]
    for stats in standings.seats:
        error = "" if stats.score_error is None else f"± {stats.score_error:.1f}"
        interval = f"{percent(stats.low)} to {percent(stats.high)}"
        cells = [percent(stats.share), interval, f"{stats.score:.1f}", error]
        rows.append([str(stats.seat + 1), *cells])
    return Table(rows)


def _length(standings: Standings) -> str:
    length = standings.length
    assert length is not None
    return (
        f"{length.mean:.1f} turns per game ({length.min} to {length.max}, "
        f"standard deviation {length.deviation:.1f})"
    )


def percent(share: float) -> str:
    """Return a share as a percentage.

    >>> percent(0.5)
    '50.0%'
    """
    return f"{share:.1%}"


def interval_text(share: Share | Interval) -> str:
    """Return the interval of a share."""
    return f"{percent(share.low)} to {percent(share.high)}"


def table(rows: Sequence[Row], left: int = 0) -> str:
    """Return rows as columns of text, the first `left` columns aligned left, the rest right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            f"{cell:<{width}}" if column < left else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def markdown(rows: Sequence[Row]) -> str:
    """Return rows as a Markdown table."""
    heading, *others = rows
    lines = [heading, ["---"] * len(heading), *others]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)


def write_csv(games: Iterable[GameResult], file: TextIO, seats: int) -> None:
    """Write a row per game: setup, turns, and each seat's player, score, share, place and luck."""
    writer = csv.writer(file, lineterminator="\n")
    fields = ("player", "score", "share", "place", "luck")
    writer.writerow(
        ["setup", "turns", *(f"{name}_{seat}" for name in fields for seat in range(seats))]
    )
    for game in sorted(games, key=lambda game: game.key):
        shares = [f"{share:.6g}" for share in game.returns]
        cells = [*game.players, *game.scores, *shares, *game.places, *game.luck]
        writer.writerow([game.setup, game.turns, *cells])
