"""A standing for people and programs: tables of text, Markdown and CSV."""

import csv
from collections.abc import Iterable, Sequence
from typing import TextIO

from souk.arena.game_runner import Played
from souk.arena.standings import Share, Standing

Row = Sequence[str]


def text(standing: Standing) -> str:
    """The whole standing as tables."""
    if not standing.games:
        return "\n".join([_heading(standing), *_failures(standing)])
    parts = [_heading(standing), _shares(standing)]
    if standing.ahead:
        parts.append(_ahead(standing))
    parts += [_ratings(standing), _players(standing), _seats(standing), _length(standing)]
    return "\n\n".join([*parts, *_failures(standing)])


def _heading(standing: Standing) -> str:
    cup = standing.tournament
    seats = cup.game.num_players()
    lines = [f"{cup.game}, seed {cup.seed}: {counted(standing.games, 'game')}"]
    if standing.games:
        lines[0] += f", every setup in all {seats} rotations of the seats"
    if standing.begun:
        told = counted(standing.begun, "game")
        lines.append(f"Not counted yet: {told} of setups that are not complete.")
    return "\n".join(lines)


def counted(count: int, thing: str) -> str:
    """A number with its thing.

    >>> counted(1, "game"), counted(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _shares(standing: Standing) -> str:
    cup = standing.tournament
    copies = cup.game.num_players() - 1
    is_asked = cup.question is not None
    rows: list[Row] = [
        ["player", "against", "share", "95 % interval", "fair", "games", "a game is worth"]
    ]
    if is_asked:
        rows[0] = [*rows[0], str(cup.question)]
    for one in standing.shares:
        is_copied = copies > 1 and not standing.ahead
        against = f"{copies} × {one.against}" if is_copied else one.against
        row = [
            one.player,
            against,
            percent(one.share),
            span(one),
            percent(one.fair),
            f"{one.games:,}",
            "" if one.gain is None else f"{one.gain:.2f}",
        ]
        rows.append([*row, one.answer or "open"] if is_asked else row)
    lines = [table(rows, left=2)]
    if is_asked:
        lines.append(
            "These intervals hold whenever one stops; of all answers together at most 5 % err."
        )
    return "\n".join(lines)


def _ahead(standing: Standing) -> str:
    rows: list[Row] = [["player", "before", "how often", "95 % interval", "games"]]
    for one in standing.ahead:
        rows.append([one.player, one.against, percent(one.share), span(one), f"{one.games:,}"])
    return table(rows, left=2)


def _ratings(standing: Standing) -> str:
    if standing.no_ratings is not None:
        return f"No ratings: {standing.no_ratings}."
    rows: list[Row] = [["rating", "", "95 % interval"]]
    for one in sorted(standing.ratings, key=lambda one: -one.rating):
        is_zero = one is standing.ratings[0]
        ends = "everything counts from here" if is_zero else f"{one.low:+.0f} to {one.high:+.0f}"
        rows.append([one.player, f"{one.rating:+.0f}" if not is_zero else "0", ends])
    return table(rows, left=1)


def _players(standing: Standing) -> str:
    rows: list[Row] = [["points", "mean", "", "min", "max", "ms a move", "99 %", "longest"]]
    for one in standing.players:
        error = "" if one.score_error is None else f"± {one.score_error:.1f}"
        paces = (one.seconds_a_move, one.slow_move, one.longest_move)
        rows.append(
            [
                one.player,
                f"{one.score:.1f}",
                error,
                str(one.score_min),
                str(one.score_max),
                *("" if pace is None else f"{1000 * pace:.1f}" for pace in paces),
            ]
        )
    return table(rows, left=1)


def _seats(standing: Standing) -> str:
    rows: list[Row] = [["seat", "share", "95 % interval", "points", ""]]
    for one in standing.seats:
        error = "" if one.score_error is None else f"± {one.score_error:.1f}"
        ends = f"{percent(one.low)} to {percent(one.high)}"
        rows.append([str(one.seat), percent(one.share), ends, f"{one.score:.1f}", error])
    return table(rows)


def _length(standing: Standing) -> str:
    length = standing.length
    assert length is not None
    return (
        f"{length.mean:.1f} turns a game ({length.least} to {length.most}, "
        f"standard deviation {length.deviation:.1f})"
    )


def _failures(standing: Standing) -> list[str]:
    return [
        f"{one.player} was withdrawn: {one.why}. Its other games were not played."
        for one in standing.failures
    ]


def percent(share: float) -> str:
    """A share in percent.

    >>> percent(0.5)
    '50.0 %'
    """
    return f"{100 * share:.1f} %"


def span(share: Share) -> str:
    """The interval of a share."""
    return f"{percent(share.low)} to {percent(share.high)}"


def table(rows: Sequence[Row], left: int = 0) -> str:
    """Rows in columns, the first few of them to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            f"{cell:<{wide}}" if column < left else f"{cell:>{wide}}"
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def markdown(rows: Sequence[Row]) -> str:
    """Rows as a table of Markdown."""
    heading, *others = rows
    lines = [heading, ["---"] * len(heading), *others]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)


def write_csv(games: Iterable[Played], file: TextIO, seats: int) -> None:
    """A row for each game: setup, turns, and for every seat who sat there and how it did."""
    writer = csv.writer(file, lineterminator="\n")
    fields = ("player", "score", "share", "place")
    writer.writerow(
        ["setup", "turns", *(f"{name}_{seat}" for name in fields for seat in range(seats))]
    )
    for game in sorted(games, key=lambda game: game.key):
        shares = [f"{share:.6g}" for share in game.shares]
        writer.writerow([game.setup, game.turns, *game.seats, *game.scores, *shares, *game.places])
