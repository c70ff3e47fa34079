"""Souk and the reference play side by side and agree on everything at every step."""

from random import Random

import pytest

import souk
from tests.games.marrakech.positions import (
    TABLES,
    all_knobs,
    mixed_knobs,
    plain_knobs,
    random_position,
)
from tests.games.marrakech.reference import EDITIONS, Reference, normalised

every_table = pytest.mark.parametrize("table", TABLES)
every_edition = pytest.mark.parametrize("edition", EDITIONS)


def load(knobs):
    return souk.load_game("marrakech", **knobs)


def assert_agree(state, reference):
    """Every question of the contract has the same answer."""
    assert state.current_player() == reference.current_player()
    assert state.is_terminal() == reference.is_terminal()
    assert state.is_chance_node() == reference.is_chance()
    legal = [state.action_to_string(action) for action in state.legal_actions()]
    assert sorted(legal) == sorted(reference.legal())
    if reference.is_chance():
        outcomes = [(state.action_to_string(action), p) for action, p in state.chance_outcomes()]
        assert dict(outcomes) == {text: float(p) for text, p in reference.chance().items()}
        assert len(dict(outcomes)) == len(outcomes)
    assert state.scores() == reference.scores()
    assert state.ranking() == reference.ranking()
    assert state.returns() == [float(share) for share in reference.returns()]
    assert normalised(state.to_dict()) == reference.to_dict()


def play_both(state, reference, rng, most_steps=1000):
    """Play on at random in both to the end, or for some steps."""
    assert_agree(state, reference)
    while not reference.is_terminal() and most_steps:
        text = rng.choice(reference.legal())
        reference.apply(text)
        state.apply_action(state.string_to_action(text))
        assert_agree(state, reference)
        most_steps -= 1


@every_table
@every_edition
def test_whole_games_of_every_edition_agree(edition, table):
    rng = Random(f"whole {edition} {table}")
    for knobs in all_knobs(edition, table):
        play_both(load(knobs).new_initial_state(), Reference(**knobs), rng)


@every_table
@every_edition
def test_short_games_of_mixed_knobs_agree(edition, table):
    rng = Random(f"mixed {edition} {table}")
    for _ in range(50):
        knobs = mixed_knobs(rng, edition, table)
        play_both(load(knobs).new_initial_state(), Reference(**knobs), rng)


@every_table
@every_edition
def test_games_loaded_in_the_middle_go_on_alike(edition, table):
    rng = Random(f"loaded {edition} {table}")
    for _ in range(12):
        knobs = mixed_knobs(rng, edition, table)
        reference = Reference(**knobs)
        for _ in range(rng.randrange(40)):
            if not reference.is_terminal():
                reference.apply(rng.choice(reference.legal()))
        position = reference.to_dict()
        assert Reference.from_dict(position, **knobs).to_dict() == position
        play_both(load(knobs).state_from_dict(position), reference, rng)


@every_table
@every_edition
def test_positions_that_play_may_never_reach_go_on_alike(edition, table):
    rng = Random(f"unreachable {edition} {table}")
    for _ in range(100):
        knobs = mixed_knobs(rng, edition, table)
        position = random_position(rng, knobs)
        reference = Reference.from_dict(position, **knobs)
        play_both(load(knobs).state_from_dict(position), reference, rng, most_steps=8)


@pytest.mark.parametrize("full_tie", ["shared", "draw"])
@every_table
def test_winners_of_finished_positions_agree_however_close(table, full_tie):
    """Few squares and few dirhams, so that ties of score and of dirhams are common."""
    rng = Random(f"winners {table} {full_tie}")
    knobs = {**plain_knobs("gigamic", table), "full_tie": full_tie}
    game = load(knobs)
    tied = 0
    for _ in range(150):
        position = random_position(rng, knobs)
        position["phase"] = "over"
        position["squares"] = dict(list(position["squares"].items())[: rng.randrange(5)])
        for player in position["players"]:
            player["rugs"] = dict.fromkeys(player["rugs"], 0)
            player["next"] = None
            if not player["out"]:
                player["dirhams"] = rng.randrange(2)
        reference = Reference.from_dict(position, **knobs)
        assert_agree(game.state_from_dict(position), reference)
        tied += len(reference.ranking()[0]) > 1
    assert tied > 5, "the positions are to be close"


def test_the_games_compared_see_every_kind_of_ending():
    """The mixes above are not too tame: eliminations, last rugs, ties, draws, passed seats."""
    seen = {"out": 0, "out twice": 0, "last rug": 0, "one left": 0, "tie": 0, "0 dirhams": 0}
    for edition in EDITIONS:
        for table in TABLES:
            rng = Random(f"endings {edition} {table}")
            for _ in range(20):
                reference = Reference(**mixed_knobs(rng, edition, table))
                while not reference.is_terminal():
                    reference.apply(rng.choice(reference.legal()))
                seen["out"] += len(reference.out_order) == 1
                seen["out twice"] += len(reference.out_order) == 2
                seen["one left"] += len(reference.still_in()) == 1
                seen["last rug"] += len(reference.still_in()) > 1
                seen["tie"] += len(reference.ranking()[0]) > 1
                seen["0 dirhams"] += any(reference.dirhams[s] == 0 for s in reference.still_in())
    assert min(seen.values()) >= 5, seen
