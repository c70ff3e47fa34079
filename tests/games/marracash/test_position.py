"""Positions as JSON: what is written is read back, and what makes no sense is refused by name."""

import copy
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import souk
from tests.games.marracash.board_facts import SHOPS
from tests.games.marracash.money import event_gains, score_changes
from tests.games.marracash.positions import (
    ALL_INSIDE,
    every_knobs,
    game_text,
    make_position,
    mixed_knobs,
    random_position,
    sensible,
)
from tests.games.marracash.reference import COLOURS
from tests.games.marracash.strategies import states

THREE = {"players": 3}
SOUVENIRS = {"players": 3, "souvenirs": True}
PULL_IN = {"players": 3, "souvenirs": True, "pull_in": True}
GATES = {"F1": "red", "F8": "blue", "F16": "green"}

every_game = pytest.mark.parametrize(
    "knobs", [knobs for players in (3, 4) for knobs in every_knobs(players)], ids=game_text
)


def load(knobs, position):
    return souk.load_game("marracash", **knobs).state_from_dict(position)


def texts(state):
    return [state.action_to_string(action) for action in state.legal_actions()]


# ---- round trips ---------------------------------------------------------------------------------


@every_game
def test_every_position_of_a_game_goes_through_json_and_back(knobs):
    rng = Random(f"round trip {game_text(knobs)}")
    game = souk.load_game("marracash", **knobs)
    state = game.new_initial_state(seed=5)
    while True:
        written = state.to_dict()
        loaded = game.state_from_dict(json.loads(json.dumps(written)))
        assert loaded.to_dict() == written
        assert loaded == state
        assert loaded.legal_actions() == state.legal_actions()
        if state.is_terminal():
            break
        action = state.string_to_action(sensible(rng, texts(state)))
        state.apply_action(action)
        loaded.apply_action(action)
        assert loaded == state, "they go on alike"


@pytest.mark.parametrize("chunk", range(4))
def test_positions_that_play_may_never_reach_go_through_json_and_back(chunk):
    rng = Random(f"unreachable {chunk}")
    for _ in range(60):
        knobs = mixed_knobs(rng)
        position = random_position(rng, knobs)
        written = load(knobs, position).to_dict()
        again = load(knobs, json.loads(json.dumps(written)))
        assert again.to_dict() == written
        assert {name: written[name] for name in position if name != "cards"} == {
            name: position[name] for name in position if name != "cards"
        }


FIELDS = ["game", "phase", "to_move", "turn_of", "round", "step", "first_step", "last_turns"]
FIELDS += ["groups", "queue", "shops", "players", "auction", "cards"]


@given(states())
def test_a_position_has_the_contracts_form(state):
    position = state.to_dict()
    is_walking = position["phase"] in ("card", "reveal")
    assert list(position) == FIELDS + ["walk"] * is_walking
    assert position["game"] == str(state.game)
    assert position["phase"] in ("choose", "bid", "bring", "card", "reveal", "over")
    if position["phase"] not in ("bid", "card"):
        assert position["to_move"] == position["turn_of"]
    assert (position["first_step"] is None) == (position["step"] == 1)
    assert position["round"] > 1 or position["step"] == 1
    for group in position["groups"].values():
        assert group and all(number > 0 for number in group.values())
        assert list(group) == [colour for colour in COLOURS if colour in group]
    assert all(list(shop) == ["owner", "customers"] for shop in position["shops"].values())
    assert all(list(player) == ["dirhams", "signs"] for player in position["players"])
    assert (position["auction"] is not None) == (position["phase"] == "bid")
    if position["auction"]:
        assert list(position["auction"]) == ["shop", "auctioneer", "bid", "bidder", "passed"]
        assert position["auction"]["auctioneer"] == position["turn_of"]
    assert (position["cards"] is not None) == state.game.settings["souvenirs"]
    if is_walking:
        walk = position["walk"]
        fields = ["kind", "mover", "to", "group", "shops", "customers", "total", "payment"]
        assert list(walk) == fields
        assert (walk["kind"] == "move") == (walk["mover"] == position["turn_of"])
        assert (walk["mover"] is None) == (walk["to"] is None)
        owner = position["shops"][walk["shops"][0]]["owner"]
        if position["phase"] == "card":
            assert position["to_move"] == owner
    types = {bool, int, str, dict, list, type(None)}
    waiting = [position]
    while waiting:
        value = waiting.pop()
        assert type(value) in types, "plain JSON and nothing else"
        waiting += value.values() if type(value) is dict else value if type(value) is list else []


def test_a_walk_is_written_as_the_contract_has_it():
    """Two green walkers into G2, whose owner may choose; one is inside."""
    position = make_position(
        SOUVENIRS,
        groups={"F1": "green green red"},
        shops={"G2": (2, 3)},
        cards={
            "open": [["green", 100], ["green", 200]],
            "left": {"red": [50, 75], "blue": [125]},
        },
    )
    state = load(SOUVENIRS, position)
    state.apply_action(state.string_to_action("move F1>F2"))
    assert state.to_dict()["walk"] == {
        "kind": "move",
        "mover": 0,
        "to": "F2",
        "group": {"red": 1, "green": 1},
        "shops": ["G2"],
        "customers": 1,
        "total": 400,
        "payment": 400,
    }
    assert state.to_dict()["groups"] == {}
    state.apply_action(state.string_to_action("card 200"))
    assert state.to_dict()["walk"] == {
        "kind": "move",
        "mover": 0,
        "to": "F2",
        "group": {"red": 1, "green": 1},
        "shops": ["G2"],
        "customers": 1,
        "total": 600,
        "payment": None,
    }
    assert state.scores() == [1300, 1200, 1200 + 600 - 100], "per-customer commission is booked"


@given(states(), st.randoms(use_true_random=False))
def test_the_order_of_names_and_of_cards_has_no_meaning(state, rng):
    position = state.to_dict()
    for name in ("groups", "shops"):
        items = list(position[name].items())
        rng.shuffle(items)
        position[name] = dict(items)
    if position["cards"]:
        rng.shuffle(position["cards"]["open"])
        for values in position["cards"]["left"].values():
            rng.shuffle(values)
    loaded = state.game.state_from_dict(position)
    assert loaded == state and loaded.to_dict() == state.to_dict()


def test_loading_does_not_change_its_argument():
    given_position = make_position(groups=GATES, shops={"R1": (0, 2)})
    before = copy.deepcopy(given_position)
    state = load(THREE, given_position)
    state.apply_action(state.legal_actions()[0])
    assert given_position == before


def test_changing_a_written_position_does_not_change_the_state():
    state = souk.load_game("marracash", players=3).new_initial_state(seed=1)
    before = copy.deepcopy(state.to_dict())
    position = state.to_dict()
    position["players"][0]["dirhams"] = 1
    position["queue"].clear()
    position["groups"]["F1"]["red"] = 9
    assert state.to_dict() == before


def test_a_loaded_position_has_no_history_and_undo_reaches_back_to_it():
    state = load(THREE, make_position(groups=GATES))
    assert state.history() == []
    with pytest.raises(ValueError, match="undo"):
        state.undo_action()
    for text in ("move F1>F2", "auction R1", "bid 125", "pass"):
        state.apply_action(state.string_to_action(text))
    for _ in range(4):
        state.undo_action()
    assert state == load(THREE, make_position(groups=GATES))


def test_the_game_may_be_named_in_any_way_that_means_it():
    for name in ("marracash(layout=classic1996, players=3)", "marracash(players=3,pull_in=False)"):
        load(THREE, {**make_position(groups=GATES), "game": name})


@pytest.mark.parametrize(
    "more",
    [
        {"dirhams": [0, 0, 0]},
        {"dirhams": [29_350, 0, 25]},
        {"round": 900},
        {"last_turns": 2},
        {"queue": "red red red red blue"},
        {"shops": {"R1": (2, 10)}},
        {"turn_of": 2},
        {"shops": ALL_INSIDE, "groups": {}},
        {"groups": {"F2": "yellow " * 14}},
        {"round": 1, "shops": {"R1": (0, 4), "B1": (0, 3)}},
    ],
    ids=str,
)
def test_whether_play_could_reach_it_is_not_checked(more):
    groups = more.pop("groups", {"F2": "green"})
    state = load(THREE, make_position(groups=groups, **more))
    assert state.legal_actions()


def test_a_walk_of_null_is_no_walk():
    load(THREE, {**make_position(groups=GATES), "walk": None})


# ---- refusals ------------------------------------------------------------------------------------


def edited(path, value):
    """A change of one value in a position; `...` takes it away."""

    def edit(position):
        *way, last = path
        inner = position
        for key in way:
            inner = inner[key]
        if value is ...:
            del inner[last]
        else:
            inner[last] = value

    return edit


def several(*edits):
    def edit(position):
        for one in edits:
            one(position)

    return edit


def at_auction(position):
    """Seat 1 has bid 200, seat 2 is asked."""
    auction = {"shop": "R3", "auctioneer": 0, "bid": 200, "bidder": 1, "passed": [0]}
    position.update(phase="bid", to_move=2, auction=auction)


def before_the_bid(position):
    auction = {"shop": "R3", "auctioneer": 0, "bid": None, "bidder": None, "passed": []}
    position.update(phase="bid", auction=auction)


def bid(**changes):
    def edit(position):
        at_auction(position)
        position["auction"].update(changes)

    return edit


def opening(**changes):
    def edit(position):
        before_the_bid(position)
        position["auction"].update(changes)

    return edit


def walking(phase, **changes):
    """A red walker and a green customer of seat 1's G2 on the way from F1 to F2."""

    def edit(position):
        position["queue"].remove("green")
        position["queue"].remove("red")
        position["players"][1]["signs"] -= 1
        position["shops"]["G2"] = {"owner": 1, "customers": 1}
        walk = {"kind": "move", "mover": 0, "to": "F2", "group": {"red": 1}, "shops": ["G2"]}
        walk.update(customers=1, total=100, payment=100 if phase == "card" else None)
        shown = [["green", 100], ["green", 125]] if phase == "card" else [["green", 100]]
        position.update(phase=phase, to_move=1 if phase == "card" else 0, walk=walk)
        position["cards"] = {"open": shown, "left": {"red": [50, 75]}}
        for name, value in changes.items():
            if value is ...:
                del walk[name]
            else:
                walk[name] = value

    return edit


def more_customers(position):
    """Four more green ones are in G2, which is worth 1500 with the first."""
    for _ in range(4):
        position["queue"].remove("green")
    position["shops"]["G2"]["customers"] = 5
    position["players"][1]["dirhams"] = 1500


def cards(opened, left):
    return edited(["cards"], {"open": opened, "left": left})


def nobody_outside(position):
    """Everyone of the queue goes to F2."""
    group = position["groups"].setdefault("F2", {})
    for colour in position["queue"]:
        group[colour] = group.get(colour, 0) + 1
    position["queue"] = []


def nothing_possible(position):
    """Seat 0 is poor and nobody is in town."""
    for group in position["groups"].values():
        position["queue"] += [colour for colour, number in group.items() for _ in range(number)]
    position["groups"] = {}
    position["players"][0]["dirhams"] = 75


BROKEN = {
    # the frame
    "game missing": (THREE, edited(["game"], ...), "game"),
    "another game": (THREE, edited(["game"], "marrakech"), "game"),
    "other players": (THREE, edited(["game"], "marracash(players=4)"), "game"),
    "other knobs": (THREE, edited(["game"], "marracash(players=3,souvenirs=True)"), "game"),
    "game by number": (THREE, edited(["game"], 3), "game"),
    "phase missing": (THREE, edited(["phase"], ...), "phase"),
    "phase unknown": (THREE, edited(["phase"], "nap"), "phase"),
    "phase null": (THREE, edited(["phase"], None), "phase"),
    "phase list": (THREE, edited(["phase"], ["choose"]), "phase"),
    "extra": (THREE, edited(["extra"], 1), "'extra'"),
    "to_move too high": (THREE, edited(["to_move"], 3), "to_move"),
    "to_move negative": (THREE, edited(["to_move"], -1), "to_move"),
    "to_move true": (THREE, edited(["to_move"], True), "to_move"),
    "to_move float": (THREE, edited(["to_move"], 0.0), "to_move"),
    "to_move text": (THREE, edited(["to_move"], "0"), "to_move"),
    "to_move is not the turn": (THREE, edited(["to_move"], 1), "to_move"),
    "turn_of too high": (THREE, edited(["turn_of"], 4), "turn_of"),
    "turn_of missing": (THREE, edited(["turn_of"], ...), "turn_of"),
    "round 0": (THREE, edited(["round"], 0), "round"),
    "round text": (THREE, edited(["round"], "2"), "round"),
    "round null": (THREE, edited(["round"], None), "round"),
    "step 0": (THREE, edited(["step"], 0), "step"),
    "step 3": (THREE, edited(["step"], 3), "step"),
    "step 2 without first_step": (THREE, edited(["step"], 2), "first_step"),
    "first_step in step 1": (THREE, edited(["first_step"], "move"), "first_step"),
    "first_step unknown": (
        THREE,
        several(edited(["step"], 2), edited(["first_step"], "pass")),
        "first_step",
    ),
    "step 2 in round 1": (
        THREE,
        several(edited(["round"], 1), edited(["step"], 2), edited(["first_step"], "auction")),
        "step",
    ),
    "last_turns too high": (THREE, edited(["last_turns"], 4), "last_turns"),
    "last_turns negative": (THREE, edited(["last_turns"], -1), "last_turns"),
    "last_turns 0": (THREE, edited(["last_turns"], 0), "last_turns"),
    "last_turns false": (THREE, edited(["last_turns"], False), "last_turns"),
    "over without end": (THREE, edited(["phase"], "over"), "last_turns"),
    "over with turns left": (
        THREE,
        several(edited(["phase"], "over"), edited(["last_turns"], 1)),
        "last_turns",
    ),
    # visitors
    "groups missing": (THREE, edited(["groups"], ...), "groups"),
    "groups list": (THREE, edited(["groups"], []), "groups"),
    "unknown fountain": (THREE, edited(["groups", "F99"], {"red": 1}), "F99"),
    "fountain of the other board": (THREE, edited(["groups", "W01"], {"red": 1}), "W01"),
    "group by number": (THREE, edited(["groups", "F1"], 3), "groups.F1"),
    "unknown visitor": (THREE, edited(["groups", "F1"], {"pink": 1}), "groups.F1"),
    "no visitor": (THREE, edited(["groups", "F1"], {"red": -1}), "groups.F1"),
    "half a visitor": (THREE, edited(["groups", "F1"], {"red": 0.5}), "groups.F1"),
    "too many of a colour": (THREE, edited(["groups", "F1"], {"red": 11}), "groups.F1"),
    "one too many": (THREE, edited(["groups", "F2"], {"yellow": 1}), "yellow"),
    "one too few": (THREE, edited(["groups", "F1"], ...), "red"),
    "another colour": (THREE, edited(["queue", 0], "purple"), "visitors"),
    "queue missing": (THREE, edited(["queue"], ...), "queue"),
    "queue text": (THREE, edited(["queue"], "red"), "queue"),
    "queue object": (THREE, edited(["queue"], {"red": 3}), "queue"),
    "queue colour": (THREE, edited(["queue", 3], "pink"), "queue[3]"),
    "queue number": (THREE, edited(["queue", 3], 0), "queue[3]"),
    "queue null": (THREE, edited(["queue", 3], None), "queue[3]"),
    "queue endless": (THREE, edited(["queue"], ["red"] * 100), "queue"),
    # shops and players
    "shops list": (THREE, edited(["shops"], ["R1"]), "shops"),
    "unknown shop": (THREE, edited(["shops", "R9"], {"owner": 0, "customers": 0}), "R9"),
    "shop of nobody": (THREE, edited(["shops", "R1"], {"owner": None, "customers": 0}), "owner"),
    "shop of seat 3": (THREE, edited(["shops", "R1"], {"owner": 3, "customers": 0}), "owner"),
    "shop without customers": (THREE, edited(["shops", "R1"], {"owner": 0}), "customers"),
    "shop negative": (
        THREE,
        edited(["shops", "R1"], {"owner": 0, "customers": -1}),
        "shops.R1.customers",
    ),
    "shop crowded": (
        THREE,
        edited(["shops", "R1"], {"owner": 0, "customers": 11}),
        "shops.R1.customers",
    ),
    "shop sold and sign in hand": (
        THREE,
        edited(["shops", "R1"], {"owner": 0, "customers": 0}),
        "players[0]",
    ),
    "sign lost": (THREE, edited(["players", 1, "signs"], 5), "players[1]"),
    "seven signs": (THREE, edited(["players", 1, "signs"], 7), "players[1].signs"),
    "minus a sign": (THREE, edited(["players", 1, "signs"], -1), "players[1].signs"),
    "signs null": (THREE, edited(["players", 1, "signs"], None), "players[1].signs"),
    "players null": (THREE, edited(["players"], None), "players"),
    "a player less": (THREE, edited(["players", 2], ...), "players"),
    "a player null": (THREE, edited(["players", 1], None), "players[1]"),
    "a player with rugs": (THREE, edited(["players", 1, "rugs"], 2), "'rugs'"),
    "dirhams missing": (THREE, edited(["players", 1, "dirhams"], ...), "dirhams"),
    "debts": (THREE, edited(["players", 1, "dirhams"], -25), "players[1].dirhams"),
    "small change": (THREE, edited(["players", 1, "dirhams"], 110), "players[1].dirhams"),
    "dirhams float": (THREE, edited(["players", 1, "dirhams"], 100.0), "players[1].dirhams"),
    "dirhams text": (THREE, edited(["players", 1, "dirhams"], "100"), "players[1].dirhams"),
    # auctions
    "auction in choose": (THREE, several(at_auction, edited(["phase"], "choose")), "auction"),
    "bid without auction": (THREE, edited(["phase"], "bid"), "auction"),
    "auction of nothing": (THREE, bid(shop=None), "auction.shop"),
    "auction of an unknown shop": (THREE, bid(shop="R9"), "auction.shop"),
    "auction of an owned shop": (
        THREE,
        several(
            at_auction,
            edited(["shops", "R3"], {"owner": 0, "customers": 0}),
            edited(["players", 0, "signs"], 5),
        ),
        "auction.shop",
    ),
    "auctioneer out of turn": (THREE, bid(auctioneer=1), "auction.auctioneer"),
    "auctioneer null": (THREE, bid(auctioneer=None), "auction.auctioneer"),
    "bid too low": (THREE, bid(bid=75), "auction.bid"),
    "bid odd": (THREE, bid(bid=210), "auction.bid"),
    "bid 0": (THREE, bid(bid=0), "auction.bid"),
    "bid over cash": (THREE, bid(bid=1225), "auction"),
    "bidder null": (THREE, bid(bidder=None), "auction"),
    "bidder unknown": (THREE, bid(bidder=3), "auction.bidder"),
    "bidder passed": (THREE, bid(passed=[1]), "auction"),
    "bidder asked": (THREE, bid(bidder=2), "auction"),
    "asked after passing": (THREE, bid(passed=[2]), "auction"),
    "passed twice": (THREE, bid(passed=[0, 0]), "auction.passed"),
    "passed nobody": (THREE, bid(passed=None), "auction.passed"),
    "passed unknown": (THREE, bid(passed=[3]), "auction.passed"),
    "all passed": (THREE, bid(passed=[0, 1, 2]), "auction"),
    "asked out of turn": (
        THREE,
        several(bid(passed=[]), edited(["to_move"], 0)),
        "auction",
    ),
    "opening by another": (THREE, several(before_the_bid, edited(["to_move"], 1)), "auction"),
    "opening after a pass": (THREE, opening(passed=[1]), "auction"),
    "opening with a bidder": (THREE, opening(bidder=1), "auction"),
    "opening without money": (
        THREE,
        several(before_the_bid, edited(["players", 0, "dirhams"], 75)),
        "auction",
    ),
    # phases against the rest
    "bring without an empty gate": (THREE, edited(["phase"], "bring"), "bring"),
    "bring with nobody outside": (
        THREE,
        several(
            edited(["phase"], "bring"),
            edited(["groups", "F2"], {"red": 1}),
            edited(["groups", "F1"], ...),
            nobody_outside,
        ),
        "bring",
    ),
    "step 2 with nothing possible": (
        THREE,
        several(nothing_possible, edited(["step"], 2), edited(["first_step"], "move")),
        "step",
    ),
    "card without souvenirs": (THREE, several(walking("card"), edited(["cards"], None)), "phase"),
    "walk in choose": (THREE, edited(["walk"], {"kind": "move"}), "walk"),
    # cards and walks
    "cards without souvenirs": (THREE, cards([], {}), "cards"),
    "no cards": (SOUVENIRS, edited(["cards"], None), "cards"),
    "cards list": (SOUVENIRS, edited(["cards"], []), "cards"),
    "three open": (
        SOUVENIRS,
        cards([["red", 50], ["red", 75], ["red", 100]], {}),
        "cards.open",
    ),
    "unknown card": (SOUVENIRS, cards([["red", 50], ["red", 175]], {}), "cards.open"),
    "card of no colour": (SOUVENIRS, cards([["pink", 50]], {}), "cards.open"),
    "card without value": (SOUVENIRS, cards([["red"]], {}), "cards.open"),
    "card too long": (SOUVENIRS, cards([["red", 50, 1], ["red", 75]], {}), "cards.open"),
    "card as text": (SOUVENIRS, cards(["red 50"], {}), "cards.open"),
    "card by float": (SOUVENIRS, cards([["red", 50.0], ["red", 75]], {}), "cards.open"),
    "card twice open": (SOUVENIRS, cards([["red", 50], ["red", 50]], {}), "cards"),
    "card open and left": (
        SOUVENIRS,
        cards([["red", 50], ["red", 75]], {"red": [50]}),
        "cards",
    ),
    "card twice left": (
        SOUVENIRS,
        cards([["red", 50], ["red", 75]], {"blue": [125, 125]}),
        "cards",
    ),
    "deck of no colour": (SOUVENIRS, cards([["red", 50], ["red", 75]], {"pink": [50]}), "cards"),
    "deck of numbers": (SOUVENIRS, cards([["red", 50], ["red", 75]], {"blue": 125}), "cards.left"),
    "one open with a deck": (SOUVENIRS, cards([["red", 50]], {"blue": [125, 150]}), "cards"),
    "card without walk": (
        SOUVENIRS,
        several(walking("card"), edited(["walk"], ...)),
        "walk",
    ),
    "walk without group": (SOUVENIRS, walking("card", group=...), "group"),
    "walk of no kind": (SOUVENIRS, walking("card", kind="stroll"), "walk.kind"),
    "walk of nobody": (SOUVENIRS, walking("card", mover=None), "walk.mover"),
    "walk out of turn": (SOUVENIRS, walking("card", mover=2), "walk.mover"),
    "walk to nowhere": (SOUVENIRS, walking("card", to=None), "walk.to"),
    "walk to an unknown fountain": (SOUVENIRS, walking("card", to="F99"), "walk.to"),
    "walk of pink ones": (SOUVENIRS, walking("card", group={"pink": 1}), "walk.group"),
    "walk past no shop": (SOUVENIRS, walking("card", shops=[]), "walk.shops"),
    "walk past an unknown shop": (SOUVENIRS, walking("card", shops=["R9"]), "walk.shops"),
    "walk past all shops": (SOUVENIRS, walking("card", shops=SHOPS), "walk.shops"),
    "walk into an unowned shop": (SOUVENIRS, walking("reveal", shops=["G1"]), "walk.shops"),
    "walk without customers": (SOUVENIRS, walking("card", customers=0), "walk.customers"),
    "walk with customers nobody saw": (SOUVENIRS, walking("card", customers=2), "walk"),
    "walk for nothing": (SOUVENIRS, walking("card", total=0), "walk.total"),
    "walk for less than its customers brought": (
        {**SOUVENIRS, "commission": "per-group"},
        several(walking("reveal", customers=5, total=1475), more_customers),
        "walk.total",
    ),
    "walk for small change": (SOUVENIRS, walking("card", total=110), "walk.total"),
    "card of no payment": (SOUVENIRS, walking("card", payment=None), "walk.payment"),
    "card of a small payment": (SOUVENIRS, walking("card", payment=110), "walk.payment"),
    "reveal of a payment": (SOUVENIRS, walking("reveal", payment=100), "walk.payment"),
    "card for another": (SOUVENIRS, several(walking("card"), edited(["to_move"], 0)), "to_move"),
    "reveal by the owner": (
        SOUVENIRS,
        several(walking("reveal"), edited(["to_move"], 1)),
        "to_move",
    ),
    "card of one": (
        SOUVENIRS,
        several(walking("card"), cards([["green", 100], ["red", 100]], {})),
        "cards.open",
    ),
    "reveal of one": (
        SOUVENIRS,
        several(walking("reveal"), cards([["green", 100]], {"red": [50]})),
        "cards.left",
    ),
    "reveal of nothing": (
        SOUVENIRS,
        several(walking("reveal"), cards([["green", 100]], {})),
        "cards.left",
    ),
    "reveal with two open": (
        SOUVENIRS,
        several(walking("reveal"), cards([["red", 100], ["red", 125]], {"red": [50, 75]})),
        "cards.open",
    ),
    "reveal with none open": (
        SOUVENIRS,
        several(walking("reveal"), cards([], {"red": [50, 75]})),
        "cards.open",
    ),
    "walk in the first round": (
        SOUVENIRS,
        several(walking("reveal"), edited(["round"], 1)),
        "walk",
    ),
    "walk after an auction": (
        SOUVENIRS,
        several(walking("reveal"), edited(["step"], 2), edited(["first_step"], "auction")),
        "walk",
    ),
    "pull-in where there is none": (
        SOUVENIRS,
        walking("reveal", kind="auction", mover=None, to=None, group={}),
        "walk",
    ),
    "pull-in by a mover": (PULL_IN, walking("reveal", kind="auction"), "walk"),
    "pull-in of another colour": (
        PULL_IN,
        walking("reveal", kind="auction", mover=None, to=None),
        "walk.group",
    ),
    "pull-in of two shops": (
        PULL_IN,
        walking("reveal", kind="auction", mover=None, to=None, group={}, shops=["G2", "R1"]),
        "walk.shops",
    ),
    "owner without the payment": (
        SOUVENIRS,
        several(walking("card"), edited(["players", 1, "dirhams"], 0)),
        "players[1].dirhams",
    ),
    "owner without the commission": (
        {**SOUVENIRS, "commission": "per-group"},
        several(walking("reveal"), edited(["players", 1, "dirhams"], 0)),
        "players[1].dirhams",
    ),
    "owner without the single commission": (
        {**SOUVENIRS, "commission": "once"},
        several(walking("reveal"), edited(["players", 1, "dirhams"], 0)),
        "players[1].dirhams",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_position_whose_pieces_make_no_sense_is_refused(case):
    knobs, breaks, problem = BROKEN[case]
    position = make_position(knobs, groups=GATES)
    load(knobs, position)
    breaks(position)
    with pytest.raises(souk.BadPosition) as refusal:
        load(knobs, position)
    assert any(problem in result for result in refusal.value.problems), refusal.value.problems
    assert problem in str(refusal.value)


@pytest.mark.parametrize("knobs", [SOUVENIRS, PULL_IN], ids=game_text)
@pytest.mark.parametrize("phase", ["card", "reveal"])
def test_the_walks_that_the_refusals_spoil_are_good(knobs, phase):
    position = make_position(knobs, groups=GATES)
    walking(phase)(position)
    assert load(knobs, position).legal_actions()
    for change in (at_auction, before_the_bid):
        position = make_position(knobs, groups=GATES)
        change(position)
        assert load(knobs, position).legal_actions()


@pytest.mark.parametrize("position", [None, 3, "marracash", [], [1, 2], True, 2.5, {}])
def test_values_other_than_positions_are_refused(position):
    with pytest.raises(souk.BadPosition):
        load(THREE, position)


def test_several_problems_are_named_at_once():
    position = make_position(groups=GATES)
    for path, value in (
        (["phase"], "nap"),
        (["round"], 0),
        (["groups", "F99"], {"red": 1}),
        (["queue", 2], "pink"),
        (["players", 1, "dirhams"], 30),
        (["shops", "R9"], {"owner": 0, "customers": 0}),
        (["cards"], []),
    ):
        edited(path, value)(position)
    with pytest.raises(souk.BadPosition) as refusal:
        load(THREE, position)
    for where in ("phase", "round", "F99", "queue[2]", "players[1].dirhams", "R9", "cards"):
        assert where in str(refusal.value)


def test_every_colour_that_does_not_add_up_is_named():
    position = make_position(groups=GATES)
    position["queue"][0] = "purple"  # it was red
    with pytest.raises(souk.BadPosition) as refusal:
        load(THREE, position)
    assert "red" in str(refusal.value) and "purple" in str(refusal.value)


def test_a_refused_position_is_a_value_error():
    with pytest.raises(ValueError, match="cannot be loaded"):
        load(THREE, {})


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [10**5000, -(10**5000), nested(5000), "x" * 10**6], ids=type)
@pytest.mark.parametrize(
    "path",
    [
        ["game"],
        ["phase"],
        ["to_move"],
        ["round"],
        ["first_step"],
        ["last_turns"],
        ["groups"],
        ["groups", "F1"],
        ["groups", "F1", "red"],
        ["queue"],
        ["queue", 0],
        ["shops", "R1"],
        ["players", 0],
        ["players", 0, "dirhams"],
        ["auction"],
        ["cards"],
        ["cards", "open"],
        ["cards", "left", "red"],
        ["walk"],
    ],
    ids=str,
)
def test_monstrous_values_are_refused_in_few_words(path, value):
    position = make_position(SOUVENIRS, groups=GATES)
    edited(path, value)(position)
    with pytest.raises(souk.BadPosition) as refusal:
        load(SOUVENIRS, position)
    assert len(str(refusal.value)) < 2000


@pytest.mark.parametrize("name", ["x" * 10**6, "F1\n" * 1000], ids=["long", "lines"])
@pytest.mark.parametrize("where", ["groups", "shops", "position", "group", "left"])
def test_monstrous_names_are_refused_in_few_words(where, name):
    position = make_position(SOUVENIRS, groups=GATES)
    inner = {
        "position": position,
        "group": position["groups"]["F1"],
        "left": position["cards"]["left"],
    }.get(where, position.get(where))
    inner[name] = {}
    with pytest.raises(souk.BadPosition) as refusal:
        load(SOUVENIRS, position)
    assert len(str(refusal.value)) < 2000


# ---- anything at all -----------------------------------------------------------------------------


def loads_and_plays_or_is_refused(game, position, rng):
    """The whole of the promise: a state that works, or BadPosition and nothing else."""
    try:
        state = game.state_from_dict(position)
    except souk.BadPosition:
        return False
    for _ in range(40):
        written = state.to_dict()
        assert game.state_from_dict(written) == state, "what was loaded stays loadable"
        assert game.state_from_dict(written).to_dict() == written
        assert min(state.scores()) >= 0
        assert str(state)
        assert len(state.returns()) == game.num_players()
        if state.is_terminal():
            assert state.legal_actions() == []
            break
        if state.is_chance_node():
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
            assert len(state.chance_outcomes()) > 1
        before = state.scores()
        state.apply_action(state.string_to_action(sensible(rng, texts(state))))
        assert event_gains(state.events(), len(before)) == score_changes(before, state.scores())
    souk.playouts(state, games=1, seed=1, target="python")
    return True


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["red", "yellow", "F1", "R3", "choose", "bid", "over", "move"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["F1", "R3", "owner", "customers", "red", "open"])
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(anything)
@settings(max_examples=100)
def test_any_json_is_refused_as_a_bad_position(value):
    game = souk.load_game("marracash", players=3)
    assert not loads_and_plays_or_is_refused(game, value, Random(1))


def places_in(value, path=()):
    """The way to every value inside a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else items:
        yield from places_in(inner, (*path, key))


amounts = st.sampled_from([0, 25, 75, 100, 500, 1200, 29_350, 30_550])
seats = st.integers(0, 3)
colours = st.sampled_from(COLOURS)
shops = st.sampled_from(SHOPS)
fountains = st.sampled_from(["F1", "F2", "F8", "W01", "W04"])
LIKELY = {
    "phase": st.sampled_from(["choose", "bid", "bring", "card", "reveal", "over"]),
    "to_move": seats,
    "turn_of": seats,
    "round": st.sampled_from([1, 2, 3, 1_000_000]),
    "step": st.sampled_from([1, 2]),
    "first_step": st.sampled_from([None, "move", "auction"]),
    "last_turns": st.sampled_from([None, 0, 1, 2, 3, 4]),
    "owner": seats,
    "customers": st.integers(0, 5),
    "dirhams": amounts,
    "signs": st.integers(0, 6),
    "shop": shops,
    "auctioneer": seats,
    "bid": amounts,
    "bidder": st.none() | seats,
    "passed": st.lists(seats, max_size=3),
    "kind": st.sampled_from(["move", "auction"]),
    "mover": st.none() | seats,
    "to": st.none() | fountains,
    "shops": st.lists(shops, max_size=3),
    "total": amounts,
    "payment": st.none() | amounts,
    "open": st.lists(st.tuples(colours, st.sampled_from([100, 150])).map(list), max_size=2),
    "walk": st.none(),
    "auction": st.none(),
    "cards": st.none(),
}


@st.composite
def mutated(draw):
    """A valid position with some values changed, taken away, added or exchanged."""
    state = draw(states())
    position = json.loads(json.dumps(state.to_dict()))
    for _ in range(draw(st.integers(1, 4))):
        ways = [path for path in places_in(position) if path]
        # not mostly the queue, which is long
        likely_ways = [path for path in ways if path[-1] in LIKELY] or ways
        way = draw(st.sampled_from(ways) | st.sampled_from(likely_ways))
        inner = position
        for key in way[:-1]:
            inner = inner[key]
        kind = draw(
            st.sampled_from(["likely", "likely", "likely", "likely", "swap", "anything", "gone"])
        )
        if kind == "gone":
            del inner[way[-1]]
        elif kind == "swap":
            _swap_visitors(draw, position)
        else:
            likely = LIKELY.get(way[-1], st.integers(0, 5) | colours)
            inner[way[-1]] = draw(likely if kind == "likely" else anything)
        if not position:
            break
    return state.game, position


def _swap_visitors(draw, position):
    """The first of the queue stands on a fountain, or walks: the numbers still add up."""
    queue, groups, walk = (position.get(name) for name in ("queue", "groups", "walk"))
    if not isinstance(queue, list) or not queue or not isinstance(queue[0], str):
        return
    colour = queue.pop(0)
    places = list(groups.values()) if isinstance(groups, dict) else []
    places = [group for group in places if isinstance(group, dict)]
    if isinstance(walk, dict) and isinstance(walk.get("group"), dict):
        places.append(walk["group"])
    if places:
        group = draw(st.sampled_from(places))
        number = group.get(colour, 0)
        group[colour] = number + 1 if isinstance(number, int) else 1


@given(mutated(), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_a_mutated_position_works_or_is_refused(given_position, rng):
    game, position = given_position
    loads_and_plays_or_is_refused(game, position, rng)


def test_a_loaded_fortune_may_grow():
    """Nobody can have earned so much, but a position is not asked how it came about."""
    position = make_position(groups={"F1": "green"}, shops={"G2": (0, 0)}, dirhams=[29_350] * 3)
    state = load(THREE, position)
    state.apply_action(state.string_to_action("move F1>F2"))
    assert state.scores()[0] == 29_450
    assert load(THREE, state.to_dict()) == state


def test_every_position_of_a_game_can_be_loaded():
    """At the limits too: the richest players earn more, and a late round is followed by another."""
    position = make_position(
        groups={"F1": "green"}, shops={"G2": (0, 0)}, dirhams=[10_000_000, 0, 0], round=10**15
    )
    state = load(THREE, position)
    state.apply_action(state.string_to_action("move F1>F2"))
    assert state.scores()[0] == 10_000_100
    while state.to_dict()["round"] == 10**15:
        assert load(THREE, state.to_dict()) == state
        state.apply_action(state.legal_actions()[0])
    assert load(THREE, state.to_dict()) == state

    position["players"][1]["dirhams"] = 25
    with pytest.raises(souk.BadPosition, match="players: have 10000025 dirhams together"):
        load(THREE, position)
