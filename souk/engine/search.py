"""Looking ahead: what every action may be expected to bring, some turns deep.

`targets` puts this text behind the kernel of a game and one of its judgements, whose names it
uses: is_quiet, can_judge and judge of the judgement, worth_trying of what the game brings for the
search, all the rest of the rules. So it serves every game. A *ply* goes from one quiet position to
the next, which is a player's turn as a rule. Chance counts by its probabilities, a player takes
what is best for himself, and where the plies are used up the judgement says what the position is
worth. The ends of the game are exact.

Written in the compilable subset, like the kernel. It allocates nothing, and lets other threads
work (and stop it) while it runs.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.primitives import reals, room

ENTRIES = ("look_ahead", "thin_out")
# The counters that a search shares with whoever asked for it.
NODES = 0  # positions judged, and ends of the game
MOST_NODES = 1  # the search stops when it has seen so many
STOP = 2  # set to 1, also from another thread, to stop the search
JUDGED = 3  # positions judged: if none, the results are exact
CUT = 4  # 1 if some options were not searched to the full depth
COUNTERS = 5

CLEARLY = 1e-6  # a share is better only by more than this: rounding must not decide

if TYPE_CHECKING:  # the names that a kernel and a judgement bring
    PLAYERS = SIZE = MOST_LEGAL = CHANCE = TERMINAL = 0

    def mover(S: MutableSequence[int]) -> int: ...
    def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int: ...
    def apply(S: MutableSequence[int], action: int) -> None: ...
    def chance_weight(S: MutableSequence[int], action: int) -> int: ...
    def chance_total(S: MutableSequence[int]) -> int: ...
    def win_in_twelfths(S: MutableSequence[int], seat: int) -> int: ...
    def is_quiet(S: MutableSequence[int]) -> bool: ...
    def can_judge(S: MutableSequence[int]) -> bool: ...
    def worth_trying(S: MutableSequence[int], actions: MutableSequence[int], count: int) -> int: ...
    def judge(
        S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
    ) -> None: ...


def look_ahead(
    S: MutableSequence[int],
    W: MutableSequence[float],
    plies: int,
    width: int,
    actions: MutableSequence[int],
    count: int,
    shares: MutableSequence[float],
    C: MutableSequence[int],
) -> int:
    """Write the expected share of every seat after each of the actions, in the order they have.

    How many actions were finished before the search was stopped. One ply is always the rest of
    the turn. Below the first action only the `width` most promising options are searched deeper
    than the rest of a turn.
    """
    after = room(SIZE)
    then = reals(PLAYERS)
    for number in range(count):
        follow(S, actions[number], after)
        expect(after, W, plies - 1, width, then, C)
        if C[STOP] != 0:
            return number
        for seat in range(PLAYERS):
            shares[number * PLAYERS + seat] = then[seat]
    return count


def thin_out(S: MutableSequence[int], actions: MutableSequence[int]) -> int:
    """Write the legal actions that are worth trying; how many there are."""
    return worth_trying(S, actions, legal_actions(S, actions))


def expect(
    S: MutableSequence[int],
    W: MutableSequence[float],
    plies: int,
    width: int,
    V: MutableSequence[float],
    C: MutableSequence[int],
) -> None:
    """Write into V the share of the win that every seat may expect in a position."""
    if known(S, W, plies, V, C):
        return
    if is_quiet(S):
        plies -= 1
    options = room(MOST_LEGAL)
    count = worth_trying(S, options, legal_actions(S, options))
    after = room(SIZE)
    then = reals(PLAYERS)
    who = mover(S)
    if who == CHANCE:
        total = chance_total(S)
        for seat in range(PLAYERS):
            V[seat] = 0.0
        for option in range(count):
            follow(S, options[option], after)
            expect(after, W, plies, width, then, C)
            if C[STOP] != 0:
                return
            part = chance_weight(S, options[option]) / total
            for seat in range(PLAYERS):
                V[seat] += part * then[seat]
        return
    promise = reals(MOST_LEGAL)
    is_cut = plies > 0 and count > width
    if is_cut:
        C[CUT] = 1
        # Not a literal: a second kind of `expect` cannot be loaded from the cache.
        none = plies - plies
        for option in range(count):
            follow(S, options[option], after)
            expect(after, W, none, width, then, C)
            if C[STOP] != 0:
                return
            promise[option] = then[who]
    best = -1.0
    for rank in range(width if is_cut else count):
        option = rank
        if is_cut:
            option = most_promising(promise, count)
            promise[option] = -1.0
        follow(S, options[option], after)
        expect(after, W, plies, width, then, C)
        if C[STOP] != 0:
            return
        if then[who] > best + CLEARLY:
            best = then[who]
            for seat in range(PLAYERS):
                V[seat] = then[seat]


def known(
    S: MutableSequence[int],
    W: MutableSequence[float],
    plies: int,
    V: MutableSequence[float],
    C: MutableSequence[int],
) -> bool:
    """Whether nothing has to be searched: the game is over, or the judgement is to say."""
    if mover(S) == TERMINAL:
        for seat in range(PLAYERS):
            V[seat] = win_in_twelfths(S, seat) / 12
    elif plies == 0 and can_judge(S):
        judge(S, W, V)
        C[JUDGED] += 1
    else:
        return False
    C[NODES] += 1
    if C[NODES] >= C[MOST_NODES]:
        C[STOP] = 1
    return True


def follow(S: MutableSequence[int], action: int, after: MutableSequence[int]) -> None:
    """The position after an action."""
    for slot in range(SIZE):
        after[slot] = S[slot]
    apply(after, action)


def most_promising(promise: MutableSequence[float], count: int) -> int:
    """The option that promises most; the first of several."""
    best = 0
    for option in range(1, count):
        if promise[option] > promise[best] + CLEARLY:
            best = option
    return best
