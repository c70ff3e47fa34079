"""Lines of styled text: how wide they are, and how to make them fit."""

import textwrap
import unicodedata
from collections.abc import Iterable

from souk.engine.styled import Styled, plain

ELLIPSIS = "…"


def cells(text: str) -> int:
    """The columns that a text takes on a terminal.

    >>> cells("Leila"), cells("市場")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_cell(character) for character in text)


def _cell(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def width(lines: Iterable[Styled]) -> int:
    """The columns that the widest of some lines takes."""
    return max((cells(plain(line)) for line in lines), default=0)


def crop(line: Styled, columns: int) -> Styled:
    """A line that takes no more columns than there are; what is cut off leaves an ellipsis.

    >>> crop([("Assam ", "strong"), ("walks on", "")], 10)
    [('Assam ', 'strong'), ('wal…', '')]
    """
    if cells(plain(line)) <= columns:
        return line
    room = max(columns - 1, 0)
    kept: Styled = []
    for text, style in line:
        part = ""
        for character in text:
            if cells(part + character) > room:
                return [*kept, (part + ELLIPSIS[:columns], style)]
            part += character
        kept.append((part, style))
        room -= cells(part)
    return kept


def wrap(
    text: str, columns: int, *, style: str = "", label: str = "", hang: int = 0
) -> list[Styled]:
    """A text as lines; a bold label may stand before it, and later lines hang below the text.

    >>> [plain(line) for line in wrap("free on d1", 14, label="left", hang=6)]
    ['left  free on', '      d1']
    """
    columns = max(columns, hang + 8)
    rows = textwrap.wrap(text, columns - hang) or [""]
    lines: list[Styled] = []
    for number, row in enumerate(rows):
        start = (f"{label:<{hang}}", "strong") if number == 0 else (" " * hang, "")
        lines.append([piece for piece in (start, (row, style)) if piece[0]])
    return lines
