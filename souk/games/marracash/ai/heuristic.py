"""The heuristic of MarraCash: what it expects of any position. A kernel module.

It predicts every seat's money at the end of the game. `heuristic_shares` turns that into shares of
the win; `net` begins with it and corrects it. Visitors enter an owned shop of their colour with a
probability that grows with the shop's pull: the fewer moves it is away, the sooner its owner is in
turn and the more it pays, the stronger it is; some visitors never enter any. From that follow the
expected customers of every shop, their payments by rank, and so the money. Money and signs that can
still buy shops count a little more while there is time.

An auction is evaluated by its expected result. Every bidder goes up to the price at which winning
is as good for them as leaving the shop to a rival.
"""

from collections.abc import MutableSequence
from math import exp, sqrt

from souk.engine.kernel.primitives import floats, ints
from souk.games.marracash.amounts import HIGHEST_RANK, LEAST_BID, RANK_PAYMENT, STEP
from souk.games.marracash.board import GATES
from souk.games.marracash.rules import (
    AUCTIONED,
    BID,
    BIDDER,
    BY_COLOUR,
    CARD,
    CARD_COLOUR,
    CARD_STEPS,
    CHOOSE,
    COLOURS,
    CUSTOMERS,
    DIRHAMS,
    FIRST_STEP,
    FOUNTAINS,
    GATE,
    GROUP,
    HEAD,
    LAST_TURNS,
    NEVER,
    NOBODY,
    OPEN_CARD,
    OVER,
    OWNER,
    PASSED_COUNT,
    PASSED_SEAT,
    PHASE,
    PLAYERS,
    QUEUE,
    REVEAL,
    ROUND,
    SHOP_COLOUR,
    SHOPS,
    SIGNS_LEFT,
    SIZE,
    SOUVENIRS,
    STEPS_TO,
    TAIL,
    TURN_OF,
    TURN_STEP,
    auction_commission,
    sell,
    sell_card,
    walk_on,
)

# The slots of W.
CALLED = ("apply", "expect_customers", "sell", "shares_at", "walk_on")  # see `c_source`
FARTHEST = 5  # moves; anything further away counts as this far
BY_STEPS = 0  # a shop's pull on a visitor, by the moves between them: 1 to FARTHEST
BY_WAIT = BY_STEPS + FARTHEST  # factor for shops within a turn's reach: by turns until the owner's
NO_TURN = BY_WAIT + 4  # factor for a shop whose owner has no turn left
BY_RANK = NO_TURN + 1  # added per customer in the shop, since the next one pays more
LOST = BY_RANK + 1  # pull of entering no shop: per 1 / turns left, and constant
LOST_ALWAYS = LOST + 1
LOST_QUEUE = LOST_ALWAYS + 1  # the same for visitors in the queue
LOST_QUEUE_ALWAYS = LOST_QUEUE + 1
UNOWNED = LOST_QUEUE_ALWAYS + 1  # pull of an unowned shop, which may find an owner
UNOWNED_QUEUE = UNOWNED + 1
EARNED = UNOWNED_QUEUE + 1  # part of the payments that the owner keeps
PER_CUSTOMER = EARNED + 1  # commission that the owner pays per customer, by any rule
SPREAD = PER_CUSTOMER + 1  # value of the variance of customers, since later ones pay more
BUYING = SPREAD + 1  # value of 1000 dirhams that can buy shops, per turn left
SIGN = BUYING + 1  # value of a sign, per turn left
TEMPO = SIGN + 1  # value of being in turn, by turns until the seat's: 0 to 3
PER_TURN = TEMPO + 4  # visitors that come in during a turn
CLOSE = PER_TURN + 1  # scale of the softmax in dirhams: at the end, and per root of turns left
CLOSE_ROOT = CLOSE + 1
UNSURE = CLOSE_ROOT + 1  # scale of the error of bidders' estimated limits
CARDS = UNSURE + 1  # part of an open card's value that its colour's shops get
HEURISTIC_WEIGHTS = CARDS + 1

PAIRS = PLAYERS * PLAYERS


def is_ply_start(S: MutableSequence[int]) -> bool:
    """Return whether the position is not between the two steps of a turn.

    Every position can be evaluated, but one step alone says little: both count together.
    """
    return S[PHASE] != CHOOSE or S[TURN_STEP] == 1


def can_evaluate(S: MutableSequence[int]) -> bool:
    """Return whether the search may end at the position."""
    return is_ply_start(S)


def to_shares(
    S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
) -> None:
    """Turn predicted money into shares of the win: a lead counts for more the nearer the end."""
    close = scale_of_leads(S, W)
    best = V[0]
    for seat in range(1, PLAYERS):
        best = max(best, V[seat])
    total = 0.0
    for seat in range(PLAYERS):
        V[seat] = exp((V[seat] - best) / close)
        total += V[seat]
    for seat in range(PLAYERS):
        V[seat] /= total


def scale_of_leads(S: MutableSequence[int], W: MutableSequence[float]) -> float:
    """Return the lead in dirhams that multiplies a seat's share of the win by e."""
    return W[CLOSE] + W[CLOSE_ROOT] * sqrt(turns_left(S, W))


def finish_walk(S: MutableSequence[int], after: MutableSequence[int]) -> None:
    """Write the position after the rest of a walk, if one goes on; nobody buys further cards."""
    for slot in range(SIZE):
        after[slot] = S[slot]
    if after[PHASE] == CARD:
        first = CARD_STEPS[after[OPEN_CARD]] > CARD_STEPS[after[OPEN_CARD + 1]]
        sell_card(after, 0 if first else 1)
    if S[PHASE] == CARD or S[PHASE] == REVEAL:
        after[SOUVENIRS] = 0
        walk_on(after)
        after[SOUVENIRS] = S[SOUVENIRS]


# ---- time ---------------------------------------------------------------------------------------


def turns_left(S: MutableSequence[int], W: MutableSequence[float]) -> float:
    """Return the expected number of turns left, with the one in progress."""
    if S[LAST_TURNS] != NEVER:
        return float(S[LAST_TURNS])
    return PLAYERS + (S[TAIL] - S[HEAD]) / W[PER_TURN]


def next_walker(S: MutableSequence[int]) -> int:
    """Return the seat that may be the next to move a group."""
    if S[ROUND] == 1:
        return 0
    if S[PHASE] == CHOOSE and S[FIRST_STEP] != AUCTIONED:
        return S[TURN_OF]
    return (S[TURN_OF] + 1) % PLAYERS


# ---- money at the end ---------------------------------------------------------------------------


def predict_money(
    S: MutableSequence[int], W: MutableSequence[float], money: MutableSequence[float]
) -> None:
    """Write the money that every seat is expected to have at the end."""
    expected = floats(SHOPS)  # customers to come
    spread = floats(SHOPS)
    write_cash(S, W, money)
    if S[PHASE] == OVER:
        return
    expect_customers(S, W, expected, spread)
    add_income(S, W, expected, spread, money)


def expect_customers(
    S: MutableSequence[int],
    W: MutableSequence[float],
    expected: MutableSequence[float],
    spread: MutableSequence[float],
) -> None:
    """Write the customers that each owned shop can expect, and their variance."""
    near = floats(SHOPS)  # each shop's pull on visitors within a turn's reach, and on others
    far = floats(SHOPS)
    turns = walking_turns(S, W)
    write_pulls(S, W, turns, near, far)
    counts = 0  # of the queue
    for place in range(S[HEAD], S[TAIL]):
        counts += 1 << 8 * S[QUEUE + place]
    for shop in range(SHOPS):
        expected[shop] = 0
        spread[shop] = 0
    end = 0
    for colour in range(COLOURS):
        start = end
        owned = 0
        while end < SHOPS and SHOP_COLOUR[BY_COLOUR[end]] == colour:
            if S[OWNER + BY_COLOUR[end]] != NOBODY:
                owned += 1
            end += 1
        if owned > 0:
            stay_out = W[LOST] / (turns + 1) + W[LOST_ALWAYS]
            for fountain in range(FOUNTAINS):
                count = S[GROUP + fountain] >> 8 * colour & 255
                if count > 0:
                    distribute_visitors(
                        S,
                        W,
                        fountain,
                        start,
                        end,
                        float(count),
                        stay_out,
                        near,
                        far,
                        expected,
                        spread,
                    )
            count = counts >> 8 * colour & 255
            if count > 0 and S[TAIL] - S[HEAD] > 1:
                stay_out = W[LOST_QUEUE] / (turns + 1) + W[LOST_QUEUE_ALWAYS]
                for gate in range(GATES):
                    distribute_visitors(
                        S,
                        W,
                        GATE[gate],
                        start,
                        end,
                        count / GATES,
                        stay_out,
                        far,
                        far,
                        expected,
                        spread,
                    )


def expected_payment(
    S: MutableSequence[int],
    W: MutableSequence[float],
    shop: int,
    expected: MutableSequence[float],
    spread: MutableSequence[float],
) -> float:
    """Return what the bank is expected to pay a shop's owner from now on."""
    had = float(S[CUSTOMERS + shop])
    paid = total_rank_payment(had + expected[shop]) - total_rank_payment(had)
    return paid + W[SPREAD] * spread[shop]


def add_income(
    S: MutableSequence[int],
    W: MutableSequence[float],
    expected: MutableSequence[float],
    spread: MutableSequence[float],
    money: MutableSequence[float],
) -> None:
    """Add what every seat's shops are expected to earn."""
    for shop in range(SHOPS):
        if S[OWNER + shop] != NOBODY:
            paid = expected_payment(S, W, shop, expected, spread)
            money[S[OWNER + shop]] += W[EARNED] * paid - W[PER_CUSTOMER] * expected[shop]
    if S[SOUVENIRS]:
        add_cards(S, W, expected, money)


def walking_turns(S: MutableSequence[int], W: MutableSequence[float]) -> float:
    """Return the expected number of turns left in which groups may be moved."""
    turns = turns_left(S, W)
    return turns if next_walker(S) == S[TURN_OF] else turns - 1


def write_cash(
    S: MutableSequence[int], W: MutableSequence[float], money: MutableSequence[float]
) -> None:
    """Write every seat's dirhams, with the value of being in turn and of buying shops."""
    for seat in range(PLAYERS):
        money[seat] = S[DIRHAMS + seat]
    if S[PHASE] == OVER:
        return
    turns = walking_turns(S, W)
    first = next_walker(S)
    for seat in range(PLAYERS):
        wait = (seat - first + PLAYERS) % PLAYERS
        if wait < turns:
            money[seat] += W[TEMPO + wait]
        if S[SIGNS_LEFT + seat] > 0:
            money[seat] += buying_power(S, W, seat, turns)


def write_pulls(
    S: MutableSequence[int],
    W: MutableSequence[float],
    turns: float,
    near: MutableSequence[float],
    far: MutableSequence[float],
) -> None:
    """Write the pull of each shop apart from the distance."""
    first = next_walker(S)
    for shop in range(SHOPS):
        owner = S[OWNER + shop]
        if owner == NOBODY:
            near[shop] = W[UNOWNED]
            far[shop] = W[UNOWNED_QUEUE]
        else:
            wait = (owner - first + PLAYERS) % PLAYERS
            pull = 1 + W[BY_RANK] * min(S[CUSTOMERS + shop], 4)
            if wait >= turns:
                pull *= W[NO_TURN]
            near[shop] = pull * W[BY_WAIT + wait]
            far[shop] = pull


def buying_power(
    S: MutableSequence[int], W: MutableSequence[float], seat: int, turns: float
) -> float:
    """Return the value of money and signs that can still buy shops."""
    return turns * (W[SIGN] * S[SIGNS_LEFT + seat] + W[BUYING] * 0.001 * S[DIRHAMS + seat])


def total_rank_payment(customers: float) -> float:
    """Return the sum of `rank_payment` over a shop's customers, a fraction of one included."""
    if customers <= HIGHEST_RANK:
        return RANK_PAYMENT * customers * (customers + 1) / 2
    top = RANK_PAYMENT * HIGHEST_RANK
    return top * (HIGHEST_RANK + 1) // 2 + top * (customers - HIGHEST_RANK)


def distribute_visitors(
    S: MutableSequence[int],
    W: MutableSequence[float],
    fountain: int,
    start: int,
    end: int,
    count: float,
    stay_out: float,
    near: MutableSequence[float],
    far: MutableSequence[float],
    expected: MutableSequence[float],
    spread: MutableSequence[float],
) -> None:
    """Distribute visitors at a fountain among the shops of their colour by pull."""
    total = stay_out
    for place in range(start, end):
        total += pull_from(W, fountain, BY_COLOUR[place], near, far)
    for place in range(start, end):
        shop = BY_COLOUR[place]
        if S[OWNER + shop] != NOBODY:
            part = pull_from(W, fountain, shop, near, far) / total
            expected[shop] += count * part
            spread[shop] += count * part * (1 - part)


def pull_from(
    W: MutableSequence[float],
    fountain: int,
    shop: int,
    near: MutableSequence[float],
    far: MutableSequence[float],
) -> float:
    """Return a shop's pull on visitors at a fountain."""
    steps = STEPS_TO[fountain * SHOPS + shop]
    pull = near[shop] if steps <= 2 else far[shop]
    return W[BY_STEPS + min(steps, FARTHEST) - 1] * pull


def add_cards(
    S: MutableSequence[int],
    W: MutableSequence[float],
    expected: MutableSequence[float],
    money: MutableSequence[float],
) -> None:
    """Add the open cards: each goes to the shop with the next customer of its colour."""
    for place in range(2):
        card = S[OPEN_CARD + place]
        if card != NOBODY:
            total = 0.0
            for shop in range(SHOPS):
                if SHOP_COLOUR[shop] == CARD_COLOUR[card] and S[OWNER + shop] != NOBODY:
                    total += expected[shop]
            value = W[CARDS] * STEP * CARD_STEPS[card] / max(total, 1.0)
            for shop in range(SHOPS):
                if SHOP_COLOUR[shop] == CARD_COLOUR[card] and S[OWNER + shop] != NOBODY:
                    money[S[OWNER + shop]] += value * expected[shop]


# ---- auctions -----------------------------------------------------------------------------------


def evaluate_auction(
    S: MutableSequence[int], W: MutableSequence[float], money: MutableSequence[float]
) -> None:
    """Write the money that every seat is expected to have at the end, during an auction.

    Either nobody raises and the last bidder gets the shop, or the seat with the highest limit gets
    it at the second highest limit.
    """
    with_shop = floats(PAIRS)
    limit = floats(PLAYERS)
    bidders = bidders_left(S)
    bidder = present_bidder(S)
    price = present_price(S)
    write_limits(S, W, bidders, with_shop, limit)
    dirham_value = value_of_dirham(S, W)
    no_raise = chance_of_no_raise(S, W, bidders, limit)
    best = best_bidder(S, bidders, limit)
    second = sale_price(S, bidders, limit)
    for seat in range(PLAYERS):
        now = with_shop[bidder * PLAYERS + seat]
        then = with_shop[best * PLAYERS + seat]
        if seat == bidder:
            now -= dirham_value * price
        if seat == best:
            then -= dirham_value * second
        if seat == S[TURN_OF]:
            if seat != bidder:
                now += auction_commission(price) - auction_commission(0)
            if seat != best:
                then += auction_commission(second) - auction_commission(0)
        money[seat] = no_raise * now + (1 - no_raise) * then


def present_bidder(S: MutableSequence[int]) -> int:
    """Return who would get the shop now; before the first bid, the auctioneer, who has to open."""
    return S[BIDDER] if S[BID] > 0 else S[TURN_OF]


def present_price(S: MutableSequence[int]) -> int:
    """Return what the shop would cost now."""
    return S[BID] if S[BID] > 0 else LEAST_BID


def value_of_dirham(S: MutableSequence[int], W: MutableSequence[float]) -> float:
    """Return what a dirham in hand is worth at the end: a little more if it can buy shops."""
    return 1 + W[BUYING] * 0.001 * turns_left(S, W)


def sell_to(S: MutableSequence[int], buyer: int, price: int, after: MutableSequence[int]) -> None:
    """Write the position after a sale; who is pulled in buys no cards."""
    for slot in range(SIZE):
        after[slot] = S[slot]
    after[BIDDER] = buyer
    after[BID] = price
    after[SOUVENIRS] = 0
    sell(after)
    after[SOUVENIRS] = S[SOUVENIRS]


def write_limits(
    S: MutableSequence[int],
    W: MutableSequence[float],
    bidders: int,
    with_shop: MutableSequence[float],
    limit: MutableSequence[float],
) -> None:
    """Write each seat's money if each buyer gets the shop for nothing, and every bidder's limit."""
    after = ints(SIZE)
    money = floats(PLAYERS)
    for buyer in range(PLAYERS):
        if bidders >> buyer & 1:
            sell_to(S, buyer, 0, after)
            predict_money(after, W, money)
            for seat in range(PLAYERS):
                with_shop[buyer * PLAYERS + seat] = money[seat]
    for seat in range(PLAYERS):
        limit[seat] = 0.0
        if bidders >> seat & 1:
            limit[seat] = bid_limit(S, with_shop, bidders, seat) / value_of_dirham(S, W)


def chance_of_no_raise(
    S: MutableSequence[int], W: MutableSequence[float], bidders: int, limit: MutableSequence[float]
) -> float:
    """Return the probability that nobody raises: the limits of others are not known exactly."""
    no_raise = 1.0
    least = present_price(S) + STEP
    for seat in range(PLAYERS):
        if bidders >> seat & 1 and seat != present_bidder(S) and S[DIRHAMS + seat] >= least:
            no_raise /= 1 + exp((limit[seat] - least) / W[UNSURE])
    return no_raise


def best_bidder(S: MutableSequence[int], bidders: int, limit: MutableSequence[float]) -> int:
    """Return the bidder with the highest limit."""
    best = present_bidder(S)
    for seat in range(PLAYERS):
        if bidders >> seat & 1 and limit[seat] > limit[best]:
            best = seat
    return best


def sale_price(S: MutableSequence[int], bidders: int, limit: MutableSequence[float]) -> float:
    """Return the price at which the best bidder gets the shop: the second highest limit."""
    best = best_bidder(S, bidders, limit)
    second = float(present_price(S))
    for seat in range(PLAYERS):
        if bidders >> seat & 1 and seat != best:
            second = max(second, limit[seat])
    if best != present_bidder(S):
        second = max(second, present_price(S) + STEP)
    return second


def bidders_left(S: MutableSequence[int]) -> int:
    """Return the seats that may still get the shop, as a mask."""
    bidders = 0
    for seat in range(PLAYERS):
        if S[SIGNS_LEFT + seat] > 0 and S[DIRHAMS + seat] > S[BID]:
            bidders |= 1 << seat
    for place in range(PLAYERS):
        if place < S[PASSED_COUNT] and bidders >> S[PASSED_SEAT + place] & 1:
            bidders ^= 1 << S[PASSED_SEAT + place]
    if S[BID] > 0:
        bidders |= 1 << S[BIDDER]
    return bidders


def bid_limit(
    S: MutableSequence[int], with_shop: MutableSequence[float], bidders: int, seat: int
) -> float:
    """Return the price at which a seat does as well by winning as by leaving the shop to a rival.

    The winner pays; a loser profits from that, since only leads count.
    """
    rival = NOBODY
    gain = 0.0
    for other in range(PLAYERS):
        if other != seat and bidders >> other & 1:
            own = with_shop[other * PLAYERS + other] - with_shop[seat * PLAYERS + other]
            if rival == NOBODY or own > gain:
                rival = other
                gain = own
    if rival == NOBODY:
        return 0.0
    better = lead(with_shop, seat, seat) - lead(with_shop, rival, seat)
    limit = better * (PLAYERS - 1) / PLAYERS
    return max(0.0, min(limit, float(S[DIRHAMS + seat])))


def lead(with_shop: MutableSequence[float], buyer: int, seat: int) -> float:
    """Return a seat's lead over the mean of the others if a buyer gets the shop."""
    total = 0.0
    for other in range(PLAYERS):
        total += with_shop[buyer * PLAYERS + other]
    own = with_shop[buyer * PLAYERS + seat]
    return own - (total - own) / (PLAYERS - 1)
