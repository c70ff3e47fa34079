"""`souk show`, a position of a record, what led to it and its picture; and `souk check`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.styled_text import make_printable, pad, wrap
from souk.records import Record, RecordError, fairness
from souk.records.record import format_result
from souk.terminal.files import STREAM, FileError, label, read_record, say, write_text
from souk.terminal.layout import PAPER_COLUMNS, View, paragraph, spread, told
from souk.terminal.palette import depth_of, paint


def show(file: str, *, at: int | None, moves: bool, svg: str | None, theme: str) -> int:
    """Show a record; returns the exit code. Of a broken record everything before the error."""
    code = 0
    try:
        record = read_record(file)
    except RecordError as error:
        if error.record is None:
            raise SoukError(f"{label(file)}: {error}") from None
        record, code = error.record, 1
        say(f"souk: {label(file)}: {error}; here is what comes before that", sys.stderr)
    number = _number(record, at)
    if svg == STREAM:
        print(_picture(record, number, theme))
    elif svg is not None:
        write_text(Path(svg), _picture(record, number, theme))
        say(f"The drawing is in {svg}")
    elif moves:
        say(_listing(record))
    else:
        print(_position(record, number))
    return code


def _number(record: Record, at: int | None) -> int:
    """How many moves to replay; negative numbers count from the end."""
    count = len(record.actions)
    number = count if at is None else at if at >= 0 else count + 1 + at
    if not 0 <= number <= count:
        raise SoukError(f"this record has moves 0 to {count}, or -1 to -{count + 1}, not {at}")
    return number


def _picture(record: Record, number: int, theme: str) -> str:
    """The drawing of a position as SVG."""
    if theme not in ("light", "dark", "auto"):
        raise SoukError(f"a theme is light, dark or auto, not {theme!r}")
    return record.replay(number).svg(theme=theme, names=[*map(make_printable, record.names())])


def _position(record: Record, number: int) -> str:
    """The board, the turn that led to it, and what is to be done."""
    state = record.replay(number)
    names = record.names()
    depth = depth_of(sys.stdout)
    lines = spread(View(state, names), None)
    lines += wrap(
        f"{record.game}, after move {number} of {len(record.actions)}", PAPER_COLUMNS, style="dim"
    )
    for chapter in told(state, names)[-1:]:
        lines += paragraph(chapter, PAPER_COLUMNS)
    lines += wrap(state.game.prompt(state, names), PAPER_COLUMNS, style="strong")
    return "\n".join(paint(line, depth) for line in lines)


def _listing(record: Record) -> str:
    """Every move with its number, who made it, and what came of it."""
    state = record.replay()
    names = record.names()
    wide = len(str(len(record.actions)))
    texts = record.texts()
    column = max(map(len, texts), default=0)
    lines = []
    for number, (before, action, after) in enumerate(state.steps(), start=1):
        events = state.game.events(before, action, after)
        sentences = " ".join(event.sentence(names) for event in events)
        lines.append(f"{number:>{wide}}. {pad(texts[number - 1], column)}  {sentences}".rstrip())
    return "\n".join(lines) or "No moves yet."


def check(files: Sequence[str]) -> int:
    """A line for every file; returns the exit code, 1 if any of them is bad."""
    code = 0
    for file in files:
        try:
            say(f"{label(file)}: {_verdict(file)}")
        except SoukError as error:
            code = 1
            say(
                str(error) if isinstance(error, FileError) else f"{label(file)}: {error}",
                sys.stderr,
            )
    return code


def _verdict(file: str) -> str:
    """What a good record comes to; a bad one raises."""
    record = read_record(file)
    state = record.replay()
    count = len(record.actions)
    moves = "1 move" if count == 1 else f"{count} moves"
    scores = ", ".join(
        f"{name} {score}" for name, score in zip(record.names(), state.scores(), strict=True)
    )
    return f"ok, {moves}, {format_result(state)} ({scores})"


def verify(files: Sequence[str], noted: str | None = None) -> int:
    """A line for every file; returns the exit code, 1 unless the dice of all were fair.

    `noted` is the commitment that somebody saw before the game.
    """
    if noted is not None and len(files) > 1:
        raise SoukError("a commitment belongs to one game: give one record with it")
    code = 0
    for file in files:
        try:
            verdict = fairness.verify(read_record(file), noted)
        except SoukError as error:
            code = 1
            named = isinstance(error, FileError)
            say(str(error) if named else f"{label(file)}: {error}", sys.stderr)
            continue
        if verdict.is_fair:
            draws = "1 draw follows" if verdict.draws == 1 else f"{verdict.draws} draws follow"
            say(f"{label(file)}: proven: setup and {draws} from the promised secret")
        else:
            code = 1
            for problem in verdict.problems:
                say(f"{label(file)}: refuted: {problem}", sys.stderr)
    return code
