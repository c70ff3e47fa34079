"""The rules of MarraCash, a sentence a test, in the order of the rules file."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import souk
from tests.games.marracash.board_facts import COLOUR_OF, SHOPS
from tests.games.marracash.custom_boards import entry, save_board, town
from tests.games.marracash.positions import ALL_INSIDE, TOWNS, make_position, sensible
from tests.games.marracash.reference import CARDS, COLOURS, VISITORS
from tests.games.marracash.strategies import games_played

FOUR = {"players": 4}
GROUP = {"commission": "per-group"}
ONCE = {"commission": "once"}
SOUVENIRS = {"souvenirs": True}
PULL_IN = {"pull_in": True}

seats_3_or_4 = pytest.mark.parametrize("players", [3, 4])


# ---- help: positions in, texts out ---------------------------------------------------------------


def load(knobs=None):
    return souk.load_game("marracash", **{"players": 3, **(knobs or {})})


def set_up(knobs=None, **arrangement):
    return load(knobs).state_from_dict(make_position(knobs, **arrangement))


def play(state, *texts):
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def legal(state):
    return {state.action_to_string(action) for action in state.legal_actions()}


def kinds(state):
    return {text.split()[0] for text in legal(state)}


def at(state):
    """Phase, who must act, whose turn it is."""
    position = state.to_dict()
    return position["phase"], position["to_move"], position["turn_of"]


def dirhams(state):
    return [player["dirhams"] for player in state.to_dict()["players"]]


def groups(state):
    return state.to_dict()["groups"]


def shop(state, name):
    here = state.to_dict()["shops"][name]
    return here["owner"], here["customers"]


def open_cards(state):
    return sorted(map(tuple, state.to_dict()["cards"]["open"]))


def cards(opened, left=""):
    """Cards as the JSON has them, from texts like "red 50, blue 125"."""
    piles = {}
    for card in filter(None, left.split(", ")):
        colour, value = card.split()
        piles.setdefault(colour, []).append(int(value))
    shown = [card.split() for card in filter(None, opened.split(", "))]
    return {"open": [[colour, int(value)] for colour, value in shown], "left": piles}


def chance(state):
    return {
        state.action_to_string(action): Fraction(p).limit_denominator(100)
        for action, p in state.chance_outcomes()
    }


def colour_of(name):
    return COLOUR_OF[name[0]]


def inside(position, colour):
    """Return all visitors of a colour, wherever they are."""
    return (
        position["queue"].count(colour)
        + sum(group.get(colour, 0) for group in position["groups"].values())
        + (position.get("walk") or {"group": {}})["group"].get(colour, 0)
        + sum(
            here["customers"]
            for name, here in position["shops"].items()
            if colour_of(name) == colour
        )
    )


def rank_payment(rank):
    return min(100 * rank, 500)


def bank_paid_for_customers(before, after):
    """Owner, payment by rank for everyone who entered a shop in between, shop by shop."""
    for name, here in after["shops"].items():
        had = before["shops"].get(name, {"customers": 0})["customers"]
        for rank in range(had + 1, here["customers"] + 1):
            yield name, here["owner"], rank_payment(rank)


def all_cards(position):
    held = position["cards"]
    left = [(colour, value) for colour, values in held["left"].items() for value in values]
    return sorted([tuple(card) for card in held["open"]] + left)


def sold(before, after):
    """The cards that left the game."""
    if before["cards"] is None:
        return []
    return sorted(set(all_cards(before)) - set(all_cards(after)))


def knobs_of(position):
    return souk.load_game(position["game"]).settings


def sale(before, text, after):
    """(shop, buyer, price, auctioneer) where the step ends an auction, else None."""
    if before["phase"] == "bid" and after["phase"] != "bid":
        auction = before["auction"]
        assert text == "pass"
        return auction["shop"], auction["bidder"], auction["bid"], auction["auctioneer"]
    return None


# ---- components and setup ------------------------------------------------------------------------


@seats_3_or_4
def test_everyone_starts_with_1200_dirhams_and_6_signs_and_seat_0_begins(players):
    position = load({"players": players}).new_initial_state(seed=1).to_dict()
    assert position["players"] == [{"dirhams": 1200, "signs": 6}] * players
    assert (position["phase"], position["to_move"], position["turn_of"]) == ("choose", 0, 0)
    assert (position["round"], position["step"], position["first_step"]) == (1, 1, None)
    assert position["last_turns"] is None and position["shops"] == {}
    assert position["auction"] is None and position["cards"] is None


@given(st.integers(0, 2**63 - 1), st.sampled_from(list(TOWNS)))
def test_three_colours_stand_on_every_dark_fountain_and_the_other_45_wait(seed, layout):
    position = load({"layout": layout}).new_initial_state(seed=seed).to_dict()
    assert sorted(position["groups"]) == sorted(TOWNS[layout].gates)
    assert all(sorted(group.values()) == [1, 1, 1] for group in position["groups"].values())
    assert len(position["queue"]) == 45
    assert {colour: inside(position, colour) for colour in COLOURS} == VISITORS


@given(st.integers(0, 2**63 - 1))
def test_the_queue_never_has_three_of_one_colour_in_a_row(seed):
    queue = load().new_initial_state(seed=seed).to_dict()["queue"]
    assert all(len(set(queue[i : i + 3])) > 1 for i in range(43))


@given(games_played())
def test_54_visitors_are_always_accounted_for(game):
    for _, _, after in game:
        assert {colour: inside(after, colour) for colour in COLOURS} == VISITORS


@given(games_played())
def test_every_sign_is_in_hand_or_on_a_shop(game):
    for _, _, after in game:
        for seat, player in enumerate(after["players"]):
            owned = [here for here in after["shops"].values() if here["owner"] == seat]
            assert player["signs"] + len(owned) == 6


@given(games_played())
def test_all_amounts_are_multiples_of_25_and_nobody_owes(game):
    for _, _, after in game:
        for player in after["players"]:
            assert player["dirhams"] >= 0 and player["dirhams"] % 25 == 0


# ---- first round ---------------------------------------------------------------------------------


@seats_3_or_4
def test_in_the_first_round_each_player_in_turn_only_auctions_one_unowned_shop(players):
    state = load({"players": players}).new_initial_state(seed=3)
    for seat in range(players):
        assert at(state) == ("choose", seat, seat)
        free = set(SHOPS) - set(state.to_dict()["shops"])
        assert legal(state) == {f"auction {name}" for name in free}
        assert len(free) == 25 - seat
        play(state, f"auction {min(free)}", "bid 100", *["pass"] * (players - 1))
        assert shop(state, min(free)) == (seat, 0)
    assert state.to_dict()["round"] == 2
    assert at(state) == ("choose", 0, 0)
    assert kinds(state) == {"move", "auction"}


def test_a_player_without_enough_money_in_the_first_round_passes():
    state = load().new_initial_state(seed=3)
    play(state, "auction R1", "bid 100", "bid 1125", "pass", "pass")
    assert dirhams(state) == [1400, 75, 1200]
    assert at(state) == ("choose", 1, 1)
    assert legal(state) == {"pass"}
    play(state, "pass")
    assert at(state) == ("choose", 2, 2)
    assert state.to_dict()["round"] == 1 and kinds(state) == {"auction"}


@given(games_played())
def test_nothing_is_moved_in_the_first_round(game):
    for before, text, _ in game:
        assert before["round"] > 1 or not text.startswith("move")


# ---- later turns ---------------------------------------------------------------------------------


@given(games_played())
def test_a_turn_is_two_moves_or_a_move_and_an_auction_or_two_auctions(game):
    turn = []
    for number, (before, text, after) in enumerate(game):
        if before["phase"] == "choose":
            if before["step"] == 1:
                turn = []
            elif not turn:
                turn = [before["first_step"]]  # it began before the game was loaded
            assert before["first_step"] == (turn[0] if turn else None)
            assert before["step"] == len(turn) + 1
            turn.append(text.split()[0])
            shapes = [["pass"], ["move"], ["auction"], ["move", "move"], ["move", "auction"]]
            assert turn in [*shapes, ["auction", "auction"]], (number, turn)
            assert before["round"] > 1 or turn in (["pass"], ["auction"])
        assert after["turn_of"] == before["turn_of"] or after["phase"] == "choose"


@given(games_played())
def test_seats_play_in_order_and_a_round_begins_with_seat_0(game):
    for before, _, after in game:
        if after["turn_of"] == before["turn_of"]:
            assert after["round"] == before["round"]
            continue
        seats = len(after["players"])
        assert after["turn_of"] == after["to_move"] == (before["turn_of"] + 1) % seats
        assert after["round"] == before["round"] + (after["turn_of"] == 0)
        assert (after["phase"], after["step"], after["first_step"]) == ("choose", 1, None)


def test_after_a_move_one_may_move_or_auction():
    state = play(set_up(groups={"F1": "red", "F8": "blue", "F16": "green"}), "move F1>F2")
    assert at(state) == ("choose", 0, 0)
    position = state.to_dict()
    assert (position["step"], position["first_step"]) == (2, "move")
    assert kinds(state) == {"move", "auction"}


def test_after_an_auction_one_may_only_auction():
    state = set_up(groups={"F1": "red", "F8": "blue", "F16": "green"})
    play(state, "auction R1", "bid 100", "pass", "pass")
    assert at(state) == ("choose", 0, 0)
    position = state.to_dict()
    assert (position["step"], position["first_step"]) == (2, "auction")
    assert kinds(state) == {"auction"} and "auction R1" not in legal(state)


def test_no_possible_step_may_be_declined():
    state = set_up(groups={"F1": "red", "F8": "blue", "F16": "green"})
    assert "pass" not in legal(state)
    play(state, "move F1>F2")
    assert "pass" not in legal(state)


@given(games_played())
def test_pass_is_chosen_only_where_nothing_else_is_possible(game):
    for before, text, _ in game:
        if before["phase"] == "choose" and text == "pass":
            player = before["players"][before["turn_of"]]
            can_move = before["groups"] and before["round"] > 1
            cannot_auction = player["dirhams"] < 100 or player["signs"] == 0
            assert before["step"] == 1 and not can_move
            assert cannot_auction or len(before["shops"]) == 25


def test_if_a_second_auction_cannot_be_held_the_turn_goes_on_by_itself():
    state = set_up(groups={"F1": "red", "F8": "blue", "F16": "green"}, dirhams=[150, 500, 500])
    play(state, "auction R1", "bid 100", "pass", "pass")
    assert dirhams(state) == [50, 500, 500]
    assert at(state) == ("choose", 1, 1)


def test_if_a_second_auction_cannot_be_held_empty_gates_are_still_filled():
    state = set_up(groups={"F8": "blue", "F16": "green"}, dirhams=[150, 500, 500])
    play(state, "auction R1", "bid 100", "pass", "pass")
    assert at(state) == ("bring", 0, 0)


def test_if_nobody_is_left_to_move_and_nothing_to_auction_the_second_step_is_skipped():
    shops = {**ALL_INSIDE, "R1": (1, 0), "R2": (2, 9)}
    state = set_up(groups={"F1": "red"}, shops=shops, dirhams=[25, 0, 0])
    play(state, "move F1>F3")
    assert shop(state, "R1") == (1, 1) and dirhams(state) == [75, 50, 0]
    assert at(state) == ("choose", 1, 1)


def test_if_nobody_is_left_to_move_the_second_step_is_an_auction():
    state = set_up(groups={"F1": "red"}, shops={**ALL_INSIDE, "R1": (0, 9)})
    play(state, "move F1>F3")
    assert at(state) == ("choose", 0, 0) and kinds(state) == {"auction"}


@pytest.mark.parametrize("amount", [0, 25, 75])
def test_a_player_with_fewer_than_100_dirhams_cannot_start_an_auction(amount):
    state = set_up(groups={"F1": "red"}, dirhams=[amount, 500, 500])
    assert kinds(state) == {"move"}
    assert kinds(set_up(groups={"F1": "red"}, dirhams=[100, 0, 0])) == {"move", "auction"}


def test_a_player_without_signs_cannot_start_an_auction():
    own = dict.fromkeys(["R1", "R2", "R3", "R4", "R5", "Y1"], (0, 0))
    assert kinds(set_up(groups={"F1": "red"}, shops=own)) == {"move"}
    own.popitem()
    assert kinds(set_up(groups={"F1": "red"}, shops=own)) == {"move", "auction"}


def test_an_owned_shop_cannot_be_auctioned():
    state = set_up(groups={"F1": "red"}, shops={"R1": (1, 0), "B5": (0, 0)})
    auctions = {text for text in legal(state) if text.startswith("auction")}
    assert auctions == {f"auction {name}" for name in SHOPS if name not in ("R1", "B5")}


def test_with_nothing_possible_a_player_passes_which_ends_their_turn():
    state = set_up(shops=ALL_INSIDE, dirhams=[75, 500, 500])
    assert legal(state) == {"pass"}
    play(state, "pass")
    assert at(state) == ("choose", 1, 1)


def test_a_player_who_passes_still_brings_visitors():
    """With no visitors and no money, the player in turn still fills the gates."""
    state = play(set_up(dirhams=[0, 500, 500]), "pass")
    assert at(state) == ("bring", 0, 0)
    play(state, "bring F8 head 2", "bring F1 head 2", "bring F16 tail 2")
    assert at(state) == ("choose", 1, 1)


# ---- auction -------------------------------------------------------------------------------------


def at_auction(players=3, **more):
    knobs = {"players": players}
    return play(set_up(knobs, groups={"F1": "red"}, **more), "auction R3")


def bids(low, high):
    return {f"bid {amount}" for amount in range(low, high + 1, 25)}


def test_the_auctioneer_makes_the_first_bid_of_at_least_100_and_cannot_pass():
    state = at_auction()
    assert at(state) == ("bid", 0, 0)
    assert legal(state) == bids(100, 1200)
    assert state.to_dict()["auction"] == {
        "shop": "R3",
        "auctioneer": 0,
        "bid": None,
        "bidder": None,
        "passed": [],
    }


def test_each_player_passes_or_bids_more_up_to_their_cash():
    state = play(at_auction(dirhams=[600, 325, 1000]), "bid 200")
    assert at(state) == ("bid", 1, 0)
    assert legal(state) == bids(225, 325) | {"pass"}
    play(state, "bid 325")
    assert legal(state) == bids(350, 1000) | {"pass"}
    play(state, "bid 1000")
    assert at(state) == ("bid", 0, 0)
    assert legal(state) == {"pass"}, "a player who cannot bid is asked too"
    play(state, "pass")
    assert at(state) == ("bid", 1, 0) and legal(state) == {"pass"}
    play(state, "pass")
    assert shop(state, "R3") == (2, 0)
    assert dirhams(state) == [800, 325, 0]


def test_bidding_goes_round_and_round_without_those_who_passed():
    state = play(at_auction(4), "bid 100", "bid 125", "pass", "bid 150")
    assert at(state) == ("bid", 0, 0)
    play(state, "bid 175", "bid 200")
    assert at(state) == ("bid", 3, 0), "seat 2 is out"
    assert state.to_dict()["auction"]["passed"] == [2]
    play(state, "pass", "pass")
    assert state.to_dict()["auction"] is None
    assert shop(state, "R3") == (1, 0)
    assert dirhams(state) == [1300, 1000, 1200, 1200]


def test_passed_is_in_the_order_of_passing():
    state = play(at_auction(4), "bid 100", "bid 125", "pass", "bid 150", "pass")
    auction = state.to_dict()["auction"]
    assert (auction["passed"], auction["bid"], auction["bidder"]) == ([2, 0], 150, 3)
    assert at(state) == ("bid", 1, 0)


def test_nobody_bids_with_no_sign_left():
    own = dict.fromkeys(["Y1", "Y2", "Y3", "Y4", "Y5", "B1"], (1, 0))
    state = play(at_auction(shops=own), "bid 100")
    assert at(state) == ("bid", 1, 0) and legal(state) == {"pass"}


def test_the_auctioneer_who_gets_the_shop_pays_the_bank_and_gets_no_commission():
    state = play(at_auction(), "bid 300", "pass", "pass")
    assert dirhams(state) == [900, 1200, 1200]
    assert shop(state, "R3") == (0, 0)
    assert state.to_dict()["players"][0]["signs"] == 5


@pytest.mark.parametrize(
    ("price", "commission"),
    [(125, 100), (475, 100), (500, 100), (525, 200), (550, 200), (1200, 200)],
)
def test_the_auctioneer_gets_100_for_a_price_up_to_500_and_200_from_525_on(price, commission):
    state = play(at_auction(), "bid 100", "pass", f"bid {price}", "pass")
    assert dirhams(state) == [1200 + commission, 1200, 1200 - price]
    assert shop(state, "R3") == (2, 0)


@given(games_played())
def test_a_bid_is_higher_than_the_last_and_within_the_bidders_cash_and_signs(game):
    for before, text, after in game:
        if before["phase"] == "bid" and text.startswith("bid"):
            amount, bidder = int(text.split()[1]), before["to_move"]
            assert amount % 25 == 0
            assert amount >= (100 if before["auction"]["bid"] is None else 100 + 25)
            assert amount > (before["auction"]["bid"] or 0)
            assert amount <= before["players"][bidder]["dirhams"]
            assert before["players"][bidder]["signs"] > 0
            assert (after["auction"]["bid"], after["auction"]["bidder"]) == (amount, bidder)
            assert after["auction"]["passed"] == before["auction"]["passed"]


@given(games_played())
def test_players_are_asked_in_turn_order_until_all_but_one_have_passed(game):
    for before, text, after in game:
        if before["phase"] != "bid":
            continue
        seats = len(before["players"])
        passed = list(before["auction"]["passed"])
        if text == "pass":
            assert before["auction"]["bid"] is not None, "the opening bid is no pass"
            passed.append(before["to_move"])
        order = [(before["to_move"] + k) % seats for k in range(1, seats + 1)]
        if len(passed) == seats - 1:
            assert after["auction"] is None
        else:
            assert after["auction"]["passed"] == passed
            assert after["to_move"] == next(seat for seat in order if seat not in passed)


@given(games_played())
def test_a_sale_is_paid_to_the_bank_and_the_auctioneer_by_it(game):
    for before, text, after in game:
        sold_shop = sale(before, text, after)
        if sold_shop is None:
            continue
        name, buyer, price, auctioneer = sold_shop
        assert name not in before["shops"] and after["shops"][name]["owner"] == buyer
        assert after["players"][buyer]["signs"] == before["players"][buyer]["signs"] - 1
        if after["shops"][name]["customers"]:
            continue  # pulled in
        expected = [player["dirhams"] for player in before["players"]]
        expected[buyer] -= price
        if buyer != auctioneer:
            expected[auctioneer] += 100 if price <= 500 else 200
        assert [player["dirhams"] for player in after["players"]] == expected


@seats_3_or_4
def test_every_bid_that_cash_can_ever_allow_is_an_action(players):
    """Nobody can ever have more than all the money there was and all the bank can pay."""
    game = load({"players": players})
    most = 1200 * players + 25_750
    state = game.new_initial_state(seed=1)
    assert state.string_to_action(f"bid {most}") < game.num_distinct_actions()
    with pytest.raises(ValueError, match="action"):
        state.string_to_action(f"bid {most + 25}")
    rich = set_up({"players": players}, groups={"F1": "red"}, dirhams=[most])
    assert f"bid {most}" in legal(play(rich, "auction R3"))


# ---- move ----------------------------------------------------------------------------------------


def test_one_moves_to_a_fountain_joined_by_one_street():
    state = set_up(groups={"F1": "red", "F5": "blue"})
    moves = {text for text in legal(state) if text.startswith("move")}
    assert moves == {f"move {way}" for way in ("F1>F2", "F1>F3", "F1>F6")} | {
        f"move {way}" for way in ("F5>F3", "F5>F6", "F5>F11")
    }


def test_the_whole_group_goes_and_merges_with_any_group_there():
    state = set_up(groups={"F1": "red red blue", "F2": "blue green", "F8": "red"})
    play(state, "move F1>F2")
    assert groups(state) == {"F2": {"red": 2, "blue": 2, "green": 1}, "F8": {"red": 1}}


def test_moving_onto_a_dark_fountain_is_allowed():
    state = play(set_up(groups={"F2": "red"}), "move F2>F1")
    assert groups(state) == {"F1": {"red": 1}}


def test_unowned_shops_are_walked_past():
    state = play(set_up(groups={"F1": "green"}, shops={"G1": (1, 0)}), "move F1>F2")
    assert groups(state) == {"F2": {"green": 1}}
    assert dirhams(state) == [1200, 1200, 1200]


def test_every_matching_visitor_enters_the_first_such_shop_and_stays_there():
    """F1>F6 meets G2, P2, R2 and B3; R1 lies elsewhere, P2 belongs to nobody."""
    owned = {"G2": (1, 0), "R2": (2, 0), "R1": (2, 0), "Y1": (1, 0)}
    state = set_up(groups={"F1": "green green red purple yellow"}, shops=owned)
    play(state, "move F1>F6")
    assert groups(state) == {"F6": {"purple": 1, "yellow": 1}}
    assert shop(state, "G2") == (1, 2) and shop(state, "R2") == (2, 1)
    assert shop(state, "R1") == (2, 0)


def test_of_two_shops_of_a_colour_the_first_met_gets_them_all():
    """F4>F9 meets B2, then B4; F9>F4 meets B2 and not B4, which touches only where they left."""
    owned = {"B2": (0, 0), "B4": (1, 0)}
    state = play(set_up(groups={"F4": "blue blue"}, shops=owned), "move F4>F9")
    assert (shop(state, "B2"), shop(state, "B4")) == ((0, 2), (1, 0))
    state = play(set_up(groups={"F9": "blue"}, shops={"B4": (1, 0)}), "move F9>F4")
    assert shop(state, "B4") == (1, 0) and groups(state) == {"F4": {"blue": 1}}


def test_the_way_back_may_meet_shops_in_another_order():
    """F5>F6 meets B1 before B3, F6>F5 meets B3 before B1."""
    owned = {"B1": (0, 0), "B3": (1, 0)}
    state = play(set_up(groups={"F5": "blue"}, shops=owned), "move F5>F6")
    assert (shop(state, "B1"), shop(state, "B3")) == ((0, 1), (1, 0))
    state = play(set_up(groups={"F6": "blue"}, shops=owned), "move F6>F5")
    assert (shop(state, "B1"), shop(state, "B3")) == ((0, 0), (1, 1))


@pytest.mark.parametrize(
    ("rank", "payment"), [(1, 100), (2, 200), (3, 300), (4, 400), (5, 500), (6, 500), (14, 500)]
)
def test_the_bank_pays_the_owner_by_the_customers_rank(rank, payment):
    """The sheet: the first customer brings 100, the third 300, the sixth 500."""
    colour, way, name = ("yellow", "F7>F13", "Y4") if rank > 10 else ("green", "F1>F2", "G2")
    state = set_up(groups={way.split(">")[0]: colour}, shops={name: (0, rank - 1)})
    play(state, f"move {way}")
    assert shop(state, name) == (0, rank)
    assert dirhams(state) == [1200 + payment, 1200, 1200]


@pytest.mark.parametrize("commission", ["per-customer", "per-group", "once"])
@pytest.mark.parametrize("rank", range(1, 8))
def test_for_one_customer_the_owner_pays_the_mover_50_up_to_300_and_100_over_300(rank, commission):
    state = set_up({"commission": commission}, groups={"F1": "green"}, shops={"G2": (1, rank - 1)})
    play(state, "move F1>F2")
    due = 50 if rank <= 3 else 100
    assert dirhams(state) == [1200 + due, 1200 + rank_payment(rank) - due, 1200]


@pytest.mark.parametrize(
    ("had", "come", "payments", "each_customer", "whole_group", "once"),
    [
        (0, 1, 100, 50, 50, 50),
        (0, 2, 300, 100, 100, 50),  # 100 + 200 = 300 is not over 300
        (0, 3, 600, 150, 300, 100),
        (2, 2, 700, 150, 200, 100),  # 300 + 400
        (3, 2, 900, 200, 200, 100),
        (1, 1, 200, 50, 50, 50),
        (1, 2, 500, 100, 200, 100),
        (4, 5, 2500, 500, 500, 100),
    ],
)
def test_the_movers_commission_in_all_readings(
    had, come, payments, each_customer, whole_group, once
):
    for knobs, due in (({}, each_customer), (GROUP, whole_group), (ONCE, once)):
        arrangement = {"groups": {"F1": " ".join(["green"] * come)}, "shops": {"G2": (2, had)}}
        state = play(set_up(knobs, **arrangement), "move F1>F2")
        assert dirhams(state) == [1200 + due, 1200, 1200 + payments - due]


@pytest.mark.parametrize(("knobs", "due"), [(GROUP, 200), (ONCE, 100)])
def test_the_tier_of_a_group_is_set_shop_by_shop(knobs, due):
    """Two owners or one: totals of different shops are not added up, and each shop pays."""
    owned = {"G2": (1, 0), "R2": (1, 0)}
    state = set_up(knobs, groups={"F1": "green green red red"}, shops=owned)
    play(state, "move F1>F6")
    assert dirhams(state) == [1200 + due, 1200 + 600 - due, 1200]


def test_once_is_for_each_move_not_for_the_turn():
    state = set_up(ONCE, groups={"F1": "green", "F2": "green"}, shops={"G2": (1, 0)})
    play(state, "move F1>F2")
    assert dirhams(state) == [1250, 1250, 1200]
    play(state, "move F2>F1")
    assert dirhams(state) == [1300, 1400, 1200]


@pytest.mark.parametrize("knobs", [{}, GROUP, ONCE])
def test_a_mover_pays_no_commission_for_customers_of_their_own_shop(knobs):
    state = set_up(knobs, groups={"F1": "green green"}, shops={"G2": (0, 3)})
    play(state, "move F1>F2")
    assert dirhams(state) == [2100, 1200, 1200]


def test_an_owner_without_a_dirham_can_pay_since_they_are_paid_first():
    state = set_up(groups={"F1": "green"}, shops={"G2": (1, 0)}, dirhams=[0, 0, 0])
    assert dirhams(play(state, "move F1>F2")) == [50, 50, 0]


@given(games_played())
def test_a_move_empties_the_fountain_and_a_group_is_never_split(game):
    """Visitors who left are on the next fountain, in a shop on the way, or still walking."""
    for before, text, after in game:
        if not text.startswith("move"):
            continue
        here, there = text.split()[1].split(">")
        town = TOWNS[knobs_of(before)["layout"]]
        assert there in {b for a, b in town.met if a == here}
        assert here not in after["groups"]
        walking = (after.get("walk") or {"group": {}})["group"]
        for fountain in town.fountains:
            if fountain not in (here, there):
                assert after["groups"].get(fountain) == before["groups"].get(fountain)
        for colour in COLOURS:
            left = before["groups"][here].get(colour, 0)
            arrived = after["groups"].get(there, {}).get(colour, 0)
            arrived -= before["groups"].get(there, {}).get(colour, 0)
            met = [name for name in town.met[here, there] if town.colour[name] == colour]
            entered = {
                name: after["shops"][name]["customers"] - before["shops"][name]["customers"]
                for name in met
                if name in before["shops"]
            }
            assert left == arrived + sum(entered.values()) + walking.get(colour, 0)
            assert all(number == 0 for name, number in list(entered.items())[1:])
            assert arrived == 0 or (arrived == left and not entered)
        for name, state in before["shops"].items():
            if name not in town.met[here, there]:
                assert after["shops"][name] == state


@given(games_played())
def test_every_move_pays_owners_by_rank_and_the_mover_a_commission(game):
    for before, text, after in game:
        settings = knobs_of(before)
        if not text.startswith("move") or settings["souvenirs"]:
            continue
        mover = before["turn_of"]
        expected = [player["dirhams"] for player in before["players"]]
        totals, payments = {}, list(bank_paid_for_customers(before, after))
        for name, owner, payment in payments:
            expected[owner] += payment
            totals[name] = totals.get(name, 0) + payment
        reading = settings["commission"]
        if reading == "once":  # as if one customer had brought the whole total
            payments = [(name, before["shops"][name]["owner"], totals[name]) for name in totals]
        for name, owner, payment in payments:
            tier = payment if reading == "per-customer" else totals[name]
            if owner != mover:
                due = 50 if tier <= 300 else 100
                expected[owner] -= due
                expected[mover] += due
        assert [player["dirhams"] for player in after["players"]] == expected


@given(games_played())
def test_the_bank_is_the_only_source_of_money_and_every_dirham_of_it_has_a_reason(game):
    """Payments by rank, souvenirs, prices and auctioneers' commissions; the rest is between seats.

    At every step, walks in the middle included.
    """
    for before, text, after in game:
        change = sum(player["dirhams"] for player in after["players"])
        change -= sum(player["dirhams"] for player in before["players"])
        expected = sum(payment for _, _, payment in bank_paid_for_customers(before, after))
        expected += sum(value for _, value in sold(before, after))
        sold_shop = sale(before, text, after)
        if sold_shop is not None:
            _, buyer, price, auctioneer = sold_shop
            expected -= price
            expected += 0 if buyer == auctioneer else 100 if price <= 500 else 200
        assert change == expected, (text, before, after)


@given(games_played())
def test_only_sales_walks_and_cards_move_money(game):
    for before, text, after in game:
        moves_money = text.split()[0] in ("move", "card") or before["phase"] == "reveal"
        if not moves_money and sale(before, text, after) is None:
            assert after["players"] == before["players"]


# ---- new visitors --------------------------------------------------------------------------------

QUEUE = "red yellow blue green purple red blue"


def at_the_gates(queue=QUEUE, empty=("F1",), **more):
    """A turn whose second step leaves these gates empty."""
    standing = {gate: "red" for gate in ("F1", "F8", "F16") if gate not in empty}
    state = set_up(groups={"F9": "red", **standing}, queue=queue, **more)
    return play(state, "move F9>F10", "move F10>F9")


def brings(gates, sizes):
    return {
        f"bring {gate} {end} {size}" for gate in gates for end in ("head", "tail") for size in sizes
    }


def test_at_the_end_of_a_turn_the_player_fills_every_empty_dark_fountain():
    state = at_the_gates(empty=("F1", "F16"))
    assert at(state) == ("bring", 0, 0)
    assert legal(state) == brings(["F1", "F16"], [2, 3, 4])
    play(state, "bring F16 head 3")
    assert groups(state)["F16"] == {"red": 1, "yellow": 1, "blue": 1}
    assert state.to_dict()["queue"] == ["green", "purple", "red", "blue"]
    assert at(state) == ("bring", 0, 0)
    assert legal(state) == brings(["F1"], [2, 3, 4])
    play(state, "bring F1 tail 2")
    assert groups(state)["F1"] == {"red": 1, "blue": 1}
    assert state.to_dict()["queue"] == ["green", "purple"]
    assert at(state) == ("choose", 1, 1)


def test_head_is_the_queues_first_visitor_and_tail_its_last():
    state = at_the_gates()
    head, tail = state.clone(), state.clone()
    play(head, "bring F1 head 2")
    assert groups(head)["F1"] == {"red": 1, "yellow": 1}
    assert head.to_dict()["queue"] == ["blue", "green", "purple", "red", "blue"]
    play(tail, "bring F1 tail 4")
    assert groups(tail)["F1"] == {"green": 1, "purple": 1, "red": 1, "blue": 1}
    assert tail.to_dict()["queue"] == ["red", "yellow", "blue"]


def test_with_no_dark_fountain_empty_nobody_is_brought():
    assert at(at_the_gates(empty=())) == ("choose", 1, 1)


@pytest.mark.parametrize(
    ("queue", "sizes"),
    [("red blue green yellow", [2, 3, 4]), ("red blue green", [2, 3]), ("red blue", [2])],
)
def test_the_sizes_shrink_to_what_is_there_and_both_ends_stay_legal(queue, sizes):
    state = at_the_gates(queue=queue)
    assert legal(state) == brings(["F1"], sizes)
    for end in ("head", "tail"):
        whole = play(state.clone(), f"bring F1 {end} {len(sizes) + 1}")
        assert whole.to_dict()["queue"] == []
        assert sum(groups(whole)["F1"].values()) == len(sizes) + 1


@pytest.mark.parametrize("queue", ["", "red"])
def test_with_0_or_1_in_the_queue_nothing_enters(queue):
    state = at_the_gates(queue=queue)
    assert at(state) == ("choose", 1, 1)
    assert "F1" not in groups(state)
    assert state.to_dict()["queue"] == queue.split()


def test_gates_stay_empty_when_the_queue_runs_out_between_them():
    state = play(at_the_gates(queue="red blue green", empty=("F1", "F8")), "bring F8 tail 2")
    assert at(state) == ("choose", 1, 1)
    assert groups(state)["F8"] == {"blue": 1, "green": 1} and "F1" not in groups(state)
    assert state.to_dict()["queue"] == ["red"]


@given(games_played())
def test_visitors_come_from_the_end_chosen_onto_the_empty_gate_chosen(game):
    for before, text, after in game:
        if not text.startswith("bring"):
            assert len(after["queue"]) == len(before["queue"])
            continue
        _, gate, end, size = text.split()
        queue, size = before["queue"], int(size)
        group, rest = (
            (queue[:size], queue[size:]) if end == "head" else (queue[-size:], queue[:-size])
        )
        assert gate not in before["groups"] and 2 <= size <= 4
        assert after["queue"] == rest
        assert after["groups"][gate] == {colour: group.count(colour) for colour in set(group)}


@given(games_played())
def test_a_turn_ends_with_every_gate_filled_or_the_queue_run_out(game):
    for before, _, after in game:
        if after["turn_of"] != before["turn_of"]:
            gates = TOWNS[knobs_of(after)["layout"]].gates
            assert len(after["queue"]) < 2 or all(gate in after["groups"] for gate in gates)


# ---- end -----------------------------------------------------------------------------------------


@seats_3_or_4
@pytest.mark.parametrize("setter", [0, 2])
def test_when_the_queue_has_run_out_everyone_has_one_more_turn_the_one_who_set_the_end_last(
    players, setter
):
    state = set_up(
        {"players": players},
        groups={"F8": "red", "F16": "red", "F9": "red"},
        queue="red blue green",
        turn_of=setter,
    )
    play(state, "move F9>F10", "move F10>F9")
    assert state.to_dict()["last_turns"] is None
    play(state, "bring F1 head 2")
    for left in range(players, 0, -1):
        seat = (setter + 1 + players - left) % players
        assert at(state) == ("choose", seat, seat)
        assert state.to_dict()["last_turns"] == left
        play(state, "move F9>F10")
        assert state.to_dict()["last_turns"] == left
        play(state, "move F10>F9")
    assert state.is_terminal()
    assert at(state) == ("over", setter, setter)
    assert state.to_dict()["last_turns"] == 0
    assert state.legal_actions() == []


def test_the_end_is_set_once():
    state = set_up(groups={"F9": "red"}, queue="", last_turns=2)
    play(state, "move F9>F10", "move F10>F9")
    assert state.to_dict()["last_turns"] == 1
    play(state, "move F9>F10", "move F10>F9")
    assert state.is_terminal()


@given(games_played())
def test_last_turns_count_down_turn_by_turn_once_the_queue_has_run_out(game):
    for before, _, after in game:
        was, now = before["last_turns"], after["last_turns"]
        if after["turn_of"] != before["turn_of"] or after["phase"] == "over":
            if was is None:
                assert now == (len(after["players"]) if len(after["queue"]) < 2 else None)
            else:
                assert now == was - 1
        else:
            assert now == was
        assert (after["phase"] == "over") == (now == 0)


def finished(*amounts):
    knobs = {"players": len(amounts)}
    return set_up(knobs, phase="over", last_turns=0, dirhams=amounts, queue="")


def test_most_money_wins():
    state = finished(1000, 1025, 300)
    assert state.scores() == [1000, 1025, 300]
    assert state.ranking() == [[1], [0], [2]]
    assert state.returns() == [0, 1, 0]


def test_a_tie_is_a_shared_win():
    assert finished(500, 500, 25).returns() == [0.5, 0.5, 0]
    assert finished(500, 500, 25).ranking() == [[0, 1], [2]]
    assert finished(75, 500, 500, 500).returns() == [0, 1 / 3, 1 / 3, 1 / 3]
    assert finished(0, 0, 0, 0).returns() == [0.25] * 4
    assert finished(0, 0, 0, 0).ranking() == [[0, 1, 2, 3]]


def test_a_tie_for_second_place_is_none():
    state = finished(25, 100, 25, 25)
    assert state.returns() == [0, 1, 0, 0] and state.ranking() == [[1], [0, 2, 3]]


def test_shops_and_signs_are_worth_nothing_at_the_end():
    state = set_up(phase="over", last_turns=0, shops={"R1": (0, 5)}, dirhams=[100, 125, 0])
    assert state.scores() == [100, 125, 0] and state.returns() == [0, 1, 0]


def test_before_the_end_nobody_has_won():
    state = set_up(groups={"F1": "red"}, dirhams=[100, 2000, 0])
    assert state.returns() == [0, 0, 0] and state.ranking() == [[1], [0], [2]]


@seats_3_or_4
@pytest.mark.parametrize("souvenirs", [False, True])
def test_random_games_end(players, souvenirs):
    """The rules set no limit; with some sense for money and none for play 1000 steps are many."""
    game = load({"players": players, "souvenirs": souvenirs})
    for seed in range(12):
        rng = Random(f"ends {seed}")
        state = game.new_initial_state(seed=seed)
        for _ in range(1000):
            if state.is_terminal():
                break
            play(state, sensible(rng, sorted(legal(state))))
        assert state.is_terminal()
        assert sum(state.returns()) == pytest.approx(1)


# ---- souvenirs -----------------------------------------------------------------------------------


def with_cards(opened, left="", knobs=None, **arrangement):
    return set_up({**SOUVENIRS, **(knobs or {})}, cards=cards(opened, left), **arrangement)


def test_two_of_25_cards_lie_open_at_the_start():
    position = load(SOUVENIRS).new_initial_state(seed=5).to_dict()
    assert len(position["cards"]["open"]) == 2
    assert all_cards(position) == sorted((c, v) for c, values in CARDS.items() for v in values)


def test_without_the_variant_there_are_no_cards():
    assert load().new_initial_state(seed=5).to_dict()["cards"] is None


def test_an_owner_takes_the_open_card_of_the_shops_colour_and_its_value():
    """Green 125 is sold; the new card is drawn by chance, evenly from what is left."""
    state = with_cards(
        "green 125, red 50",
        "blue 200, red 75, red 100",
        groups={"F1": "green"},
        shops={"G2": (0, 0)},
    )
    play(state, "move F1>F2")
    assert dirhams(state) == [1200 + 100 + 125, 1200, 1200]
    assert (at(state), state.current_player()) == (("reveal", 0, 0), souk.CHANCE)
    third = Fraction(1, 3)
    assert chance(state) == {"blue 200": third, "red 75": third, "red 100": third}
    play(state, "red 100")
    assert open_cards(state) == [("red", 50), ("red", 100)]
    assert state.to_dict()["cards"]["left"] == {"blue": [200], "red": [75]}
    assert at(state) == ("choose", 0, 0)


def test_a_card_of_another_colour_is_not_sold():
    state = with_cards("red 50, blue 125", "red 75", groups={"F1": "green"}, shops={"G2": (0, 0)})
    play(state, "move F1>F2")
    assert dirhams(state) == [1300, 1200, 1200] and len(open_cards(state)) == 2


def test_where_both_cards_match_the_owner_chooses_not_the_mover():
    state = with_cards(
        "green 100, green 200",
        "red 75, red 100",
        groups={"F1": "green"},
        shops={"G2": (2, 0)},
    )
    play(state, "move F1>F2")
    assert at(state) == ("card", 2, 0)
    assert legal(state) == {"card 100", "card 200"}
    assert dirhams(state) == [1200, 1200, 1300], "the rank is paid, the commission is not"
    play(state, "card 200")
    assert dirhams(state) == [1250, 1200, 1200 + 300 - 50]
    assert open_cards(state) == [("green", 100)]
    assert at(state) == ("reveal", 0, 0)


def test_one_card_per_customer_and_a_new_one_before_the_next_enters():
    state = with_cards(
        "green 100, red 50",
        "green 200, red 75, red 100",
        groups={"F1": "green green"},
        shops={"G2": (0, 0)},
    )
    play(state, "move F1>F2")
    walk = state.to_dict()["walk"]
    assert (walk["group"], walk["customers"], walk["total"]) == ({"green": 1}, 1, 200)
    play(state, "green 200")
    assert dirhams(state) == [1200 + 100 + 100 + 200 + 200, 1200, 1200]
    assert at(state) == ("reveal", 0, 0), "after the last one too"
    play(state, "red 75")
    assert open_cards(state) == [("red", 50), ("red", 75)]
    assert at(state) == ("choose", 0, 0)


def test_a_new_card_may_be_no_use_to_the_next_customer():
    state = with_cards(
        "green 100, red 50",
        "green 200, red 75, red 100",
        groups={"F1": "green green"},
        shops={"G2": (0, 0)},
    )
    play(state, "move F1>F2", "red 75")
    assert dirhams(state) == [1200 + 100 + 100 + 200, 1200, 1200]
    assert at(state) == ("choose", 0, 0)


def test_the_decks_last_card_is_no_chance_event_and_then_the_open_cards_shrink():
    state = with_cards(
        "green 100, red 50", "green 200", groups={"F1": "green green"}, shops={"G2": (0, 0)}
    )
    play(state, "move F1>F2")
    assert at(state) == ("choose", 0, 0), "nothing was left to chance"
    assert dirhams(state) == [1200 + 100 + 100 + 200 + 200, 1200, 1200]
    assert state.to_dict()["cards"] == {"open": [["red", 50]], "left": {}}


def test_the_last_cards_may_be_chosen_from_and_then_there_are_none():
    state = with_cards("green 100, green 200", groups={"F1": "green green"}, shops={"G2": (1, 0)})
    play(state, "move F1>F2")
    assert at(state) == ("card", 1, 0)
    play(state, "card 100")
    assert at(state) == ("choose", 0, 0), "one card is no choice"
    assert dirhams(state) == [1200 + 50 + 100, 1200 + 100 + 100 - 50 + 200 + 200 - 100, 1200]
    assert state.to_dict()["cards"] == {"open": [], "left": {}}


@pytest.mark.parametrize(
    ("customers", "value", "due"), [(0, 200, 50), (1, 100, 50), (1, 125, 100), (2, 100, 100)]
)
def test_the_card_is_added_before_the_movers_commission_is_worked_out(customers, value, due):
    state = with_cards(
        f"green {value}, red 50", groups={"F1": "green"}, shops={"G2": (1, customers)}
    )
    play(state, "move F1>F2")
    income = rank_payment(customers + 1) + value
    assert dirhams(state) == [1200 + due, 1200 + income - due, 1200]


@pytest.mark.parametrize(("knobs", "due"), [(GROUP, 200), (ONCE, 100)])
def test_the_groups_total_includes_the_cards_and_is_paid_when_the_last_has_entered(knobs, due):
    """100 + 100 and 200: 400 in all, 100 for each of two or once, and only after the second."""
    state = with_cards(
        "green 100, red 50",
        "red 75, red 100, red 125",
        knobs=knobs,
        groups={"F1": "green green"},
        shops={"G2": (1, 0)},
    )
    play(state, "move F1>F2")
    assert dirhams(state) == [1200, 1400, 1200]
    play(state, "red 75")
    assert dirhams(state) == [1200 + due, 1200 + 400 - due, 1200]


@pytest.mark.parametrize(("knobs", "low"), [(GROUP, 100), (ONCE, 50)])
def test_without_the_card_the_tier_of_the_total_would_be_lower(knobs, low):
    for opened, due in (("red 75, red 50", low), ("green 100, red 50", 2 * low)):
        state = with_cards(opened, knobs=knobs, groups={"F1": "green green"}, shops={"G2": (1, 0)})
        assert dirhams(play(state, "move F1>F2"))[0] == 1200 + due


def test_customers_enter_shop_by_shop_in_the_order_met():
    """F1>F6 meets G2 before R2: the red customer finds the card that the green one turned up."""
    state = with_cards(
        "green 100, blue 125",
        "red 75, red 100",
        groups={"F1": "red green"},
        shops={"R2": (1, 0), "G2": (0, 0)},
    )
    play(state, "move F1>F6")
    walk = state.to_dict()["walk"]
    assert walk["shops"] == ["G2", "P2", "R2", "B3"]
    assert (walk["kind"], walk["mover"], walk["to"]) == ("move", 0, "F6")
    assert walk["group"] == {"red": 1} and "F6" not in groups(state)
    assert shop(state, "R2") == (1, 0)
    play(state, "red 75")
    assert shop(state, "R2") == (1, 1)
    assert dirhams(state) == [1200 + 200 + 50, 1200 + 175 - 50, 1200]
    assert open_cards(state) == [("blue", 125), ("red", 100)], "the last card came by itself"


def test_the_rest_of_the_group_arrives_when_the_walk_is_over():
    state = with_cards(
        "green 100, blue 125",
        "red 75, red 100",
        groups={"F1": "red green", "F2": "blue"},
        shops={"G2": (1, 0)},
    )
    play(state, "move F1>F2")
    assert groups(state) == {"F2": {"blue": 1}}
    play(state, "red 100")
    assert groups(state) == {"F2": {"blue": 1, "red": 1}}


@given(games_played())
def test_cards_are_never_more_than_two_open_and_a_deck_left_means_two(game):
    for _, _, after in game:
        if after["cards"] is not None:
            opened, left = after["cards"]["open"], after["cards"]["left"]
            if after["phase"] == "reveal":
                assert len(opened) == 1 and sum(map(len, left.values())) > 1
            else:
                assert len(opened) == 2 or (len(opened) < 2 and not left)
            assert all(left.values()), "colours without cards are left out"


@given(games_played())
def test_a_card_is_sold_in_a_shop_of_its_colour_once_per_customer(game):
    for before, text, after in game:
        gone = sold(before, after)
        entered = [colour_of(name) for name, _, _ in bank_paid_for_customers(before, after)]
        if text.startswith("card"):
            value = int(text.split()[1])
            colour = colour_of(before["walk"]["shops"][0])
            assert (colour, value) in gone
            assert [colour, value] in before["cards"]["open"]
            entered.append(colour)
        for colour, _ in gone:
            assert colour in entered
            entered.remove(colour)


# ---- pull_in -------------------------------------------------------------------------------------


def test_without_the_option_nobody_is_pulled_in():
    state = set_up(groups={"F3": "blue"})
    play(state, "auction B1", "bid 100", "pass", "pass")
    assert shop(state, "B1") == (0, 0) and groups(state) == {"F3": {"blue": 1}}


def test_when_a_shop_is_bought_matching_visitors_on_fountains_that_touch_it_enter_at_once():
    state = set_up(PULL_IN, groups={"F3": "blue red blue", "F5": "blue", "F1": "blue"})
    play(state, "auction B1", "bid 100", "pass", "pass")
    assert shop(state, "B1") == (0, 2)
    assert groups(state) == {"F3": {"red": 1}, "F5": {"blue": 1}, "F1": {"blue": 1}}
    assert dirhams(state) == [1200 - 100 + 300, 1200, 1200]


def test_nobody_gets_a_movers_commission_for_those_pulled_in():
    for knobs in (PULL_IN, {**PULL_IN, **GROUP}, {**PULL_IN, **ONCE}):
        state = set_up(knobs, groups={"F3": "blue blue blue", "F1": "red"})
        play(state, "auction B1", "bid 100", "bid 600", "pass", "pass")
        assert dirhams(state) == [1400, 1200 - 600 + 600, 1200]
        assert shop(state, "B1") == (1, 3) and "F3" not in groups(state)


def test_sale_and_auctioneers_commission_come_before_the_pull_in():
    """Seen where the pull-in stops for a choice of card."""
    state = with_cards(
        "blue 125, blue 150", "red 50, red 75", knobs=PULL_IN, groups={"F3": "blue blue"}
    )
    play(state, "auction B1", "bid 100", "pass", "bid 600", "pass")
    assert at(state) == ("card", 2, 0)
    assert dirhams(state) == [1400, 1200, 1200 - 600 + 100]
    position = state.to_dict()
    assert position["auction"] is None
    assert position["walk"]["kind"] == "auction"
    assert position["walk"]["mover"] is None and position["walk"]["to"] is None
    assert position["walk"]["group"] == {"blue": 1} and position["walk"]["shops"] == ["B1"]
    assert (position["step"], position["first_step"]) == (1, None)
    play(state, "card 150")
    assert at(state) == ("reveal", 0, 0)
    play(state, "red 50")
    assert dirhams(state) == [1400, 1200, 1200 - 600 + 100 + 150 + 200 + 125]
    assert at(state) == ("choose", 0, 0)
    assert open_cards(state) == [("red", 50), ("red", 75)], "the last card came by itself"


def test_gates_emptied_by_a_pull_in_are_refilled_at_the_end_of_the_turn(tmp_path):
    """On both boards no shop touches a gate: it takes a board of one's own."""
    board = town()
    entry(board, "fountains", "F1")["adjacent_shops"] = ["G2"]
    game = load({**PULL_IN, "layout": save_board(board, tmp_path / "touching.json")})
    for first_round in (True, False):
        gates = {"F1": "green", "F8": "red", "F16": "blue"}
        position = make_position(PULL_IN, groups=gates, round=1 if first_round else 2)
        state = game.state_from_dict({**position, "game": str(game)})
        play(state, "auction G2", "bid 100", "pass", "pass")
        assert shop(state, "G2") == (0, 1)
        if not first_round:
            assert at(state) == ("choose", 0, 0)
            play(state, "auction R1", "bid 100", "pass", "pass")
        assert at(state) == ("bring", 0, 0)
        play(state, "bring F1 head 2")
        assert at(state) == ("choose", 1, 1)


@given(games_played())
def test_a_pull_in_takes_every_matching_visitor_from_the_fountains_that_touch_and_no_other(game):
    for before, text, after in game:
        sold_shop = sale(before, text, after)
        if sold_shop is None:
            continue
        name = sold_shop[0]
        settings = knobs_of(before)
        touching = TOWNS[settings["layout"]].beside[name] if settings["pull_in"] else []
        colour = colour_of(name)
        expected = {fountain: dict(group) for fountain, group in before["groups"].items()}
        pulled = sum(expected.get(f, {}).pop(colour, 0) for f in touching)
        expected = {fountain: group for fountain, group in expected.items() if group}
        assert after["groups"] == expected
        walking = (after.get("walk") or {"group": {}})["group"].get(colour, 0)
        assert after["shops"][name]["customers"] + walking == pulled


# ---- knobs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("knobs", "named"),
    [
        ({"players": 2}, ["players", "3 to 4", "2"]),
        ({"players": 5}, ["players", "3 to 4", "5"]),
        ({"players": "three"}, ["players", "3 to 4", "'three'"]),
        ({"players": True}, ["players", "3 to 4", "True"]),
        ({"players": 3.0}, ["players", "3 to 4", "3.0"]),
        ({"commission": "none"}, ["commission", "per-customer, per-group or once", "'none'"]),
        ({"commission": None}, ["commission", "per-customer, per-group or once", "None"]),
        ({"souvenirs": 1}, ["souvenirs", "True or False", "1"]),
        ({"souvenirs": "yes"}, ["souvenirs", "True or False", "'yes'"]),
        ({"pull_in": "no"}, ["pull_in", "True or False", "'no'"]),
        ({"edition": "gigamic"}, ["'edition'", "players", "layout"]),
        ({"dirhams": 900}, ["'dirhams'", "players", "layout"]),
    ],
)
def test_a_refused_knob_is_named_with_what_it_accepts(knobs, named):
    with pytest.raises(souk.BadKnob) as refusal:
        souk.load_game("marracash", **knobs)
    for words in named:
        assert words in str(refusal.value)


def test_the_string_of_a_game_lists_what_differs_in_the_order_of_the_rules():
    game = load({**SOUVENIRS, **PULL_IN, **GROUP, **FOUR, "layout": "medina"})
    assert str(game) == (
        "marracash(players=4,commission=per-group,souvenirs=True,pull_in=True,layout=medina)"
    )
    assert str(load({"souvenirs": False, "layout": "classic1996"})) == "marracash(players=3)"
