"""Run a game at the terminal: draw chance, ask people and computers, show what happens."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from souk.engine.dice import Dice
from souk.engine.errors import SoukError
from souk.engine.paths import expand_user
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE
from souk.engine.styled_text import plain_text
from souk.players import Player
from souk.terminal.action_list import action_texts, list_with_previews
from souk.terminal.action_parser import parse_action
from souk.terminal.display import Display
from souk.terminal.files import FileError
from souk.terminal.game_files import GameFile
from souk.terminal.help_text import help_text
from souk.terminal.rules import rules_text
from souk.terminal.saved_game import SavedGame
from souk.terminal.screen_layout import View, news_text

CHANCE_SECONDS = 0.9  # pause after a chance outcome
COMPUTER_SECONDS = 0.9  # pause after a computer's choice
PROMPT = "> "
END_OF_TURN_PROMPT = "Enter: continue   u: undo > "


class Quit(Exception):
    """The person wants to stop."""


class GameLoop:
    """Runs a game on a display."""

    def __init__(
        self,
        game: SavedGame,
        computers: Mapping[int, Player],
        dice: Dice,
        display: Display,
        *,
        pauses: bool,
        language: str | None = None,
        greeting: str = "",
    ) -> None:
        self.game = game
        self.computers = computers
        self.dice = dice
        self.display = display
        self.pauses = pauses
        self.language = language
        self.message = greeting
        self._confirmed = -1  # the length of the history at the last end of turn confirmed
        self._typed = self._typed_before = ""  # at the last two prompts
        self._commands: dict[str, Callable[[str], None]] = {
            "?": self._preview,
            "u": self._undo,
            "undo": self._undo,
            "s": self._save,
            "save": self._save,
            "board": self._board,
            "history": self._history,
            "rules": self._rules,
            "help": self._help,
            "q": self._quit_if_repeated,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play until the game is over. Quit, EOFError and KeyboardInterrupt leave it saved."""
        state = self.game.state
        while not state.is_terminal():
            mover = state.current_player()
            if self._needs_confirmation():
                self._confirm_turn()
            elif mover == CHANCE:
                self._apply(self.dice.draw(state), CHANCE_SECONDS)
            elif mover in self.computers:
                self._apply(self._computer_choice(self.computers[mover]), COMPUTER_SECONDS)
            else:
                self._ask_person()
        self.display.end(self._view())

    def _computer_choice(self, player: Player) -> int:
        if self.dice.seed is not None:  # so that it chooses the same after an interruption
            player.random.seed(
                derive_seed(self.dice.seed, "player", len(self.game.state.history()))
            )
        return player.choose(self.game.state)

    def _apply(self, action: int, seconds: float) -> None:
        self.game.apply_action(action)
        sentences = [event.sentence(self.game.names) for event in self.game.state.events()]
        self.display.show_events(self._view(), sentences, seconds if self.pauses else 0)

    def _view(self, *, asks: bool = False, message: str = "") -> View:
        game = self.game
        return View(game.state, game.names, game.last_choice(), asks, message)

    # ---- prompts ---------------------------------------------------------------------------------

    def _ask_person(self) -> None:
        """Ask once; act on the answer, or say why not."""
        actions = action_texts(self.game.state)
        typed = self._prompt(PROMPT, actions)
        if not typed:
            return
        try:
            command = None if typed in actions else self._command(typed)
            if command:
                command()
            else:
                state = self.game.state
                self._apply(parse_action(typed, state.game, state.legal_actions()), 0)
        except SoukError as error:
            self.message = str(error)

    def _needs_confirmation(self) -> bool:
        """Return whether a person has just ended their turn and not confirmed it yet."""
        is_confirmed = self._confirmed == len(self.game.state.history())
        return self.pauses and not is_confirmed and self.game.is_end_of_turn()

    def _confirm_turn(self) -> None:
        """Show the effects of a turn before computers and chance act, so it can be undone."""
        typed = self._prompt(END_OF_TURN_PROMPT)
        if not typed:
            self._confirmed = len(self.game.state.history())
            return
        try:
            command = self._command(typed)
            if command is None:
                raise SoukError("Press Enter to continue, or type u to undo your choice.")
            command()
        except SoukError as error:
            self.message = str(error)

    def _prompt(self, prompt: str, actions: list[str] | None = None) -> str:
        words = [*(actions or []), *(name for name in self._commands if len(name) > 1)]
        view = self._view(asks=actions is not None, message=self.message)
        if self.pauses:
            self.display.show_news(view)
        typed = self.display.ask(view, prompt, words).strip()
        self.message = ""
        self._typed_before, self._typed = self._typed, typed
        return typed

    def _command(self, typed: str) -> Callable[[], None] | None:
        """Return what a typed command does; None if it is not a command."""
        first, _, rest = typed.partition(" ")
        if typed.startswith("?"):
            first, rest = "?", typed[1:]
        command = self._commands.get(first.casefold())
        if command is None or (rest and command not in (self._preview, self._save, self._history)):
            return None
        return lambda: command(rest.strip())

    # ---- commands --------------------------------------------------------------------------------

    def _preview(self, typed: str) -> None:
        state, names = self.game.state, self.game.names
        if typed:
            action = parse_action(typed, state.game, state.legal_actions())
            sentence = state.game.preview_sentence(state.preview(action), names)
            self.message = f"{state.action_to_string(action)}: {sentence}"
            return
        lines = list_with_previews(state, names, self.display.columns())
        self.display.show_text("\n".join(map(plain_text, lines)))

    def _undo(self, _: str) -> None:
        self.message = f"Undone: {self.game.undo()}."

    def _save(self, name: str) -> None:
        if not name:
            self.message = f"The game is saved in {self.game.file.path}"
            return
        path = expand_user(name)
        if path.exists():
            raise FileError(f"{path} exists already; choose another name.")
        GameFile(path).save(self.game.record)
        self.message = f"A copy is saved in {path}"

    def _board(self, _: str) -> None:
        self.display.show_board_again()

    def _history(self, scope: str) -> None:
        if scope.casefold() not in ("", "all"):
            raise SoukError("Type history for what is new, or history all for the whole game.")
        view = self._view()
        text = news_text(replace(view, since=0) if scope else view)
        self.display.show_text(text or "Nothing has happened yet.")

    def _rules(self, _: str) -> None:
        game = self.game.record.game
        columns = self.display.columns()
        self.display.show_pages(rules_text(game, self.language, self.display.depth, columns))

    def _help(self, _: str) -> None:
        self.display.show_text(help_text(self.display.columns()))

    def _quit_if_repeated(self, _: str) -> None:
        """Ask before stopping: q also closes long texts and may be typed once too often."""
        if self._typed_before.casefold() == "q":
            raise Quit
        self.message = "Type q again to stop; the game is saved. Anything else continues."

    def _quit(self, _: str) -> None:
        raise Quit
