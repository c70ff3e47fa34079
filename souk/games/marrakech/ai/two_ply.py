"""The judgement made by hand, looked at a turn farther. A part of the kernel.

So opponents in practice see a position, and players whose moves are foreseen.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import floats, ints
from souk.games.marrakech.ai.position_values import judge_by_hand, sixths
from souk.games.marrakech.rules import (
    AHEAD,
    COLOUR,
    COLOURS,
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
    win_in_twelfths,
)

MORE = 1e-6  # as CLEARLY in the search: a share is better only by more than this


def look_farther(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """The shares after the next player's turn, who goes by the judgement made by hand.

    The rug that a pile shows before that turn counts by its probability.
    """
    T = ints(SIZE)
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
                T[slot] = S[slot]
            if is_drawn:
                draw(T, colour)
            expect_turn(T, shares)
            for seat in range(PLAYERS):
                V[seat] += part * shares[seat]


def expect_turn(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """The shares that the turn about to begin leads to, by the turning that is best for its player.

    Where Assam is turned last there is nothing to choose before the roll.
    """
    T = ints(SIZE)
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
                T[slot] = S[slot]
            if is_first:
                turn_assam(T, turning)
            roll(T, die + 1)
            take_best_end(T, me, best)
            for seat in range(PLAYERS):
                expected[seat] += sixths(die) * best[seat] / 6
        mine = share_of(expected, me)
        if mine > most + MORE:
            most = mine
            for seat in range(PLAYERS):
                V[seat] = expected[seat]


def take_best_end(S: MutableSequence[int], me: int, V: MutableSequence[float]) -> None:
    """The shares at that end of a turn which is best for its player, after the roll."""
    T = ints(SIZE)
    legal = ints(MOST_LEGAL)
    shares = floats(PLAYERS)
    lays = S[PHASE] == LAY  # else the player is out, and that was the turn
    places = legal_actions(S, legal) if lays else 1
    turnings = 3 if lays and S[TURN_LAST] != 0 else 1
    most = -1.0
    for number in range(places * turnings):
        turning = number % turnings
        for slot in range(SIZE):
            T[slot] = S[slot]
        if lays:
            apply(T, legal[number // turnings])
            show_a_rug(T)
        is_end = 1
        if T[PHASE] == LAST:
            if turning == AHEAD and T[TURN_LAST] == MUST_TURN:
                is_end = 0
            else:
                turn_assam(T, turning)
        elif turning > 0:  # there is nothing to turn
            is_end = 0
        if is_end:
            judge_end(T, shares)
            mine = share_of(shares, me)
            if mine > most + MORE:
                most = mine
                for seat in range(PLAYERS):
                    V[seat] = shares[seat]


def show_a_rug(S: MutableSequence[int]) -> None:
    """Let a pile show any rug: the judgement made by hand takes no notice of which."""
    if S[PHASE] == DRAW:
        shown = 0
        for colour in range(COLOURS):
            if chance_weight(S, COLOUR + colour) > 0:
                shown = colour
        draw(S, shown)


def judge_end(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """The shares at the end of a turn: the result if the game is over."""
    if S[PHASE] == OVER:
        for seat in range(PLAYERS):
            V[seat] = win_in_twelfths(S, seat) / 12
    else:
        judge_by_hand(S, V)


def share_of(V: MutableSequence[float], seat: int) -> float:
    """A seat's share; a loop, as the rules index their buffers."""
    share = 0.0
    for one in range(PLAYERS):
        if one == seat:
            share = V[one]
    return share
