"""The court of the Marrakech drawing: where things are on the page, and the ground they lie on.

May import the pen and the board.
"""

from souk.engine.drawing.pen import Pen, num
from souk.games.marrakech import board
from souk.games.marrakech.board import FACINGS, SIZE, SQUARES

CELL = 80
FRAME = 26  # the cedar frame round the squares
COURT = 58  # the tiled court round the frame, where the arcs run
PAD = 16
BOARD = PAD + COURT + FRAME  # where the squares begin, from the left and from the top
COURT_SIZE = SIZE * CELL + 2 * (FRAME + COURT)

Point = tuple[float, float]
Gate = tuple[str, str]  # a square on the edge and the side one leaves it by

# One step on the page, where y grows downwards.
AHEAD = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

# Out by one gate, Assam comes in by the other: facing in, so that gate is behind him.
ACROSS: dict[Gate, Gate] = {
    (SQUARES[out], FACINGS[side]): (SQUARES[back], FACINGS[facing - 2])
    for (out, side), (back, facing) in board.ARCS.items()
}
# Each printed arc once, the way it is drawn.
ARCS = [(out, back) for i, (out, back) in enumerate(ACROSS.items()) if back not in [*ACROSS][:i]]


def corner(square: str) -> tuple[int, int]:
    """The top left corner of a square on the page."""
    rank, file = divmod(SQUARES.index(square), SIZE)
    return BOARD + CELL * file, BOARD + CELL * (SIZE - 1 - rank)


def bounds(lowest: str, highest: str) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a field of squares, with the court where they are at the edge.

    >>> bounds("b2", "d4")
    (180, 340, 420, 580)
    """
    (left, bottom), (right, top) = corner(lowest), corner(highest)
    edge = FRAME + COURT
    return (
        left - (edge if lowest[0] == "a" else 0),
        top - (edge if highest[1] == str(SIZE) else 0),
        right + CELL + (edge if highest[0] == SQUARES[-1][0] else 0),
        bottom + CELL + (edge if lowest[1] == "1" else 0),
    )


def centre(square: str) -> Point:
    x, y = corner(square)
    return x + CELL / 2, y + CELL / 2


def ahead(point: Point, side: str, distance: float) -> Point:
    dx, dy = AHEAD[side]
    return point[0] + dx * distance, point[1] + dy * distance


def gate_point(gate: Gate) -> Point:
    """The middle of the frame where one leaves a square by a side."""
    return ahead(centre(gate[0]), gate[1], CELL / 2 + FRAME / 2)


def xy(point: Point) -> str:
    return f"{num(point[0])} {num(point[1])}"


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


def along(leave: Gate, enter: Gate) -> str:
    """Path data from one gate along the printed arc to the other."""
    start, out = ahead(gate_point(leave), leave[1], FRAME / 2), AHEAD[leave[1]]
    end = ahead(gate_point(enter), enter[1], FRAME / 2)
    across = (end[0] - start[0], end[1] - start[1])
    sweep = int(out[0] * across[1] - out[1] * across[0] > 0)
    if leave[1] == enter[1]:
        turn = f"A{CELL // 2} {CELL // 2} 0 0 {sweep} {xy(end)}"
        return f"L{xy(start)}{turn}L{xy(gate_point(enter))}"
    return f"L{xy(start)}{_round_the_corner(start, leave[1], end, enter[1], sweep)}"


def _round_the_corner(start: Point, leave: str, end: Point, enter: str, sweep: int) -> str:
    """A loop leaves by one side of a corner square, rounds the corner and returns by the other."""
    small, wide = 26, 44
    rise = ahead(ahead(start, leave, small), enter, small)
    fall = ahead(ahead(end, enter, small), leave, small)
    tip = (fall[0], rise[1]) if leave in "NS" else (rise[0], fall[1])
    before, after = ahead(tip, enter, -wide), ahead(tip, leave, -wide)
    return (
        f"A{small} {small} 0 0 {sweep} {xy(rise)}L{xy(before)}"
        f"A{wide} {wide} 0 0 {sweep} {xy(after)}L{xy(fall)}"
        f"A{small} {small} 0 0 {sweep} {xy(end)}L{xy(ahead(end, enter, -FRAME / 2))}"
    )


def arcs(pen: Pen) -> str:
    """Inlaid tile: bedding, brass edge, indigo tiles cut by joints, a brass bead in each."""
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
    """Cedar round the board."""
    x, side = PAD + COURT, SIZE * CELL + 2 * FRAME
    return (
        f'<rect x="{x}" y="{x}" width="{side}" height="{side}" rx="5" '
        f'{pen.paint("cedar", "cedar_edge")} stroke-width="1.5"/>'
        f'<rect x="{x + 4}" y="{x + 4}" width="{side - 8}" height="{side - 8}" rx="3" '
        f'{pen.paint("none", "cedar_edge")} stroke-opacity=".55"/>'
    )


def gates(pen: Pen) -> str:
    """A star wherever one may leave the board, with its file or rank in it.

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
