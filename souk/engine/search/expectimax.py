"""Looking ahead: what every action may be expected to bring, some turns deep.

`targets` puts this text behind the kernel of a game and one of its judgements, whose names it
uses: is_quiet, can_judge and judge of the judgement, worth_trying and the minds that players may
have of what the game brings for the search, all the rest of the rules. So it serves every game. A
*ply* goes from one quiet position to the next, which is a player's turn as a rule. Chance counts by
its probabilities, a player takes what is best for himself, and where the plies are used up the
judgement says what the position is worth. The ends of the game are exact.

What is best is for a player's *mind* to say. The first mind goes by the shares that the search
finds; a game may know simpler ones, which look no farther than the end of the own turn.

Written in the compilable subset, like the kernel. It allocates nothing, and lets other threads
work (and stop it) while it runs.
"""

from collections.abc import MutableSequence
from math import exp
from typing import TYPE_CHECKING

from souk.engine.kernel.primitives import floats, ints

ENTRIES = ("look_ahead",)
# The counters that a search shares with whoever asked for it.
NODES = 0  # positions judged, and ends of the game; more for a thought that takes longer
MOST_NODES = 1  # the search stops when it has seen so many
STOP = 2  # set to 1, also from another thread, to stop the search
JUDGED = 3  # positions judged: if none, the results are exact
CUT = 4  # 1 if some options were not searched to the full depth
COUNTERS = 5

CLEARLY = 1e-6  # a share is better only by more than this: rounding must not decide
LEAST = -1e30  # less than anything is worth
FAVOURED = 10.0  # more than anything promises
HARDLY = 0.003  # what is done less often is not looked at
FEW = 4  # options that a mind thinks about which takes long: the best as seen roughly

if "PLAYERS" not in globals():  # this text is read by itself, not behind a kernel
    PLAYERS = MINDS = MOST_LEGAL = 0
if TYPE_CHECKING:  # the names that a kernel and a judgement bring
    SIZE = CHANCE = TERMINAL = 0
    SLACK = (0.0,)
    ROUGHLY = EFFORT = (0,)

    def mover(S: MutableSequence[int]) -> int: ...
    def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int: ...
    def apply(S: MutableSequence[int], action: int) -> None: ...
    def chance_weight(S: MutableSequence[int], action: int) -> int: ...
    def chance_total(S: MutableSequence[int]) -> int: ...
    def win_in_twelfths(S: MutableSequence[int], seat: int) -> int: ...
    def is_quiet(S: MutableSequence[int]) -> bool: ...
    def can_judge(S: MutableSequence[int]) -> bool: ...
    def worth_trying(S: MutableSequence[int], actions: MutableSequence[int], count: int) -> int: ...
    def whose(S: MutableSequence[int]) -> int: ...
    def worth_to(
        S: MutableSequence[int], seat: int, mind: int, V: MutableSequence[float]
    ) -> float: ...
    def judge(
        S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
    ) -> None: ...


A_MIND = 1 + PLAYERS  # slots: what a position is worth to a mind, and everybody's share
WIDE = MINDS * A_MIND
CHOICES = MINDS * MOST_LEGAL  # every option, as each mind sees it


def look_ahead(
    S: MutableSequence[int],
    W: MutableSequence[float],
    B: MutableSequence[float],
    plies: int,
    width: int,
    actions: MutableSequence[int],
    count: int,
    found: MutableSequence[float],
    C: MutableSequence[int],
) -> int:
    """Write what each of the actions brings, in the order they have: WIDE slots, as `expect` does.

    How many actions were finished before the search was stopped. One ply is always the rest of
    the turn. Below the first action only the `width` most promising options are searched deeper
    than the rest of a turn. B says how likely every seat is to have each mind, then for every
    seat whether it is a stranger, who does not always do what is best to his mind.
    """
    after = ints(SIZE)
    then = floats(WIDE)
    turn = whose(S)
    for number in range(count):
        follow(S, actions[number], after)
        if expect(after, W, B, plies - 1, width, turn, then, C):
            tell(after, B, turn, then)
        if C[STOP] != 0:
            return number
        for slot in range(WIDE):
            found[number * WIDE + slot] = then[slot]
    return count


def expect(
    S: MutableSequence[int],
    W: MutableSequence[float],
    B: MutableSequence[float],
    plies: int,
    width: int,
    turn: int,
    T: MutableSequence[float],
    C: MutableSequence[int],
) -> bool:
    """Write into T what a position brings, for every mind of the seat whose turn it is.

    That is A_MIND slots each: what it is worth to that mind (the first mind goes by its share, so
    that slot is not used), then the share of the win that every seat may expect. If it returns
    True, the turn is over and the shares do not depend on the mind: only those of the first one
    are written.
    """
    V = floats(PLAYERS)
    if known(S, W, plies, V, C):
        for seat in range(PLAYERS):
            T[1 + seat] = V[seat]
        return True
    is_new = is_quiet(S)
    now = turn
    if is_new:
        plies -= 1
        now = whose(S)
    options = ints(MOST_LEGAL)
    count = worth_trying(S, options, legal_actions(S, options))
    after = ints(SIZE)
    then = floats(WIDE)
    found = floats(WIDE)
    fill(found, WIDE, 0.0)
    who = mover(S)
    is_stranger = MINDS > 1 and B[PLAYERS * MINDS + now] > 0.0
    is_cut = plies > 0 and count > width
    if who == CHANCE:
        total = chance_total(S)
        for option in range(count):
            follow(S, options[option], after)
            if expect(after, W, B, plies, width, now, then, C):
                tell(after, B, now, then)
            if C[STOP] != 0:
                return False
            part = chance_weight(S, options[option]) / total
            for slot in range(WIDE):
                found[slot] += part * then[slot]
    elif is_stranger and not is_new and ends_turn(S, options[0], after):
        choices = floats(CHOICES)
        likely = floats(MOST_LEGAL)
        seen = floats(MINDS)
        fill(seen, MINDS, 0.0)
        foresee(S, W, B, now, options, count, choices, likely, found, C)
        left = count
        if is_cut:
            C[CUT] = 1
            left = min(width - 1 + likely_minds(B, now), count)
        while left > 0 and C[STOP] == 0:
            left -= 1
            option = most_promising(likely, count)
            if likely[option] < HARDLY:
                break  # what he hardly ever does is not looked at
            likely[option] = LEAST
            follow(S, options[option], after)
            expect(after, W, B, plies, width, now, then, C)
            for mind in range(MINDS):
                part = choices[mind * MOST_LEGAL + option]
                seen[mind] += part
                for seat in range(PLAYERS):
                    found[mind * A_MIND + 1 + seat] += part * then[1 + seat]
        make_whole(found, seen, 1)
    else:
        promise = floats(MOST_LEGAL)
        best = floats(MINDS)
        parts = floats(MINDS)
        fill(parts, MINDS, 0.0)
        fill(best, MINDS, LEAST)
        followed = count
        if is_cut:
            C[CUT] = 1
            favourite = ints(MINDS)
            # Not a literal: a second kind of `expect` cannot be loaded from the cache.
            none = plies - plies
            for option in range(count):
                follow(S, options[option], after)
                if expect(after, W, B, none, width, now, then, C):
                    tell(after, B, now, then)
                if C[STOP] != 0:
                    return False
                glance(option, then, who, promise, best, favourite)
            followed = favour(B, now, width, favourite, promise, count)
            fill(best, MINDS, LEAST)
        for rank in range(followed):
            option = rank
            if followed < count:
                option = most_promising(promise, count)
                promise[option] = LEAST
            follow(S, options[option], after)
            if expect(after, W, B, plies, width, now, then, C):
                tell(after, B, now, then)
            if C[STOP] != 0:
                return False
            consider(then, who, now, is_stranger, best, parts, found)
        if is_stranger:
            make_whole(found, parts, 0)
    if is_new:
        for seat in range(PLAYERS):
            T[1 + seat] = 0.0
            for mind in range(MINDS):
                T[1 + seat] += B[now * MINDS + mind] * found[mind * A_MIND + 1 + seat]
    else:
        for slot in range(WIDE):
            T[slot] = found[slot]
    return is_new


def glance(
    option: int,
    T: MutableSequence[float],
    who: int,
    promise: MutableSequence[float],
    best: MutableSequence[float],
    favourite: MutableSequence[int],
) -> None:
    """Note what an option promises, and whether it is what a mind likes best so far."""
    promise[option] = T[1 + who]
    for mind in range(1, MINDS):
        if T[mind * A_MIND] > best[mind] + CLEARLY:
            best[mind] = T[mind * A_MIND]
            favourite[mind] = option


def favour(
    B: MutableSequence[float],
    turn: int,
    width: int,
    favourite: MutableSequence[int],
    promise: MutableSequence[float],
    count: int,
) -> int:
    """Let the favourite of every likely mind promise most; how many options are to be followed."""
    followed = width
    for mind in range(1, MINDS):
        if B[turn * MINDS + mind] > 0.0 and promise[favourite[mind]] < FAVOURED:
            promise[favourite[mind]] += FAVOURED
            followed = min(followed + 1, count)
    return followed


def likely_minds(B: MutableSequence[float], seat: int) -> int:
    """How many minds a seat may have."""
    count = 0
    for mind in range(MINDS):
        if B[seat * MINDS + mind] > 0.0:
            count += 1
    return count


def consider(
    T: MutableSequence[float],
    who: int,
    turn: int,
    is_stranger: bool,
    best: MutableSequence[float],
    parts: MutableSequence[float],
    found: MutableSequence[float],
) -> None:
    """Add what an option brings to what a choice brings: every mind takes what is best to it.

    A stranger's may also choose what is nearly as good: everything has its part.
    """
    for mind in range(MINDS):
        first = mind * A_MIND
        worth = T[first] if mind > 0 and who == turn else T[first + 1 + who]
        if is_stranger:
            part = 1.0
            if worth > best[mind]:
                before = exp(max(-50.0, (best[mind] - worth) / SLACK[mind]))
                parts[mind] *= before
                for slot in range(first, first + A_MIND):
                    found[slot] *= before
                best[mind] = worth
            else:
                part = exp(max(-50.0, (worth - best[mind]) / SLACK[mind]))
            parts[mind] += part
            for slot in range(first, first + A_MIND):
                found[slot] += part * T[slot]
        elif worth > best[mind] + CLEARLY:
            best[mind] = worth
            for slot in range(first, first + A_MIND):
                found[slot] = T[slot]


def make_whole(found: MutableSequence[float], parts: MutableSequence[float], first: int) -> None:
    """Make sums of parts into what a choice brings to each mind, from the first slot of each on."""
    for mind in range(MINDS):
        whole = max(parts[mind], CLEARLY)
        for slot in range(mind * A_MIND + first, (mind + 1) * A_MIND):
            found[slot] /= whole


def ends_turn(S: MutableSequence[int], action: int, after: MutableSequence[int]) -> bool:
    """Whether an action is the last of a turn: then all actions there are."""
    follow(S, action, after)
    return is_end(after)


def fill(some: MutableSequence[float], count: int, value: float) -> None:
    """Set the first slots to a value."""
    for slot in range(count):
        some[slot] = value


def is_end(S: MutableSequence[int]) -> bool:
    """Whether a turn is over, and the game perhaps too."""
    return mover(S) == TERMINAL or can_judge(S)


def foresee(
    S: MutableSequence[int],
    W: MutableSequence[float],
    B: MutableSequence[float],
    turn: int,
    options: MutableSequence[int],
    count: int,
    parts: MutableSequence[float],
    likely: MutableSequence[float],
    T: MutableSequence[float],
    C: MutableSequence[int],
) -> None:
    """What a stranger may choose to end his turn with, by what he thinks of the options.

    Writes how likely each mind chooses each option, how likely it is chosen at all (FAVOURED if it
    is what some mind likes best), and into T what the choice is worth to each mind.
    """
    after = ints(SIZE)
    V = floats(PLAYERS)
    none = count - count
    for option in range(count):
        likely[option] = 0.0
    for mind in range(MINDS):
        first = mind * MOST_LEGAL
        belief = B[turn * MINDS + mind]
        if belief > 0.0:
            for option in range(count):
                follow(S, options[option], after)
                if mind > 0:
                    parts[first + option] = thought(after, turn, ROUGHLY[mind], V)
                elif known(after, W, none, V, C):
                    parts[option] = V[turn]
            if ROUGHLY[mind] != mind:
                think_over(S, turn, mind, options, count, parts, C)
            favourite = 0
            for option in range(count):
                if parts[first + option] > parts[first + favourite]:
                    favourite = option
            best = parts[first + favourite]
            worth = 0.0
            total = 0.0
            for option in range(count):
                part = 0.0
                if parts[first + option] > LEAST:
                    part = exp(max(-50.0, (parts[first + option] - best) / SLACK[mind]))
                    worth += part * parts[first + option]
                parts[first + option] = part
                total += part
            T[mind * A_MIND] = worth / total
            for option in range(count):
                parts[first + option] /= total
                likely[option] += belief * parts[first + option]
            likely[favourite] += FAVOURED
        else:
            for option in range(count):
                parts[first + option] = 0.0


def think_over(
    S: MutableSequence[int],
    turn: int,
    mind: int,
    options: MutableSequence[int],
    count: int,
    worths: MutableSequence[float],
    C: MutableSequence[int],
) -> None:
    """Let a mind that takes long think about those options that look best; the others are out."""
    after = ints(SIZE)
    V = floats(PLAYERS)
    rough = floats(MOST_LEGAL)
    for option in range(count):
        rough[option] = worths[mind * MOST_LEGAL + option]
        worths[mind * MOST_LEGAL + option] = LEAST
    left = min(FEW, count)
    while left > 0:
        left -= 1
        option = most_promising(rough, count)
        rough[option] = LEAST
        follow(S, options[option], after)
        worths[mind * MOST_LEGAL + option] = thought(after, turn, mind, V)
        C[NODES] = min(C[NODES] + EFFORT[mind], C[MOST_NODES])
        if C[NODES] == C[MOST_NODES]:
            C[STOP] = 1


def thought(S: MutableSequence[int], seat: int, mind: int, V: MutableSequence[float]) -> float:
    """What the end of a turn is worth to a mind but the first; V is for the shares of the win."""
    if mover(S) == TERMINAL:
        for one in range(PLAYERS):
            V[one] = win_in_twelfths(S, one) / 12
    return worth_to(S, seat, mind, V)


def tell(
    S: MutableSequence[int],
    B: MutableSequence[float],
    turn: int,
    T: MutableSequence[float],
) -> None:
    """Complete T for the end of a turn: what it is worth to every mind of whose turn it was."""
    V = floats(PLAYERS)
    for seat in range(PLAYERS):
        V[seat] = T[1 + seat]
    for mind in range(1, MINDS):
        worth = 0.0
        if B[turn * MINDS + mind] > 0.0:
            worth = worth_to(S, turn, mind, V)
        T[mind * A_MIND] = worth
        for seat in range(PLAYERS):
            T[mind * A_MIND + 1 + seat] = V[seat]


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
