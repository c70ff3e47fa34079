"""Text in pieces with a style each, so that one drawing serves plain and coloured terminals.

Widths are counted in the columns of a terminal, where some characters take two and some none.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import zip_longest

# A piece's style: "", "strong", "dim", "mark" (look here) or the name of a colour.
Styled = list[tuple[str, str]]

ELLIPSIS = "…"
_NUMBER = re.compile(r"[+−-]?\d[\d.,]*$")  # at the end of a text


def plain(pieces: Styled) -> str:
    """The text alone.

    >>> plain([("Assam", "strong"), (" walks", "")])
    'Assam walks'
    """
    return "".join(text for text, _ in pieces)


def printable(text: str) -> str:
    r"""A text without control characters: what comes from a file must not steer a terminal.

    >>> printable("Eve\x1b[2J")
    'Eve [2J'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def cells(text: str) -> int:
    """The columns that a text takes on a terminal.

    >>> cells("Leila"), cells("市場")
    (5, 4)
    """
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    """A text with spaces after it, to so many columns.

    >>> padded("市場", 6)
    '市場  '
    """
    return text + " " * (columns - cells(text))


def width(lines: Iterable[Styled]) -> int:
    """The columns that the widest of some lines takes."""
    return max((cells(plain(line)) for line in lines), default=0)


def stacked(blocks: list[list[Styled]], height: int) -> list[Styled]:
    """Blocks of lines one below the other, with an empty line between them if there is room."""
    is_roomy = sum(len(block) + 1 for block in blocks) - 1 <= height
    lines: list[Styled] = []
    for block in blocks:
        lines += [[], *block] if is_roomy and lines else block
    return lines


def beside(left: list[Styled], right: list[Styled], gap: int = 3) -> list[Styled]:
    """Two blocks of lines next to each other.

    >>> [plain(line) for line in beside([[("board", "")], []], [[("Leila", "")], [("Karim", "")]])]
    ['board   Leila', '        Karim']
    """
    column = width(left) + gap
    lines = []
    nothing: Styled = []
    for one, other in zip_longest(left, right, fillvalue=nothing):
        padding = " " * (column - cells(plain(one)))
        lines.append([*one, (padding, ""), *other] if other else [*one])
    return lines


def crop(line: Styled, columns: int) -> Styled:
    """A line that takes no more columns than there are; what is cut off leaves an ellipsis.

    A number is kept whole or not at all: half of it would be another number.

    >>> crop([("Leila ", "strong"), ("pays 200", "")], 10)
    [('Leila ', 'strong'), ('pay…', '')]
    >>> crop([("Leila ", "strong"), ("pays 200", "")], 13)
    [('Leila ', 'strong'), ('pays …', '')]
    """
    if cells(plain(line)) <= columns:
        return line
    room = max(columns - 1, 0)
    kept: Styled = []
    for text, style in line:
        if cells(text) > room:
            part = _NUMBER.sub("", text[: _fitting(text, room)])
            return [*kept, (part + ELLIPSIS[:columns], style)]
        kept.append((text, style))
        room -= cells(text)
    return kept


def filled(texts: Iterable[str], columns: int) -> list[str]:
    """Texts with two spaces between them in rows; only one that is too long alone is broken.

    >>> filled(["F8 head 2", "F8 head 3", "F8 tail 2"], 22)
    ['F8 head 2  F8 head 3', 'F8 tail 2']
    """
    rows: list[str] = []
    for text in texts:
        if rows and cells(rows[-1]) + 2 + cells(text) <= columns:
            rows[-1] += f"  {text}"
        else:
            rows += _rows(text, columns)
    return rows


def wrap(
    text: str, columns: int, *, style: str = "", label: str = "", hang: int = 0
) -> list[Styled]:
    """A text as lines; a bold label may stand before it, and later lines hang below the text.

    >>> [plain(line) for line in wrap("free on d1", 14, label="left", hang=6)]
    ['left  free on', '      d1']
    """
    columns = max(columns, hang + 8)
    lines: list[Styled] = []
    for number, row in enumerate(_rows(text, columns - hang)):
        start = (padded(label, hang), "strong") if number == 0 else (" " * hang, "")
        lines.append([piece for piece in (start, (row, style)) if piece[0]])
    return lines


def _rows(text: str, columns: int) -> list[str]:
    rows, row = [], ""
    for word in text.split(" "):
        if row and cells(row) + 1 + cells(word) > columns:
            rows.append(row.rstrip())
            row = ""
        row = f"{row} {word}" if row else word
        while cells(row) > columns:  # one word that is too long, or a script without spaces
            cut = max(1, _fitting(row, columns))
            rows.append(row[:cut])
            row = row[cut:]
    return [*rows, row.rstrip()]


def _fitting(text: str, columns: int) -> int:
    """How many characters of a text fit."""
    taken = 0
    for number, character in enumerate(text):
        taken += _cell(character)
        if taken > columns:
            return number
    return len(text)
