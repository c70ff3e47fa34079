"""The state of a table, built from its entries: seats, game, clock. No transport, no storage.

`Table.apply` is the only way to change it; `referee` decides which entries may come next.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from souk.engine.position_encoder import IncrementalEncoder
from souk.engine.state import CHANCE, TERMINAL, State
from souk.players import default_player
from souk.players.names import COMPUTER_NAMES
from souk.records.fairness import FairDice, first_history_hash, next_history_hash
from souk.server.tables import entries as e
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.hosted_games import hosted_game

Status = Literal["waiting", "playing", "over"]
Kind = Literal["open", "person", "bot", "computer"]
CHAT_HISTORY = 100  # lines that a `welcome` has
MAX_RECONNECTS = 100  # of a person, plus one for every action of the game

# Entries other than play and chat; they count only if a person requested them.
_OTHER_ENTRIES = frozenset(
    (
        e.Sat,
        e.Left,
        e.Assigned,
        e.WordsAdded,
        e.TakenOver,
        e.TakenBack,
        e.Chat,
        e.Muted,
        e.Kicked,
        e.Unbanned,
    )
)


@dataclass
class Seat:
    """A seat at the table."""

    kind: Kind
    name: str
    person: str | None = None
    level: str | None = None  # of a computer player
    words: str = ""  # for the dice
    away_since: int | None = None
    takeover: e.TakeoverReason | None = None  # why the computer plays for its person
    resigned: bool = False

    @property
    def is_played_by_computer(self) -> bool:
        """Return whether the server makes the moves."""
        return self.kind == "computer" or self.takeover is not None or self.resigned


class Receipt(Struct, frozen=True, gc=False):
    """The number of the entry that a request became, and the version after it."""

    n: int
    version: int


@dataclass
class Table:
    """A table after a number of entries."""

    config: TableConfig
    n: int = 0  # entries so far
    status: Status = "waiting"
    chat_open: bool = True
    # The last lines, with the numbers of their entries.
    chat: deque[tuple[int, e.Said]] = field(default_factory=lambda: deque(maxlen=CHAT_HISTORY))
    muted: dict[str, str] = field(default_factory=dict)  # who may not write: names by person
    banned: dict[str, str] = field(default_factory=dict)  # who may not return: names by person
    state: State | None = None  # its history has only the actions of the last entry
    start: list[int] = field(default_factory=list)  # the buffer at the start of the game
    actions: list[int] = field(default_factory=list)  # since then, chance included
    seed: int | None = None
    words: tuple[str, ...] | None = None  # by seat, as they were at the start
    history_hash: str = ""  # binds the words and all actions so far
    started: int | None = None
    ended: int | None = None
    turn_since: int = 0  # when the clock of the player to move was started
    rematch: str | None = None
    lines: Counter[str] = field(default_factory=Counter)  # of chat so far, by person
    # By person: entries that they requested, other than play and chat.
    other_entries: Counter[str] = field(default_factory=Counter)
    reconnects: Counter[str] = field(default_factory=Counter)  # by person
    # By person and request: the entry that it became, and its receipt.
    requests: dict[tuple[str, str], tuple[AnyEntry, Receipt]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game = hosted_game(self.config.game, self.config.rules)
        self.seats: list[Seat] = []
        for number, given in enumerate(self.config.seats):
            level = given.level if isinstance(given, e.ComputerSeat) else None
            self.seats.append(_vacant(number, level))
        self.mover: int | None = None  # the seat to move
        self._turn_key: tuple[int, int] | None = None  # number of the turn, and seat to move
        self._expired_turn: tuple[int, int] | None = None  # the last one that ran out of time
        self._dice: FairDice | None = None
        self._computed: tuple[e.Acted, State] | None = None
        self.encoder = IncrementalEncoder(self.game)

    # ---- queries --------------------------------------------------------------------------------

    @property
    def deputy(self) -> str | None:
        """Return who may act as host before the start, while the host sits in no seat or is away.

        It is the person in the first seat that is taken by a person who is connected.
        """
        if self.status != "waiting":
            return None
        here = [seat for seat in self.seats if seat.person and seat.away_since is None]
        if any(seat.person == self.config.host for seat in here):
            return None
        return next((seat.person for seat in here if seat.kind == "person"), None)

    @property
    def version(self) -> int:
        """Return the number of actions so far, chance included."""
        return len(self.actions)

    def is_time_up(self, seat: int) -> bool:
        """Return whether a seat is to move and ran out of time for this turn."""
        return self.mover == seat and self._expired_turn == self._turn_key

    def name_of(self, person: str) -> str | None:
        """Return the name of somebody who has a seat or wrote in the chat; None for others."""
        names = [seat.name for seat in self.seats if seat.person == person]
        names += [said.name for _, said in self.chat if said.by == person]
        return next(iter(names), self.banned.get(person) or self.muted.get(person))

    def may_reconnect(self, person: str | None) -> bool:
        """Return whether another reconnection of a person may be logged.

        Absences are always logged, so an unstable connection leaves its person away in the end.
        Each action of the game allows one more reconnection.
        """
        return person is not None and self.reconnects[person] < MAX_RECONNECTS + self.version

    def dice(self) -> FairDice:
        """Return the dice of this game. Words count until the start."""
        if self.state is None or self._dice is None:
            self._dice = FairDice(self.config.secret, self.config.game, self.dice_words())
        return self._dice

    def dice_words(self) -> tuple[str, ...]:
        """Return the words of all seats that count for the dice: those at the start."""
        return self.words or tuple(seat.words for seat in self.seats)

    def copy_state(self) -> State:
        """Return a copy of the position, without its history."""
        assert self.state is not None
        return State(self.game, list(self.state.buffer))

    def cache_result(self, entry: e.Acted, after: State) -> None:
        """Remember the position that an entry leads to, so that `apply` need not compute it."""
        self._computed = (entry, after)

    def deadline(self) -> int | None:
        """Return when the player to move runs out of time."""
        if self.config.seconds is None or self.mover is None:
            return None
        return self.turn_since + 1000 * self.config.seconds

    def level_of(self, seat: Seat) -> str:
        """Return the level of the computer player that plays a seat."""
        return seat.level or default_player(self.game.name)

    def takeover_due(self) -> tuple[int, e.TakeoverReason] | None:
        """Return when and why the computer takes over for the player to move."""
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
        """Return the seats that have not resigned."""
        return [number for number, seat in enumerate(self.seats) if not seat.resigned]

    def is_ended_by_resignation(self) -> bool:
        """Return whether resignations end the game: one seat is left, or no person."""
        left = [self.seats[number] for number in self.active_seats()]
        return len(left) < 2 or all(seat.kind == "computer" for seat in left)

    # ---- entries --------------------------------------------------------------------------------

    def apply(self, entry: AnyEntry) -> None:
        """Apply an entry of the log; it was validated before it was stored."""
        self.n += 1
        self._HANDLERS[type(entry)](self, entry)
        if entry.by is not None and entry.request is not None:
            self.requests[entry.by, entry.request] = (entry, Receipt(self.n, self.version))
            if type(entry) in _OTHER_ENTRIES:
                self.other_entries[entry.by] += 1

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
        self.words = self.dice_words()
        self.history_hash = first_history_hash(self.config.secret, self.config.game, self.words)
        self.state = self.game.new_initial_state(entry.seed)
        self.start = list(self.state.buffer)
        self.status = "playing"
        self.started = entry.at
        self._play(entry.chance, entry.at)

    def _acted(self, entry: e.Acted) -> None:
        computed, self._computed = self._computed, None
        if computed is not None and computed[0] is entry:
            self._set_state(computed[1], entry.at)
        else:
            self._play((entry.action, *entry.chance), entry.at)

    def _play(self, texts: tuple[str, ...], at: int) -> None:
        state = self.copy_state()
        for text in texts:
            state.apply_action(state.string_to_action(text))
        self._set_state(state, at)

    def _set_state(self, state: State, at: int) -> None:
        """Set a new position, whose history has the new actions."""
        self.state = state
        history = state.history()
        self.actions += history
        for action in history:
            text = self.game.action_texts[action]
            self.history_hash = next_history_hash(self.history_hash, text)
        self.mover = state.current_player()
        turn_key = (self.game.turn_number(state.buffer), self.mover)
        if turn_key != self._turn_key:
            self._turn_key = turn_key
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
        self._reconnect(self.seats[entry.seat])

    def _taken_over(self, entry: e.TakenOver) -> None:
        self.seats[entry.seat].takeover = entry.why
        if entry.why == "time":
            self._expired_turn = self._turn_key

    def _taken_back(self, entry: e.TakenBack) -> None:
        seat = self.seats[entry.seat]
        if seat.away_since is not None:
            self._reconnect(seat)
        seat.takeover = None

    def _reconnect(self, seat: Seat) -> None:
        seat.away_since = None
        if seat.person is not None:
            self.reconnects[seat.person] += 1

    def _resigned(self, entry: e.Resigned) -> None:
        self.seats[entry.seat].resigned = True
        if self.is_ended_by_resignation():
            self._end(entry.at)

    def _said(self, entry: e.Said) -> None:
        if not entry.removed:
            self.chat.append((self.n, entry))
        if entry.by is not None:
            self.lines[entry.by] += 1

    def _chat(self, entry: e.Chat) -> None:
        self.chat_open = entry.open

    def _muted(self, entry: e.Muted) -> None:
        self.muted.pop(entry.person, None)
        if entry.muted:
            self.muted[entry.person] = entry.name

    def _kicked(self, entry: e.Kicked) -> None:
        if self.status == "waiting":
            for number, seat in enumerate(self.seats):
                if seat.person == entry.person:
                    self.seats[number] = _vacant(number, None)
        if entry.ban:
            self.banned[entry.person] = entry.name

    def _unbanned(self, entry: e.Unbanned) -> None:
        self.banned.pop(entry.person, None)

    def _line_removed(self, entry: e.LineRemoved) -> None:
        self._set_chat((n, said) for n, said in self.chat if n != entry.line)

    def _renamed(self, entry: e.Renamed) -> None:
        for seat in self.seats:
            if seat.person == entry.person:
                seat.name = entry.name
        for names in (self.muted, self.banned):
            if entry.person in names:
                names[entry.person] = entry.name
        self._set_chat(
            (n, replace(said, name=entry.name) if said.by == entry.person else said)
            for n, said in self.chat
        )

    def _set_chat(self, lines: Iterable[tuple[int, e.Said]]) -> None:
        self.chat = deque(lines, maxlen=CHAT_HISTORY)

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
        e.Muted: _muted,
        e.Kicked: _kicked,
        e.Unbanned: _unbanned,
        e.LineRemoved: _line_removed,
        e.Renamed: _renamed,
        e.Rematched: _rematched,
    }


def _vacant(number: int, level: str | None) -> Seat:
    """Return a seat without a person: open, or for a computer player."""
    if level is None:
        return Seat("open", f"Seat {number + 1}")
    return Seat("computer", COMPUTER_NAMES[number % len(COMPUTER_NAMES)], level=level)


def draw_chance(dice: FairDice, state: State, step: int) -> tuple[str, ...]:
    """Draw chance outcomes until a player must act; return them. Changes the state."""
    drawn: list[str] = []
    while state.current_player() == CHANCE:
        outcome = dice.draw(state, step + len(drawn))
        drawn.append(state.game.action_texts[outcome])
        state.apply_action(outcome)
    return tuple(drawn)
