"""Self-play of MarraCash in batches, an action at a time. A kernel module.

Every function handles one item of a batch, so that a GPU can run one in every thread and the CPU
one after the other. Buffers hold one game after the other. `rate_option` evaluates every option of
every game, then `advance` takes one: the best by its share plus Gumbel noise, now and then a random
one. So that games differ in strength and manner, every seat has weights of its own: `tables` holds
several, `players` says which belong to whom.
"""

from collections.abc import MutableSequence
from math import log

from souk.engine.kernel.default_rules import win_in_sixtieths
from souk.engine.kernel.philox import (
    STREAM_BLOCK,
    STREAM_SIZE,
    WORDS_LEFT,
    next_word,
    random_below,
    start_stream,
)
from souk.engine.kernel.primitives import floats, ints
from souk.games.marracash.ai.heuristic import can_evaluate
from souk.games.marracash.ai.net import INPUTS, WEIGHTS, encode, evaluate
from souk.games.marracash.amounts import STEP
from souk.games.marracash.board import GATES
from souk.games.marracash.rules import (
    BID,
    BID_OF,
    BIDDING,
    LEAST_STEPS,
    OVER,
    PASS,
    PHASE,
    PLAYERS,
    REVEAL,
    SHOPS,
    SIZE,
    STREETS,
    TO_MOVE,
    TURNS,
    apply,
    can_bid,
    chance_total,
    least_bid,
    legal_actions,
    nth_card,
    reveal,
)
from souk.games.marracash.setup import deal

ENTRIES = ("deal_game_all", "rate_option_all", "advance_all", "write_inputs_all")
PER_ITEM = ("deal_game", "rate_option", "advance", "write_inputs")
CUDA_OPTIONS = ("--maxrregcount=128",)  # with more registers, half as many threads
OPTIONS = max(STREETS + SHOPS, 6 * GATES)  # of a decision, apart from higher bids
SAMPLES = 24  # positions stored of every game
MOST_TURNS = 200  # of a game: the rules set no limit
NO_OPTION = -1.0  # in place of the first share
BLOCKS = 64  # of random words for a step
TWO_TO_32 = 4294967296.0
LOWEST = -1e30


def deal_game(G: MutableSequence[int], seed: int, item: int) -> None:
    """Deal the setup of one game."""
    S = ints(SIZE)
    R = ints(STREAM_SIZE)
    for slot in range(SIZE):
        S[slot] = G[item * SIZE + slot]
    start_stream(R, seed, item)
    deal(S, R)
    for slot in range(SIZE):
        G[item * SIZE + slot] = S[slot]


def list_options(S: MutableSequence[int], options: MutableSequence[int]) -> int:
    """Write the actions to choose from, of all bids the lowest; return their number."""
    count = 0
    if S[PHASE] == BIDDING:
        if S[BID] > 0:
            options[count] = PASS
            count += 1
        if can_bid(S):
            options[count] = BID_OF + least_bid(S) // STEP - LEAST_STEPS
            count += 1
        return count
    return legal_actions(S, options)


def rate_option(
    G: MutableSequence[int],
    tables: MutableSequence[float],
    players: MutableSequence[int],
    to_end_of_turn: int,
    shares: MutableSequence[float],
    item: int,
) -> None:
    """Write the shares after one option of a game, as the player to move evaluates it.

    With `to_end_of_turn`, the best second step follows a first one.
    """
    S = ints(SIZE)
    after = ints(SIZE)
    options = ints(OPTIONS)
    V = floats(PLAYERS)
    game = item // OPTIONS
    option = item % OPTIONS
    for slot in range(SIZE):
        S[slot] = G[game * SIZE + slot]
    shares[item * PLAYERS] = NO_OPTION
    if S[PHASE] != OVER and option < list_options(S, options):
        seat = S[TO_MOVE]
        first = players[game * PLAYERS + seat] * WEIGHTS
        apply(S, options[option])
        has_second = to_end_of_turn != 0 and S[PHASE] != OVER and not can_evaluate(S)
        count = list_options(S, options) if has_second else 1
        for number in range(count):
            for slot in range(SIZE):
                after[slot] = S[slot]
            if has_second:
                apply(after, options[number])
            if after[PHASE] == OVER:
                for other in range(PLAYERS):
                    V[other] = win_in_sixtieths(after, other) / 60
            else:
                evaluate(after, tables[first : first + WEIGHTS], V)
            if number == 0 or V[seat] > shares[item * PLAYERS + seat]:
                for other in range(PLAYERS):
                    shares[item * PLAYERS + other] = V[other]


def advance(
    G: MutableSequence[int],
    shares: MutableSequence[float],
    seed: int,
    step: int,
    random_percent: int,
    noise: int,
    rows: MutableSequence[int],
    values: MutableSequence[float],
    seen: MutableSequence[int],
    results: MutableSequence[float],
    item: int,
) -> None:
    """Take an action in one game, and turn up cards until somebody can act.

    The position is stored with the shares after the best action, or not: all positions of a game
    but auctions are kept with the same probability. `noise` is the temperature in thousandths. The
    results are written when the game is over.
    """
    S = ints(SIZE)
    R = ints(STREAM_SIZE)
    options = ints(OPTIONS)
    for slot in range(SIZE):
        S[slot] = G[item * SIZE + slot]
    if S[PHASE] != OVER:
        start_stream(R, seed, item)
        R[STREAM_BLOCK] = step * BLOCKS
        R[WORDS_LEFT] = 0
        seat = S[TO_MOVE]
        count = list_options(S, options)
        best = 0
        chosen = 0
        most = LOWEST
        for number in range(count):
            place = item * OPTIONS + number
            share = shares[place * PLAYERS + seat]
            if share > shares[(item * OPTIONS + best) * PLAYERS + seat]:
                best = number
            if noise > 0:
                uniform = (next_word(R) + 0.5) / TWO_TO_32
                share -= 0.001 * noise * log(-log(uniform))
            if share > most:
                most = float(share)
                chosen = number
        if random_below(R, 100) < random_percent:
            chosen = random_below(R, count)
        if S[PHASE] != BIDDING:
            place = seen[item]
            seen[item] = place + 1
            if place >= SAMPLES:
                place = random_below(R, place + 1)
            if place < SAMPLES:
                place += item * SAMPLES
                for slot in range(SIZE):
                    rows[place * SIZE + slot] = S[slot]
                for other in range(PLAYERS):
                    values[place * PLAYERS + other] = shares[
                        (item * OPTIONS + best) * PLAYERS + other
                    ]
        apply(S, options[chosen])
        while S[PHASE] == REVEAL:
            reveal(S, nth_card(S, random_below(R, chance_total(S))))
        if S[TURNS] >= MOST_TURNS:
            S[PHASE] = OVER
        if S[PHASE] == OVER:
            for other in range(PLAYERS):
                results[item * PLAYERS + other] = win_in_sixtieths(S, other) / 60
        for slot in range(SIZE):
            G[item * SIZE + slot] = S[slot]


def write_inputs(
    rows: MutableSequence[int],
    W: MutableSequence[float],
    inputs: MutableSequence[float],
    logits: MutableSequence[float],
    movers: MutableSequence[int],
    item: int,
) -> None:
    """Write the inputs of one position, the heuristic's logits, and the seat that moves next."""
    S = ints(SIZE)
    own = floats(INPUTS)
    V = floats(PLAYERS)
    for slot in range(SIZE):
        S[slot] = rows[item * SIZE + slot]
    movers[item] = encode(S, W, own, V)
    for number in range(INPUTS):
        inputs[item * INPUTS + number] = own[number]
    for seat in range(PLAYERS):
        logits[item * PLAYERS + seat] = V[seat]
