"""Records: the setup and the actions of a game, chance outcomes included."""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.state import State

PERSON = "person"


@dataclass(frozen=True)
class Seat:
    """The player of a seat."""

    name: str
    plays: str = PERSON  # a person, or the name of a computer player


@dataclass(frozen=True)
class Record:
    """The record of a game, which may be unfinished."""

    game: Game
    actions: tuple[int, ...] = ()
    seed: int | None = None  # of the setup
    seats: tuple[Seat, ...] = ()
    date: datetime.date | None = None
    start: Mapping[str, Any] | None = None  # the starting position, if it is not the usual one
    extra: Mapping[str, str] = field(default_factory=dict)  # other header lines, preserved

    @classmethod
    def from_state(
        cls,
        state: State,
        *,
        seed: int | None = None,
        seats: Sequence[Seat] = (),
        date: datetime.date | None = None,
    ) -> "Record":
        """Return the record of a state's history.

        >>> import souk
        >>> state = souk.load_game("marrakech").new_initial_state()
        >>> state.apply_action(state.string_to_action("left"))
        >>> Record.from_state(state).texts()
        ['left']
        """
        if seats and len(seats) != state.game.num_players():
            raise SoukError(f"{state.game} has {state.game.num_players()} seats, not {len(seats)}")
        actions = state.history()
        beginning = state.clone()
        for _ in actions:
            beginning.undo_action()
        is_known = seed is not None or not state.game.has_random_setup
        is_usual = is_known and beginning == state.game.new_initial_state(seed)
        start = None if is_usual else beginning.to_dict()
        return cls(state.game, tuple(actions), seed, tuple(seats), date, start)

    def initial_state(self) -> State:
        """Return the state before the first action."""
        if self.start is not None:
            return self.game.state_from_dict(self.start)
        if self.seed is None and self.game.has_random_setup:
            raise SoukError(f"{self.game} needs the seed that dealt its setup, or a position")
        return self.game.new_initial_state(self.seed)

    def replay(self, moves: int | None = None) -> State:
        """Return the state after a number of actions, by default all."""
        count = len(self.actions) if moves is None else moves
        if not 0 <= count <= len(self.actions):
            raise SoukError(f"this record has moves 0 to {len(self.actions)}, not {count}")
        state = self.initial_state()
        for action in self.actions[:count]:
            state.apply_action(action)
        return state

    def texts(self) -> list[str]:
        """Return the texts of the actions."""
        return [self.game.action_to_string(action) for action in self.actions]

    def names(self) -> list[str]:
        """Return the names of the seats."""
        return [seat.name for seat in self.seats] or self.game.seat_names


def format_result(state: State, first_seat: int = 1) -> str:
    """Return the result of a state as a record has it, with seats counted from `first_seat`.

    >>> import souk
    >>> format_result(souk.load_game("marrakech").new_initial_state())
    'unfinished'
    """
    if not state.is_terminal():
        return "unfinished"
    best = state.ranking()[0]
    if len(best) > 1 and state.game.is_draw(state):
        return "draw"
    return f"{format_seats(best, first_seat)} {'wins' if len(best) == 1 else 'share the win'}"


def format_seats(seats: Sequence[int], first_seat: int = 1) -> str:
    """Return seats in words, counted from `first_seat`.

    >>> format_seats([0]), format_seats([0, 2])
    ('seat 1', 'seats 1 and 3')
    """
    numbers = " and ".join(str(seat + first_seat) for seat in seats)
    return f"seat{'s' if len(seats) > 1 else ''} {numbers}"


def format_position(position: Mapping[str, Any]) -> str:
    """Return a position on one line, for the header."""
    return json.dumps(position, ensure_ascii=False)
