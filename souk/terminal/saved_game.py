"""A game in progress at the terminal: its state, its file and undo."""

from dataclasses import replace

from souk.engine.errors import SoukError
from souk.engine.state import CHANCE, State
from souk.records import Record
from souk.records.record import PERSON
from souk.terminal.files import FileError
from souk.terminal.game_files import GameFile


class SavedGame:
    """A game in progress. Every action is saved before its effects are shown."""

    def __init__(self, record: Record, file: GameFile) -> None:
        self.record = record  # as it is on disk
        self.state: State = record.replay()
        self.file = file

    @property
    def names(self) -> list[str]:
        """The names of the seats."""
        return self.record.names()

    def is_person(self, seat: int) -> bool:
        """Return whether a person has the seat."""
        return seat >= 0 and self.record.seats[seat].plays == PERSON

    def apply_action(self, action: int) -> None:
        """Apply an action and save it; if it cannot be saved, it is not applied."""
        self.state.apply_action(action)
        try:
            self.save()
        except FileError:
            self.state.undo_action()
            raise

    def save(self) -> None:
        """Write the record as it stands."""
        actions = tuple(self.state.history())
        record = replace(
            self.record,
            actions=actions,  # comments and variations of moves that were undone go with them
            comments={at: c for at, c in self.record.comments.items() if at <= len(actions)},
            variations=tuple(one for one in self.record.variations if one.start < len(actions)),
        )
        self.file.save(record)
        self.record = record

    def last_choice(self) -> int:
        """Return the index of the last action that a person chose; 0 if there is none."""
        movers = self.state.movers()
        for number in reversed(range(len(movers))):
            if self.is_person(movers[number]):
                return number
        return 0

    def is_end_of_turn(self) -> bool:
        """Return whether a person's last choice ended their turn, and no person is next.

        Chance may still have to act in between, like a die or a card for the next player.
        """
        movers = self.state.movers()
        if not movers or not self.is_person(movers[-1]):
            return False
        if self.is_person(self.state.current_player()):
            return False  # they can undo while they are asked
        turn_of = self.record.game.turn_of
        before, after = self.state.clone(), self.state.clone()
        before.undo_action()
        while after.is_chance_node():
            after.apply_action(after.legal_actions()[0])
        return turn_of(before.buffer) != turn_of(after.buffer)

    def undo(self) -> str:
        """Undo a person's last choice and what computers did after it; return its text.

        Chance outcomes are never undone, so that nobody can roll again.
        """
        movers = self.state.movers()
        first = self.last_choice()
        if not movers or not self.is_person(movers[first]):
            raise SoukError("There is nothing to undo yet.")
        if CHANCE in movers[first:]:
            raise SoukError("A chance outcome followed your last choice: it cannot be undone.")
        history = self.state.history()
        for _ in history[first:]:
            self.state.undo_action()
        try:
            self.save()
        except FileError:
            for action in history[first:]:
                self.state.apply_action(action)
            raise
        return self.state.action_to_string(history[first])
