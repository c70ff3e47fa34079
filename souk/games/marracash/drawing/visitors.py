"""The visitors: a colour and a shape each, so that nobody needs to see colours.

Each shape is drawn once, round the origin and 10 in radius, and copied.
"""

from souk.engine.drawing.ornaments import INK, IVORY, lozenge
from souk.engine.drawing.pen import Pen, num

# Colour -> its cloth and its shape as path data.
SHAPES = {
    "red": ("#B5382F", "M-9.5 0a9.5 9.5 0 1 1 19 0a9.5 9.5 0 1 1-19 0Z"),
    "yellow": ("#E2A92B", "M-8.5-8.5h17v17h-17Z"),
    "blue": ("#2B6C9E", "M0-10.5L10.6 8.2H-10.6Z"),
    "green": ("#4E8A4B", lozenge(11.4, 11.4)),
    "purple": ("#7A4B8C", "M0-10.6L9.2-5.3V5.3L0 10.6-9.2 5.3V-5.3Z"),
}


def definitions(pen: Pen) -> str:
    return "\n".join(_pawn(pen, colour) + _outline(pen, colour) for colour in SHAPES)


def _pawn(pen: Pen, colour: str) -> str:
    """Define a visitor with a pale and a dark edge, which stands out on any ground."""
    cloth, shape = SHAPES[colour]
    return (
        f'<g id="{pen.ident(f"visitor-{colour}")}" stroke-linejoin="round"><path d="{shape}" '
        f'fill="{cloth}" stroke="{IVORY}" stroke-width="5"/>'
        f'<path d="{shape}" fill="{cloth}" stroke="{INK}" stroke-width="1.7"/>'
        f'<path d="{shape}" fill="{IVORY}" fill-opacity=".3" '
        f'transform="translate(0 {1 if colour == "blue" else 0})scale(.42)"/></g>'
    )


def _outline(pen: Pen, colour: str) -> str:
    """Define the outline of a visitor, for an empty place."""
    _, shape = SHAPES[colour]
    return (
        f'<path id="{pen.ident(f"place-{colour}")}" d="{shape}" '
        f'{pen.paint("none", f"edge_{colour}")} stroke-linejoin="round" stroke-width="2"/>'
    )


def visitor(pen: Pen, colour: str, x: float, y: float, size: float = 1) -> str:
    return pen.use(f"visitor-{colour}", _at(x, y, size))


def place(pen: Pen, colour: str, x: float, y: float, size: float = 1) -> str:
    return pen.use(f"place-{colour}", _at(x, y, size))


def _at(x: float, y: float, size: float) -> str:
    return f"translate({num(x)} {num(y)})" + (f"scale({num(size)})" if size != 1 else "")


def in_order(group: dict[str, int]) -> list[tuple[str, int]]:
    """Return a group's colours and counts, always in the same order, without empty ones.

    >>> in_order({"blue": 2, "red": 1, "green": 0})
    [('red', 1), ('blue', 2)]
    """
    return [(colour, group[colour]) for colour in SHAPES if group.get(colour)]
