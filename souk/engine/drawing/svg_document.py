"""The frame of a drawing: the svg element, texts for screen readers, and the caption."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import sha256

from souk.engine.drawing.pen import SANS, THEMES, Pen, clean, num
from souk.engine.errors import SoukError, one_of

SCALE = 0.7  # of a part within a page: its smallest text is still readable


def check(theme: str, size: int) -> None:
    """Raise SoukError for an unknown theme or a width below 1."""
    if theme not in THEMES:
        raise SoukError(f"theme is {theme!r}; accepted: {one_of(THEMES)}")
    if size < 1:
        raise SoukError(f"size is {size}; accepted: a width of 1 pixel or more")


def prefix(content: str) -> str:
    """Return the prefix of a drawing's ids and classes, which depends on its content.

    >>> prefix("a drawing") == prefix("a drawing") != prefix("another")
    True
    """
    return "s" + sha256(content.encode("utf-8", "replace")).hexdigest()[:8]


def canonical(value: object) -> str:
    """Return a text that is equal for equal plain data, whatever its types and order of keys.

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
    """Return the svg start tag, `size` pixels wide, with the texts for screen readers."""
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
    """Return a part of a drawing for a page whose text describes it.

    It has no style element, since a page may forbid inline styles.
    """
    box = " ".join(map(num, (left, top, width, height)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{num(SCALE * width)}" '
        f'height="{num(SCALE * height)}" aria-hidden="true" font-family="{SANS}">{drawn}</svg>'
    )


def paper(pen: Pen, width: float, height: float) -> str:
    """Return the background."""
    return f'<rect width="{num(width)}" height="{num(height)}" rx="22" {pen.paint("paper")}/>'


def caption(pen: Pen, lines: list[str], x: float, y: float, size: float, *, matter: int = 1) -> str:
    """Return the caption; all but the last `matter` lines are in a soft colour."""
    return "".join(
        f'<text x="{num(x)}" y="{num(y + 1.4 * size * i)}" font-size="{num(size)}" '
        f"{pen.paint('ink' if i >= len(lines) - matter else 'soft')}>{clean(line)}</text>"
        for i, line in enumerate(lines)
    )
