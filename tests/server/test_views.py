"""What the server sends of a game is what the API says of it, byte for byte."""

import json
import random

import pytest

from souk.engine.state import CHANCE, State
from souk.server.tables import commands as m
from souk.server.tables import views
from souk.server.tables.referee import action_entry
from tests.server.random_tables import ADA, COMPUTER, GAMES, ask, new_life

SHORT_OF_MONEY = "marrakech(players=4,rugs=6,dirhams=2)"  # so that players go out
PER_GROUP = "marracash(players=4,souvenirs=True,commission=per-group)"


def begun(game, seed):
    """A game at a table of computer players, and what picks their moves."""
    pick = random.Random(seed)
    seats = int(game.partition("players=")[2][0])
    life = new_life(pick, game=game, seats=[COMPUTER] * seats)
    if life.table.status == "waiting":
        life.add(ask(life, ADA, m.Start("start")))
    return life, pick


def written(plain):
    """Plain data as the JSON that is sent."""
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()


def told(life):
    """The steps of the last entry as the API has them."""
    steps = []
    for before, action, _ in life.table.state.steps():
        state = State(life.table.game, list(before))
        mover, text = state.current_player(), state.action_to_string(action)
        state.apply_action(action)
        events = [event.to_dict() for event in state.events()]
        steps.append({"seat": None if mover == CHANCE else mover, "action": text, "events": events})
    return steps


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [*GAMES, SHORT_OF_MONEY, PER_GROUP])
def test_events_and_positions_are_sent_as_the_api_tells_them(game, seed):
    life, pick = begun(game, seed)
    table = life.table
    while True:
        event = views.encode(views.event_view(table, life.log[-1]))
        assert b'"steps":' + written(told(life)) in event or not table.state.history()
        assert json.loads(event)["n"] == len(life.log)
        position = views.position_view(table)
        assert bytes(position.position) == written(table.state.to_dict())
        assert position.scores == table.state.scores()
        if table.mover is None:
            break
        legal = [table.state.action_to_string(one) for one in table.state.legal_actions()]
        assert position.legal == legal
        action = table.game.random_action(table.state, pick)
        text = table.state.action_to_string(action)
        life.add(action_entry(table, table.mover, text, life.now))
    assert table.status == "over"


def test_a_position_is_told_the_same_however_it_came_about():
    life, pick = begun(GAMES[3], 1)
    for _ in range(60):
        action = life.table.game.random_action(life.table.state, pick)
        text = life.table.state.action_to_string(action)
        if pick.random() < 0.5:  # whether it was told each time or not
            views.position_view(life.table)
        life.add(action_entry(life.table, life.table.mover, text, life.now))
    state = life.table.state
    assert bytes(views.position_view(life.table).position) == written(state.to_dict())


def test_what_the_api_tells_is_the_callers_to_change():
    life, _ = begun(GAMES[0], 1)
    state = life.table.state
    before = written(state.to_dict())
    state.to_dict()["players"][0]["rugs"].clear()
    state.to_dict()["squares"].clear()
    assert written(state.to_dict()) == before == bytes(views.position_view(life.table).position)
