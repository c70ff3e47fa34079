"""The marks of the Marrakech drawing: what just happened and what may happen next."""

from souk.engine.drawing.pen import Pen, Point, clean, fit, num, shrink, text_width, xy
from souk.games.marrakech.board import FACINGS
from souk.games.marrakech.drawing.geometry import (
    ACROSS,
    CELL,
    along,
    centre,
    corner,
    gate_point,
)
from souk.games.marrakech.drawing.pieces import placement
from souk.games.marrakech.drawing.scene import Option, Scene, Walk, neighbour


def taxed_squares(pen: Pen, taxed: tuple[str, ...]) -> str:
    """Draw a dashed line round the squares counted for a tax, and a coin on each."""
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


def laid_rug(pen: Pen, scene: Scene) -> str:
    if scene.laid is None:
        return ""
    rug = scene.rugs[scene.laid]
    (x, y), turn, _ = placement(rug, scene.rugs)
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
    """Draw Assam's walk: a line with a dot at each step and a ring where he started."""
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


def option_frames(pen: Pen, options: tuple[Option, ...]) -> str:
    """Draw a frame round each square Assam may stop on, under the pieces."""
    squares = dict.fromkeys(option.square for option in options)
    return "".join(_option_frame(pen, square) for square in squares)


def badges(pen: Pen, scene: Scene) -> str:
    """Draw the chance and the cost of each stop; several on one square share a column."""
    if not scene.options:
        return ""
    columns: dict[str, list[Option]] = {}
    for option in scene.options:
        columns.setdefault(option.square, []).append(option)
    drawn = "".join(_column(pen, column, scene.assam) for column in columns.values())
    return f'<g data-part="options">{drawn}</g>'


def _column(pen: Pen, options: list[Option], assam_at: str) -> str:
    x, y = centre(options[0].square)
    y -= 19 * (len(options) - 1)
    if options[0].square == assam_at and len(options) == 1:
        y += 20  # does not hide his head
    return "".join(_badge(pen, option, (x, y + 38 * i)) for i, option in enumerate(options))


def _option_frame(pen: Pen, square: str) -> str:
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
