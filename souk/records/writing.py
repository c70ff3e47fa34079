"""Write records. docs/records.md describes the format."""

import re
from pathlib import Path

from souk.records.file_paths import convert_position, relativise_paths
from souk.records.record import Record, Seat, format_position, format_result


def write(record: Record, folder: Path | None = None) -> str:
    """Return the text of a record. Paths in it are relative to `folder`."""
    return "\n".join([*_header(record, folder), "", *_turns(record), ""])


def _header(record: Record, folder: Path | None) -> list[str]:
    final = record.replay()
    results = [f"result: {format_result(final)}", f"scores: {' '.join(map(str, final.scores()))}"]
    return [*_setup(record, folder), *results, *_extra(record)]


def fixed_lines(record: Record) -> list[str]:
    """Return the lines of the header that do not follow from the moves."""
    return [*_setup(record, None), *_extra(record)]


def _setup(record: Record, folder: Path | None) -> list[str]:
    lines = [f"game: {relativise_paths(str(record.game), folder)}"]
    if record.start is not None:
        position = convert_position(record.start, relativise_paths, folder)
        lines.append(f"position: {format_position(position)}")
    if record.seed is not None:
        lines.append(f"seed: {record.seed}")
    lines += [f"seat {number}: {_seat(seat)}" for number, seat in enumerate(record.seats, 1)]
    if record.date is not None:
        lines.append(f"date: {record.date.isoformat()}")
    return lines


def _extra(record: Record) -> list[str]:
    return [f"{one_line(key)}: {one_line(value)}" for key, value in record.extra.items()]


def _seat(seat: Seat) -> str:
    return f"{one_line(seat.name)}, {one_line(seat.plays)}"


def _turns(record: Record) -> list[str]:
    """Return a line for every turn: number, player, actions and a comment."""
    state = record.initial_state()
    names = record.names()
    lines: list[str] = []
    turn = -1
    texts: list[str] = []
    notes: list[str] = []

    def end_line() -> None:
        if texts:
            comment = f"  ; {', '.join(notes)}" if notes else ""
            lines.append(f"{label} {', '.join(texts)}{comment}")
            texts.clear()
            notes.clear()

    label = ""
    for action in record.actions:
        now = record.game.turn_number(state.buffer)
        if now != turn:
            end_line()
            turn = now
            name = re.sub("[:;]", " ", one_line(names[record.game.turn_of(state.buffer)]))
            label = f"{turn}. {name}:" if turn else "deal:"
        texts.append(record.game.action_to_string(action))
        state.apply_action(action)
        notes += filter(None, (event.note() for event in state.events()))
    end_line()
    return lines


def one_line(text: str) -> str:
    """Return a text without line breaks and other control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split()) or "?"
