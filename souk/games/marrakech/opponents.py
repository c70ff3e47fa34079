"""How opponents of other kinds see the possible ends of turns: for practice against them.

Read together with the rules and the judgement made by hand; one item of a batch at a time, like
`practice`.
"""

from collections.abc import MutableSequence

from souk.engine.primitives import reals, room
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
    score,
    turn_assam,
    win_in_twelfths,
)
from souk.games.marrakech.worths import judge_by_hand, sixths

LIVE_END = 1  # as in `practice`
BY_HAND, GREEDY, TWO_PLIES = 1, 2, 3  # kinds of opponents; 0 is the net itself
KINDS = 4
CLEARLY = 1e-6  # as in the search: a share is better only by more than this

ENTRIES = ("weigh_all",)


def weigh(
    ends: MutableSequence[int],
    known: MutableSequence[int],
    kinds: MutableSequence[int],
    each: int,
    values: MutableSequence[float],
    item: int,
) -> None:
    """What a possible end is worth to every seat, by the kind of the player in turn.

    There are `each` possible ends of every turn. To BY_HAND and TWO_PLIES they are worth shares of
    the win; the GREEDY one counts leads, at the end of the game too.
    """
    kind = kinds[item // each]
    if kind != 0 and (known[2 * item] == LIVE_END or (kind == GREEDY and known[2 * item])):
        S = room(SIZE)
        V = reals(PLAYERS)
        for slot in range(SIZE):
            S[slot] = ends[item * SIZE + slot]
        if kind == BY_HAND:
            judge_by_hand(S, V)
        elif kind == TWO_PLIES:
            look_farther(S, V)
        else:
            count_leads(S, V)
        for seat in range(PLAYERS):
            values[item * PLAYERS + seat] = V[seat]


def count_leads(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """By how much everybody's score lies above the mean of the others."""
    total = 0
    for seat in range(PLAYERS):
        total += score(S, seat)
    for seat in range(PLAYERS):
        own = score(S, seat)
        V[seat] = own - (total - own) / (PLAYERS - 1)


def look_farther(S: MutableSequence[int], V: MutableSequence[float]) -> None:
    """The shares after the next player's turn, who goes by the judgement made by hand.

    The rug that a pile shows before that turn counts by its probability.
    """
    T = room(SIZE)
    shares = reals(PLAYERS)
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
    T = room(SIZE)
    expected = reals(PLAYERS)
    best = reals(PLAYERS)
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
        if mine > most + CLEARLY:
            most = mine
            for seat in range(PLAYERS):
                V[seat] = expected[seat]


def take_best_end(S: MutableSequence[int], me: int, V: MutableSequence[float]) -> None:
    """The shares at that end of a turn which is best for its player, after the roll."""
    T = room(SIZE)
    legal = room(MOST_LEGAL)
    shares = reals(PLAYERS)
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
            if mine > most + CLEARLY:
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


def weigh_all(
    ends: MutableSequence[int],
    known: MutableSequence[int],
    kinds: MutableSequence[int],
    each: int,
    values: MutableSequence[float],
    first: int,
    end: int,
) -> None:
    """`weigh` for some possible ends."""
    for item in range(first, end):
        weigh(ends, known, kinds, each, values, item)
