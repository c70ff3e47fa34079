"""Paint text in the colours that a terminal can show.

Pieces can always be recognised by letter and pattern; colour is an addition.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TextIO

from souk.engine.styled_text import Styled, make_printable, plain_text

LIGHT, DARK = "#F4EBDD", "#2B2420"  # plaster and ink


@dataclass(frozen=True)
class Colour:
    """A colour at every depth, chosen by eye: the nearest of 256 would make red brown."""

    true: str
    of_256: int
    of_16: str  # codes for text and background
    ink: str  # LIGHT or DARK, whichever reads better on it


COLOURS = {
    "red": Colour("#B5382F", 124, "97;41", LIGHT),
    "yellow": Colour("#E2A92B", 214, "30;103", DARK),
    "blue": Colour("#2B6C9E", 25, "97;44", LIGHT),
    "orange": Colour("#D9651B", 166, "30;43", DARK),
    "green": Colour("#4E8A4B", 71, "30;42", DARK),
    "purple": Colour("#7A4B8C", 97, "97;45", LIGHT),
    "neutral": Colour("#D9C7A9", 223, "30;47", DARK),
}
INKS_OF_256 = {LIGHT: 255, DARK: 235}
ATTRIBUTES = {"strong": "1", "dim": "2", "mark": "1;7"}


class ColourDepth(IntEnum):
    """The number of colours that a terminal shows."""

    NONE = 0
    SIXTEEN = 1
    PALETTE = 2  # 256
    TRUE = 3


def colour_depth(stream: TextIO, environ: Mapping[str, str] = os.environ) -> ColourDepth:
    """Return how many colours a stream shows: none in a pipe, a dumb terminal or with NO_COLOR."""
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term in ("", "dumb", "unknown") or not stream.isatty():
        return ColourDepth.NONE
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "direct" in term:
        return ColourDepth.TRUE
    return ColourDepth.PALETTE if "256" in term else ColourDepth.SIXTEEN


def paint(line: Styled, depth: ColourDepth) -> str:
    r"""Return a line as text with the codes for its styles.

    >>> paint([("A^", "mark"), (" on d4", "")], ColourDepth.TRUE)
    '\x1b[1;7mA^\x1b[0m on d4'
    """
    if depth is ColourDepth.NONE:
        return make_printable(plain_text(line)).rstrip()
    return "".join(_paint_piece(make_printable(text), style, depth) for text, style in line)


def _paint_piece(text: str, style: str, depth: ColourDepth) -> str:
    code = _code(style, depth)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def _code(style: str, depth: ColourDepth) -> str:
    colour = COLOURS.get(style)
    if colour is None:
        return ATTRIBUTES.get(style, "")
    if depth is ColourDepth.SIXTEEN:
        return colour.of_16
    if depth is ColourDepth.PALETTE:
        return f"38;5;{INKS_OF_256[colour.ink]};48;5;{colour.of_256}"
    return "38;2;{};{};{};48;2;{};{};{}".format(*rgb(colour.ink), *rgb(colour.true))


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of a colour.

    >>> rgb("#F4EBDD")
    (244, 235, 221)
    """
    match = re.fullmatch("#(..)(..)(..)", colour)
    assert match is not None
    return int(match[1], 16), int(match[2], 16), int(match[3], 16)
