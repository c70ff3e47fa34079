"""The pieces of the Marrakech drawing: rugs and Assam."""

from collections.abc import Iterator
from zlib import crc32

from souk.engine.drawing.ornaments import INK
from souk.engine.drawing.pen import Pen, Point, num, xy
from souk.games.marrakech.board import FACINGS
from souk.games.marrakech.drawing import symbols
from souk.games.marrakech.drawing.geometry import CELL, ahead, centre
from souk.games.marrakech.drawing.scene import Rug, Scene, hidden_sides


def rugs(pen: Pen, scene: Scene) -> str:
    rugs = (_rug(pen, rug, scene.rugs) for rug in scene.rugs)
    return '<g data-part="rugs">' + "\n".join(rugs) + "</g>"


def _rug(pen: Pen, rug: Rug, rugs: tuple[Rug, ...]) -> str:
    (x, y), turn, piece = placement(rug, rugs)
    cloth = pen.use(symbols.rug_name(rug.colour, rug.neutral))
    shade = "shade"
    if piece:
        shade = f"shade-{piece}"
        cloth = f'<g clip-path="url(#{pen.ident(piece)})">{cloth}</g>{pen.use(f"edge-{piece}")}'
    dark = pen.use(shade, f"translate({num(x)} {num(y + 2.5)})rotate({num(turn)})")
    return (
        f'<g data-rug="{rug.colour} {" ".join(rug.squares)}">{dark}'
        f'<g transform="translate({num(x)} {num(y)})rotate({num(turn)})">{cloth}</g></g>'
    )


def placement(rug: Rug, rugs: tuple[Rug, ...]) -> tuple[Point, float, str]:
    """Return a rug's middle, its angle and which piece of it is visible.

    A small angle shows the edges of what lies beneath. It depends on the rug alone, so it is the
    same in every drawing.
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
    cut = {placement(rug, scene.rugs)[2] for rug in scene.rugs} - {""}
    for piece in sorted(cut):
        top, bottom = _PIECES[piece]
        outline = f"M-36 {num(top)}{symbols.PINKED}V{num(bottom)}{symbols.PINKED_BACK}Z"
        cuts = [bottom] if piece == "end" else [top, bottom]
        edge = "".join(f"M-36 {num(y)}{symbols.PINKED}" for y in cuts)
        shade_top = -symbols.RUG_LENGTH / 2 if piece == "end" else top
        yield f'<clipPath id="{pen.ident(piece)}"><path d="{outline}"/></clipPath>'
        yield symbols.rug_shadow(pen, f"shade-{piece}", shade_top, bottom)
        yield (
            f'<path id="{pen.ident(f"edge-{piece}")}" d="{edge}" fill="none" '
            f'stroke="{INK}" stroke-opacity=".6" stroke-width="1.2"/>'
        )


def assam(pen: Pen, scene: Scene) -> str:
    figure = symbols.assam(pen, scene.facing)
    return f'<g data-part="assam" transform="translate({xy(centre(scene.assam))})">{figure}</g>'
