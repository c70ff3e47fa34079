"""A table as its entries make it: who sits where, the game, the clock. No transport, no storage.

`Table.apply` is the only way anything changes; `referee` decides which entries may come next.
"""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from msgspec import Struct

from souk.engine.position_encoder import IncrementalEncoder
from souk.engine.state import CHANCE, TERMINAL, State
from souk.players import friendly
from souk.players.names import TRADERS
from souk.records.fairness import FairDice
from souk.server.tables import entries as e
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.hosted_games import hosted_game

Status = Literal["waiting", "playing", "over"]
Kind = Literal["open", "person", "bot", "computer"]
CHAT_HISTORY = 100  # lines that a newcomer sees
MAX_RECONNECTS = 100  # times that somebody is noted to be back, and once more for every action

# What people do besides playing and talking; taken by the computer only if they asked for it.
_BESIDES = frozenset((e.Sat, e.Left, e.Assigned, e.WordsAdded, e.TakenOver, e.TakenBack, e.Chat))


@dataclass
class Seat:
    """A place at the table."""

    kind: Kind
    name: str
    person: str | None = None
    level: str | None = None  # of a computer player
    words: str = ""  # for the dice
    away_since: int | None = None
    takeover: e.TakeoverReason | None = None  # why the computer plays on for a person
    resigned: bool = False

    @property
    def is_played_by_computer(self) -> bool:
        """Whether the server itself makes the moves."""
        return self.kind == "computer" or self.takeover is not None or self.resigned


class Receipt(Struct, frozen=True, gc=False):
    """What became of a request."""

    n: int
    version: int


@dataclass
class Table:
    """A table after some entries."""

    config: TableConfig
    n: int = 0  # entries so far
    status: Status = "waiting"
    chat_open: bool = True
    chat: deque[e.Said] = field(default_factory=lambda: deque(maxlen=CHAT_HISTORY))
    state: State | None = None  # its history is that of the last entry that acted
    start: list[int] = field(default_factory=list)  # the buffer that the game started with
    actions: list[int] = field(default_factory=list)  # since then, chance included
    seed: int | None = None
    started: int | None = None
    ended: int | None = None
    turn_since: int = 0  # when the time of whoever must act began to run
    rematch: str | None = None
    lines: int = 0  # of chat, ever
    other_entries: int = 0  # entries that people asked for besides playing and talking
    reconnects: Counter[str] = field(default_factory=Counter)  # how often people came back
    # What came of the requests of each person; the entry tells what a request was.
    requests: dict[tuple[str, str], tuple[AnyEntry, Receipt]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game = hosted_game(self.config.game)
        self.seats: list[Seat] = []
        for number, given in enumerate(self.config.seats):
            level = given.level if isinstance(given, e.ComputerSeat) else None
            self.seats.append(_vacant(number, level))
        self.mover: int | None = None  # the seat that must act, if anybody must
        self._turn_key: tuple[int, int] | None = None  # the turn and who acts in it
        self._expired_turn: tuple[int, int] | None = None  # the last such moment whose time was up
        self._dice: FairDice | None = None
        self._tried: tuple[e.Acted, State] | None = None
        self.encoder = IncrementalEncoder(self.game)

    # ---- what follows from the entries --------------------------------------------------------

    @property
    def deputy(self) -> str | None:
        """Who may do the host's part before the start, while the host is in none of the seats.

        It is the person in the lowest seat: not a program, nor anybody who is away.
        """
        if self.status != "waiting":
            return None
        here = [seat for seat in self.seats if seat.person and seat.away_since is None]
        if any(seat.person == self.config.host for seat in here):
            return None
        return next((seat.person for seat in here if seat.kind == "person"), None)

    @property
    def version(self) -> int:
        """How many actions there were: it changes just when the position does."""
        return len(self.actions)

    def is_time_up(self, seat: int) -> bool:
        """Whether a seat must act and its time for that was up: it is up only once."""
        return self.mover == seat and self._expired_turn == self._turn_key

    def may_reconnect(self, person: str | None) -> bool:
        """Whether to note once more that somebody is back.

        That somebody is gone is always noted, so a line that comes and goes for hours leaves him
        away in the end. As the game goes on, with him or without, he may come back again.
        """
        return person is not None and self.reconnects[person] < MAX_RECONNECTS + self.version

    def dice(self) -> FairDice:
        """The luck of this game; once it has begun, the words stay what they are."""
        if self.state is None or self._dice is None:
            words = [seat.words for seat in self.seats]
            self._dice = FairDice(self.config.secret, self.game, words)
        return self._dice

    def trial(self) -> State:
        """A copy of the position to play on, without what led to it."""
        assert self.state is not None
        return State(self.game, list(self.state.buffer))

    def tried(self, entry: e.Acted, after: State) -> e.Acted:
        """An entry with the position that it leads to, so that it need not be played again."""
        self._tried = (entry, after)
        return entry

    def deadline(self) -> int | None:
        """When the time of whoever must act is up."""
        if self.config.seconds is None or self.mover is None:
            return None
        return self.turn_since + 1000 * self.config.seconds

    def level_of(self, seat: Seat) -> str:
        """The computer player that plays a seat."""
        return seat.level or friendly(self.game.name)

    def takeover(self) -> tuple[int, e.TakeoverReason] | None:
        """When and why the computer is to play on for whoever must act."""
        if self.mover is None or self.config.absent == "never":
            return None
        seat = self.seats[self.mover]
        if (self.config.seconds is None and seat.away_since is None) or seat.is_played_by_computer:
            return None
        moments: list[tuple[int, e.TakeoverReason]] = []
        deadline = self.deadline()
        if deadline is not None:
            moments.append((deadline, "time"))
        if seat.away_since is not None:
            moments.append((seat.away_since, "away"))
        at, why = min(moments)
        return at + (1000 * self.config.grace if self.config.absent == "grace" else 0), why

    def active_seats(self) -> list[int]:
        """The seats that have not given up."""
        return [number for number, seat in enumerate(self.seats) if not seat.resigned]

    def is_ended_by_resignation(self) -> bool:
        """Whether resignations have ended the game: one seat is left in it, or no person."""
        left = [self.seats[number] for number in self.active_seats()]
        return len(left) < 2 or all(seat.kind == "computer" for seat in left)

    # ---- how entries change it ----------------------------------------------------------------

    def apply(self, entry: AnyEntry) -> None:
        """Let an entry of the log take effect; it was checked before it was written."""
        self.n += 1
        self._HANDLERS[type(entry)](self, entry)
        if entry.by is not None and entry.request is not None:
            self.requests[entry.by, entry.request] = (entry, Receipt(self.n, self.version))
            self.other_entries += type(entry) in _BESIDES

    def _sat(self, entry: e.Sat) -> None:
        kind: Kind = "bot" if entry.bot else "person"
        self.seats[entry.seat] = Seat(kind, entry.name, entry.person)

    def _left(self, entry: e.Left) -> None:
        self.seats[entry.seat] = _vacant(entry.seat, None)

    def _assigned(self, entry: e.Assigned) -> None:
        self.seats[entry.seat] = _vacant(entry.seat, entry.level)

    def _words_added(self, entry: e.WordsAdded) -> None:
        self.seats[entry.seat].words = entry.words

    def _started(self, entry: e.Started) -> None:
        self.seed = entry.seed
        self._dice = None
        self.state = self.game.new_initial_state(entry.seed)
        self.start = list(self.state.buffer)
        self.status = "playing"
        self.started = entry.at
        self._play(entry.chance, entry.at)

    def _acted(self, entry: e.Acted) -> None:
        tried, self._tried = self._tried, None
        if tried is not None and tried[0] is entry:
            self._set_state(tried[1], entry.at)
        else:
            self._play((entry.action, *entry.chance), entry.at)

    def _play(self, texts: tuple[str, ...], at: int) -> None:
        state = self.trial()
        for text in texts:
            state.apply_action(state.string_to_action(text))
        self._set_state(state, at)

    def _set_state(self, state: State, at: int) -> None:
        """The position is another; the history of its state is what is new."""
        self.state = state
        self.actions += state.history()
        self.mover = state.current_player()
        moment = (self.game.turn_number(state.buffer), self.mover)
        if moment != self._turn_key:
            self._turn_key = moment
            self.turn_since = at
        if self.mover == TERMINAL:
            self._end(at)

    def _end(self, at: int) -> None:
        self.status = "over"
        self.ended = at
        self.mover = None

    def _away(self, entry: e.Away) -> None:
        self.seats[entry.seat].away_since = entry.at

    def _here(self, entry: e.Here) -> None:
        self._come(self.seats[entry.seat])

    def _taken_over(self, entry: e.TakenOver) -> None:
        self.seats[entry.seat].takeover = entry.why
        if entry.why == "time":
            self._expired_turn = self._turn_key

    def _taken_back(self, entry: e.TakenBack) -> None:
        seat = self.seats[entry.seat]
        if seat.away_since is not None:
            self._come(seat)  # who takes a seat back is there
        seat.takeover = None

    def _come(self, seat: Seat) -> None:
        seat.away_since = None
        if seat.person is not None:
            self.reconnects[seat.person] += 1

    def _resigned(self, entry: e.Resigned) -> None:
        self.seats[entry.seat].resigned = True
        if self.is_ended_by_resignation():
            self._end(entry.at)

    def _said(self, entry: e.Said) -> None:
        self.chat.append(entry)
        self.lines += 1

    def _chat(self, entry: e.Chat) -> None:
        self.chat_open = entry.open

    def _rematched(self, entry: e.Rematched) -> None:
        self.rematch = entry.table

    _HANDLERS: ClassVar[dict[type[AnyEntry], Callable[["Table", Any], None]]] = {
        e.Sat: _sat,
        e.Left: _left,
        e.Assigned: _assigned,
        e.WordsAdded: _words_added,
        e.Started: _started,
        e.Acted: _acted,
        e.Away: _away,
        e.Here: _here,
        e.TakenOver: _taken_over,
        e.TakenBack: _taken_back,
        e.Resigned: _resigned,
        e.Said: _said,
        e.Chat: _chat,
        e.Rematched: _rematched,
    }


def _vacant(number: int, level: str | None) -> Seat:
    """A seat without a person: open, or for a computer player."""
    if level is None:
        return Seat("open", f"Seat {number + 1}")
    return Seat("computer", TRADERS[number % len(TRADERS)], level=level)


def draw_chance(dice: FairDice, state: State, step: int) -> tuple[str, ...]:
    """Let chance act until somebody else must, and say what it gave. Changes the state."""
    drawn: list[str] = []
    while state.current_player() == CHANCE:
        outcome = dice.draw(state, step + len(drawn))
        drawn.append(state.game.action_texts[outcome])
        state.apply_action(outcome)
    return tuple(drawn)
