"""The trained net: what it sees, how it judges, and that both targets agree."""

import itertools
import random

import numpy as np
import pytest

import souk
from souk.engine.kernel import targets
from souk.games.marrakech.ai import opponent_models, training_opponents, weights

NET = ("souk.games.marrakech.ai.net",)
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
    """Positions of random games that the net can judge."""
    kernel = plain(game)
    choose = random.Random(seed)
    for number in range(games):
        state = game.new_initial_state(number)
        while not state.is_terminal():
            if kernel.can_judge(list(state.buffer)):
                yield state.clone()
            actions = state.legal_actions()
            state.apply_action(choose.choice(actions))


def seen(kernel, state):
    at, what = [0] * kernel.MOST_SEEN, [0.0] * kernel.MOST_SEEN
    count = kernel.see(list(state.buffer), at, what)
    table = [0.0] * kernel.INPUTS
    for number in range(count):
        assert table[at[number]] == 0.0, "every input is noted once"
        table[at[number]] = what[number]
    return np.array(table)


def judged(kernel, game, state, beliefs=()):
    shares = [0.0] * game.num_players()
    weights = [float(one) for one in game.weights("net", beliefs)]
    kernel.judge(list(state.buffer), weights, shares)
    return shares


def by_arithmetic(kernel, game, state, beliefs=()):
    """The same net, in the words of linear algebra."""
    sizes = (kernel.ROWS, kernel.FIRST, kernel.SECOND, game.num_players())
    rest = weights.kept(game.num_players(), game.colours_each).astype(float)
    told = np.zeros(kernel.TOLD)
    if beliefs:
        first = kernel.whose_turn(list(state.buffer))
        told = np.array([one[1:] for one in [*beliefs[first:], *beliefs[:first]]]).reshape(-1)
    cells = np.concatenate([seen(kernel, state), told])
    for number, (size, more) in enumerate(itertools.pairwise(sizes)):
        matrix, rest = rest[: size * more].reshape(size, more), rest[size * more :]
        bias, rest = rest[:more], rest[more:]
        cells = cells @ matrix + bias
        if number < 2:
            cells = np.maximum(cells, 0)
    first = kernel.whose_turn(list(state.buffer))
    by_seat = np.roll(cells, first)
    is_out = [state.buffer[game.rules.OUT + seat] > 0 for seat in range(len(by_seat))]
    powers = np.where(is_out, 0, np.exp(by_seat - by_seat.max()))
    return powers / powers.sum()


@pytest.mark.parametrize("text", GAMES)
def test_the_judgement_is_that_of_the_net(text):
    game = souk.load_game(text)
    kernel = plain(game)
    some = random.Random(1).sample(list(positions(game, 1)), 6)
    for state in some:
        shares = judged(kernel, game, state)
        assert sum(shares) == pytest.approx(1)
        assert shares == pytest.approx(by_arithmetic(kernel, game, state), abs=1e-4)


@pytest.mark.parametrize("players", [3, 4])
def test_who_plays_makes_a_difference(players):
    game = souk.load_game("marrakech", players=players)
    kernel = plain(game)
    draw = random.Random(6)
    for state in draw.sample(list(positions(game, 6)), 4):
        beliefs = [[draw.random() for _ in range(kernel.KINDS)] for _ in range(players)]
        shares = judged(kernel, game, state, beliefs)
        assert shares == pytest.approx(by_arithmetic(kernel, game, state, beliefs), abs=1e-4)
        assert shares != pytest.approx(judged(kernel, game, state), abs=1e-3)


def test_the_net_the_minds_and_practice_know_the_same_kinds_of_players():
    game = souk.load_game("marrakech", players=3)
    assert (
        plain(game)["KINDS"]
        == training_opponents.KINDS
        == len(opponent_models.BELIEFS)
        == opponent_models.MINDS
    )


@pytest.mark.parametrize("text", GAMES)
def test_inputs_are_few_and_small(text):
    game = souk.load_game(text)
    kernel = plain(game)
    for state in positions(game, 2, games=1):
        table = seen(kernel, state)
        assert np.isfinite(table).all() and np.abs(table).max() <= 20
        assert (table[: kernel.SEEN_PAIRS] != 0).sum() == sum(
            game.rules.popcount(state.buffer[game.rules.BOARD + colour])
            for colour in range(game.rules.COLOURS)
        )


@pytest.mark.parametrize("players", [3, 4])
def test_the_players_are_seen_from_the_place_of_whose_turn_it_is(players):
    """The same position with everybody one seat further on is judged the same."""
    game = souk.load_game("marrakech", players=players)
    kernel, k = plain(game), game.rules
    for state in random.Random(3).sample(list(positions(game, 3)), 5):
        moved = list(state.buffer)
        for first in (k.BOARD, k.DIRHAMS, k.OUT, k.RUGS):
            row = list(state.buffer[first : first + players])
            moved[first : first + players] = row[-1:] + row[:-1]
        moved[k.TO_MOVE] = (state.buffer[k.TO_MOVE] + 1) % players
        other = souk.engine.state.State(game, moved)
        shares = judged(kernel, game, state)
        assert judged(kernel, game, other) == pytest.approx(shares[-1:] + shares[:-1])


def test_it_knows_who_is_winning():
    """Of positions near the end, whoever leads clearly has by far the larger share."""
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
        assert judged(kernel, game, state)[leader] > 0.9


def test_settings_far_from_those_it_was_trained_with_are_left_to_the_other_judgement():
    assert souk.load_game("marrakech(players=3,rugs=40)").judges() == ["hand"]
    assert souk.load_game("marrakech(players=3,dirhams=1000)").judges() == ["hand"]
    assert souk.load_game("marrakech(players=3,dirhams=50)").judges() == ["hand", "net"]
