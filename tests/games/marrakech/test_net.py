"""The trained net: its inputs, its arithmetic and the kinds of players it knows."""

import itertools
import random

import numpy as np
import pytest

import souk
from souk.engine.kernel import targets
from souk.games.marrakech.ai import opponent_kinds, opponent_models, weights

NET = ("souk.games.marrakech.ai.tax", "souk.games.marrakech.ai.net")
GAMES = (
    "marrakech(players=2)",
    "marrakech(players=2,two_player=one-colour)",
    "marrakech(players=2,edition=pergioco)",
    "marrakech(players=2,edition=pergioco,turn_last=True)",
    "marrakech(players=2,turn_last=True)",
    "marrakech(players=3)",
    "marrakech(players=4,edition=gigamic-57)",
)


def plain(game):
    return targets.python_kernel(game.kernel, game.constants(), NET)


def positions(game, seed, games=2):
    """Positions of random games that the net can evaluate."""
    kernel = plain(game)
    choose = random.Random(seed)
    for number in range(games):
        state = game.new_initial_state(number)
        while not state.is_terminal():
            if kernel.can_evaluate(list(state.buffer)):
                yield state.clone()
            actions = state.legal_actions()
            state.apply_action(choose.choice(actions))


def encode_inputs(kernel, state):
    at, what = [0] * kernel.MOST_ACTIVE, [0.0] * kernel.MOST_ACTIVE
    count = kernel.encode(list(state.buffer), at, what)
    table = [0.0] * kernel.POSITION_INPUTS
    for number in range(count):
        assert table[at[number]] == 0.0, "every input occurs once"
        table[at[number]] = what[number]
    return np.array(table)


def evaluate(kernel, game, state, beliefs=()):
    shares = [0.0] * game.num_players()
    weights = [float(one) for one in game.weights("net", beliefs)]
    kernel.evaluate(list(state.buffer), weights, shares)
    return shares


def by_arithmetic(kernel, game, state, beliefs=()):
    """The same net, in the words of linear algebra."""
    sizes = (kernel.INPUTS, kernel.HIDDEN_1, kernel.HIDDEN_2, game.num_players())
    rest = weights.load(game.num_players(), game.colours_each).astype(float)
    opponents = np.zeros(kernel.OPPONENT_INPUTS)
    if beliefs:
        first = kernel.seat_to_begin(list(state.buffer))
        opponents = np.array([one[1:] for one in [*beliefs[first:], *beliefs[:first]]]).reshape(-1)
    cells = np.concatenate([encode_inputs(kernel, state), opponents])
    for number, (size, more) in enumerate(itertools.pairwise(sizes)):
        matrix, rest = rest[: size * more].reshape(size, more), rest[size * more :]
        bias, rest = rest[:more], rest[more:]
        cells = cells @ matrix + bias
        if number < 2:
            cells = np.maximum(cells, 0)
    first = kernel.seat_to_begin(list(state.buffer))
    by_seat = np.roll(cells, first)
    is_out = [state.buffer[game.rules.OUT + seat] > 0 for seat in range(len(by_seat))]
    powers = np.where(is_out, 0, np.exp(by_seat - by_seat.max()))
    return powers / powers.sum()


@pytest.mark.parametrize("text", GAMES)
def test_the_evaluation_is_the_arithmetic_of_the_net(text):
    game = souk.load_game(text)
    kernel = plain(game)
    some = random.Random(1).sample(list(positions(game, 1)), 6)
    for state in some:
        shares = evaluate(kernel, game, state)
        assert sum(shares) == pytest.approx(1)
        assert shares == pytest.approx(by_arithmetic(kernel, game, state), abs=1e-4)


@pytest.mark.parametrize("players", [3, 4])
def test_the_kinds_of_players_are_inputs(players):
    game = souk.load_game("marrakech", players=players)
    kernel = plain(game)
    draw = random.Random(6)
    for state in draw.sample(list(positions(game, 6)), 4):
        beliefs = [[draw.random() for _ in range(kernel.KINDS)] for _ in range(players)]
        shares = evaluate(kernel, game, state, beliefs)
        assert shares == pytest.approx(by_arithmetic(kernel, game, state, beliefs), abs=1e-4)
        assert shares != pytest.approx(evaluate(kernel, game, state), abs=1e-3)


def test_every_kind_of_player_has_a_prior_and_a_temperature():
    for name in ("PRIORS", "TEMPERATURES", "QUICK_MODELS", "NODE_COSTS"):
        assert len(getattr(opponent_models, name)) == opponent_kinds.KINDS


@pytest.mark.parametrize("text", GAMES)
def test_evaluations_use_the_tax_rule_of_the_rules(text):
    game = souk.load_game(text)
    kernel = plain(game)
    for state in list(positions(game, 5, games=1))[::5]:
        for square in range(49):
            for payer in range(game.num_players()):
                tax = kernel.tax_at(state.buffer, square, payer)
                assert tax == game.rules.tax_on(state.buffer, square, payer)


@pytest.mark.parametrize("text", GAMES)
def test_inputs_are_few_and_small(text):
    game = souk.load_game(text)
    kernel = plain(game)
    for state in positions(game, 2, games=1):
        table = encode_inputs(kernel, state)
        assert np.isfinite(table).all() and np.abs(table).max() <= 20
        assert (table[: kernel.PAIR_INPUTS] != 0).sum() == sum(
            game.rules.popcount(state.buffer[game.rules.BOARD + colour])
            for colour in range(game.rules.COLOURS)
        )


@pytest.mark.parametrize("players", [3, 4])
def test_positions_are_encoded_from_the_seat_whose_turn_it_is(players):
    """The same position with everybody one seat further on is evaluated the same."""
    game = souk.load_game("marrakech", players=players)
    kernel, k = plain(game), game.rules
    for state in random.Random(3).sample(list(positions(game, 3)), 5):
        moved = list(state.buffer)
        for first in (k.BOARD, k.DIRHAMS, k.OUT, k.RUGS):
            row = list(state.buffer[first : first + players])
            moved[first : first + players] = row[-1:] + row[:-1]
        moved[k.TO_MOVE] = (state.buffer[k.TO_MOVE] + 1) % players
        other = souk.engine.state.State(game, moved)
        shares = evaluate(kernel, game, state)
        assert evaluate(kernel, game, other) == pytest.approx(shares[-1:] + shares[:-1])


def test_the_net_knows_who_is_winning():
    """Near the end the player who leads clearly has by far the larger share."""
    game = souk.load_game("marrakech(players=2)")
    kernel = plain(game)
    clear = [
        state
        for state in positions(game, 4, games=6)
        if abs(state.scores()[0] - state.scores()[1]) > 25
        and sum(state.buffer[game.rules.RUGS : game.rules.NEXT]) <= 4
    ]
    assert clear
    for state in clear:
        leader = max(range(2), key=lambda seat: state.scores()[seat])
        assert evaluate(kernel, game, state)[leader] > 0.9


def test_the_heuristic_is_used_for_settings_far_from_training():
    assert souk.load_game("marrakech(players=3,rugs=40)").available_evaluations() == ["heuristic"]
    assert souk.load_game("marrakech(players=3,dirhams=1000)").available_evaluations() == [
        "heuristic"
    ]
    assert souk.load_game("marrakech(players=3,dirhams=50)").available_evaluations() == [
        "heuristic",
        "net",
    ]
