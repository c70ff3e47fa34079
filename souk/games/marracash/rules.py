"""The rules of MarraCash, in the kernel subset (see `souk.engine.kernel.subset`).

A position is a flat buffer of integers, laid out just below. PLAYERS and the board's tables are
specialised; the other knobs are slots of the buffer. A group is one number with eight bits for
each colour, so groups merge by addition and an empty group is 0.

`events.py` derives the events from the order in which money, owners, customers and open cards are
written. A change of that order in `sell`, `enter`, `sell_card` or `pay_mover` changes the events
too: a payment and its reason must be written next to each other.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.default_rules import CHANCE, TERMINAL
from souk.games.marracash.amounts import (
    AUCTION_COMMISSION,
    COMMISSION,
    FROM_THE_BANK,
    HIGH_AMOUNT,
    HIGH_AUCTION_COMMISSION,
    HIGH_COMMISSION,
    HIGH_PRICE,
    HIGHEST_RANK,
    LEAST_BID,
    RANK_PAYMENT,
    START_DIRHAMS,
    STEP,
)
from souk.games.marracash.amounts import DECK as CARDS
from souk.games.marracash.board import COLOURS as COLOUR_NAMES
from souk.games.marracash.board import GATES, VISITORS
from souk.games.marracash.board_file import load

PLAYERS = 4  # specialised: 3 or 4

# The board, all of it specialised; this is the default one.
_SIZES = load("classic1996").sizes()
_TABLES = load("classic1996").tables()
FOUNTAINS = _SIZES["FOUNTAINS"]
SHOPS = _SIZES["SHOPS"]
STREETS = _SIZES["STREETS"]  # each in both directions
MOST_PASSED = _SIZES["MOST_PASSED"]  # shops along a street at most
STREET_START = _TABLES["STREET_START"]
STREET_END = _TABLES["STREET_END"]
PASSED = _TABLES["PASSED"]  # MOST_PASSED shops for every street, -1 after the last
GATE = _TABLES["GATE"]  # the dark fountains
SHOP_COLOUR = _TABLES["SHOP_COLOUR"]
TOUCHING = _TABLES["TOUCHING"]  # the fountains that touch a shop, as a mask
BY_COLOUR = _TABLES["BY_COLOUR"]  # the shops, those of a colour side by side
STEPS_TO = _TABLES["STEPS_TO"]  # SHOPS for every fountain: moves from there past the shop's door

COLOURS = len(COLOUR_NAMES)
VISITORS_OF = tuple(VISITORS[name] for name in COLOUR_NAMES)
ALL_VISITORS = sum(VISITORS_OF)
CARD_COLOUR = tuple(COLOUR_NAMES.index(colour) for colour, _ in CARDS)
CARD_STEPS = tuple(value // STEP for _, value in CARDS)
DECK = len(CARDS)
LEAST_CARD = min(CARD_STEPS)
CARD_VALUES = max(CARD_STEPS) - LEAST_CARD + 1

# The buffer.
GROUP = 0  # per fountain
QUEUE = GROUP + FOUNTAINS  # colours from HEAD to TAIL - 1
OWNER = QUEUE + ALL_VISITORS  # per shop: a seat or NOBODY
CUSTOMERS = OWNER + SHOPS  # per shop
DIRHAMS = CUSTOMERS + SHOPS  # per seat
SIGNS_LEFT = DIRHAMS + PLAYERS  # per seat
HEAD = SIGNS_LEFT + PLAYERS
TAIL = HEAD + 1
PHASE = TAIL + 1
TO_MOVE = PHASE + 1  # the seat that must act
TURN_OF = TO_MOVE + 1
ROUND = TURN_OF + 1
TURN_STEP = ROUND + 1  # 1 or 2
FIRST_STEP = TURN_STEP + 1  # what step 1 was: NOTHING, MOVED or AUCTIONED
LAST_TURNS = FIRST_STEP + 1  # with the one in progress, or NEVER
TURNS = LAST_TURNS + 1
LOT = TURNS + 1  # the shop being auctioned, or NOBODY
BID = LOT + 1  # 0 before the opening bid
BIDDER = BID + 1
PASSED_COUNT = BIDDER + 1
PASSED_SEAT = PASSED_COUNT + 1  # in the order of passing
DECK_LEFT = PASSED_SEAT + PLAYERS  # cards not yet turned up, as a mask
OPEN_CARD = DECK_LEFT + 1  # two cards, or NOBODY
WALK = OPEN_CARD + 2  # NOTHING, MOVED or AUCTIONED (visitors pulled in)
WALK_MOVER = WALK + 1  # a seat or NOBODY
WALK_END = WALK_MOVER + 1  # a fountain or NOBODY
WALK_GROUP = WALK_END + 1  # walkers not yet in a shop
WALK_PAID = WALK_GROUP + 1  # customers so far in the current shop
WALK_TOTAL = WALK_PAID + 1  # dirhams so far in the current shop
WALK_PAYMENT = WALK_TOTAL + 1  # of the customer whose card is being chosen
AHEAD = WALK_PAYMENT + 1  # shops still ahead, the current one first, -1 at the end
SOUVENIRS = AHEAD + MOST_PASSED + 1  # knob
COMMISSION_RULE = SOUVENIRS + 1  # knob: BY_CUSTOMER, BY_GROUP or ONCE
PULL_IN = COMMISSION_RULE + 1  # knob
PASS_CHANCE = PULL_IN + 1  # of playouts: the percentage of bids that are passes
MOST_RAISE = PASS_CHANCE + 1  # of playouts: the largest raise, in steps
SIZE = MOST_RAISE + 1

_SEAT, _SEAT_OR_NOBODY = (0, PLAYERS - 1), (-1, PLAYERS - 1)
_PACKED = (0, (1 << 8 * COLOURS) - 1)
_MONEY = (-(2**26), 2**26)
RANGES = {  # the slots' lowest and highest values: see `souk.engine.kernel.value_ranges`
    "GROUP": _PACKED,
    "QUEUE": (0, COLOURS - 1),
    "OWNER": _SEAT_OR_NOBODY,
    "CUSTOMERS": (0, ALL_VISITORS),
    "DIRHAMS": _MONEY,
    "SIGNS_LEFT": (0, SHOPS),
    "HEAD": (0, ALL_VISITORS),
    "TAIL": (0, ALL_VISITORS),
    "PHASE": (0, 5),
    "TO_MOVE": _SEAT,
    "TURN_OF": _SEAT,
    "ROUND": (0, 2**63 - 1),
    "TURN_STEP": (0, 2),
    "FIRST_STEP": (0, 2),
    "LAST_TURNS": (-1, PLAYERS),
    "TURNS": (0, 2**30),
    "LOT": (-1, SHOPS - 1),
    "BID": (0, 2**26),
    "BIDDER": _SEAT_OR_NOBODY,
    "PASSED_COUNT": (0, PLAYERS),
    "PASSED_SEAT": _SEAT,
    "DECK_LEFT": (0, (1 << DECK) - 1),
    "OPEN_CARD": (-1, DECK - 1),
    "WALK": (0, 2),
    "WALK_MOVER": _SEAT_OR_NOBODY,
    "WALK_END": (-1, FOUNTAINS - 1),
    "WALK_GROUP": _PACKED,
    "WALK_PAID": (0, ALL_VISITORS),
    "WALK_TOTAL": _MONEY,
    "WALK_PAYMENT": _MONEY,
    "AHEAD": (-1, SHOPS - 1),
    "SOUVENIRS": (0, 1),
    "COMMISSION_RULE": (0, 2),
    "PULL_IN": (0, 1),
    "PASS_CHANCE": (0, 100),
    "MOST_RAISE": (0, 40),
}

# Functions that are not inlined into each caller: that halves the compile time and costs no speed.
NOT_INLINED = ("walk_on", "end_step", "bring_or_end", "ask_next", "sell")

CHOOSE, BIDDING, BRING, CARD, REVEAL, OVER = range(6)  # PHASE
NOTHING, MOVED, AUCTIONED = range(3)
BY_CUSTOMER, BY_GROUP, ONCE = range(3)  # COMMISSION_RULE
NOBODY = -1
NEVER = -1

# Actions, numbered the same in every state.
MOVE = 0  # + street in one direction
AUCTION = MOVE + STREETS  # + shop
PASS = AUCTION + SHOPS
BRING_IN = PASS + 1  # + gate * 6 + end * 3 + size - 2
CARD_OF = BRING_IN + GATES * 6  # + steps - LEAST_CARD
BID_OF = CARD_OF + CARD_VALUES  # + steps - LEAST_STEPS
LEAST_STEPS = LEAST_BID // STEP
MOST_STEPS = (START_DIRHAMS * PLAYERS + FROM_THE_BANK) // STEP
PLAYER_ACTIONS = BID_OF + MOST_STEPS - LEAST_STEPS + 1  # chance outcomes follow
TURN_UP = PLAYER_ACTIONS  # + card
ACTIONS = TURN_UP + DECK
MOST_LEGAL = ACTIONS


def mover(S: MutableSequence[int]) -> int:
    """Return who acts now: a seat, CHANCE or TERMINAL."""
    if S[PHASE] == OVER:
        return TERMINAL
    if S[PHASE] == REVEAL:
        return CHANCE
    return S[TO_MOVE]


def turn_of(S: MutableSequence[int]) -> int:
    """Return the seat whose turn it is, also while others bid."""
    return S[TURN_OF]


# ---- a player's turn ----------------------------------------------------------------------------


def begin_turn(S: MutableSequence[int], seat: int) -> None:
    """Begin a seat's turn; a round begins with seat 0."""
    S[TURN_OF] = seat
    if seat == 0:
        S[ROUND] += 1
    S[TURN_STEP] = 1
    S[FIRST_STEP] = NOTHING
    S[TO_MOVE] = seat
    S[PHASE] = CHOOSE


def may_move(S: MutableSequence[int]) -> bool:
    """Return whether a group may be moved now: not in the first round, not after an auction."""
    if S[ROUND] == 1 or S[FIRST_STEP] == AUCTIONED:
        return False
    groups = 0
    for fountain in range(FOUNTAINS):
        groups |= S[GROUP + fountain]
    return groups != 0


def may_auction(S: MutableSequence[int]) -> bool:
    """Return whether the player can start an auction.

    That takes the least bid, a sign and an unowned shop.
    """
    seat = S[TURN_OF]
    if S[DIRHAMS + seat] < LEAST_BID or S[SIGNS_LEFT + seat] == 0:
        return False
    for shop in range(SHOPS):
        if S[OWNER + shop] == NOBODY:
            return True
    return False


def end_step(S: MutableSequence[int], done: int) -> None:
    """End a step: the second one follows if one is possible, else new visitors come in."""
    S[TO_MOVE] = S[TURN_OF]
    has_second = S[TURN_STEP] == 1 and S[ROUND] > 1
    if has_second:
        S[TURN_STEP] = 2
        S[FIRST_STEP] = done
        S[PHASE] = CHOOSE
    if not has_second or not (may_move(S) or may_auction(S)):
        bring_or_end(S)


def bring_or_end(S: MutableSequence[int]) -> None:
    """Ask for new visitors while a gate is empty and the queue has two; then end the turn."""
    S[PHASE] = CHOOSE
    if S[TAIL] - S[HEAD] >= 2:
        for gate in range(GATES):
            if S[GROUP + GATE[gate]] == 0:
                S[PHASE] = BRING
    if S[PHASE] != BRING:
        end_turn(S)


def end_turn(S: MutableSequence[int]) -> None:
    """Give the turn to the next player, or end the game.

    Once the queue is down to one visitor or none, every player has one more turn.
    """
    S[TURNS] += 1
    if S[LAST_TURNS] != NEVER:
        S[LAST_TURNS] -= 1
    elif S[TAIL] - S[HEAD] <= 1:
        S[LAST_TURNS] = PLAYERS
    if S[LAST_TURNS] == 0:
        S[PHASE] = OVER
    else:
        begin_turn(S, (S[TURN_OF] + 1) % PLAYERS)


def bring(S: MutableSequence[int], gate: int, from_tail: int, size: int) -> None:
    """Bring a group from one end of the queue to an empty gate."""
    group = 0
    for _ in range(size):
        if from_tail:
            S[TAIL] -= 1
            group += 1 << 8 * S[QUEUE + S[TAIL]]
        else:
            group += 1 << 8 * S[QUEUE + S[HEAD]]
            S[HEAD] += 1
    S[GROUP + GATE[gate]] = group
    bring_or_end(S)


# ---- auctions -----------------------------------------------------------------------------------


def start_auction(S: MutableSequence[int], shop: int) -> None:
    """Put a shop up for auction; the auctioneer has to make the first bid."""
    S[LOT] = shop
    S[BID] = 0
    S[BIDDER] = NOBODY
    S[PASSED_COUNT] = 0
    S[TO_MOVE] = S[TURN_OF]
    S[PHASE] = BIDDING


def least_bid(S: MutableSequence[int]) -> int:
    """Return the smallest bid that is legal now."""
    return LEAST_BID if S[BID] == 0 else S[BID] + STEP


def can_bid(S: MutableSequence[int]) -> bool:
    """Return whether the player to move has the money and a sign for a bid."""
    seat = S[TO_MOVE]
    return S[SIGNS_LEFT + seat] > 0 and S[DIRHAMS + seat] >= least_bid(S)


def bid(S: MutableSequence[int], amount: int) -> None:
    """Place a bid and ask the next player still in."""
    raise_bid(S, amount)
    ask_next(S)


def raise_bid(S: MutableSequence[int], amount: int) -> None:
    """Place a bid."""
    S[BID] = amount
    S[BIDDER] = S[TO_MOVE]


def pass_bid(S: MutableSequence[int]) -> None:
    """Pass and ask the next player still in."""
    leave_auction(S)
    ask_next(S)


def leave_auction(S: MutableSequence[int]) -> None:
    """Pass, which leaves the auction for good."""
    S[PASSED_SEAT + S[PASSED_COUNT]] = S[TO_MOVE]
    S[PASSED_COUNT] += 1


def ask_next(S: MutableSequence[int]) -> None:
    """Ask the next player in turn order; sell the shop once all but the bidder have passed."""
    passed = 0
    for place in range(PLAYERS):
        if place < S[PASSED_COUNT]:
            passed |= 1 << S[PASSED_SEAT + place]
    seat = (S[TO_MOVE] + 1) % PLAYERS
    while passed >> seat & 1:
        seat = (seat + 1) % PLAYERS
    S[TO_MOVE] = seat
    if seat == S[BIDDER]:
        sell(S)


def auction_commission(price: float) -> int:
    """Return what an auctioneer gets for a shop that another player buys."""
    return AUCTION_COMMISSION if price <= HIGH_PRICE else HIGH_AUCTION_COMMISSION


def sell(S: MutableSequence[int]) -> None:
    """Sell the shop to the last bidder; the auctioneer gets a commission unless they bought it."""
    shop = S[LOT]
    buyer = S[BIDDER]
    price = S[BID]
    S[DIRHAMS + buyer] -= price
    S[SIGNS_LEFT + buyer] -= 1
    S[OWNER + shop] = buyer
    if buyer != S[TURN_OF]:
        S[DIRHAMS + S[TURN_OF]] += auction_commission(price)
    S[LOT] = NOBODY
    S[BID] = 0
    S[BIDDER] = NOBODY
    S[PASSED_COUNT] = 0
    if S[PULL_IN]:
        pull_in(S, shop)
    else:
        end_step(S, AUCTIONED)


def pull_in(S: MutableSequence[int], shop: int) -> None:
    """Let matching visitors on fountains that touch a shop just bought enter it at once."""
    shift = 8 * SHOP_COLOUR[shop]
    group = 0
    for fountain in range(FOUNTAINS):
        if TOUCHING[shop] >> fountain & 1:
            matching = S[GROUP + fountain] & 255 << shift
            S[GROUP + fountain] -= matching
            group += matching
    for place in range(MOST_PASSED + 1):
        S[AHEAD + place] = NOBODY
    S[AHEAD] = shop
    start_walk(S, AUCTIONED, NOBODY, NOBODY, group)


# ---- walking and customers ----------------------------------------------------------------------


def move(S: MutableSequence[int], street: int) -> None:
    """Walk the whole group of a fountain to the next one."""
    start = STREET_START[street]
    group = S[GROUP + start]
    S[GROUP + start] = 0
    for place in range(MOST_PASSED):
        S[AHEAD + place] = PASSED[street * MOST_PASSED + place]
    S[AHEAD + MOST_PASSED] = NOBODY
    start_walk(S, MOVED, S[TURN_OF], STREET_END[street], group)


def start_walk(S: MutableSequence[int], kind: int, seat: int, end: int, group: int) -> None:
    """Start a walk past the shops in AHEAD."""
    S[WALK] = kind
    S[WALK_MOVER] = seat
    S[WALK_END] = end
    S[WALK_GROUP] = group
    S[WALK_PAID] = 0
    S[WALK_TOTAL] = 0
    walk_on(S)


def walk_on(S: MutableSequence[int]) -> None:
    """Let customers enter the shops ahead one by one, until a card is to be chosen or turned up."""
    S[PHASE] = CHOOSE
    while S[AHEAD] != NOBODY and S[PHASE] == CHOOSE:
        shop = S[AHEAD]
        shift = 8 * SHOP_COLOUR[shop]
        if S[OWNER + shop] != NOBODY and S[WALK_GROUP] >> shift & 255:
            S[WALK_GROUP] -= 1 << shift
            enter(S, shop)
        else:
            leave_shop(S)
    if S[PHASE] == CHOOSE:
        end_walk(S)


def rank_payment(customers: int) -> int:
    """Return what the bank pays a shop's owner for its latest customer."""
    return RANK_PAYMENT * min(customers, HIGHEST_RANK)


def enter(S: MutableSequence[int], shop: int) -> None:
    """Let one customer enter: the bank pays the owner, and a souvenir of the colour is sold."""
    owner = S[OWNER + shop]
    S[CUSTOMERS + shop] += 1
    payment = rank_payment(S[CUSTOMERS + shop])
    S[DIRHAMS + owner] += payment
    S[WALK_PAID] += 1
    S[WALK_TOTAL] += payment
    S[WALK_PAYMENT] = payment
    if S[SOUVENIRS]:
        first = matching_card(S, 0, shop)
        second = matching_card(S, 1, shop)
        if first and second:
            S[TO_MOVE] = owner
            S[PHASE] = CARD
        elif first or second:
            sell_card(S, 0 if first else 1)
        else:
            commission(S, payment)
    else:
        commission(S, payment)


def matching_card(S: MutableSequence[int], place: int, shop: int) -> bool:
    """Return whether an open card has the colour of a shop."""
    card = S[OPEN_CARD + place]
    return card != NOBODY and CARD_COLOUR[card] == SHOP_COLOUR[shop]


def sell_card(S: MutableSequence[int], place: int) -> None:
    """Sell an open card to the customer; a new one is to be turned up."""
    owner = S[OWNER + S[AHEAD]]
    value = STEP * CARD_STEPS[S[OPEN_CARD + place]]
    S[DIRHAMS + owner] += value
    S[WALK_TOTAL] += value
    payment = S[WALK_PAYMENT] + value
    S[OPEN_CARD + place] = NOBODY
    S[TO_MOVE] = S[TURN_OF]
    S[PHASE] = CHOOSE
    commission(S, payment)
    if S[DECK_LEFT] & (S[DECK_LEFT] - 1):
        S[PHASE] = REVEAL
    elif S[DECK_LEFT]:
        turn_up(S, nth_card(S, 0))


def choose_card(S: MutableSequence[int], place: int) -> None:
    """Sell the owner's choice of two matching cards and continue the walk."""
    sell_card(S, place)
    if S[PHASE] != REVEAL:
        walk_on(S)


def reveal(S: MutableSequence[int], card: int) -> None:
    """Turn up the card that chance chose and continue the walk."""
    turn_up(S, card)
    walk_on(S)


def turn_up(S: MutableSequence[int], card: int) -> None:
    """Move a card of the deck to the free place among the open ones."""
    S[DECK_LEFT] ^= 1 << card
    if S[OPEN_CARD] == NOBODY:
        S[OPEN_CARD] = card
    else:
        S[OPEN_CARD + 1] = card


def nth_card(S: MutableSequence[int], number: int) -> int:
    """Return a card of the deck by its place among those left."""
    card = NOBODY
    for one in range(DECK):
        if S[DECK_LEFT] >> one & 1:
            if number == 0 and card == NOBODY:
                card = one
            number -= 1
    return card


def commission(S: MutableSequence[int], payment: int) -> None:
    """Pay the mover's commission for one customer, unless it depends on the group's total."""
    if S[COMMISSION_RULE] == BY_CUSTOMER:
        pay_mover(S, 1, payment)


def pay_mover(S: MutableSequence[int], times: int, tier: int) -> None:
    """Let the owner pay the mover; `tier`, an amount, decides between the two commissions."""
    owner = S[OWNER + S[AHEAD]]
    if S[WALK_MOVER] != NOBODY and S[WALK_MOVER] != owner:
        amount = times * (COMMISSION if tier <= HIGH_AMOUNT else HIGH_COMMISSION)
        S[DIRHAMS + owner] -= amount
        S[DIRHAMS + S[WALK_MOVER]] += amount


def leave_shop(S: MutableSequence[int]) -> None:
    """Leave the current shop: a commission on the group's total is due now."""
    if S[COMMISSION_RULE] != BY_CUSTOMER and S[WALK_PAID] > 0:
        pay_mover(S, 1 if S[COMMISSION_RULE] == ONCE else S[WALK_PAID], S[WALK_TOTAL])
    S[WALK_PAID] = 0
    S[WALK_TOTAL] = 0
    for place in range(MOST_PASSED):
        S[AHEAD + place] = S[AHEAD + place + 1]


def end_walk(S: MutableSequence[int]) -> None:
    """End a walk: the remaining walkers join the group at the end of the street."""
    kind = S[WALK]
    if S[WALK_END] != NOBODY:
        S[GROUP + S[WALK_END]] += S[WALK_GROUP]
    S[WALK] = NOTHING
    S[WALK_GROUP] = 0
    S[WALK_END] = NOBODY
    S[WALK_MOVER] = NOBODY
    S[WALK_PAYMENT] = 0
    end_step(S, kind)


# ---- the score ----------------------------------------------------------------------------------


def score(S: MutableSequence[int], seat: int) -> int:
    """Return a seat's dirhams."""
    return S[DIRHAMS + seat]


# ---- actions ------------------------------------------------------------------------------------


def chance_weight(S: MutableSequence[int], action: int) -> int:
    """Return 1 for every card that can be turned up, 0 for any other action."""
    if S[PHASE] != REVEAL or action < TURN_UP:
        return 0
    return S[DECK_LEFT] >> (action - TURN_UP) & 1


def chance_total(S: MutableSequence[int]) -> int:
    """Return the number of cards that can be turned up."""
    total = 0
    for card in range(DECK):
        total += S[DECK_LEFT] >> card & 1
    return total


def is_legal(S: MutableSequence[int], action: int) -> bool:
    """Return whether an action, from 0 to ACTIONS - 1, is legal now."""
    phase = S[PHASE]
    if phase == BIDDING:
        if action == PASS:
            return S[BID] > 0
        amount = STEP * (action - BID_OF + LEAST_STEPS)
        is_bid = action >= BID_OF and action < TURN_UP
        return (
            is_bid and can_bid(S) and amount >= least_bid(S) and amount <= S[DIRHAMS + S[TO_MOVE]]
        )
    if phase == CHOOSE:
        if action < AUCTION:
            return may_move(S) and S[GROUP + STREET_START[action]] != 0
        if action < PASS:
            return may_auction(S) and S[OWNER + action - AUCTION] == NOBODY
        return action == PASS and not may_move(S) and not may_auction(S)
    if phase == BRING:
        if action < BRING_IN or action >= CARD_OF:
            return False
        gate = (action - BRING_IN) // 6
        size = (action - BRING_IN) % 3 + 2
        return S[GROUP + GATE[gate]] == 0 and size <= S[TAIL] - S[HEAD]
    if phase == CARD:
        return card_place(S, action) != NOBODY
    return chance_weight(S, action) > 0


def card_place(S: MutableSequence[int], action: int) -> int:
    """Return the place of the open card that a `card …` action takes, or NOBODY."""
    steps = action - CARD_OF + LEAST_CARD
    taken = NOBODY
    for place in range(2):
        if matching_card(S, place, S[AHEAD]) and CARD_STEPS[S[OPEN_CARD + place]] == steps:
            taken = place
    return taken


def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int:
    """Write the legal actions into `out` in ascending order and return how many there are."""
    count = 0
    if S[PHASE] == BIDDING:
        if S[BID] > 0:
            out[count] = PASS
            count += 1
        if can_bid(S):
            steps = min(S[DIRHAMS + S[TO_MOVE]] // STEP, MOST_STEPS)
            for one in range(least_bid(S) // STEP, steps + 1):
                out[count] = BID_OF + one - LEAST_STEPS
                count += 1
        return count
    if S[PHASE] == CHOOSE:
        if may_move(S):
            for street in range(STREETS):
                if S[GROUP + STREET_START[street]] != 0:
                    out[count] = MOVE + street
                    count += 1
        if may_auction(S):
            for shop in range(SHOPS):
                if S[OWNER + shop] == NOBODY:
                    out[count] = AUCTION + shop
                    count += 1
        if count == 0:
            out[count] = PASS
            count += 1
        return count
    first = BRING_IN
    end = CARD_OF
    if S[PHASE] == CARD:
        first = CARD_OF
        end = BID_OF
    elif S[PHASE] == REVEAL:
        first = TURN_UP
        end = ACTIONS
    elif S[PHASE] == OVER:
        end = first
    for action in range(first, end):
        if is_legal(S, action):
            out[count] = action
            count += 1
    return count


def apply(S: MutableSequence[int], action: int) -> None:
    """Carry out a legal action."""
    phase = S[PHASE]
    if phase == BIDDING:
        if action == PASS:
            pass_bid(S)
        else:
            bid(S, STEP * (action - BID_OF + LEAST_STEPS))
    elif phase == CHOOSE:
        if action < AUCTION:
            move(S, action)
        elif action < PASS:
            start_auction(S, action - AUCTION)
        else:
            bring_or_end(S)
    elif phase == BRING:
        choice = action - BRING_IN
        bring(S, choice // 6, choice % 6 // 3, choice % 3 + 2)
    elif phase == CARD:
        choose_card(S, card_place(S, action))
    else:
        reveal(S, action - TURN_UP)
