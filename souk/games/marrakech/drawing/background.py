"""The ground of the Marrakech drawing: court, arcs, frame, squares and gates."""

from souk.engine.drawing.pen import Pen, num, xy
from souk.games.marrakech.board import SIZE, SQUARES
from souk.games.marrakech.drawing.geometry import (
    ARCS,
    BOARD,
    CELL,
    COURT,
    COURT_SIZE,
    FRAME,
    PAD,
    Gate,
    along,
    corner,
    gate_point,
)


def court(pen: Pen) -> str:
    near = PAD + COURT / 2 + 3
    far = 2 * PAD + COURT_SIZE - near
    return (
        f'<rect x="{PAD}" y="{PAD}" width="{COURT_SIZE}" height="{COURT_SIZE}" rx="14" '
        f'fill="url(#{pen.ident("zellige")})"/>'
        f'<rect x="{PAD}" y="{PAD}" width="{COURT_SIZE}" height="{COURT_SIZE}" rx="14" '
        f'{pen.paint("none", "line")} stroke-width="2"/>'
        + pen.use("rosette", f"translate({num(near)} {num(near)})scale(.78)")
        + pen.use("rosette", f"translate({num(far)} {num(far)})scale(.78)")
    )


def arc_definitions(pen: Pen) -> str:
    paths = "".join(
        f'<path data-arc="{a[0]}{a[1]} {b[0]}{b[1]}" d="M{xy(gate_point(a))}{along(a, b)}"/>'
        for a, b in ARCS
    )
    return f'<g id="{pen.ident("arcs")}">{paths}</g>'


def arcs(pen: Pen) -> str:
    """Draw the arcs as inlaid tiles with a brass edge."""
    arcs = pen.use("arcs")
    return (
        f'<g data-part="arcs" fill="none">'
        f'<g {pen.paint(stroke="paper")} stroke-width="19">{arcs}</g>'
        f'<g {pen.paint(stroke="inlay")} stroke-width="14">{arcs}</g>'
        f'<g {pen.paint(stroke="tile")} stroke-width="11.4">{arcs}</g>'
        f'<g {pen.paint(stroke="paper")} stroke-width="11.4" stroke-opacity=".55" '
        f'stroke-dasharray="1.1 9.9" stroke-dashoffset="-4">{arcs}</g>'
        f'<g {pen.paint(stroke="inlay")} stroke-width="3.6" stroke-linecap="round" '
        f'stroke-dasharray="0 11" stroke-dashoffset="-10">{arcs}</g></g>'
    )


def frame(pen: Pen) -> str:
    """Draw the frame round the squares."""
    x, side = PAD + COURT, SIZE * CELL + 2 * FRAME
    return (
        f'<rect x="{x}" y="{x}" width="{side}" height="{side}" rx="5" '
        f'{pen.paint("cedar", "cedar_edge")} stroke-width="1.5"/>'
        f'<rect x="{x + 4}" y="{x + 4}" width="{side - 8}" height="{side - 8}" rx="3" '
        f'{pen.paint("none", "cedar_edge")} stroke-opacity=".55"/>'
    )


def gates(pen: Pen) -> str:
    """Draw a star with the file or rank wherever Assam may leave the board.

    They lie over the line of a walk, so that Assam is seen to go through a gate.
    """
    gates = [gate for arc in ARCS for gate in arc]
    stars = "".join(pen.use("gate", f"translate({xy(gate_point(gate))})") for gate in gates)
    names = "".join(_gate_name(gate) for gate in gates)
    return (
        f'<g data-part="gates">{stars}<g font-size="15" font-weight="700" text-anchor="middle" '
        f"{pen.paint('on_tile')}>{names}</g></g>"
    )


def _gate_name(gate: Gate) -> str:
    x, y = gate_point(gate)
    return f'<text x="{num(x)}" y="{num(y + 5)}">{gate[0][0 if gate[1] in "NS" else 1]}</text>'


def squares(pen: Pen) -> str:
    whole = f'x="{BOARD}" y="{BOARD}" width="{SIZE * CELL}" height="{SIZE * CELL}"'
    odd = "".join(
        f"M{xy(corner(square))}h{CELL}v{CELL}h-{CELL}z"
        for i, square in enumerate(SQUARES)
        if i % 2 == 0
    )
    lines = "".join(
        f"M{BOARD + CELL * i} {BOARD}v{SIZE * CELL}M{BOARD} {BOARD + CELL * i}h{SIZE * CELL}"
        for i in range(SIZE + 1)
    )
    names = "".join(_square_name(square) for square in SQUARES)
    return (
        f'<rect {whole} {pen.paint("square")}/><path d="{odd}" {pen.paint("square_odd")}/>'
        f'<path d="{lines}" {pen.paint(stroke="line")} stroke-width="1.5"/>'
        f'<g data-part="names" font-size="13" {pen.paint("square_name")}>{names}</g>'
    )


def _square_name(square: str) -> str:
    x, y = corner(square)
    return f'<text x="{x + 9}" y="{y + CELL - 11}">{square}</text>'
