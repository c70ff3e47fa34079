"""What others have in mind: the search reckons with it, and it is read from their moves."""

import math
import random

import pytest

import souk
from souk.engine.kernel import targets
from souk.players.opponent_inference import LEAST_BELIEF, RECENT, Reader
from souk.players.searcher import Searcher

Shares = list[float]
NET, BY_HAND, GREEDY, FARTHER = range(4)


class Two(Searcher):
    """Looks at this turn and the next one, in full."""

    name = "two"
    most_plies = 2
    widths = ()
    usual_nodes = 10**9


class ByHand(Two):
    """The same with the judgement made by hand."""

    judges_by_hand = True


def played(game: souk.Game, seats: list[str], actions: int, seed: int = 1) -> souk.State:
    """So many actions of a game between some players."""
    rng = random.Random(seed)
    players = [
        ByHand(game) if name == "two" else souk.player(name, game, nodes=200, seed=seed)
        for name in seats
    ]
    state = game.new_initial_state()
    while not state.is_terminal() and len(state.history()) < actions:
        if state.is_chance_node():
            state.apply_action(game.random_action(state, rng))
        else:
            state.apply_action(players[state.current_player()].choose(state))
    return state


def choosing(player: Searcher, state: souk.State) -> Shares:
    """What the one to choose expects of each action, reckoning with the others' minds."""
    found, _ = player._search(state, state.legal_actions(), is_to_choose=True)
    return [found[action][state.current_player()] for action in state.legal_actions()]


# ---- the search ----------------------------------------------------------------------------------


class Count:
    """An honest count of two turns, in which the second player may have any mind."""

    def __init__(self, player: Searcher, beliefs: Shares) -> None:
        game = self.game = player.game
        self.k = targets.python_kernel(game.kernel, game.constants(), game.searching("net"))
        self.beliefs = beliefs
        self.seats = range(game.num_players())

    def judged(self, state: souk.State) -> Shares:
        if state.is_terminal():
            return state.returns()
        shares = [0.0] * len(self.seats)
        self.k.judge(state.buffer, self.weights, shares)
        return shares

    def is_new_turn(self, state: souk.State) -> bool:
        return state.is_terminal() or self.k.is_quiet(state.buffer)

    def after(self, state: souk.State) -> list[souk.State]:
        states = []
        for action in state.legal_actions():
            states.append(state.clone())
            states[-1].apply_action(action)
        return states

    def known(self, seat: int) -> None:
        """Judge as a seat does that knows its own kind."""
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
        for mind, belief in enumerate(self.beliefs):
            if belief:
                _, shares = self.theirs(state, state.current_player(), mind)
                total = [one + belief * share for one, share in zip(total, shares, strict=True)]
        return total

    def theirs(
        self, state: souk.State, seat: int, mind: int, is_start: bool = True
    ) -> tuple[float, Shares]:
        """What the rest of a turn is worth to a mind, and the shares that come of it."""
        if self.is_new_turn(state) and not is_start:
            shares = self.judged(state)
            if mind == NET:
                return shares[seat], shares
            return self.k.worth_to(state.buffer, seat, mind, shares), shares
        found = [self.theirs(one, seat, mind, False) for one in self.after(state)]
        if state.is_chance_node():
            parts = [odd for _, odd in state.chance_outcomes()]
        else:
            if mind == FARTHER and all(self.is_new_turn(one) for one in self.after(state)):
                found = self.thought_over(state, seat, found)
            best = max(worth for worth, _ in found)
            parts = [math.exp((worth - best) / self.k.SLACK[mind]) for worth, _ in found]
        whole = sum(parts)
        worth = sum(part * one for part, (one, _) in zip(parts, found, strict=True)) / whole
        shares = [
            sum(part * one[at] for part, (_, one) in zip(parts, found, strict=True)) / whole
            for at in self.seats
        ]
        return worth, shares

    def thought_over(
        self, state: souk.State, seat: int, found: list[tuple[float, Shares]]
    ) -> list[tuple[float, Shares]]:
        """Those few that look best by hand: whoever looks farther thinks of no others."""
        by_hand = [self.theirs(one, seat, BY_HAND, False)[0] for one in self.after(state)]
        order = sorted(range(len(found)), key=lambda option: -by_hand[option])
        return [found[option] for option in order[: self.k.FEW]]


@pytest.mark.parametrize("kind", [NET, BY_HAND, GREEDY, FARTHER, None])
def test_the_search_counts_with_what_the_next_player_has_in_mind(kind, monkeypatch):
    game = souk.load_game("marrakech", players=3)
    beliefs = [0.2, 0.2, 0.5, 0.1] if kind is None else [float(kind == one) for one in range(4)]
    monkeypatch.setattr(Reader, "beliefs", lambda *_: [beliefs[:] for _ in range(3)])
    player = Two(game)
    count = Count(player, beliefs)
    for actions in (62, 130):
        state = played(game, ["greedy"] * 3, actions)
        while state.is_chance_node() or len(state.legal_actions()) < 4:  # until a rug is to be laid
            state.apply_action(state.legal_actions()[0])
        seat = state.current_player()
        count.known(seat)
        some = slice(None, None, 4)  # of the actions: counting is slow
        expected = [count.mine(after, seat)[seat] for after in count.after(state)[some]]
        # What somebody hardly ever does is not looked at.
        hardly = player._kernel.HARDLY / 2
        assert choosing(player, state)[some] == pytest.approx(expected, abs=hardly)


def test_an_analysis_takes_everybody_to_play_well():
    """So that luck and skill of a game do not depend on who is thought to play it."""
    game = souk.load_game("marrakech", players=3)
    state = played(game, ["greedy"] * 3, 60)
    while state.is_chance_node() or len(state.legal_actions()) < 4:
        state.apply_action(state.legal_actions()[0])
    bare = game.state_from_dict(state.to_dict())  # no history: nobody can be read
    player = Two(game)
    assert player.analyse(state) == player.analyse(bare)
    assert choosing(player, state) != choosing(player, bare)


def test_two_players_need_no_reading():
    game = souk.load_game("marrakech", players=2)
    assert targets.python_kernel(game.kernel, game.constants(), game.searching("net"))["MINDS"] == 1


# ---- reading -------------------------------------------------------------------------------------


def beliefs_at(state: souk.State) -> list[Shares]:
    return Two(state.game)._reader.beliefs(state)


@pytest.mark.parametrize("players", [3, 4])
def test_who_plays_greedily_or_well_is_found_out(players):
    game = souk.load_game("marrakech", players=players)
    seats = ["random", "greedy", "two", "expert"][:players]
    state = played(game, seats, 30 * players)
    while state.current_player() != 0:
        state.undo_action()
    found = beliefs_at(state)
    assert found[1][GREEDY] > 0.9
    assert found[2][FARTHER] > 0.9
    assert players == 3 or found[3][NET] > 0.9
    assert found[0] == pytest.approx(list(Two(game)._kernel.BELIEFS))  # he knows himself
    assert all(sum(one) == pytest.approx(1) for one in found)


def test_of_strangers_the_usual_is_believed():
    game = souk.load_game("marrakech", players=3)
    beliefs = list(Two(game)._kernel.BELIEFS)
    assert beliefs_at(game.new_initial_state()) == [pytest.approx(beliefs)] * 3


def test_when_it_is_late_the_latest_moves_have_been_read():
    game = souk.load_game("marrakech", players=3)
    state = played(game, ["greedy"] * 3, 60)
    reader, hurried = Two(game)._reader, Two(game)._reader
    whole = reader.beliefs(state)
    asked = iter([False, False, True])
    hurried.beliefs(state, lambda: next(asked))
    assert list(hurried._read) == list(reader._read)[:2]
    assert hurried.beliefs(state) == whole  # the rest is read when there is time


def test_a_game_is_read_alike_at_once_and_move_by_move_and_after_taking_back():
    game = souk.load_game("marrakech", players=3)
    state = played(game, ["greedy"] * 3, 100)
    at_once = beliefs_at(state)
    reader = Two(game)._reader
    beginning = game.new_initial_state()
    for action in state.history():
        reader.beliefs(beginning)
        beginning.apply_action(action)
    assert reader.beliefs(state) == at_once
    back = state.clone()
    for _ in range(RECENT + 10):
        back.undo_action()
    assert reader.beliefs(back) == beliefs_at(back)
    assert reader.beliefs(state) == at_once


def test_what_is_hardly_likely_is_not_reckoned_with():
    game = souk.load_game("marrakech", players=3)
    state = played(game, ["expert"] * 3, 100)
    found = [one for seat in beliefs_at(state) for one in seat]
    assert 0.0 in found and all(one == 0 or one > LEAST_BELIEF for one in found)
