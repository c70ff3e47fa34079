"""Opponent models: the search uses them, and they are inferred from moves."""

import math
import random

import pytest

import souk
from souk.engine.kernel import targets
from souk.games.marrakech.ai.opponent_kinds import GREEDY, HEURISTIC, NET, TWO_PLY
from souk.players.opponent_inference import LEAST_PROBABILITY, OpponentInference
from souk.players.searcher import Searcher

Shares = list[float]

KINDS = 5  # the models, then players who search
SEARCHER = 4
UNKNOWN = [pytest.approx(0.25), 0.0, 0.0, 0.0, pytest.approx(0.75)]  # beliefs: they follow model 0


class Two(Searcher):
    """Looks at this turn and the next one, in full."""

    name = "two"
    most_plies = 2
    follows_all = True
    default_nodes = 10**9


class TwoPlies(Two):
    """The same with the heuristic."""

    uses_simplest = True


def play_actions(
    game: souk.Game, seats: list[str], actions: int, seed: int = 1, nodes: int = 200
) -> souk.State:
    """Play a number of actions of a game between some players."""
    rng = random.Random(seed)
    players = [
        TwoPlies(game) if name == "two" else souk.player(name, game, nodes=nodes, seed=seed)
        for name in seats
    ]
    state = game.new_initial_state()
    while not state.is_terminal() and len(state.history()) < actions:
        if state.is_chance_node():
            state.apply_action(game.random_action(state, rng))
        else:
            state.apply_action(players[state.current_player()].choose(state))
    return state


def expected_share(player: Searcher, state: souk.State) -> Shares:
    """Return the share that a player expects of each action, with the opponent models."""
    result = player._search(state, state.legal_actions(), is_to_choose=True)
    return [result[action][state.current_player()] for action in state.legal_actions()]


# ---- the search ----------------------------------------------------------------------------------


class Count:
    """An independent count of two turns, in which the second player may follow any model."""

    def __init__(self, player: Searcher, beliefs: Shares) -> None:
        game = self.game = player.game
        self.k = targets.python_kernel(game.kernel, game.constants(), game.search_modules("net"))
        self.beliefs = beliefs
        self.seats = range(game.num_players())

    def evaluated(self, state: souk.State) -> Shares:
        if state.is_terminal():
            return state.returns()
        shares = [0.0] * len(self.seats)
        self.k.evaluate(state.buffer, self.weights, shares)
        return shares

    def is_new_turn(self, state: souk.State) -> bool:
        return state.is_terminal() or self.k.is_ply_start(state.buffer)

    def after(self, state: souk.State) -> list[souk.State]:
        states = []
        for action in state.legal_actions():
            states.append(state.clone())
            states[-1].apply_action(action)
        return states

    def known(self, seat: int) -> None:
        """Evaluate as a seat that knows its own kind."""
        kinds = [self.beliefs[:] for _ in self.seats]
        kinds[seat] = [1.0, 0.0, 0.0, 0.0]
        self.weights = [float(one) for one in self.game.weights("net", kinds)]

    def mine(self, state: souk.State, seat: int) -> Shares:
        """The shares from the middle of one's own turn on."""
        if self.is_new_turn(state):
            return state.returns() if state.is_terminal() else self.turn_of_another(state)
        following = [self.mine(one, seat) for one in self.after(state)]
        if state.is_chance_node():
            odds = [odd for _, odd in state.chance_outcomes()]
            return [sum(o * f[s] for o, f in zip(odds, following, strict=True)) for s in self.seats]
        return max(following, key=lambda shares: shares[seat])

    def turn_of_another(self, state: souk.State) -> Shares:
        total = [0.0] * len(self.seats)
        for model, belief in enumerate(self.beliefs):
            if belief:
                _, shares = self.theirs(state, state.current_player(), model)
                total = [one + belief * share for one, share in zip(total, shares, strict=True)]
        return total

    def theirs(
        self, state: souk.State, seat: int, model: int, is_start: bool = True
    ) -> tuple[float, Shares]:
        """Return the value of the rest of a turn to a model, and the shares after it."""
        if self.is_new_turn(state) and not is_start:
            shares = self.evaluated(state)
            if model == NET:
                return shares[seat], shares
            return self.k.model_value(state.buffer, seat, model, shares), shares
        result = [self.theirs(one, seat, model, False) for one in self.after(state)]
        if state.is_chance_node():
            parts = [odd for _, odd in state.chance_outcomes()]
        else:
            if model == TWO_PLY and all(self.is_new_turn(one) for one in self.after(state)):
                result = self.shortlisted(state, seat, result)
            best = max(worth for worth, _ in result)
            parts = [math.exp((worth - best) / self.k.TEMPERATURES[model]) for worth, _ in result]
        whole = sum(parts)
        worth = sum(part * one for part, (one, _) in zip(parts, result, strict=True)) / whole
        shares = [
            sum(part * one[at] for part, (_, one) in zip(parts, result, strict=True)) / whole
            for at in self.seats
        ]
        return worth, shares

    def shortlisted(
        self, state: souk.State, seat: int, options: list[tuple[float, Shares]]
    ) -> list[tuple[float, Shares]]:
        """Return the few that are best by the heuristic: the two-ply model evaluates no others."""
        heuristic = [self.theirs(one, seat, HEURISTIC, False)[0] for one in self.after(state)]
        order = sorted(range(len(options)), key=lambda option: -heuristic[option])
        return [options[option] for option in order[: self.k.SHORTLIST]]


def infer(monkeypatch: pytest.MonkeyPatch, kinds: Shares) -> None:
    """Let players infer the same of everybody."""
    monkeypatch.setattr(OpponentInference, "beliefs", lambda *_: [kinds[:] for _ in range(3)])


@pytest.mark.parametrize("kind", [NET, HEURISTIC, GREEDY, TWO_PLY, None])
def test_the_search_predicts_the_next_player_by_their_model(kind, monkeypatch):
    game = souk.load_game("marrakech", players=3)
    beliefs = [0.2, 0.2, 0.5, 0.1] if kind is None else [float(kind == one) for one in range(4)]
    infer(monkeypatch, [*beliefs, 0.0])
    player = Two(game)
    count = Count(player, beliefs)
    for actions in (62, 130):
        state = play_actions(game, ["greedy"] * 3, actions)
        while state.is_chance_node() or len(state.legal_actions()) < 4:  # until a rug is to be laid
            state.apply_action(state.legal_actions()[0])
        seat = state.current_player()
        count.known(seat)
        some = slice(None, None, 4)  # of the actions: counting is slow
        expected = [count.mine(after, seat)[seat] for after in count.after(state)[some]]
        # Unlikely options are not searched.
        tolerance = player._kernel.LEAST_PROBABILITY / 2
        assert expected_share(player, state)[some] == pytest.approx(expected, abs=tolerance)


def test_searchers_are_predicted_by_what_follows_their_turn(monkeypatch):
    """In a game of three turns: whoever searches knows what each lay brings in the end."""
    game = souk.load_game("marrakech", players=3, rugs=1)
    state = game.new_initial_state()
    for text in ("ahead", "1"):
        state.apply_action(state.string_to_action(text))
    temperature = Two(game)._kernel.TEMPERATURES[NET]

    def after(one: souk.State, action: int) -> Shares:
        one = one.clone()
        one.apply_action(action)
        return shares(one)

    def shares(one: souk.State) -> Shares:
        if one.is_terminal():
            return one.returns()
        if one.is_chance_node():
            outcomes = [(odd, after(one, action)) for action, odd in one.chance_outcomes()]
        else:
            following = [after(one, action) for action in one.legal_actions()]
            best = max(each[one.current_player()] for each in following)
            outcomes = [
                (math.exp((each[one.current_player()] - best) / temperature), each)
                for each in following
            ]
        whole = sum(part for part, _ in outcomes)
        return [sum(part * each[seat] for part, each in outcomes) / whole for seat in range(3)]

    class Three(Two):
        most_plies = 3

    lays = state.legal_actions()[:2]  # counting is slow
    expected = [after(state, lay)[0] for lay in lays]
    tolerance = 2 * Two(game)._kernel.LEAST_PROBABILITY
    results = {}
    for kind in (NET, SEARCHER):
        infer(monkeypatch, [float(kind == one) for one in range(KINDS)])
        found = Three(game)._search(state, lays, is_to_choose=True)
        results[kind] = [found[lay][0] for lay in lays]
    assert results[SEARCHER] == pytest.approx(expected, abs=tolerance)
    assert results[NET] != pytest.approx(expected, abs=tolerance)


def test_an_analysis_uses_no_opponent_models():
    """So that luck and skill of a game do not depend on who is thought to play it."""
    game = souk.load_game("marrakech", players=3)
    state = play_actions(game, ["greedy"] * 3, 60)
    while state.is_chance_node() or len(state.legal_actions()) < 4:
        state.apply_action(state.legal_actions()[0])
    bare = game.state_from_dict(state.to_dict())  # no history: nobody can be read
    player = Two(game)
    assert player.analyse(state) == player.analyse(bare)
    assert expected_share(player, state) != expected_share(player, bare)


def test_two_players_need_no_opponent_models():
    assert Two(souk.load_game("marrakech", players=2))._kernel.MODELS == 1


# ---- reading -------------------------------------------------------------------------------------


def beliefs_at(state: souk.State) -> list[Shares]:
    return Two(state.game)._inference.beliefs(state)


@pytest.mark.parametrize("players", [3, 4])
def test_models_are_inferred_from_moves(players):
    game = souk.load_game("marrakech", players=players)
    seats = ["random", "greedy", "two", "expert"][:players]
    state = play_actions(game, seats, 30 * players)
    while state.current_player() != 0:
        state.undo_action()
    result = beliefs_at(state)
    assert result[1][GREEDY] > 0.9
    assert result[2][TWO_PLY] > 0.9
    assert players == 3 or result[3][NET] > 0.9
    assert result[0] == UNKNOWN  # players do not read their own moves
    assert all(sum(one) == pytest.approx(1) for one in result)


def test_players_who_search_are_told_from_those_who_do_not():
    game = souk.load_game("marrakech", players=3)
    state = play_actions(game, ["random", "master", "expert"], 90, nodes=3000)
    while state.current_player() != 0:
        state.undo_action()
    result = beliefs_at(state)
    assert result[1][SEARCHER] > 0.9
    assert result[2][NET] > 0.9


def test_in_a_position_without_history_nobody_is_taken_to_search():
    game = souk.load_game("marrakech", players=3)
    state = play_actions(game, ["random"] * 3, 10)
    bare = game.state_from_dict(state.to_dict())
    player = Two(game)
    searches = player._kernel.SEARCHES
    alone = player._opponents(bare, is_to_choose=True)
    assert [*alone.beliefs].count(searches) == 0
    assert alone.width == 1
    beginning = game.new_initial_state()
    beginning.apply_action(beginning.legal_actions()[0])
    beginning.apply_action(beginning.legal_actions()[0])
    among_searchers = player._opponents(beginning, is_to_choose=True)
    assert [*among_searchers.beliefs].count(searches) == 2
    assert among_searchers.width == 2


def test_among_experts_the_search_is_narrow():
    game = souk.load_game("marrakech", players=3)
    state = play_actions(game, ["random", "expert", "expert"], 60)
    while state.current_player() != 0:
        state.undo_action()
    assert Two(game)._opponents(state, is_to_choose=True).width == 1


def test_strangers_count_as_equals():
    game = souk.load_game("marrakech", players=3)
    assert beliefs_at(game.new_initial_state()) == [UNKNOWN] * 3


def test_the_latest_moves_are_read_first():
    game = souk.load_game("marrakech", players=3)
    state = play_actions(game, ["greedy"] * 3, 60)
    inference, hurried = Two(game)._inference, Two(game)._inference
    whole = inference.beliefs(state)
    request = iter([False, False, True])
    hurried.beliefs(state, lambda: next(request))
    assert list(hurried._read) == list(inference._read)[:2]
    assert hurried.beliefs(state) == whole  # the rest is read when there is time


def test_beliefs_do_not_depend_on_when_moves_are_read():
    game = souk.load_game("marrakech", players=3)
    state = play_actions(game, ["greedy"] * 3, 100)
    at_once = beliefs_at(state)
    inference = Two(game)._inference
    beginning = game.new_initial_state()
    for action in state.history():
        inference.beliefs(beginning)
        beginning.apply_action(action)
    assert inference.beliefs(state) == at_once
    back = state.clone()
    for _ in range(60):
        back.undo_action()
    assert inference.beliefs(back) == beliefs_at(back)
    assert inference.beliefs(state) == at_once


def test_unlikely_models_are_dropped():
    game = souk.load_game("marrakech", players=3)
    state = play_actions(game, ["expert"] * 3, 100)
    result = [one for seat in beliefs_at(state) for one in seat]
    assert 0.0 in result and all(one == 0 or one > LEAST_PROBABILITY for one in result)
