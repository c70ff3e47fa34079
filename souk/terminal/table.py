"""The table a game is played at: its state, its record on disk, the way back, and its dice."""

import random
from dataclasses import replace

from souk.engine.errors import SoukError
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE, State
from souk.records import Record
from souk.records.record import PERSON
from souk.terminal.files import FileError, Save


class Dice:
    """Draws chance outcomes: from the system's own randomness, or from a seed.

    With a seed each draw depends on the seed and on how many actions came before it, and on
    nothing else: a game that was interrupted goes on as if it had not been.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def draw(self, state: State) -> int:
        """An outcome of the chance step that a state is at."""
        outcomes = state.chance_outcomes()
        source: random.Random = random.SystemRandom()
        if self.seed is not None:
            source = random.Random(derive_seed(self.seed, "dice", len(state.history())))
        actions = [action for action, _ in outcomes]
        return source.choices(actions, [probability for _, probability in outcomes])[0]


class Table:
    """A game in progress. Every action is on disk before anybody sees what came of it."""

    def __init__(self, record: Record, save: Save) -> None:
        self.record = record  # as it is on disk
        self.state: State = record.replay()
        self.save = save

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return self.record.names()

    def is_person(self, seat: int) -> bool:
        """Whether a person sits there."""
        return seat >= 0 and self.record.seats[seat].plays == PERSON

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
        record = replace(self.record, actions=tuple(self.state.history()))
        self.save.keep(record)
        self.record = record

    def since(self) -> int:
        """How many actions there were before the last choice of a person."""
        movers = self.state.movers()
        for number in reversed(range(len(movers))):
            if self.is_person(movers[number]):
                return number
        return 0

    def ended_a_turn(self) -> bool:
        """Whether the last action was a person's choice that ended his turn, and no person is next.

        Chance may still have to act in between, like a die or a card for the next player.
        """
        movers = self.state.movers()
        if not movers or not self.is_person(movers[-1]):
            return False
        if self.is_person(self.state.current_player()):
            return False  # who can take it back in his own time
        turn_of = self.record.game.turn_of
        before, after = self.state.clone(), self.state.clone()
        before.undo_action()
        while after.is_chance_node():
            after.apply_action(after.legal_actions()[0])
        return turn_of(before.buffer) != turn_of(after.buffer)

    def undo(self) -> str:
        """Take back the last choice of a person, and what computers did after it.

        What chance has decided stays: nobody may roll again. Returns the text of the choice.
        """
        movers = self.state.movers()
        first = self.since()
        if not movers or not self.is_person(movers[first]):
            raise SoukError("There is nothing to take back yet.")
        if CHANCE in movers[first:]:
            raise SoukError("Chance has decided since your last choice: that stays.")
        history = self.state.history()
        for _ in history[first:]:
            self.state.undo_action()
        try:
            self.keep()
        except FileError:
            for action in history[first:]:
                self.state.apply_action(action)
            raise
        return self.state.action_to_string(history[first])
