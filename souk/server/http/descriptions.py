"""Describe positions and actions in words and drawings, for clients without code for a game.

A description is stateless, like a study: clients send a position and what was played from there.
Its sentences are in English. Callers run this in a worker process.
"""

import re
from collections.abc import Sequence
from html import unescape

from msgspec import Struct

from souk.engine.state import State
from souk.engine.styled_text import Styled, plain_text
from souk.server.http.studies import apply, state_at
from souk.server.live.player_workers import preview_of
from souk.server.tables.commands import Refusal


class Choice(Struct, frozen=True):
    """A legal action, or a chance outcome."""

    action: str
    kind: str  # groups actions in a list


class Description(Struct, frozen=True):
    """A position in words and as a drawing, and what happened on the way there."""

    steps: list[list[str]]  # for each action, a sentence for each of its events
    task: str  # who has to do what, or the result
    svg: str  # the drawing
    alt: str  # what the drawing shows, for screen readers
    players: list[list[str]]  # for each seat, lines about what the player has
    colours: list[str]  # of each seat
    choices: list[Choice]


def describe(
    position: bytes, actions: Sequence[str], names: Sequence[str] | None, theme: str
) -> Description:
    """Describe the position that actions lead to, from the JSON of a position."""
    state = state_at(position)
    names = _names(state, names)
    steps = []
    for number, text in enumerate(actions):
        apply(state, number, text)
        steps.append([event.sentence(names) for event in state.events()])
    game = state.game
    svg = state.svg(theme=theme, names=names)
    return Description(
        steps=steps,
        task=game.prompt(state, names),
        svg=svg,
        alt=_alt(svg) or plain_text(game.board_text(state, names)),
        players=[_details(lines) for lines in game.player_lines(state, names)],
        colours=[game.seat_colour(seat) for seat in range(game.num_players())],
        choices=[
            Choice(game.action_to_string(action), game.action_kind(action))
            for action in state.legal_actions()
        ],
    )


def _details(lines: Sequence[Styled]) -> list[str]:
    """Return the lines about a player without the name, and without the score alone."""
    texts = [plain_text(line).strip() for line in lines[1:]]
    return [text for text in texts if not re.fullmatch(r"score -?\d+", text)]


def _alt(svg: str) -> str:
    """Return the title and the description in a drawing; empty without a description."""
    texts = [
        re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", svg, re.DOTALL) for tag in ("title", "desc")
    ]
    if texts[1] is None:
        return ""
    return " ".join(unescape(text[1].strip()) for text in texts if text)


def describe_actions(
    position: bytes, actions: Sequence[str], names: Sequence[str] | None
) -> list[str]:
    """Say in a sentence or two what each of some actions would cause."""
    state = state_at(position)
    names = _names(state, names)
    return [state.game.preview_sentence(preview_of(state, action), names) for action in actions]


def _names(state: State, names: Sequence[str] | None) -> Sequence[str]:
    seats = state.game.num_players()
    if names is not None and len(names) != seats:
        raise Refusal("bad-position", f"There are {seats} seats, but {len(names)} names.")
    return names or state.game.seat_names
