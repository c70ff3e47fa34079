"""The net: a learned correction of the heuristic's shares of the win. A kernel module.

The inputs are what the heuristic expects of the position (customers, payments, money), what single
walks would pay, and the settings, as the seat sees it that moves a group next. They do not depend
on the board. The output for each seat is added to its lead by the heuristic in units of
`scale_of_leads`, and a softmax turns the sums into shares. So a net whose last layer is 0 is the
heuristic, and learning starts there.

The weights W begin with those of the heuristic; then come the layers, each by input and followed by
its biases: INPUTS numbers; HIDDEN_1 and HIDDEN_2 cells with rectifiers; an output for every seat.

An auction is worth what its sale is worth: to the last bidder at the last bid if nobody raises,
else to the one who is ready to pay most, at the second highest price. What a bidder is ready to pay
follows from the net: at that price, buying is as good as letting the rival buy who profits most.
"""

from collections.abc import MutableSequence
from math import exp, sqrt

from souk.engine.kernel.primitives import floats, ints
from souk.games.marracash.ai.heuristic import (
    BY_STEPS,
    FARTHEST,
    HEURISTIC_WEIGHTS,
    PAIRS,
    add_income,
    best_bidder,
    bidders_left,
    chance_of_no_raise,
    expect_customers,
    expected_payment,
    finish_walk,
    next_walker,
    present_bidder,
    present_price,
    sale_price,
    scale_of_leads,
    sell_to,
    total_rank_payment,
    turns_left,
    value_of_dirham,
    walking_turns,
    write_cash,
    write_limits,
)
from souk.games.marracash.amounts import COMMISSION
from souk.games.marracash.rules import (
    AUCTIONED,
    BIDDING,
    BRING,
    BY_GROUP,
    CHOOSE,
    COLOURS,
    COMMISSION_RULE,
    CUSTOMERS,
    DIRHAMS,
    FIRST_STEP,
    FOUNTAINS,
    GROUP,
    HEAD,
    LAST_TURNS,
    MOST_PASSED,
    NEVER,
    NOBODY,
    ONCE,
    OVER,
    OWNER,
    PASSED,
    PHASE,
    PLAYERS,
    PULL_IN,
    ROUND,
    SHOP_COLOUR,
    SHOPS,
    SIGNS_LEFT,
    SIZE,
    SOUVENIRS,
    STEPS_TO,
    STREET_START,
    STREETS,
    TAIL,
    TURN_OF,
    TURN_STEP,
    auction_commission,
)

PER_SEAT = 18
TURN_INPUTS = PER_SEAT * PLAYERS  # whose turn it is
POSITION_INPUTS = TURN_INPUTS + PLAYERS  # the rest of the position
INPUTS = (POSITION_INPUTS + 20 + 3) // 4 * 4  # a multiple of 4: see `compute_layers`
HIDDEN_1 = 64
HIDDEN_2 = 32
LAYER_1 = HEURISTIC_WEIGHTS
BIAS_1 = LAYER_1 + INPUTS * HIDDEN_1
LAYER_2 = BIAS_1 + HIDDEN_1
BIAS_2 = LAYER_2 + HIDDEN_1 * HIDDEN_2
LAYER_3 = BIAS_2 + HIDDEN_2
BIAS_3 = LAYER_3 + HIDDEN_2 * PLAYERS
WEIGHTS = BIAS_3 + PLAYERS

MOST_INPUT = 4.0
RESULT_SCALE = 5.0  # dirhams: the scale of leads when the game is over
LIMIT_STEPS = 4  # of Newton's method
LONGEST_STEP = 400.0  # dirhams


def evaluate(S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]) -> None:
    """Write the expected share of the win of every seat, in any position but the end."""
    after = ints(SIZE)
    with_shop = floats(PAIRS)
    limit = floats(PLAYERS)
    logits = floats(PAIRS)  # of each seat if each buyer gets the shop; of every seat otherwise
    seats = 1
    price = 0
    if S[PHASE] == BIDDING:
        seats = bidders_left(S)
        write_limits(S, W, seats, with_shop, limit)
        price = int(sale_price(S, seats, limit))
    for buyer in range(PLAYERS):
        if seats >> buyer & 1:
            if S[PHASE] == BIDDING:
                sell_to(S, buyer, price, after)
            else:
                finish_walk(S, after)
            write_logits(after, W, V)
            for seat in range(PLAYERS):
                logits[buyer * PLAYERS + seat] = V[seat]
    if S[PHASE] == BIDDING:
        expect_sale(S, W, seats, price, logits, limit, V)
    else:
        to_win(V)


def to_win(V: MutableSequence[float]) -> None:
    """Turn logits into shares of the win."""
    best = V[0]
    for seat in range(1, PLAYERS):
        best = max(best, V[seat])
    total = 0.0
    for seat in range(PLAYERS):
        V[seat] = exp(V[seat] - best)
        total += V[seat]
    for seat in range(PLAYERS):
        V[seat] /= total


# ---- auctions -----------------------------------------------------------------------------------


def expect_sale(
    S: MutableSequence[int],
    W: MutableSequence[float],
    bidders: int,
    price: int,
    logits: MutableSequence[float],
    limit: MutableSequence[float],
    V: MutableSequence[float],
) -> None:
    """Write the shares of an auction from the logits after a sale to each bidder at a price."""
    now = floats(PLAYERS)
    slope = value_of_dirham(S, W) / scale_of_leads(S, W)  # of a logit, per dirham
    for seat in range(PLAYERS):
        limit[seat] = 0.0
        if bidders >> seat & 1:
            limit[seat] = willingness(S, bidders, seat, price, slope, logits)
    no_raise = chance_of_no_raise(S, W, bidders, limit)
    best = best_bidder(S, bidders, limit)
    second = sale_price(S, bidders, limit)
    shares_at(S, present_bidder(S), float(present_price(S)), price, slope, logits, now)
    shares_at(S, best, second, price, slope, logits, V)
    for seat in range(PLAYERS):
        V[seat] = no_raise * now[seat] + (1 - no_raise) * V[seat]


def shares_at(
    S: MutableSequence[int],
    buyer: int,
    price: float,
    known: int,
    slope: float,
    logits: MutableSequence[float],
    V: MutableSequence[float],
) -> None:
    """Write the shares after a sale at a price, from the logits at a known price."""
    for seat in range(PLAYERS):
        V[seat] = logits[buyer * PLAYERS + seat]
    V[buyer] -= slope * (price - known)
    if buyer != S[TURN_OF]:
        V[S[TURN_OF]] += slope * (auction_commission(price) - auction_commission(known))
    to_win(V)


def willingness(
    S: MutableSequence[int],
    bidders: int,
    seat: int,
    known: int,
    slope: float,
    logits: MutableSequence[float],
) -> float:
    """Return the price at which buying is as good for a seat as letting its rival buy.

    The rival is the bidder who profits most from the shop. Solved by Newton's method.
    """
    own = floats(PLAYERS)
    other = floats(PLAYERS)
    shares_at(S, seat, float(known), known, slope, logits, own)
    rival = NOBODY
    gain = 0.0
    for buyer in range(PLAYERS):
        if buyer != seat and bidders >> buyer & 1:
            shares_at(S, buyer, float(known), known, slope, logits, other)
            if rival == NOBODY or other[buyer] - own[buyer] > gain:
                rival = buyer
                gain = other[buyer] - own[buyer]
    price = 0.0
    if rival != NOBODY:
        price = float(known)
        for _ in range(LIMIT_STEPS):
            shares_at(S, seat, price, known, slope, logits, own)
            shares_at(S, rival, price, known, slope, logits, other)
            steep = slope * (own[seat] * (1 - own[seat]) + other[seat] * other[rival])
            step = (own[seat] - other[seat]) / (steep + 1e-6)
            price += max(-LONGEST_STEP, min(step, LONGEST_STEP))
            price = max(0.0, min(price, float(S[DIRHAMS + seat])))
    return price


# ---- the net ------------------------------------------------------------------------------------


def write_logits(
    S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
) -> None:
    """Write the logit of every seat's share of the win, between two actions of a turn."""
    inputs = floats(INPUTS)
    out = floats(PLAYERS)
    if S[PHASE] == OVER:
        for seat in range(PLAYERS):
            V[seat] = S[DIRHAMS + seat] / RESULT_SCALE
    else:
        first = encode(S, W, inputs, V)
        compute_layers(W, inputs, out)
        for seat in range(PLAYERS):
            V[seat] += out[(seat - first + PLAYERS) % PLAYERS]


def encode(
    S: MutableSequence[int],
    W: MutableSequence[float],
    inputs: MutableSequence[float],
    logits: MutableSequence[float],
) -> int:
    """Write the inputs, and the logits by the heuristic; return the seat that moves next."""
    expected = floats(SHOPS)
    spread = floats(SHOPS)
    for number in range(INPUTS):
        inputs[number] = 0.0
    me = next_walker(S)
    expect_customers(S, W, expected, spread)
    write_cash(S, W, logits)
    add_income(S, W, expected, spread, logits)
    encode_shops(S, W, me, expected, spread, inputs)
    encode_walks(S, me, inputs)
    encode_seats(S, W, me, logits, inputs)
    encode_position(S, W, me, inputs)
    for number in range(INPUTS):
        inputs[number] = max(-MOST_INPUT, min(inputs[number], MOST_INPUT))
    scale = scale_of_leads(S, W)
    for seat in range(PLAYERS):
        logits[seat] /= scale
    return me


def seat_input(me: int, seat: int) -> int:
    """Return the first input of a seat: the seats follow in turn order from `me`."""
    return (seat - me + PLAYERS) % PLAYERS * PER_SEAT


def encode_shops(
    S: MutableSequence[int],
    W: MutableSequence[float],
    me: int,
    expected: MutableSequence[float],
    spread: MutableSequence[float],
    inputs: MutableSequence[float],
) -> None:
    """Write what each seat's shops have earned and can earn, and how good the unowned ones are."""
    close = floats(SHOPS)  # visitors of its colour one move away, and at most two
    near = floats(SHOPS)
    pull = floats(SHOPS)
    unowned = 0
    most = 0.0
    second = 0.0
    total = 0.0
    for shop in range(SHOPS):
        close[shop] = 0.0
        near[shop] = 0.0
        pull[shop] = 0.0
    for fountain in range(FOUNTAINS):
        group = S[GROUP + fountain]
        if group != 0:
            for shop in range(SHOPS):
                count = group >> 8 * SHOP_COLOUR[shop] & 255
                if count > 0:
                    steps = STEPS_TO[fountain * SHOPS + shop]
                    close[shop] += count if steps <= 1 else 0
                    near[shop] += count if steps <= 2 else 0
                    pull[shop] += count * W[BY_STEPS + min(steps, FARTHEST) - 1]
    for shop in range(SHOPS):
        had = float(S[CUSTOMERS + shop])
        if S[OWNER + shop] == NOBODY:
            unowned += 1
            total += pull[shop]
            second = max(second, min(most, pull[shop]))
            most = max(most, pull[shop])
        else:
            first = seat_input(me, S[OWNER + shop])
            before = total_rank_payment(had)
            inputs[first + 6] += 0.2
            inputs[first + 7] += had * 0.1
            inputs[first + 8] += expected[shop] * 0.2
            inputs[first + 9] += spread[shop] * 0.3
            inputs[first + 10] += expected_payment(S, W, shop, expected, spread) * 0.001
            inputs[first + 11] += (total_rank_payment(had + close[shop]) - before) * 0.001
            inputs[first + 12] += (total_rank_payment(had + near[shop]) - before) * 0.0005
            inputs[first + 13] = max(inputs[first + 13], expected[shop] * 0.2)
            inputs[first + 14] += min(had, 4.0) * 0.1
    inputs[POSITION_INPUTS] = unowned / SHOPS
    inputs[POSITION_INPUTS + 1] = most * 0.3
    inputs[POSITION_INPUTS + 2] = second * 0.3
    inputs[POSITION_INPUTS + 3] = total / max(unowned, 1) * 0.3


def encode_walks(S: MutableSequence[int], me: int, inputs: MutableSequence[float]) -> None:
    """Write what the best single walk would pay to each seat, and what it would bring `me`."""
    gain = floats(PLAYERS)
    visitors = 0
    for street in range(STREETS):
        group = S[GROUP + STREET_START[street]]
        if group != 0:
            fees = 0
            for seat in range(PLAYERS):
                gain[seat] = 0.0
            for place in range(MOST_PASSED):
                shop = PASSED[street * MOST_PASSED + place]
                if shop != NOBODY and S[OWNER + shop] != NOBODY:
                    count = group >> 8 * SHOP_COLOUR[shop] & 255
                    group -= count << 8 * SHOP_COLOUR[shop]
                    had = float(S[CUSTOMERS + shop])
                    paid = total_rank_payment(had + count) - total_rank_payment(had)
                    gain[S[OWNER + shop]] += paid
                    fees += COMMISSION * count if S[OWNER + shop] != me else 0
            most = 0.0
            for seat in range(PLAYERS):
                first = seat_input(me, seat)
                inputs[first + 15] = max(inputs[first + 15], gain[seat] * 0.001)
                inputs[first + 16] += gain[seat] * 0.0002
                most = max(most, gain[seat] if seat != me else 0.0)
            lead = (gain[me] + fees - most) * 0.001
            inputs[POSITION_INPUTS + 4] = max(inputs[POSITION_INPUTS + 4], lead)
    for fountain in range(FOUNTAINS):
        for colour in range(COLOURS):
            visitors += S[GROUP + fountain] >> 8 * colour & 255
    inputs[POSITION_INPUTS + 5] = visitors * 0.03


def encode_seats(
    S: MutableSequence[int],
    W: MutableSequence[float],
    me: int,
    money: MutableSequence[float],
    inputs: MutableSequence[float],
) -> None:
    """Write what each seat has, and the money that the heuristic predicts."""
    scale = scale_of_leads(S, W)
    turns = walking_turns(S, W)
    mean = 0.0
    for seat in range(PLAYERS):
        mean += money[seat] / PLAYERS
    for seat in range(PLAYERS):
        first = seat_input(me, seat)
        best = -1e9
        for other in range(PLAYERS):
            if other != seat:
                best = max(best, money[other])
        lead = money[seat] - best
        cash = S[DIRHAMS + seat]
        inputs[first] = (money[seat] - mean) * 0.001
        inputs[first + 1] = max(-4.0, min(lead / scale, 4.0)) * 0.5
        inputs[first + 2] = lead * 0.001
        inputs[first + 3] = cash * 0.001
        inputs[first + 4] = min(cash, 300) / 300
        inputs[first + 5] = min(S[SIGNS_LEFT + seat], 6) / 6
        inputs[first + 17] = 1.0 if (seat - me + PLAYERS) % PLAYERS < turns else 0.0


def encode_position(
    S: MutableSequence[int],
    W: MutableSequence[float],
    me: int,
    inputs: MutableSequence[float],
) -> None:
    """Write how far the game and the turn are, and the settings."""
    turns = turns_left(S, W)
    at = POSITION_INPUTS
    inputs[TURN_INPUTS + (S[TURN_OF] - me + PLAYERS) % PLAYERS] = 1.0
    inputs[at + 6] = turns * 0.05
    inputs[at + 7] = 1 / (1 + turns)
    inputs[at + 8] = 1.0 if S[LAST_TURNS] != NEVER else 0.0
    inputs[at + 9] = max(S[LAST_TURNS], 0) * 0.25
    inputs[at + 10] = (S[TAIL] - S[HEAD]) * 0.025
    inputs[at + 11] = 1.0 if S[ROUND] == 1 else 0.0
    inputs[at + 12] = 1.0 if S[PHASE] == BRING else 0.0
    inputs[at + 13] = 1.0 if S[PHASE] == CHOOSE and S[TURN_STEP] == 2 else 0.0
    inputs[at + 14] = 1.0 if S[FIRST_STEP] == AUCTIONED else 0.0
    inputs[at + 15] = 1.0 if S[SOUVENIRS] else 0.0
    inputs[at + 16] = 1.0 if S[COMMISSION_RULE] == BY_GROUP else 0.0
    inputs[at + 17] = 1.0 if S[COMMISSION_RULE] == ONCE else 0.0
    inputs[at + 18] = 1.0 if S[PULL_IN] else 0.0
    inputs[at + 19] = sqrt(turns) * 0.2


def compute_layers(
    W: MutableSequence[float], inputs: MutableSequence[float], out: MutableSequence[float]
) -> None:
    """Write the outputs for the inputs.

    Four rows of weights at a time, each a slice: see `souk.games.marrakech.ai.net`.
    """
    first = floats(HIDDEN_1)
    second = floats(HIDDEN_2)
    for cell in range(HIDDEN_1):
        first[cell] = W[BIAS_1 + cell]
    for number in range(0, INPUTS, 4):
        a, b, c, d = inputs[number], inputs[number + 1], inputs[number + 2], inputs[number + 3]
        at = LAYER_1 + number * HIDDEN_1
        row_a = W[at : at + HIDDEN_1]
        row_b = W[at + HIDDEN_1 : at + 2 * HIDDEN_1]
        row_c = W[at + 2 * HIDDEN_1 : at + 3 * HIDDEN_1]
        row_d = W[at + 3 * HIDDEN_1 : at + 4 * HIDDEN_1]
        for cell in range(HIDDEN_1):
            first[cell] += (a * row_a[cell] + b * row_b[cell]) + (c * row_c[cell] + d * row_d[cell])
    for cell in range(HIDDEN_2):
        second[cell] = W[BIAS_2 + cell]
    for number in range(0, HIDDEN_1, 4):
        a, b = max(first[number], 0.0), max(first[number + 1], 0.0)
        c, d = max(first[number + 2], 0.0), max(first[number + 3], 0.0)
        at = LAYER_2 + number * HIDDEN_2
        row_a = W[at : at + HIDDEN_2]
        row_b = W[at + HIDDEN_2 : at + 2 * HIDDEN_2]
        row_c = W[at + 2 * HIDDEN_2 : at + 3 * HIDDEN_2]
        row_d = W[at + 3 * HIDDEN_2 : at + 4 * HIDDEN_2]
        for cell in range(HIDDEN_2):
            second[cell] += (a * row_a[cell] + b * row_b[cell]) + (
                c * row_c[cell] + d * row_d[cell]
            )
    for seat in range(PLAYERS):
        out[seat] = W[BIAS_3 + seat]
        for cell in range(HIDDEN_2):
            out[seat] += max(second[cell], 0.0) * W[LAYER_3 + cell * PLAYERS + seat]
