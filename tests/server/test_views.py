"""The server sends what the API returns, byte for byte."""

import json
import random

import pytest

from souk.engine.state import CHANCE, State
from souk.server.tables import commands as c
from souk.server.tables import views
from souk.server.tables.referee import action_entry
from tests.server.random_tables import ADA, COMPUTER, GAMES, ask, random_table

SHORT_OF_MONEY = "marrakech(players=4,rugs=6,dirhams=2)"  # so that players go out
PER_GROUP = "marracash(players=4,souvenirs=True,commission=per-group)"
ONCE = "marracash(players=4,souvenirs=True,commission=once)"


def start_table(game, seed):
    """Return a table of computer players and a random generator."""
    pick = random.Random(seed)
    seats = int(game.partition("players=")[2][0])
    logged = random_table(pick, game=game, seats=[COMPUTER] * seats)
    if logged.table.status == "waiting":
        logged.add(ask(logged, ADA, c.Start("start")))
    return logged, pick


def to_json(plain):
    """Return plain data as JSON."""
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()


def last_steps(logged):
    """Return the steps of the last entry as the API has them."""
    steps = []
    for before, action, _ in logged.table.state.steps():
        state = State(logged.table.game, list(before))
        mover, text = state.current_player(), state.action_to_string(action)
        state.apply_action(action)
        events = [event.to_dict() for event in state.events()]
        steps.append({"seat": None if mover == CHANCE else mover, "action": text, "events": events})
    return steps


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [*GAMES, SHORT_OF_MONEY, PER_GROUP, ONCE])
def test_events_and_positions_are_sent_as_the_api_returns_them(game, seed):
    logged, pick = start_table(game, seed)
    table = logged.table
    while True:
        event = views.encode(views.event_view(table, logged.log[-1]))
        assert b'"steps":' + to_json(last_steps(logged)) in event or not table.state.history()
        assert json.loads(event)["n"] == len(logged.log)
        position = views.position_view(table)
        assert bytes(position.position) == to_json(table.state.to_dict())
        assert position.scores == table.state.scores()
        if table.mover is None:
            break
        legal = [table.state.action_to_string(one) for one in table.state.legal_actions()]
        assert position.legal == legal
        action = table.game.random_action(table.state, pick)
        text = table.state.action_to_string(action)
        logged.add(action_entry(table, table.mover, text, logged.now))
    assert table.status == "over"


def test_a_position_is_encoded_the_same_however_it_came_about():
    logged, pick = start_table(GAMES[3], 1)
    for _ in range(60):
        action = logged.table.game.random_action(logged.table.state, pick)
        text = logged.table.state.action_to_string(action)
        if pick.random() < 0.5:  # whether or not it was sent each time
            views.position_view(logged.table)
        logged.add(action_entry(logged.table, logged.table.mover, text, logged.now))
    state = logged.table.state
    assert bytes(views.position_view(logged.table).position) == to_json(state.to_dict())


def test_what_the_api_returns_may_be_changed_by_the_caller():
    logged, _ = start_table(GAMES[0], 1)
    state = logged.table.state
    before = to_json(state.to_dict())
    state.to_dict()["players"][0]["rugs"].clear()
    state.to_dict()["squares"].clear()
    assert to_json(state.to_dict()) == before == bytes(views.position_view(logged.table).position)
