"""Lay out styled text for terminals.

Styled text is a list of pieces with a style each; plain terminals ignore the styles. Widths are
counted in columns of a terminal, of which some characters take two and some none.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import zip_longest

# Pieces of text and their styles: "", "strong", "dim", "mark" (look here) or the name of a colour.
Styled = list[tuple[str, str]]

ELLIPSIS = "…"
_NUMBER = re.compile(r"[+−-]?\d[\d.,]*$")  # at the end of a text


def plain_text(pieces: Styled) -> str:
    """Return the text without its styles.

    >>> plain_text([("Assam", "strong"), (" walks", "")])
    'Assam walks'
    """
    return "".join(text for text, _ in pieces)


def make_printable(text: str) -> str:
    r"""Replace control characters by spaces, so that a text cannot control the terminal.

    >>> make_printable("Eve\x1b[2J")
    'Eve [2J'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def cell_width(text: str) -> int:
    """Return the number of columns that a text takes.

    >>> cell_width("Leila"), cell_width("市場")
    (5, 4)
    """
    return len(text) if text.isascii() else sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """Append spaces to a text up to a number of columns.

    >>> pad("市場", 6)
    '市場  '
    """
    return text + " " * (columns - cell_width(text))


def block_width(lines: Iterable[Styled]) -> int:
    """Return the number of columns of the widest line."""
    return max((cell_width(plain_text(line)) for line in lines), default=0)


def stack(blocks: list[list[Styled]], height: int) -> list[Styled]:
    """Return blocks of lines one below the other, with empty lines between if they fit a height."""
    is_spaced = sum(len(block) + 1 for block in blocks) - 1 <= height
    lines: list[Styled] = []
    for block in blocks:
        lines += [[], *block] if is_spaced and lines else block
    return lines


def place_beside(left: list[Styled], right: list[Styled], gap: int = 3) -> list[Styled]:
    """Return two blocks of lines side by side.

    >>> players = [[("Leila", "")], [("Karim", "")]]
    >>> [plain_text(line) for line in place_beside([[("board", "")], []], players)]
    ['board   Leila', '        Karim']
    """
    column = block_width(left) + gap
    lines = []
    nothing: Styled = []
    for one, other in zip_longest(left, right, fillvalue=nothing):
        padding = " " * (column - cell_width(plain_text(one)))
        lines.append([*one, (padding, ""), *other] if other else [*one])
    return lines


def crop(line: Styled, columns: int) -> Styled:
    """Cut a line to a number of columns; an ellipsis replaces the rest.

    A number is never cut in half, since that would be another number.

    >>> crop([("Leila ", "strong"), ("pays 200", "")], 10)
    [('Leila ', 'strong'), ('pay…', '')]
    >>> crop([("Leila ", "strong"), ("pays 200", "")], 13)
    [('Leila ', 'strong'), ('pays …', '')]
    """
    if cell_width(plain_text(line)) <= columns:
        return line
    left = max(columns - 1, 0)
    cropped: Styled = []
    for text, style in line:
        if cell_width(text) > left:
            part = _NUMBER.sub("", text[: _fitting_length(text, left)])
            return [*cropped, (part + ELLIPSIS[:columns], style)]
        cropped.append((text, style))
        left -= cell_width(text)
    return cropped


def fill_rows(texts: Iterable[str], columns: int) -> list[str]:
    """Return rows of texts with two spaces between them; only a text longer than a row is broken.

    >>> fill_rows(["F8 head 2", "F8 head 3", "F8 tail 2"], 22)
    ['F8 head 2  F8 head 3', 'F8 tail 2']
    """
    rows: list[str] = []
    for text in texts:
        if rows and cell_width(rows[-1]) + 2 + cell_width(text) <= columns:
            rows[-1] += f"  {text}"
        else:
            rows += _wrapped_rows(text, columns)
    return rows


def wrap(
    text: str, columns: int, *, style: str = "", label: str = "", hang: int = 0
) -> list[Styled]:
    """Wrap a text, after a bold label if there is one; the lines are indented by `hang` columns.

    >>> [plain_text(line) for line in wrap("free on d1", 14, label="left", hang=6)]
    ['left  free on', '      d1']
    """
    columns = max(columns, hang + 8)
    lines: list[Styled] = []
    for number, row in enumerate(_wrapped_rows(text, columns - hang)):
        start = (pad(label, hang), "strong") if number == 0 else (" " * hang, "")
        lines.append([piece for piece in (start, (row, style)) if piece[0]])
    return lines


def _wrapped_rows(text: str, columns: int) -> list[str]:
    rows, row = [], ""
    for word in text.split(" "):
        if row and cell_width(row) + 1 + cell_width(word) > columns:
            rows.append(row.rstrip())
            row = ""
        row = f"{row} {word}" if row else word
        while cell_width(row) > columns:  # one word that is too long, or a script without spaces
            cut = max(1, _fitting_length(row, columns))
            rows.append(row[:cut])
            row = row[cut:]
    return [*rows, row.rstrip()]


def _fitting_length(text: str, columns: int) -> int:
    """Return how many characters of a text fit a number of columns."""
    taken = 0
    for number, character in enumerate(text):
        taken += _character_width(character)
        if taken > columns:
            return number
    return len(text)
