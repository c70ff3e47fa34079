"""Coordinates of the Marrakech drawing."""

from souk.engine.drawing.pen import Point, xy
from souk.games.marrakech import board
from souk.games.marrakech.board import FACINGS, SIZE, SQUARES

CELL = 80
FRAME = 26  # the cedar frame round the squares
COURT = 58  # the tiled court round the frame, where the arcs run
PAD = 16
BOARD = PAD + COURT + FRAME  # where the squares begin, from the left and from the top
COURT_SIZE = SIZE * CELL + 2 * (FRAME + COURT)

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
    """Return the top left corner of a square."""
    rank, file = divmod(SQUARES.index(square), SIZE)
    return BOARD + CELL * file, BOARD + CELL * (SIZE - 1 - rank)


def bounds(lowest: str, highest: str) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of some squares, with the court beside edge squares.

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
    """Return the middle of the frame where Assam leaves a square by a side."""
    return ahead(centre(gate[0]), gate[1], CELL / 2 + FRAME / 2)


def along(leave: Gate, enter: Gate) -> str:
    """Return path data from one gate along the arc to the other."""
    start, out = ahead(gate_point(leave), leave[1], FRAME / 2), AHEAD[leave[1]]
    end = ahead(gate_point(enter), enter[1], FRAME / 2)
    across = (end[0] - start[0], end[1] - start[1])
    sweep = int(out[0] * across[1] - out[1] * across[0] > 0)
    if leave[1] == enter[1]:
        turn = f"A{CELL // 2} {CELL // 2} 0 0 {sweep} {xy(end)}"
        return f"L{xy(start)}{turn}L{xy(gate_point(enter))}"
    return f"L{xy(start)}{_round_the_corner(start, leave[1], end, enter[1], sweep)}"


def _round_the_corner(start: Point, leave: str, end: Point, enter: str, sweep: int) -> str:
    """Return path data of the loop at a corner."""
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
