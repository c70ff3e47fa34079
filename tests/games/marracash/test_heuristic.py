"""The heuristic of MarraCash: sensible shares, and stronger play than the greedy level."""

import random

import pytest

import souk
from souk.engine.kernel import targets
from souk.games.marracash.ai import heuristic, weights

EVALUATIONS = ("heuristic", "net")
VARIANTS = (
    {"players": 4},
    {"players": 3},
    {"players": 4, "souvenirs": True, "commission": "per-group", "pull_in": True},
    {"players": 3, "souvenirs": True, "layout": "medina"},
    {"players": 3, "commission": "once"},
)


def kernel(game, name):
    return targets.python_kernel(game.kernel, game.constants(), game.search_modules(name))


def shares(game, name, buffer):
    result = [0.0] * game.num_players()
    kernel(game, name).evaluate(list(buffer), game.weights(name).tolist(), result)
    return result


def positions(seed, one_in=1, **settings):
    """Positions of a random game, chance steps and auctions included; one in every few of them."""
    pick = random.Random(seed)
    state = souk.load_game("marracash", **settings).new_initial_state(seed)
    while not state.is_terminal():
        if len(state.history()) % one_in == 0:
            yield state.clone()
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(pick.choice(outcomes)[0])
        else:
            state.apply_action(state.game.random_action(state, pick))


def rotate_seats(k, buffer, by):
    """The same position with every seat `by` places further on."""
    seats = k.PLAYERS
    there = list(buffer)
    for first in ("DIRHAMS", "SIGNS_LEFT"):
        for seat in range(seats):
            there[getattr(k, first) + (seat + by) % seats] = buffer[getattr(k, first) + seat]
    slots = [k.OWNER + shop for shop in range(k.SHOPS)]
    slots += [k.PASSED_SEAT + place for place in range(buffer[k.PASSED_COUNT])]
    slots += [getattr(k, name) for name in ("TO_MOVE", "TURN_OF", "BIDDER", "WALK_MOVER")]
    for slot in slots:
        if buffer[slot] != k.NOBODY:
            there[slot] = (buffer[slot] + by) % seats
    return there


@pytest.mark.parametrize("name", EVALUATIONS)
@pytest.mark.parametrize("settings", VARIANTS)
def test_the_shares_of_any_position_make_one_win(name, settings):
    for state in positions(1, one_in=7, **settings):
        result = shares(state.game, name, state.buffer)
        assert sum(result) == pytest.approx(1)
        assert min(result) >= 0


@pytest.mark.parametrize("settings", VARIANTS)
def test_the_evaluation_does_not_depend_on_the_seat(settings):
    for state in positions(2, one_in=11, **settings):
        game, k = state.game, state.game.rules
        if state.buffer[k.ROUND] > 1:  # in the first, seat 0 is the first to move a group
            result = shares(game, "net", state.buffer)
            for by in range(1, game.num_players()):
                there = shares(game, "net", rotate_seats(k, state.buffer, by))
                assert there == pytest.approx([*result[-by:], *result[:-by]], abs=1e-6)


@pytest.mark.parametrize("name", EVALUATIONS)
def test_more_money_is_never_worse(name):
    for state in positions(3, one_in=7, players=4):
        game, k = state.game, state.game.rules
        if state.buffer[k.PHASE] in (k.CHOOSE, k.BRING):
            for seat in range(4):
                poor = shares(game, name, state.buffer)[seat]
                richer = list(state.buffer)
                richer[k.DIRHAMS + seat] += 200
                assert shares(game, name, richer)[seat] > poor - 1e-9


def test_a_shop_has_more_value_with_visitors_at_its_door():
    game = souk.load_game("marracash", players=4)
    k = game.rules
    buffer = list(game.new_initial_state(1).buffer)
    shop = 0
    buffer[k.OWNER + shop] = 2
    buffer[k.ROUND] = 2
    near = k.STEPS_TO[shop :: k.SHOPS].index(1)
    far = k.STEPS_TO[shop :: k.SHOPS].index(max(k.STEPS_TO[shop :: k.SHOPS]))
    evaluated = {}
    for place in (near, far):
        there = buffer[:]
        there[k.GROUP + place] += 3 << 8 * k.SHOP_COLOUR[shop]
        evaluated[place] = shares(game, "net", there)[2]
    assert evaluated[near] > evaluated[far]


def test_near_the_end_the_evaluation_agrees_with_the_result():
    agreed = finished = 0
    for seed in range(12):
        *_, last = positions(seed, players=4)
        result = shares(last.game, "net", last.buffer)
        last.apply_action(last.legal_actions()[0])
        if last.is_terminal():
            finished += 1
            agreed += result.index(max(result)) in last.ranking()[0]
    assert finished >= 8
    assert agreed >= 0.8 * finished


def test_an_auction_is_evaluated_by_the_value_of_the_shop():
    """Having bid little for a good shop is better than having bid much more."""
    game = souk.load_game("marracash", players=3)
    state = game.new_initial_state(4)
    state.apply_action(state.legal_actions()[0])
    seat = state.current_player()
    after = {}
    for price in (100, 1200):
        bid = state.clone()
        bid.apply_action(bid.string_to_action(f"bid {price}"))
        after[price] = shares(game, "net", bid.buffer)[seat]
    assert after[100] > after[1200]


def auctions(seed, **settings):
    """Positions of auctions in a random game."""
    for state in positions(seed, **settings):
        if state.buffer[state.game.rules.PHASE] == state.game.rules.BIDDING:
            yield state


@pytest.mark.parametrize("settings", VARIANTS)
def test_a_sale_that_is_certain_is_worth_what_it_leads_to(settings):
    """Where nobody can raise, passing changes nothing: an auction is charged once."""
    checked = 0
    for state in auctions(5, one_in=1, **settings):
        game, k, buffer = state.game, state.game.rules, list(state.buffer)
        if buffer[k.BID] > 0:
            for seat in range(k.PLAYERS):
                if seat != buffer[k.BIDDER]:
                    buffer[k.DIRHAMS + seat] = buffer[k.BID]
            after = list(buffer)
            while after[k.PHASE] == k.BIDDING:
                k.apply(after, k.PASS)
            if after[k.PHASE] == k.CHOOSE:
                expected = shares(game, "net", after)
                assert shares(game, "net", buffer) == pytest.approx(expected, abs=1e-3)
                checked += 1
    assert checked > 5


def test_an_auction_is_worth_the_same_whoever_is_asked():
    for state in auctions(6, one_in=3, players=4):
        k, buffer = state.game.rules, list(state.buffer)
        values = []
        for seat in range(4):
            buffer[k.TO_MOVE] = seat
            values.append(shares(state.game, "net", buffer))
        assert values == [values[0]] * 4


def test_the_higher_the_bid_the_nearer_its_value():
    """With every raise the value moves on by little: it does not jump within an auction."""
    for state in auctions(7, one_in=3, players=3):
        game, k, buffer = state.game, state.game.rules, list(state.buffer)
        if buffer[k.BID] > 0:
            richest = max(buffer[k.DIRHAMS : k.DIRHAMS + 3])
            before = None
            for price in range(100, min(richest, 500), 25):
                buffer[k.BID] = price
                now = shares(game, "net", buffer)
                if before:
                    assert now == pytest.approx(before, abs=0.15)
                before = now


@pytest.mark.parametrize("settings", VARIANTS)
def test_a_new_net_is_the_heuristic(settings):
    fitted = weights.load_heuristic("fitted").tolist()
    for state in positions(8, one_in=11, **settings):
        game, k = state.game, state.game.rules
        if state.buffer[k.PHASE] in (k.CHOOSE, k.BRING):
            layers = [0.0] * (len(game.weights("net")) - len(fitted))
            seats = game.num_players()
            by_net, by_heuristic = [0.0] * seats, [0.0] * seats
            kernel(game, "net").evaluate(list(state.buffer), fitted + layers, by_net)
            kernel(game, "heuristic").evaluate(list(state.buffer), fitted, by_heuristic)
            assert by_net == pytest.approx(by_heuristic, abs=1e-9)


def test_the_search_tries_only_the_lowest_bid():
    game = souk.load_game("marracash", players=3)
    state = game.new_initial_state(4)
    state.apply_action(state.legal_actions()[0])
    for expected in (["bid 100"], ["pass", "bid 125"]):
        actions = state.legal_actions()
        count = kernel(game, "net").prune(state.buffer, actions, len(actions))
        assert [state.action_to_string(action) for action in actions[:count]] == expected
        state.apply_action(actions[0])


def test_payments_are_those_of_the_rules():
    game = souk.load_game("marracash")
    for customers in range(10):
        paid = sum(game.rules.rank_payment(rank) for rank in range(1, customers + 1))
        assert heuristic.total_rank_payment(customers) == paid


def share_of_win(name, games):
    """The share that one player takes against three greedy ones, each deal from every seat."""
    game = souk.load_game("marracash", players=4)
    total = 0.0
    for number in range(games):
        state = game.new_initial_state(number // 4)
        seats = [souk.player("greedy", game, seed=number) for _ in range(4)]
        seats[number % 4] = souk.player(name, game, seed=number)
        while not state.is_terminal():
            state.apply_action(seats[state.current_player()].choose(state))
        total += state.returns()[number % 4]
    return total / games


def test_the_expert_beats_greedy_players_clearly():
    assert share_of_win("expert", games=8) >= 0.6


@pytest.mark.parametrize("layout", ["classic1996", "medina"])
def test_the_steps_to_a_shop_are_the_moves_that_bring_a_group_past_its_door(layout):
    k = souk.load_game("marracash", layout=layout).rules
    for shop in range(k.SHOPS):
        steps = k.STEPS_TO[shop :: k.SHOPS]
        for street in range(k.STREETS):
            start, end = k.STREET_START[street], k.STREET_END[street]
            passed = k.PASSED[street * k.MOST_PASSED : (street + 1) * k.MOST_PASSED]
            if shop in passed:
                assert steps[start] == 1
            assert steps[start] <= steps[end] + 1
        assert max(steps) < k.STREETS
