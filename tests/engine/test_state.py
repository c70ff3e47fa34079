"""The small print of a state that tests of the contract leave open: odd values, odd copies."""

import copy
import pickle

import numpy as np
import pytest

import souk


@pytest.fixture
def state():
    """A game of three before its second roll: there is a past, a choice made, chance to come."""
    state = souk.load_game("marrakech").new_initial_state()
    for text in ("left", "2", "e5f5", "right"):
        state.apply_action(state.string_to_action(text))
    return state


@pytest.mark.parametrize(
    "action",
    [-1, -4, 95, 10**6, 2**63, 2**64 + 1, -(10**30), 10**5000],
    ids=lambda value: f"{value:.3g}" if abs(value) < 10**300 else "10**5000",
)
def test_an_unknown_action_number_is_refused_and_changes_nothing(state, action):
    before, history = state.to_dict(), state.history()
    with pytest.raises(souk.IllegalAction, match="legal: 1, 2, 3, 4"):
        state.apply_action(action)
    assert (state.to_dict(), state.history()) == (before, history)


@pytest.mark.parametrize(
    "action",
    [
        *(True, False, None, "2", "left", b"1", [1], (1,), {}, object),
        *(1.0, 2.5, float("nan"), 1j, np.float64(1), np.True_, np.array([1, 2])),
    ],
    ids=repr,
)
def test_values_other_than_integers_are_refused_and_change_nothing(state, action):
    before, history = state.to_dict(), state.history()
    with pytest.raises(souk.IllegalAction, match="whole number"):
        state.apply_action(action)
    assert (state.to_dict(), state.history()) == (before, history)


def test_a_text_in_the_place_of_a_number_gets_a_hint(state):
    with pytest.raises(souk.IllegalAction, match="string_to_action"):
        state.apply_action("2")


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, np.intp])
def test_numpys_whole_numbers_are_actions_everywhere(state, kind):
    action = kind(state.string_to_action("2"))
    assert state.action_to_string(action) == "2"
    assert state.preview(action).text == "2"
    state.apply_action(action)
    assert state.history()[-1] == 88 and type(state.history()[-1]) is int


def test_an_illegal_action_is_a_value_error_that_names_it_and_what_is_legal(state):
    with pytest.raises(ValueError, match="'c2c3'") as refusal:
        state.apply_action(state.string_to_action("c2c3"))
    assert isinstance(refusal.value, souk.IllegalAction)
    assert "legal: 1, 2, 3, 4" in str(refusal.value)


def test_after_the_end_nothing_is_legal():
    state = souk.load_game("marrakech", rugs=1).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.legal_actions() == []
    for action in range(len(state.game.action_texts)):
        with pytest.raises(souk.IllegalAction, match="over"):
            state.apply_action(action)


def test_legal_actions_takes_a_seat_as_in_openspiel():
    state = souk.load_game("marrakech", players=3).new_initial_state()
    assert state.legal_actions(0) == state.legal_actions() != []
    assert state.legal_actions(1) == []
    state.apply_action(0)
    assert state.legal_actions(souk.CHANCE) == state.legal_actions()
    assert state.legal_actions(0) == []


@pytest.mark.parametrize(
    "text", ["", "c2", "C2C3", "c2c4", "c2--c3", "5", "pink", " left", None, 7]
)
def test_an_unknown_action_text_is_refused_with_a_description_of_texts(state, text):
    with pytest.raises(ValueError, match="two squares in any order like c2c3, c3-c2 or c3 c2"):
        state.string_to_action(text)


@pytest.mark.parametrize("action", [-1, 95, 10**9, "left", None, 1.0, True])
def test_an_unknown_action_number_has_no_text(state, action):
    with pytest.raises(ValueError, match="no action"):
        state.action_to_string(action)


def test_the_smaller_square_comes_first_in_the_text_of_a_place(state):
    texts = [state.action_to_string(action) for action in range(95)]
    places = [text for text in texts if len(text) == 4 and text[1].isdigit()]
    assert len(places) == 84
    assert all(text[:2] < text[2:] for text in places)


def test_the_squares_of_a_place_are_read_in_any_order_and_apart_or_not(state):
    for action in range(95):
        text = state.action_to_string(action)
        if len(text) == 4 and text[1].isdigit():
            one, other = text[:2], text[2:]
            for spelling in (one + other, f"{one}-{other}", f"{one} {other}"):
                assert state.string_to_action(spelling) == action
            for spelling in (other + one, f"{other}-{one}", f"{other} {one}"):
                assert state.string_to_action(spelling) == action
        assert state.string_to_action(text) == action


def test_undo_with_nothing_to_undo_is_a_value_error():
    state = souk.load_game("marrakech").new_initial_state()
    with pytest.raises(ValueError, match="undo"):
        state.undo_action()


def test_chance_outcomes_are_for_chance_steps_only(state):
    state.undo_action()
    with pytest.raises(ValueError, match="chance"):
        state.chance_outcomes()


@pytest.mark.parametrize(
    "copied",
    [
        lambda state: state.clone(),
        copy.copy,
        copy.deepcopy,
        lambda state: pickle.loads(pickle.dumps(state)),
    ],
    ids=["clone", "copy", "deepcopy", "pickle"],
)
def test_a_copy_goes_its_own_way_and_can_be_undone(state, copied):
    before, history = state.to_dict(), state.history()
    twin = copied(state)
    assert twin == state and twin.history() == history and twin.game == state.game
    twin.apply_action(twin.legal_actions()[-1])
    assert (state.to_dict(), state.history()) == (before, history)
    for _ in range(len(history) + 1):
        twin.undo_action()
    assert twin == state.game.new_initial_state()
    assert (state.to_dict(), state.history()) == (before, history)
    state.undo_action()
    state.apply_action(history[-1])
    assert state.to_dict() == before


def test_an_undo_in_the_original_leaves_the_clone_alone(state):
    twin = state.clone()
    before = twin.to_dict()
    state.undo_action()
    state.apply_action(state.string_to_action("left"))
    state.undo_action()
    state.undo_action()
    assert twin.to_dict() == before
    twin.undo_action()
    assert [twin.action_to_string(action) for action in twin.history()] == ["left", "2", "e5f5"]
    twin.apply_action(twin.string_to_action("right"))
    assert twin.to_dict() == before


def test_changing_returned_values_does_not_change_the_state(state):
    before = state.to_dict()
    for handed_out in (state.history(), state.legal_actions(), state.scores(), state.ranking()):
        handed_out.clear()
    state.to_dict()["players"].clear()
    assert state.to_dict() == before
    assert len(state.history()) == 4 and len(state.legal_actions()) == 4


def test_states_are_equal_when_their_positions_are(state):
    other = state.game.state_from_dict(state.to_dict())
    assert other == state and other.history() != state.history()
    other.apply_action(other.legal_actions()[0])
    assert other != state
    assert state != state.to_dict()
    with pytest.raises(TypeError):
        hash(state)


def test_seeds_are_whole_numbers_from_0():
    game = souk.load_game("marrakech")
    assert game.new_initial_state(seed=0) == game.new_initial_state(seed=2**63 - 1)
    for seed in (-1, 2**63, 1.5, "7", True):
        with pytest.raises(ValueError, match="seed"):
            game.new_initial_state(seed=seed)


@pytest.mark.parametrize("names", [5, "abc", ["Ada"], ["A", "B", 3], {"A": 1}, iter("abc"), b"abc"])
def test_names_that_are_not_one_for_each_seat_are_refused(state, names):
    with pytest.raises(souk.SoukError, match="3 seats, a name for each"):
        state.svg(names=names)
    assert "<svg" in state.svg(names=("A", "B", "C"))


@pytest.mark.parametrize(
    "policy", [5, "pass_chance", ["pass_chance"], {5: 5}, {"pass_chance": "x"}]
)
def test_a_policy_that_is_none_is_refused(policy):
    with pytest.raises(souk.SoukError, match=r"policy|pass_chance"):
        souk.playouts(souk.load_game("marracash"), games=1, policy=policy, target="python")
