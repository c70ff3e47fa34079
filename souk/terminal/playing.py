"""A game at the terminal, to its end: who acts, what is shown, what is asked."""

from collections.abc import Callable, Mapping
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.state import CHANCE
from souk.players import Player
from souk.terminal.dice import Dice, derived
from souk.terminal.display import Display
from souk.terminal.files import FileError
from souk.terminal.helping import HELP, rules_text
from souk.terminal.layout import View, text_of
from souk.terminal.matching import match
from souk.terminal.options import texts_of, with_previews
from souk.terminal.saves import Save
from souk.terminal.story import told
from souk.terminal.table import Table

CHANCE_SECONDS = 0.9  # to see a die fall
COMPUTER_SECONDS = 0.9  # to see what a computer chose


class Quit(Exception):
    """The person wants to stop."""


class Play:
    """Plays a game at a table with a display."""

    def __init__(
        self,
        table: Table,
        computers: Mapping[int, Player],
        dice: Dice,
        display: Display,
        *,
        pauses: bool,
        language: str | None = None,
        greeting: str = "",
    ) -> None:
        self.table = table
        self.computers = computers
        self.dice = dice
        self.display = display
        self.pauses = pauses
        self.language = language
        self.message = greeting
        self._commands: dict[str, Callable[[str], None]] = {
            "?": self._preview,
            "u": self._undo,
            "undo": self._undo,
            "s": self._save,
            "save": self._save,
            "board": self._board,
            "story": self._story,
            "rules": self._rules,
            "help": self._help,
            "q": self._quit,
            "quit": self._quit,
        }

    def to_the_end(self) -> None:
        """Play until the game is over. Quit, EOFError and KeyboardInterrupt leave it kept."""
        state = self.table.state
        while not state.is_terminal():
            mover = state.current_player()
            if mover == CHANCE:
                self._do(self.dice.draw(state), CHANCE_SECONDS)
            elif mover in self.computers:
                self._do(self._computed(self.computers[mover]), COMPUTER_SECONDS)
            else:
                self._answer()
        self.display.end(self._view())

    def _computed(self, player: Player) -> int:
        if self.dice.seed is not None:  # so that it chooses the same after an interruption
            player.random.seed(derived(self.dice.seed, "player", len(self.table.state.history())))
        return player.choose(self.table.state)

    def _do(self, action: int, seconds: float) -> None:
        self.table.do(action)
        sentences = [event.sentence(self.table.names) for event in self.table.state.events()]
        self.display.happened(self._view(), sentences, seconds if self.pauses else 0)

    def _view(self, *, asks: bool = False) -> View:
        table = self.table
        return View(table.state, table.names, table.since(), asks, self.message)

    def _answer(self) -> None:
        """Ask once; act on the answer, or say why not."""
        words = [*texts_of(self.table.state), *(name for name in self._commands if len(name) > 1)]
        typed = self.display.ask(self._view(asks=True), words).strip()
        self.message = ""
        if not typed:
            return
        try:
            self._obey(typed)
        except (SoukError, FileError) as error:
            self.message = str(error)

    def _obey(self, typed: str) -> None:
        first, _, rest = typed.partition(" ")
        if typed.startswith("?"):
            first, rest = "?", typed[1:]
        command = self._commands.get(first.casefold())
        is_action = typed in texts_of(self.table.state)
        if command and not is_action and (not rest or first in ("?", "s", "save")):
            command(rest.strip())
            return
        action = match(typed, self.table.record.game, self.table.state.legal_actions())
        self._do(action, 0)

    # ---- commands -------------------------------------------------------------------------------

    def _preview(self, about: str) -> None:
        state, names = self.table.state, self.table.names
        if about:
            action = match(about, state.game, state.legal_actions())
            sentence = state.game.preview_sentence(state.preview(action), names)
            self.message = f"{state.action_to_string(action)}: {sentence}"
            return
        self.display.show_pages(text_of(with_previews(state, names, self.display.columns())))

    def _undo(self, _: str) -> None:
        self.message = f"Taken back: {self.table.undo()}."

    def _save(self, file: str) -> None:
        if not file:
            self.message = f"The game is kept in {self.table.save.path}"
            return
        path = Path(file).expanduser()
        if path.exists():
            raise FileError(f"{path} exists already; choose another name.")
        Save(path).keep(self.table.record)
        self.message = f"A copy is in {path}"

    def _board(self, _: str) -> None:
        self.display.look_again()

    def _story(self, _: str) -> None:
        chapters = told(self.table.state, self.table.names)
        paragraphs = [" ".join(chapter.sentences) for chapter in chapters]
        self.display.show_text("\n".join(paragraphs) or "Nothing has happened yet.")

    def _rules(self, _: str) -> None:
        game = self.table.record.game
        columns = self.display.columns()
        self.display.show_pages(rules_text(game, self.language, self.display.depth, columns))

    def _help(self, _: str) -> None:
        self.display.show_text(HELP)

    def _quit(self, _: str) -> None:
        raise Quit
