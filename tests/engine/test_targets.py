"""Both targets play the same games."""

from random import Random

import numpy as np
import pytest

import souk
from souk.engine.kernel import targets
from tests.games.marrakech.positions import TABLES, all_knobs, mixed_knobs, plain_knobs
from tests.games.marrakech.reference import EDITIONS

every_table = pytest.mark.parametrize("table", TABLES)


def load(knobs):
    return souk.load_game("marrakech", **knobs)


def assert_same(one, other):
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.returns, other.returns)
    assert np.array_equal(one.turns, other.turns)


def random_state(game, rng, steps):
    """A state some random steps into a game, or at its end."""
    state = game.new_initial_state()
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@every_table
def test_both_targets_play_the_same_games_with_every_knob(table):
    for edition in EDITIONS:
        for knobs in all_knobs(edition, table):
            game = load(knobs)
            plain = souk.playouts(game, games=6, seed=3, target="python")
            assert_same(souk.playouts(game, games=6, seed=3), plain)


@every_table
def test_both_targets_play_the_same_short_games_with_any_mix_of_knobs(table):
    rng = Random(f"targets {table}")
    for _ in range(40):
        game = load(mixed_knobs(rng, rng.choice(list(EDITIONS)), table))
        plain = souk.playouts(game, games=8, seed=5, target="python")
        assert_same(souk.playouts(game, games=8, seed=5), plain)


@every_table
def test_both_targets_continue_alike_from_any_position(table):
    rng = Random(f"middle {table}")
    for _ in range(25):
        game = load(mixed_knobs(rng, rng.choice(list(EDITIONS)), table))
        state = random_state(game, rng, rng.randrange(60))
        plain = souk.playouts(state, games=5, seed=8, target="python")
        assert_same(souk.playouts(state, games=5, seed=8), plain)


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1])
def test_both_targets_agree_on_every_size_of_seed(seed):
    game = load({"players": 2, "rugs": 3})
    assert_same(
        souk.playouts(game, games=5, seed=seed),
        souk.playouts(game, games=5, seed=seed, target="python"),
    )


@pytest.mark.parametrize("name", souk.games())
def test_both_targets_agree_for_every_game_there_is(name):
    game = souk.load_game(name)
    assert_same(
        souk.playouts(game, games=5, seed=2), souk.playouts(game, games=5, seed=2, target="python")
    )


@pytest.mark.parametrize("games", [0, 1, 2, 7, 40, 41, 1000])
def test_the_number_of_threads_changes_nothing(games):
    game = load({"players": 2, "edition": "pergioco"})
    one = souk.playouts(game, games=games, seed=4, threads=1)
    assert one.scores.shape == one.returns.shape == (games, 2) and one.turns.shape == (games,)
    for threads in (2, 5, None):
        assert_same(souk.playouts(game, games=games, seed=4, threads=threads), one)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_a_game_does_not_depend_on_how_many_are_played(target):
    game = load({"players": 4, "rugs": 5})
    all_of_them = souk.playouts(game, games=90, seed=6, target=target)
    for games in (1, 33, 89):
        some = souk.playouts(game, games=games, seed=6, target=target)
        assert np.array_equal(some.scores, all_of_them.scores[:games])
        assert np.array_equal(some.turns, all_of_them.turns[:games])


@pytest.mark.parametrize("target", targets.TARGETS)
def test_a_part_of_the_games_can_be_played_by_itself(target):
    game = load({"players": 2, "rugs": 4})
    all_of_them = souk.playouts(game, games=60, seed=6, target=target)
    part = souk.playouts(game, games=25, seed=6, first=20, target=target)
    assert np.array_equal(part.scores, all_of_them.scores[20:45])
    assert np.array_equal(part.turns, all_of_them.turns[20:45])
    far = [
        souk.playouts(game, games=3, seed=6, first=2**62, target=name) for name in ("numba", target)
    ]
    assert_same(*far)


def test_numpys_whole_numbers_count_and_seed_like_any_other():
    game = load({"players": 2, "rugs": 2})
    plain = souk.playouts(game, games=4, seed=2**32 + 7, threads=2)
    for target in targets.TARGETS:
        numbers = {"games": np.int32(4), "seed": np.int64(2**32 + 7), "threads": np.uint8(2)}
        assert_same(souk.playouts(game, **numbers, target=target), plain)


def test_other_seeds_give_other_games():
    game = load({"players": 3})
    played = [souk.playouts(game, games=50, seed=seed).scores.tobytes() for seed in range(20)]
    assert len(set(played)) == 20
    scores = souk.playouts(game, games=2000, seed=1).scores
    assert len(np.unique(scores, axis=0)) > 1500, "and games of one seed differ"


@every_table
def test_every_game_ends_with_one_win_shared_out(table):
    result = souk.playouts(load(plain_knobs("gigamic", table)), games=3000, seed=9)
    assert np.allclose(result.returns.sum(axis=1), 1)
    assert (result.scores >= 0).all()
    assert (result.returns >= 0).all()
    players, one_colour = TABLES[table]
    rugs = {2: 30 if one_colour else 48, 3: 45, 4: 48}[players]
    assert result.turns.max() == rugs
    assert (result.turns >= players).all()


def test_playouts_leave_the_state_as_it_was():
    state = random_state(load({"players": 3}), Random(3), 31)
    before, history = state.to_dict(), state.history()
    souk.playouts(state, games=20, seed=1)
    souk.playouts(state, games=20, seed=1, target="python")
    assert (state.to_dict(), state.history()) == (before, history)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_from_the_end_of_a_game_there_is_nothing_left_to_play(target):
    state = random_state(load({"players": 3, "rugs": 2}), Random(4), 1000)
    result = souk.playouts(state, games=3, seed=1, target=target)
    assert result.turns.tolist() == [0, 0, 0]
    assert result.scores.tolist() == [state.scores()] * 3
    assert result.returns.tolist() == [state.returns()] * 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": -1}, "games is a whole number from 0"),
        ({"games": 1.5}, "games is a whole number"),
        ({"games": "10"}, "games is a whole number"),
        ({"games": True}, "games is a whole number"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"seed": 2**63}, "a seed is a whole number"),
        ({"seed": None}, "a seed is a whole number"),
        ({"threads": 0}, "threads is a whole number from 1"),
        ({"threads": -2}, "threads is a whole number from 1"),
        ({"first": -1}, "first is a whole number from 0"),
        ({"target": "c"}, "target accepts numba or python, not 'c'"),
        ({"device": "gpu"}, "device accepts cpu or cuda, not 'gpu'"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, words):
    with pytest.raises(souk.SoukError, match=words):
        souk.playouts(load({}), **{"games": 1, **arguments})


def test_playouts_start_from_a_game_or_a_state():
    with pytest.raises(souk.SoukError, match="a game or a state"):
        souk.playouts("marrakech")


def test_the_numba_of_the_requirements_compiles_inner_functions_quickly(monkeypatch):
    from souk.engine.kernel import numba_pipeline

    assert numba_pipeline.inner_options(is_inlined=False)
    monkeypatch.setattr(numba_pipeline.numba, "__version__", "0.61.2")
    assert not numba_pipeline.inner_options(is_inlined=False)
