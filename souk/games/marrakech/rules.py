"""The rules of Marrakech, in the kernel subset (see `souk.engine.kernel.subset`).

A position is a flat buffer of integers, `S`, laid out below. Every rule is one small function
over it. PLAYERS and COLOURS are specialised (see `souk.engine.kernel.targets`). The other knobs
are slots of the buffer, since branching on them costs next to nothing.

A buffer is indexed only by constants and loop variables (`for seat in range(PLAYERS): if seat ==
mover`), so that after unrolling the compiler can hold every slot in a register. That made playouts
twice as fast.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.default_rules import CHANCE, TERMINAL
from souk.engine.kernel.primitives import lowest_bit, popcount
from souk.games.marrakech.board import (
    ALL,
    ALONG_RANK,
    BESIDE_ALONG_FILE,
    BESIDE_ALONG_RANK,
    CORNER,
    DIE_FACES,
    DIE_WEIGHTS,
    MOST_PIPS,
    NOT_FILE_A,
    NOT_FILE_G,
    PLACE_ALONG_RANK,
    WALK,
)

PLAYERS = 3  # specialised: 2, 3 or 4
COLOURS = 3  # specialised: as many as players, or 4 where two players have two colours each
TWO_EACH = COLOURS > PLAYERS
# CUDA 13.0's assembler miscompiles the end of a turn of two players if it optimises.
CUDA_OPTIONS = ("--ptxas-options=-O0",) if PLAYERS == 2 else ()

# The buffer.
BOARD = 0  # per colour: the squares that show it
PAIRS_RANK = COLOURS  # lower left squares of rugs along a rank with both halves visible
PAIRS_FILE = PAIRS_RANK + 1  # the same along a file
ASSAM = PAIRS_FILE + 1  # his square
FACING = ASSAM + 1
PHASE = FACING + 1
TO_MOVE = PHASE + 1  # the seat whose turn it is, also while chance acts
TURNS = TO_MOVE + 1  # turns ended so far
PLAYS_ON = TURNS + 1  # knob: a player who cannot pay stays in
COVER_OWN = PLAYS_ON + 1  # knob: players may fully cover their own rugs
TURN_LAST = COVER_OWN + 1  # knob: 0, or MUST_TURN or MAY_TURN after laying
FACE_DOWN = TURN_LAST + 1  # knob: piles lie face down
DRAWN_TIE = FACE_DOWN + 1  # knob: a full tie is a draw; it pays as a shared win does
DIRHAMS = DRAWN_TIE + 1  # per seat
OUT = DIRHAMS + PLAYERS  # per seat: 0, or 1 for the first out, 2 for the second …
RUGS = OUT + PLAYERS  # per colour: rugs not yet laid
NEXT = RUGS + COLOURS  # per seat, two colours each: colour of the rug laid next, or UNKNOWN
SIZE = NEXT + PLAYERS

RANGES = {  # the slots' lowest and highest values: see `souk.engine.kernel.value_ranges`
    "BOARD": (0, ALL),
    "PAIRS_RANK": (0, ALL),
    "PAIRS_FILE": (0, ALL),
    "ASSAM": (0, 48),
    "FACING": (0, 3),
    "PHASE": (0, 5),
    "TO_MOVE": (0, PLAYERS - 1),
    "TURNS": (0, 2**30),
    "PLAYS_ON": (0, 1),
    "COVER_OWN": (0, 1),
    "TURN_LAST": (0, 2),
    "FACE_DOWN": (0, 1),
    "DRAWN_TIE": (0, 1),
    "DIRHAMS": (0, 2**28),
    "OUT": (0, PLAYERS),
    "RUGS": (0, 2**20),
    "NEXT": (-1, COLOURS - 1),
}

DRAW, TURN, ROLL, LAY, LAST, OVER = range(6)  # PHASE; LAST is turning Assam after laying
MUST_TURN, MAY_TURN = 1, 2
UNKNOWN = -1

# Actions, numbered the same in every state.
LEFT, AHEAD, RIGHT = 0, 1, 2
LAY_AT = 3  # + number of the place
DIE_SIDES = len(DIE_FACES)
PLAYER_ACTIONS = LAY_AT + 84  # chance outcomes follow
DIE = PLAYER_ACTIONS  # + pips - 1
COLOUR = DIE + MOST_PIPS  # + colour
ACTIONS = COLOUR + 4
MOST_LEGAL = 12  # no step offers more: four sides of Assam, three places at each


def owner_of(colour: int) -> int:
    """Return the seat that plays a colour."""
    return colour >> 1 if TWO_EACH else colour


def rugs_left(S: MutableSequence[int], seat: int) -> int:
    """Return how many rugs a seat still has to lay, of all its colours."""
    return S[RUGS + 2 * seat] + S[RUGS + 2 * seat + 1] if TWO_EACH else S[RUGS + seat]


def mover(S: MutableSequence[int]) -> int:
    """Return who acts now: a seat, CHANCE or TERMINAL."""
    phase = S[PHASE]
    if phase == OVER:
        return TERMINAL
    if phase == ROLL or phase == DRAW:
        return CHANCE
    return S[TO_MOVE]


def turn_number(S: MutableSequence[int]) -> int:
    """Return the number of the turn, from 1; 0 for the deal; when over, that of the last turn."""
    if S[PHASE] == DRAW and S[TURNS] == 0 and not S[FACE_DOWN]:
        for colour in range(COLOURS):
            if S[BOARD + colour] != 0:
                return 1
        return 0
    return S[TURNS] if S[PHASE] == OVER else S[TURNS] + 1


# ---- the turn, in the order of the rule sheet -----------------------------------------------


def pile_to_draw(S: MutableSequence[int]) -> int:
    """Return the seat whose pile is drawn from, or UNKNOWN.

    It is the first from TO_MOVE on that has rugs and none of them known.
    """
    to_move = S[TO_MOVE]
    pile = UNKNOWN
    for seat in range(PLAYERS):
        if S[NEXT + seat] == UNKNOWN and rugs_left(S, seat) > 0:
            if pile == UNKNOWN or seat == to_move:
                pile = seat
    return pile


def uncover(S: MutableSequence[int], pile: int) -> None:
    """Uncover a pile's next rug: a chance step, unless only one colour is left."""
    for seat in range(PLAYERS):
        if seat == pile:
            if S[RUGS + 2 * seat] == 0:
                S[NEXT + seat] = 2 * seat + 1
            elif S[RUGS + 2 * seat + 1] == 0:
                S[NEXT + seat] = 2 * seat
            else:
                S[PHASE] = DRAW


def draw(S: MutableSequence[int], colour: int) -> None:
    """Put a rug of this colour on top of the pile drawn from."""
    pile = pile_to_draw(S)
    for seat in range(PLAYERS):
        if seat == pile:
            S[NEXT + seat] = colour
    begin_turn(S)
    if not S[FACE_DOWN]:
        other = pile_to_draw(S)
        if other == UNKNOWN and pile == S[TO_MOVE]:  # not the deal: a rug has just been laid
            after_lay(S)
        else:
            if other != UNKNOWN:  # the second open pile has yet to show its first rug
                uncover(S, other)
            if S[PHASE] != DRAW:
                give_turn(S, S[TO_MOVE])


def begin_turn(S: MutableSequence[int]) -> None:
    """Begin a turn whose rug is known: Assam may be turned, or the previous player turned him."""
    S[PHASE] = ROLL if S[TURN_LAST] else TURN


def turn_assam(S: MutableSequence[int], turning: int) -> None:
    """Turn Assam: before the roll, or after laying in the variant."""
    S[FACING] = (S[FACING] + turning + 3) & 3
    if S[PHASE] == TURN:
        S[PHASE] = ROLL
    else:
        end_turn(S)


def roll(S: MutableSequence[int], die: int) -> None:
    """Walk Assam `die` steps; the player in turn pays the tax, and is out if they cannot."""
    landing = WALK[((die - 1) * 4 + S[FACING]) * 49 + S[ASSAM]]
    S[ASSAM] = landing & 63
    S[FACING] = landing >> 6
    S[PHASE] = LAY
    pay_tax(S)


def connected(colour_squares: int, square: int) -> int:
    """Return the connected squares of one colour around a square, as a mask."""
    area = 0
    grown = 1 << square
    while grown != area:
        area = grown
        sideways = (area & NOT_FILE_G) << 1 | (area & NOT_FILE_A) >> 1
        grown = (area | sideways | area << 7 | area >> 7) & colour_squares
    return area


def taxed_colour(S: MutableSequence[int], square: int, payer: int) -> int:
    """Return the colour on a square if the payer owes tax to its owner, else UNKNOWN.

    Nothing is due for the payer's own rugs, nor to a player who is out.
    """
    taxed = UNKNOWN
    for colour in range(COLOURS):
        if S[BOARD + colour] >> square & 1:
            owner = owner_of(colour)
            if owner != payer and S[OUT + owner] == 0:
                taxed = colour
    return taxed


def tax_on(S: MutableSequence[int], square: int, payer: int) -> int:
    """Return the tax a player owes on a square, times 8, plus the taxed colour; 0 if none is due.

    One dirham for every square of the connected area of that colour.
    """
    taxed = taxed_colour(S, square, payer)
    tax = 0
    if taxed != UNKNOWN:
        colour_squares = 0
        for colour in range(COLOURS):
            if colour == taxed:
                colour_squares = S[BOARD + colour]
        tax = popcount(connected(colour_squares, square)) << 3 | taxed
    return tax


def pay_tax(S: MutableSequence[int]) -> None:
    """Pay the owner of the colour under Assam; a player who cannot pay in full is eliminated."""
    taxed = tax_on(S, S[ASSAM], S[TO_MOVE])
    if taxed != 0:
        tax = taxed >> 3
        payer = S[TO_MOVE]
        owner = owner_of(taxed & 7)
        purse = 0
        for seat in range(PLAYERS):
            if seat == payer:
                purse = S[DIRHAMS + seat]
        paid = min(tax, purse)
        for seat in range(PLAYERS):
            if seat == payer:
                S[DIRHAMS + seat] -= paid
            if seat == owner:
                S[DIRHAMS + seat] += paid
        if paid < tax and not S[PLAYS_ON]:
            eliminate(S)


def eliminate(S: MutableSequence[int]) -> None:
    """Put the player in turn out: their unlaid rugs go to the box and their turn ends at once."""
    order = 1
    for seat in range(PLAYERS):
        if S[OUT + seat] > 0:
            order += 1
    for seat in range(PLAYERS):
        if seat == S[TO_MOVE]:
            S[OUT + seat] = order
            S[NEXT + seat] = UNKNOWN
    for colour in range(COLOURS):
        if owner_of(colour) == S[TO_MOVE]:
            S[RUGS + colour] = 0
    end_turn(S)


def protected(S: MutableSequence[int], pairs: int) -> int:
    """Return those of the `pairs` that may not be covered wholly.

    A pair is a rug with both halves visible.
    """
    if S[COVER_OWN]:
        for colour in range(COLOURS):
            if owner_of(colour) == S[TO_MOVE]:
                pairs &= ~S[BOARD + colour]
    return pairs


def free_along_rank(S: MutableSequence[int]) -> int:
    """Return the legal places for the rug along a rank, as a mask of their lower left squares."""
    return BESIDE_ALONG_RANK[S[ASSAM]] & ~protected(S, S[PAIRS_RANK])


def free_along_file(S: MutableSequence[int]) -> int:
    """Return the same along a file."""
    return BESIDE_ALONG_FILE[S[ASSAM]] & ~protected(S, S[PAIRS_FILE])


def rug_in_hand(S: MutableSequence[int]) -> int:
    """Return the colour of the rug that the player in turn lays."""
    colour = S[TO_MOVE]
    if TWO_EACH:
        for seat in range(PLAYERS):
            if seat == S[TO_MOVE]:
                colour = S[NEXT + seat]
    return colour


def lay(S: MutableSequence[int], corner: int, along_file: int) -> None:
    """Lay the rug in hand; `corner` is the bit of its lower left square."""
    covered = corner | (corner << 7 if along_file else corner << 1)
    # A pair that loses a half is no pair any more; its corner is that half or the square before.
    S[PAIRS_RANK] = S[PAIRS_RANK] & ~(covered | covered >> 1) | (0 if along_file else corner)
    S[PAIRS_FILE] = S[PAIRS_FILE] & ~(covered | covered >> 7) | (corner if along_file else 0)
    laid = rug_in_hand(S)
    for colour in range(COLOURS):
        if colour == laid:
            S[BOARD + colour] |= covered
            S[RUGS + colour] -= 1
        else:
            S[BOARD + colour] &= ~covered
    if TWO_EACH:
        take_from_pile(S)
    if S[PHASE] == LAY:
        after_lay(S)


def take_from_pile(S: MutableSequence[int]) -> None:
    """Take the rug laid off its pile; an open pile shows its next one at once."""
    for seat in range(PLAYERS):
        if seat == S[TO_MOVE]:
            S[NEXT + seat] = UNKNOWN
            if rugs_left(S, seat) > 0 and not S[FACE_DOWN]:
                uncover(S, seat)


def after_lay(S: MutableSequence[int]) -> None:
    """End the turn, or in the variant turn Assam first; not on the last turn of the game."""
    if S[TURN_LAST] and rugs_to_come(S):
        S[PHASE] = LAST
    else:
        end_turn(S)


def rugs_to_come(S: MutableSequence[int]) -> int:
    """Return the seats still in that have rugs to lay, as a mask; 0 if only one player is in."""
    seats = 0
    players_in = 0
    for seat in range(PLAYERS):
        if S[OUT + seat] == 0:
            players_in += 1
            if rugs_left(S, seat) > 0:
                seats |= 1 << seat
    return seats if players_in > 1 else 0


def end_turn(S: MutableSequence[int]) -> None:
    """Give the turn to the next player with rugs, clockwise, or end the game."""
    S[TURNS] += 1
    seats = rugs_to_come(S)
    if seats == 0:
        S[PHASE] = OVER
    else:
        give_turn(S, S[TO_MOVE] + 1)
        if TWO_EACH and S[FACE_DOWN]:
            uncover(S, S[TO_MOVE])


def give_turn(S: MutableSequence[int], seat: int) -> None:
    """Give the turn to the first seat from this one on, clockwise, that has rugs to lay."""
    seats = rugs_to_come(S)
    seat += lowest_bit((seats | seats << PLAYERS) >> seat)
    S[TO_MOVE] = seat - PLAYERS if seat >= PLAYERS else seat
    begin_turn(S)


# ---- the score ------------------------------------------------------------------------------


def visible(S: MutableSequence[int], seat: int) -> int:
    """Return how many squares show a seat's rugs."""
    squares = 0
    for colour in range(COLOURS):
        if owner_of(colour) == seat:
            squares += popcount(S[BOARD + colour])
    return squares


def score(S: MutableSequence[int], seat: int) -> int:
    """Return a seat's dirhams plus its visible squares; 0 for a player who is out."""
    total = S[DIRHAMS + seat] + visible(S, seat)  # in any case, to spare a branch
    return 0 if S[OUT + seat] > 0 else total


def standing(S: MutableSequence[int], seat: int) -> int:
    """Return a number that orders the seats: by score, then by dirhams.

    Players who are out come after the others, the first out last.
    """
    in_play = score(S, seat) << 31 | S[DIRHAMS + seat]
    return S[OUT + seat] - PLAYERS - 1 if S[OUT + seat] > 0 else in_play


# ---- actions --------------------------------------------------------------------------------


def chance_weight(S: MutableSequence[int], action: int) -> int:
    """Return in how many of `chance_total` cases an outcome comes up; 0 for other actions."""
    if S[PHASE] == ROLL:
        if action < DIE or action >= COLOUR:
            return 0
        return DIE_WEIGHTS[action - DIE]
    weight = 0
    if S[PHASE] == DRAW:
        pile = pile_to_draw(S)
        for colour in range(COLOURS):
            if colour == action - COLOUR and owner_of(colour) == pile:
                weight = S[RUGS + colour]
    return weight


def chance_total(S: MutableSequence[int]) -> int:
    """Return the number of equally likely cases at a chance step."""
    return DIE_SIDES if S[PHASE] == ROLL else rugs_left(S, pile_to_draw(S))


def is_legal(S: MutableSequence[int], action: int) -> bool:
    """Return whether an action, from 0 to ACTIONS - 1, is legal now."""
    phase = S[PHASE]
    if phase == LAY:
        if action < LAY_AT or action >= DIE:
            return False
        place = action - LAY_AT
        free = free_along_rank(S) if place < ALONG_RANK else free_along_file(S)
        return (free >> CORNER[place]) & 1 == 1
    if phase == TURN:
        return action <= RIGHT
    if phase == ROLL:
        return DIE <= action and action < COLOUR
    if phase == LAST:
        return action <= RIGHT and (action != AHEAD or S[TURN_LAST] == MAY_TURN)
    return chance_weight(S, action) > 0


def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int:
    """Write the legal actions into `out` in ascending order and return how many there are."""
    count = 0
    if S[PHASE] == LAY:
        free = free_along_rank(S)
        while free != 0:
            out[count] = LAY_AT + PLACE_ALONG_RANK[lowest_bit(free)]
            count += 1
            free &= free - 1
        free = free_along_file(S)
        while free != 0:
            out[count] = LAY_AT + ALONG_RANK + lowest_bit(free)
            count += 1
            free &= free - 1
    elif S[PHASE] == ROLL:
        for pips in range(MOST_PIPS):
            out[pips] = DIE + pips
        count = MOST_PIPS
    elif S[PHASE] == TURN or S[PHASE] == LAST:
        for turning in range(3):
            if turning != AHEAD or S[TURN_LAST] != MUST_TURN:
                out[count] = turning
                count += 1
    else:
        for colour in range(COLOURS):
            if chance_weight(S, COLOUR + colour) > 0:
                out[count] = COLOUR + colour
                count += 1
    return count


def apply(S: MutableSequence[int], action: int) -> None:
    """Carry out a legal action."""
    phase = S[PHASE]
    if phase == LAY:
        place = action - LAY_AT
        lay(S, 1 << CORNER[place], 1 if place >= ALONG_RANK else 0)
    elif phase == ROLL:
        roll(S, action - DIE + 1)
    elif phase == DRAW:
        draw(S, action - COLOUR)
    else:
        turn_assam(S, action)
