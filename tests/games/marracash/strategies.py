"""Hypothesis strategies for MarraCash: knobs, states and whole games."""

from random import Random

from hypothesis import strategies as st

import souk
from tests.games.marracash.board_facts import NAMES
from tests.games.marracash.positions import random_position


@st.composite
def knobs(draw):
    chosen = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "commission": st.sampled_from(["per-customer", "per-group", "once"]),
                "souvenirs": st.booleans(),
                "pull_in": st.booleans(),
                "layout": st.sampled_from(NAMES),
            },
        )
    )
    return {"players": draw(st.sampled_from([3, 4])), **chosen}


# What is chosen at every step: the n-th of the legal actions, bids low and soon over.
choices = st.binary(min_size=60, max_size=160)


def chosen_action(state, choice):
    """Bids are low as a rule, and any now and then, so that money lasts and everything occurs."""
    legal = state.legal_actions()
    bids = [action for action in legal if state.action_to_string(action).startswith("bid")]
    if not bids or choice >= 240:
        return legal[choice % len(legal)]
    passes = [action for action in legal if action not in bids]
    if passes and choice < 140:
        return passes[0]
    return bids[choice % min(4, len(bids))]


def steps(state, chosen):
    """Play `chosen` in a state; yield the action's text after each action."""
    for choice in chosen:
        if state.is_terminal():
            return
        action = chosen_action(state, choice)
        state.apply_action(action)
        yield state.action_to_string(action)


@st.composite
def first_states(draw):
    """The setup of a game of any mix of knobs, or a position far away from it."""
    mix = draw(knobs())
    game = souk.load_game("marracash", **mix)
    seed = draw(st.integers(0, 10_000))
    if draw(st.booleans()):
        return game.new_initial_state(seed=seed)
    return game.state_from_dict(random_position(Random(f"strategies {seed}"), mix))


@st.composite
def states(draw):
    """A state somewhere in a game of any mix of knobs."""
    state = draw(first_states())
    for _ in steps(state, draw(choices)):
        pass
    return state


@st.composite
def games_played(draw):
    """The steps of a game of any mix of knobs, as (before, text, after), all as JSON."""
    state = draw(first_states())
    positions = [state.to_dict()]
    texts = []
    for text in steps(state, draw(choices)):
        texts.append(text)
        positions.append(state.to_dict())
    return list(zip(positions, texts, positions[1:], strict=False))
