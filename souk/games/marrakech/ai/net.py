"""What a trained net thinks of a position of Marrakech: a judgement, in the compilable subset.

It looks at a position where somebody's turn is about to begin, from that player's place: first the
board as it is, then what a good player would work out from it (what each walk would cost, how
large the areas are, who leads by how much). `souk train` finds the weights.

The net: INPUTS numbers, most of them 0; FIRST and SECOND hidden cells that pass on what is over 0;
a share of the win for every seat. The weights lie one after the other, by input, then the bias.

With three players or more it also hears what kind of player sits where. That does not change while
one looks ahead, so it is put into the bias beforehand (`nets.py`): there is one for every seat that
the position may be looked at from.
"""

from collections.abc import MutableSequence
from math import exp, sqrt

from souk.engine.kernel.primitives import floats, ints, lowest_bit, popcount
from souk.games.marrakech.board import WALK
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

# Where each kind of input begins.
SEEN_PAIRS = COLOURS * 49  # before it: the squares of each colour
SEEN_ASSAM = SEEN_PAIRS + 98  # his square and facing
SEEN_TURNS = SEEN_ASSAM + 196  # turns left, up to 48
SEEN_TAXES = SEEN_TURNS + 49  # of each opponent: the tax where each of twelve walks ends
SEEN_COSTS = SEEN_TAXES + 12 * (PLAYERS - 1)  # expected tax of each turning, and of the cheapest
SEEN_SEATS = SEEN_COSTS + 4
A_SEAT = 9
SEEN_AREAS = SEEN_SEATS + A_SEAT * PLAYERS
AN_AREA = 3
SEEN_PILES = SEEN_AREAS + AN_AREA * COLOURS  # whose next rug is known
SEEN_KNOBS = SEEN_PILES + PLAYERS
INPUTS = SEEN_KNOBS + 6
KINDS = 4  # of players: like the net itself, and the others that `opponents` knows
TOLD = PLAYERS * (KINDS - 1) if PLAYERS > 2 else 0  # how likely each seat is of each other kind
ROWS = INPUTS + TOLD

FIRST = 256
SECOND = 32
MOST_SEEN = 49 + 49 + 2 + 12 + 4 + A_SEAT * 4 + AN_AREA * 4 + 4 + 6  # inputs that are not 0
MOST_GIVEN = FIRST + 3  # to a layer, with room to make it fours
WEIGHTS = ROWS * FIRST + FIRST + FIRST * SECOND + SECOND + SECOND * PLAYERS + PLAYERS  # kept


def is_quiet(S: MutableSequence[int]) -> bool:
    """Whether a turn is about to begin."""
    return S[PHASE] == (ROLL if S[TURN_LAST] else TURN)


def can_judge(S: MutableSequence[int]) -> bool:
    """Whether nothing is left to decide before a turn begins, though a pile may yet show a rug."""
    if S[PHASE] == DRAW:
        return S[TURN_LAST] == 0 or S[FACE_DOWN] == 1
    return is_quiet(S)


def whose_turn(S: MutableSequence[int]) -> int:
    """The seat whose turn is about to begin, where the net can judge."""
    seat = S[TO_MOVE]
    if S[PHASE] == DRAW and S[FACE_DOWN] == 0 and S[TURN_LAST] == 0:
        laid = 0  # a pile shows its next rug while the turn is still that of whoever laid one
        for colour in range(COLOURS):
            laid |= S[BOARD + colour]
        if laid != 0:
            seats = rugs_to_come(S)
            seat = seat + 1 if seat + 1 < PLAYERS else 0
            while not seats >> seat & 1:
                seat = seat + 1 if seat + 1 < PLAYERS else 0
    return seat


def colour_seen(S: MutableSequence[int], seat: int, number: int) -> int:
    """A seat's colours in the order in which they are seen: the one it lays next comes first."""
    colour = seat
    if TWO_EACH:
        colour = 2 * seat + number
        if S[NEXT + seat] == 2 * seat + 1:
            colour = 2 * seat + 1 - number
    return colour


def see(S: MutableSequence[int], at: MutableSequence[int], what: MutableSequence[float]) -> int:
    """The inputs that are not 0: where they are and what they are. How many there are."""
    me = whose_turn(S)
    count = 0
    turns = 0
    for seat in range(PLAYERS):
        turns += rugs_left(S, seat) if S[OUT + seat] == 0 else 0
    # The board.
    for away in range(PLAYERS):
        seat = me + away if me + away < PLAYERS else me + away - PLAYERS
        for number in range(COLOURS // PLAYERS):
            colour = colour_seen(S, seat, number)
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
                at[count] = first + lowest_bit(left)
                what[count] = 1.0
                count += 1
                left &= left - 1
            group = SEEN_AREAS + AN_AREA * (away * (COLOURS // PLAYERS) + number)
            count = noted(at, what, count, group, sum_of_squares * 0.02)
            count = noted(at, what, count, group + 1, largest * 0.125)
            count = noted(at, what, count, group + 2, S[RUGS + colour] / 12)
    pairs = S[PAIRS_RANK]
    while pairs != 0:
        count = noted(at, what, count, SEEN_PAIRS + lowest_bit(pairs), 1.0)
        pairs &= pairs - 1
    pairs = S[PAIRS_FILE]
    while pairs != 0:
        count = noted(at, what, count, SEEN_PAIRS + 49 + lowest_bit(pairs), 1.0)
        pairs &= pairs - 1
    count = noted(at, what, count, SEEN_ASSAM + S[ASSAM] * 4 + S[FACING], 1.0)
    count = noted(at, what, count, SEEN_TURNS + min(turns, 48), 1.0)
    return see_money(S, at, what, see_knobs(S, at, what, count), me, turns)


def noted(
    at: MutableSequence[int], what: MutableSequence[float], count: int, input: int, value: float
) -> int:
    """Note an input unless it is 0."""
    at[count] = input
    what[count] = value
    return count + 1 if value != 0.0 else count


def see_knobs(
    S: MutableSequence[int], at: MutableSequence[int], what: MutableSequence[float], count: int
) -> int:
    """The rules that are played by."""
    count = noted(at, what, count, SEEN_KNOBS, 1.0 if S[PLAYS_ON] else 0.0)
    count = noted(at, what, count, SEEN_KNOBS + 1, 1.0 if S[COVER_OWN] else 0.0)
    count = noted(at, what, count, SEEN_KNOBS + 2, 1.0 if S[TURN_LAST] == MUST_TURN else 0.0)
    count = noted(at, what, count, SEEN_KNOBS + 3, 1.0 if S[TURN_LAST] == MAY_TURN else 0.0)
    count = noted(at, what, count, SEEN_KNOBS + 4, 1.0 if S[FACE_DOWN] else 0.0)
    return noted(at, what, count, SEEN_KNOBS + 5, 1.0 if S[DRAWN_TIE] else 0.0)


def tax_and_owner(S: MutableSequence[int], square: int, payer: int) -> int:
    """What a player pays on a square, with the owner: tax * 4 + owner, or 0."""
    told = 0
    for colour in range(COLOURS):
        if S[BOARD + colour] >> square & 1:
            owner = owner_of(colour)
            if owner != payer and S[OUT + owner] == 0:
                told = popcount(connected(S[BOARD + colour], square)) * 4 + owner
    return told


def see_money(
    S: MutableSequence[int],
    at: MutableSequence[int],
    what: MutableSequence[float],
    count: int,
    me: int,
    turns: int,
) -> int:
    """What walks would cost, and how everybody stands."""
    owed = ints(12)
    cheapest = 0
    lowest_cost = 1000
    for turning in range(3):
        facing = S[FACING] if S[TURN_LAST] else (S[FACING] + turning + 3) & 3
        cost = 0
        for die in range(4):
            told = tax_and_owner(S, WALK[(die * 4 + facing) * 49 + S[ASSAM]] & 63, me)
            owed[turning * 4 + die] = told
            cost += (told >> 2) * (1 if die == 0 or die == 3 else 2)
            if told != 0:
                away = (told & 3) - me
                away = away - 1 if away > 0 else away + PLAYERS - 1
                count = noted(
                    at, what, count, SEEN_TAXES + away * 12 + turning * 4 + die, (told >> 2) * 0.125
                )
        count = noted(at, what, count, SEEN_COSTS + turning, cost / 24)
        if cost < lowest_cost:
            lowest_cost = cost
            cheapest = turning
    count = noted(at, what, count, SEEN_COSTS + 3, lowest_cost / 24)
    mine = score(S, me)
    best = -1000
    for seat in range(PLAYERS):
        if seat != me and S[OUT + seat] == 0:
            best = max(best, score(S, seat))
    for away in range(PLAYERS):
        seat = me + away if me + away < PLAYERS else me + away - PLAYERS
        if S[OUT + seat] == 0:
            first = SEEN_SEATS + A_SEAT * away
            gap = mine - best if away == 0 else score(S, seat) - mine
            income = 0
            for die in range(4):
                told = owed[cheapest * 4 + die]
                if told != 0 and (away == 0 or (told & 3) == seat):
                    income += (told >> 2) * (1 if die == 0 or die == 3 else 2)
            purse = S[DIRHAMS + seat]
            count = noted(at, what, count, first, 1.0)
            count = noted(at, what, count, first + 1, min(purse, 200) / 30)
            count = noted(at, what, count, first + 2, (12 - purse) / 12 if purse < 12 else 0.0)
            count = noted(at, what, count, first + 3, visible(S, seat) / 15)
            count = noted(at, what, count, first + 4, min(rugs_left(S, seat), 40) / 15)
            count = noted(at, what, count, first + 5, max(-100, min(gap, 100)) / 16)
            count = noted(at, what, count, first + 6, max(-4.0, min(gap / (1 + turns), 4.0)))
            count = noted(
                at, what, count, first + 7, max(-8.0, min(gap / (8 * sqrt(1.0 + turns)), 8.0))
            )
            count = noted(at, what, count, first + 8, -income / 24 if away == 0 else income / 24)
            if TWO_EACH:
                count = noted(
                    at, what, count, SEEN_PILES + away, 1.0 if S[NEXT + seat] != UNKNOWN else 0.0
                )
    return count


def judge(S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]) -> None:
    """The share of the win that every seat may expect."""
    at = ints(MOST_GIVEN)
    what = floats(MOST_GIVEN)
    first = floats(FIRST)
    second = floats(SECOND)
    me = whose_turn(S)
    bias = (ROWS + me) * FIRST
    sum_up(W[: ROWS * FIRST], W[bias : bias + FIRST], at, what, see(S, at, what), first)
    weight = (ROWS + PLAYERS) * FIRST
    bias = weight + FIRST * SECOND
    active = 0
    for cell in range(FIRST):
        at[active] = cell
        what[active] = first[cell]
        active += 1 if first[cell] > 0.0 else 0
    sum_up(W[weight:bias], W[bias : bias + SECOND], at, what, active, second)
    weight = bias + SECOND
    total = 0.0
    for away in range(PLAYERS):
        seat = me + away if me + away < PLAYERS else me + away - PLAYERS
        value = W[weight + SECOND * PLAYERS + away]
        for number in range(SECOND):
            value += max(second[number], 0.0) * W[weight + number * PLAYERS + away]
        if S[OUT + seat] == 0:
            V[seat] = exp(min(value, 60.0))
            total += V[seat]
        else:
            V[seat] = 0.0
    for seat in range(PLAYERS):
        V[seat] /= total


def sum_up(
    rows: MutableSequence[float],
    bias: MutableSequence[float],
    at: MutableSequence[int],
    what: MutableSequence[float],
    count: int,
    cells: MutableSequence[float],
) -> None:
    """What the cells of a layer are given by some inputs, each with its row of weights.

    Four rows at a time, each a slice: so the compiler knows that no index is negative, takes eight
    or sixteen numbers at once, and keeps every cell for four rows. That is four times as fast.
    """
    size = len(cells)
    for cell in range(size):
        cells[cell] = bias[cell]
    for extra in range(count, count + 3):
        at[extra] = 0
        what[extra] = 0.0
    for number in range(0, count, 4):
        a, b, c, d = what[number], what[number + 1], what[number + 2], what[number + 3]
        row_a = rows[at[number] * size : (at[number] + 1) * size]
        row_b = rows[at[number + 1] * size : (at[number + 1] + 1) * size]
        row_c = rows[at[number + 2] * size : (at[number + 2] + 1) * size]
        row_d = rows[at[number + 3] * size : (at[number + 3] + 1) * size]
        for cell in range(size):
            cells[cell] += (a * row_a[cell] + b * row_b[cell]) + (c * row_c[cell] + d * row_d[cell])
