"""The players' signs: a flag with a colour and a pattern for each."""

from souk.engine.drawing.ornaments import INK, IVORY, YARNS, lozenge, spark
from souk.engine.drawing.pen import Pen, num

_CLOTH = "M1 1H35L29 12.5L35 24H1Z"


def definitions(pen: Pen) -> str:
    return "\n".join(_flag(pen, colour) for colour in YARNS)


def flag(pen: Pen, colour: str, x: float, y: float, size: float = 1) -> str:
    """Draw a flag with the top of its pole at a point, 36 wide and 38 high."""
    scale = f"scale({num(size)})" if size != 1 else ""
    return pen.use(f"flag-{colour}", f"translate({num(x)} {num(y)}){scale}")


def _flag(pen: Pen, colour: str) -> str:
    ground, pale, dark = YARNS[colour]
    return (
        f'<g id="{pen.ident(f"flag-{colour}")}" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="M0 0V38{_CLOTH}" fill="{IVORY}" stroke="{IVORY}" stroke-width="5.5"/>'
        f'<path d="{_CLOTH}" fill="{ground}"/>{_pattern(colour, pale, dark)}'
        f'<path d="{_CLOTH}" fill="none" stroke="{INK}" stroke-width="1.5"/>'
        f'<path d="M0-1V38" stroke="{INK}" stroke-width="2.6"/></g>'
    )


def _pattern(colour: str, pale: str, dark: str) -> str:
    """Draw the pattern of a colour, simplified so that it is distinct when very small."""
    if colour == "red":
        return (
            f'<path d="{lozenge(11, 9, 16, 12.5)}" fill="{pale}"/>'
            f'<path d="{lozenge(5, 4, 16, 12.5)}" fill="{dark}"/>'
        )
    if colour == "yellow":
        return f'<path d="M2 7H32M2 12.5H29M2 18H32" stroke="{dark}" stroke-width="2.8"/>'
    if colour == "blue":
        return (
            f'<path d="M2 17h4v-4h4v-4h4v4h4v4h4v-4h4v-4" fill="none" stroke="{pale}" '
            f'stroke-width="3.2"/>'
        )
    return f'<path d="{spark(10.5, 15, 12.5)}" fill="{pale}"/>'
