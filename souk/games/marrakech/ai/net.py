"""The net: an evaluation of positions where a turn is about to begin. A kernel module.

The position is encoded as the player whose turn begins sees it: first the board as it is, then
what a good player would work out from it (what each walk would cost, how large the areas are, who
leads by how much). `souk train` learns the weights.

The layers: INPUTS numbers, most of them 0; HIDDEN_1 and HIDDEN_2 cells with rectifiers; an output
for every seat, which a softmax turns into shares of the win. The weights of a layer lie together,
by input, followed by its biases.

With three players or more, some inputs say what kind of player sits where. They do not change
during a search, so `weights.for_search` adds them to the bias of the first layer, which then has
one version for every seat that may be about to begin.
"""

from collections.abc import MutableSequence
from math import exp, sqrt

from souk.engine.kernel.primitives import floats, ints, lowest_bit, popcount
from souk.games.marrakech.ai.opponent_kinds import KINDS
from souk.games.marrakech.ai.tax import tax_at
from souk.games.marrakech.board import DIE_WEIGHTS, WALK
from souk.games.marrakech.rules import (
    ASSAM,
    BOARD,
    COLOURS,
    COVER_OWN,
    DIRHAMS,
    DRAW,
    DRAWN_TIE,
    FACE_DOWN,
    FACING,
    MAY_TURN,
    MUST_TURN,
    NEXT,
    OUT,
    PAIRS_FILE,
    PAIRS_RANK,
    PHASE,
    PLAYERS,
    PLAYS_ON,
    ROLL,
    RUGS,
    TO_MOVE,
    TURN,
    TURN_LAST,
    TWO_EACH,
    UNKNOWN,
    connected,
    owner_of,
    rugs_left,
    rugs_to_come,
    score,
    visible,
)

# The first input of each group.
PAIR_INPUTS = COLOURS * 49  # before them: the squares of each colour
ASSAM_INPUTS = PAIR_INPUTS + 98  # square and facing
TURN_INPUTS = ASSAM_INPUTS + 196  # turns left, up to 48
TAX_INPUTS = TURN_INPUTS + 49  # per opponent: the tax where each of twelve walks ends
COST_INPUTS = TAX_INPUTS + 12 * (PLAYERS - 1)  # expected tax of each turning, and of the cheapest
SEAT_INPUTS = COST_INPUTS + 4
PER_SEAT = 9
AREA_INPUTS = SEAT_INPUTS + PER_SEAT * PLAYERS
PER_AREA = 3
PILE_INPUTS = AREA_INPUTS + PER_AREA * COLOURS  # whether the seat's next rug is known
KNOB_INPUTS = PILE_INPUTS + PLAYERS
POSITION_INPUTS = KNOB_INPUTS + 6
# The probabilities of each kind but NET, per seat.
OPPONENT_INPUTS = PLAYERS * (KINDS - 1) if PLAYERS > 2 else 0
INPUTS = POSITION_INPUTS + OPPONENT_INPUTS

HIDDEN_1 = 256
HIDDEN_2 = 32
MOST_ACTIVE = 49 + 49 + 2 + 12 + 4 + PER_SEAT * 4 + PER_AREA * 4 + 4 + 6  # inputs other than 0
MOST_LAYER_INPUTS = HIDDEN_1 + 3  # of a layer, rounded up to fours
# Weights in a file.
WEIGHTS = (
    INPUTS * HIDDEN_1 + HIDDEN_1 + HIDDEN_1 * HIDDEN_2 + HIDDEN_2 + HIDDEN_2 * PLAYERS + PLAYERS
)


def is_ply_start(S: MutableSequence[int]) -> bool:
    """Return whether a turn is about to begin."""
    return S[PHASE] == (ROLL if S[TURN_LAST] else TURN)


def can_evaluate(S: MutableSequence[int]) -> bool:
    """Return whether no decision comes before the next turn; a pile may still show a rug."""
    if S[PHASE] == DRAW:
        return S[TURN_LAST] == 0 or S[FACE_DOWN] == 1
    return is_ply_start(S)


def seat_to_begin(S: MutableSequence[int]) -> int:
    """Return the seat whose turn is about to begin, where the net can evaluate."""
    seat = S[TO_MOVE]
    if S[PHASE] == DRAW and S[FACE_DOWN] == 0 and S[TURN_LAST] == 0:
        laid = 0  # a pile shows its next rug before the turn passes on from the player who laid
        for colour in range(COLOURS):
            laid |= S[BOARD + colour]
        if laid != 0:
            seats = rugs_to_come(S)
            seat = seat + 1 if seat + 1 < PLAYERS else 0
            while not seats >> seat & 1:
                seat = seat + 1 if seat + 1 < PLAYERS else 0
    return seat


def nth_colour(S: MutableSequence[int], seat: int, number: int) -> int:
    """Return a seat's colours in the order of the inputs: the one it lays next comes first."""
    colour = seat
    if TWO_EACH:
        colour = 2 * seat + number
        if S[NEXT + seat] == 2 * seat + 1:
            colour = 2 * seat + 1 - number
    return colour


def encode(
    S: MutableSequence[int], indices: MutableSequence[int], inputs: MutableSequence[float]
) -> int:
    """Write the indices and values of the inputs other than 0; return their number."""
    me = seat_to_begin(S)
    count = 0
    turns = 0
    for seat in range(PLAYERS):
        turns += rugs_left(S, seat) if S[OUT + seat] == 0 else 0
    # The board.
    for away in range(PLAYERS):
        seat = me + away if me + away < PLAYERS else me + away - PLAYERS
        for number in range(COLOURS // PLAYERS):
            colour = nth_colour(S, seat, number)
            squares = S[BOARD + colour]
            first = (away * (COLOURS // PLAYERS) + number) * 49
            sum_of_squares = 0
            largest = 0
            left = squares
            while left != 0:
                area = connected(squares, lowest_bit(left))
                size = popcount(area)
                sum_of_squares += size * size
                largest = max(largest, size)
                left &= ~area
            left = squares
            while left != 0:
                indices[count] = first + lowest_bit(left)
                inputs[count] = 1.0
                count += 1
                left &= left - 1
            group = AREA_INPUTS + PER_AREA * (away * (COLOURS // PLAYERS) + number)
            count = add_input(indices, inputs, count, group, sum_of_squares * 0.02)
            count = add_input(indices, inputs, count, group + 1, largest * 0.125)
            count = add_input(indices, inputs, count, group + 2, S[RUGS + colour] / 12)
    pairs = S[PAIRS_RANK]
    while pairs != 0:
        count = add_input(indices, inputs, count, PAIR_INPUTS + lowest_bit(pairs), 1.0)
        pairs &= pairs - 1
    pairs = S[PAIRS_FILE]
    while pairs != 0:
        count = add_input(indices, inputs, count, PAIR_INPUTS + 49 + lowest_bit(pairs), 1.0)
        pairs &= pairs - 1
    count = add_input(indices, inputs, count, ASSAM_INPUTS + S[ASSAM] * 4 + S[FACING], 1.0)
    count = add_input(indices, inputs, count, TURN_INPUTS + min(turns, 48), 1.0)
    return encode_money(S, indices, inputs, encode_knobs(S, indices, inputs, count), me, turns)


def add_input(
    indices: MutableSequence[int],
    inputs: MutableSequence[float],
    count: int,
    index: int,
    value: float,
) -> int:
    """Append an input unless it is 0; return the number of inputs."""
    indices[count] = index
    inputs[count] = value
    return count + 1 if value != 0.0 else count


def encode_knobs(
    S: MutableSequence[int],
    indices: MutableSequence[int],
    inputs: MutableSequence[float],
    count: int,
) -> int:
    """Append the inputs of the knobs; return the number of inputs."""
    count = add_input(indices, inputs, count, KNOB_INPUTS, 1.0 if S[PLAYS_ON] else 0.0)
    count = add_input(indices, inputs, count, KNOB_INPUTS + 1, 1.0 if S[COVER_OWN] else 0.0)
    count = add_input(
        indices, inputs, count, KNOB_INPUTS + 2, 1.0 if S[TURN_LAST] == MUST_TURN else 0.0
    )
    count = add_input(
        indices, inputs, count, KNOB_INPUTS + 3, 1.0 if S[TURN_LAST] == MAY_TURN else 0.0
    )
    count = add_input(indices, inputs, count, KNOB_INPUTS + 4, 1.0 if S[FACE_DOWN] else 0.0)
    return add_input(indices, inputs, count, KNOB_INPUTS + 5, 1.0 if S[DRAWN_TIE] else 0.0)


def encode_money(
    S: MutableSequence[int],
    indices: MutableSequence[int],
    inputs: MutableSequence[float],
    count: int,
    me: int,
    turns: int,
) -> int:
    """Append the inputs of taxes, purses and scores; return the number of inputs."""
    owed = ints(12)
    cheapest = 0
    lowest_cost = 1000
    for turning in range(3):
        facing = S[FACING] if S[TURN_LAST] else (S[FACING] + turning + 3) & 3
        cost = 0
        for die in range(4):
            taxed = tax_at(S, WALK[(die * 4 + facing) * 49 + S[ASSAM]] & 63, me)
            owed[turning * 4 + die] = taxed
            cost += (taxed >> 3) * DIE_WEIGHTS[die]
            if taxed != 0:
                away = owner_of(taxed & 7) - me
                away = away - 1 if away > 0 else away + PLAYERS - 1
                count = add_input(
                    indices,
                    inputs,
                    count,
                    TAX_INPUTS + away * 12 + turning * 4 + die,
                    (taxed >> 3) * 0.125,
                )
        count = add_input(indices, inputs, count, COST_INPUTS + turning, cost / 24)
        if cost < lowest_cost:
            lowest_cost = cost
            cheapest = turning
    count = add_input(indices, inputs, count, COST_INPUTS + 3, lowest_cost / 24)
    mine = score(S, me)
    best = -1000
    for seat in range(PLAYERS):
        if seat != me and S[OUT + seat] == 0:
            best = max(best, score(S, seat))
    for away in range(PLAYERS):
        seat = me + away if me + away < PLAYERS else me + away - PLAYERS
        if S[OUT + seat] == 0:
            first = SEAT_INPUTS + PER_SEAT * away
            gap = mine - best if away == 0 else score(S, seat) - mine
            income = 0
            for die in range(4):
                taxed = owed[cheapest * 4 + die]
                if taxed != 0 and (away == 0 or owner_of(taxed & 7) == seat):
                    income += (taxed >> 3) * DIE_WEIGHTS[die]
            purse = S[DIRHAMS + seat]
            count = add_input(indices, inputs, count, first, 1.0)
            count = add_input(indices, inputs, count, first + 1, min(purse, 200) / 30)
            count = add_input(
                indices, inputs, count, first + 2, (12 - purse) / 12 if purse < 12 else 0.0
            )
            count = add_input(indices, inputs, count, first + 3, visible(S, seat) / 15)
            count = add_input(indices, inputs, count, first + 4, min(rugs_left(S, seat), 40) / 15)
            count = add_input(indices, inputs, count, first + 5, max(-100, min(gap, 100)) / 16)
            count = add_input(
                indices, inputs, count, first + 6, max(-4.0, min(gap / (1 + turns), 4.0))
            )
            count = add_input(
                indices,
                inputs,
                count,
                first + 7,
                max(-8.0, min(gap / (8 * sqrt(1.0 + turns)), 8.0)),
            )
            count = add_input(
                indices, inputs, count, first + 8, -income / 24 if away == 0 else income / 24
            )
            if TWO_EACH:
                count = add_input(
                    indices,
                    inputs,
                    count,
                    PILE_INPUTS + away,
                    1.0 if S[NEXT + seat] != UNKNOWN else 0.0,
                )
    return count


def evaluate(S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]) -> None:
    """Write the expected share of the win of every seat."""
    indices = ints(MOST_LAYER_INPUTS)
    inputs = floats(MOST_LAYER_INPUTS)
    first = floats(HIDDEN_1)
    second = floats(HIDDEN_2)
    me = seat_to_begin(S)
    bias = (INPUTS + me) * HIDDEN_1
    compute_layer(
        W[: INPUTS * HIDDEN_1],
        W[bias : bias + HIDDEN_1],
        indices,
        inputs,
        encode(S, indices, inputs),
        first,
        HIDDEN_1,
    )
    weight = (INPUTS + PLAYERS) * HIDDEN_1
    bias = weight + HIDDEN_1 * HIDDEN_2
    active = 0
    for cell in range(HIDDEN_1):
        indices[active] = cell
        inputs[active] = first[cell]
        active += 1 if first[cell] > 0.0 else 0
    compute_layer(
        W[weight:bias], W[bias : bias + HIDDEN_2], indices, inputs, active, second, HIDDEN_2
    )
    weight = bias + HIDDEN_2
    total = 0.0
    for away in range(PLAYERS):
        seat = me + away if me + away < PLAYERS else me + away - PLAYERS
        value = W[weight + HIDDEN_2 * PLAYERS + away]
        for number in range(HIDDEN_2):
            value += max(second[number], 0.0) * W[weight + number * PLAYERS + away]
        if S[OUT + seat] == 0:
            V[seat] = exp(min(value, 60.0))
            total += V[seat]
        else:
            V[seat] = 0.0
    for seat in range(PLAYERS):
        V[seat] /= total


def compute_layer(
    rows: MutableSequence[float],
    bias: MutableSequence[float],
    indices: MutableSequence[int],
    inputs: MutableSequence[float],
    count: int,
    cells: MutableSequence[float],
    size: int,
) -> None:
    """Write the cells of a layer: the biases plus every input times its row of weights.

    Four rows at a time, each a slice: the compiler then knows that no index is negative, handles
    eight or sixteen numbers at once, and loads every cell once for four rows. That is four times
    as fast.
    """
    for cell in range(size):
        cells[cell] = bias[cell]
    for extra in range(count, count + 3):
        indices[extra] = 0
        inputs[extra] = 0.0
    for number in range(0, count, 4):
        a, b, c, d = inputs[number], inputs[number + 1], inputs[number + 2], inputs[number + 3]
        row_a = rows[indices[number] * size : (indices[number] + 1) * size]
        row_b = rows[indices[number + 1] * size : (indices[number + 1] + 1) * size]
        row_c = rows[indices[number + 2] * size : (indices[number + 2] + 1) * size]
        row_d = rows[indices[number + 3] * size : (indices[number + 3] + 1) * size]
        for cell in range(size):
            cells[cell] += (a * row_a[cell] + b * row_b[cell]) + (c * row_c[cell] + d * row_d[cell])
