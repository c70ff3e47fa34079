"""The contract of Game and State, tested on every game with every knob."""

import copy
import json
import pickle
import xml.etree.ElementTree as ElementTree
from random import Random

import pytest

import souk
from souk.engine.knobs import Choice, Flag, FlagOrChoice, Integer, Text
from souk.games import game_class


def other_values(knob):
    """Some settings of a knob: both ends of a small range, all words, on and off."""
    if isinstance(knob, Integer):
        return sorted({knob.low, min(knob.low + 1, knob.high), min(knob.low + 5, knob.high)})
    if isinstance(knob, Choice):
        return knob.values
    if isinstance(knob, Text):
        return knob.examples
    if isinstance(knob, FlagOrChoice):
        return (True, False, *knob.values)
    assert isinstance(knob, Flag)
    return (True, False)


def variations(name):
    """A game as it comes, with one knob turned, and with three, where they go together."""
    strings = {str(souk.load_game(name)): None}
    knobs = game_class(name).knobs
    rng = Random(name)
    settings = [{knob.name: value} for knob in knobs for value in other_values(knob)]
    single = list(settings)
    settings += [
        {name: value for chosen in rng.sample(single, 3) for name, value in chosen.items()}
        for _ in range(30)
    ]
    for chosen in settings:
        try:
            strings[str(souk.load_game(name, **chosen))] = None
        except souk.BadKnob:
            continue  # they contradict each other
    return list(strings)


GAMES = [text for name in souk.games() for text in variations(name)]
every_game = pytest.mark.parametrize("text", GAMES)


def random_game(text, most_steps=400):
    """States of one random game, from the start on; each is the same object, moved on."""
    rng = Random(f"contract {text}")
    state = souk.load_game(text).new_initial_state(seed=7)
    yield state, rng
    for _ in range(most_steps):
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))
        yield state, rng


def some_states(text, every):
    """Yield clones of every n-th state of a random game, and of the last."""
    played = None
    for number, (state, _) in enumerate(random_game(text)):
        played = state
        if number % every == 0:
            yield state.clone()
    yield played.clone()


def test_there_are_variations_of_every_game():
    for name in souk.games():
        assert sum(text.startswith(f"{name}(") for text in GAMES) > 5


@every_game
def test_a_games_string_names_the_same_game(text):
    game = souk.load_game(text)
    assert str(game) == text
    assert game == souk.load_game(text) and hash(game) == hash(souk.load_game(text))
    assert eval(repr(game), {"souk": souk}) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert copy.deepcopy(game) == game
    assert game.new_initial_state().to_dict()["game"] == text


@every_game
def test_legal_actions_are_sorted_numbers_of_actions_and_never_none_before_the_end(text):
    for state, _ in random_game(text):
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert all(type(action) is int for action in legal)
        assert all(0 <= action < state.game.num_distinct_actions() for action in legal)
        assert bool(legal) == (not state.is_terminal())


@every_game
def test_the_player_to_act_is_a_seat_or_chance_or_no_one(text):
    for state, _ in random_game(text):
        player = state.current_player()
        seats = range(state.game.num_players())
        assert player in (*seats, souk.CHANCE, souk.TERMINAL)
        assert state.is_terminal() == (player == souk.TERMINAL)
        assert state.is_chance_node() == (player == souk.CHANCE)


@every_game
def test_chance_publishes_its_outcomes_and_a_single_outcome_is_no_chance(text):
    for state, _ in random_game(text):
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [action for action, _ in outcomes] == state.legal_actions()
            assert all(0 < probability < 1 for _, probability in outcomes)
            assert sum(probability for _, probability in outcomes) == pytest.approx(1, abs=1e-12)
            assert len(outcomes) > 1
        else:
            with pytest.raises(ValueError, match="chance"):
                state.chance_outcomes()


@every_game
def test_every_action_has_a_text_of_its_own_the_same_in_every_state(text):
    game = souk.load_game(text)
    numbers = range(game.num_distinct_actions())
    texts = [game.action_to_string(action) for action in numbers]
    assert len(set(texts)) == len(texts)
    for state in some_states(text, 40):
        assert [state.action_to_string(action) for action in numbers] == texts
        assert [state.string_to_action(one) for one in texts] == list(numbers)


@every_game
def test_a_text_no_action_has_is_a_value_error(text):
    state = souk.load_game(text).new_initial_state(seed=1)
    for nonsense in ("", "nonsense", "  ", "0x1"):
        with pytest.raises(ValueError, match="action"):
            state.string_to_action(nonsense)


@every_game
def test_an_illegal_action_is_refused_says_what_is_legal_and_changes_nothing(text):
    for state in some_states(text, 23):
        before, history = state.to_dict(), state.history()
        legal = state.legal_actions()
        numbers = range(state.game.num_distinct_actions())
        illegal = [action for action in numbers if action not in legal]
        rng = Random(text)
        for action in [*rng.sample(illegal, min(40, len(illegal))), -1, len(numbers)]:
            with pytest.raises(souk.IllegalAction) as refusal:
                state.apply_action(action)
            if legal:
                assert state.action_to_string(legal[0]) in str(refusal.value)
        assert (state.to_dict(), state.history()) == (before, history)


@every_game
def test_undo_goes_all_the_way_to_the_start(text):
    positions = []
    for state, _ in random_game(text):
        assert len(state.history()) == len(positions)
        positions.append(state.to_dict())
    for position in reversed(positions):
        assert state.to_dict() == position
        if position is not positions[0]:
            state.undo_action()
    assert state.history() == []
    with pytest.raises(ValueError, match="undo"):
        state.undo_action()


@every_game
def test_a_game_is_its_setup_and_its_history(text):
    *_, (state, _) = random_game(text)
    replayed = souk.load_game(text).new_initial_state(seed=7)
    for action in state.history():
        replayed.apply_action(action)
    assert replayed.to_dict() == state.to_dict()
    assert replayed.history() == state.history()


@every_game
def test_a_clone_goes_its_own_way_and_keeps_its_past(text):
    for state, rng in random_game(text, most_steps=60):
        if state.is_terminal():
            break
        before, history = state.to_dict(), state.history()
        clone = state.clone()
        clone.apply_action(rng.choice(clone.legal_actions()))
        assert (state.to_dict(), state.history()) == (before, history)
        assert len(clone.history()) == len(history) + 1
        for _ in clone.history():
            clone.undo_action()
        assert clone == souk.load_game(text).new_initial_state(seed=7)
        assert (state.to_dict(), state.history()) == (before, history)


@every_game
def test_nobody_has_won_before_the_end_and_then_one_win_is_shared_out(text):
    for state, _ in random_game(text):
        seats = list(range(state.game.num_players()))
        assert len(state.scores()) == len(state.returns()) == len(seats)
        assert all(type(score) is int for score in state.scores())
        ranking = state.ranking()
        assert sorted(seat for group in ranking for seat in group) == seats
        assert all(group == sorted(group) and group for group in ranking)
        if state.is_terminal():
            assert sum(state.returns()) == pytest.approx(1)
            best = max(state.returns())
            winners = [seat for seat in seats if state.returns()[seat] == best]
            assert set(ranking[0]) <= set(winners)
        else:
            assert state.returns() == [0] * len(seats)


@every_game
def test_a_position_goes_through_json_and_back(text):
    for number, (state, rng) in enumerate(random_game(text)):
        written = state.to_dict()
        if number % 5 and not state.is_terminal():
            continue
        loaded = state.game.state_from_dict(json.loads(json.dumps(written, allow_nan=False)))
        assert loaded.to_dict() == written
        assert loaded == state
        assert loaded.history() == []
        assert loaded.legal_actions() == state.legal_actions()
        assert loaded.current_player() == state.current_player()
        assert (loaded.scores(), loaded.ranking()) == (state.scores(), state.ranking())
        if not state.is_terminal():
            action = rng.choice(state.legal_actions())
            one, other = state.clone(), loaded.clone()
            one.apply_action(action)
            other.apply_action(action)
            assert one.to_dict() == other.to_dict()


@every_game
def test_a_state_can_be_printed_pasted_pickled_and_copied(text):
    for state in some_states(text, 31):
        assert eval(repr(state), {"souk": souk}) == state
        for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
            assert twin == state and twin.history() == state.history()
            assert twin.game == state.game
        assert str(state).strip()


@every_game
def test_the_seed_deals_the_setup_and_a_state_holds_no_future(text):
    game = souk.load_game(text)
    assert game.new_initial_state(seed=3) == game.new_initial_state(seed=3)
    assert game.new_initial_state().legal_actions()
    one, other = (game.state_from_dict(game.new_initial_state(seed=3).to_dict()) for _ in "12")
    for _ in range(12):
        if one.is_chance_node():
            assert one.chance_outcomes() == other.chance_outcomes()
        action = one.legal_actions()[-1]
        one.apply_action(action)
        other.apply_action(action)
        if one.is_terminal():
            break
    assert one == other


@every_game
def test_events_are_available_in_words_and_in_plain_json(text):
    game = souk.load_game(text)
    names = game.seat_names
    assert len(names) == len(set(names)) == game.num_players()
    assert game.new_initial_state(seed=7).events() == []
    for state, _ in random_game(text):
        if not state.history():
            continue
        events = state.events()
        assert events
        for event in events:
            data = event.to_dict()
            assert json.loads(json.dumps(data, allow_nan=False))["event"] == data["event"]
            assert event.sentence(names).strip().endswith((".", "!"))
            assert "\n" not in event.note()


@every_game
def test_a_preview_says_what_would_happen_and_changes_nothing(text):
    for state in some_states(text, 29):
        before, history = state.to_dict(), state.history()
        for action in state.legal_actions():
            preview = state.preview(action)
            assert preview.text == state.action_to_string(action)
            after = state.clone()
            after.apply_action(action)
            assert list(preview.events) == after.events()
            json.dumps(preview.to_dict(), allow_nan=False)
            assert len(preview.gains) == state.game.num_players()
            for gain in preview.gains:
                assert gain.least <= gain.expected <= gain.most
            if after.is_chance_node():
                shown = [(outcome.action, outcome.probability) for outcome in preview.outcomes]
                assert shown == after.chance_outcomes()
            else:
                assert preview.outcomes == ()
        assert (state.to_dict(), state.history()) == (before, history)


@pytest.mark.parametrize("name", souk.games())
def test_every_drawing_is_well_formed(name):
    text = str(souk.load_game(name))
    for state in some_states(text, 37):
        for options in (False, True):
            drawing = state.svg(theme="light", options=options)
            assert ElementTree.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"


@every_game
def test_random_games_end_with_one_win_shared_out(text):
    game = souk.load_game(text)
    result = souk.playouts(game, games=3, seed=1, target="python")
    assert result.scores.shape == result.returns.shape == (3, game.num_players())
    assert result.returns.sum(axis=1) == pytest.approx([1, 1, 1])
    assert (result.turns > 0).all()
