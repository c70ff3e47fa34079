"""The ornaments of the Marrakech drawing: rugs, gates and Assam.

Everything here is drawn once, round the origin, into the definitions of a drawing, and copied
from there.
"""

from collections.abc import Callable, Iterable

from souk.engine.drawing.ornaments import INK, IVORY, YARNS, lozenge, spark, star
from souk.engine.drawing.pen import Pen, num
from souk.games.marrakech.board import FACINGS

RUG_WIDTH, RUG_LENGTH = 70, 138
FRINGE = 7

NEUTRAL_YARNS = ("#8E8A85", "#ECE8E1", "#5D5954")


# --- rugs -----------------------------------------------------------------------------------


def rug_name(colour: str, neutral: bool) -> str:
    """Return the id under which a rug is defined."""
    return f"rug-{colour}-neutral" if neutral else f"rug-{colour}"


def rug_cloth(pen: Pen, colour: str, neutral: bool) -> str:
    """Define an upright rug around the origin: fringe, ground, border and pattern."""
    ground, pale, dark = NEUTRAL_YARNS if neutral else YARNS[colour]
    w, h = RUG_WIDTH / 2, RUG_LENGTH / 2
    tip = h + FRINGE / 2
    ends = "".join(f"M{num(1.5 - w)} {num(y)}H{num(w - 1.5)}" for y in (-tip, tip))
    return (
        f'<g id="{pen.ident(rug_name(colour, neutral))}">'
        f'<path d="{ends}" {pen.paint(stroke="fringe")} stroke-width="{FRINGE}" '
        f'stroke-dasharray="2 2.643"/>'
        f'<rect x="{num(-w)}" y="{num(-h)}" width="{RUG_WIDTH}" height="{RUG_LENGTH}" rx="1.5" '
        f'fill="{ground}" stroke="{dark}" stroke-width="1.4"/>'
        f"{_border(pale, dark)}{PATTERNS[colour](pale, dark)}</g>"
    )


def _border(pale: str, dark: str) -> str:
    """Draw the border: a dark edge, a pale line inside it and a band at each short end."""
    w, h = RUG_WIDTH / 2, RUG_LENGTH / 2
    ends = "".join(f"M{num(-w + 1)} {num(y)}H{num(w - 1)}" for y in (-h + 3.5, h - 3.5))
    return (
        f'<path d="{ends}" stroke="{dark}" stroke-width="5" stroke-opacity=".75"/>'
        f'<rect x="{num(5 - w)}" y="{num(8 - h)}" width="{RUG_WIDTH - 10}" '
        f'height="{RUG_LENGTH - 16}" fill="none" stroke="{pale}" stroke-width="1.8"/>'
    )


def _lozenges(pale: str, dark: str) -> str:
    """Draw red's pattern: nested lozenges in a row, the triangles between them filled."""
    spots = [(0, y) for y in (-43.5, -14.5, 14.5, 43.5)]
    between = "".join(
        f"M{num(side * 26.5)} {num(y - 9)}v18l{num(-side * 16)}-9Z"
        for y in (-29, 0, 29)
        for side in (-1, 1)
    )
    return (
        _shape([between], dark)
        + _shape((lozenge(25, 13.6, *spot) for spot in spots), pale)
        + _shape((lozenge(18.5, 10, *spot) for spot in spots), dark)
        + _shape((lozenge(9.5, 5.1, *spot) for spot in spots), pale)
    )


def _stripes(pale: str, dark: str) -> str:
    """Draw yellow's pattern: stripes along the rug."""
    top, height = 10.5 - RUG_LENGTH / 2, RUG_LENGTH - 21
    bars = ((-22, 5, dark), (-12, 6, pale), (-2.5, 5, dark), (6, 6, pale), (17, 5, dark))
    return "".join(
        f'<path d="M{num(x)} {num(top)}h{width}v{height}h-{width}z" fill="{yarn}"/>'
        for x, width, yarn in bars
    )


def _steps(pale: str, dark: str) -> str:
    """Draw blue's pattern: rows of a stepped zigzag."""
    stair = "h5v-5h6v-5h6v5h6v5h10v-5h6v-5h6v5h6v5h5"
    pale_rows = "".join(f"M-28 {y}{stair}" for y in (-42, -14, 14, 42))
    dark_rows = "".join(f"M-28 {y}{stair}" for y in (-28, 0, 28, 56))
    return (
        f'<path d="{pale_rows}" fill="none" stroke="{pale}" stroke-width="4"/>'
        f'<path d="{dark_rows}" fill="none" stroke="{dark}" stroke-width="3"/>'
    )


def _stars(pale: str, dark: str) -> str:
    """Draw orange's pattern: small stars, three and two in turn."""
    rows = [
        (y, (-18.5, 0, 18.5) if i % 2 == 0 else (-9.25, 9.25)) for i, y in enumerate(_STAR_ROWS)
    ]
    spots = [(x, y) for y, row in rows for x in row]
    return _shape((spark(8.6, *spot) for spot in spots), pale) + _shape(
        (lozenge(1.8, 1.8, *spot) for spot in spots), dark
    )


_STAR_ROWS = (-51, -34, -17, 0, 17, 34, 51)


def _shape(paths: Iterable[str], colour: str) -> str:
    return f'<path d="{"".join(paths)}" fill="{colour}"/>'


PATTERNS: dict[str, Callable[[str, str], str]] = {
    "red": _lozenges,
    "yellow": _stripes,
    "blue": _steps,
    "orange": _stars,
}


def rug_shadow(pen: Pen, name: str, top: float, bottom: float) -> str:
    """Define a rug's thin shadow, without blur so that every viewer can show it."""
    w = RUG_WIDTH / 2
    return (
        f'<rect id="{pen.ident(name)}" x="{num(-w)}" y="{num(top)}" width="{RUG_WIDTH}" '
        f'height="{num(bottom - top)}" rx="2" {pen.paint("shadow", "shadow")} '
        f'fill-opacity=".36" stroke-opacity=".2" stroke-width="5"/>'
    )


PINKED = "l4.5 3 4.5-3" * 8  # the cut edge of a rug, as path data, from left to right
PINKED_BACK = "l-4.5 3-4.5-3" * 8


# --- ground and small things ----------------------------------------------------------------


def gate_tile(pen: Pen) -> str:
    """Define the star at each gate, on which the file or rank is written."""
    return (
        f'<path id="{pen.ident("gate")}" d="{star(15.5)}" {pen.paint("tile", "inlay")} '
        f'stroke-width="1.2"/>'
    )


def rosette(pen: Pen) -> str:
    """Define the ornament of the two corners that have no loop."""
    return (
        f'<g id="{pen.ident("rosette")}"><path d="{star(34)}" {pen.paint("paper", "court_line")}/>'
        f'<path d="{star(29)}" {pen.paint("tile", "inlay")} stroke-width="1.4"/>'
        f'<path d="{star(19)}" {pen.paint("paper", "inlay")} stroke-width="1.2"/>'
        f'<path d="{star(12)}" {pen.paint("tile")}/>'
        f'<path d="{star(5)}" {pen.paint("inlay")}/></g>'
    )


# --- Assam ----------------------------------------------------------------------------------

_SKIN, _BEARD, _FEZ, _ROBE_SHADE, _SASH = "#A06F47", "#33261F", "#B5382F", "#D8C7A5", "#2F3E75"


def assam(pen: Pen, facing: str) -> str:
    """Draw Assam around the origin, from the front, the back or the side.

    A pointed base shows which way he faces even when the drawing is very small.
    """
    turn = 90 * FACINGS.index(facing)
    figure = {"N": _from_behind, "S": _from_front}.get(facing, _from_side)()
    mirror = "-1.1 1.1" if facing == "W" else "1.1"
    outline = 'stroke-width="1.7" stroke-linejoin="round" stroke-linecap="round"'
    return (
        f'<g transform="rotate({turn})"><path d="{_BASE}" {pen.paint("shadow")} opacity=".3" '
        f'transform="rotate({-turn})translate(0 3)rotate({turn})"/>'
        f'<path d="{_BASE}" {pen.paint("paper", "paper")} stroke-width="6.5" '
        f'stroke-linejoin="round"/>'
        f'<path d="{_BASE}" {pen.paint("base", "accent")} stroke-width="2.8" '
        f'stroke-linejoin="round"/><path d="{_TIP}" {pen.paint("accent")}/></g>'
        f'<g transform="scale({mirror})" stroke="{INK}" fill="none" {outline}>{figure}</g>'
    )


_BASE = "M-20-20L0-39L20-20A28.3 28.3 0 1 1-20-20Z"
_TIP = "M-13-26.65L0-39L13-26.65Q0-31.5-13-26.65Z"


def _robe(shape: str) -> str:
    return f'<path d="{shape}" fill="{IVORY}"/>'


def _fez(shape: str, tassel: str) -> str:
    return f'<path d="{shape}" fill="{_FEZ}"/><path d="{tassel}" stroke-width="1.5"/>'


def _from_front() -> str:
    return (
        _robe("M-15 23C-15 8-10-3 0-3S15 8 15 23C8 26-8 26-15 23Z")
        + f'<path d="M-12 10Q0 14.5 12 10" stroke="{_SASH}" stroke-width="3.4"/>'
        + f'<path d="M0 0V8M0 14V24" stroke="{_ROBE_SHADE}"/>'
        + f'<circle cy="-10" r="8.3" fill="{_SKIN}"/>'
        + f'<path d="M-7.6-9C-7 2 7 2 7.6-9C4-5.5-4-5.5-7.6-9Z" fill="{_BEARD}" stroke="none"/>'
        + f'<circle cx="-3" cy="-11.5" r="1.3" fill="{INK}" stroke="none"/>'
        + f'<circle cx="3" cy="-11.5" r="1.3" fill="{INK}" stroke="none"/>'
        + _fez("M-7.6-15L-6-26H6L7.6-15C4-13.4-4-13.4-7.6-15Z", "M0-26C6-27 9-24 9-18")
    )


def _from_behind() -> str:
    return (
        _robe("M-15 23C-15 8-10-3 0-3S15 8 15 23C8 26-8 26-15 23Z")
        + f'<path d="M-12 10Q0 14.5 12 10" stroke="{_SASH}" stroke-width="3.4"/>'
        + f'<circle cy="-10" r="8.3" fill="{_BEARD}"/>'
        + f'<path d="M-10-4C-8 11 8 11 10-4C4 0-4 0-10-4Z" fill="{_ROBE_SHADE}"/>'
        + _fez("M-7.6-13L-6-26H6L7.6-13C4-11-4-11-7.6-13Z", "M0-26C1-24 0-22 0-21")
        + '<path d="M0-21l-2 5.5h4z" fill="#E0B15A" stroke="#E0B15A" stroke-width=".8"/>'
    )


def _from_side() -> str:
    return (
        _robe("M-13 23C-14 8-9-3-1-3C8-3 11 8 13 23C6 26-7 26-13 23Z")
        + f'<path d="M-11.5 10Q0 14 11 10" stroke="{_SASH}" stroke-width="3.4"/>'
        + f'<circle cx="16" cy="8.5" r="2.4" fill="{_SKIN}"/>'
        + f'<path d="M-4 1C1 5 9 6 15 5.5L15 11C8 13-2 11-6 6Z" fill="{IVORY}"/>'
        + f'<circle cx="1" cy="-10" r="8.3" fill="{_SKIN}"/>'
        + f'<path d="M8.6-12.5L12.6-8.8L9-7.5" fill="{_SKIN}"/>'
        + f'<path d="M1-8C1 2 10 1 9.4-6C7-5 4-6 1-8Z" fill="{_BEARD}" stroke="none"/>'
        + f'<circle cx="5.4" cy="-11.5" r="1.4" fill="{INK}" stroke="none"/>'
        + _fez("M-7-15L-5-26H7L9-15C5-13.4-3-13.4-7-15Z", "M1-26C-5-28-10-24-10-17")
    )
