"""Write and read positions of MarraCash as plain JSON.

Reading names every problem at once. Visitors must add up, signs and owned shops too, amounts are
multiples of 25, and the phase must fit the rest; whether play could lead there is not checked.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from souk.engine.errors import brief
from souk.engine.json_reader import MISSING, PositionReader
from souk.engine.position_encoder import PositionPart, encode_fields, select_slots
from souk.games.marracash.amounts import DECK, LEAST_BID, RANK_PAYMENT, SIGNS, STEP
from souk.games.marracash.board import COLOURS, GATES, VISITORS

if TYPE_CHECKING:
    from souk.games.marracash.game import MarraCash
    from souk.games.marracash.rules_protocol import MarraCashRules

PHASES = ("choose", "bid", "bring", "card", "reveal", "over")  # in the kernel's order
STEPS = ("", "move", "auction")  # in the kernel's order
MOST_ROUNDS = 2**62
MOST_DIRHAMS = 10_000_000  # of all players together, besides what customers brought
BROUGHT = 1000  # more than one customer can bring: 500, and 250 for a souvenir


def parts(game: "MarraCash") -> tuple[PositionPart, ...]:
    """Return the parts that write a buffer as plain JSON."""
    k = game.rules
    queue = (k.QUEUE, k.OWNER), (k.HEAD, k.PHASE)
    return (
        PositionPart(select_slots((k.PHASE, k.TURNS)), partial(_write_turn, k)),
        PositionPart(select_slots((k.GROUP, k.QUEUE)), partial(_write_groups, game)),
        PositionPart(select_slots(*queue), partial(_write_queue, k)),
        PositionPart(select_slots((k.OWNER, k.DIRHAMS)), partial(_write_shops, game)),
        PositionPart(select_slots((k.DIRHAMS, k.HEAD)), partial(_write_players, k)),
        PositionPart(select_slots((k.PHASE, k.DECK_LEFT)), partial(_write_auction, game)),
        PositionPart(select_slots((k.DECK_LEFT, k.WALK)), partial(_write_cards, k)),
        PositionPart(
            select_slots((k.PHASE, k.TO_MOVE), (k.WALK, k.SOUVENIRS)),
            partial(_write_walk, game),
        ),
    )


def _write_turn(k: "MarraCashRules", S: Sequence[int]) -> bytes:
    last = S[k.LAST_TURNS]
    turn = {
        "phase": PHASES[S[k.PHASE]],
        "to_move": S[k.TO_MOVE],
        "turn_of": S[k.TURN_OF],
        "round": S[k.ROUND],
        "step": S[k.TURN_STEP],
        "first_step": STEPS[S[k.FIRST_STEP]] or None,
        "last_turns": None if last == k.NEVER else last,
    }
    return encode_fields(turn)


def _write_groups(game: "MarraCash", S: Sequence[int]) -> bytes:
    names = game.board.fountains
    packed = zip(names, S[game.rules.GROUP : game.rules.QUEUE], strict=True)
    return encode_fields({"groups": {name: game.group(group) for name, group in packed if group}})


def _write_queue(k: "MarraCashRules", S: Sequence[int]) -> bytes:
    queue = S[k.QUEUE + S[k.HEAD] : k.QUEUE + S[k.TAIL]]
    return encode_fields({"queue": [COLOURS[colour] for colour in queue]})


def _write_shops(game: "MarraCash", S: Sequence[int]) -> bytes:
    k = game.rules
    owners, customers = S[k.OWNER : k.CUSTOMERS], S[k.CUSTOMERS : k.DIRHAMS]
    shops = {
        name: {"owner": owner, "customers": count}
        for name, owner, count in zip(game.board.shops, owners, customers, strict=True)
        if owner != k.NOBODY
    }
    return encode_fields({"shops": shops})


def _write_players(k: "MarraCashRules", S: Sequence[int]) -> bytes:
    dirhams, signs = S[k.DIRHAMS : k.SIGNS_LEFT], S[k.SIGNS_LEFT : k.HEAD]
    holdings = zip(dirhams, signs, strict=True)
    return encode_fields(
        {"players": [{"dirhams": money, "signs": left} for money, left in holdings]}
    )


def _write_auction(game: "MarraCash", S: Sequence[int]) -> bytes:
    k = game.rules
    if S[k.PHASE] != k.BIDDING:
        return encode_fields({"auction": None})
    is_open = S[k.BID] > 0
    auction = {
        "shop": game.board.shops[S[k.LOT]],
        "auctioneer": S[k.TURN_OF],
        "bid": S[k.BID] if is_open else None,
        "bidder": S[k.BIDDER] if is_open else None,
        "passed": list(S[k.PASSED_SEAT : k.PASSED_SEAT + S[k.PASSED_COUNT]]),
    }
    return encode_fields({"auction": auction})


def _write_cards(k: "MarraCashRules", S: Sequence[int]) -> bytes:
    if not S[k.SOUVENIRS]:
        return encode_fields({"cards": None})
    deck = S[k.DECK_LEFT]
    left: dict[str, list[int]] = {}
    for number, (colour, value) in enumerate(DECK):
        if deck >> number & 1:
            left.setdefault(colour, []).append(value)
    open_cards = [S[k.OPEN_CARD], S[k.OPEN_CARD + 1]]
    shown = sorted(number for number in open_cards if number != k.NOBODY)
    return encode_fields(
        {"cards": {"open": [list(DECK[number]) for number in shown], "left": left}}
    )


def _write_walk(game: "MarraCash", S: Sequence[int]) -> bytes:
    """Write what is still to happen in the middle of a walk; no field at other times."""
    k, board = game.rules, game.board
    if S[k.PHASE] not in (k.CARD, k.REVEAL):
        return b""
    ahead = S[k.AHEAD : k.AHEAD + k.MOST_PASSED + 1]
    mover, end = S[k.WALK_MOVER], S[k.WALK_END]
    walk = {
        "kind": STEPS[S[k.WALK]],
        "mover": None if mover == k.NOBODY else mover,
        "to": None if end == k.NOBODY else board.fountains[end],
        "group": game.group(S[k.WALK_GROUP]),
        "shops": [board.shops[shop] for shop in ahead if shop != k.NOBODY],
        "customers": S[k.WALK_PAID],
        "total": S[k.WALK_TOTAL],
        "payment": S[k.WALK_PAYMENT] if S[k.PHASE] == k.CARD else None,
    }
    return encode_fields({"walk": walk})


def read(game: "MarraCash", position: object) -> list[int]:
    """Return a buffer from plain JSON; raise BadPosition with every problem."""
    return _Reader(game).read(game, position)


class _Reader(PositionReader):
    """Fills a buffer piece by piece and collects the problems."""

    k: "MarraCashRules"

    keys = (
        *("phase", "to_move", "turn_of", "round", "step", "first_step", "last_turns"),
        *("groups", "queue", "shops", "players", "auction", "cards"),
    )
    optional = ("walk",)

    def __init__(self, game: "MarraCash") -> None:
        super().__init__(game)
        self.board = game.board
        self.seen = dict.fromkeys(COLOURS, 0)  # visitors by colour

    def at(self, slot: str, offset: int = 0) -> int:
        place: int = getattr(self.k, slot) + offset
        return self.S[place]

    def read_pieces(self, fields: Mapping[str, Any]) -> None:
        self.read_turn(fields)
        self.read_groups(fields["groups"])
        self.read_queue(fields["queue"])
        owned = self.read_shops(fields["shops"])
        self.read_players(fields["players"], owned)
        self.read_auction(fields["phase"], fields["auction"])
        self.read_cards(fields["cards"])
        self.read_walk(fields["phase"], fields["walk"])
        if not self.problems:  # the rest can be checked only against valid pieces
            self.check_visitors()
            self.check_money()
            self.check_phase(self.at("PHASE"))

    def amount(self, where: str, value: object, least: int = 0) -> int | None:
        amount = self.read_int(where, value, least, MOST_DIRHAMS + BROUGHT * sum(VISITORS.values()))
        if amount is not None and amount % STEP:
            self.report(where, f"must be a multiple of {STEP}, not {amount}")
            return None
        return amount

    def read_turn(self, fields: Mapping[str, Any]) -> None:
        self.set_slot("PHASE", self.read_choice("phase", fields["phase"], PHASES))
        self.set_slot("TO_MOVE", self.read_seat("to_move", fields["to_move"]))
        self.set_slot("TURN_OF", self.read_seat("turn_of", fields["turn_of"]))
        rounds = self.read_int("round", fields["round"], 1, MOST_ROUNDS)
        self.set_slot("ROUND", rounds)
        step = self.read_int("step", fields["step"], 1, 2)
        self.set_slot("TURN_STEP", step)
        first = fields["first_step"]
        if first is not None:
            number = self.read_choice("first_step", first, STEPS[1:])
            self.set_slot("FIRST_STEP", None if number is None else number + 1)
        if step is not None and first is not MISSING and (step == 1) != (first is None):
            self.report("first_step", "must be null in step 1, and say what it was in step 2")
        if rounds == 1 and step == 2:
            self.report("step", "must be 1 in the first round")
        last = fields["last_turns"]
        if last is not None:
            self.set_slot("LAST_TURNS", self.read_int("last_turns", last, 0, self.seats))
        if last is not MISSING and (fields["phase"] == "over") != (last == 0):
            self.report("last_turns", "must be 0 when the game is over, and only then")

    def people(self, where: str, value: object) -> int:
        """Return a group as the kernel has it and count its visitors."""
        packed = 0
        for colour, given in self.read_items(where, value, "from colours to counts"):
            number = self.read_choice(where, colour, COLOURS)
            if number is not None:
                name = COLOURS[number]
                count = self.read_int(f"{where}.{name}", given, 1, VISITORS[name]) or 0
                self.seen[name] += count
                packed += count << 8 * number
        return packed

    def read_groups(self, value: object) -> None:
        for name, group in self.read_items("groups", value, "from fountains to groups"):
            if isinstance(name, str) and name in self.board.fountains:
                packed = self.people(f"groups.{name}", group)
                self.set_slot("GROUP", packed, self.board.fountains.index(name))
            else:
                self.report("groups", f"{brief(name)} is not a fountain")

    def read_queue(self, value: object) -> None:
        queue = self.read_list("queue", value, "colours")
        most = self.k.ALL_VISITORS
        if len(queue) > most:
            self.report("queue", f"{len(queue)} visitors wait, but there are {most} in all")
            return
        for place, colour in enumerate(queue):
            number = self.read_choice(f"queue[{place}]", colour, COLOURS)
            self.set_slot("QUEUE", number, place)
            if number is not None:
                self.seen[COLOURS[number]] += 1
        self.set_slot("TAIL", len(queue))

    def read_shops(self, value: object) -> list[int]:
        """Read owners and customers; return how many shops each seat owns."""
        owned = [0] * self.seats
        for name, shop in self.read_items("shops", value, "from shops to owners and customers"):
            if not isinstance(name, str) or name not in self.board.shops:
                self.report("shops", f"{brief(name)} is not a shop")
                continue
            at = self.board.shops.index(name)
            colour = self.board.colours[at]
            fields = self.read_fields(f"shops.{name}", shop, ("owner", "customers"))
            owner = self.read_seat(f"shops.{name}.owner", fields["owner"])
            most = VISITORS[colour]
            customers = self.read_int(f"shops.{name}.customers", fields["customers"], 0, most)
            self.set_slot("OWNER", owner, at)
            self.set_slot("CUSTOMERS", customers, at)
            self.seen[colour] += customers or 0
            if owner is not None:
                owned[owner] += 1
        return owned

    def read_players(self, value: object, owned: Sequence[int]) -> None:
        for seat, player in enumerate(self.read_list("players", value, "players", self.seats)):
            where = f"players[{seat}]"
            fields = self.read_fields(where, player, ("dirhams", "signs"))
            self.set_slot("DIRHAMS", self.amount(f"{where}.dirhams", fields["dirhams"]), seat)
            signs = self.read_int(f"{where}.signs", fields["signs"], 0, SIGNS)
            self.set_slot("SIGNS_LEFT", signs, seat)
            if signs is not None and signs + owned[seat] != SIGNS:
                total = f"{signs} + {owned[seat]}"
                self.report(where, f"signs and owned shops must make {SIGNS}, not {total}")

    def read_auction(self, phase: object, value: object) -> None:
        if phase != "bid":
            if value not in (None, MISSING):
                self.report("auction", "must be null outside phase bid")
            return
        fields = self.read_fields(
            "auction", value, ("shop", "auctioneer", "bid", "bidder", "passed")
        )
        self.set_slot("LOT", self.read_choice("auction.shop", fields["shop"], self.board.shops))
        auctioneer = self.read_seat("auction.auctioneer", fields["auctioneer"])
        if auctioneer is not None and auctioneer != self.at("TURN_OF"):
            self.report("auction.auctioneer", "must be the seat whose turn it is")
        most = self.seats - 1
        passed = self.read_list("auction.passed", fields["passed"], "seats")
        if len(passed) > most:
            self.report("auction.passed", f"at most {most} can have passed")
        for place, one in enumerate(passed[:most]):
            self.set_slot("PASSED_SEAT", self.read_seat("auction.passed", one), place)
        self.set_slot("PASSED_COUNT", min(len(passed), most))
        if fields["bid"] is not None:
            self.set_slot("BID", self.amount("auction.bid", fields["bid"], LEAST_BID))
        if fields["bidder"] is not None:
            self.set_slot("BIDDER", self.read_seat("auction.bidder", fields["bidder"]))

    def read_cards(self, value: object) -> None:
        if not self.at("SOUVENIRS"):
            if value not in (None, MISSING):
                self.report("cards", "must be null: this game has no souvenirs")
            return
        fields = self.read_fields("cards", value, ("open", "left"))
        shown = [
            self.card("cards.open", one)
            for one in self.read_list("cards.open", fields["open"], "cards")
        ]
        if len(shown) > 2:
            self.report("cards.open", "at most two cards lie open")
        for place, number in enumerate(shown[:2]):
            self.set_slot("OPEN_CARD", number, place)
        left = []
        for colour, values in self.read_items(
            "cards.left", fields["left"], "from colours to values"
        ):
            where = f"cards.left.{brief(colour)}"
            left += [
                self.card(where, [colour, one]) for one in self.read_list(where, values, "values")
            ]
        known = [number for number in (*shown, *left) if number is not None]
        if len(set(known)) != len(known):
            self.report("cards", "names a card twice")
        self.set_slot("DECK_LEFT", sum(1 << number for number in set(left) if number is not None))

    def card(self, where: str, value: object) -> int | None:
        pair = self.read_list(where, value, "colour and value")
        colour, price = pair if len(pair) == 2 else (None, None)
        if isinstance(colour, str) and type(price) is int and (colour, price) in DECK:
            return DECK.index((colour, price))
        self.report(where, f"there is no card {brief(value)}")
        return None

    def read_walk(self, phase: object, value: object) -> None:
        if phase not in ("card", "reveal"):
            if value is not MISSING and value is not None:
                self.report("walk", "is there only in phases card and reveal")
            return
        if value is MISSING:
            self.report("walk", f"is missing in phase {phase}")
        keys = ("kind", "mover", "to", "group", "shops", "customers", "total", "payment")
        fields = self.read_fields("walk", value, keys)
        kind = self.read_choice("walk.kind", fields["kind"], STEPS[1:])
        self.set_slot("WALK", None if kind is None else kind + 1)
        if kind == 0:
            self.set_slot("WALK_MOVER", self.read_seat("walk.mover", fields["mover"]))
            self.set_slot(
                "WALK_END", self.read_choice("walk.to", fields["to"], self.board.fountains)
            )
        elif kind == 1 and (fields["mover"] is not None or fields["to"] is not None):
            self.report("walk", "visitors who are pulled in have no mover and go to no fountain")
        self.set_slot("WALK_GROUP", self.people("walk.group", fields["group"]))
        ahead = self.read_list("walk.shops", fields["shops"], "shops")
        most = self.k.MOST_PASSED
        if not 1 <= len(ahead) <= most and fields["shops"] is not MISSING:
            self.report("walk.shops", f"must be 1 to {most} shops")
        for place, shop in enumerate(ahead[:most]):
            self.set_slot("AHEAD", self.read_choice("walk.shops", shop, self.board.shops), place)
        most = max(VISITORS.values())
        self.set_slot("WALK_PAID", self.read_int("walk.customers", fields["customers"], 1, most))
        self.set_slot("WALK_TOTAL", self.amount("walk.total", fields["total"], RANK_PAYMENT))
        if phase == "card":
            self.set_slot(
                "WALK_PAYMENT", self.amount("walk.payment", fields["payment"], RANK_PAYMENT)
            )
        elif fields["payment"] not in (None, MISSING):
            self.report("walk.payment", "must be null while a card is turned up")

    def check_visitors(self) -> None:
        for colour, count in self.seen.items():
            if count != VISITORS[colour]:
                where = "in queue, fountains, walk and shops"
                self.report("visitors", f"{count} {colour} {where}; there are {VISITORS[colour]}")

    def check_money(self) -> None:
        """Check the total of money against a limit that no game exceeds."""
        brought = BROUGHT * sum(self.get_slots("CUSTOMERS", self.k.SHOPS))
        total = sum(self.get_slots("DIRHAMS", self.seats))
        if total > MOST_DIRHAMS + brought:
            most = f"at most {MOST_DIRHAMS} and {BROUGHT} for each customer"
            self.report("players", f"have {total} dirhams together; {most} can be played with")

    def check_phase(self, phase: int) -> None:
        k, S = self.k, self.S
        if phase not in (k.BIDDING, k.CARD) and S[k.TO_MOVE] != S[k.TURN_OF]:
            self.report("to_move", f"must be the seat whose turn it is in phase {PHASES[phase]}")
        is_possible = k.may_move(S) or k.may_auction(S)
        if phase == k.CHOOSE and S[k.TURN_STEP] == 2 and not is_possible:
            self.report("step", "2, but no second step is possible")
        if phase == k.BIDDING:
            self.check_auction()
        if phase == k.BRING:
            gates = [S[k.GROUP + k.GATE[gate]] for gate in range(GATES)]
            if all(gates) or S[k.TAIL] < 2:
                self.report("phase", "bring, but no gate is empty or fewer than two wait outside")
        if phase in (k.CARD, k.REVEAL):
            self.check_walk(phase)
        elif S[k.DECK_LEFT] and k.NOBODY in self.get_slots("OPEN_CARD", 2):
            self.report("cards.open", "two cards lie open as long as the deck lasts")

    def check_auction(self) -> None:
        k, S = self.k, self.S
        to_move, bidder = S[k.TO_MOVE], S[k.BIDDER]
        passed = S[k.PASSED_SEAT : k.PASSED_SEAT + S[k.PASSED_COUNT]]
        if S[k.OWNER + S[k.LOT]] != k.NOBODY:
            self.report("auction.shop", f"{self.board.shops[S[k.LOT]]} has an owner already")
        if len(set(passed)) != len(passed):
            self.report("auction.passed", "names a seat twice")
        if (S[k.BID] == 0) != (bidder == k.NOBODY):
            self.report("auction", "bid and bidder are known together, or both null")
        elif S[k.BID] == 0:
            if passed or to_move != S[k.TURN_OF]:
                self.report("auction", "before the opening bid only the auctioneer is asked")
            elif not k.can_bid(S):
                self.report("auction", "the auctioneer cannot make the opening bid")
        else:
            order = [(bidder + place) % k.PLAYERS for place in range(1, k.PLAYERS)]
            asked = [seat for seat in order if seat not in passed]
            if bidder in passed or asked[:1] != [to_move]:
                self.report("auction", "to_move must be the next seat still in after the bidder")
            if S[k.DIRHAMS + bidder] < S[k.BID] or not S[k.SIGNS_LEFT + bidder]:
                self.report("auction.bidder", f"players[{bidder}] lacks the money or a sign")

    def check_walk(self, phase: int) -> None:
        k, S = self.k, self.S
        if not S[k.SOUVENIRS]:
            self.report("phase", f"{PHASES[phase]} does not occur: this game has no souvenirs")
            return
        shop = S[k.AHEAD]
        owner = S[k.OWNER + shop]
        if S[k.WALK] == k.MOVED:
            if S[k.WALK_MOVER] != S[k.TURN_OF]:
                self.report("walk.mover", "must be the seat whose turn it is")
            if S[k.ROUND] == 1 or S[k.FIRST_STEP] == k.AUCTIONED:
                self.report("walk", "nobody moves a group in the first round or after an auction")
        else:
            if not S[k.PULL_IN]:
                self.report("walk.kind", "auction does not occur: nobody is pulled in in this game")
            if S[k.AHEAD + 1] != k.NOBODY:
                self.report("walk.shops", "visitors are pulled into one shop")
            if S[k.WALK_GROUP] & ~(255 << 8 * k.SHOP_COLOUR[shop]):
                self.report("walk.group", "only visitors of the shop's colour are pulled in")
        is_by_customer = S[k.COMMISSION_RULE] == k.BY_CUSTOMER
        booked = S[k.WALK_PAYMENT] if is_by_customer else S[k.WALK_TOTAL]
        if owner != k.NOBODY and S[k.DIRHAMS + owner] < booked:
            self.report(
                f"players[{owner}].dirhams", f"must hold the {booked} that were paid just now"
            )
        if owner == k.NOBODY or S[k.CUSTOMERS + shop] < S[k.WALK_PAID]:
            self.report("walk.shops", "the current shop must have an owner and these customers")
            return
        ranks = range(S[k.CUSTOMERS + shop] - S[k.WALK_PAID], S[k.CUSTOMERS + shop])
        least = sum(k.rank_payment(rank + 1) for rank in ranks)
        if S[k.WALK_TOTAL] < least:
            self.report("walk.total", f"must be at least the {least} that these customers brought")
        if phase == k.CARD:
            if not all(k.matching_card(S, place, shop) for place in range(2)):
                self.report("cards.open", "both must have the colour of the current shop")
            if S[k.TO_MOVE] != owner:
                self.report("to_move", f"must be {owner}, the owner of {self.board.shops[shop]}")
        elif k.chance_total(S) < 2:
            self.report("cards.left", "a single card is turned up without chance")
        elif self.get_slots("OPEN_CARD", 2).count(k.NOBODY) != 1:
            self.report("cards.open", "one card lies open while the next is turned up")
