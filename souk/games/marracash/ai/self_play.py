"""Games of MarraCash that a judgement plays against itself, to learn from: compiled code.

`targets` puts this text behind the rules and the judgement. A player takes the action that leads to
the position which it judges best, but for now and then one at random, so that more is seen.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.philox import STREAM_SIZE, random_below, start_stream
from souk.engine.kernel.primitives import floats, ints
from souk.games.marracash.ai.heuristic import foretell, judge
from souk.games.marracash.ai.pruning import worth_trying
from souk.games.marracash.rules import (
    BIDDING,
    DIRHAMS,
    MOST_LEGAL,
    OVER,
    PHASE,
    PLAYERS,
    REVEAL,
    SIZE,
    TO_MOVE,
    TURNS,
    apply,
    chance_total,
    legal_actions,
    nth_card,
    reveal,
    win_in_twelfths,
)
from souk.games.marracash.setup import deal

ENTRIES = ("practise", "foretell_all")
LESSONS = 16  # positions that are kept of every game
MOST_TURNS = 200  # of a game: there is no limit by the rules


def practise(
    start: MutableSequence[int],
    seed: int,
    first: int,
    games: int,
    weights: MutableSequence[float],
    tries: int,
    rows: MutableSequence[int],
    results: MutableSequence[int],
) -> None:
    """Play games from number `first`; keep positions of each, its last money and its wins.

    Every player has weights of his own, one after the other, and sits one place farther to the
    right in each game. `tries` in a hundred actions are random.
    """
    S = ints(SIZE)
    R = ints(STREAM_SIZE)
    for number in range(games):
        game = first + number
        start_stream(R, seed, game)
        for slot in range(SIZE):
            S[slot] = start[slot]
        deal(S, R)
        seen = 0
        while S[PHASE] != OVER and S[TURNS] < MOST_TURNS:
            if S[PHASE] == REVEAL:
                reveal(S, nth_card(S, random_below(R, chance_total(S))))
            else:
                if S[PHASE] != BIDDING:
                    seen += 1
                    keep_or_not(S, rows, number * LESSONS, seen, R)
                who = (S[TO_MOVE] + game) % PLAYERS
                apply(S, best_action(S, weights, who, tries, R))
        for seat in range(PLAYERS):
            results[number * 2 * PLAYERS + seat] = S[DIRHAMS + seat]
            results[number * 2 * PLAYERS + PLAYERS + seat] = win_in_twelfths(S, seat)


def keep_or_not(
    S: MutableSequence[int],
    rows: MutableSequence[int],
    first: int,
    seen: int,
    R: MutableSequence[int],
) -> None:
    """Keep the seen-th position of a game, so that all have the same chance to stay."""
    place = seen - 1
    if seen > LESSONS:
        place = random_below(R, seen)
    if place < LESSONS:
        for slot in range(SIZE):
            rows[(first + place) * SIZE + slot] = S[slot]


def best_action(
    S: MutableSequence[int],
    weights: MutableSequence[float],
    who: int,
    tries: int,
    R: MutableSequence[int],
) -> int:
    """The action that leads to the best position for the player in turn."""
    actions = ints(MOST_LEGAL)
    after = ints(SIZE)
    V = floats(PLAYERS)
    size = len(weights) // PLAYERS
    W = weights[who * size : who * size + size]
    count = worth_trying(S, actions, legal_actions(S, actions))
    if count == 1 or random_below(R, 100) < tries:
        return actions[random_below(R, count)]
    seat = S[TO_MOVE]
    chosen = actions[0]
    best = -1.0
    for number in range(count):
        for slot in range(SIZE):
            after[slot] = S[slot]
        apply(after, actions[number])
        if after[PHASE] == OVER:
            share = win_in_twelfths(after, seat) / 12
        else:
            judge(after, W, V)
            share = float(V[seat])
        share += 1e-9 * random_below(R, 1000)  # ties are broken at random
        if share > best:
            best = share
            chosen = actions[number]
    return chosen


def foretell_all(
    rows: MutableSequence[int],
    count: int,
    W: MutableSequence[float],
    money: MutableSequence[float],
) -> None:
    """Write what is foretold of so many positions."""
    S = ints(SIZE)
    E = floats(PLAYERS)
    for row in range(count):
        for slot in range(SIZE):
            S[slot] = rows[row * SIZE + slot]
        foretell(S, W, E)
        for seat in range(PLAYERS):
            money[row * PLAYERS + seat] = E[seat]
