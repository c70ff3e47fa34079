"""The random setup of MarraCash: a part of the kernel."""

from collections.abc import MutableSequence

from souk.engine.kernel.philox import random_below
from souk.games.marracash.board import GATES
from souk.games.marracash.rules import (
    ALL_VISITORS,
    COLOURS,
    DECK,
    DECK_LEFT,
    GATE,
    GROUP,
    HEAD,
    NOBODY,
    OPEN_CARD,
    QUEUE,
    SOUVENIRS,
    TAIL,
    VISITORS_OF,
    begin_turn,
    nth_card,
)

SORTED_VISITORS = sum(((number,) * VISITORS_OF[number] for number in range(COLOURS)), ())


def begin_game(S: MutableSequence[int]) -> None:
    """Start the first turn."""
    begin_turn(S, 0)


def deal(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Deal the first groups, the queue and the first cards.

    All visitors are shuffled and dealt one by one, first to the gates, then to the queue. A shuffle
    that breaks a rule (two of a colour at a gate, three alike in a row) is rejected and starts
    again, so every allowed deal is equally likely. It is one loop, since the threads of a GPU that
    run together all wait for the longest loop of any of them.
    """
    sort_visitors(S)
    place = 0
    last = NOBODY
    before_last = NOBODY
    while place < ALL_VISITORS:
        other = place + random_below(R, ALL_VISITORS - place)
        drawn = S[QUEUE + other]
        S[QUEUE + other] = S[QUEUE + place]
        S[QUEUE + place] = drawn
        if place < 3 * GATES:
            at_gate = place % 3
            is_alike = (at_gate > 0 and drawn == last) or (at_gate > 1 and drawn == before_last)
        else:
            is_alike = place >= 3 * GATES + 2 and drawn == last and drawn == before_last
        if is_alike:
            sort_visitors(S)
            place = 0
        else:
            before_last = last
            last = drawn
            place += 1
    for gate in range(GATES):
        group = 0
        for place in range(3):
            group += 1 << 8 * S[QUEUE + 3 * gate + place]
        S[GROUP + GATE[gate]] = group
    S[HEAD] = 3 * GATES
    S[TAIL] = ALL_VISITORS
    S[DECK_LEFT] = 0
    S[OPEN_CARD] = NOBODY
    S[OPEN_CARD + 1] = NOBODY
    if S[SOUVENIRS]:
        S[DECK_LEFT] = (1 << DECK) - 1
        for place in range(2):
            card = nth_card(S, random_below(R, DECK - place))
            S[OPEN_CARD + place] = card
            S[DECK_LEFT] ^= 1 << card


def sort_visitors(S: MutableSequence[int]) -> None:
    """Put the visitors into the queue by colour."""
    for place in range(ALL_VISITORS):
        S[QUEUE + place] = SORTED_VISITORS[place]
