"""Lay out the screen: the board, the players, the log, what to do and the legal actions.

On a wide screen the log is a column on the right; on a narrow one the players are a strip under the
board. The board, what to do and the actions always have space; the log, a sentence for every event,
takes the rest, and at least half of it where there are many actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from souk.engine.state import State
from souk.engine.styled_text import Styled, block_width, crop, place_beside, stack, wrap
from souk.terminal.action_list import list_actions

PLAIN_COLUMNS = 100  # of text that goes to a pipe or a file
MIN_LOG_COLUMNS = 30  # a narrower log at the side would be hard to read
MAX_LOG_COLUMNS = 60
MIN_ROWS_BELOW = 5  # for what to do, the actions and the message
MAX_OLD_LOG_ROWS = 8  # where not all is new; the command `history all` shows everything
MAX_LOG_ACTIONS = 60  # shown while playing


@dataclass(frozen=True)
class View:
    """The content of the screen at a moment of the game."""

    state: State
    names: Sequence[str]
    since: int = 0  # the action from which the log is new to the reader
    asks: bool = False  # whether a person chooses now
    message: str = ""  # an answer to the last input


@dataclass(frozen=True)
class TurnLog:
    """The events of one turn, or of the part of it that is new, or not new, to the reader."""

    turn: int
    sentences: tuple[str, ...]
    is_new: bool


def turn_logs(
    state: State, names: Sequence[str], *, since: int = 0, recent: int | None = None
) -> list[TurnLog]:
    """Return the log of the game so far; from action number `since` on it is new."""
    steps = state.steps()
    first = max(0, len(steps) - recent) if recent else 0
    logs: list[TurnLog] = []
    for number, (before, action, after) in enumerate(steps[first:], start=first):
        turn, is_new = state.game.turn_number(before), number >= since
        sentences = [event.sentence(names) for event in state.game.events(before, action, after)]
        last = logs[-1] if logs else None
        if last and (last.turn, last.is_new) == (turn, is_new):
            logs[-1] = TurnLog(turn, (*last.sentences, *sentences), is_new)
        else:
            logs.append(TurnLog(turn, tuple(sentences), is_new))
    return logs


def news_text(view: View) -> str:
    """Return everything that is new to the reader, a paragraph for each turn."""
    logs = turn_logs(view.state, view.names, since=view.since)
    return "\n\n".join(" ".join(log.sentences) for log in logs if log.is_new)


def paragraph(log: TurnLog, columns: int) -> list[Styled]:
    """Return the log of a turn as a paragraph, dim unless it is new."""
    style = "" if log.is_new else "dim"
    return wrap(" ".join(log.sentences), columns, style=style)


def board_and_players(view: View, columns: int | None, rows: int | None = None) -> list[Styled]:
    """Return the board with the players beside it, or below it on a narrow terminal."""
    grid = view.state.game.board_lines(view.state)
    players = view.state.game.player_lines(view.state, view.names)
    together = place_beside(grid, [[], *stack(players, len(grid) - 1)])
    if columns is None or block_width(together) <= columns:
        return together
    grid = [line for line in grid if line]
    strip = [row for lines in players for row in _joined(lines, columns)]
    if rows is not None and len(grid) + len(strip) + MIN_ROWS_BELOW > rows:
        strip = [row for lines in players for row in _joined(lines, None)]
    return [crop(line, columns) for line in (*grid, *strip)]


def _joined(lines: Sequence[Styled], columns: int | None) -> list[Styled]:
    """Join lines into one, or into several that fit."""
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
class Screen:
    """The lines of a screen."""

    lines: list[Styled]
    shows_all_news: bool  # whether everything that is new to the reader is on it


def layout_screen(view: View, columns: int, rows: int) -> Screen:
    """Return the whole screen; it has more lines than rows only if the board alone does."""
    lines = board_and_players(view, columns, rows)
    logs = turn_logs(view.state, view.names, since=view.since, recent=MAX_LOG_ACTIONS)
    at_side = columns - block_width(lines) - 3
    if at_side >= MIN_LOG_COLUMNS:
        log = _end_of_log(logs, min(at_side, MAX_LOG_COLUMNS), len(lines))
        lines, below = place_beside(lines, log.lines), _below(view, columns, rows - len(lines))
    else:
        whole = _end_of_log(logs, columns, rows)
        below = _below(view, columns, rows - len(lines), log_rows=len(whole.lines))
        log = _end_of_log(logs, columns, rows - len(lines) - len(below))
        below = [*log.lines, *below]
    has_space = rows - len(lines) - len(below) >= 1
    return replace(log, lines=[*lines, *([[]] if has_space else []), *below])


def _below(view: View, columns: int, rows: int, log_rows: int = 0) -> list[Styled]:
    """Return what to do, the actions and the message; leave some rows for the log."""
    todo = wrap(view.state.game.prompt(view.state, view.names), columns, style="strong")
    message = wrap(view.message, columns) if view.message else []
    if not view.asks:
        return [*todo, *message]
    left = rows - len(todo) - len(message)
    action_rows = left - min(log_rows, (left + 1) // 2)
    actions = list_actions(view.state, view.names, columns - 2, action_rows)
    return [*todo, *([("  ", ""), *line] for line in actions), *message]


def _end_of_log(logs: Sequence[TurnLog], columns: int, rows: int) -> Screen:
    """Return the end of the log: everything new if it fits, and some of what was before."""
    lines: list[Styled] = []
    logs = [log for log in logs if log.sentences]
    for number in reversed(range(len(logs))):
        log = logs[number]
        limit = rows if log.is_new else min(rows, MAX_OLD_LOG_ROWS)
        is_first_news = number == 0 or not logs[number - 1].is_new
        part, is_whole = _end_of_turn(log, columns, limit - len(lines), is_first=is_first_news)
        lines = [*part, *lines]
        if not is_whole:
            return Screen(lines, shows_all_news=not log.is_new)
    return Screen(lines, shows_all_news=True)


def _end_of_turn(
    log: TurnLog, columns: int, rows: int, *, is_first: bool
) -> tuple[list[Styled], bool]:
    """Return the last sentences of a turn, as many as fit, and whether these are all.

    No sentence is cut, and an ellipsis marks where some are left out. Unless the turn is the first
    that is new, a row is left for what came before or for the ellipsis.
    """
    whole = paragraph(log, columns)
    if len(whole) <= rows - (not is_first):
        return whole, True
    for first in range(1, len(log.sentences)):
        part = replace(log, sentences=("…", *log.sentences[first:]))
        if len(lines := paragraph(part, columns)) <= rows:
            return lines, False
    return [[("…", "dim")]] if rows > 0 and log.is_new else [], False
