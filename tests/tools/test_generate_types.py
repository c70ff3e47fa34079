"""The page's types are those of the server and of the games."""

import random

import msgspec
import pytest

import souk
from souk.games import game_class, own_names
from tools import generate_types

GAMES = ["marrakech(players=2)", "marrakech(players=4,cannot_pay=out)", "marracash(souvenirs=True)"]


def test_the_files_are_up_to_date():
    for path, text in generate_types.files().items():
        assert path.read_text("utf-8") == text, "run python -m tools.generate_types"


def interface(name):
    """Return the fields of an interface with their types, as written."""
    body = generate_types.protocol().split(f"export interface {name} {{\n")[1].split("\n}")[0]
    lines = [line.strip() for line in body.splitlines() if not line.strip().startswith("/**")]
    return {line.partition(":")[0].rstrip("?"): line.partition(": ")[2] for line in lines}


def test_a_preview_is_as_the_types_say():
    state = souk.load_game("marrakech(players=3)").new_initial_state()
    preview = state.preview(state.legal_actions()[0]).to_dict()
    assert set(preview) == set(interface("Preview"))
    assert set(preview["outcomes"][0]) == set(interface("Outcome"))
    assert set(preview["gains"][0]) == set(interface("Gain"))


@pytest.mark.parametrize("text", GAMES)
def test_positions_and_events_of_whole_games_have_their_shape(text):
    game = souk.load_game(text)
    shape = __import__(f"souk.games.{game.name}.schema", fromlist=["Position"])
    words = {
        name.lower(): set(kind.__args__)
        for name, kind in vars(shape).items()
        if getattr(kind, "__origin__", None) is not None and name[0].isupper()
    }
    chance = random.Random(1)
    for seed in range(3):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            msgspec.convert(msgspec.to_builtins(state.to_dict()), shape.Position)
            state.apply_action(game.random_action(state, chance))
            for event in state.events():
                for name, value in event.to_dict().items():
                    assert name not in words or value in words[name], event
        assert msgspec.convert(msgspec.to_builtins(state.to_dict()), shape.Position).phase == "over"


def test_every_game_with_code_on_the_page_has_its_types():
    generated = {path.parent.name for path in generate_types.files()}
    assert {"marrakech", "marracash"} <= generated
    for name in generated & set(own_names()):
        prefix = game_class(name).__name__
        written = generate_types.game_protocol(name)
        assert f"export interface {prefix}Position" in written
        assert f"export type {prefix}Event" in written
        assert prefix not in generate_types.protocol()
    assert 'export type Status = "waiting" | "playing" | "over";' in generate_types.protocol()
    assert interface("EventView")["seat"] == "number | null;"
