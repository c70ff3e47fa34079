"""The colours of the house on a terminal, as fine as the terminal can show them.

A piece keeps its letter and pattern everywhere; colour is only ever added to that.
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
class Cloth:
    """A colour at every depth. The nearest of 256 would make red brown: all are chosen by eye."""

    true: str
    of_256: int
    of_16: str  # codes for text and background
    ink: str  # LIGHT or DARK, whichever reads better on it


CLOTHS = {
    "red": Cloth("#B5382F", 124, "97;41", LIGHT),
    "yellow": Cloth("#E2A92B", 214, "30;103", DARK),
    "blue": Cloth("#2B6C9E", 25, "97;44", LIGHT),
    "orange": Cloth("#8A4B22", 130, "30;43", LIGHT),
    "green": Cloth("#4E8A4B", 71, "30;42", DARK),
    "purple": Cloth("#7A4B8C", 97, "97;45", LIGHT),
    "neutral": Cloth("#D9C7A9", 223, "30;47", DARK),
}
INKS_OF_256 = {LIGHT: 255, DARK: 235}
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
        return make_printable(plain_text(line)).rstrip()
    return "".join(_painted(make_printable(text), style, depth) for text, style in line)


def _painted(text: str, style: str, depth: Depth) -> str:
    code = _code(style, depth)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def _code(style: str, depth: Depth) -> str:
    cloth = CLOTHS.get(style)
    if cloth is None:
        return ATTRIBUTES.get(style, "")
    if depth is Depth.SIXTEEN:
        return cloth.of_16
    if depth is Depth.PALETTE:
        return f"38;5;{INKS_OF_256[cloth.ink]};48;5;{cloth.of_256}"
    return "38;2;{};{};{};48;2;{};{};{}".format(*rgb(cloth.ink), *rgb(cloth.true))


def rgb(colour: str) -> tuple[int, int, int]:
    """A colour's red, green and blue.

    >>> rgb("#F4EBDD")
    (244, 235, 221)
    """
    found = re.fullmatch("#(..)(..)(..)", colour)
    assert found is not None
    return int(found[1], 16), int(found[2], 16), int(found[3], 16)
