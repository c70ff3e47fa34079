"""What lies and stands on the board in the Marrakech drawing: rugs, Assam, and the marks of what
just happened and what may happen next.

May import the pen, the scene, the ornaments, the court and the board.
"""

from collections.abc import Iterator
from zlib import crc32

from souk.engine.drawing.ornaments import INK
from souk.engine.drawing.pen import Pen, clean, fit, num, shrink, text_width
from souk.games.marrakech.board import FACINGS
from souk.games.marrakech.drawing import ornaments
from souk.games.marrakech.drawing.court import (
    ACROSS,
    CELL,
    Point,
    ahead,
    along,
    centre,
    corner,
    gate_point,
    xy,
)
from souk.games.marrakech.drawing.scene import Option, Rug, Scene, Walk, hidden_sides, neighbour


def rugs(pen: Pen, scene: Scene) -> str:
    rugs = (_rug(pen, rug, scene.rugs) for rug in scene.rugs)
    return '<g data-part="rugs">' + "\n".join(rugs) + "</g>"


def _rug(pen: Pen, rug: Rug, rugs: tuple[Rug, ...]) -> str:
    (x, y), turn, piece = lie(rug, rugs)
    cloth = pen.use(ornaments.rug_name(rug.colour, rug.neutral))
    shade = "shade"
    if piece:
        shade = f"shade-{piece}"
        cloth = f'<g clip-path="url(#{pen.ident(piece)})">{cloth}</g>{pen.use(f"edge-{piece}")}'
    dark = pen.use(shade, f"translate({num(x)} {num(y + 2.5)})rotate({num(turn)})")
    return (
        f'<g data-rug="{rug.colour} {" ".join(rug.squares)}">{dark}'
        f'<g transform="translate({num(x)} {num(y)})rotate({num(turn)})">{cloth}</g></g>'
    )


def lie(rug: Rug, rugs: tuple[Rug, ...]) -> tuple[Point, float, str]:
    """Where a rug's middle is, how far it is turned, and which piece of it is to be seen.

    Cloth is never laid quite straight: a little turn of its own shows the edges of what lies
    beneath. It depends on the rug alone, so a rug stays as it lies from drawing to drawing.
    """
    chance = crc32(f"{rug.colour}{rug.squares}".encode())
    askew = (chance % 13 - 6) * 0.11
    first = centre(rug.squares[0])
    if len(rug.squares) == 2:
        second = centre(rug.squares[1])
        upright = 0 if first[0] == second[0] else 90
        return ((first[0] + second[0]) / 2, (first[1] + second[1]) / 2), upright + askew, ""
    sides = hidden_sides(rug, rugs)
    if len(sides) == 1:
        turn = (90 * FACINGS.index(sides[0]) + 180) % 360
        return ahead(first, sides[0], CELL / 2), turn + askew, "end"
    upright = 0 if not sides or set(sides) & {"N", "S"} else 90
    return first, upright + askew, "middle"


# A rug known by half is cut from the whole one: an end with its fringe when we can tell where
# the rest is hidden, else a piece from the middle. Each piece is (top, bottom) on the upright rug.
_PIECES = {"end": (-80.0, -5.0), "middle": (-36.0, 33.0)}


def cut_definitions(pen: Pen, scene: Scene) -> Iterator[str]:
    wanted = {lie(rug, scene.rugs)[2] for rug in scene.rugs} - {""}
    for piece in sorted(wanted):
        top, bottom = _PIECES[piece]
        outline = f"M-36 {num(top)}{ornaments.PINKED}V{num(bottom)}{ornaments.PINKED_BACK}Z"
        cuts = [bottom] if piece == "end" else [top, bottom]
        edge = "".join(f"M-36 {num(y)}{ornaments.PINKED}" for y in cuts)
        shade_top = -ornaments.RUG_LENGTH / 2 if piece == "end" else top
        yield f'<clipPath id="{pen.ident(piece)}"><path d="{outline}"/></clipPath>'
        yield ornaments.rug_shadow(pen, f"shade-{piece}", shade_top, bottom)
        yield (
            f'<path id="{pen.ident(f"edge-{piece}")}" d="{edge}" fill="none" '
            f'stroke="{INK}" stroke-opacity=".6" stroke-width="1.2"/>'
        )


def taxed(pen: Pen, taxed: tuple[str, ...]) -> str:
    """A dashed line round the area that was counted, and a coin on each of its squares."""
    if not taxed:
        return ""
    edges = "".join(
        _edge(square, side)
        for square in taxed
        for side in FACINGS
        if neighbour(square, side) not in taxed
    )
    coins = "".join(
        pen.use("coin", f"translate({x + CELL - 14} {y + 14})") for x, y in map(corner, taxed)
    )
    return (
        f'<g data-part="taxed"><path d="{edges}" {pen.paint("none", "paper")} stroke-width="6.5" '
        f'stroke-linecap="square"/><path d="{edges}" {pen.paint("none", "cost")} '
        f'stroke-width="3" stroke-dasharray="8 8" stroke-dashoffset="4"/>{coins}</g>'
    )


def _edge(square: str, side: str) -> str:
    x, y = corner(square)
    at = {"N": (x, y), "W": (x, y), "S": (x, y + CELL), "E": (x + CELL, y)}[side]
    return f"M{xy(at)}{'h' if side in 'NS' else 'v'}{CELL}"


def laid(pen: Pen, scene: Scene) -> str:
    if scene.laid is None:
        return ""
    rug = scene.rugs[scene.laid]
    (x, y), turn, _ = lie(rug, scene.rugs)
    half = 78 if len(rug.squares) == 2 else 38
    if len(rug.squares) == 1:
        x, y = centre(rug.squares[0])
    box = f'x="-38.5" y="{-half}" width="77" height="{2 * half}" rx="5"'
    return (
        f'<g data-part="laid" transform="translate({num(x)} {num(y)})rotate({num(turn)})">'
        f'<rect {box} {pen.paint("none", "paper")} stroke-width="6.5"/>'
        f'<rect {box} {pen.paint("none", "accent")} stroke-width="3.2"/></g>'
    )


def walk(pen: Pen, walk: Walk | None) -> str:
    """The way Assam came: a line with a dot at each step, a ring where he set out."""
    if walk is None:
        return ""
    here = (walk.start, walk.facing)
    path = f"M{xy(centre(walk.start))}"
    for there in walk.path():
        if here in ACROSS:
            path += f"L{xy(gate_point(here))}{along(here, ACROSS[here])}"
        path += f"L{xy(centre(there[0]))}"
        here = there
    dots = "".join(_dot(square) for square, _ in walk.path())
    x, y = map(num, centre(walk.start))
    line = 'stroke-linejoin="round" stroke-linecap="round"'
    return (
        f'<g data-part="walk"><path d="{path}" {pen.paint("none", "paper")} stroke-width="8" '
        f'{line}/><path d="{path}" {pen.paint("none", "accent")} stroke-width="3.6" {line}/>'
        f'<g {pen.paint("accent", "paper")} stroke-width="2">{dots}</g>'
        f'<circle cx="{x}" cy="{y}" r="9" {pen.paint("paper")}/>'
        f'<circle cx="{x}" cy="{y}" r="6.5" {pen.paint("paper", "accent")} stroke-width="3"/></g>'
    )


def _dot(square: str) -> str:
    x, y = centre(square)
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="7.5"/>'


def assam(pen: Pen, scene: Scene) -> str:
    figure = ornaments.assam(pen, scene.facing)
    return f'<g data-part="assam" transform="translate({xy(centre(scene.assam))})">{figure}</g>'


def glows(pen: Pen, options: tuple[Option, ...]) -> str:
    """A frame round each square Assam may stop on; it lies under him, the badges over him."""
    squares = dict.fromkeys(option.square for option in options)
    return "".join(_glow(pen, square) for square in squares)


def badges(pen: Pen, scene: Scene) -> str:
    """How likely each stop is and what it would mean; several on one square stand in a column."""
    if not scene.options:
        return ""
    columns: dict[str, list[Option]] = {}
    for option in scene.options:
        columns.setdefault(option.square, []).append(option)
    told = "".join(_column(pen, column, scene.assam) for column in columns.values())
    return f'<g data-part="options">{told}</g>'


def _column(pen: Pen, options: list[Option], assam_at: str) -> str:
    x, y = centre(options[0].square)
    y -= 19 * (len(options) - 1)
    if options[0].square == assam_at and len(options) == 1:
        y += 20  # leaves his head to be seen
    return "".join(_badge(pen, option, (x, y + 38 * i)) for i, option in enumerate(options))


def _glow(pen: Pen, square: str) -> str:
    x, y = corner(square)
    box = f'x="{x + 4}" y="{y + 4}" width="{CELL - 8}" height="{CELL - 8}" rx="9"'
    return (
        f'<rect {box} {pen.paint("paper", "paper")} fill-opacity=".22" stroke-width="6"/>'
        f'<rect {box} {pen.paint("none", "accent")} stroke-width="2.6"/>'
    )


def _badge(pen: Pen, option: Option, at: Point) -> str:
    label, size = shrink(option.label, 14, 12, 68)
    note = fit(option.note, 16, 68)
    wide = min(76, max(50, text_width(label, size) + 14, text_width(note, 16) + 14))
    box = f'x="{num(-wide / 2)}" y="-18.5" width="{num(wide)}" height="37" rx="9"'
    return (
        f'<g data-option="{option.square}" transform="translate({xy(at)})" text-anchor="middle">'
        f'<rect {box} {pen.paint("card", "shadow")} stroke-opacity=".35" stroke-width="1.4"/>'
        f'<text y="-3.5" font-size="{num(size)}" {pen.paint("soft")}>{clean(label)}</text>'
        f'<text y="13.5" font-size="16" font-weight="700" '
        f"{pen.paint('cost' if option.cost else 'ink')}>{clean(note)}</text></g>"
    )
