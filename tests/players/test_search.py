"""The search gives the results of an independent count, whatever limits it."""

import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import souk
from souk.analysis.decisions import read_decisions
from souk.analysis.error_rate import error_rate, losses
from souk.engine.kernel import targets
from souk.players.searcher import Searcher, update_shares
from tests.games.marrakech.positions import TABLES, mixed_knobs
from tests.games.marrakech.reference import EDITIONS

Shares = list[float]


class Far(Searcher):
    """Searches a given number of plies, without a limit of nodes."""

    name = "far"
    default_nodes = 10**9
    follows_all = True


class Plain(Searcher):
    """The same search in plain Python."""

    name = "plain"
    most_plies = 3
    target = "python"


class Compiled(Searcher):
    name = "compiled"
    most_plies = 3


def searcher_class(plies: int, target: str = "numba") -> type[Searcher]:
    simple = {"uses_simplest": True}  # the count below uses that evaluation
    return type("Looking", (Far,), {"most_plies": plies, "target": target, **simple})


def random_state(game: souk.Game, rng: random.Random, steps: int) -> souk.State | None:
    """A state with a choice, some random steps into a game; None if the game ended before."""
    state = game.new_initial_state(rng.randrange(100))
    while not state.is_terminal():
        if steps <= 0 and not state.is_chance_node() and len(state.legal_actions()) > 1:
            return state
        state.apply_action(game.random_action(state, rng))
        steps -= 1
    return None


def states(game: souk.Game, rng: random.Random, count: int, most_steps: int) -> list[souk.State]:
    outcome: list[souk.State] = []
    while len(outcome) < count:
        state = random_state(game, rng, rng.randrange(most_steps))
        if state is not None:
            outcome.append(state)
    return outcome


def is_turn(state: souk.State) -> bool:
    """Whether Assam is to be turned: there is much to count then."""
    return state.buffer[state.game.rules.PHASE] == state.game.rules.TURN


def turns_left(state: souk.State) -> int:
    seats = range(state.game.num_players())
    return sum(state.game.rules.rugs_left(state.buffer, seat) for seat in seats)


def expected_shares(state: souk.State, worth: Callable[[souk.State], Shares | None]) -> Shares:
    """The expected shares of a position: chance by its probabilities, every mover for themselves.

    `worth` ends the count where it knows an answer.
    """
    known = worth(state)
    if known is not None:
        return known
    seats = range(state.game.num_players())
    mover = state.current_player()
    after = []
    for action in state.legal_actions():
        state.apply_action(action)
        after.append(expected_shares(state, worth))
        state.undo_action()
    if mover == souk.CHANCE:
        odds = [probability for _, probability in state.chance_outcomes()]
        return [
            sum(p * shares[seat] for p, shares in zip(odds, after, strict=True)) for seat in seats
        ]
    best = after[0]
    for shares in after[1:]:
        if shares[mover] > best[mover] + 1e-6:
            best = shares
    return best


def result(state: souk.State) -> Shares | None:
    return state.returns() if state.is_terminal() else None


def evaluated_after(turns: int, start: souk.State) -> Callable[[souk.State], Shares | None]:
    """Return a function that knows ends of the game, and evaluates positions after some turns."""
    game = start.game
    k = targets.python_kernel(
        game.kernel, game.constants(), game.search_modules(game.available_evaluations()[0])
    )
    end = start.buffer[k.TURNS] + turns

    def evaluate(state: souk.State) -> Shares | None:
        if state.is_terminal():
            return state.returns()
        if state.buffer[k.TURNS] < end or not k.is_ply_start(state.buffer):
            return None
        shares = [0.0] * game.num_players()
        k.evaluate(state.buffer, [], shares)
        return shares

    return evaluate


def assert_counted(player: Searcher, state: souk.State, turns: int | None) -> None:
    """What a player says of each action is what counting finds."""
    worth = result if turns is None else evaluated_after(turns, state)
    for outcome in player.analyse(state):
        after = state.clone()
        after.apply_action(outcome.action)
        assert outcome.shares == pytest.approx(expected_shares(after, worth), abs=2e-5), (
            outcome.text
        )


# ---- the search is a count -----------------------------------------------------------------------


@pytest.mark.parametrize("target", targets.TARGETS)
@pytest.mark.parametrize("table", TABLES)
def test_one_ply_is_the_rest_of_the_turn(table: str, target: str) -> None:
    rng = random.Random(f"one ply {table}")
    for _ in range(6):
        knobs = mixed_knobs(rng, rng.choice(list(EDITIONS)), table)
        game = souk.load_game("marrakech", **knobs)
        player = searcher_class(1, target)(game)
        for state in states(game, rng, 2, 30):
            assert_counted(player, state, 1)


@pytest.mark.parametrize("table", TABLES)
def test_two_plies_are_the_next_turn_too(table: str) -> None:
    rng = random.Random(f"two plies {table}")
    for _ in range(3):
        knobs = mixed_knobs(rng, rng.choice(list(EDITIONS)), table)
        game = souk.load_game("marrakech", **knobs)
        for state in [one for one in states(game, rng, 8, 30) if not is_turn(one)][:1]:
            assert_counted(searcher_class(2)(game), state, 2)


@pytest.mark.parametrize("table", TABLES)
def test_the_end_of_the_game_is_played_exactly(table: str) -> None:
    """With a turn or two to go every line is followed to the result."""
    rng = random.Random(f"end {table}")
    for _ in range(4):
        knobs = mixed_knobs(rng, rng.choice(list(EDITIONS)), table) | {"dirhams": 3}
        game = souk.load_game("marrakech", **knobs)
        late = [one for one in states(game, rng, 60, 80) if turns_left(one) <= 2]
        for state in [one for one in late if not is_turn(one)][:2]:
            assert_counted(souk.player("master", game, nodes=10**7), state, None)


def test_exact_results_end_the_search() -> None:
    game = souk.load_game("marrakech", players=2, two_player="one-colour", rugs=1)
    state = game.new_initial_state()
    for text in ("ahead", "1", "c3c4", "ahead", "1"):
        state.apply_action(state.string_to_action(text))
    player = souk.player("master", game, nodes=10**15)  # years, if it did not stop
    assert all(set(one.shares) <= {0.0, 0.5, 1.0} for one in player.analyse(state))


def test_a_choice_stops_at_the_end_of_the_game_too() -> None:
    """With opponent models: what the models think of options is no estimate of a line's end."""
    game = souk.load_game("marrakech", players=3, rugs=1)
    state = game.new_initial_state()
    for text in ("ahead", "1", "c3c4", "ahead", "1"):
        state.apply_action(state.string_to_action(text))
    player = souk.player("master", game, nodes=10**15, seed=1)
    player.choose(state)
    assert player.nodes_searched() < 2_500  # not many plies more


def test_results_of_different_depths_are_not_compared() -> None:
    """What was searched again came down by 0.1 on average, and so do the others."""
    before = {1: (0.5, 0.5), 2: (0.4, 0.6), 3: (0.38, 0.62)}
    after = update_shares(before, {1: (0.38, 0.62), 2: (0.32, 0.68)})
    assert after[1] == (0.38, 0.62)
    assert after[2] == (0.32, 0.68)
    assert after[3] == pytest.approx((0.28, 0.72))


def test_more_nodes_lose_less() -> None:
    """They once lost more: the best action fell behind those that were searched less deep."""
    path = Path(__file__).parents[2] / "bench" / "decisions" / "marrakech-3.jsonl.gz"
    decisions = [one for one in read_decisions(path) if one.is_held_back][:120]
    few, many = losses(["master:nodes=1000", "master:nodes=20000"], decisions, processes=1)
    assert error_rate(many).rate < 0.7 * error_rate(few).rate


# ---- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("nodes", [1, 50, 400])
def test_both_targets_find_the_same_with_the_same_nodes(table: str, nodes: int) -> None:
    rng = random.Random(f"targets {table}")
    for _ in range(3):
        knobs = mixed_knobs(rng, rng.choice(list(EDITIONS)), table)
        game = souk.load_game("marrakech", **knobs)
        for played in states(game, rng, 1 if nodes > 50 else 2, 30):  # plain Python is slow
            state = game.state_from_dict(played.to_dict())  # no history that would have to be read
            plain = Plain(game, nodes=nodes, seed=4)
            compiled = Compiled(game, nodes=nodes, seed=4)
            assert plain.choose(state) == compiled.choose(state)
            pairs = zip(plain.analyse(state), compiled.analyse(state), strict=True)
            for one, other in pairs:
                assert one.shares == pytest.approx(other.shares, abs=1e-5)


def test_both_targets_infer_the_same_models() -> None:
    state = random_state(souk.load_game("marrakech", players=3), random.Random(6), 9)
    assert state is not None
    plain, compiled = (kind(state.game)._inference.beliefs(state) for kind in (Plain, Compiled))
    assert [pytest.approx(one, abs=1e-4) for one in plain] == compiled


def test_a_search_by_nodes_can_be_repeated_and_keeps_to_them() -> None:
    game = souk.load_game("marrakech", players=3)
    rng = random.Random(5)
    for state in states(game, rng, 6, 60):
        players = [souk.player("master", game, nodes=5000, seed=1) for _ in range(2)]
        assert players[0].choose(state) == players[1].choose(state)
        assert all(player.nodes_searched() <= 5000 for player in players)
        assert souk.player("master", game, nodes=5000).analyse(state) == players[0].analyse(state)


def test_more_nodes_look_deeper() -> None:
    game = souk.load_game("marrakech", players=2, two_player="one-colour")
    state = random_state(game, random.Random(1), 30)
    assert state is not None
    shares = {
        nodes: souk.player("master", game, nodes=nodes).analyse(state) for nodes in (1, 10**5)
    }
    assert shares[1] == souk.player("trader", game).analyse(
        state
    ) or game.available_evaluations() != ["heuristic"]
    assert {one.action: one.shares for one in shares[1]} != {
        one.action: one.shares for one in shares[10**5]
    }


def test_another_thread_can_stop_a_search() -> None:
    """It could not, did the search not let go of the interpreter's lock."""
    game = souk.load_game("marrakech", players=4)
    state = game.new_initial_state()
    player = souk.player("master", game, seconds=10**5, seed=1)
    answers: list[int] = []
    thinking = threading.Thread(target=lambda: answers.append(player.choose(state)), daemon=True)
    thinking.start()
    thinking.join(0.2)
    assert thinking.is_alive() and not answers
    player.stop()
    thinking.join(30)
    assert not thinking.is_alive() and answers[0] in state.legal_actions()


def test_stopping_an_idle_player_changes_nothing() -> None:
    game = souk.load_game("marrakech", players=3)
    state = random_state(game, random.Random(2), 40)
    assert state is not None
    player, other = (souk.player("master", game, nodes=3000) for _ in range(2))
    player.stop()
    assert player.analyse(state) == other.analyse(state)
    assert player.nodes_searched() == other.nodes_searched() > 1000


def test_a_player_answers_even_with_a_tiny_time_limit() -> None:
    game = souk.load_game("marrakech", players=2)
    state = random_state(game, random.Random(3), 20)
    assert state is not None
    player = souk.player("master", game, seconds=1e-6)
    assert player.choose(state) in state.legal_actions()
    assert len(player.analyse(state)) == len(state.legal_actions())
