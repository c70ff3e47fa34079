"""The table a game is played at: its state, its record on disk, and the way back."""

from dataclasses import replace

from souk.engine.errors import SoukError
from souk.engine.state import CHANCE, State
from souk.records import Record
from souk.records.record import PERSON
from souk.terminal.files import FileError
from souk.terminal.saves import Save


class Table:
    """A game in progress. Every action is on disk before anybody sees what came of it."""

    def __init__(self, record: Record, save: Save) -> None:
        self.record = record
        self.state: State = record.replay()
        self.save = save

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return self.record.names()

    def is_person(self, seat: int) -> bool:
        """Whether a person sits there."""
        return self.record.seats[seat].plays == PERSON

    def do(self, action: int) -> None:
        """Carry out an action and keep it; what cannot be kept is not done."""
        self.state.apply_action(action)
        try:
            self.keep()
        except FileError:
            self.state.undo_action()
            raise

    def keep(self) -> None:
        """Write the record as it stands."""
        self.record = replace(self.record, actions=tuple(self.state.history()))
        self.save.keep(self.record)

    def movers(self) -> list[int]:
        """Who took each action of the history: a seat or CHANCE."""
        rules = self.record.game.rules
        return [int(rules["mover"](before)) for before, _, _ in self.state.steps()]

    def since(self) -> int:
        """How many actions there were before the last choice of a person."""
        movers = self.movers()
        for number in reversed(range(len(movers))):
            if movers[number] != CHANCE and self.is_person(movers[number]):
                return number
        return 0

    def undo(self) -> str:
        """Take back the last choice of a person, and what computers did after it.

        What chance has decided stays: nobody may roll again. Returns the text of the choice.
        """
        movers = self.movers()
        first = self.since()
        if not movers or movers[first] == CHANCE or not self.is_person(movers[first]):
            raise SoukError("There is nothing to take back yet.")
        if CHANCE in movers[first:]:
            raise SoukError("Chance has decided since your last choice: that stays.")
        taken_back = self.state.action_to_string(self.state.history()[first])
        while len(self.state.history()) > first:
            self.state.undo_action()
        self.keep()
        return taken_back
