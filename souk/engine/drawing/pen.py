"""The pen of a drawing: colours by name, ids that never clash, and text that fits.

Every room of a drawing asks the pen for paint and ids, so that themes and prefixes are decided in
this one place. May import the standard library only.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape as _escape_html
from math import floor

Point = tuple[float, float]

THEMES = ("light", "dark", "auto")
WITHIN = "within"  # the theme of a drawing that is part of a page: the page's own colour scheme

SERIF = "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua',Georgia,serif"
SANS = "Seravek,'Gill Sans Nova','Source Sans 3',Ubuntu,Calibri,'Segoe UI','DejaVu Sans',sans-serif"

# What a colour is for -> (by day, by night). A drawing adds what only it has.
PALETTE: Mapping[str, tuple[str, str]] = {
    "paper": ("#F4EBDD", "#161A2B"),  # behind everything, and the halo round every mark
    "card": ("#FBF6EC", "#20263B"),  # a seat's card, a badge
    "line": ("#D9C7A9", "#3A4363"),  # hairlines
    "ink": ("#2B2420", "#EFE3CC"),
    "soft": ("#665642", "#BDB29E"),  # secondary text
    "accent": ("#2F3E75", "#E0B15A"),  # whose turn, what just happened
    "on_accent": ("#F4EBDD", "#161A2B"),
    "cost": ("#A32C24", "#F4A698"),
    "court": ("#E9DBC3", "#1B2036"),  # tiled ground round the board
    "court_star": ("#EEE2CD", "#20263E"),
    "court_line": ("#D6C3A0", "#2D3553"),
    "cedar": ("#B08A5B", "#4A3A2E"),  # frames and doors
    "cedar_edge": ("#7D5B36", "#6E573F"),
    "tile": ("#2F3E75", "#3E4D90"),  # inlaid work
    "inlay": ("#E0B15A", "#E0B15A"),
    "on_tile": ("#FBF6EC", "#FBF6EC"),
    "shadow": ("#2B2420", "#000000"),
}


@dataclass(frozen=True)
class Pen:
    """Paint and ids for one drawing.

    >>> Pen("k1", "light").paint(fill="ink")
    'fill="#2B2420"'
    >>> Pen("k1", "auto").paint(fill="ink")
    'fill="#2B2420" class="k1-f-ink"'
    >>> Pen("k1", WITHIN).paint(fill="ink")
    'fill="light-dark(#2B2420,#EFE3CC)"'
    """

    prefix: str  # starts every id and class
    theme: str  # one of THEMES, or WITHIN
    palette: Mapping[str, tuple[str, str]] = field(default_factory=lambda: PALETTE)

    def ident(self, name: str) -> str:
        """An id that no other drawing on the same page has."""
        return f"{self.prefix}-{name}"

    def use(self, name: str, at: str = "") -> str:
        """One more copy of something defined once; ``at`` is a transform."""
        where = f' transform="{at}"' if at else ""
        return f'<use href="#{self.ident(name)}"{where}/>'

    def paint(self, fill: str = "none", stroke: str = "") -> str:
        """Fill and stroke by palette name, or a fixed ``#colour`` that is the same day and night.

        In an "auto" drawing the attribute is the daylight colour and a class puts the custom
        property over it: a viewer that does not know custom properties still shows daylight.
        """
        attributes = [f'fill="{self._colour(fill)}"']
        if stroke:
            attributes.append(f'stroke="{self._colour(stroke)}"')
        classes = [
            self.ident(f"{kind}-{name}")
            for kind, name in (("f", fill), ("s", stroke))
            if name in self.palette and self.theme == "auto"
        ]
        if classes:
            attributes.append(f'class="{" ".join(classes)}"')
        return " ".join(attributes)

    def stylesheet(self) -> str:
        """The style element of an "auto" drawing; nothing for the others.

        All selectors carry the prefix, so the rules neither leak out nor meet another drawing's.
        """
        if self.theme != "auto":
            return ""
        day = "".join(f"--souk-{name}:{pair[0]};" for name, pair in self.palette.items())
        night = "".join(f"--souk-{name}:{pair[1]};" for name, pair in self.palette.items())
        rules = "".join(
            f".{self.prefix}-f-{name}{{fill:var(--souk-{name})}}"
            f".{self.prefix}-s-{name}{{stroke:var(--souk-{name})}}"
            for name in self.palette
        )
        return (
            f"<style>.{self.prefix}{{{day}}}"
            f"@media (prefers-color-scheme:dark){{.{self.prefix}{{{night}}}}}{rules}</style>"
        )

    def _colour(self, name: str) -> str:
        if name not in self.palette:
            return name
        day, night = self.palette[name]
        if self.theme == WITHIN:
            return f"light-dark({day},{night})"
        return night if self.theme == "dark" else day


def num(value: float) -> str:
    """A number as short as it can be: two decimals at most, and never ``-0``.

    >>> num(80.0), num(1.239), num(-0.001)
    ('80', '1.24', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def xy(point: Point) -> str:
    """Return a point as path data.

    >>> xy((1.25, 2.0))
    '1.25 2'
    """
    return f"{num(point[0])} {num(point[1])}"


def clean(text: str) -> str:
    """Text safe inside an element or attribute, whatever a player called himself.

    Control characters and lone surrogates cannot be written in XML at all, so they become the
    replacement character instead of breaking the file.

    >>> clean('<Leila & "co">')
    '&lt;Leila &amp; &quot;co&quot;&gt;'
    """
    return _escape_html("".join(c if _is_xml(c) else "\ufffd" for c in text))


def _is_xml(char: str) -> bool:
    code = ord(char)
    if code < 0x20:
        return char in "\t\n\r"
    return not (0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE)


def text_width(text: str, size: float) -> float:
    """Roughly how wide text is, measured on a wide font: we cannot know the reader's."""
    return size * sum(map(_char_width, text))


def _char_width(char: str) -> float:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if char in "ijlI.,:;'|! ":
        return 0.32
    if char in "frt()-":
        return 0.41
    if char in "mwMW@%—…":
        return 0.97
    return 0.71 if char.isupper() else 0.61


def fit(text: str, size: float, room: float) -> str:
    """The text if it fits the room, else as much as does and an ellipsis.

    >>> fit("Leila", 18, 150), fit("Abderrahmane the Elder", 18, 150)
    ('Leila', 'Abderrahman…')
    """
    text = " ".join(text.split())
    if text_width(text, size) <= room:
        return text
    kept = ""
    for char in text:
        if text_width(kept + char + "…", size) > room:
            break
        kept += char
    return kept.rstrip() + "…"


def wrapped(text: str, size: float, room: float, most: int) -> list[str]:
    """The text on lines that fit the room; what is left after so many of them is an ellipsis.

    >>> wrapped("Leila leads 2 red from F1 to F6.", 18, 200, 2)
    ['Leila leads 2 red', 'from F1 to F6.']
    >>> wrapped("Leila leads 2 red from F1 to F6.", 18, 200, 1)
    ['Leila leads 2 red…']
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and text_width(f"{line} {word}", size) > room:
            if len(lines) == most - 1:
                while " " in line and text_width(f"{line}…", size) > room:
                    line = line.rpartition(" ")[0]
                return [*lines, fit(f"{line}…", size, room)]
            lines.append(fit(line, size, room))
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, fit(line, size, room)] if line else lines


def shrink(text: str, size: float, least: float, room: float) -> tuple[str, float]:
    """The text and its size: made smaller to fit the room, and cut only at the least size.

    >>> shrink("Leila", 18, 14, 150), shrink("Blue and orange", 18, 14, 130)
    (('Leila', 18), ('Blue and orange', 15.5))
    """
    wide = text_width(text, size)
    if wide > room:
        size = max(least, floor(2 * size * room / wide) / 2)
    return fit(text, size, room), size
