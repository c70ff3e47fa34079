"""The levels: one list, weakest first, and each plays every game in every phase."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import souk
from souk.engine.kernel import targets
from tests.games.marrakech.positions import TABLES, all_knobs, mixed_knobs
from tests.games.marrakech.reference import EDITIONS

LADDER = ["random", "novice", "greedy", "trader", "expert", "master"]
ROOT = Path(souk.__file__).parents[1]


def load(knobs: dict[str, object]) -> souk.Game:
    return souk.load_game("marrakech", **knobs)


@pytest.mark.parametrize("name", souk.games())
def test_levels_are_listed_weakest_first(name: str) -> None:
    levels = souk.players(name)
    has_evaluation = bool(type(souk.load_game(name)).evaluations)
    assert levels == (LADDER if has_evaluation else LADDER[:3])
    assert souk.players("marrakech") == LADDER


@pytest.mark.parametrize("level", LADDER)
@pytest.mark.parametrize("table", TABLES)
def test_every_level_plays_whole_games_with_any_knobs(table: str, level: str) -> None:
    rng = random.Random(f"{table} {level}")
    phases = set()
    for edition in EDITIONS:
        for turn_last in (False, True):
            knobs = mixed_knobs(rng, edition, table)
            if turn_last and EDITIONS[edition]["turn last"]:
                knobs["turn_last"] = True
            game = load(knobs)
            player = souk.player(level, game, nodes=200, seed=1)
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(rng.choice(state.legal_actions()))
                else:
                    phases.add(state.to_dict()["phase"])
                    before = state.to_dict()
                    action = player.choose(state)
                    assert action in state.legal_actions() and state.to_dict() == before
                    state.apply_action(action)
    assert phases == {"turn", "lay", "turn_last"}


@pytest.mark.parametrize("level", LADDER[3:])
@pytest.mark.parametrize("table", TABLES)
def test_expectations_are_shares_of_one_win_best_first(table: str, level: str) -> None:
    rng = random.Random(f"shares {table}")
    for edition in EDITIONS:
        game = load(rng.choice(list(all_knobs(edition, table))))
        state = game.new_initial_state()
        for _ in range(rng.randrange(10, 60)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        if state.is_terminal():
            continue
        mover = state.current_player()
        result = souk.player(level, game, nodes=2000).analyse(state)
        assert sorted(one.action for one in result) == state.legal_actions()
        own = [one.shares[mover] for one in result]
        assert own == sorted(own, reverse=True)
        for one in result:
            assert one.text == state.action_to_string(one.action)
            assert sum(one.shares) == pytest.approx(1, abs=1e-5)
            assert min(one.shares) >= 0


# ---- the heuristic -------------------------------------------------------------------------------


def evaluate(position: dict[str, object], game: souk.Game) -> list[float]:
    state = game.state_from_dict(position)
    k = targets.python_kernel(game.kernel, game.constants(), game.search_modules("heuristic"))
    assert k.is_ply_start(state.buffer)
    shares = [0.0] * game.num_players()
    k.evaluate(state.buffer, [], shares)
    assert sum(shares) == pytest.approx(1)
    return shares


def test_dirhams_rugs_and_the_way_assam_faces_count() -> None:
    game = load({"players": 2, "two_player": "one-colour"})
    position = game.new_initial_state().to_dict()
    even = evaluate(position, game)
    assert even == pytest.approx([0.5, 0.5])
    position["players"][1]["dirhams"] = 33
    richer = evaluate(position, game)
    assert richer[1] > 0.5
    for rug, squares in enumerate([("d3", "d2"), ("c4", "b4"), ("e4", "f4")]):
        for square in squares:
            position["squares"][square] = {"colour": "yellow", "rug": rug}
    with_rugs = evaluate(position, game)
    assert with_rugs[1] > richer[1]
    position["assam"]["square"] = "f6"  # where none of them is in the way
    assert evaluate(position, game)[1] < with_rugs[1]


def test_one_large_area_is_worth_more_than_scattered_rugs() -> None:
    game = load({"players": 3})
    position = game.new_initial_state().to_dict() | {"assam": {"square": "g7", "facing": "N"}}
    joined, scattered = ({**position, "squares": {}} for _ in range(2))
    for rug, squares in enumerate([("a1", "a2"), ("b1", "b2"), ("c1", "c2")]):
        for square in squares:
            joined["squares"][square] = {"colour": "blue", "rug": rug}
    for rug, squares in enumerate([("a1", "a2"), ("c1", "c2"), ("e1", "e2")]):
        for square in squares:
            scattered["squares"][square] = {"colour": "blue", "rug": rug}
    assert evaluate(joined, game)[2] > evaluate(scattered, game)[2] > 1 / 3


def test_a_player_who_is_out_has_no_share() -> None:
    game = load({"players": 3})
    position = game.new_initial_state().to_dict()
    out = {"dirhams": 0, "rugs": {"yellow": 0}, "next": None, "out": True, "out_order": 1}
    position["players"][1] = out
    shares = evaluate(position, game)
    assert shares[1] == 0 and shares[0] == pytest.approx(0.5)


# ---- the novice ----------------------------------------------------------------------------------


def novice(state: souk.State) -> set[str]:
    chosen = [souk.player("novice", state.game, seed=seed).choose(state) for seed in range(12)]
    return {state.action_to_string(action) for action in chosen}


def test_a_novice_walks_past_what_lies_straight_ahead_and_into_what_lies_behind_an_arc() -> None:
    game = load({"players": 2, "two_player": "one-colour"})
    position = game.new_initial_state().to_dict() | {"assam": {"square": "d2", "facing": "S"}}
    for rug, squares in enumerate([("e2", "f2"), ("c2", "b2")]):
        for square in squares:
            position["squares"][square] = {"colour": "yellow", "rug": rug}
    assert novice(game.state_from_dict(position)) == {"ahead"}  # rugs left and right
    for rug, squares in enumerate([("e1", "f1"), ("e3", "e4")]):
        for square in squares:
            position["squares"][square] = {"colour": "yellow", "rug": rug + 2}
    state = game.state_from_dict(position)  # from d1 the arc leads to e1
    assert novice(state) == {"ahead"}
    assert state.action_to_string(souk.player("trader", game).choose(state)) != "ahead"


def test_a_novice_covers_no_rug_of_its_own_if_it_need_not() -> None:
    game = load({"players": 3})
    rng = random.Random(3)
    seen = 0
    while seen < 20:
        state = game.new_initial_state()
        for _ in range(62):  # turned and rolled, if nobody is out
            state.apply_action(rng.choice(state.legal_actions()))
        if state.to_dict()["phase"] != "lay":
            continue
        seat = state.current_player()

        def squares_after(action: int, state: souk.State = state, seat: int = seat) -> int:
            after = state.clone()
            after.apply_action(action)
            return after.scores()[seat]

        most = max(map(squares_after, state.legal_actions()))
        assert squares_after(souk.player("novice", game, seed=seen).choose(state)) >= most - 1
        seen += 1


# ---- compiling beforehand ------------------------------------------------------------------------


def test_a_game_is_prepared_when_its_players_are(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load({"players": 3})
    ready = {targets.PLAYOUT_LOOP}
    monkeypatch.setattr(targets, "is_prepared", lambda _kernel, _constants, after: after in ready)
    assert not game.is_prepared()
    ready |= {game.search_modules(name) for name in game.available_evaluations()}
    assert not game.is_prepared()
    ready.add(game.replay_modules())
    assert not game.is_prepared()
    ready.add(game.greedy_modules())
    assert game.is_prepared()


def test_the_compiled_search_is_loaded_by_another_process() -> None:
    code = """
import souk
game = souk.load_game("marrakech", players=2, two_player="one-colour", rugs=5)
player = souk.player("master", game, nodes=4000, seed=1)
print([one.shares for one in player.analyse(game.new_initial_state())])
"""
    game = load({"players": 2, "two_player": "one-colour", "rugs": 5})
    player = souk.player("master", game, nodes=4000, seed=1)
    here = [one.shares for one in player.analyse(game.new_initial_state())]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert done.stdout == f"{here}\n" and done.stderr == "", done.stderr
