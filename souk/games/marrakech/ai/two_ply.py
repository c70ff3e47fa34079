"""The heuristic one turn later: how two-ply opponents evaluate a position. A kernel module."""

from collections.abc import MutableSequence

from souk.engine.kernel.default_rules import win_in_sixtieths
from souk.engine.kernel.primitives import floats, ints
from souk.engine.search.expectimax import MARGIN
from souk.games.marrakech.ai.heuristic import evaluate_heuristic
from souk.games.marrakech.board import DIE_WEIGHTS
from souk.games.marrakech.rules import (
    AHEAD,
    COLOUR,
    COLOURS,
    DIE_SIDES,
    DRAW,
    LAST,
    LAY,
    MOST_LEGAL,
    MUST_TURN,
    OVER,
    PHASE,
    PLAYERS,
    SIZE,
    TO_MOVE,
    TURN_LAST,
    apply,
    chance_total,
    chance_weight,
    draw,
    legal_actions,
    roll,
    turn_assam,
)


def evaluate_two_ply(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Write the shares after the next player's turn, who goes by the heuristic.

    The rug that a pile shows before that turn counts by its probability.
    """
    after = ints(SIZE)
    shares = floats(PLAYERS)
    for seat in range(PLAYERS):
        V[seat] = 0.0
    is_drawn = S[PHASE] == DRAW
    for colour in range(COLOURS if is_drawn else 1):
        part = 1.0
        if is_drawn:
            part = chance_weight(S, COLOUR + colour) / chance_total(S)
        if part > 0.0:
            for slot in range(SIZE):
                after[slot] = S[slot]
            if is_drawn:
                draw(after, colour)
            expect_turn(after, shares)
            for seat in range(PLAYERS):
                V[seat] += part * shares[seat]


def expect_turn(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Write the shares after the turn about to begin, by the turning that is best for its player.

    Where Assam is turned last there is nothing to choose before the roll.
    """
    after = ints(SIZE)
    expected = floats(PLAYERS)
    best = floats(PLAYERS)
    me = S[TO_MOVE]
    is_first = S[TURN_LAST] == 0
    most = -1.0
    for turning in range(3 if is_first else 1):
        for seat in range(PLAYERS):
            expected[seat] = 0.0
        for die in range(4):
            for slot in range(SIZE):
                after[slot] = S[slot]
            if is_first:
                turn_assam(after, turning)
            roll(after, die + 1)
            best_end(after, me, best)
            for seat in range(PLAYERS):
                expected[seat] += DIE_WEIGHTS[die] * best[seat] / DIE_SIDES
        mine = share_of(expected, me)
        if mine > most + MARGIN:
            most = mine
            for seat in range(PLAYERS):
                V[seat] = expected[seat]


def best_end(S: MutableSequence[int], me: int, V: MutableSequence[float]) -> None:
    """Write the shares at the end of a turn that is best for its player, after the roll."""
    after = ints(SIZE)
    legal = ints(MOST_LEGAL)
    shares = floats(PLAYERS)
    lays = S[PHASE] == LAY  # otherwise the player is out, and the turn is over
    places = legal_actions(S, legal) if lays else 1
    turnings = 3 if lays and S[TURN_LAST] != 0 else 1
    most = -1.0
    for number in range(places * turnings):
        turning = number % turnings
        for slot in range(SIZE):
            after[slot] = S[slot]
        if lays:
            apply(after, legal[number // turnings])
            draw_any_rug(after)
        is_end = 1
        if after[PHASE] == LAST:
            if turning == AHEAD and after[TURN_LAST] == MUST_TURN:
                is_end = 0
            else:
                turn_assam(after, turning)
        elif turning > 0:  # there is nothing to turn
            is_end = 0
        if is_end:
            evaluate_turn_end(after, shares)
            mine = share_of(shares, me)
            if mine > most + MARGIN:
                most = mine
                for seat in range(PLAYERS):
                    V[seat] = shares[seat]


def draw_any_rug(S: MutableSequence[int]) -> None:
    """Draw a rug of any colour: the heuristic ignores which."""
    if S[PHASE] == DRAW:
        shown = 0
        for colour in range(COLOURS):
            if chance_weight(S, COLOUR + colour) > 0:
                shown = colour
        draw(S, shown)


def evaluate_turn_end(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """Write the shares at the end of a turn: the result if the game is over."""
    if S[PHASE] == OVER:
        for seat in range(PLAYERS):
            V[seat] = win_in_sixtieths(S, seat) / 60
    else:
        evaluate_heuristic(S, V)


def share_of(V: MutableSequence[float], seat: int) -> float:
    """Return a seat's share; a loop, as the rules index their buffers."""
    share = 0.0
    for one in range(PLAYERS):
        if one == seat:
            share = V[one]
    return share
