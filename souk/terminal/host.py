"""The host of a game at the terminal, to its end: who acts, what is shown, what is asked."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE
from souk.engine.styled_text import plain_text
from souk.players import Player
from souk.terminal.catalogue import rules_text
from souk.terminal.display import Display
from souk.terminal.files import FileError, Save
from souk.terminal.helping import help_text
from souk.terminal.layout import View, news
from souk.terminal.options import texts_of, with_previews
from souk.terminal.table import Dice, Table
from souk.terminal.typed import meant

CHANCE_SECONDS = 0.9  # to see what chance decides
COMPUTER_SECONDS = 0.9  # to see what a computer chose
PROMPT = "> "
REGRET = "Enter: go on   u: take it back > "


class Quit(Exception):
    """The person wants to stop."""


class Host:
    """Leads through a game at a table with a display."""

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
        self._settled = -1  # the length of the history that a person was content with
        self._typed = self._before = ""  # at the last two questions
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
            "q": self._leave,
            "quit": self._quit,
        }

    def to_the_end(self) -> None:
        """Play until the game is over. Quit, EOFError and KeyboardInterrupt leave it kept."""
        state = self.table.state
        while not state.is_terminal():
            mover = state.current_player()
            if self._may_regret():
                self._regret()
            elif mover == CHANCE:
                self._do(self.dice.draw(state), CHANCE_SECONDS)
            elif mover in self.computers:
                self._do(self._computed(self.computers[mover]), COMPUTER_SECONDS)
            else:
                self._answer()
        self.display.end(self._view())

    def _computed(self, player: Player) -> int:
        if self.dice.seed is not None:  # so that it chooses the same after an interruption
            player.random.seed(
                derive_seed(self.dice.seed, "player", len(self.table.state.history()))
            )
        return player.choose(self.table.state)

    def _do(self, action: int, seconds: float) -> None:
        self.table.do(action)
        sentences = [event.sentence(self.table.names) for event in self.table.state.events()]
        self.display.happened(self._view(), sentences, seconds if self.pauses else 0)

    def _view(self, *, asks: bool = False, message: str = "") -> View:
        table = self.table
        return View(table.state, table.names, table.since(), asks, message)

    # ---- what a person types ---------------------------------------------------------------------

    def _answer(self) -> None:
        """Ask once; act on the answer, or say why not."""
        actions = texts_of(self.table.state)
        typed = self._ask(PROMPT, actions)
        if not typed:
            return
        try:
            command = None if typed in actions else self._command(typed)
            if command:
                command()
            else:
                game = self.table.record.game
                self._do(meant(typed, game, self.table.state.legal_actions()), 0)
        except SoukError as error:
            self.message = str(error)

    def _may_regret(self) -> bool:
        """Whether a person just ended his turn and has not been asked whether he is content."""
        is_asked = self._settled == len(self.table.state.history())
        return self.pauses and not is_asked and self.table.ended_a_turn()

    def _regret(self) -> None:
        """Show what came of a turn before computers answer it and chance decides."""
        typed = self._ask(REGRET)
        if not typed:
            self._settled = len(self.table.state.history())
            return
        try:
            command = self._command(typed)
            if command is None:
                raise SoukError("Just Enter to go on, or u to take your choice back.")
            command()
        except SoukError as error:
            self.message = str(error)

    def _ask(self, prompt: str, actions: list[str] | None = None) -> str:
        words = [*(actions or []), *(name for name in self._commands if len(name) > 1)]
        view = self._view(asks=actions is not None, message=self.message)
        if self.pauses:
            self.display.tell(view)
        typed = self.display.ask(view, prompt, words).strip()
        self.message = ""
        self._before, self._typed = self._typed, typed
        return typed

    def _command(self, typed: str) -> Callable[[], None] | None:
        """What a typed command does; None if it is no command."""
        first, _, rest = typed.partition(" ")
        if typed.startswith("?"):
            first, rest = "?", typed[1:]
        command = self._commands.get(first.casefold())
        if command is None or (rest and command not in (self._preview, self._save, self._story)):
            return None
        return lambda: command(rest.strip())

    # ---- commands --------------------------------------------------------------------------------

    def _preview(self, about: str) -> None:
        state, names = self.table.state, self.table.names
        if about:
            action = meant(about, state.game, state.legal_actions())
            sentence = state.game.preview_sentence(state.preview(action), names)
            self.message = f"{state.action_to_string(action)}: {sentence}"
            return
        lines = with_previews(state, names, self.display.columns())
        self.display.show_text("\n".join(map(plain_text, lines)))

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

    def _story(self, how_much: str) -> None:
        if how_much.casefold() not in ("", "all"):
            raise SoukError("It is story for what is new, or story all for the whole game.")
        view = self._view()
        told = news(replace(view, since=0) if how_much else view)
        self.display.show_text(told or "Nothing has happened yet.")

    def _rules(self, _: str) -> None:
        game = self.table.record.game
        columns = self.display.columns()
        self.display.show_pages(rules_text(game, self.language, self.display.depth, columns))

    def _help(self, _: str) -> None:
        self.display.show_text(help_text(self.display.columns()))

    def _leave(self, _: str) -> None:
        """Closes long texts too, so it may be typed once too often: asks before it stops."""
        if self._before.casefold() == "q":
            raise Quit
        self.message = "q once more stops; the game is kept. Anything else goes on."

    def _quit(self, _: str) -> None:
        raise Quit
