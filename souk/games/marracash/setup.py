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


def begin_game(S: MutableSequence[int]) -> None:
    """Start the first turn."""
    begin_turn(S, 0)


def deal(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Deal the first groups, the queue and the first cards.

    All visitors are shuffled and dealt one by one, first to the gates, then to the queue. A shuffle
    that breaks a rule (two of a colour at a gate, three alike in a row) is rejected and starts
    again, so every allowed deal is equally likely.
    """
    while not shuffled(S, R):
        pass
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


def shuffled(S: MutableSequence[int], R: MutableSequence[int]) -> bool:
    """Shuffle the visitors; return False at the first breach of a rule."""
    at = 0
    for colour in range(COLOURS):
        for _ in range(VISITORS_OF[colour]):
            S[QUEUE + at] = colour
            at += 1
    for place in range(ALL_VISITORS):
        other = place + random_below(R, ALL_VISITORS - place)
        drawn = S[QUEUE + other]
        S[QUEUE + other] = S[QUEUE + place]
        S[QUEUE + place] = drawn
        alike = 0  # among the two before, as far as they belong together
        if place < 3 * GATES:
            for before in range(place - place % 3, place):
                if S[QUEUE + before] == drawn:
                    alike += 2
        elif place >= 3 * GATES + 2:
            for before in range(place - 2, place):
                if S[QUEUE + before] == drawn:
                    alike += 1
        if alike >= 2:
            return False
    return True
