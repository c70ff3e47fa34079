"""What a position of MarraCash is worth to each seat: a judgement, in the compilable subset.

It foretells everybody's money at the end. Visitors are expected to enter an owned shop of their
colour, the sooner the fewer moves it is away, the sooner its owner is in turn, and the more it
pays; some never enter any. From that follow the customers of every shop, what they pay by rank,
and so the money. Money and signs that can still buy shops count a little more while there is
time. Whoever is ahead by much for the time left has most of the win.

An auction is judged by its expected end. Every bidder goes to the price at which winning is as
good for him as letting the others have the shop.

How much of everything is in W: numbers that `souk.games.marracash.ai.fitting` fits to games played.
"""

from collections.abc import MutableSequence
from math import exp, sqrt

from souk.engine.kernel.primitives import floats, ints
from souk.games.marracash.amounts import LEAST_BID, STEP
from souk.games.marracash.board import GATES
from souk.games.marracash.rules import (
    AUCTIONED,
    BID,
    BIDDER,
    BIDDING,
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
    sell,
    sell_card,
    walk_on,
)

# What W holds.
FARTHEST = 5  # moves; whatever is farther away counts as far as this
BY_STEPS = 0  # how much a shop draws a visitor, by the moves from him to it: 1 to FARTHEST
BY_WAIT = BY_STEPS + FARTHEST  # the same for shops within a turn's reach: turns until the owner's
NO_TURN = BY_WAIT + 4  # the same for a shop whose owner has no turn left
BY_RANK = NO_TURN + 1  # more for every customer in the shop, since he pays more
LOST = BY_RANK + 1  # how much being in no shop at the end draws: by 1 / turns left, and always
LOST_ALWAYS = LOST + 1
LOST_QUEUE = LOST_ALWAYS + 1  # the same for visitors in the queue
LOST_QUEUE_ALWAYS = LOST_QUEUE + 1
UNOWNED = LOST_QUEUE_ALWAYS + 1  # how much an unowned shop draws, with an owner to come
UNOWNED_QUEUE = UNOWNED + 1
EARNED = UNOWNED_QUEUE + 1  # part of what customers pay that the owner keeps
PER_CUSTOMER = EARNED + 1  # what he gives away for each
SPREAD = PER_CUSTOMER + 1  # worth of not knowing how many come, since later ones pay more
BUYING = SPREAD + 1  # worth of 1000 dirhams that can buy shops, by turns left
SIGN = BUYING + 1  # worth of a sign, by turns left
TEMPO = SIGN + 1  # worth of being in turn, by turns until the seat's: 0 to 3
PER_TURN = TEMPO + 4  # visitors that come in during a turn
CLOSE = PER_TURN + 1  # dirhams of lead that matter: at the end, and by the root of turns left
CLOSE_ROOT = CLOSE + 1
UNSURE = CLOSE_ROOT + 1  # how far bidders' limits are from what they are thought to be
CARDS = UNSURE + 1  # part of an open card's value that its colour's shops get
WEIGHTS = CARDS + 1

PAIRS = PLAYERS * PLAYERS


def is_quiet(S: MutableSequence[int]) -> bool:
    """Anywhere but between the two steps of a turn.

    Every position can be judged, but one step alone says little: what counts is what both do.
    """
    return S[PHASE] != CHOOSE or S[TURN_STEP] == 1


def can_judge(S: MutableSequence[int]) -> bool:
    """Whether the position is judged where the search ends."""
    return is_quiet(S)


def judge(S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]) -> None:
    """Write the expected share of the win of every seat. Any position but the end will do."""
    if S[PHASE] == BIDDING:
        judge_auction(S, W, V)
    elif S[PHASE] == CARD or S[PHASE] == REVEAL:
        T = ints(SIZE)
        finish_walk(S, T)
        foretell(T, W, V)
    else:
        foretell(S, W, V)
    to_shares(S, W, V)


def to_shares(
    S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]
) -> None:
    """From foretold money to shares of the win: a lead counts for more the nearer the end."""
    close = W[CLOSE] + W[CLOSE_ROOT] * sqrt(turns_left(S, W))
    best = V[0]
    for seat in range(1, PLAYERS):
        best = max(best, V[seat])
    total = 0.0
    for seat in range(PLAYERS):
        V[seat] = exp((V[seat] - best) / close)
        total += V[seat]
    for seat in range(PLAYERS):
        V[seat] /= total


def finish_walk(S: MutableSequence[int], T: MutableSequence[int]) -> None:
    """A copy of a position in the middle of a walk, with its rest walked as if without cards."""
    for slot in range(SIZE):
        T[slot] = S[slot]
    if T[PHASE] == CARD:
        first = CARD_STEPS[T[OPEN_CARD]] > CARD_STEPS[T[OPEN_CARD + 1]]
        sell_card(T, 0 if first else 1)
    T[SOUVENIRS] = 0
    walk_on(T)


# ---- time ---------------------------------------------------------------------------------------


def turns_left(S: MutableSequence[int], W: MutableSequence[float]) -> float:
    """How many turns are still to come, with the one in progress."""
    if S[LAST_TURNS] != NEVER:
        return float(S[LAST_TURNS])
    return PLAYERS + (S[TAIL] - S[HEAD]) / W[PER_TURN]


def next_walker(S: MutableSequence[int]) -> int:
    """The seat that may be the next to move a group."""
    if S[ROUND] == 1:
        return 0
    if S[PHASE] == CHOOSE and S[FIRST_STEP] != AUCTIONED:
        return S[TURN_OF]
    return (S[TURN_OF] + 1) % PLAYERS


# ---- money at the end ---------------------------------------------------------------------------


def foretell(S: MutableSequence[int], W: MutableSequence[float], E: MutableSequence[float]) -> None:
    """Write the money that every seat is expected to have at the end."""
    near = floats(SHOPS)  # how much each shop draws those within a turn's reach, and others
    far = floats(SHOPS)
    expected = floats(SHOPS)  # customers to come
    spread = floats(SHOPS)
    foretell_money(S, W, E)
    if S[PHASE] == OVER:
        return
    turns = walking_turns(S, W)
    measure_pull(S, W, turns, near, far)
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
            lost = W[LOST] / (turns + 1) + W[LOST_ALWAYS]
            for fountain in range(FOUNTAINS):
                count = S[GROUP + fountain] >> 8 * colour & 255
                if count > 0:
                    draw_visitors(
                        S, W, fountain, start, end, float(count), lost, near, far, expected, spread
                    )
            count = counts >> 8 * colour & 255
            if count > 0 and S[TAIL] - S[HEAD] > 1:
                lost = W[LOST_QUEUE] / (turns + 1) + W[LOST_QUEUE_ALWAYS]
                for gate in range(GATES):
                    draw_visitors(
                        S,
                        W,
                        GATE[gate],
                        start,
                        end,
                        count / GATES,
                        lost,
                        far,
                        far,
                        expected,
                        spread,
                    )
    for shop in range(SHOPS):
        if S[OWNER + shop] != NOBODY:
            had = float(S[CUSTOMERS + shop])
            paid = paid_in_all(had + expected[shop]) - paid_in_all(had)
            paid += W[SPREAD] * spread[shop]
            E[S[OWNER + shop]] += W[EARNED] * paid - W[PER_CUSTOMER] * expected[shop]
    if S[SOUVENIRS]:
        foretell_cards(S, W, expected, E)


def walking_turns(S: MutableSequence[int], W: MutableSequence[float]) -> float:
    """How many turns are still to come in which groups may be moved."""
    turns = turns_left(S, W)
    return turns if next_walker(S) == S[TURN_OF] else turns - 1


def foretell_money(
    S: MutableSequence[int], W: MutableSequence[float], E: MutableSequence[float]
) -> None:
    """Begin with the money that is there, and what it and being in turn may bring."""
    for seat in range(PLAYERS):
        E[seat] = S[DIRHAMS + seat]
    if S[PHASE] == OVER:
        return
    turns = walking_turns(S, W)
    first = next_walker(S)
    for seat in range(PLAYERS):
        wait = (seat - first + PLAYERS) % PLAYERS
        if wait < turns:
            E[seat] += W[TEMPO + wait]
        if S[SIGNS_LEFT + seat] > 0:
            E[seat] += buying_power(S, W, seat, turns)


def measure_pull(
    S: MutableSequence[int],
    W: MutableSequence[float],
    turns: float,
    near: MutableSequence[float],
    far: MutableSequence[float],
) -> None:
    """How much each shop draws visitors, apart from the distance."""
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
    """What money and signs can still bring by buying shops."""
    return turns * (W[SIGN] * S[SIGNS_LEFT + seat] + W[BUYING] * 0.001 * S[DIRHAMS + seat])


def paid_in_all(customers: float) -> float:
    """What so many customers of one shop pay, ranks and all; between whole numbers as well."""
    if customers <= 5:
        return 50 * customers * (customers + 1)
    return 1500 + 500 * (customers - 5)


def draw_visitors(
    S: MutableSequence[int],
    W: MutableSequence[float],
    fountain: int,
    start: int,
    end: int,
    count: float,
    lost: float,
    near: MutableSequence[float],
    far: MutableSequence[float],
    expected: MutableSequence[float],
    spread: MutableSequence[float],
) -> None:
    """Share visitors at a fountain among the shops of their colour that draw them."""
    total = lost
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
    """How much a shop draws those at a fountain."""
    steps = STEPS_TO[fountain * SHOPS + shop]
    pull = near[shop] if steps <= 2 else far[shop]
    return W[BY_STEPS + min(steps, FARTHEST) - 1] * pull


def foretell_cards(
    S: MutableSequence[int],
    W: MutableSequence[float],
    expected: MutableSequence[float],
    E: MutableSequence[float],
) -> None:
    """An open card goes to whoever gets the next customer of its colour."""
    for place in range(2):
        card = S[OPEN_CARD + place]
        if card != NOBODY:
            total = 0.0
            for shop in range(SHOPS):
                if SHOP_COLOUR[shop] == CARD_COLOUR[card] and S[OWNER + shop] != NOBODY:
                    total += expected[shop]
            worth = W[CARDS] * STEP * CARD_STEPS[card] / max(total, 1.0)
            for shop in range(SHOPS):
                if SHOP_COLOUR[shop] == CARD_COLOUR[card] and S[OWNER + shop] != NOBODY:
                    E[S[OWNER + shop]] += worth * expected[shop]


# ---- auctions -----------------------------------------------------------------------------------


def judge_auction(
    S: MutableSequence[int], W: MutableSequence[float], E: MutableSequence[float]
) -> None:
    """Write the money that every seat is expected to have at the end, an auction under way.

    The one who has bid last gets the shop now, or the one whose limit is highest gets it at
    the second highest limit; the former is as likely as all others are to have enough.
    """
    T = ints(SIZE)
    F = floats(PLAYERS)
    with_shop = floats(PAIRS)  # money of each seat, for each buyer, unpaid
    limit = floats(PLAYERS)
    bidder = S[BIDDER]
    price = S[BID]
    if price == 0:  # the auctioneer has to open
        bidder = S[TURN_OF]
        price = LEAST_BID
    inside = still_in(S)
    for buyer in range(PLAYERS):
        if inside >> buyer & 1:
            for slot in range(SIZE):
                T[slot] = S[slot]
            T[BIDDER] = buyer
            T[BID] = 0
            T[SOUVENIRS] = 0
            sell(T)
            foretell(T, W, F)
            for seat in range(PLAYERS):
                with_shop[buyer * PLAYERS + seat] = F[seat]
    worth_of_dirham = 1 + W[BUYING] * 0.001 * turns_left(S, W)
    for seat in range(PLAYERS):
        limit[seat] = 0.0
        if inside >> seat & 1:
            limit[seat] = bid_limit(S, with_shop, inside, seat) / worth_of_dirham
    nobody_raises = 1.0
    for seat in range(PLAYERS):
        if inside >> seat & 1 and seat != bidder and S[DIRHAMS + seat] >= price + STEP:
            nobody_raises /= 1 + exp((limit[seat] - price - STEP) / W[UNSURE])
    best = bidder
    second = float(price)
    for seat in range(PLAYERS):
        if inside >> seat & 1 and limit[seat] > limit[best]:
            best = seat
    for seat in range(PLAYERS):
        if inside >> seat & 1 and seat != best:
            second = max(second, limit[seat])
    if best != bidder:
        second = max(second, price + STEP)
    for seat in range(PLAYERS):
        now = with_shop[bidder * PLAYERS + seat]
        then = with_shop[best * PLAYERS + seat]
        if seat == bidder:
            now -= worth_of_dirham * price
        if seat == best:
            then -= worth_of_dirham * second
        if seat == S[TURN_OF]:
            if seat != bidder and price > 500:
                now += 100
            if seat != best and second > 500:
                then += 100
        E[seat] = nobody_raises * now + (1 - nobody_raises) * then


def still_in(S: MutableSequence[int]) -> int:
    """The seats that may still get the shop, as a mask."""
    inside = 0
    for seat in range(PLAYERS):
        if S[SIGNS_LEFT + seat] > 0 and S[DIRHAMS + seat] > S[BID]:
            inside |= 1 << seat
    for place in range(PLAYERS):
        if place < S[PASSED_COUNT] and inside >> S[PASSED_SEAT + place] & 1:
            inside ^= 1 << S[PASSED_SEAT + place]
    if S[BID] > 0:
        inside |= 1 << S[BIDDER]
    return inside


def bid_limit(
    S: MutableSequence[int], with_shop: MutableSequence[float], inside: int, seat: int
) -> float:
    """The price at which a seat does as well by winning as by leaving the shop to its rival.

    Who wins pays; who loses sees the winner pay, which is worth a part of it to him.
    """
    rival = NOBODY
    gain = 0.0
    for other in range(PLAYERS):
        if other != seat and inside >> other & 1:
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
    """By how much a seat is ahead of the mean of the others if a buyer gets the shop."""
    total = 0.0
    for other in range(PLAYERS):
        total += with_shop[buyer * PLAYERS + other]
    own = with_shop[buyer * PLAYERS + seat]
    return own - (total - own) / (PLAYERS - 1)
