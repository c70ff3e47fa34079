"""The page of a drawing: its opening with the words for screen readers, and the lines under it.

May import the pen and the errors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256

from souk.engine.drawing.pen import SANS, THEMES, Pen, clean, num
from souk.engine.errors import SoukError, one_of

PART = 0.7  # how large a part is shown that stands in a text: its smallest words can be read


def check(theme: str, size: int) -> None:
    """Refuse a theme or a width that no drawing has."""
    if theme not in THEMES:
        raise SoukError(f"theme is {theme!r}; accepted: {one_of(THEMES)}")
    if size < 1:
        raise SoukError(f"size is {size}; accepted: a width of 1 pixel or more")


def prefix(content: str) -> str:
    """Starts every id and class: the same for the same drawing, different for any other.

    >>> prefix("a drawing") == prefix("a drawing") != prefix("another")
    True
    """
    return "s" + sha256(content.encode("utf-8", "replace")).hexdigest()[:8]


def canonical(value: object) -> str:
    """A text that is the same for the same plain data, whatever kind of mapping holds it.

    >>> canonical({"b": [1], "a": "x"}) == canonical({"a": "x", "b": (1,)})
    True
    """
    if is_dataclass(value):
        return canonical([getattr(value, field.name) for field in fields(value)])
    if isinstance(value, Mapping):
        return canonical(sorted((str(key), canonical(item)) for key, item in value.items()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"({','.join(map(canonical, value))})"
    return repr(value)


def opening(pen: Pen, width: float, height: float, size: int, title: str, desc: str) -> str:
    """The svg element, ``size`` pixels wide, with what is read out instead of the picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{pen.prefix}" '
        f'viewBox="0 0 {num(width)} {num(height)}" width="{size}" '
        f'height="{round(size * height / width)}" role="img" '
        f'aria-labelledby="{pen.ident("title")} {pen.ident("desc")}" '
        f'font-family="{SANS}" style="font-variant-numeric:tabular-nums">\n'
        f'<title id="{pen.ident("title")}">{clean(title)}</title>\n'
        f'<desc id="{pen.ident("desc")}">{clean(desc)}</desc>'
    )


def part(left: float, top: float, width: float, height: float, drawn: str) -> str:
    """A part of a drawing, to stand in a page beside words that tell what it shows.

    A page may forbid styles that are not its own, so there are none in it.
    """
    box = " ".join(map(num, (left, top, width, height)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{num(PART * width)}" '
        f'height="{num(PART * height)}" aria-hidden="true" font-family="{SANS}">{drawn}</svg>'
    )


def paper(pen: Pen, width: float, height: float) -> str:
    return f'<rect width="{num(width)}" height="{num(height)}" rx="22" {pen.paint("paper")}/>'


def caption(pen: Pen, lines: list[str], x: float, y: float, size: float, *, matter: int = 1) -> str:
    """The last lines are what matters now; those before them step back."""
    return "".join(
        f'<text x="{num(x)}" y="{num(y + 1.4 * size * i)}" font-size="{num(size)}" '
        f"{pen.paint('ink' if i >= len(lines) - matter else 'soft')}>{clean(line)}</text>"
        for i, line in enumerate(lines)
    )
