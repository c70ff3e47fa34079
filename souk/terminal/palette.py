"""The colours of the house on a terminal, as fine as the terminal can show them.

A rug or a visitor keeps its letter and pattern everywhere; colour is only ever added to that.
"""

import os
import re
from collections.abc import Mapping
from enum import IntEnum
from typing import TextIO

from souk.engine.styled import Styled, plain

CLOTH = {
    "red": "#B5382F",
    "yellow": "#E2A92B",
    "blue": "#2B6C9E",
    "orange": "#8A4B22",
    "green": "#4E8A4B",
    "purple": "#7A4B8C",
    "neutral": "#D9C7A9",
}
INKS = ("#F4EBDD", "#2B2420")  # plaster and ink, whichever reads better on a cloth

# What a terminal with sixteen colours comes closest with: text, background.
SIXTEEN = {
    "red": "97;41",
    "yellow": "30;103",
    "blue": "97;44",
    "orange": "30;43",
    "green": "30;42",
    "purple": "97;45",
    "neutral": "30;47",
}
ATTRIBUTES = {"strong": "1", "dim": "2", "mark": "1;7"}


class Depth(IntEnum):
    """How many colours a terminal shows."""

    NONE = 0
    SIXTEEN = 1
    PALETTE = 2  # 256
    TRUE = 3


def depth_of(stream: TextIO, environ: Mapping[str, str] = os.environ) -> Depth:
    """How many colours a stream shows: none in a pipe, with NO_COLOR or on a dumb terminal."""
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term in ("", "dumb", "unknown") or not stream.isatty():
        return Depth.NONE
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "direct" in term:
        return Depth.TRUE
    return Depth.PALETTE if "256" in term else Depth.SIXTEEN


def paint(line: Styled, depth: Depth) -> str:
    r"""A line as text with the codes for its styles.

    >>> paint([("A^", "mark"), (" on d4", "")], Depth.TRUE)
    '\x1b[1;7mA^\x1b[0m on d4'
    """
    if depth is Depth.NONE:
        return printable(plain(line)).rstrip()
    return "".join(_painted(printable(text), style, depth) for text, style in line)


def printable(text: str) -> str:
    """A text without control characters: names in a file must not steer the terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def _painted(text: str, style: str, depth: Depth) -> str:
    code = _code(style, depth)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def _code(style: str, depth: Depth) -> str:
    if style not in CLOTH:
        return ATTRIBUTES.get(style, "")
    if depth is Depth.SIXTEEN:
        return SIXTEEN[style]
    cloth = CLOTH[style]
    ink = max(INKS, key=lambda colour: contrast(colour, cloth))
    if depth is Depth.PALETTE:
        return f"38;5;{_nearest(ink)};48;5;{_nearest(cloth)}"
    return "38;2;{};{};{};48;2;{};{};{}".format(*_rgb(ink), *_rgb(cloth))


def _rgb(colour: str) -> tuple[int, int, int]:
    found = re.fullmatch("#(..)(..)(..)", colour)
    assert found is not None
    return int(found[1], 16), int(found[2], 16), int(found[3], 16)


def _nearest(colour: str) -> int:
    """The closest of the 216 colours of the cube and the 24 greys."""
    levels = (0, 95, 135, 175, 215, 255)
    cube = {
        16 + 36 * r + 6 * g + b: (levels[r], levels[g], levels[b])
        for r in range(6)
        for g in range(6)
        for b in range(6)
    }
    greys = {232 + grey: (8 + 10 * grey,) * 3 for grey in range(24)}
    wanted = _rgb(colour)
    known = {**cube, **greys}
    return min(
        known,
        key=lambda number: sum((a - b) ** 2 for a, b in zip(known[number], wanted, strict=True)),
    )


def contrast(one: str, other: str) -> float:
    """How well two colours stand apart, as WCAG counts it: from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (channel / 255 for channel in _rgb(colour))
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
