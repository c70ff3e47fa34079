"""Colours by name, unique ids, and text that fits a width.

Every module of a drawing gets colours and ids from a `Pen`, which knows the theme and the prefix.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape as _escape_html
from math import floor

Point = tuple[float, float]

THEMES = ("light", "dark", "auto")
WITHIN = "within"  # the theme of a drawing within a page: the page's colour scheme

SERIF = "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua',Georgia,serif"
SANS = "Seravek,'Gill Sans Nova','Source Sans 3',Ubuntu,Calibri,'Segoe UI','DejaVu Sans',sans-serif"

# The use of a colour -> (light theme, dark theme). A game adds its own.
PALETTE: Mapping[str, tuple[str, str]] = {
    "paper": ("#F4EBDD", "#161A2B"),  # background, and the halo round every mark
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
    """Colours and ids of one drawing.

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
        """Return an id that no other drawing on the same page has."""
        return f"{self.prefix}-{name}"

    def use(self, name: str, at: str = "") -> str:
        """Return a use element of a definition; `at` is a transform."""
        where = f' transform="{at}"' if at else ""
        return f'<use href="#{self.ident(name)}"{where}/>'

    def paint(self, fill: str = "none", stroke: str = "") -> str:
        """Return fill and stroke attributes; colours are palette names or `#rrggbb`.

        In an "auto" drawing, the attribute has the light colour and a class overrides it with a
        custom property, so viewers without custom properties show the light theme.
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
        """Return the style element of an "auto" drawing; an empty text for other themes.

        All selectors have the prefix, so the rules affect no other drawing.
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
    """Return a number with at most two decimals, without trailing zeros or `-0`.

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
    """Escape text for an element or an attribute.

    Control characters and lone surrogates, which XML does not allow, become the replacement
    character.

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
    """Return the approximate width of a text, for a wide font."""
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


def fit(text: str, size: float, width: float) -> str:
    """Return a text, cut to a width with an ellipsis if it is longer.

    >>> fit("Leila", 18, 150), fit("Abderrahmane the Elder", 18, 150)
    ('Leila', 'Abderrahman…')
    """
    text = " ".join(text.split())
    if text_width(text, size) <= width:
        return text
    fitting = ""
    for char in text:
        if text_width(fitting + char + "…", size) > width:
            break
        fitting += char
    return fitting.rstrip() + "…"


def wrap(text: str, size: float, width: float, most: int) -> list[str]:
    """Wrap a text into at most `most` lines of a width; an ellipsis replaces the rest.

    >>> wrap("Leila leads 2 red from F1 to F6.", 18, 200, 2)
    ['Leila leads 2 red', 'from F1 to F6.']
    >>> wrap("Leila leads 2 red from F1 to F6.", 18, 200, 1)
    ['Leila leads 2 red…']
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and text_width(f"{line} {word}", size) > width:
            if len(lines) == most - 1:
                while " " in line and text_width(f"{line}…", size) > width:
                    line = line.rpartition(" ")[0]
                return [*lines, fit(f"{line}…", size, width)]
            lines.append(fit(line, size, width))
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, fit(line, size, width)] if line else lines


def shrink(text: str, size: float, least: float, width: float) -> tuple[str, float]:
    """Return a text and its font size, reduced to fit a width; it is cut only at the least size.

    >>> shrink("Leila", 18, 14, 150), shrink("Blue and orange", 18, 14, 130)
    (('Leila', 18), ('Blue and orange', 15.5))
    """
    full = text_width(text, size)
    if full > width:
        size = max(least, floor(2 * size * width / full) / 2)
    return fit(text, size, width), size
