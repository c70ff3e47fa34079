"""Texts for games that define none: the fields of the position by their names."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.default_position import field_values
from souk.engine.errors import one_of
from souk.engine.events import Preview
from souk.engine.ranges import condense
from souk.engine.state import State
from souk.engine.styled_text import Styled

if TYPE_CHECKING:
    from souk.engine.game import Game

NOT_SHOWN = ("phase", "to_move")  # the prompt says the same
MOST_NAMED = 12  # legal actions that a prompt names


def board_lines(game: "Game", state: State) -> list[Styled]:
    """Return a line for each field that all seats share."""
    shown = {
        name: value
        for name, value in field_values(game, state.buffer).items()
        if name not in (*NOT_SHOWN, *game.seat_fields)
    }
    return [_line(name, value) for name, value in shown.items()]


def player_lines(game: "Game", state: State, names: Sequence[str]) -> list[list[Styled]]:
    """Return the name, the score and the own fields of every seat."""
    fields = field_values(game, state.buffer)
    own = {"score": state.scores(), **{name: fields[name] for name in game.seat_fields}}
    in_turn = None if state.is_terminal() else game.turn_of(state.buffer)
    return [
        [
            [("> " if seat == in_turn else "  ", "strong"), (name, game.seat_colour(seat))],
            *([("  ", ""), *_line(field, values[seat])] for field, values in own.items()),
        ]
        for seat, name in enumerate(names)
    ]


def prompt(game: "Game", state: State, names: Sequence[str]) -> str:
    """Return whose turn it is and what they can do."""
    if state.is_terminal():
        return game.result_sentence(state, names)
    texts = condense([state.action_to_string(action) for action in state.legal_actions()])
    actions = one_of(texts) if len(texts) <= MOST_NAMED else f"one of {len(texts)} actions"
    if state.is_chance_node():
        return f"{names[game.turn_of(state.buffer)]}: chance decides ({actions})."
    return f"{names[state.current_player()]}: choose {actions}."


def preview_sentence(preview: Preview, names: Sequence[str]) -> str:
    """Return the events of an action, and how it changes the scores."""
    changes = [
        f"{name} {gain}"
        for name, gain in zip(names, preview.gains, strict=True)
        if (gain.least, gain.most) != (0, 0)
    ]
    events = " ".join(event.sentence(names) for event in preview.events)
    return f"{events} Score: {', '.join(changes)}." if changes else events


def _line(name: str, value: Any) -> Styled:
    text = " ".join(map(_word, value if isinstance(value, list) else [value]))
    return [(f"{name.replace('_', ' ')} ", "dim"), (text, "")]


def _word(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
