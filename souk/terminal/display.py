"""Show a game on a full screen that is redrawn, or as plain lines.

Plain lines are for pipes, dumb terminals and NO_COLOR: they have no control codes.
"""

import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence

from souk.engine.styled_text import Styled, cell_width, make_printable, plain_text, wrap
from souk.terminal import keyboard
from souk.terminal.action_list import list_actions
from souk.terminal.files import say
from souk.terminal.palette import ColourDepth, colour_depth, paint
from souk.terminal.screen_layout import (
    PLAIN_COLUMNS,
    Screen,
    View,
    board_and_players,
    layout_screen,
    news_text,
)

PLAIN_ACTION_ROWS = 30
HOME, CLEAR_LINE, CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


class Display(ABC):
    """Shows a game and reads what people type."""

    depth = ColourDepth.NONE

    def __init__(self) -> None:
        self._skips_pauses = False  # after a key was pressed, until the next prompt

    @abstractmethod
    def show_events(self, view: View, sentences: Sequence[str], seconds: float) -> None:
        """Show the effects of an action, and pause."""

    @abstractmethod
    def ask(self, view: View, prompt: str, words: Sequence[str]) -> str:
        """Show the game and read a line; the Tab key completes words."""

    def show_news(self, view: View) -> None:  # noqa: B027  # plain lines have shown it all
        """Show what happened since the last prompt, if the next screen will not show all of it."""

    @abstractmethod
    def show_pages(self, text: str) -> None:
        """Show a long text, with colour codes if the display has colours."""

    def show_board_again(self) -> None:  # noqa: B027  # a screen always shows it
        """Show the board at the next prompt even if it has not changed."""

    def show_text(self, text: str) -> None:
        """Show a long plain text, wrapped."""
        columns = self.columns()
        rows = map(make_printable, text.split("\n"))
        self.show_pages("\n".join(plain_text(line) for row in rows for line in _wrap(row, columns)))

    @abstractmethod
    def end(self, view: View) -> None:
        """Show the final position."""

    @abstractmethod
    def columns(self) -> int:
        """Return the width of the display."""

    def pause(self, seconds: float) -> None:
        """Pause; any key skips this pause and those up to the next prompt."""
        if seconds and not self._skips_pauses:
            self._skips_pauses = keyboard.wait_for_key(seconds)


class PlainDisplay(Display):
    """Prints lines one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[int, ...] | None = None  # the history when the board was shown last

    def show_events(self, view: View, sentences: Sequence[str], seconds: float) -> None:
        for sentence in sentences:
            say(sentence)
        self.pause(seconds)

    def ask(self, view: View, prompt: str, words: Sequence[str]) -> str:
        self._skips_pauses = False
        history = tuple(view.state.history())
        if self._shown != history:
            self._shown = history
            self._show_position(view)
        if view.message:
            say(view.message)
        return keyboard.read_line(prompt)

    def show_pages(self, text: str) -> None:
        say(text)

    def show_board_again(self) -> None:
        self._shown = None

    def end(self, view: View) -> None:
        self._show_position(view)

    def _show_position(self, view: View) -> None:
        say("")
        for line in board_and_players(view, self.columns()):
            say(plain_text(line).rstrip())
        say(view.state.game.prompt(view.state, view.names))
        if view.asks:
            columns = self.columns() - 2
            for line in list_actions(view.state, view.names, columns, PLAIN_ACTION_ROWS):
                say("  " + plain_text(line))

    def columns(self) -> int:
        return shutil.get_terminal_size().columns if sys.stdout.isatty() else PLAIN_COLUMNS


class ScreenDisplay(Display):
    """Redraws the whole terminal in place."""

    def __init__(self, depth: ColourDepth) -> None:
        super().__init__()
        self.depth = depth
        self._is_clear = False
        self._news_shown = 0  # the length of the history when news were shown last

    def show_events(self, view: View, sentences: Sequence[str], seconds: float) -> None:
        if seconds and sentences:
            self._draw(view)
            self.pause(seconds)

    def ask(self, view: View, prompt: str, words: Sequence[str]) -> str:
        self._skips_pauses = False
        self._draw(view)
        return keyboard.edit_line(prompt, words)

    def show_news(self, view: View) -> None:
        now = len(view.state.history())
        if now != self._news_shown and not self._layout(view).shows_all_news:
            self.show_text(news_text(view))
        self._news_shown = now

    def show_pages(self, text: str) -> None:
        lines = text.split("\n")
        _, rows = _terminal_size()
        step = max(1, rows - 2)
        for start in range(0, len(lines), step):
            is_last = start + step >= len(lines)
            self._write(lines[start : start + step])
            prompt = "Enter: back to the game" if is_last else "Enter: more   q: back to the game"
            if keyboard.edit_line(f"{prompt} ").strip().casefold().startswith("q"):
                break

    def end(self, view: View) -> None:
        self._draw(view)

    def columns(self) -> int:
        return _terminal_size()[0]

    def _layout(self, view: View) -> Screen:
        columns, rows = _terminal_size()
        # The last two rows are for the prompt and the cursor after it, so nothing ever scrolls.
        return layout_screen(view, columns, rows - 2)

    def _draw(self, view: View) -> None:
        self._write([paint(line, self.depth) for line in self._layout(view).lines])

    def _write(self, lines: Sequence[str]) -> None:
        _, rows = _terminal_size()
        if len(lines) > rows - 2:  # the terminal is too small: let it scroll
            print("\n".join(lines), flush=True)
            return
        if not self._is_clear:  # scroll earlier output up instead of overwriting it
            self._is_clear = True
            sys.stdout.write("\n" * rows)
        body = "".join(f"{line}{CLEAR_LINE}\n" for line in lines)
        sys.stdout.write(f"{HOME}{body}{CLEAR_BELOW}")
        sys.stdout.flush()


def open_display() -> Display:
    """Return the best display for this terminal or pipe."""
    depth = colour_depth(sys.stdout)
    if depth is ColourDepth.NONE or sys.stdin is None or not sys.stdin.isatty():
        return PlainDisplay()
    return ScreenDisplay(depth)


def is_interactive() -> bool:
    """Return whether standard input and output are both terminals."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _wrap(row: str, columns: int) -> list[Styled]:
    """Wrap a row that is too long; keep the spaces of one that fits."""
    return wrap(row, columns) if cell_width(row) > columns else [[(row, "")]]


def _terminal_size() -> tuple[int, int]:
    columns, rows = shutil.get_terminal_size()
    return max(columns, 20), max(rows, 5)
