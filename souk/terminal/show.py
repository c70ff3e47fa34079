"""`souk show`: show a position of a record, the turn that led to it, or all moves."""

import sys
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.styled_text import make_printable, pad, wrap
from souk.records import Record, RecordError
from souk.terminal.files import STREAM, label, read_record, say, write_text
from souk.terminal.palette import colour_depth, paint
from souk.terminal.screen_layout import (
    PLAIN_COLUMNS,
    View,
    board_and_players,
    paragraph,
    turn_logs,
)


def show(
    file: str,
    *,
    game: int | None = None,
    at: int | None,
    moves: bool,
    svg: str | None,
    theme: str,
) -> int:
    """Show a record, up to the error if it is broken; return the exit code."""
    record, code = read_valid_part(file, game)
    number = move_number(record, at)
    if svg == STREAM:
        print(_drawing(record, number, theme))
    elif svg is not None:
        write_text(Path(svg), _drawing(record, number, theme))
        say(f"The drawing is in {svg}")
    elif moves:
        say(_move_list(record))
    else:
        print(_position_text(record, number))
    return code


def read_valid_part(file: str, game: int | None) -> tuple[Record, int]:
    """Read a record; of a broken one, the part before the error. Return it and the exit code."""
    try:
        return read_record(file, game), 0
    except RecordError as error:
        if error.record is None:
            raise SoukError(f"{label(file)}: {error}") from None
        say(f"souk: {label(file)}: {error}; showing what comes before", sys.stderr)
        return error.record, 1


def move_number(record: Record, at: int | None) -> int:
    """Return how many moves to replay; a negative number counts from the end."""
    count = len(record.actions)
    number = count if at is None else at if at >= 0 else count + 1 + at
    if not 0 <= number <= count:
        raise SoukError(f"this record has moves 0 to {count}, or -1 to -{count + 1}, not {at}")
    return number


def _drawing(record: Record, number: int, theme: str) -> str:
    """Draw a position as SVG."""
    if theme not in ("light", "dark", "auto"):
        raise SoukError(f"a theme is light, dark or auto, not {theme!r}")
    return record.replay(number).svg(theme=theme, names=[*map(make_printable, record.names())])


def _position_text(record: Record, number: int) -> str:
    """Return the board, the turn that led to it, and what to do next."""
    state = record.replay(number)
    names = record.names()
    depth = colour_depth(sys.stdout)
    lines = board_and_players(View(state, names), None)
    lines += wrap(
        f"{record.game}, after move {number} of {len(record.actions)}", PLAIN_COLUMNS, style="dim"
    )
    for log in turn_logs(state, names)[-1:]:
        lines += paragraph(log, PLAIN_COLUMNS)
    lines += wrap(state.game.prompt(state, names), PLAIN_COLUMNS, style="strong")
    return "\n".join(paint(line, depth) for line in lines)


def _move_list(record: Record) -> str:
    """Return every move with its number, its text and its events."""
    state = record.replay()
    names = record.names()
    digits = len(str(len(record.actions)))
    texts = record.texts()
    column = max(map(len, texts), default=0)
    lines = []
    for number, (before, action, after) in enumerate(state.steps(), start=1):
        events = state.game.events(before, action, after)
        sentences = " ".join(event.sentence(names) for event in events)
        line = f"{number:>{digits}}. {pad(texts[number - 1], column)}  {sentences}"
        lines.append(line.rstrip())
    return "\n".join(lines) or "No moves yet."
