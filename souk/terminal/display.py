"""Two ways to show a game: on a screen that is drawn anew, or on paper, line after line.

Paper is for pipes, dumb terminals and NO_COLOR: it has no control codes at all.
"""

import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence

from souk.engine.styled_text import Styled, cell_width, make_printable, plain_text, wrap
from souk.terminal import keys
from souk.terminal.files import say
from souk.terminal.layout import PAPER_COLUMNS, Page, View, news, page, spread
from souk.terminal.options import fitted
from souk.terminal.palette import Depth, depth_of, paint

PAPER_OPTION_ROWS = 30
HOME, TO_LINE_END, TO_SCREEN_END = "\x1b[H", "\x1b[K", "\x1b[J"


class Display(ABC):
    """What the player of a game sees, and where answers come from."""

    depth = Depth.NONE

    def __init__(self) -> None:
        self._hurry = False  # a key was pressed: no more pauses until the next question

    @abstractmethod
    def happened(self, view: View, sentences: Sequence[str], seconds: float) -> None:
        """Tell what an action caused, and leave time to read it."""

    @abstractmethod
    def ask(self, view: View, prompt: str, words: Sequence[str]) -> str:
        """Show the game and ask for a line; words are what the tab key may complete."""

    def tell(self, view: View) -> None:  # noqa: B027  # paper has told it all
        """Tell what is new to the reader, if it will not all be seen at the next question."""

    @abstractmethod
    def show_pages(self, text: str) -> None:
        """Show a long text, which may have codes for colours if the display has any."""

    def look_again(self) -> None:  # noqa: B027  # a screen always shows it
        """Show the board at the next question even if it has not changed."""

    def show_text(self, text: str) -> None:
        """Show a long plain text, wrapped."""
        columns = self.columns()
        rows = map(make_printable, text.split("\n"))
        self.show_pages(
            "\n".join(plain_text(line) for row in rows for line in _wrapped(row, columns))
        )

    @abstractmethod
    def end(self, view: View) -> None:
        """Show the game for the last time."""

    @abstractmethod
    def columns(self) -> int:
        """How wide a text may be."""

    def pause(self, seconds: float) -> None:
        """Leave time to read; any key cuts it short."""
        if seconds and not self._hurry:
            self._hurry = keys.wait(seconds)


class Paper(Display):
    """Lines one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[int, ...] | None = None  # the history at the last look at the board

    def happened(self, view: View, sentences: Sequence[str], seconds: float) -> None:
        for sentence in sentences:
            say(sentence)
        self.pause(seconds)

    def ask(self, view: View, prompt: str, words: Sequence[str]) -> str:
        self._hurry = False
        history = tuple(view.state.history())
        if self._shown != history:
            self._shown = history
            self._position(view)
        if view.message:
            say(view.message)
        return keys.read_line(prompt)

    def show_pages(self, text: str) -> None:
        say(text)

    def look_again(self) -> None:
        self._shown = None

    def end(self, view: View) -> None:
        self._position(view)

    def _position(self, view: View) -> None:
        say("")
        for line in spread(view, self.columns()):
            say(plain_text(line).rstrip())
        say(view.state.game.prompt(view.state, view.names))
        if view.asks:
            columns = self.columns() - 2
            for line in fitted(view.state, view.names, columns, PAPER_OPTION_ROWS):
                say("  " + plain_text(line))

    def columns(self) -> int:
        return shutil.get_terminal_size().columns if sys.stdout.isatty() else PAPER_COLUMNS


class Screen(Display):
    """The whole terminal, drawn anew in place, so that the board stays where it is."""

    def __init__(self, depth: Depth) -> None:
        super().__init__()
        self.depth = depth
        self._is_clear = False
        self._told = 0  # the length of the history when the news were told last

    def happened(self, view: View, sentences: Sequence[str], seconds: float) -> None:
        if seconds and sentences:
            self._draw(view)
            self.pause(seconds)

    def ask(self, view: View, prompt: str, words: Sequence[str]) -> str:
        self._hurry = False
        self._draw(view)
        return keys.edit_line(prompt, words)

    def tell(self, view: View) -> None:
        now = len(view.state.history())
        if now != self._told and not self._page(view).tells_all:
            self.show_text(news(view))
        self._told = now

    def show_pages(self, text: str) -> None:
        lines = text.split("\n")
        _, rows = _size()
        step = max(1, rows - 2)
        for start in range(0, len(lines), step):
            is_last = start + step >= len(lines)
            self._put(lines[start : start + step])
            going = "Enter: back to the game" if is_last else "Enter: more   q: back to the game"
            if keys.edit_line(f"{going} ").strip().casefold().startswith("q"):
                break

    def end(self, view: View) -> None:
        self._draw(view)

    def columns(self) -> int:
        return _size()[0]

    def _page(self, view: View) -> Page:
        columns, rows = _size()
        # The last two rows are for the prompt and for the cursor after it: nothing ever scrolls.
        return page(view, columns, rows - 2)

    def _draw(self, view: View) -> None:
        self._put([paint(line, self.depth) for line in self._page(view).lines])

    def _put(self, lines: Sequence[str]) -> None:
        _, rows = _size()
        if len(lines) > rows - 2:  # too small to stay in place: let it scroll
            print("\n".join(lines), flush=True)
            return
        if not self._is_clear:  # what was on the terminal before goes up, not away
            self._is_clear = True
            sys.stdout.write("\n" * rows)
        body = "".join(f"{line}{TO_LINE_END}\n" for line in lines)
        sys.stdout.write(f"{HOME}{body}{TO_SCREEN_END}")
        sys.stdout.flush()


def open_display() -> Display:
    """The display that this terminal, or pipe, is up to."""
    depth = depth_of(sys.stdout)
    if depth is Depth.NONE or sys.stdin is None or not sys.stdin.isatty():
        return Paper()
    return Screen(depth)


def is_interactive() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _wrapped(row: str, columns: int) -> list[Styled]:
    """A row that is too long on several; one that fits keeps its spaces."""
    return wrap(row, columns) if cell_width(row) > columns else [[(row, "")]]


def _size() -> tuple[int, int]:
    columns, rows = shutil.get_terminal_size()
    return max(columns, 20), max(rows, 5)
