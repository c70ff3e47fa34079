"""The actions of playouts; `souk.testing` checks that they are those of the games played."""

import pytest

import souk
from souk.engine.game import DEFAULT_RULES
from souk.games import game_class


def test_games_longer_than_the_log_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    game = souk.load_game("marrakech")
    whole = souk.playouts(game, games=3, target="python", actions=True).actions
    monkeypatch.setattr("souk.engine.playouts.ACTIONS_PER_GAME", 5)
    again = souk.playouts(game, games=3, target="python", actions=True).actions
    assert [actions.tolist() for actions in again] == [actions.tolist() for actions in whole]


def test_actions_are_there_only_if_they_were_asked_for() -> None:
    game = souk.load_game("marrakech")
    assert souk.playouts(game, games=0, target="python", actions=True).actions == []
    over = souk.playouts(game, games=1, target="python", actions=True)
    state = over.initial_state(0)
    for action in over.actions[0]:
        state.apply_action(action)
    (none,) = souk.playouts(state, games=1, target="python", actions=True).actions
    assert none.tolist() == []
    with pytest.raises(souk.SoukError, match="play with actions=True"):
        _ = souk.playouts(game, games=1, target="python").actions


def test_a_playout_that_does_not_log_its_actions_is_refused() -> None:
    marrakech = game_class("marrakech")

    class Silent(marrakech):  # type: ignore[misc, valid-type]
        kernel = (*marrakech.kernel[:2], "tests.games.silent_playout", DEFAULT_RULES)

    with pytest.raises(souk.SoukError, match="the playout of marrakech does not log its actions"):
        souk.playouts(Silent(players=3), games=2, target="python", actions=True)
