"""Check that a game keeps the contract of Game and State, with every knob.

In a test file of a game named pig:

    import pytest
    from souk.testing import checks

    @pytest.mark.parametrize("check", checks("pig"), ids=str)
    def test_pig(check):
        check()

`python -m souk.testing pig` runs the same checks without pytest.
"""

import copy
import json
import pickle
import sys
import traceback
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import isclose
from random import Random
from typing import Any

import souk
from souk import Game, State
from souk.engine.drawing.ornaments import GROUNDS
from souk.engine.errors import all_of, brief, one_of
from souk.engine.kernel import philox
from souk.engine.kernel.subset import check_module
from souk.engine.kernel.targets import ACTION_LOG, BATCH_LOOP, PLAYOUT_LOOP, REPLAY_LOOP
from souk.engine.knobs import Choice, Flag, FlagOrChoice, Integer, Knob, Text, Value
from souk.games import game_class
from souk.players import greedy
from souk.records import Record, read, write

MOST_STEPS = 400  # of a random game

_for_variations: list[Callable[[str], None]] = []  # checks with a game string
_for_kernels: list[Callable[[str], None]] = []  # slower ones, once for each specialised kernel


@dataclass(frozen=True)
class Check:
    """One check of one game; call it to run it."""

    run: Callable[[str], None]
    game: str

    def __call__(self) -> None:
        """Raise AssertionError if the game does not pass."""
        a_random_game_can_be_played(self.game)
        self.run(self.game)

    def __str__(self) -> str:
        return f"{self.run.__name__}-{self.game}"


def checks(name: str) -> list[Check]:
    """Return all checks of a game; only one if its kernel is not in the kernel subset."""
    kernels = [*map(str, game_class(name).games_for_all_kernels())]
    if _problem_of_subset(name):  # the others would fail for the same reason
        return [Check(the_kernel_is_in_the_kernel_subset, kernels[0])]
    return [
        *(Check(run, text) for text in variations(name) for run in _for_variations),
        *(Check(run, text) for text in kernels for run in _for_kernels),
    ]


def variations(name: str) -> list[str]:
    """Return game strings: as it comes, with one knob turned, and with three, where they fit."""
    kind = game_class(name)
    strings = {str(kind()): None}
    rng = Random(name)
    single = [{knob.name: value} for knob in kind.knobs for value in _some_values(knob)]
    triples = [rng.sample(single, min(3, len(single))) for _ in range(30)]
    for parts in [*([one] for one in single), *triples]:
        chosen = {name: value for part in parts for name, value in part.items()}
        try:
            strings[str(kind(**chosen))] = None
        except souk.BadKnob:
            continue  # they contradict each other
    return list(strings)


def modules_of_kernels(name: str) -> dict[str, bool]:
    """Return the kernel modules of a game, and whether each may use integers only."""
    integer = {philox.__name__, *PLAYOUT_LOOP, *ACTION_LOG}
    other: set[str] = set()
    for game in game_class(name).games_for_all_kernels():
        integer |= {*game.kernel}
        other |= {module for driver in game.drivers() for module in driver}
        other |= {*game.training_kernel, *game.notes_kernel, *REPLAY_LOOP, *BATCH_LOOP}
        other |= {*game.rollout_modules(None)}
        other |= {*game.observation_kernel, *game.reduced_actions_kernel}
    return {module: module in integer for module in sorted(integer | other)}


def random_game(text: str) -> Iterator[tuple[State, Random]]:
    """Yield the states of one random game from the start; each is the same object, moved on."""
    rng = Random(f"contract {text}")
    state = souk.load_game(text).new_initial_state(seed=7)
    yield state, rng
    for _ in range(MOST_STEPS):
        if state.is_terminal():
            return
        state.apply_action(rng.choice(_legal_actions(state)))
        yield state, rng


def _legal_actions(state: State) -> list[int]:
    """Return the legal actions, after checking that there are some, and no more than MOST_LEGAL."""
    rules = state.game.rules
    actions = [0] * rules.ACTIONS
    count = rules.legal_actions(state.buffer, actions)
    assert count > 0, f"the game goes on, but no action is legal: {state.to_dict()}"
    assert count <= rules.MOST_LEGAL, f"{count} actions are legal: MOST_LEGAL must be that many"
    return actions[:count]


@cache
def _problem_of_subset(name: str) -> str:
    modules = modules_of_kernels(name).items()
    problems = [check_module(module, ints_only=ints_only) for module, ints_only in modules]
    return "\n".join(line for lines in problems for line in lines)


@cache
def _problem_of_playing(text: str) -> str:
    game = souk.load_game(text)
    state, rng = game.new_initial_state(seed=7), Random(text)
    left = game.max_game_length()
    try:
        while not state.is_terminal() and left >= 0:
            left -= not state.is_chance_node()
            game.rules.apply(state.buffer, rng.choice(_legal_actions(state)))
    except (AssertionError, IndexError) as error:
        return str(error)
    if state.is_terminal():
        return ""
    return f"a random game has more actions than max_game_length: {game.max_game_length():,}"


def some_states(text: str, every: int) -> Iterator[State]:
    """Yield clones of every n-th state of a random game, and of the last."""
    for number, (state, _) in enumerate(random_game(text)):
        if number % every == 0:
            yield state.clone()
    yield state.clone()


def _some_values(knob: Knob) -> tuple[Value, ...]:
    """Return some values of a knob: the ends of a small range, all words, on and off."""
    if isinstance(knob, Integer):
        low, high = knob.low, knob.high
        return tuple(sorted({low, min(low + 1, high), min(low + 5, high)}))
    if isinstance(knob, Choice):
        return knob.values
    if isinstance(knob, Text):
        return knob.examples
    assert isinstance(knob, Flag | FlagOrChoice)
    return (True, False, *(knob.values if isinstance(knob, FlagOrChoice) else ()))


def _with_every_knob(check: Callable[[str], None]) -> Callable[[str], None]:
    _for_variations.append(check)
    return check


def _with_every_kernel(check: Callable[[str], None]) -> Callable[[str], None]:
    _for_kernels.append(check)
    return check


@contextmanager
def _refused(kind: type[Exception], words: str) -> Iterator[None]:
    message = None
    try:
        yield
    except kind as error:
        message = str(error)
    assert message is not None, f"{kind.__name__} was not raised"
    assert words in message, f"{words!r} is not in {message!r}"


# ---- what all other checks rely on, see `Check` --------------------------------------------------


@_with_every_knob
def a_random_game_can_be_played(text: str) -> None:
    """Check in plain Python what compiled code relies on: it checks no index and has no limit."""
    problem = _problem_of_subset(souk.load_game(text).name) or _problem_of_playing(text)
    assert not problem, problem


# ---- games and their texts -----------------------------------------------------------------------


@_with_every_knob
def a_games_string_names_the_same_game(text: str) -> None:
    game = souk.load_game(text)
    assert str(game) == text
    assert game == souk.load_game(text) and hash(game) == hash(souk.load_game(text))
    assert eval(repr(game), {"souk": souk}) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert copy.deepcopy(game) == game
    assert game.new_initial_state().to_dict()["game"] == text


@_with_every_knob
def every_action_has_a_text_of_its_own_the_same_in_every_state(text: str) -> None:
    game = souk.load_game(text)
    numbers = range(len(game.action_texts))
    many = f"there are {len(numbers)} action_texts for {game.rules.ACTIONS} actions"
    assert len(numbers) == game.rules.ACTIONS, many
    assert game.num_distinct_actions() <= len(numbers)
    texts = [game.action_to_string(action) for action in numbers]
    assert len(set(texts)) == len(texts), f"two actions have the same text: {sorted(texts)}"
    for state in some_states(text, 40):
        assert [state.action_to_string(action) for action in numbers] == texts
        assert [state.string_to_action(one) for one in texts] == list(numbers)


@_with_every_knob
def a_text_no_action_has_is_a_value_error(text: str) -> None:
    state = souk.load_game(text).new_initial_state(seed=1)
    for nonsense in ("", "nonsense", "  ", "0x1"):
        with _refused(ValueError, "action"):
            state.string_to_action(nonsense)


@_with_every_knob
def the_rules_are_written_in_english(text: str) -> None:
    game = souk.load_game(text)
    for language in {"en", *game.languages()}:
        book = game.rulebook(language)
        assert book.title and book.sections


# ---- playing -------------------------------------------------------------------------------------


@_with_every_knob
def legal_actions_are_sorted_and_never_none_before_the_end(text: str) -> None:
    for state, _ in random_game(text):
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert all(type(action) is int for action in legal)
        players_actions = range(state.game.num_distinct_actions())
        is_chance = state.is_chance_node()
        assert all(action >= 0 and (action in players_actions) != is_chance for action in legal)
        assert bool(legal) == (not state.is_terminal())


@_with_every_knob
def the_player_to_act_is_a_seat_or_chance_or_no_one(text: str) -> None:
    for state, _ in random_game(text):
        player = state.current_player()
        seats = range(state.game.num_players())
        assert player in (*seats, souk.CHANCE, souk.TERMINAL)
        assert state.is_terminal() == (player == souk.TERMINAL)
        assert state.is_chance_node() == (player == souk.CHANCE)
        assert state.game.turn_of(state.buffer) in seats


@_with_every_knob
def chance_publishes_its_outcomes_and_a_single_outcome_is_no_chance(text: str) -> None:
    for state, _ in random_game(text):
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [action for action, _ in outcomes] == state.legal_actions()
            assert len(outcomes) > 1, "a step with one outcome is no chance: apply it at once"
            assert all(probability > 0 for _, probability in outcomes)
            assert isclose(sum(probability for _, probability in outcomes), 1, abs_tol=1e-12)
        else:
            with _refused(ValueError, "chance"):
                state.chance_outcomes()


@_with_every_knob
def an_illegal_action_is_refused_says_what_is_legal_and_changes_nothing(text: str) -> None:
    for state in some_states(text, 23):
        before, history = state.to_dict(), state.history()
        legal = state.legal_actions()
        numbers = range(len(state.game.action_texts))
        illegal = [action for action in numbers if action not in legal]
        rng = Random(text)
        words = state.action_to_string(legal[0]) if legal else ""
        for action in [*rng.sample(illegal, min(40, len(illegal))), -1, len(numbers)]:
            with _refused(souk.IllegalAction, words):
                state.apply_action(action)
        assert (state.to_dict(), state.history()) == (before, history)


@_with_every_knob
def undo_goes_all_the_way_to_the_start(text: str) -> None:
    positions: list[dict[str, Any]] = []
    for state, _ in random_game(text):
        assert len(state.history()) == len(positions)
        positions.append(state.to_dict())
    for position in reversed(positions):
        assert state.to_dict() == position
        if position is not positions[0]:
            state.undo_action()
    assert state.history() == []
    with _refused(ValueError, "undo"):
        state.undo_action()


@_with_every_knob
def a_game_is_its_setup_and_its_history(text: str) -> None:
    *_, (state, _) = random_game(text)
    replayed = souk.load_game(text).new_initial_state(seed=7)
    for action in state.history():
        replayed.apply_action(action)
    assert replayed.to_dict() == state.to_dict()
    assert replayed.history() == state.history()


@_with_every_knob
def a_clone_goes_its_own_way_and_keeps_its_past(text: str) -> None:
    for number, (state, rng) in enumerate(random_game(text)):
        if state.is_terminal() or number > 60:
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


@_with_every_knob
def nobody_has_won_before_the_end_and_then_one_win_is_shared_out(text: str) -> None:
    for state, _ in random_game(text):
        seats = list(range(state.game.num_players()))
        assert len(state.scores()) == len(state.returns()) == len(seats)
        assert all(type(score) is int for score in state.scores())
        ranking = state.ranking()
        assert sorted(seat for group in ranking for seat in group) == seats
        assert all(group == sorted(group) and group for group in ranking)
        if state.is_terminal():
            assert isclose(sum(state.returns()), 1)
            best = max(state.returns())
            winners = [seat for seat in seats if state.returns()[seat] == best]
            assert set(ranking[0]) <= set(winners)
        else:
            assert state.returns() == [0] * len(seats)


@_with_every_knob
def the_seed_deals_the_setup_and_a_state_holds_no_future(text: str) -> None:
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


@_with_every_knob
def random_games_end_with_one_win_shared_out_and_have_their_actions(text: str) -> None:
    game = souk.load_game(text)
    result = souk.playouts(game, games=3, seed=1, target="python", actions=True)
    assert result.scores.shape == result.returns.shape == (3, game.num_players())
    assert all(isclose(total, 1) for total in result.returns.sum(axis=1))
    assert (result.turns > 0).all(), "TURNS counts the turns"
    for number, actions in enumerate(result.actions):
        state = result.initial_state(number)
        for action in actions.tolist():
            state.apply_action(action)
        assert state.is_terminal()
        assert state.scores() == result.scores[number].tolist()
        assert state.returns() == result.returns[number].tolist()


# ---- positions, events and drawings --------------------------------------------------------------


@_with_every_knob
def a_position_goes_through_json_and_back(text: str) -> None:
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


@_with_every_knob
def a_position_without_a_field_is_refused(text: str) -> None:
    game = souk.load_game(text)
    position = game.new_initial_state(seed=7).to_dict()
    for field in position:
        with _refused(souk.BadPosition, field):
            game.state_from_dict({name: position[name] for name in position if name != field})
    with _refused(souk.BadPosition, "nonsense"):
        game.state_from_dict({**position, "nonsense": 1})


@_with_every_knob
def a_state_can_be_printed_pasted_pickled_and_copied(text: str) -> None:
    for state in some_states(text, 31):
        assert eval(repr(state), {"souk": souk}) == state
        for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
            assert twin == state and twin.history() == state.history()
            assert twin.game == state.game
        assert str(state).strip()


@_with_every_knob
def events_are_available_in_words_and_in_plain_json(text: str) -> None:
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
            sentence = event.sentence(names)
            assert sentence.strip().endswith((".", "!")), f"{sentence!r} is no sentence"
            assert "\n" not in event.note()


@_with_every_knob
def a_preview_says_what_would_happen_and_changes_nothing(text: str) -> None:
    for state in some_states(text, 29):
        before, history = state.to_dict(), state.history()
        for action in state.legal_actions():
            preview = state.preview(action)
            assert preview.text == state.action_to_string(action)
            assert state.game.preview_sentence(preview, state.game.seat_names)
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


@_with_every_kernel
def a_record_is_read_as_it_was_written(text: str) -> None:
    *_, (state, _) = random_game(text)
    record = Record.from_state(state, seed=7)
    again = read(write(record))
    assert (again.game, again.actions) == (record.game, record.actions)
    assert again.replay() == state


@_with_every_kernel
def every_drawing_is_well_formed(text: str) -> None:
    game = souk.load_game(text)
    for seat in range(game.num_players()):
        colour = game.seat_colour(seat)
        assert colour in GROUNDS, f"seat_colour({seat}) is {colour!r}, not {one_of(GROUNDS)}"
    for state in some_states(text, 37):
        for options in (False, True):
            drawing = state.svg(theme="light", options=options)
            assert ElementTree.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"


@_with_every_kernel
def the_class_reads_constants_of_this_game_only(text: str) -> None:
    """Run some checks without the imported constants that have other values in this game."""
    repeated = (
        a_position_goes_through_json_and_back,
        a_state_can_be_printed_pasted_pickled_and_copied,
        events_are_available_in_words_and_in_plain_json,
        a_preview_says_what_would_happen_and_changes_nothing,
        every_drawing_is_well_formed,
    )
    game = souk.load_game(text)
    read: list[str] = []
    with _without_wrong_constants(game) as wrong:
        for check in repeated:
            try:
                check(text)
            except (AttributeError, ImportError, NameError) as error:
                read += [name for name in wrong if f"'{name}'" in str(error)]
            except Exception:
                continue  # the check reports it by itself
    if read:
        name = read[0]
        value = vars(game.rules)[name]
        raise AssertionError(
            f"the class reads {name} as it imports it, {brief(wrong[name])}; in this game it is"
            f" {brief(value)}: read self.slots or self.rules.{name}"
        )


@contextmanager
def _without_wrong_constants(game: Game) -> Iterator[dict[str, Any]]:
    """Remove the imported constants that have other values in this game; yield them."""
    right = vars(game.rules)
    wrong: dict[str, Any] = {}
    for imported in (vars(sys.modules[one]) for one in game.kernel if one in sys.modules):
        for name in filter(str.isupper, imported.keys() & right.keys()):
            if imported[name] != right[name]:
                wrong[name] = imported[name]
    module = sys.modules[type(game).__module__]
    package = f"{module.__package__ or module.__name__}."
    removed = []
    for name in [*sys.modules]:
        if name in game.kernel or f"{name}.".startswith(package):
            names = vars(sys.modules[name])
            removed += [(names, one) for one in wrong if names.get(one) == wrong[one]]
    try:
        for names, one in removed:
            del names[one]
        yield wrong
    finally:
        for names, one in removed:
            names[one] = wrong[one]


# ---- kernels -------------------------------------------------------------------------------------


@_with_every_kernel
def the_kernel_is_in_the_kernel_subset(text: str) -> None:
    problem = _problem_of_subset(souk.load_game(text).name)
    assert not problem, problem


@_with_every_knob
def a_serialized_state_has_its_history(text: str) -> None:
    for state in some_states(text, 17):
        again = state.game.deserialize_state(state.serialize())
        assert again == state and again.history() == state.history()


@_with_every_kernel
def a_batch_plays_as_states_do(text: str) -> None:
    """Compare every row of a batch with a state: what it sees, what is legal and what follows."""
    game = souk.load_game(text)
    batch = souk.batch(game, 3, seed=5)
    assert batch.observation.shape == (3, *game.observation_tensor_shape())
    ended = 0
    for _ in range(MOST_STEPS):
        states = [batch.state(row) for row in range(3)]
        for row, state in enumerate(states):
            assert batch.current_player[row] == state.current_player()
            assert batch.terminated[row] == state.is_terminal()
            assert (batch.legal_actions_mask[row] == state.legal_actions_mask()).all()
            assert (batch.observation[row] == state.observation_tensor()).all()
            if state.is_terminal():
                ended += 1
                assert abs(batch.rewards[row] - state.returns()).max() < 1e-6
            else:
                assert not batch.rewards[row].any()
        if ended >= 3:
            return
        actions = batch.sample_actions()
        batch.step(actions)
        for row, state in enumerate(states):
            if not state.is_terminal():
                state.apply_action(int(actions[row]))
                assert _may_lead_to(state, batch.state(row).buffer)


def _may_lead_to(state: State, buffer: list[int]) -> bool:
    """Return whether a position follows by chance alone."""
    if not state.is_chance_node():
        return state.buffer == buffer
    for outcome in state.legal_actions():
        after = state.clone()
        after.apply_action(outcome)
        if _may_lead_to(after, buffer):
            return True
    return False


@_with_every_kernel
def observations_are_the_same_in_plain_python(text: str) -> None:
    import numpy as np

    for state in some_states(text, 11):
        for seat in range(state.game.num_players()):
            plain = [0.0] * state.game.observation_tensor_shape()[0]
            state.game.observing_rules.observe(state.buffer, seat, plain, 0)
            tensor = state.observation_tensor(seat)
            assert np.array(plain, np.float32).tobytes() == tensor.tobytes()


@_with_every_kernel
def compiled_code_plays_the_same_games(text: str) -> None:
    game = souk.load_game(text)
    plain = souk.playouts(game, games=5, seed=2, target="python")
    compiled = souk.playouts(game, games=5, seed=2, threads=1)
    for one in ("scores", "returns", "turns"):
        assert (getattr(plain, one) == getattr(compiled, one)).all(), one


@_with_every_knob
def greedy_takes_the_largest_expected_lead(text: str) -> None:
    choosers = [choose(souk.load_game(text)) for choose in (greedy.plain, greedy.compiled)]
    for state in some_states(text, 5):
        if state.current_player() >= 0:
            actions = state.legal_actions()
            leads = [_expected_lead(state, action) for action in actions]
            best = [one for one, lead in zip(actions, leads, strict=True) if lead == max(leads)]
            assert [choose(state.buffer, actions) for choose in choosers] == [best, best]


def _expected_lead(state: State, action: int) -> float:
    after = state.clone()
    after.apply_action(action)
    if not after.is_chance_node():
        return _lead(after, state.current_player())
    expected = 0.0
    for outcome, probability in after.chance_outcomes():
        then = after.clone()
        then.apply_action(outcome)
        expected += probability * _lead(then, state.current_player())
    return round(expected, 9)


def _lead(state: State, seat: int) -> float:
    values = [state.game.quick_value(state.buffer, one) for one in range(len(state.scores()))]
    total = 0.0
    for value in values:  # the sum() of some versions of Python rounds in another way
        total += value
    return values[seat] - (total - values[seat]) / (len(values) - 1)


def main(names: list[str]) -> int:
    """Run the checks of some games and print what fails; return the exit status."""
    failed: dict[str, list[str]] = {}
    unplayable = set()
    for check in (one for name in names for one in checks(name)):
        if check.game in unplayable:
            continue
        try:
            check()
        except Exception as error:
            if check.run is a_random_game_can_be_played:
                unplayable.add(check.game)
            games = failed.setdefault(check.run.__name__, [])
            if not games:  # as a rule, others fail for the same reason
                is_clear = isinstance(error, AssertionError) and str(error)
                reason = f"{error}\n" if is_clear else traceback.format_exc()
                print(f"FAILED {check}\n{reason}", file=sys.stderr)
            games.append(check.game)
    for name, games in failed.items():
        print(f"{name.replace('_', ' ')}: failed for {len(games)} games, such as {games[0]}")
    if not failed:
        print(f"All checks of {all_of(names)} passed.")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:] or souk.games()))
    except souk.SoukError as problem:
        sys.exit(f"souk: {problem}")
