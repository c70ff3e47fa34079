"""Events account for every dirham, and previews for what an action would bring."""

from random import Random
from statistics import mean

import pytest

import souk
from souk.games.marracash.events import Bid, Entered, Moved, Sold
from tests.games.marracash.money import event_gains, score_changes
from tests.games.marracash.positions import every_knobs, make_position, random_position, sensible

NAMES = ["Ali", "Anfa", "Omar", "Leila"]
EVERY_KNOBS = [knobs for players in (3, 4) for knobs in every_knobs(players)]
every_game = pytest.mark.parametrize("knobs", EVERY_KNOBS, ids=str)


def load(knobs):
    return souk.load_game("marracash", **knobs)


def set_up(knobs=None, **arrangement):
    knobs = {"players": 3, **(knobs or {})}
    return load(knobs).state_from_dict(make_position(knobs, **arrangement))


def texts(state):
    return [state.action_to_string(action) for action in state.legal_actions()]


def play(state, rng):
    state.apply_action(state.string_to_action(sensible(rng, texts(state))))


def preview(state, text):
    return state.preview(state.string_to_action(text))


def some_states(knobs, number):
    """States of a random game, then positions that play may never reach."""
    game, rng = load(knobs), Random(f"{knobs} {number}")
    state = game.new_initial_state(seed=number)
    while not state.is_terminal():
        yield state
        play(state, rng)
    for _ in range(40):
        state = game.state_from_dict(random_position(rng, knobs))
        if not state.is_terminal():
            yield state


def is_walking(state):
    return "walk" in state.to_dict()


# ---- what happened -------------------------------------------------------------------------------


@every_game
def test_events_account_for_every_dirham(knobs):
    for state in some_states(knobs, 1):
        after = state.clone()
        play(after, Random(len(state.history())))
        assert event_gains(after.events(), knobs["players"]) == score_changes(
            state.scores(), after.scores()
        )


def test_an_auctions_events_say_who_bid_what_and_what_the_auctioneer_got():
    state = set_up()
    output = []
    for text in ("auction R3", "bid 100", "bid 525", "pass", "pass"):
        state.apply_action(state.string_to_action(text))
        output += state.events()
    assert [event for event in output if isinstance(event, Bid)] == [
        Bid(0, "R3", 100),
        Bid(1, "R3", 525),
    ]
    assert Sold(1, "R3", 525, 0, 200) in output
    notes = [event.note() for event in output if event.note()]
    assert notes == ["100 by seat 1", "525 by seat 2", "R3 to seat 2 for 525, 200 to seat 1"]


def test_the_highest_possible_bid_is_written_in_figures():
    state = set_up(dirhams=[25_000, 1200, 1200])
    for text in ("auction R3", "bid 25000"):
        state.apply_action(state.string_to_action(text))
    assert state.events() == [Bid(0, "R3", 25_000)]


def test_an_auctioneer_who_buys_gets_no_commission():
    assert Sold(0, "R3", 100, 0, 0).note() == "R3 to seat 1 for 100"


# ---- what would happen ---------------------------------------------------------------------------


@pytest.mark.parametrize("knobs", [k for k in EVERY_KNOBS if not k.get("souvenirs")], ids=str)
def test_without_souvenirs_a_preview_is_exactly_what_happens(knobs):
    tried = 0
    for state in some_states(knobs, 2):
        for action in state.legal_actions()[:60]:
            seen, after = state.preview(action), state.clone()
            after.apply_action(action)
            assert [gain.least for gain in seen.gains] == score_changes(
                state.scores(), after.scores()
            )
            assert all(gain.least == gain.expected == gain.most for gain in seen.gains)
            assert seen.later == ()
            assert list(seen.events) == after.events()
            tried += 1
    assert tried > 500


@pytest.mark.parametrize("knobs", [k for k in EVERY_KNOBS if k.get("souvenirs")], ids=str)
def test_with_souvenirs_a_preview_names_all_who_enter_and_holds_for_any_cards(knobs):
    rng = Random(str(knobs))
    uncertain = 0
    for state in some_states(knobs, 3):
        for action in state.legal_actions()[:60]:
            seen, after = state.preview(action), state.clone()
            after.apply_action(action)
            entered = [event for event in after.events() if isinstance(event, Entered)]
            assert bool(seen.later) <= is_walking(after)
            while is_walking(after):
                after.apply_action(rng.choice(after.legal_actions()))
                entered += [event for event in after.events() if isinstance(event, Entered)]
            output = [*seen.events, *seen.later]
            assert [event for event in output if isinstance(event, Entered)] == entered
            for gain, change in zip(
                seen.gains, score_changes(state.scores(), after.scores()), strict=True
            ):
                assert gain.least <= change <= gain.most
                uncertain += not gain.is_certain
    assert uncertain > 20


@pytest.mark.parametrize("commission", ["per-customer", "per-group", "once"])
def test_the_expected_gain_is_the_mean_over_all_that_may_come(commission):
    """Owners sell the dearer card; which cards come is chance."""
    state = set_up(
        {"souvenirs": True, "commission": commission},
        groups={"F4": "red red red blue blue blue"},
        shops={"B2": (1, 0), "R3": (2, 1), "G1": (0, 0)},
        cards={
            "open": [["blue", 125], ["red", 150]],
            "left": {"red": [50, 100], "blue": [150, 225], "green": [100], "yellow": [150]},
        },
    )
    seen = preview(state, "move F4>F9")
    assert {event.shop for event in seen.later if isinstance(event, Entered)} == {"B2", "R3"}
    rng = Random(7)

    def walked(chosen):
        after = state.clone()
        after.apply_action(seen.action)
        while is_walking(after):
            actions = after.legal_actions()
            after.apply_action(rng.choice(actions) if after.is_chance_node() else chosen(actions))
        return score_changes(state.scores(), after.scores())

    dearest = [walked(lambda cards: cards[-1]) for _ in range(3000)]
    anyhow = [walked(rng.choice) for _ in range(3000)]
    for seat, gain in enumerate(seen.gains):
        assert gain.expected == pytest.approx(mean(result[seat] for result in dearest), abs=6)
        outcome = [result[seat] for result in dearest + anyhow]
        assert (gain.least, gain.most) == (min(outcome), max(outcome))
    assert not seen.gains[1].is_certain and not seen.gains[2].is_certain


def test_a_preview_of_a_move_says_who_enters_where_and_what_it_is_worth_to_each():
    state = set_up(groups={"F4": "red red blue"}, shops={"B2": (1, 0), "R3": (0, 2)})
    seen = preview(state, "move F4>F9")
    assert seen.events[0] == Moved(0, "F4", "F9", {"red": 2, "blue": 1})
    output = state.game.preview_sentence(seen, NAMES[:3])
    assert output == "2 red and 1 blue; 1 into B2, 2 into R3; Ali +750, Anfa +50."


def test_a_preview_of_a_move_past_unowned_shops_says_so():
    state = set_up(groups={"F4": "red"})
    output = state.game.preview_sentence(preview(state, "move F4>F9"), NAMES[:3])
    assert output == "1 red; nobody enters a shop."


def test_a_preview_with_a_card_to_come_says_about_what_and_between_which_bounds():
    left = {"red": [150], "blue": [125], "green": [100]}
    state = set_up(
        {"souvenirs": True},
        groups={"F4": "red red"},
        shops={"R3": (0, 0)},
        cards={"open": [["red", 50], ["green", 200]], "left": left},
    )
    seen = preview(state, "move F4>F9")
    gain = seen.gains[0]
    assert (gain.least, gain.expected, gain.most) == (350, 400, 500)  # 150 one time in three
    output = state.game.preview_sentence(seen, NAMES[:3])
    assert output == "2 red; 2 into R3; Ali about +400 (+350 to +500)."
    assert seen.to_dict()["gains"][0] == {"least": 350, "expected": 400, "most": 500}
    assert [event["shop"] for event in seen.to_dict()["later"]] == ["R3"]


def test_a_pass_that_ends_an_auction_shows_the_price_and_the_commission():
    state = set_up()
    for text in ("auction R3", "bid 100", "bid 125", "pass"):
        state.apply_action(state.string_to_action(text))
    output = state.game.preview_sentence(preview(state, "pass"), NAMES[:3])
    assert output == "Ali passes on R3. Ali +100, Anfa -125."


def test_the_largest_walk_there_can_be_is_previewed_within_seconds():
    everybody = {"red": 10, "yellow": 14, "blue": 10, "green": 10, "purple": 10}
    state = set_up(
        {"souvenirs": True},
        groups={"F3": " ".join(colour for colour, n in everybody.items() for _ in range(n))},
        shops={"P3": (0, 0), "R1": (1, 0), "Y2": (2, 0), "G1": (0, 0)},
    )
    seen = preview(state, "move F3>F4")
    assert len([e for e in (*seen.events, *seen.later) if isinstance(e, Entered)]) == 44


# ---- the quick value of a position --------------------------------------------------------


def test_a_shop_is_worth_its_share_of_the_visitors_at_the_ranks_to_come():
    state = set_up(shops={"R3": (0, 0)})  # ten red wait, for five red shops
    game, shop = state.game, state.game.board.shops.index
    shop_value = game.greedy_rules.shop_value
    assert shop_value(state.buffer, shop("R3")) == 100 + 200
    assert shop_value(state.buffer, shop("Y2")) == pytest.approx(100 + 200 + 0.8 * 300)
    visited = set_up(shops={"R3": (0, 4)})  # six red wait
    assert shop_value(visited.buffer, shop("R3")) == pytest.approx(500 + 0.2 * 500)
    assert game.quick_value(visited.buffer, 0) == 1200 + shop_value(visited.buffer, shop("R3"))
    assert game.quick_value(visited.buffer, 1) == 1200


def test_a_bid_is_worth_the_shop_less_its_price_to_the_bidder_only():
    state = set_up()
    for text in ("auction R3", "bid 125"):
        state.apply_action(state.string_to_action(text))
    game = state.game
    assert [game.quick_value(state.buffer, seat) for seat in range(3)] == [
        1200 + 300 - 125,
        1200,
        1200,
    ]


@pytest.mark.parametrize("players", [3, 4])
def test_a_position_is_worth_money_and_what_the_shops_may_earn(players):
    game = load({"players": players})
    rng = Random(players)
    state = game.new_initial_state(1)
    for _ in range(200):
        if state.is_terminal():
            break
        state.apply_action(game.random_action(state, rng))
        for seat in range(players):
            assert game.quick_value(state.buffer, seat) == worth(state, seat)


def worth(state, seat):
    """The quick value of a position, from its JSON."""
    position = state.to_dict()
    value = float(position["players"][seat]["dirhams"])
    for shop in state.game.board.shops:
        if position["shops"].get(shop, {}).get("owner") == seat:
            value += earnings(position, state.game, shop)
    auction = position["auction"]
    if auction and auction["bidder"] == seat:
        value += earnings(position, state.game, auction["shop"]) - auction["bid"]
    return value


def earnings(position, game, shop):
    board = game.board
    colour = board.colours[board.shops.index(shop)]
    waiting = position["queue"].count(colour)
    waiting += sum(group.get(colour, 0) for group in position["groups"].values())
    expected = waiting / board.colours.count(colour)
    rank = position["shops"].get(shop, {}).get("customers", 0) + 1
    earned = 0.0
    while expected > 0:
        earned += min(expected, 1) * game.rules.rank_payment(rank)
        expected, rank = expected - 1, rank + 1
    return earned


def test_random_players_raise_a_little_and_pass_half_of_the_time():
    state = set_up()
    state.apply_action(state.string_to_action("auction R3"))
    rng = Random(3)
    first = {state.action_to_string(state.game.random_action(state, rng)) for _ in range(200)}
    assert first == {"bid 100", "bid 125", "bid 150", "bid 175"}
    state.apply_action(state.string_to_action("bid 100"))
    result = [state.action_to_string(state.game.random_action(state, rng)) for _ in range(2000)]
    assert set(result) == {"pass", "bid 125", "bid 150", "bid 175", "bid 200"}
    assert 0.45 < result.count("pass") / len(result) < 0.55
    for text in ("bid 1175", "bid 1200"):
        state.apply_action(state.string_to_action(text))
    assert {state.game.random_action(state, rng) for _ in range(50)} == set(state.legal_actions())
