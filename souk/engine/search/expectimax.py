"""Expectimax search: estimate what each action of a position brings, some plies deep.

A *ply* leads from one ply start to the next, as a rule a player's turn. Chance outcomes count by
their probabilities, and players choose what is best for themselves. Where the plies are used up,
the evaluation estimates each seat's share of the win; ends of the game are exact.

What is best for a player depends on their *opponent model*. Model 0 goes by the shares that the
search finds. A game may define simpler models, which look no further than the end of their turn.
How likely each seat follows each model is in the beliefs B.

This is a kernel module that serves every game: `targets` joins it with the rules and with
- an evaluation: is_ply_start(S) returns whether a ply begins; can_evaluate(S), whether the search
  may end at the position, as a rule where a ply begins; evaluate(S, W, V) writes the share of
  every seat to V;
- the opponent models, or `no_opponent_models`: MODELS and the tables and functions beside it;
- the pruning, or `no_pruning`: prune.
It allocates nothing on the heap and releases the interpreter's lock, so another thread can stop it.

Letters that mean the same in every kernel of rules, evaluation, search and self-play:
    S  the state: the buffer of a position (integers; each `rules.py` lists the slots)
    V  a value for every seat, as a rule its share of the win
    W  the weights of an evaluation
    B  the beliefs: MODELS probabilities per seat, then for every seat 0.0 if it never deviates from
       its models, 1.0 if it may, SEARCHES if it also looks beyond the end of its turn
    C  the counters of a search, listed below
    R  a stream of random numbers (`philox`)
    G  the states of several games, one after the other
    k  in Python code: the names of a kernel
"""

from collections.abc import MutableSequence
from math import exp
from typing import TYPE_CHECKING

from souk.engine.kernel.primitives import floats, ints

ENTRIES = ("look_ahead",)
# The counters C, shared with the caller.
NODES = 0  # positions evaluated and ends of the game; more for a model that is slow to evaluate
MOST_NODES = 1  # the search stops at this number of nodes
STOP = 2  # set to 1, also by another thread, to stop the search
EVALUATED = 3  # positions evaluated where a line ended: if none, the results are exact
CUT = 4  # 1 if some options were not searched to the full depth
WHOLE_TURNS = 5  # 1 in an analysis: the search ends only where a turn begins
COUNTERS = 6

MARGIN = 1e-6  # a value is better only by more than this: rounding must not decide
LOWEST = -1e30  # below every value
FAVOURITE = 10.0  # added to what a model likes best: above every other promise
SEARCHES = 2.0  # marks in B a seat that looks as far ahead as the search itself still does
LEAST_PROBABILITY = 0.003  # options that are chosen less often are not searched
SHORTLIST = 4  # options that a slow model evaluates: the best by its quick model

if "PLAYERS" not in globals():  # imported as a module, not joined with a kernel
    PLAYERS = MODELS = MOST_LEGAL = 0
if TYPE_CHECKING:  # the names that the other modules of the kernel define
    SIZE = CHANCE = TERMINAL = 0
    TEMPERATURES = (0.0,)
    QUICK_MODELS = NODE_COSTS = (0,)

    def mover(S: MutableSequence[int]) -> int: ...
    def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int: ...
    def apply(S: MutableSequence[int], action: int) -> None: ...
    def chance_weight(S: MutableSequence[int], action: int) -> int: ...
    def chance_total(S: MutableSequence[int]) -> int: ...
    def win_in_sixtieths(S: MutableSequence[int], seat: int) -> int: ...
    def is_ply_start(S: MutableSequence[int]) -> bool: ...
    def can_evaluate(S: MutableSequence[int]) -> bool: ...
    def prune(S: MutableSequence[int], actions: MutableSequence[int], count: int) -> int: ...
    def is_within_turn(S: MutableSequence[int]) -> bool: ...
    def settle(S: MutableSequence[int], W: MutableSequence[float]) -> int: ...
    def seat_in_turn(S: MutableSequence[int]) -> int: ...
    def model_value(
        S: MutableSequence[int], seat: int, model: int, V: MutableSequence[float]
    ) -> float: ...
    def evaluate(
        S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
    ) -> None: ...


# A result holds for every model MODEL_SLOTS: the value to that model, then every seat's share.
# Model 0 goes by its share, so its first slot is not used.
MODEL_SLOTS = 1 + PLAYERS
RESULT_SLOTS = MODELS * MODEL_SLOTS
OPTION_SLOTS = MODELS * MOST_LEGAL  # a value per model and option
# What happens at a position. At the last choice of an opponent's turn the models are asked first,
# so that only options that one of them may choose are searched. An opponent who searches chooses by
# what the search finds beyond the turn instead.
CHANCE_NODE, CHOICE, LAST_CHOICE = range(3)


def look_ahead(
    S: MutableSequence[int],
    W: MutableSequence[float],
    B: MutableSequence[float],
    plies: int,
    width: int,
    actions: MutableSequence[int],
    count: int,
    results: MutableSequence[float],
    C: MutableSequence[int],
) -> int:
    """Write the result of each action in their order; return how many were finished.

    One ply is always the rest of the turn. Below the first action only the `width` most promising
    options are searched deeper than the rest of a turn.
    """
    after = ints(SIZE)
    result = floats(RESULT_SLOTS)
    turn = seat_in_turn(S)
    for number in range(count):
        apply_to_copy(S, actions[number], after)
        if expect(after, W, B, plies - 1, width, turn, result, C):
            add_model_values(after, B, turn, result)
        if C[STOP] != 0:
            return number
        for slot in range(RESULT_SLOTS):
            results[number * RESULT_SLOTS + slot] = result[slot]
    return count


def expect(
    S: MutableSequence[int],
    W: MutableSequence[float],
    B: MutableSequence[float],
    plies: int,
    width: int,
    turn: int,
    result: MutableSequence[float],
    C: MutableSequence[int],
) -> bool:
    """Write what a position brings, for every model of the seat whose turn it has been.

    Return True where the turn is over: then the shares do not depend on the model, and only those
    of model 0 are written. The result means nothing once the search is stopped.

    All recursion is in this one function: with a cycle of two functions, kernels that Numba loads
    from its cache crash (segmentation fault, Numba 0.68).
    """
    V = floats(PLAYERS)
    if C[WHOLE_TURNS] != 0:
        C[NODES] += settle(S, W)
    if evaluate_leaf(S, W, plies, V, C):
        for seat in range(PLAYERS):
            result[1 + seat] = V[seat]
        return True
    is_new = is_ply_start(S) and not is_to_go_on(S, C)
    now = turn
    if is_new:
        plies -= 1
        now = seat_in_turn(S)
    options = ints(MOST_LEGAL)
    count = prune(S, options, legal_actions(S, options))
    after = ints(SIZE)
    below = floats(RESULT_SLOTS)
    mixed = floats(RESULT_SLOTS)
    promise = floats(MOST_LEGAL)  # options are searched in its order
    choices = floats(OPTION_SLOTS)
    best = floats(MODELS)
    parts = floats(MODELS)
    fill(mixed, RESULT_SLOTS, 0.0)
    fill(best, MODELS, LOWEST)
    fill(parts, MODELS, 0.0)
    is_stranger = MODELS > 1 and B[PLAYERS * MODELS + now] > 0.0
    kind = CHOICE
    if mover(S) == CHANCE:
        kind = CHANCE_NODE
    elif (
        is_stranger
        and not is_new
        and (plies == 0 or B[PLAYERS * MODELS + now] < SEARCHES)
        and ends_turn(S, options[0], after)
    ):
        kind = LAST_CHOICE
        predict_choice(S, W, B, now, options, count, choices, promise, mixed, C)
        if C[STOP] != 0:
            return False
    searched = count
    if plies > 0 and count > width and kind != CHANCE_NODE:
        C[CUT] = 1
        if kind == LAST_CHOICE:
            searched = min(width - 1 + count_models(B, now), count)
        else:
            favourite = ints(MODELS)
            # Not a literal: a second overload of this function cannot be loaded from the cache.
            none = plies - plies
            evaluated = C[EVALUATED]
            for option in range(count):
                apply_to_copy(S, options[option], after)
                if expect(after, W, B, none, width, now, below, C):
                    add_model_values(after, B, now, below)
                if C[STOP] != 0:
                    return False
                note_promise(option, below, mover(S), promise, best, favourite)
            C[EVALUATED] = evaluated  # the order of options makes no result inexact
            searched = promote_favourites(B, now, width, favourite, promise, count)
            fill(best, MODELS, LOWEST)
    for rank in range(searched):
        option = rank
        if kind == LAST_CHOICE or searched < count:
            option = most_promising(promise, count)
            if kind == LAST_CHOICE and promise[option] < LEAST_PROBABILITY:
                break
            promise[option] = LOWEST
        apply_to_copy(S, options[option], after)
        if expect(after, W, B, plies, width, now, below, C) and kind != LAST_CHOICE:
            add_model_values(after, B, now, below)
        if C[STOP] != 0:
            return False
        if kind == CHANCE_NODE:
            add_outcome(S, options[option], below, mixed)
        elif kind == LAST_CHOICE:
            add_predicted(option, below, choices, parts, mixed)
        else:
            add_option(below, mover(S), now, is_stranger, best, parts, mixed)
    if kind == LAST_CHOICE:
        normalise(mixed, parts, 1)
    elif kind == CHOICE and is_stranger:
        normalise(mixed, parts, 0)
    if is_new:
        for seat in range(PLAYERS):
            result[1 + seat] = 0.0
            for model in range(MODELS):
                result[1 + seat] += B[now * MODELS + model] * mixed[model * MODEL_SLOTS + 1 + seat]
    else:
        for slot in range(RESULT_SLOTS):
            result[slot] = mixed[slot]
    return is_new


def add_outcome(
    S: MutableSequence[int],
    action: int,
    result: MutableSequence[float],
    mixed: MutableSequence[float],
) -> None:
    """Add the result of a chance outcome by its probability."""
    part = chance_weight(S, action) / chance_total(S)
    for slot in range(RESULT_SLOTS):
        mixed[slot] += part * result[slot]


def add_predicted(
    option: int,
    result: MutableSequence[float],
    choices: MutableSequence[float],
    parts: MutableSequence[float],
    mixed: MutableSequence[float],
) -> None:
    """Add the shares after an option by how likely each model chooses it."""
    for model in range(MODELS):
        part = choices[model * MOST_LEGAL + option]
        parts[model] += part
        for seat in range(PLAYERS):
            mixed[model * MODEL_SLOTS + 1 + seat] += part * result[1 + seat]


def note_promise(
    option: int,
    result: MutableSequence[float],
    seat: int,
    promise: MutableSequence[float],
    best: MutableSequence[float],
    favourite: MutableSequence[int],
) -> None:
    """Note what an option promises, and which models like it best so far."""
    promise[option] = result[1 + seat]
    for model in range(1, MODELS):
        if result[model * MODEL_SLOTS] > best[model] + MARGIN:
            best[model] = result[model * MODEL_SLOTS]
            favourite[model] = option


def promote_favourites(
    B: MutableSequence[float],
    turn: int,
    width: int,
    favourite: MutableSequence[int],
    promise: MutableSequence[float],
    count: int,
) -> int:
    """Let the favourite of every likely model promise most; return how many options to search."""
    searched = width
    for model in range(1, MODELS):
        if B[turn * MODELS + model] > 0.0 and promise[favourite[model]] < FAVOURITE:
            promise[favourite[model]] += FAVOURITE
            searched = min(searched + 1, count)
    return searched


def count_models(B: MutableSequence[float], seat: int) -> int:
    """Return how many models a seat may follow."""
    count = 0
    for model in range(MODELS):
        if B[seat * MODELS + model] > 0.0:
            count += 1
    return count


def add_option(
    result: MutableSequence[float],
    seat: int,
    turn: int,
    is_stranger: bool,
    best: MutableSequence[float],
    parts: MutableSequence[float],
    mixed: MutableSequence[float],
) -> None:
    """Add an option to the choice of every model.

    The searching player takes what is best. A stranger may deviate from it: options have softmax
    weights with the model's temperature, rescaled whenever a better option turns up.
    """
    for model in range(MODELS):
        first = model * MODEL_SLOTS
        value = result[first] if model > 0 and seat == turn else result[first + 1 + seat]
        if is_stranger:
            part = 1.0
            if value > best[model]:
                before = exp(max(-50.0, (best[model] - value) / TEMPERATURES[model]))
                parts[model] *= before
                for slot in range(first, first + MODEL_SLOTS):
                    mixed[slot] *= before
                best[model] = value
            else:
                part = exp(max(-50.0, (value - best[model]) / TEMPERATURES[model]))
            parts[model] += part
            for slot in range(first, first + MODEL_SLOTS):
                mixed[slot] += part * result[slot]
        elif value > best[model] + MARGIN:
            best[model] = value
            for slot in range(first, first + MODEL_SLOTS):
                mixed[slot] = result[slot]


def normalise(mixed: MutableSequence[float], parts: MutableSequence[float], first: int) -> None:
    """Divide each model's sums by the sum of its parts, from its slot `first` on."""
    for model in range(MODELS):
        total = max(parts[model], MARGIN)
        for slot in range(model * MODEL_SLOTS + first, (model + 1) * MODEL_SLOTS):
            mixed[slot] /= total


def ends_turn(S: MutableSequence[int], action: int, after: MutableSequence[int]) -> bool:
    """Return whether an action ends the turn: then all legal actions do. Overwrites `after`."""
    apply_to_copy(S, action, after)
    return mover(after) == TERMINAL or can_evaluate(after)


def fill(values: MutableSequence[float], count: int, value: float) -> None:
    """Set the first slots to a value."""
    for slot in range(count):
        values[slot] = value


def predict_choice(
    S: MutableSequence[int],
    W: MutableSequence[float],
    B: MutableSequence[float],
    turn: int,
    options: MutableSequence[int],
    count: int,
    choices: MutableSequence[float],
    likely: MutableSequence[float],
    mixed: MutableSequence[float],
    C: MutableSequence[int],
) -> None:
    """Predict how an opponent ends their turn, from what their models think of the options.

    Writes how likely each model chooses each option, how likely it is chosen at all (more than
    FAVOURITE if some model likes it best), and into `mixed` the choice's value to each model.
    Once the search is stopped they mean nothing.
    """
    after = ints(SIZE)
    V = floats(PLAYERS)
    none = count - count
    evaluated = C[EVALUATED]
    for option in range(count):
        likely[option] = 0.0
    for model in range(MODELS):
        first = model * MOST_LEGAL
        belief = B[turn * MODELS + model]
        if belief > 0.0:
            for option in range(count):
                apply_to_copy(S, options[option], after)
                if model > 0:
                    choices[first + option] = value_at_end(after, turn, QUICK_MODELS[model], V)
                elif evaluate_leaf(after, W, none, V, C):
                    choices[option] = V[turn]
                if C[STOP] != 0:
                    return
            if QUICK_MODELS[model] != model:
                evaluate_shortlist(S, turn, model, options, count, choices, C)
            favourite = 0
            for option in range(count):
                if choices[first + option] > choices[first + favourite]:
                    favourite = option
            best = choices[first + favourite]
            value = 0.0
            total = 0.0
            for option in range(count):
                part = 0.0
                if choices[first + option] > LOWEST:
                    part = exp(max(-50.0, (choices[first + option] - best) / TEMPERATURES[model]))
                    value += part * choices[first + option]
                choices[first + option] = part
                total += part
            mixed[model * MODEL_SLOTS] = value / total
            for option in range(count):
                choices[first + option] /= total
                likely[option] += belief * choices[first + option]
            likely[favourite] += FAVOURITE
        else:
            for option in range(count):
                choices[first + option] = 0.0
    C[EVALUATED] = evaluated  # which option is chosen counts as known


def evaluate_shortlist(
    S: MutableSequence[int],
    turn: int,
    model: int,
    options: MutableSequence[int],
    count: int,
    values: MutableSequence[float],
    C: MutableSequence[int],
) -> None:
    """Replace quick values by those of a slow model for the best options; drop the others."""
    after = ints(SIZE)
    V = floats(PLAYERS)
    quick = floats(MOST_LEGAL)
    for option in range(count):
        quick[option] = values[model * MOST_LEGAL + option]
        values[model * MOST_LEGAL + option] = LOWEST
    left = min(SHORTLIST, count)
    while left > 0:
        left -= 1
        option = most_promising(quick, count)
        quick[option] = LOWEST
        apply_to_copy(S, options[option], after)
        values[model * MOST_LEGAL + option] = value_at_end(after, turn, model, V)
        C[NODES] = min(C[NODES] + NODE_COSTS[model], C[MOST_NODES])
        if C[NODES] == C[MOST_NODES]:
            C[STOP] = 1


def value_at_end(
    S: MutableSequence[int], seat: int, model: int, V: MutableSequence[float]
) -> float:
    """Return the value of the end of a turn to a model other than 0; V is overwritten."""
    if mover(S) == TERMINAL:
        for one in range(PLAYERS):
            V[one] = win_in_sixtieths(S, one) / 60
    return model_value(S, seat, model, V)


def add_model_values(
    S: MutableSequence[int],
    B: MutableSequence[float],
    turn: int,
    result: MutableSequence[float],
) -> None:
    """Complete the result of the end of a turn with its value to every model."""
    V = floats(PLAYERS)
    for seat in range(PLAYERS):
        V[seat] = result[1 + seat]
    for model in range(1, MODELS):
        value = 0.0
        if B[turn * MODELS + model] > 0.0:
            value = model_value(S, turn, model, V)
        result[model * MODEL_SLOTS] = value
        for seat in range(PLAYERS):
            result[model * MODEL_SLOTS + 1 + seat] = V[seat]


def evaluate_leaf(
    S: MutableSequence[int],
    W: MutableSequence[float],
    plies: int,
    V: MutableSequence[float],
    C: MutableSequence[int],
) -> bool:
    """Write the shares if the game is over or the plies are used up; return whether they are."""
    if mover(S) == TERMINAL:
        for seat in range(PLAYERS):
            V[seat] = win_in_sixtieths(S, seat) / 60
    elif plies == 0 and can_evaluate(S) and not is_to_go_on(S, C):
        evaluate(S, W, V)
        C[EVALUATED] += 1
    else:
        return False
    C[NODES] += 1
    if C[NODES] >= C[MOST_NODES]:
        C[STOP] = 1
    return True


def is_to_go_on(S: MutableSequence[int], C: MutableSequence[int]) -> bool:
    """Return whether an analysis looks on to the end of the turn."""
    return C[WHOLE_TURNS] != 0 and is_within_turn(S)


def apply_to_copy(S: MutableSequence[int], action: int, after: MutableSequence[int]) -> None:
    """Write the position after an action."""
    for slot in range(SIZE):
        after[slot] = S[slot]
    apply(after, action)


def most_promising(promise: MutableSequence[float], count: int) -> int:
    """Return the option that promises most; the first of several."""
    best = 0
    for option in range(1, count):
        if promise[option] > promise[best] + MARGIN:
            best = option
    return best
