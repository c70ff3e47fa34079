"""What an action of Marrakech is worth before it is done."""

from random import Random

import pytest

import souk

GAMES = [
    "marrakech(players=2,edition=gigamic,rugs=6)",
    "marrakech(players=3,edition=gigamic,dirhams=5,rugs=6)",
    "marrakech(players=4,edition=pergioco,rugs=6)",
]


@pytest.mark.parametrize("text", GAMES)
def test_gains_are_the_mean_and_the_bounds_of_what_the_die_does_to_the_scores(text):
    rng, rolled = Random(text), 0
    state = souk.load_game(text).new_initial_state()
    while not state.is_terminal():
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            ends = [(after.scores(), 1)]
            if after.is_chance_node():
                ends = []
                for outcome, probability in after.chance_outcomes():
                    then = after.clone()
                    then.apply_action(outcome)
                    ends.append((then.scores(), probability))
            for seat, gain in enumerate(state.preview(action).gains):
                now = state.scores()[seat]
                result = [scores[seat] - now for scores, _ in ends]
                assert (gain.least, gain.most) == (min(result), max(result))
                expected = sum((scores[seat] - now) * p for scores, p in ends)
                assert gain.expected == pytest.approx(expected)
                rolled += not gain.is_certain
        state.apply_action(rng.choice(state.legal_actions()))
    assert rolled > 5
