"""The story of a game: one sentence for everything that happened, turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from souk.engine.state import State

RECENT = 60  # actions that are told at most while playing


@dataclass(frozen=True)
class Chapter:
    """What happened in one turn, or in the part of it before or after a moment."""

    turn: int
    sentences: tuple[str, ...]
    is_new: bool


def told(
    state: State, names: Sequence[str], *, since: int = 0, recent: int | None = None
) -> list[Chapter]:
    """The story so far; chapters from action number `since` on are new."""
    steps = state.steps()
    first = max(0, len(steps) - recent) if recent else 0
    chapters: list[Chapter] = []
    for number, (before, action, after) in enumerate(steps[first:], start=first):
        turn, is_new = state.game.turn_number(before), number >= since
        sentences = [event.sentence(names) for event in state.game.events(before, action, after)]
        last = chapters[-1] if chapters else None
        if last and (last.turn, last.is_new) == (turn, is_new):
            chapters[-1] = Chapter(turn, (*last.sentences, *sentences), is_new)
        else:
            chapters.append(Chapter(turn, tuple(sentences), is_new))
    return chapters
