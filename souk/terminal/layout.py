"""The page: where board, players, story, the one sentence and the options go.

Wide: the story stands in a column at the right. Narrow: the players are a strip under the board.
The board, the sentence and the options always have their place; the story, one sentence for
everything that happened, takes what is left. Where options are many it gets half of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from souk.engine.state import State
from souk.engine.styled_text import Styled, block_width, crop, place_beside, stack, wrap
from souk.terminal.options import fitted

PAPER_COLUMNS = 100  # of text that goes to a pipe or a file
NARROWEST_STORY = 30  # columns below which a story at the side would be hard to read
WIDEST_STORY = 60
LEAST_BELOW = 5  # lines for the sentence, the options and the message
LONGEST_STORY = 8  # lines, where not all is new; the command `story all` tells all
RECENT = 60  # actions that are told at most while playing


@dataclass(frozen=True)
class View:
    """What is to be seen at a moment of the game."""

    state: State
    names: Sequence[str]
    since: int = 0  # the action from which the story is new to the reader
    asks: bool = False  # whether a person is to choose now
    message: str = ""  # an answer to the last input


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


def news(view: View) -> str:
    """All that is new to the reader, a paragraph for each turn."""
    chapters = told(view.state, view.names, since=view.since)
    return "\n\n".join(" ".join(chapter.sentences) for chapter in chapters if chapter.is_new)


def paragraph(chapter: Chapter, columns: int) -> list[Styled]:
    """The sentences of a chapter as one paragraph; what was known before is dim."""
    style = "" if chapter.is_new else "dim"
    return wrap(" ".join(chapter.sentences), columns, style=style)


def spread(view: View, columns: int | None, rows: int | None = None) -> list[Styled]:
    """The board with the players beside it, or under it where the terminal is narrow."""
    grid = view.state.game.board_lines(view.state)
    players = view.state.game.player_lines(view.state, view.names)
    together = place_beside(grid, [[], *stack(players, len(grid) - 1)])
    if columns is None or block_width(together) <= columns:
        return together
    grid = [line for line in grid if line]
    strip = [row for lines in players for row in _joined(lines, columns)]
    if rows is not None and len(grid) + len(strip) + LEAST_BELOW > rows:
        strip = [row for lines in players for row in _joined(lines, None)]
    return [crop(line, columns) for line in (*grid, *strip)]


def _joined(lines: Sequence[Styled], columns: int | None) -> list[Styled]:
    """Some lines as one, or as a few that fit."""
    rows = [list(lines[0])]
    for line in lines[1:]:
        first, *rest = line
        more = [(first[0].lstrip(), first[1]), *rest]
        if columns is None or block_width([[*rows[-1], *more]]) + 2 <= columns:
            rows[-1] += [("  ", ""), *more]
        else:
            rows.append([("    ", ""), *more])
    return rows


@dataclass(frozen=True)
class Page:
    """One look at the game."""

    lines: list[Styled]
    tells_all: bool  # whether all that is new to the reader is on it


def page(view: View, columns: int, rows: int) -> Page:
    """Everything for one look at the game; more lines than rows only if the board alone has."""
    lines = spread(view, columns, rows)
    chapters = told(view.state, view.names, since=view.since, recent=RECENT)
    at_side = columns - block_width(lines) - 3
    if at_side >= NARROWEST_STORY:
        story = _story(chapters, min(at_side, WIDEST_STORY), len(lines))
        lines, below = place_beside(lines, story.lines), _below(view, columns, rows - len(lines))
    else:
        whole = _story(chapters, columns, rows)
        below = _below(view, columns, rows - len(lines), wanted=len(whole.lines))
        story = _story(chapters, columns, rows - len(lines) - len(below))
        below = [*story.lines, *below]
    is_airy = rows - len(lines) - len(below) >= 1
    return replace(story, lines=[*lines, *([[]] if is_airy else []), *below])


def _below(view: View, columns: int, rows: int, wanted: int = 0) -> list[Styled]:
    """The sentence, the options and the message; some rows are wanted for the story."""
    todo = wrap(view.state.game.prompt(view.state, view.names), columns, style="strong")
    message = wrap(view.message, columns) if view.message else []
    if not view.asks:
        return [*todo, *message]
    room = rows - len(todo) - len(message)
    options = fitted(view.state, view.names, columns - 2, room - min(wanted, (room + 1) // 2))
    return [*todo, *([("  ", ""), *line] for line in options), *message]


def _story(chapters: Sequence[Chapter], columns: int, rows: int) -> Page:
    """The end of the story: all that is new if it fits, and some of what was before."""
    lines: list[Styled] = []
    chapters = [chapter for chapter in chapters if chapter.sentences]
    for number in reversed(range(len(chapters))):
        chapter = chapters[number]
        most = rows if chapter.is_new else min(rows, LONGEST_STORY)
        is_first_news = number == 0 or not chapters[number - 1].is_new
        part, is_whole = _ending(chapter, columns, most - len(lines), opens=is_first_news)
        lines = [*part, *lines]
        if not is_whole:
            return Page(lines, tells_all=not chapter.is_new)
    return Page(lines, tells_all=True)


def _ending(chapter: Chapter, columns: int, rows: int, *, opens: bool) -> tuple[list[Styled], bool]:
    """The last sentences of a chapter, as many as fit, and whether these are all.

    No sentence is cut in two, and a sign says where some are left out. Unless the chapter opens
    the news, a row is left for what came before, or for that sign.
    """
    whole = paragraph(chapter, columns)
    if len(whole) <= rows - (not opens):
        return whole, True
    for first in range(1, len(chapter.sentences)):
        part = replace(chapter, sentences=("…", *chapter.sentences[first:]))
        if len(lines := paragraph(part, columns)) <= rows:
            return lines, False
    return [[("…", "dim")]] if rows > 0 and chapter.is_new else [], False
