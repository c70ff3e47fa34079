"""Study boards: try actions from any position, preview and evaluate them."""

import json
import random
import sqlite3
from contextlib import closing

import msgspec
import pytest

import souk
from tests.server.server_process import Person, Server
from tests.server.test_running_games import play

GAMES = ["marrakech(players=3)", "marracash(players=3)"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies")
    with Server(folder / "souk.db", "--seconds", "0.05", "--no-limits") as server:
        yield server


@pytest.fixture(scope="module")
def ada(server):
    return Person(server)


def post(person, path="", **body):
    return person.http.post(f"/api/study{path}", json=body)


def position_after(game, actions=20, seed=1):
    """Return a state some random actions into a game, and those that come next."""
    state, pick = souk.load_game(game).new_initial_state(seed), random.Random(seed)
    for _ in range(actions):
        state.apply_action(state.game.random_action(state, pick))
    return state


@pytest.mark.parametrize("game", GAMES)
def test_a_study_has_the_positions_events_and_choices_that_the_rules_give(ada, game):
    state, pick = position_after(game), random.Random(2)
    start, texts = state.to_dict(), []
    expected = [(state.to_dict(), [])]
    for _ in range(30):
        action = state.game.random_action(state, pick)
        texts.append(state.action_to_string(action))
        state.apply_action(action)
        expected.append((state.to_dict(), json.loads(msgspec.json.encode(state.events()))))
    reply = post(ada, position=start, actions=texts).json()
    assert (reply["game"], reply["name"]) == (str(state.game), state.game.name)
    assert [(one["position"], one["events"]) for one in reply["frames"]] == expected
    assert [one["action"] for one in reply["frames"]] == [None, *texts]
    for frame in reply["frames"]:
        there = state.game.state_from_dict(frame["position"])
        legal = [there.action_to_string(one) for one in there.legal_actions()]
        outcomes = [one["action"] for one in frame["outcomes"]]
        if there.is_chance_node():
            assert (frame["legal"], outcomes, frame["mover"]) == ([], legal, None)
            assert sum(one["probability"] for one in frame["outcomes"]) == pytest.approx(1)
        else:
            assert (frame["legal"], outcomes, frame["mover"]) == (legal, [], there.current_player())


@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_studied_from_its_start_to_its_end(ada, game):
    start = post(ada, game=game).json()["frames"][0]
    state, pick = souk.load_game(game).state_from_dict(start["position"]), random.Random(1)
    while not state.is_terminal():
        state.apply_action(state.game.random_action(state, pick))
    texts = [state.action_to_string(action) for action in state.history()]
    frames = post(ada, position=start["position"], actions=texts).json()["frames"]
    assert [frame["over"] for frame in frames] == [False] * len(texts) + [True]
    assert frames[-1]["scores"] == state.scores()


@pytest.mark.parametrize("game", GAMES)
def test_a_preview_is_that_of_a_live_table(ada, game):
    state = position_after(game)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    actions = state.legal_actions()[:100]
    texts = [state.action_to_string(action) for action in actions]
    reply = post(ada, "/previews", position=state.to_dict(), actions=texts)
    expected = [state.preview(action).to_dict() for action in actions]
    assert reply.json() == json.loads(msgspec.json.encode(expected))
    reply = post(ada, "/previews", position=state.to_dict(), actions=["left", "left", "hop"])
    assert (reply.status_code, reply.json()["code"]) == (400, "illegal")


def test_every_problem_of_a_position_is_named(ada):
    position = position_after(GAMES[0]).to_dict()
    position["assam"] = {"square": "h9", "facing": "up"}
    position["players"][0]["dirhams"] = -1
    reply = post(ada, position=position)
    assert (reply.status_code, reply.json()["code"]) == (400, "bad-position")
    paths = [problem.split(":")[0] for problem in reply.json()["problems"]]
    assert paths == ["assam.square", "assam.facing", "players[0].dirhams"]
    for path, more in [("/previews", {"actions": ["left"]}), ("/evaluation", {})]:
        again = post(ada, path, position=position, **more)
        assert again.json() == reply.json()


def test_bad_requests_are_refused(ada):
    position = position_after(GAMES[0]).to_dict()
    deep = {}
    for _ in range(900):
        deep = {"a": deep}
    for code, body in [
        ("bad-request", {}),
        ("bad-request", {"position": position, "game": GAMES[0]}),
        ("bad-request", {"position": position, "actions": ["left"] * 3001}),
        ("bad-request", {"position": position, "actions": ["x" * 61]}),
        ("bad-game", {"game": "chess"}),
        ("bad-game", {"game": "marracash(layout=/etc/passwd)"}),
        ("bad-position", {"position": {}}),
        ("bad-position", {"position": position | {"game": "chess"}}),
        ("bad-position", {"position": position | {"game": "marracash(layout=/etc/passwd)"}}),
        ("bad-position", {"position": position | {"assam": deep}}),
        ("illegal", {"position": position, "actions": ["hop"]}),
        ("illegal", {"game": GAMES[0], "actions": ["left", "left"]}),
    ]:
        reply = post(ada, **body)
        assert (400 <= reply.status_code < 500, reply.json()["code"]) == (True, code), body
    too_long = post(ada, position=position | {"more": "x" * 70_000})
    assert (too_long.status_code, too_long.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize("refined", [False, True])
def test_an_evaluation_has_the_winning_chances_after_every_action_or_outcome(ada, refined):
    state = position_after(GAMES[0])
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    while not state.is_chance_node():
        assert_is_evaluated(ada, state, refined)
        state.apply_action(state.legal_actions()[0])
    assert_is_evaluated(ada, state, refined)


def assert_is_evaluated(ada, state, refined):
    reply = post(ada, "/evaluation", position=state.to_dict(), refined=refined).json()
    legal = [state.action_to_string(action) for action in state.legal_actions()]
    assert sorted(one["action"] for one in reply["options"]) == sorted(legal)
    for one in (reply, *reply["options"]):
        assert sum(one["shares"]) == pytest.approx(1, abs=0.001)
    if state.is_chance_node():
        mean = sum(one["probability"] * one["shares"][0] for one in reply["options"])
        assert mean == pytest.approx(reply["shares"][0], abs=0.001)
    else:
        shares = [one["shares"][state.current_player()] for one in reply["options"]]
        assert shares == sorted(shares, reverse=True)


def test_the_end_of_a_game_is_evaluated_by_its_result(ada):
    state, pick = souk.load_game(GAMES[0]).new_initial_state(1), random.Random(1)
    while not state.is_terminal():
        state.apply_action(state.game.random_action(state, pick))
    reply = post(ada, "/evaluation", position=state.to_dict()).json()
    assert reply["shares"] == pytest.approx(state.returns(), abs=0.001) and not reply["options"]


@pytest.mark.asyncio
async def test_a_game_that_is_played_without_hints_is_not_evaluated(server):
    async with play(server, "marrakech(players=2)") as (ada, _, lines):
        position = lines[0].position["position"]
        reply = post(ada, "/evaluation", position=position)
        assert (reply.status_code, reply.json()["code"]) == (409, "not-over")
        poorer = [player | {"dirhams": 20} for player in position["players"]]
        again = post(ada, "/evaluation", position=position | {"players": poorer}, refined=True)
        assert again.json()["code"] == "not-over"
        assert post(ada, position=position).status_code == 200, "trying moves is no advice"


@pytest.mark.asyncio
@pytest.mark.parametrize("game", ["marrakech(players=2)", "marracash(players=3)"])
async def test_the_choices_of_a_running_game_are_not_evaluated_either(server, game):
    async with play(server, game) as (ada, _, lines):
        now = lines[0].position
        for action in now["legal"]:
            after = post(ada, position=now["position"], actions=[action]).json()["frames"][1]
            reply = post(ada, "/evaluation", position=after["position"])
            assert reply.json().get("code") == "not-over", action
        other = position_after(game, 60).to_dict()
        assert post(ada, "/evaluation", position=other).status_code == 200


@pytest.mark.asyncio
async def test_a_game_that_is_played_with_hints_is_evaluated(server):
    async with play(server, "marrakech(players=2)", hints=True) as (ada, _, lines):
        position = lines[0].position["position"]
        assert post(ada, "/evaluation", position=position).status_code == 200


def test_too_many_evaluations_are_refused(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        ada, codes = Person(server), set()
        state = souk.load_game(GAMES[0]).new_initial_state()
        for money in range(80):
            position = state.to_dict()
            position["players"][0]["dirhams"] = money
            codes.add(post(ada, "/evaluation", position=position).json().get("code"))
        assert codes == {None, "too-fast"}


def test_a_long_study_counts_as_many_requests(tmp_path):
    with Server(tmp_path / "souk.db") as server:
        body = {"game": GAMES[0], "actions": ["nothing"] * 2900}  # charged before it is tried
        people = [Person(server) for _ in range(3)]
        first, *others = [post(person, **body).json()["code"] for person in people]
        assert first == "illegal"
        assert "too-fast" in others, "or unread answers would fill the memory"


@pytest.mark.asyncio
@pytest.mark.parametrize("damage", ["tables SET view", "tables SET terms", "entries SET entry"])
async def test_a_damaged_game_does_not_keep_others_from_studying(tmp_path, damage):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        async with play(server, "marrakech(players=2)", absent="never"):
            pass
        server.kill()
        with closing(sqlite3.connect(tmp_path / "souk.db")) as db, db:
            db.execute(f"UPDATE {damage} = x'7b'")
        server.restart()
        other = position_after("marrakech(players=2)", 30).to_dict()
        assert post(Person(server, "Cleo"), "/evaluation", position=other).status_code == 200
