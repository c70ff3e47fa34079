"""The driver that plays rollouts: games from a position, played on with an evaluation.

It is joined with an evaluation, which defines `can_evaluate` and `evaluate`, and with a pruning
(see `souk.engine.search.expectimax`). Players look to the end of their turn, or to the next
position that can be evaluated, and take the action that is best for themselves; with a temperature
they choose by a softmax of their shares.

Every game also adds up its *luck*: at a chance step, what the outcome is worth above the mean of
all outcomes, and at a choice by softmax the same for the actions. This sum has the mean 0, whatever
the evaluation is worth; so the result less the luck has the same mean as the result, with less
variance. Chance step n of game g takes word n of the stream (seed, 2 g), whatever was played.
"""

from collections.abc import MutableSequence
from math import exp, log
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import (
    STREAM_BLOCK,
    STREAM_SIZE,
    WORDS_LEFT,
    next_word,
    random_below,
    start_stream,
)
from souk.engine.kernel.primitives import floats, ints

ENTRIES = ("roll_out_all",)
PER_ITEM = ("roll_out",)
CUDA_STACK = 49_152  # bytes of a thread for `expect_turn`, which calls itself
ITEM_SLOTS = 3  # of a game that is to be played, as `roll_out` explains
ROLLOUT_TURNS = 2000  # of a game without an end; then its result is the evaluation
ROLLOUT_STEPS = 64  # of a turn that have random numbers of their own
TWO_TO_32 = 4294967296.0
LOWEST_SHARE = -1e30  # below every share
SHARE_MARGIN = 1e-6  # a share is better only by more than this: rounding must not decide

if TYPE_CHECKING or "SIZE" not in globals():  # imported as a module, not joined with a kernel
    ACTIONS = CHANCE = TERMINAL = MOST_LEGAL = PLAYERS = SIZE = TURNS = 0

    def apply(S: MutableSequence[int], action: int) -> None: ...
    def can_evaluate(S: MutableSequence[int]) -> bool: ...
    def chance_total(S: MutableSequence[int]) -> int: ...
    def chance_weight(S: MutableSequence[int], action: int) -> int: ...
    def evaluate(
        S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
    ) -> None: ...
    def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int: ...
    def mover(S: MutableSequence[int]) -> int: ...
    def prune(S: MutableSequence[int], actions: MutableSequence[int], count: int) -> int: ...
    def win_in_sixtieths(S: MutableSequence[int], seat: int) -> int: ...


SHARE_TABLE = MOST_LEGAL * PLAYERS  # each seat's share after every option


def roll_out(
    starts: MutableSequence[int],
    seeds: MutableSequence[int],
    items: MutableSequence[int],
    W: MutableSequence[float],
    temperature: float,
    truncate: int,
    results: MutableSequence[float],
    item: int,
) -> None:
    """Play one game from one of many positions.

    An item has ITEM_SLOTS: the number of the position, the action that is played first, or -1, and
    the number of the game. Every position has a seed. The results are the share of every seat and
    the luck of every seat. With `truncate`, the game ends after so many turns.
    """
    S = ints(SIZE)
    dice = ints(STREAM_SIZE)
    choices = ints(STREAM_SIZE)
    options = ints(MOST_LEGAL)
    table = floats(SHARE_TABLE)
    luck = floats(PLAYERS)
    V = floats(PLAYERS)
    position = items[ITEM_SLOTS * item]
    first_action = items[ITEM_SLOTS * item + 1]
    game = items[ITEM_SLOTS * item + 2]
    start_stream(dice, seeds[position], 2 * game)
    start_stream(choices, seeds[position], 2 * game + 1)
    for slot in range(SIZE):
        S[slot] = starts[position * SIZE + slot]
    for seat in range(PLAYERS):
        luck[seat] = 0.0
    first_turn = S[TURNS]
    if first_action >= 0:
        apply(S, first_action)
    end = S[TURNS] + ROLLOUT_TURNS
    if truncate > 0:
        end = first_turn + truncate
    is_known = False  # whether the table has the outcomes of this chance step
    step = 0  # of the turn
    turns = S[TURNS]
    while mover(S) != TERMINAL and not (S[TURNS] >= end and can_evaluate(S)):
        if mover(S) == CHANCE:
            if not is_known:
                expect_outcomes(S, W, table, V)
            apply(S, draw_and_add_luck(S, dice, table, luck))
            is_known = False
        else:
            legal = prune(S, options, legal_actions(S, options))
            action = options[0]
            if legal > 1:
                block = (turns - first_turn) * ROLLOUT_STEPS + min(step, ROLLOUT_STEPS - 1)
                action = choose_by_share(
                    S, W, temperature, options, legal, choices, block, table, luck
                )
            apply(S, action)
            is_known = legal > 1 and mover(S) == CHANCE and not can_evaluate(S)
        step += 1
        if S[TURNS] > turns:
            turns = S[TURNS]
            step = 0
    expect_turn(S, W, V)
    for seat in range(PLAYERS):
        results[(2 * item) * PLAYERS + seat] = V[seat]
        results[(2 * item + 1) * PLAYERS + seat] = luck[seat]


def expect_turn(
    S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
) -> None:
    """Write every seat's share, by the best actions up to a position that can be evaluated."""
    if mover(S) == TERMINAL:
        for seat in range(PLAYERS):
            V[seat] = win_in_sixtieths(S, seat) / 60
        return
    if can_evaluate(S):
        evaluate(S, W, V)
        return
    options = ints(MOST_LEGAL)
    after = ints(SIZE)
    below = floats(PLAYERS)
    seat_to_move = mover(S)
    best = LOWEST_SHARE
    for seat in range(PLAYERS):
        V[seat] = 0.0
    for number in range(prune(S, options, legal_actions(S, options))):
        copy_and_apply(S, options[number], after)
        expect_turn(after, W, below)
        if seat_to_move == CHANCE:
            part = chance_weight(S, options[number]) / chance_total(S)
            for seat in range(PLAYERS):
                V[seat] += part * below[seat]
        elif below[seat_to_move] > best + SHARE_MARGIN:
            best = float(below[seat_to_move])
            for seat in range(PLAYERS):
                V[seat] = below[seat]


def copy_and_apply(S: MutableSequence[int], action: int, after: MutableSequence[int]) -> None:
    """Write the position after an action."""
    for slot in range(SIZE):
        after[slot] = S[slot]
    apply(after, action)


def expect_outcomes(
    S: MutableSequence[int],
    W: MutableSequence[float],
    table: MutableSequence[float],
    mean: MutableSequence[float],
) -> None:
    """Write every seat's share after each outcome of a chance step, and the mean."""
    outcomes = ints(MOST_LEGAL)
    after = ints(SIZE)
    V = floats(PLAYERS)
    for seat in range(PLAYERS):
        mean[seat] = 0.0
    total = chance_total(S)
    for number in range(legal_actions(S, outcomes)):
        copy_and_apply(S, outcomes[number], after)
        expect_turn(after, W, V)
        part = chance_weight(S, outcomes[number]) / total
        for seat in range(PLAYERS):
            table[number * PLAYERS + seat] = V[seat]
            mean[seat] += part * V[seat]


def draw_and_add_luck(
    S: MutableSequence[int],
    dice: MutableSequence[int],
    table: MutableSequence[float],
    luck: MutableSequence[float],
) -> int:
    """Return a random outcome of a chance step, and add what it is worth above the mean."""
    outcomes = ints(MOST_LEGAL)
    count = legal_actions(S, outcomes)
    total = chance_total(S)
    left = random_below(dice, total)
    drawn = 0
    for number in range(count):
        weight = chance_weight(S, outcomes[number])
        if left >= 0 and left < weight:
            drawn = number
        left -= weight
        for seat in range(PLAYERS):
            luck[seat] -= weight / total * table[number * PLAYERS + seat]
    for seat in range(PLAYERS):
        luck[seat] += table[drawn * PLAYERS + seat]
    return outcomes[drawn]


def choose_by_share(
    S: MutableSequence[int],
    W: MutableSequence[float],
    temperature: float,
    options: MutableSequence[int],
    count: int,
    choices: MutableSequence[int],
    block: int,
    table: MutableSequence[float],
    luck: MutableSequence[float],
) -> int:
    """Return the action of the player to move, and add what it is worth above the mean.

    If chance follows the action, the table gets the outcomes. A temperature of 0 takes the best
    action, the first of several. Otherwise the best share counts after Gumbel noise is added, which
    is a choice by softmax. The noise belongs to the action and to the step of the turn, so that
    games after different actions get the same noise where they are alike.
    """
    after = ints(SIZE)
    outcomes = floats(SHARE_TABLE)
    V = floats(PLAYERS)
    chosen_shares = floats(PLAYERS)
    mean = floats(PLAYERS)
    for seat in range(PLAYERS):
        mean[seat] = 0.0
        chosen_shares[seat] = 0.0
    me = mover(S)
    chosen = options[0]
    best = LOWEST_SHARE
    best_noisy = LOWEST_SHARE
    total = 0.0
    for number in range(count):
        copy_and_apply(S, options[number], after)
        has_outcomes = mover(after) == CHANCE and not can_evaluate(after)
        if has_outcomes:
            expect_outcomes(after, W, outcomes, V)
        else:
            expect_turn(after, W, V)
        is_chosen = V[me] > best + SHARE_MARGIN
        if temperature > 0.0:
            part = 1.0
            if V[me] > best:
                before = exp(max(-50.0, (best - V[me]) / temperature))
                total *= before
                for seat in range(PLAYERS):
                    mean[seat] *= before
            else:
                part = exp(max(-50.0, (V[me] - best) / temperature))
            total += part
            choices[STREAM_BLOCK] = block * ACTIONS + options[number]
            choices[WORDS_LEFT] = 0
            uniform = (next_word(choices) + 0.5) / TWO_TO_32
            noisy = V[me] - temperature * log(-log(uniform))
            is_chosen = noisy > best_noisy
            best_noisy = max(best_noisy, noisy)
            for seat in range(PLAYERS):
                mean[seat] += part * V[seat]
        best = max(best, float(V[me]))
        if is_chosen:
            chosen = options[number]
            for seat in range(PLAYERS):
                chosen_shares[seat] = V[seat]
            if has_outcomes:
                for slot in range(SHARE_TABLE):
                    table[slot] = outcomes[slot]
    if temperature > 0.0:
        for seat in range(PLAYERS):
            luck[seat] += chosen_shares[seat] - mean[seat] / total
    return chosen
