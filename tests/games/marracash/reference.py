"""A second MarraCash, slow and obvious, written from the rules sheet and from nothing else.

It shares no line and no import with souk: a position is the contract's JSON, taken apart into
dicts and lists; a board is the dict a board file holds. The setup is random, so a game here starts
from a position that somebody dealt. Whatever both agree on over many games is either right or a
mistake made twice.
"""

import copy
import marshal
from fractions import Fraction

COLOURS = ["red", "yellow", "blue", "green", "purple"]
VISITORS = {"red": 10, "yellow": 14, "blue": 10, "green": 10, "purple": 10}
CARDS = {
    "red": [50, 75, 100, 125, 150],
    "purple": [75, 100, 125, 150, 175],
    "green": [100, 125, 150, 175, 200],
    "blue": [125, 150, 175, 200, 225],
    "yellow": [150, 175, 200, 225, 250],
}
STEP_OF_MONEY = 25
LOWEST_BID = 100
DEFAULTS = {
    "commission": "per-customer",
    "souvenirs": False,
    "pull_in": False,
    "layout": "classic1996",
}


def rank_payment(rank):
    """What the bank pays for the first, second … customer of a shop."""
    return {1: 100, 2: 200, 3: 300, 4: 400}.get(rank, 500)


def auctioneers_commission(price):
    return 100 if price <= 500 else 200


def movers_commission(payment):
    return 50 if payment <= 300 else 100


class Town:
    """What a board file says, in the form in which the rules ask for it."""

    def __init__(self, board):
        self.fountains = [fountain["id"] for fountain in board["fountains"]]
        self.gates = list(board["gates"])
        self.colour = {shop["id"]: shop["color"] for shop in board["shops"]}
        self.met = {}  # (from, to) -> the shops met, in order
        for street in board["streets"]:
            self.met[street["a"], street["b"]] = list(street["passed_a_to_b"])
            self.met[street["b"], street["a"]] = list(street["passed_b_to_a"])
        self.beside = {shop: [] for shop in self.colour}  # shop -> fountains that touch it
        for fountain in board["fountains"]:
            for shop in fountain["adjacent_shops"]:
                self.beside[shop].append(fountain["id"])


class Reference:
    """One position and the rules it is played by. `knobs` are those of `souk.load_game`."""

    def __init__(self, position, board, **knobs):
        self.town = Town(board)
        self.players = knobs["players"]
        self.knobs = {name: knobs.get(name, usual) for name, usual in DEFAULTS.items()}
        self.turns = 0  # ended so far
        it = copy.deepcopy(position)
        self.phase = it["phase"]
        self.to_move = it["to_move"]
        self.turn_of = it["turn_of"]
        self.round = it["round"]
        self.step = it["step"]
        self.first_step = it["first_step"]
        self.last_turns = it["last_turns"]
        self.groups = it["groups"]
        self.queue = it["queue"]
        self.shops = it["shops"]
        self.dirhams = [player["dirhams"] for player in it["players"]]
        self.signs = [player["signs"] for player in it["players"]]
        self.auction = it["auction"]
        self.cards = it["cards"]
        self.walk = it.get("walk")

    # -- what can be asked ----------------------------------------------------------------

    def game_text(self):
        """What str(game) must be."""
        shown = [f"players={self.players}"]
        shown += [f"{knob}={self.knobs[knob]}" for knob in DEFAULTS if self._is_turned(knob)]
        return f"marracash({','.join(shown)})"

    def _is_turned(self, knob):
        return self.knobs[knob] != DEFAULTS[knob]

    def is_terminal(self):
        return self.phase == "over"

    def is_chance(self):
        return self.phase == "reveal"

    def current_player(self):
        if self.is_terminal():
            return -4
        return -1 if self.is_chance() else self.to_move

    def scores(self):
        return list(self.dirhams)

    def ranking(self):
        amounts = sorted(set(self.dirhams), reverse=True)
        return [[s for s in range(self.players) if self.dirhams[s] == much] for much in amounts]

    def returns(self):
        """Shares of the win, as Fractions."""
        shares = [Fraction(0)] * self.players
        if self.is_terminal():
            best = self.ranking()[0]
            for seat in best:
                shares[seat] = Fraction(1, len(best))
        return shares

    def legal(self):
        """The texts of what may happen now, in no order that matters."""
        if self.phase == "choose":
            return self._moves() + self._auctions() or ["pass"]
        if self.phase == "bid":
            return self._bids()
        if self.phase == "bring":
            return self._ways_to_bring()
        if self.phase == "card":
            return [f"card {value}" for _, value in self._cards_that_match()]
        if self.phase == "reveal":
            return list(self.chance())
        return []

    def chance(self):
        """Text -> probability, where chance acts."""
        texts = [f"{colour} {value}" for colour, value in self._deck()]
        return {text: Fraction(1, len(texts)) for text in texts}

    def _moves(self):
        if self.round == 1 or self.first_step == "auction":
            return []
        return [f"move {a}>{b}" for a, b in self.town.met if a in self.groups]

    def _auctions(self):
        if self.dirhams[self.turn_of] < LOWEST_BID or self.signs[self.turn_of] == 0:
            return []
        return [f"auction {shop}" for shop in self.town.colour if shop not in self.shops]

    def _bids(self):
        is_opening = self.auction["bid"] is None
        lowest = LOWEST_BID if is_opening else self.auction["bid"] + STEP_OF_MONEY
        bids = []
        if self.signs[self.to_move] > 0:
            amounts = range(lowest, self.dirhams[self.to_move] + 1, STEP_OF_MONEY)
            bids = [f"bid {amount}" for amount in amounts]
        return bids if is_opening else ["pass", *bids]

    def _empty_gates(self):
        return [gate for gate in self.town.gates if gate not in self.groups]

    def _ways_to_bring(self):
        sizes = [size for size in (2, 3, 4) if size <= len(self.queue)]
        return [
            f"bring {gate} {end} {size}"
            for gate in self._empty_gates()
            for end in ("head", "tail")
            for size in sizes
        ]

    def _deck(self):
        return [(colour, value) for colour, left in self.cards["left"].items() for value in left]

    def _cards_that_match(self):
        colour = self.town.colour[self.walk["shops"][0]]
        return [card for card in self.cards["open"] if card[0] == colour]

    # -- what can be done -----------------------------------------------------------------

    def apply(self, text):
        assert text in self.legal(), (text, self.phase, self.legal())
        word, *rest = text.split()
        if self.phase == "choose":
            if word == "move":
                self._set_out(*rest[0].split(">"))
            elif word == "auction":
                self._open_auction(rest[0])
            else:
                self._bring_or_end_turn()
        elif self.phase == "bid":
            if word == "bid":
                self._bid(int(rest[0]))
            else:
                self.auction["passed"].append(self.to_move)
                self._next_bidder()
        elif self.phase == "bring":
            self._bring(rest[0], rest[1], int(rest[2]))
        elif self.phase == "card":
            self._sell_card([self.town.colour[self.walk["shops"][0]], int(rest[0])])
        elif self.phase == "reveal":
            self._turn_up(word, int(rest[0]))
            self._walk_on()

    def after(self, text):
        """The position after `text`; this one stays."""
        then = copy.deepcopy(self)
        then.apply(text)
        return then

    # -- auctions

    def _open_auction(self, shop):
        self.phase = "bid"
        self.auction = {
            "shop": shop,
            "auctioneer": self.turn_of,
            "bid": None,
            "bidder": None,
            "passed": [],
        }

    def _bid(self, amount):
        self.auction["bid"] = amount
        self.auction["bidder"] = self.to_move
        self._next_bidder()

    def _next_bidder(self):
        if len(self.auction["passed"]) == self.players - 1:
            self._sell_shop()
            return
        seat = (self.to_move + 1) % self.players
        while seat in self.auction["passed"]:
            seat = (seat + 1) % self.players
        self.to_move = seat

    def _sell_shop(self):
        shop, price, buyer = (self.auction[name] for name in ("shop", "bid", "bidder"))
        auctioneer = self.auction["auctioneer"]
        self.dirhams[buyer] -= price
        self.signs[buyer] -= 1
        self.shops[shop] = {"owner": buyer, "customers": 0}
        if buyer != auctioneer:
            self.dirhams[auctioneer] += auctioneers_commission(price)
        self.auction = None
        self.to_move = self.turn_of
        colour = self.town.colour[shop]
        pulled = 0
        if self.knobs["pull_in"]:
            for fountain in self.town.beside[shop]:
                pulled += self._take_from(fountain, colour)
        self.walk = {
            "kind": "auction",
            "mover": None,
            "to": None,
            "group": {colour: pulled} if pulled else {},
            "shops": [shop],
            "customers": 0,
            "total": 0,
            "payment": None,
        }
        self._walk_on()

    def _take_from(self, fountain, colour):
        group = self.groups.get(fountain, {})
        taken = group.pop(colour, 0)
        if not group:
            self.groups.pop(fountain, None)
        return taken

    # -- walks

    def _set_out(self, here, there):
        self.walk = {
            "kind": "move",
            "mover": self.turn_of,
            "to": there,
            "group": self.groups.pop(here),
            "shops": list(self.town.met[here, there]),
            "customers": 0,
            "total": 0,
            "payment": None,
        }
        self._walk_on()

    def _walk_on(self):
        """One customer after the other, until somebody is asked or all is done."""
        walk = self.walk
        while walk["shops"]:
            shop = walk["shops"][0]
            colour = self.town.colour[shop]
            if shop in self.shops and walk["group"].get(colour, 0) > 0:
                self._enter(shop, colour)
                if self.phase in ("card", "reveal"):
                    return
            else:
                self._leave_behind(shop)
        self._arrive()

    def _enter(self, shop, colour):
        walk = self.walk
        walk["group"][colour] -= 1
        if walk["group"][colour] == 0:
            del walk["group"][colour]
        self.shops[shop]["customers"] += 1
        owner = self.shops[shop]["owner"]
        paid = rank_payment(self.shops[shop]["customers"])
        self.dirhams[owner] += paid
        walk["customers"] += 1
        walk["total"] += paid
        walk["payment"] = paid
        self.phase = "walking"
        cards = self._cards_that_match() if self.knobs["souvenirs"] else []
        if len(cards) == 2:
            self.phase = "card"
            self.to_move = owner
        elif len(cards) == 1:
            self._sell_card(cards[0], walks_on=False)
        else:
            self._pay_per_customer(owner, paid)

    def _sell_card(self, card, walks_on=True):
        walk = self.walk
        owner = self.shops[walk["shops"][0]]["owner"]
        self.cards["open"].remove(card)
        self.dirhams[owner] += card[1]
        walk["total"] += card[1]
        self._pay_per_customer(owner, walk["payment"] + card[1])
        self.phase = "walking"
        self.to_move = self.turn_of
        deck = self._deck()
        if len(deck) > 1:
            self.phase = "reveal"
            return
        if deck:
            self._turn_up(*deck[0])
        if walks_on:
            self._walk_on()

    def _turn_up(self, colour, value):
        self.cards["left"][colour].remove(value)
        if not self.cards["left"][colour]:
            del self.cards["left"][colour]
        self.cards["open"].append([colour, value])
        self.phase = "walking"

    def _pay_per_customer(self, owner, payment):
        self.walk["payment"] = None
        if self.knobs["commission"] == "per-customer":
            self._pay_mover(owner, movers_commission(payment))

    def _leave_behind(self, shop):
        """Nobody (more) enters this shop."""
        walk = self.walk
        if self.knobs["commission"] != "per-customer" and walk["customers"]:
            due = movers_commission(walk["total"])
            if self.knobs["commission"] == "per-group":
                due *= walk["customers"]
            self._pay_mover(self.shops[shop]["owner"], due)
        walk["customers"] = walk["total"] = 0
        del walk["shops"][0]

    def _pay_mover(self, owner, amount):
        mover = self.walk["mover"]
        if mover is not None and mover != owner:
            self.dirhams[owner] -= amount
            self.dirhams[mover] += amount

    def _arrive(self):
        walk, self.walk = self.walk, None
        for colour, number in walk["group"].items():
            there = self.groups.setdefault(walk["to"], {})
            there[colour] = there.get(colour, 0) + number
        self._step_is_done(walk["kind"])

    # -- turns

    def _step_is_done(self, kind):
        if self.round > 1 and self.step == 1:
            self.step = 2
            self.first_step = kind
            if self._moves() or self._auctions():
                self.phase = "choose"
                return
        self._bring_or_end_turn()

    def _bring_or_end_turn(self):
        if self._empty_gates() and len(self.queue) >= 2:
            self.phase = "bring"
        else:
            self._end_turn()

    def _bring(self, gate, end, size):
        if end == "head":
            group, self.queue = self.queue[:size], self.queue[size:]
        else:
            self.queue, group = self.queue[:-size], self.queue[-size:]
        self.groups[gate] = {colour: group.count(colour) for colour in set(group)}
        self._bring_or_end_turn()

    def _end_turn(self):
        self.turns += 1
        if self.last_turns is not None:
            self.last_turns -= 1
        elif len(self.queue) <= 1:
            self.last_turns = self.players
        if self.last_turns == 0:
            self.phase = "over"
            return
        self.turn_of = self.to_move = (self.turn_of + 1) % self.players
        if self.turn_of == 0:
            self.round += 1
        self.phase = "choose"
        self.step = 1
        self.first_step = None

    # -- the position as JSON -------------------------------------------------------------

    def to_dict(self):
        position = {
            "game": self.game_text(),
            "phase": self.phase,
            "to_move": self.to_move,
            "turn_of": self.turn_of,
            "round": self.round,
            "step": self.step,
            "first_step": self.first_step,
            "last_turns": self.last_turns,
            "groups": self.groups,
            "queue": self.queue,
            "shops": self.shops,
            "players": [
                {"dirhams": dirhams, "signs": signs}
                for dirhams, signs in zip(self.dirhams, self.signs, strict=True)
            ],
            "auction": self.auction,
            "cards": self.cards,
        }
        if self.walk is not None:
            position["walk"] = self.walk
        return normalised(position)


def normalised(position):
    """A position apart from what has no meaning: the order in which cards are named."""
    position = marshal.loads(marshal.dumps(position))  # a copy, much faster than deepcopy
    if position["cards"] is not None:
        position["cards"]["open"].sort()
        for left in position["cards"]["left"].values():
            left.sort()
    return position
