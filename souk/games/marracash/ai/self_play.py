"""Self-play of MarraCash, to fit the heuristic. A kernel module, joined with the heuristic.

Players take the action that leads to the position they evaluate best, and now and then a random
one, so that more positions occur.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.default_rules import win_in_sixtieths
from souk.engine.kernel.philox import STREAM_SIZE, random_below, start_stream
from souk.engine.kernel.primitives import floats, ints
from souk.games.marracash.ai.heuristic import evaluate, predict_money
from souk.games.marracash.ai.pruning import prune
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
)
from souk.games.marracash.setup import deal

ENTRIES = ("play_and_sample", "predict_money_all")
SAMPLES = 16  # positions stored of every game
MOST_TURNS = 200  # of a game: the rules set no limit


def play_and_sample(
    start: MutableSequence[int],
    seed: int,
    first: int,
    games: int,
    weights: MutableSequence[float],
    random_percent: int,
    rows: MutableSequence[int],
    results: MutableSequence[int],
) -> None:
    """Play games from number `first`; write positions, the final money and the wins of each.

    Every player has weights of their own, one after the other, and moves on by one seat from game
    to game.
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
                    sample_position(S, rows, number * SAMPLES, seen, R)
                who = (S[TO_MOVE] + game) % PLAYERS
                apply(S, best_action(S, weights, who, random_percent, R))
        for seat in range(PLAYERS):
            results[number * 2 * PLAYERS + seat] = S[DIRHAMS + seat]
            results[number * 2 * PLAYERS + PLAYERS + seat] = win_in_sixtieths(S, seat)


def sample_position(
    S: MutableSequence[int],
    rows: MutableSequence[int],
    first: int,
    seen: int,
    R: MutableSequence[int],
) -> None:
    """Store the seen-th position of a game or not: each stays with the same probability."""
    place = seen - 1
    if seen > SAMPLES:
        place = random_below(R, seen)
    if place < SAMPLES:
        for slot in range(SIZE):
            rows[(first + place) * SIZE + slot] = S[slot]


def best_action(
    S: MutableSequence[int],
    weights: MutableSequence[float],
    who: int,
    random_percent: int,
    R: MutableSequence[int],
) -> int:
    """Return the action that leads to the best position for the player in turn."""
    actions = ints(MOST_LEGAL)
    after = ints(SIZE)
    V = floats(PLAYERS)
    size = len(weights) // PLAYERS
    W = weights[who * size : who * size + size]
    count = prune(S, actions, legal_actions(S, actions))
    if count == 1 or random_below(R, 100) < random_percent:
        return actions[random_below(R, count)]
    seat = S[TO_MOVE]
    chosen = actions[0]
    best = -1.0
    for number in range(count):
        for slot in range(SIZE):
            after[slot] = S[slot]
        apply(after, actions[number])
        if after[PHASE] == OVER:
            share = win_in_sixtieths(after, seat) / 60
        else:
            evaluate(after, W, V)
            share = float(V[seat])
        share += 1e-9 * random_below(R, 1000)  # ties are broken at random
        if share > best:
            best = share
            chosen = actions[number]
    return chosen


def predict_money_all(
    rows: MutableSequence[int],
    count: int,
    W: MutableSequence[float],
    money: MutableSequence[float],
) -> None:
    """Write the money that is predicted in each of some positions."""
    S = ints(SIZE)
    V = floats(PLAYERS)
    for row in range(count):
        for slot in range(SIZE):
            S[slot] = rows[row * SIZE + slot]
        predict_money(S, W, V)
        for seat in range(PLAYERS):
            money[row * PLAYERS + seat] = V[seat]
