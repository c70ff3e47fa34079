"""Records: the setup and the actions of a game, chance outcomes included."""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.state import State

PERSON = "person"
UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Seat:
    """The player of a seat."""

    name: str
    plays: str = PERSON  # a person, or the name of a computer player


class Outcome(NamedTuple):
    """The end of a record: the result of the game, or how far it was played."""

    result: str  # as in the header
    scores: tuple[int, ...]
    returns: tuple[float, ...]  # every seat's share of the win; zeros in an unfinished game
    turns: int  # completed turns

    @property
    def scores_text(self) -> str:
        """The scores as in the header."""
        return " ".join(map(str, self.scores))

    @property
    def is_finished(self) -> bool:
        """True if the game is over."""
        return self.result != UNFINISHED


@dataclass(frozen=True)
class Variation:
    """A side line, which replaces the moves of a game from one of them on."""

    start: int  # the number of moves before it
    actions: tuple[int, ...]
    comments: Mapping[int, str] = field(default_factory=dict)  # as those of a record
    variations: "tuple[Variation, ...]" = ()


@dataclass(frozen=True)
class Record:
    """The record of a game, which may be unfinished.

    Comments and variations are a reader's own. `write` adds what followed from the moves.
    """

    game: Game
    actions: tuple[int, ...] = ()
    seed: int | None = None  # of the setup
    seats: tuple[Seat, ...] = ()
    date: datetime.date | None = None
    start: Mapping[str, Any] | None = None  # the starting position, if it is not the usual one
    extra: Mapping[str, str] = field(default_factory=dict)  # other header lines, preserved
    comment: str = ""  # on the game as a whole, above the header; lines end with \n
    comments: Mapping[int, str] = field(default_factory=dict)  # by the number of moves before it
    variations: tuple[Variation, ...] = ()

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

    @cached_property
    def outcome(self) -> Outcome:
        """The result, the scores and the number of turns, all of which follow from the moves."""
        return outcome_of(self.replay(), self.initial_state().buffer)

    def texts(self) -> list[str]:
        """Return the texts of the actions."""
        return [self.game.action_to_string(action) for action in self.actions]

    def names(self) -> list[str]:
        """Return the names of the seats."""
        return [seat.name for seat in self.seats] or self.game.seat_names


def outcome_of(final: State, start: Sequence[int]) -> Outcome:
    """Return the outcome of a game from its final state and the buffer that it started from."""
    turns = final.game.rules.TURNS
    return Outcome(
        format_result(final),
        tuple(final.scores()),
        tuple(final.returns()),
        final.buffer[turns] - start[turns],
    )


def format_result(state: State, first_seat: int = 1) -> str:
    """Return the result of a state as a record has it, with seats counted from `first_seat`.

    >>> import souk
    >>> format_result(souk.load_game("marrakech").new_initial_state())
    'unfinished'
    """
    if not state.is_terminal():
        return UNFINISHED
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
