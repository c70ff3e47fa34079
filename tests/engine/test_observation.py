"""Observations: complete, relative to the observer, and laid out as described."""

from typing import Any

import numpy as np
import pytest

import souk
from souk.testing import random_game

GAMES = [
    "marrakech(players=2)",
    "marrakech(players=2,two_player=one-colour)",
    "marrakech(players=4,turn_last=may)",
    "marracash(players=3,souvenirs=True,pull_in=True)",
    "marracash(players=4)",
]


def fields(state: souk.State, seat: int) -> dict[str, Any]:
    """Return the fields of an observation by name."""
    tensor, at, found = state.observation_tensor(seat), 0, {}
    for name, shape, _ in state.game.observation_layout():
        size = int(np.prod(shape))
        found[name] = tensor[at : at + size].reshape(shape)
        at += size
    assert at == len(tensor)
    return found


@pytest.mark.parametrize("text", GAMES)
def test_positions_that_differ_are_seen_differently(text: str) -> None:
    seen: dict[bytes, Any] = {}
    for state, _ in random_game(text):
        for seat in range(state.game.num_players()):
            view = bytes([seat]) + state.observation_tensor(seat).tobytes()
            assert seen.setdefault(view, state.to_dict()) == state.to_dict()


@pytest.mark.parametrize("text", GAMES)
def test_observations_are_about_one_in_size(text: str) -> None:
    for state, _ in random_game(text):
        tensor = state.observation_tensor()
        assert tensor.dtype == np.float32
        assert tensor.min() >= 0 and tensor.max() <= 8


def test_seats_and_colours_are_in_turn_order_from_the_observer() -> None:
    for state, _ in random_game("marrakech(players=3)"):
        position = state.to_dict()
        for seat in range(3):
            order = [(seat + place) % 3 for place in range(3)]
            seen = fields(state, seat)
            players = [position["players"][other] for other in order]
            assert (seen["dirhams"] * 32).tolist() == [one["dirhams"] for one in players]
            assert (seen["rugs"] * 16).tolist() == [sum(one["rugs"].values()) for one in players]
            assert order[int(seen["to_move"].argmax())] == position["to_move"]
            colours = [("red", "yellow", "blue")[other] for other in order]
            for colour, board in zip(colours, seen["colours"], strict=True):
                shown = {
                    name for name, one in position["squares"].items() if one["colour"] == colour
                }
                assert {f"{'abcdefg'[f]}{r + 1}" for r, f in np.argwhere(board)} == shown
            rank, file = np.argwhere(seen["assam"])[0]
            assert f"{'abcdefg'[file]}{rank + 1}" == position["assam"]["square"]
            assert "NESW"[int(seen["facing"].argmax())] == position["assam"]["facing"]


def test_shops_queue_and_auctions_are_seen() -> None:
    auctions = 0
    for state, _ in random_game("marracash(players=3)"):
        position, seat = state.to_dict(), state.current_player()
        if seat < 0:
            continue
        game: Any = state.game
        seen = fields(state, seat)
        for number, shop in enumerate(game.board.shops):
            known = position["shops"].get(shop)
            owner = np.flatnonzero(seen["owners"][number]).tolist()
            assert owner == ([] if known is None else [(known["owner"] - seat) % 3])
            assert seen["customers"][number] * 8 == (known["customers"] if known else 0)
        colours = ("red", "yellow", "blue", "green", "purple")
        queue = [colours[one.argmax()] for one in seen["queue"] if one.any()]
        assert queue == position["queue"]
        tail = [colours[one.argmax()] for one in seen["queue_end"] if one.any()]
        assert tail == position["queue"][::-1][:4]
        if position["auction"]:
            auctions += 1
            assert seen["bid"] * 1024 == (position["auction"]["bid"] or 0)
            passed = [(other - seat) % 3 for other in position["auction"]["passed"]]
            assert np.flatnonzero(seen["passed"]).tolist() == sorted(passed)
    assert auctions > 10


def test_a_seat_that_does_not_exist_is_refused() -> None:
    state = souk.load_game("marrakech").new_initial_state()
    for seat in (-1, 3, "red"):
        with pytest.raises(souk.SoukError, match="seats are numbered 0 to 2"):
            state.observation_tensor(seat)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"start": 1, "history": []}'])
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(souk.SoukError, match=r"not a text of State\.serialize"):
        souk.load_game("marrakech").deserialize_state(text)


def test_a_state_of_another_game_is_refused() -> None:
    text = souk.load_game("marrakech", players=2).new_initial_state().serialize()
    with pytest.raises(souk.SoukError, match=r"this is a state of 'marrakech\(players=2"):
        souk.load_game("marrakech").deserialize_state(text)


def test_games_know_their_limits() -> None:
    game = souk.load_game("marrakech", players=3)
    assert game.num_distinct_actions() == 87
    assert game.max_chance_outcomes() == 4
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (0, 1, 1)
    for state, _ in random_game("marrakech(players=3)"):
        mine = [mover for mover in state.movers() if mover >= 0]
    assert len(mine) <= game.max_game_length()
