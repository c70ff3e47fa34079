"""The board of Marrakech: squares, facings, arcs, rug places and the die.

Squares are numbered 0 to 48 from a1 to g1, then a2 …; facings clockwise from north. A *place* is
where a rug can lie: its lower left square and whether it lies along the rank or the file.
"""

FILES = "abcdefg"
SIZE = 7
SQUARES = tuple(f"{file}{rank + 1}" for rank in range(SIZE) for file in FILES)
FACINGS = "NESW"
NORTH, EAST, SOUTH, WEST = range(4)
CENTRE = SQUARES.index("d4")
STEPS = (SIZE, 1, -SIZE, -1)  # what one step adds to a square's number, by facing

DIE_FACES = (1, 2, 2, 3, 3, 4)
MOST_PIPS = max(DIE_FACES)
DIE_WEIGHTS = tuple(DIE_FACES.count(pips) for pips in range(1, MOST_PIPS + 1))  # faces by pips - 1

# The printed arcs by the facing that leaves the board: out by one square of a pair, Assam comes
# back by the other. The odd square of each edge has the corner loop, back onto itself.
ARC_PAIRS = {
    NORTH: (("a7", "b7"), ("c7", "d7"), ("e7", "f7")),
    EAST: (("g6", "g5"), ("g4", "g3"), ("g2", "g1")),
    SOUTH: (("b1", "c1"), ("d1", "e1"), ("f1", "g1")),
    WEST: (("a7", "a6"), ("a5", "a4"), ("a3", "a2")),
}
CORNER_LOOPS = {NORTH: ("g7", WEST), EAST: ("g7", SOUTH), SOUTH: ("a1", EAST), WEST: ("a1", NORTH)}


def _arcs() -> dict[tuple[int, int], tuple[int, int]]:
    arcs = {}
    for facing, pairs in ARC_PAIRS.items():
        back = (facing + 2) % 4
        for one, other in pairs:
            here, there = SQUARES.index(one), SQUARES.index(other)
            arcs[here, facing] = (there, back)
            arcs[there, facing] = (here, back)
        corner, new_facing = CORNER_LOOPS[facing]
        arcs[SQUARES.index(corner), facing] = (SQUARES.index(corner), new_facing)
    return arcs


ARCS = _arcs()  # (square, facing) on leaving the board -> (square, facing) on coming back


def step(square: int, facing: int) -> tuple[int, int]:
    """Return the square and facing of Assam after one step.

    >>> at, facing = step(SQUARES.index("g7"), EAST)
    >>> SQUARES[at], FACINGS[facing]
    ('g7', 'S')
    """
    return ARCS.get((square, facing)) or (square + STEPS[facing], facing)


def walk(square: int, facing: int, steps: int) -> list[tuple[int, int]]:
    """Return the squares Assam visits, in order, with his facing on each.

    >>> [SQUARES[at] for at, _ in walk(SQUARES.index("d2"), SOUTH, 4)]
    ['d1', 'e1', 'e2', 'e3']
    """
    path = []
    for _ in range(steps):
        square, facing = step(square, facing)
        path.append((square, facing))
    return path


def _landing(die: int, facing: int, square: int) -> int:
    at, facing = walk(square, facing, die)[-1]
    return at | facing << 6


# Where a walk ends, square | facing << 6, at [((die - 1) * 4 + facing) * 49 + square].
WALK = tuple(
    _landing(die, facing, square)
    for die in range(1, MOST_PIPS + 1)
    for facing in range(4)
    for square in range(49)
)


def neighbours(square: int) -> list[int]:
    """Return the squares that share a side with this one."""
    beside = [(square + STEPS[facing], facing) for facing in range(4)]
    return [at for at, facing in beside if (square, facing) not in ARCS]


def _places() -> tuple[tuple[int, int], ...]:
    along_ranks = [(square, square + 1) for square in range(49) if square % SIZE < SIZE - 1]
    along_files = [(square, square + SIZE) for square in range(49 - SIZE)]
    return tuple(along_ranks + along_files)


# The two squares of every place: 42 along the ranks, then 42 along the files.
PLACES = _places()
CORNER = tuple(place[0] for place in PLACES)  # the lower left square of every place
ALONG_RANK = 42  # places below this number lie along a rank
PLACE_ALONG_RANK = tuple(square - square // SIZE for square in range(49))  # by lower left square


def _beside(along: int) -> tuple[int, ...]:
    masks = []
    for assam in range(49):
        touching = set(neighbours(assam))
        mask = 0
        for place in PLACES:
            if place[1] - place[0] == along and assam not in place and touching & set(place):
                mask |= 1 << place[0]
        masks.append(mask)
    return tuple(masks)


# Places a rug may take when Assam stands on a square, as masks of their lower left squares.
BESIDE_ALONG_RANK = _beside(1)
BESIDE_ALONG_FILE = _beside(SIZE)

ALL = (1 << 49) - 1
FILE_A = sum(1 << SIZE * rank for rank in range(SIZE))
NOT_FILE_A = ALL & ~FILE_A
NOT_FILE_G = ALL & ~(FILE_A << SIZE - 1)


# The squares that each ten bits of a mask stand for, by their place and their value.
_IN_TEN = tuple(
    tuple(tuple(10 * place + bit for bit in range(10) if ten >> bit & 1) for ten in range(1024))
    for place in range(5)
)


def numbers_of(mask: int) -> list[int]:
    """Return the numbers of the squares in a mask."""
    first, second, third, fourth, fifth = _IN_TEN
    return [
        *first[mask & 1023],
        *second[mask >> 10 & 1023],
        *third[mask >> 20 & 1023],
        *fourth[mask >> 30 & 1023],
        *fifth[mask >> 40],
    ]


def squares_of(mask: int) -> list[str]:
    """Return the names of the squares in a mask.

    >>> squares_of(0b1001)
    ['a1', 'd1']
    """
    return [SQUARES[square] for square in numbers_of(mask)]
