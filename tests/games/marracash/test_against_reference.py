"""Souk and the reference play side by side and agree on everything at every step."""

from collections import Counter
from random import Random

import pytest

import souk
from tests.games.marracash.positions import (
    every_knobs,
    game_text,
    mixed_knobs,
    random_position,
    random_setup,
    reference,
    sensible,
)
from tests.games.marracash.reference import normalised

ALL_KNOBS = [knobs for players in (3, 4) for knobs in every_knobs(players)]
every_game = pytest.mark.parametrize("knobs", ALL_KNOBS, ids=game_text)
MOST_STEPS = 600  # such games end after some 200; nothing in the rules says they must


def load(knobs):
    return souk.load_game("marracash", **knobs)


def assert_agree(state, other):
    """Every question of the contract has the same answer."""
    assert state.current_player() == other.current_player()
    assert state.is_terminal() == other.is_terminal()
    assert state.is_chance_node() == other.is_chance()
    legal = [state.action_to_string(action) for action in state.legal_actions()]
    assert sorted(legal) == sorted(other.legal())
    if other.is_chance():
        outcomes = [(state.action_to_string(action), p) for action, p in state.chance_outcomes()]
        assert dict(outcomes) == {text: float(p) for text, p in other.chance().items()}
        assert len(dict(outcomes)) == len(outcomes)
    assert state.scores() == other.scores()
    assert state.ranking() == other.ranking()
    assert state.returns() == [float(share) for share in other.returns()]
    assert normalised(state.to_dict()) == other.to_dict()


def play_both(state, other, rng, choose=sensible, most_steps=MOST_STEPS):
    """Play on in both to the end, or for some steps."""
    assert_agree(state, other)
    while not other.is_terminal() and most_steps:
        text = choose(rng, other.legal())
        other.apply(text)
        state.apply_action(state.string_to_action(text))
        assert_agree(state, other)
        most_steps -= 1


def choose_any(rng, texts):
    return rng.choice(texts)


@every_game
def test_whole_games_agree_from_the_setup_that_souk_deals(knobs):
    rng = Random(f"whole {game_text(knobs)}")
    game = load(knobs)
    assert str(game) == game_text(knobs)
    for seed in range(6):
        state = game.new_initial_state(seed=seed)
        play_both(state, reference(state.to_dict(), knobs), rng)
        assert state.is_terminal()


@every_game
def test_whole_games_agree_with_wild_bids(knobs):
    rng = Random(f"wild {game_text(knobs)}")
    game = load(knobs)
    for seed in range(4):
        state = game.new_initial_state(seed=seed)
        play_both(state, reference(state.to_dict(), knobs), rng, choose=choose_any)


@pytest.mark.parametrize("chunk", range(8))
def test_games_of_mixed_knobs_agree_from_setups_of_our_own(chunk):
    rng = Random(f"mixed {chunk}")
    for _ in range(12):
        knobs = mixed_knobs(rng)
        position = random_setup(rng, knobs)
        state = load(knobs).state_from_dict(position)
        play_both(state, reference(position, knobs), rng)


@pytest.mark.parametrize("chunk", range(4))
def test_games_loaded_in_the_middle_go_on_alike(chunk):
    rng = Random(f"loaded {chunk}")
    for _ in range(20):
        knobs = mixed_knobs(rng)
        other = reference(random_setup(rng, knobs), knobs)
        for _ in range(rng.randrange(220)):
            if not other.is_terminal():
                other.apply(sensible(rng, other.legal()))
        position = other.to_dict()
        assert reference(position, knobs).to_dict() == position
        play_both(load(knobs).state_from_dict(position), other, rng, most_steps=40)


@pytest.mark.parametrize("chunk", range(8))
def test_positions_that_play_may_never_reach_go_on_alike(chunk):
    rng = Random(f"unreachable {chunk}")
    for _ in range(80):
        knobs = mixed_knobs(rng)
        position = random_position(rng, knobs)
        other = reference(position, knobs)
        play_both(load(knobs).state_from_dict(position), other, rng, most_steps=15)


@pytest.mark.parametrize("players", [3, 4])
def test_winners_of_finished_positions_agree_however_close(players):
    rng = Random(f"winners {players}")
    knobs = {"players": players}
    game = load(knobs)
    tied = Counter()
    for _ in range(60):
        position = random_position(rng, knobs)
        position.update(phase="over", last_turns=0, auction=None, to_move=position["turn_of"])
        for player in position["players"]:
            player["dirhams"] = 25 * rng.randrange(3)
        other = reference(position, knobs)
        assert_agree(game.state_from_dict(position), other)
        tied[len(other.ranking()[0])] += 1
    assert all(tied[number] for number in range(1, players + 1)), tied


def test_the_games_compared_see_every_corner_of_the_rules():
    """The mixes above are not too tame."""
    rng = Random("corners")
    seen = Counter()
    for number in range(300):
        knobs = mixed_knobs(rng)
        starts_in_the_middle = number % 2 == 0
        position = random_position(rng, knobs) if starts_in_the_middle else random_setup(rng, knobs)
        other = reference(position, knobs)
        while not other.is_terminal():
            before = other.phase, other.step, other.turn_of
            texts = other.legal()
            note_corners(seen, other, texts)
            other.apply(sensible(rng, texts))
            if before[:2] == ("bid", 1) and other.turn_of != before[2] and other.round > 1:
                seen["second step impossible"] += 1
        seen["one left outside"] += len(other.queue) == 1
        seen["none left outside"] += not other.queue
    assert len(seen) == 22
    assert min(seen.values()) >= 3, seen


def note_corners(seen, other, texts):
    seen[other.phase] += 1
    if other.phase == "bid":
        seen["may only pass"] += texts == ["pass"]
        seen["no sign left"] += other.signs[other.to_move] == 0
        seen["dear shop"] += (other.auction["bid"] or 0) > 500
    if other.phase == "bring":
        seen["two gates"] += len({text.split()[1] for text in texts}) > 1
        seen["short queue"] += len(other.queue) < 4
    if other.walk:
        seen[f"{other.phase} while {other.walk['kind']}"] += 1
        seen["last of the deck"] += len(other.legal()) == 2 and other.phase == "reveal"
    if other.phase == "choose":
        seen["nothing possible"] += texts == ["pass"]
        if other.step == 1:
            seen["cannot auction"] += not any(text.startswith("auction") for text in texts)
        else:
            seen[f"second after {other.first_step}"] += 1
