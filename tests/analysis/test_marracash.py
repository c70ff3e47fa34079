"""The analysis of whole games of MarraCash: auctions, and several actions per turn."""

import random
from collections import defaultdict
from collections.abc import Iterator
from statistics import mean

import pytest

import souk
from souk.analysis import AnalysedStep, GameAnalysis
from souk.records import Record, Seat

LEVELS = ("greedy", "expert", "trader")
NODES = 1000


def played(seed: int, souvenirs: bool = False) -> Record:
    """A whole game of three levels in changing seats."""
    game = souk.load_game("marracash", players=3, souvenirs=souvenirs)
    names = [LEVELS[(seat + seed) % 3] for seat in range(3)]
    players = [souk.player(name, game, seed=seed) for name in names]
    dice = random.Random(seed)
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dice.choice(state.legal_actions()))
        else:
            state.apply_action(players[state.current_player()].choose(state))
    return Record.from_state(state, seed=seed, seats=[Seat(name, name) for name in names])


@pytest.fixture(scope="module")
def games() -> list[tuple[Record, GameAnalysis]]:
    records = [played(seed) for seed in range(9)]
    return [(record, souk.analyse(record, nodes=NODES)) for record in records]


def auctions(record: Record, analysis: GameAnalysis) -> Iterator[list[AnalysedStep]]:
    """The bids and passes of every auction."""
    state, auction = record.initial_state(), list[AnalysedStep]()
    for step, action in zip(analysis.steps, record.actions, strict=True):
        if state.buffer[state.game.rules.PHASE] == state.game.rules.BIDDING:
            auction.append(step)
        elif auction:
            yield auction
            auction = []
        state.apply_action(action)
    if auction:
        yield auction


@pytest.mark.parametrize("souvenirs", [False, True])
def test_the_parts_add_up(souvenirs: bool) -> None:
    record = played(3, souvenirs)
    analysis = souk.analyse(record, nodes=NODES)
    result = record.replay().returns()
    for one in analysis.players:
        parts = one.luck + one.own + one.others + one.hindsight
        assert one.end - one.start == pytest.approx(parts, abs=1e-5)
        assert one.end == pytest.approx(result[one.seat]) and one.own <= 1e-6


def test_more_nodes_do_not_charge_more(games: list[tuple[Record, GameAnalysis]]) -> None:
    sums = defaultdict[int, float](float)
    for record, analysis in games[:4]:
        for nodes, one in ((NODES, analysis), (8 * NODES, souk.analyse(record, nodes=8 * NODES))):
            sums[nodes] += sum(abs(who.own) + abs(who.hindsight) for who in one.players)
    assert sums[8 * NODES] <= 1.1 * sums[NODES]


def test_hindsight_favours_no_level(games: list[tuple[Record, GameAnalysis]]) -> None:
    """Weak players are not charged for much that they did not lose."""
    hindsight = defaultdict[str, list[float]](list)
    for _, analysis in games:
        for one in analysis.players:
            hindsight[one.name].append(one.hindsight)
    for name in LEVELS:
        assert abs(mean(hindsight[name])) < 1, name


def test_an_auction_is_charged_once(games: list[tuple[Record, GameAnalysis]]) -> None:
    """A bidder loses at most what they could have had."""
    charged = 0
    for record, analysis in games:
        for auction in auctions(record, analysis):
            for seat in range(3):
                costly = [step for step in auction if step.seat == seat and step.cost > 1e-6]
                if costly:
                    offers = [max(one.shares[seat] for one in step.alternatives) for step in costly]
                    assert sum(step.cost for step in costly) <= max(offers)
                    charged += 1
    assert charged > 50


def test_two_who_overbid_each_other_pay_once() -> None:
    state = souk.load_game("marracash", players=3).new_initial_state(1)
    texts = ["auction " + state.action_to_string(state.legal_actions()[0]).split()[1]]
    texts += [f"bid {price}" for price in range(700, 1200, 25)]  # nobody passes
    for text in texts:
        state.apply_action(state.string_to_action(text))
    analysis = souk.analyse(state, nodes=NODES)
    again = 0.0
    for seat in range(3):
        bids = [step for step in analysis.steps[1:] if step.seat == seat]
        losses = [max(s.shares[seat] for s in step.alternatives) - _chosen(step) for step in bids]
        assert sum(step.cost for step in bids) == pytest.approx(max(losses))
        again += sum(losses) - max(losses)
    assert again > 0.03, "every bid goes too far"


def _chosen(step: AnalysedStep) -> float:
    return next(
        one.shares[step.seat or 0] for one in step.alternatives if one.action == step.action
    )


def test_an_auction_has_one_value_while_everybody_bids_well(
    games: list[tuple[Record, GameAnalysis]],
) -> None:
    changes = [
        max(map(abs, step.hindsight))
        for record, analysis in games
        for auction in auctions(record, analysis)
        for step in auction[:-1]
        if step.cost == 0 and step.action == step.best
    ]
    assert len(changes) > 300 and mean(changes) < 0.01


def test_a_turn_has_one_horizon(games: list[tuple[Record, GameAnalysis]]) -> None:
    """After the first action of a turn, the search sees no further than before."""
    changes = []
    for record, analysis in games:
        state = record.initial_state()
        for step, action in zip(analysis.steps, record.actions, strict=True):
            turn = state.game.turn_number(state.buffer)
            state.apply_action(action)
            if step.action.startswith("move") and state.game.turn_number(state.buffer) == turn:
                changes.append(max(map(abs, step.hindsight)))
    assert len(changes) > 50 and mean(changes) < 0.001


def test_a_sale_is_worth_the_same_whoever_is_asked(
    games: list[tuple[Record, GameAnalysis]],
) -> None:
    record, analysis = games[0]
    first = next(step for step in analysis.steps if step.action.startswith("bid"))
    state = record.replay(first.step)
    bidder = first.seat
    others = [seat for seat in range(3) if seat != bidder]
    values = []
    for asked, passed in (others, others[::-1]):
        position = state.to_dict() | {"to_move": asked}
        position["auction"] = position["auction"] | {"passed": [passed]}
        asking = state.game.state_from_dict(position)
        options = souk.player("master", state.game, nodes=NODES).analyse(asking)
        values.append(next(one.shares for one in options if one.text == "pass"))
    assert values[0] == values[1]
