"""Descriptions: positions and actions in words and drawings, for clients without a game's code."""

import random
from xml.etree import ElementTree

import pytest

import souk
from souk.engine.styled_text import plain_text
from tests.server.server_process import Person, Server
from tests.server.test_studies import position_after

GAMES = ["marrakech(players=3)", "marracash(players=3)"]
NAMES = ["Ada", "Bo <b>", "Cyé"]


@pytest.fixture(scope="module")
def ada(tmp_path_factory):
    folder = tmp_path_factory.mktemp("descriptions")
    with Server(folder / "souk.db", "--no-limits") as server:
        yield Person(server)


def post(person, path="", **body):
    return person.http.post(f"/api/description{path}", json=body)


@pytest.mark.parametrize("game", GAMES)
def test_a_description_has_the_words_and_the_drawing_of_the_game(ada, game):
    before, pick = position_after(game), random.Random(2)
    state = before.game.state_from_dict(before.to_dict())
    sentences = []
    while len(sentences) < 10 or state.is_chance_node():
        state.apply_action(state.game.random_action(state, pick))
        sentences.append([event.sentence(NAMES) for event in state.events()])
    actions = [state.action_to_string(action) for action in state.history()]
    reply = post(ada, position=before.to_dict(), actions=actions, names=NAMES, theme="dark").json()
    assert reply["steps"] == sentences
    assert reply["task"] == state.game.prompt(state, NAMES)
    assert reply["svg"] == state.svg(theme="dark", names=NAMES)
    drawing = ElementTree.fromstring(reply["svg"])
    desc = drawing.find("{http://www.w3.org/2000/svg}desc")
    assert desc is not None and reply["alt"].endswith(desc.text)
    assert [one["action"] for one in reply["choices"]] == [
        state.action_to_string(action) for action in state.legal_actions()
    ]
    assert {one["kind"] for one in reply["choices"]} == {
        state.game.action_kind(action) for action in state.legal_actions()
    }
    assert len(reply["colours"]) == len(reply["players"]) == 3
    shown = plain_text(state.game.board_text(state, NAMES))
    assert all(line in shown for lines in reply["players"] for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_actions_are_described_as_in_the_terminal(ada, game):
    state = position_after(game)
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    actions = state.legal_actions()[:5]
    texts = [state.action_to_string(action) for action in actions]
    reply = post(ada, "/actions", position=state.to_dict(), actions=texts, names=NAMES)
    assert reply.json() == [
        state.game.preview_sentence(state.preview(action), NAMES) for action in actions
    ]


def test_a_bad_request_is_refused_with_a_reason(ada):
    position = souk.load_game(GAMES[0]).new_initial_state().to_dict()
    for path, body, status, code, word in [
        ("", {"position": {}}, 400, "bad-position", "game"),
        ("", {"position": position, "actions": ["left", "left"]}, 400, "illegal", "actions[1]"),
        ("", {"position": position, "names": ["Ada"]}, 400, "bad-position", "3 seats"),
        ("", {"position": position, "theme": "auto"}, 422, "bad-request", "theme"),
        ("/actions", {"position": position, "actions": ["hop"]}, 400, "illegal", "hop"),
    ]:
        answer = post(ada, path, **body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert word in answer.json()["message"]


def test_the_list_of_games_has_titles_and_a_line_about_each(ada):
    games = {game["name"]: game for game in ada.http.get("/api/games").json()}
    assert (games["marrakech"]["title"], games["marracash"]["title"]) == ("Marrakech", "MarraCash")
    assert games["marrakech"]["about"].startswith("Move Assam")
