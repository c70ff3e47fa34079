"""`souk show`: a position of a record, what led to it, and its picture."""

import sys
from pathlib import Path

from souk.engine.errors import SoukError
from souk.records import Record, RecordError
from souk.terminal.files import label, read_record, write_text
from souk.terminal.layout import View, paragraph, table
from souk.terminal.lines import wrap
from souk.terminal.palette import depth_of, paint
from souk.terminal.story import told

STDOUT = "-"
COLUMNS = 100


def show(file: str, *, at: int | None, moves: bool, svg: str | None, theme: str) -> int:
    """Show a record; returns the exit code. Of a broken record everything before the error."""
    code = 0
    try:
        record = read_record(file)
    except RecordError as error:
        if error.record is None:
            raise SoukError(f"{label(file)}: {error}") from None
        record, code = error.record, 1
        print(f"souk: {label(file)}: {error}; here is what comes before that", file=sys.stderr)
    number = _number(record, at)
    if svg == STDOUT:
        print(picture(record, number, theme))
    elif moves:
        print(listing(record))
    else:
        print(position(record, number))
    if svg not in (None, STDOUT):
        write_text(Path(str(svg)), picture(record, number, theme))
        print(f"The drawing is in {svg}", file=sys.stderr)
    return code


def _number(record: Record, at: int | None) -> int:
    """How many moves to replay; negative numbers count from the end."""
    count = len(record.actions)
    number = count if at is None else at if at >= 0 else count + 1 + at
    if not 0 <= number <= count:
        raise SoukError(f"this record has moves 0 to {count}, or -1 to -{count + 1}, not {at}")
    return number


def picture(record: Record, number: int, theme: str) -> str:
    """The drawing of a position as SVG."""
    if theme not in ("light", "dark", "auto"):
        raise SoukError(f"a theme is light, dark or auto, not {theme!r}")
    return record.replay(number).svg(theme=theme, names=record.names())


def position(record: Record, number: int) -> str:
    """The board, the turn that led to it, and what is to be done."""
    state = record.replay(number)
    names = record.names()
    depth = depth_of(sys.stdout)
    lines = table(View(state, names), None)
    lines += wrap(
        f"{record.game}, after move {number} of {len(record.actions)}", COLUMNS, style="dim"
    )
    for chapter in told(state, names)[-1:]:
        lines += paragraph(chapter, COLUMNS)
    lines += wrap(state.game.to_do(state, names), COLUMNS, style="strong")
    return "\n".join(paint(line, depth) for line in lines)


def listing(record: Record) -> str:
    """Every move with its number, who made it, and what came of it."""
    state = record.replay()
    names = record.names()
    wide = len(str(len(record.actions)))
    texts = record.texts()
    column = max(map(len, texts), default=0)
    lines = []
    for number, (before, action, after) in enumerate(state.steps(), start=1):
        told = " ".join(event.sentence(names) for event in state.game.events(before, action, after))
        lines.append(f"{number:>{wide}}. {texts[number - 1]:<{column}}  {told}".rstrip())
    return "\n".join(lines) or "No moves yet."
