"""Hypothesis strategies for Marrakech: knobs, states and whole games."""

from hypothesis import strategies as st

import souk
from tests.games.marrakech.reference import EDITIONS, turnings_last


@st.composite
def knobs(draw, short=True):
    """Knobs that go together; `short` keeps rugs and dirhams few, so that games end."""
    edition = draw(st.sampled_from(sorted(EDITIONS)))
    players = draw(st.sampled_from([2, 3, 4]))
    optional = {
        "dirhams": st.integers(0, 1_000_000),
        "rugs": st.integers(1, 1000),
        "pile": st.sampled_from(["open", "face-down"]),
        "cannot_pay": st.sampled_from(["out", "plays-on"]),
        "full_tie": st.sampled_from(["shared", "draw"]),
        "start_facing": st.sampled_from("NESW"),
        "first": st.integers(0, players - 1),
        "cover_own": st.booleans(),
        "turn_last": st.sampled_from(turnings_last(edition)),
    }
    if players == 2:
        optional["two_player"] = st.sampled_from(["two-colour", "one-colour"])
    chosen = draw(st.fixed_dictionaries({}, optional=optional))
    if short:
        chosen["dirhams"] = draw(st.sampled_from([3, 2, 4, 0, 1, 6, 9, 30]))
        chosen["rugs"] = draw(st.sampled_from([3, 4, 5, 1, 2]))
    return {"players": players, "edition": edition, **chosen}


# What is chosen at every step: the n-th of the legal actions, round and round.
choices = st.binary(min_size=60, max_size=160)


def steps(state, chosen):
    """Play `chosen` from a state; yields (position before, action's text, the state after)."""
    for choice in chosen:
        if state.is_terminal():
            return
        legal = state.legal_actions()
        action = legal[choice % len(legal)]
        before = state.to_dict()
        state.apply_action(action)
        yield before, state.action_to_string(action), state


@st.composite
def states(draw, short=True):
    """A state somewhere in a game of any mix of knobs."""
    state = souk.load_game("marrakech", **draw(knobs(short))).new_initial_state()
    for _ in steps(state, draw(choices)):
        pass
    return state


@st.composite
def games_played(draw):
    """The steps of a game of any mix of knobs, as `steps` gives them, the states cloned."""
    state = souk.load_game("marrakech", **draw(knobs())).new_initial_state()
    return [(before, text, after.clone()) for before, text, after in steps(state, draw(choices))]
