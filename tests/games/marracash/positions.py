"""Mixes of knobs, setups, random positions and arranged ones for the tests of MarraCash.

Everything here follows from a `random.Random`, so that a failure can be played again. It imports
the reference, not souk.
"""

from tests.games.marracash.board_facts import BOARDS, COLOUR_OF, SHOPS
from tests.games.marracash.reference import CARDS, COLOURS, VISITORS, Reference, Town, rank_payment

TOWNS = {name: Town(board) for name, board in BOARDS.items()}
SIGNS = 6
CASH = 1200


def every_knobs(players):
    """The plain game, each knob turned away from its usual setting, and all of them."""
    turned = {
        "commission": "per-group",
        "souvenirs": True,
        "pull_in": True,
        "layout": "medina",
    }
    mixes = [{}, *({knob: value} for knob, value in turned.items()), turned]
    mixes += [{"commission": "once"}, {"souvenirs": True, "commission": "once"}]
    mixes.append({"souvenirs": True, "commission": "per-group"})
    mixes.append({"souvenirs": True, "pull_in": True})
    return [{"players": players, **mix} for mix in mixes]


def mixed_knobs(rng):
    """Return mixed knobs, more often than not with souvenirs, which need the most testing."""
    return {
        "players": rng.choice([3, 4]),
        "commission": rng.choice(["per-customer", "per-group", "once"]),
        "souvenirs": rng.random() < 0.6,
        "pull_in": rng.random() < 0.5,
        "layout": rng.choice(list(BOARDS)),
    }


def reference(position, knobs):
    """The reference at a position, on the board that the knobs name."""
    return Reference(position, BOARDS[knobs.get("layout", "classic1996")], **knobs)


def game_text(knobs):
    return reference(blank(knobs), knobs).game_text()


def blank(knobs):
    """A position with nobody in it: the frame that others fill."""
    position = {
        "game": None,
        "phase": "choose",
        "to_move": 0,
        "turn_of": 0,
        "round": 1,
        "step": 1,
        "first_step": None,
        "last_turns": None,
        "groups": {},
        "queue": [],
        "shops": {},
        "players": [{"dirhams": CASH, "signs": SIGNS} for _ in range(knobs["players"])],
        "auction": None,
        "cards": None,
    }
    if knobs.get("souvenirs"):
        left = {colour: list(values) for colour, values in CARDS.items()}
        position["cards"] = {"open": [["red", left["red"].pop()]], "left": left}
        position["cards"]["open"].append(["yellow", left["yellow"].pop()])
    return position


def has_three_alike_in_a_row(queue):
    return any(len(set(queue[at : at + 3])) == 1 for at in range(len(queue) - 2))


def random_setup(rng, knobs):
    """A setup as the rules have it; how likely each is does not matter here."""
    town = TOWNS[knobs.get("layout", "classic1996")]
    position = {**blank(knobs), "game": game_text(knobs)}
    queue = [colour for colour, number in VISITORS.items() for _ in range(number)]
    for gate in town.gates:
        colours = rng.sample(COLOURS, 3)
        position["groups"][gate] = dict.fromkeys(colours, 1)
        for colour in colours:
            queue.remove(colour)
    rng.shuffle(queue)
    while has_three_alike_in_a_row(queue):
        rng.shuffle(queue)
    position["queue"] = queue
    return position


def sensible(rng, texts):
    """A choice at random, but bids are low and soon over, so that money lasts."""
    bids = [text for text in texts if text.startswith("bid")]
    if not bids:
        return rng.choice(texts)
    if "pass" in texts and rng.random() < 0.6:
        return "pass"
    if rng.random() < 0.03:
        return rng.choice(bids)
    if rng.random() < 0.03:
        return bids[-1]
    return rng.choice(bids[:4])


# ---- positions that play may never reach ---------------------------------------------------------


def random_position(rng, knobs):
    """A position whose pieces make sense, whether or not play could ever reach it."""
    while True:
        position = _some_position(rng, knobs)
        legal = reference(position, knobs).legal()
        skipped = position["step"] == 2 and position["phase"] == "choose" and legal == ["pass"]
        if (legal or position["phase"] == "over") and not skipped:
            return position


def _some_position(rng, knobs):
    town = TOWNS[knobs.get("layout", "classic1996")]
    seats = knobs["players"]
    position = {**blank(knobs), "game": game_text(knobs)}
    position["turn_of"] = position["to_move"] = rng.randrange(seats)
    position["round"] = rng.choice([1, 2, 2, 3, 7, 40])
    if position["round"] > 1 and rng.random() < 0.5:
        position["step"] = 2
        position["first_step"] = rng.choice(["move", "auction"])
    position["last_turns"] = rng.choice([None, None, None, *range(1, seats + 1)])
    for player in position["players"]:
        player["dirhams"] = 25 * rng.choice([0, 1, 3, 4, 5, 12, 48, 100, rng.randrange(200)])
    _own_shops(rng, position)
    _place_visitors(rng, position, town)
    if knobs.get("souvenirs"):
        _deal_cards(rng, position)
    phases = ["choose", "choose", "bid", "bid", "bring", "over"]
    if knobs.get("souvenirs"):
        phases += ["card", "card", "reveal", "reveal"]
    _enter_phase(rng, position, town, knobs, rng.choice(phases))
    return position


def _own_shops(rng, position):
    shops = list(SHOPS)
    rng.shuffle(shops)
    for seat, player in enumerate(position["players"]):
        player["signs"] = rng.choice([0, 0, 1, 3, 5, 6])
        for _ in range(SIGNS - player["signs"]):
            position["shops"][shops.pop()] = {"owner": seat, "customers": 0}


def _place_visitors(rng, position, town):
    """Some in shops, some on a few fountains, the others in the queue, in any order."""
    standing = rng.sample(town.fountains, rng.randrange(1, 9))
    share_of_shops, share_of_fountains = rng.random(), rng.random()
    for colour, number in VISITORS.items():
        open_shops = [shop for shop in position["shops"] if town.colour[shop] == colour]
        for _ in range(number):
            if open_shops and rng.random() < share_of_shops:
                position["shops"][rng.choice(open_shops)]["customers"] += 1
            elif rng.random() < share_of_fountains:
                group = position["groups"].setdefault(rng.choice(standing), {})
                group[colour] = group.get(colour, 0) + 1
            else:
                position["queue"].append(colour)
    rng.shuffle(position["queue"])


def _deal_cards(rng, position):
    deck = [[colour, value] for colour, values in CARDS.items() for value in values]
    rng.shuffle(deck)
    deck = deck[: rng.choice([25, 25, 12, 4, 3, 2, 1, 0])]
    left = {}
    for colour, value in deck[2:]:
        left.setdefault(colour, []).append(value)
    position["cards"] = {"open": deck[:2], "left": {c: sorted(v) for c, v in left.items()}}


def _enter_phase(rng, position, town, knobs, phase):
    position["phase"] = phase
    seats = knobs["players"]
    if phase == "over":
        position["last_turns"] = 0
    if phase == "bid":
        _hold_auction(rng, position, seats)
    if phase in ("card", "reveal"):
        _start_walk(rng, position, town, knobs)


def _hold_auction(rng, position, seats):
    free = [shop for shop in SHOPS if shop not in position["shops"]]
    auctioneer = position["turn_of"]
    auction = {
        "shop": rng.choice(free),
        "auctioneer": auctioneer,
        "bid": None,
        "bidder": None,
        "passed": [],
    }
    if rng.random() < 0.7:
        able = [
            seat
            for seat, player in enumerate(position["players"])
            if player["signs"] and player["dirhams"] >= 100
        ]
        if able:
            auction["bidder"] = rng.choice(able)
            most = position["players"][auction["bidder"]]["dirhams"]
            auction["bid"] = rng.choice(range(100, most + 1, 25))
            round_the_table = [(auction["bidder"] + k) % seats for k in range(1, seats)]
            request = rng.randrange(seats - 1)  # those asked since the bid have passed
            position["to_move"] = round_the_table[request]
            passed = [s for k, s in enumerate(round_the_table) if k < request]
            passed += [
                s for k, s in enumerate(round_the_table) if k > request and rng.random() < 0.5
            ]
            rng.shuffle(passed)
            auction["passed"] = passed
    position["auction"] = auction


def _start_walk(rng, position, town, knobs):
    """In the middle of a walk or of a pull-in, at a shop that somebody owns and has customers."""
    busy = [shop for shop, state in position["shops"].items() if state["customers"]]
    deck = sum(map(len, position["cards"]["left"].values()))
    phase = position["phase"]
    if not busy or (phase == "reveal" and deck < 2):
        position["phase"] = "choose"
        return
    shop = rng.choice(busy)
    colour, state = town.colour[shop], position["shops"][shop]
    if knobs.get("pull_in") and rng.random() < 0.6:
        walk = {"kind": "auction", "mover": None, "to": None, "shops": [shop]}
        walkers = [colour]
        customers = state["customers"]  # the shop was just bought: nobody was in it before
        position["step"], position["first_step"] = rng.choice(
            [(1, None), (2, "move"), (2, "auction")] if position["round"] > 1 else [(1, None)]
        )
    else:
        way = rng.choice([way for way, met in town.met.items() if shop in met])
        met = town.met[way]
        walk = {"kind": "move", "mover": position["turn_of"], "to": way[1]}
        walk["shops"] = met[met.index(shop) :]
        walkers = COLOURS
        customers = rng.randrange(1, state["customers"] + 1)
        position["round"] = max(position["round"], 2)
        if position["first_step"] == "auction":
            position["first_step"] = "move"
    walk["group"] = _let_walk(rng, position, walkers)
    ranks = range(state["customers"] - customers + 1, state["customers"] + 1)
    total = sum(map(rank_payment, ranks))
    last = rank_payment(state["customers"])
    cards = position["cards"]
    if phase == "card":
        own = [[colour, value] for value in CARDS[colour]]
        rng.shuffle(own)
        cards["open"] = own[:2]
        for colour_left, values in list(cards["left"].items()):
            saved = [value for value in values if [colour_left, value] not in cards["open"]]
            cards["left"][colour_left] = saved
            if not saved:
                del cards["left"][colour_left]
        position["to_move"] = state["owner"]
    else:
        cards["open"] = cards["open"][:1]
        total += 25 * rng.randrange(3, 8)  # the card just sold
    position["players"][state["owner"]]["dirhams"] += total  # all of it is booked
    walk.update(customers=customers, total=total, payment=last if phase == "card" else None)
    position["walk"] = walk


def _let_walk(rng, position, colours):
    """Take walkers of these colours out of the queue, a few of them."""
    group = {}
    for _ in range(rng.randrange(6)):
        waiting = [colour for colour in position["queue"] if colour in colours]
        if waiting:
            colour = rng.choice(waiting)
            position["queue"].remove(colour)
            group[colour] = group.get(colour, 0) + 1
    return group


# ---- positions to try a sentence of the rules on -------------------------------------------------


def make_position(knobs=None, groups=None, shops=None, queue=None, dirhams=None, **more):
    """Return a position on classic1996 with all 54 visitors placed.

    `groups` are texts, {"F1": "red red blue"}; `shops` say owner and customers, {"R3": (0, 2)};
    `queue` is a text; visitors not named wait in the queue, or on F14 if a queue is given.
    It is seat 0's turn in round 2 unless `more`, fields of a position, says otherwise.
    """
    knobs = {"players": 3, **(knobs or {})}
    position = {**blank(knobs), "game": game_text(knobs), "round": 2}
    missing = dict(VISITORS)
    for fountain, text in (groups or {}).items():
        here = position["groups"].setdefault(fountain, {})
        for colour in text.split():
            here[colour] = here.get(colour, 0) + 1
            missing[colour] -= 1
    for shop, (owner, customers) in (shops or {}).items():
        position["shops"][shop] = {"owner": owner, "customers": customers}
        missing[COLOUR_OF[shop[0]]] -= customers
        position["players"][owner]["signs"] -= 1
    for colour in ((more.get("walk") or {}).get("group") or {}).items():
        missing[colour[0]] -= colour[1]
    for colour in (queue or "").split():
        missing[colour] -= 1
    assert min(missing.values()) >= 0, "there are not that many visitors"
    others = [colour for colour, number in missing.items() for _ in range(number)]
    if queue is None:
        position["queue"] = others
    else:
        position["queue"] = queue.split()
        parked = position["groups"].setdefault("F14", {})
        for colour in others:
            parked[colour] = parked.get(colour, 0) + 1
        if not parked:
            del position["groups"]["F14"]
    for seat, amount in enumerate(dirhams or []):
        position["players"][seat]["dirhams"] = amount
    position.update(more)
    if "turn_of" in more and "to_move" not in more:
        position["to_move"] = more["turn_of"]
    return position


# Everybody is in a shop of seat 0, 1 or 2: nobody stands on a fountain or waits.
ALL_INSIDE = {"R1": (0, 10), "Y1": (1, 14), "B1": (2, 10), "G1": (0, 10), "P1": (1, 10)}
