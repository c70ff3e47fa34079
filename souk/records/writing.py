"""Write records. docs/records.md describes the format."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from souk.engine.errors import IllegalAction, SoukError
from souk.engine.state import State
from souk.records.file_paths import convert_position, relativise_paths
from souk.records.header import checked_key
from souk.records.moves import MOST_NESTED
from souk.records.record import Outcome, Record, Seat, Variation, format_position
from souk.records.replay import NOTES, Job, Replay, one_line, replay_all, replay_line

_BATCH = 500  # records that are replayed together


def write(record: Record, folder: Path | None = None) -> str:
    """Return the text of a record. Paths in it are relative to `folder`."""
    return _text(record, replay_all([_job(record)])[0], folder)


def write_all(records: Iterable[Record], folder: Path | None = None) -> Iterator[str]:
    """Yield the texts of many records. This is much faster than `write` for each of them."""
    iterator = iter(records)
    while batch := list(islice(iterator, _BATCH)):
        more_follow = len(batch) == _BATCH
        replays = replay_all([_job(record) for record in batch], more_follow=more_follow)
        for record, replayed in zip(batch, replays, strict=True):
            yield _text(record, replayed, folder)


def _job(record: Record) -> Job:
    return Job(record, _line_starts(record))


def _text(record: Record, replayed: Replay, folder: Path | None) -> str:
    moves = _check(replayed).text
    if record.comments or record.variations:
        moves = "\n".join(_annotated(record, replayed, record.names()))
    header = "\n".join(_header(record, replayed.outcome, folder))
    return f"{header}\n\n{moves}\n" if moves else f"{header}\n\n"


# ---- the header ----------------------------------------------------------------------------------


def _header(record: Record, outcome: Outcome, folder: Path | None) -> list[str]:
    lines = _setup(record, folder)
    if record.comment:
        lines[:0] = _comment(record.comment)
    lines += [f"result: {outcome.result}", f"scores: {outcome.scores_text}"]
    return lines + _extra(record)


def fixed_lines(record: Record) -> list[str]:
    """Return the lines of the header that do not follow from the moves."""
    return [*_setup(record, None), *_extra(record)]


def _setup(record: Record, folder: Path | None) -> list[str]:
    lines = [f"game: {_game_string(str(record.game), folder)}"]
    if record.start is not None:
        position = convert_position(record.start, relativise_paths, folder)
        lines.append(f"position: {format_position(position)}")
    if record.seed is not None:
        lines.append(f"seed: {record.seed}")
    lines += [f"seat {number}: {_seat(seat)}" for number, seat in enumerate(record.seats, 1)]
    if record.date is not None:
        lines.append(f"date: {record.date.isoformat()}")
    return lines


_game_string = lru_cache(256)(relativise_paths)


def _extra(record: Record) -> list[str]:
    return [
        f"{checked_key(key)}: {one_line(value)}" if value.strip() else f"{checked_key(key)}:"
        for key, value in record.extra.items()
    ]


def _seat(seat: Seat) -> str:
    return f"{one_line(seat.name)}, {one_line(seat.plays)}"


# ---- comments and variations ---------------------------------------------------------------------


def _line_starts(branch: Record | Variation, first: int = 0) -> list[int]:
    """Return before which actions a line must start, counted from the first action.

    A comment stands below the line that it follows, a variation below the line that it replaces.
    Raise SoukError if there is no such place.
    """
    comments, variations = branch.comments, branch.variations
    if not comments and not variations:
        return []
    last = first + len(branch.actions)
    for at in comments:
        if not first <= at <= last:
            raise SoukError(f"no comment can follow {at} moves; accepted here: {first} to {last}")
    for one in variations:
        if not first <= one.start < last:
            accepted = f"{first} to {last - 1}" if first < last else "none"
            raise SoukError(f"no variation can have start {one.start}; accepted here: {accepted}")
        if not one.actions:
            raise SoukError(f"the variation with start {one.start} needs moves")
    return [*(at - first for at in comments), *(one.start - first for one in variations)]


def _annotated(
    branch: Record | Variation,
    replayed: Replay,
    names: Sequence[str],
    first: int = 0,
    depth: int = 0,
) -> list[str]:
    """Return the lines of moves with comments and variations between them."""
    comments, variations = branch.comments, branch.variations
    if variations and depth == MOST_NESTED:
        raise SoukError(f"variations are nested deeper than {MOST_NESTED}, the most accepted")
    by_start: dict[int, list[Variation]] = {}
    for variation in variations:
        by_start.setdefault(variation.start - first, []).append(variation)
    states = replayed.states() if variations else []
    lines = _comment(comments[first]) if first in comments else []
    ends = [*replayed.starts, replayed.applied][1:]
    for line, start, end in zip(replayed.lines, replayed.starts, ends, strict=True):
        lines.append(line)
        if first + end in comments:
            lines += _comment(comments[first + end])
        for variation in by_start.get(start, ()):
            lines += _variation(variation, states[start].clone(), names, depth + 1)
    return lines


def _variation(variation: Variation, state: State, names: Sequence[str], depth: int) -> list[str]:
    """Return the lines of a variation in its parentheses."""
    first = variation.start
    starts = _line_starts(variation, first)
    replayed = _check(replay_line(state, variation.actions, names, starts), first)
    lines = _annotated(variation, replayed, names, first, depth)
    if lines[-1] == replayed.lines[-1]:
        moves, *notes = lines[-1].split(NOTES, 1)
        lines[-1] = NOTES.join([f"{moves})", *notes])
    else:  # comments or variations follow its last moves
        lines.append(")")
    if lines[0].startswith(";"):
        return ["(", *lines]
    lines[0] = f"({lines[0]}"
    return lines


def _check(replayed: Replay, first: int = 0) -> Replay:
    """Return a replay. Raise IllegalAction if an action was not legal."""
    if replayed.problem:
        raise IllegalAction(f"move {first + replayed.applied + 1}: {replayed.problem}")
    return replayed


def _comment(text: str) -> list[str]:
    """Return the lines of a comment."""
    return [f"; {_printable(line)}".rstrip() for line in text.split("\n")]


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
