"""Judge bids and passes by the sale that they lead to.

A search would judge a bid and a pass by different amounts of play, and would count what a bidder
may lose with every bid of an auction again. Instead, every bidder has a limit: the price at which
they would as soon let their rival buy the shop, the other bidder who profits most from it. Whoever
has the highest limit is expected to buy the shop, at the second highest. So an auction has one
value until somebody bids or passes against their own interest, and then that decision costs them
the difference once.
"""

from collections.abc import Callable, Iterable

from souk.engine.state import State
from souk.games.marracash.amounts import LEAST_BID, STEP
from souk.games.marracash.rules_protocol import MarraCashRules

Shares = tuple[float, ...]  # expected share of the win, per seat
Search = Callable[[State, int], Shares]  # the shares after an action of a position


def option_shares(state: State, rules: MarraCashRules, search: Search) -> dict[int, Shares]:
    """Return the shares after every bid, and after a pass."""
    auction = _Auction(state, rules, search)
    seat = state.current_player()
    expected = auction.shares(*auction.expected_sale(state.buffer))
    options = {}
    for action in state.legal_actions():
        after = state.buffer[:]
        if action == auction.k.PASS:
            auction.k.leave_auction(after)
        else:
            auction.k.raise_bid(after, auction.price(action))
        shares = auction.shares(*auction.expected_sale(after))
        # More than by going up to the limit is won only by what others do: nothing to expect.
        options[action] = min(shares, expected, key=lambda one: one[seat])
    return options


class _Auction:
    def __init__(self, state: State, k: MarraCashRules, search: Search) -> None:
        self.k = k
        self._game = state.game
        self._search = search
        self._buffer = S = state.buffer
        self._sales: dict[tuple[int, int], Shares] = {}
        self._money = S[k.DIRHAMS : k.DIRHAMS + k.PLAYERS]
        self._limits: dict[tuple[int, int], int] = {}

    def price(self, bid: int) -> int:
        """Return the price of a bid by its number."""
        return STEP * (bid - self.k.BID_OF + self.k.LEAST_STEPS)

    def shares(self, buyer: int, price: int) -> Shares:
        """Return the shares after a sale; nobody pays more than they have."""
        price = min(price, self._money[buyer])
        if (buyer, price) not in self._sales:
            self._sales[buyer, price] = self._search(self._last_call(buyer, price), self.k.PASS)
        return self._sales[buyer, price]

    def _last_call(self, buyer: int, price: int) -> State:
        """Return the position in which a last pass sells the shop, the same for all askers."""
        k, S = self.k, self._buffer[:]
        *passed, last = [seat for seat in range(k.PLAYERS) if seat != buyer]
        S[k.BID], S[k.BIDDER], S[k.TO_MOVE], S[k.PASSED_COUNT] = price, buyer, last, len(passed)
        S[k.PASSED_SEAT : k.PASSED_SEAT + k.PLAYERS] = (passed + [0] * k.PLAYERS)[: k.PLAYERS]
        return State(self._game, S)

    def expected_sale(self, S: list[int]) -> tuple[int, int]:
        """Return who is expected to buy the shop, and the price."""
        k = self.k
        buyer, price = S[k.BIDDER], S[k.BID]
        if price == 0:  # the auctioneer has to open
            buyer, price = S[k.TURN_OF], LEAST_BID
        passed = S[k.PASSED_SEAT : k.PASSED_SEAT + S[k.PASSED_COUNT]]
        seats = [
            seat
            for seat in range(k.PLAYERS)
            if seat == buyer
            or (seat not in passed and S[k.SIGNS_LEFT + seat] and self._money[seat] > price)
        ]
        limits = {seat: self._limit(seat, seats) for seat in seats}
        others = [seat for seat in seats if seat != buyer and limits[seat] > price]
        if not others:
            return buyer, price
        best = max(seats, key=lambda seat: (limits[seat], seat == buyer))
        second = max(limits[seat] for seat in seats if seat != best)
        return best, max(second, price if best == buyer else price + STEP)

    def _limit(self, seat: int, seats: Iterable[int]) -> int:
        """Return the highest price at which a seat would buy rather than let its rival buy."""
        free = self.shares(seat, 0)
        gains = {one: self.shares(one, 0)[one] - free[one] for one in seats if one != seat}
        if not gains:
            return 0
        rival = max(gains, key=lambda one: gains[one])
        if (seat, rival) not in self._limits:
            low, high = 0, self._money[seat] // STEP + 1  # wanted at low, not at high
            while high - low > 1:
                middle = (low + high) // 2
                price = STEP * middle
                if self.shares(seat, price)[seat] >= self.shares(rival, price)[seat]:
                    low = middle
                else:
                    high = middle
            self._limits[seat, rival] = STEP * low
        return self._limits[seat, rival]
