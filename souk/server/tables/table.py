"""The state of a table, built from its entries: seats, game, clock. No transport, no storage.

`Table.apply` is the only way to change it; `referee` decides which entries may come next.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from souk.engine.game import Game
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
MAX_ACTIONS = 20_000  # of a game, chance included: the rules of MarraCash set no limit
CHAT_HISTORY = 100  # lines that a `welcome` has
MAX_RECONNECTS = 100  # of a person, plus one for every action of the game
DEPUTY_MS = 60_000  # absence of the host, or of a deputy, until another person acts as host
PROPOSAL_MS = 120_000  # how long a proposal can be answered
MAX_PAUSE_MS = 86_400_000  # then anybody may resume
PATIENCE, LONG_PATIENCE = 300, 86_400  # seconds; long if the computer never takes over

# Entries other than play and chat; they count only if a person requested them.
_OTHER_ENTRIES = frozenset(
    (
        *(e.Sat, e.Left, e.Assigned, e.WordsAdded, e.TakenOver, e.TakenBack, e.Chat),
        *(e.Proposed, e.Answered, e.Muted, e.Kicked, e.Unbanned, e.Undone),
    )
)


@dataclass(slots=True)
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
    hints: int = 0  # that its player asked for

    @property
    def is_played_by_computer(self) -> bool:
        """Return whether the server makes the moves."""
        return self.kind == "computer" or self.takeover is not None or self.resigned


class Receipt(Struct, frozen=True, gc=False):
    """The number of the entry that a request became, and the version after it."""

    n: int
    version: int


@dataclass
class Proposal:
    """A proposal that every player must agree to."""

    n: int  # the number of its entry
    what: e.ProposalKind
    seat: int
    person: str
    until: int  # when it lapses
    agreed: set[str]  # people


class Checkpoint(NamedTuple):
    """What an undo restores: the table before an action."""

    seat: int  # that acted
    at: int  # when it acted
    state: State
    actions: int  # their number
    history_hash: str
    turn_key: tuple[int, int] | None
    turn_since: int


@dataclass(slots=True)  # a table has more attributes than a shared dictionary of names takes
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
    checkpoints: list[Checkpoint] = field(default_factory=list)  # before actions to be undone
    version: int = 0  # grows with every action, chance included, and with every undo
    seed: int | None = None
    words: tuple[str, ...] | None = None  # by seat, as they were at the start
    history_hash: str = ""  # binds the words and all actions so far
    started: int | None = None
    ended: int | None = None
    turn_since: int = 0  # when the clock of the player to move was started
    rematch: str | None = None
    deputy: str | None = None  # who may act as host before the start, while the host is absent
    paused_since: int | None = None
    paused_by: set[str] = field(default_factory=set)  # people who agreed to the pause
    proposal: Proposal | None = None
    ended_by: Literal["draw", "abort"] | None = None  # unless by the rules, or by resignations
    interrupted: int = 0  # until when clocks were corrected for outages of the server
    hinted_version: int | None = None  # the last position that somebody asked for a hint in
    declined: dict[str, int] = field(default_factory=dict)  # by proposer: the version then
    last_actor: str | None = None  # the last person who acted
    lines: Counter[str] = field(default_factory=Counter)  # of chat so far, by person
    # By person: entries that they requested, other than play and chat.
    other_entries: Counter[str] = field(default_factory=Counter)
    reconnects: Counter[str] = field(default_factory=Counter)  # by person
    # By person and request: the entry that it became, and its receipt.
    requests: dict[tuple[str, str], tuple[AnyEntry, Receipt]] = field(default_factory=dict)
    game: Game = field(init=False)
    encoder: IncrementalEncoder = field(init=False)
    seats: list[Seat] = field(default_factory=list)
    mover: int | None = None  # the seat to move
    _turn_key: tuple[int, int] | None = None  # number of the turn, and seat to move
    _expired_turn: tuple[int, int] | None = None  # the last one that ran out of time
    _dice: FairDice | None = None
    _computed: tuple[e.Acted, State] | None = None
    _unseated: dict[str, int] = field(default_factory=dict)  # when a person lost their last seat
    _yet_to_act: set[str] = field(default_factory=set)  # people whose seats have not acted yet

    def __post_init__(self) -> None:
        self.game = hosted_game(self.config.game, self.config.rules)
        self.encoder = IncrementalEncoder(self.game)
        for number, given in enumerate(self.config.seats):
            level = given.level if isinstance(given, e.ComputerSeat) else None
            self.seats.append(_vacant(number, level))

    # ---- queries --------------------------------------------------------------------------------

    def deputy_due(self) -> tuple[int, int] | None:
        """Return when a seat's player may act as host, and the seat.

        It is the first seat of a person who is connected, once the host or the last deputy has been
        absent for a minute.
        """
        if self.status != "waiting":
            return None
        since = self._absent_since(self.deputy or self.config.host)
        if since is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.kind == "person" and seat.away_since is None:
                return since + DEPUTY_MS, number
        return None

    def _absent_since(self, person: str) -> int | None:
        """Return since when a person sits in no seat or is away; None if they are here."""
        away = [seat.away_since for seat in self.seats if seat.person == person]
        if not away:
            return self._unseated.get(person, self.config.created)
        return None if None in away else max(at for at in away if at is not None)

    def voters(self, what: e.ProposalKind | None = None) -> set[str]:
        """Return the people who must agree to a proposal: those who play themselves.

        A game is not aborted behind the back of a player who is away or out of time.
        """
        kept = (None, "away", "time") if what == "abort" else (None,)
        return {
            seat.person
            for seat in self.seats
            if seat.person is not None and not seat.resigned and seat.takeover in kept
        }

    @property
    def are_hints_allowed(self) -> bool:
        """Return whether players may ask for hints."""
        if self.config.hints is not None:
            return self.config.hints
        return len({seat.person for seat in self.seats if seat.person is not None}) < 2

    @property
    def is_full(self) -> bool:
        """Return whether the game has as many actions as it may have: nobody moves any more."""
        return self.status == "playing" and len(self.actions) >= MAX_ACTIONS

    @property
    def is_awaiting_move(self) -> bool:
        """Return whether somebody is to move now."""
        return self.mover is not None and self.paused_since is None and not self.is_full

    @property
    def is_abortable(self) -> bool:
        """Return whether any player may abort the game: not everybody has acted, or it is full."""
        not_everybody = bool(self._yet_to_act) and not self._yet_to_act.isdisjoint(self.voters())
        return not_everybody or self.is_full

    @property
    def patience(self) -> int:
        """Return the seconds of a turn after which others may act, if there is no time limit."""
        default = LONG_PATIENCE if self.config.absent == "never" else PATIENCE
        return default if self.config.patience is None else self.config.patience

    def stalls_at(self) -> int | None:
        """Return when others may replace the player to move, claim or abort."""
        if self.config.seconds is not None or not self.is_awaiting_move:
            return None
        assert self.mover is not None
        if self.seats[self.mover].is_played_by_computer:
            return None
        return self.turn_since + 1000 * self.patience

    @property
    def undone(self) -> int:
        """Return what undos have added to the version."""
        return self.version - len(self.actions)

    @property
    def undo_seat(self) -> int | None:
        """Return the seat whose player may undo the last action."""
        return self.checkpoints[-1].seat if self.checkpoints else None

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
        if self.config.seconds is None or not self.is_awaiting_move:
            return None
        return self.turn_since + 1000 * self.config.seconds

    def level_of(self, seat: Seat) -> str:
        """Return the level of the computer player that plays a seat."""
        return seat.level or default_player(self.game.name)

    def takeover_due(self) -> tuple[int, e.TakeoverReason] | None:
        """Return when and why the computer takes over for the player to move."""
        if self.config.absent == "never" or not self.is_awaiting_move:
            return None
        assert self.mover is not None
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

    @property
    def is_for_computers_only(self) -> bool:
        """Return whether no seat is open or has a person."""
        return all(seat.kind == "computer" for seat in self.seats)

    @property
    def is_left_to_computers(self) -> bool:
        """Return whether the game goes on and no person or program plays."""
        is_left = all(seat.is_played_by_computer for seat in self.seats)
        return self.status == "playing" and is_left and not self.is_full

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
        self._end_deputy()

    def _left(self, entry: e.Left) -> None:
        self._vacate(entry.seat, None, entry.at)

    def _assigned(self, entry: e.Assigned) -> None:
        self._vacate(entry.seat, entry.level, entry.at)

    def _vacate(self, number: int, level: str | None, at: int) -> None:
        person = self.seats[number].person
        self.seats[number] = _vacant(number, level)
        if person is not None:
            self._unseated[person] = at
        self._end_deputy()

    def _end_deputy(self) -> None:
        """End the deputy's role when the host is back, or the deputy has no seat."""
        has_seat = any(seat.person == self.deputy for seat in self.seats)
        if not has_seat or self._absent_since(self.config.host) is None:
            self.deputy = None

    def _deputised(self, entry: e.Deputised) -> None:
        self.deputy = self.seats[entry.seat].person

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
        self.deputy = None
        self._yet_to_act = {seat.person for seat in self.seats if seat.person is not None}
        self._play(entry.chance, entry.at)

    def _acted(self, entry: e.Acted) -> None:
        if self._yet_to_act:
            self._yet_to_act.discard(self.seats[entry.seat].person or "")
        self.last_actor = entry.by or self.last_actor
        if self.config.undo:
            self._keep_checkpoint(entry)
        computed, self._computed = self._computed, None
        if computed is not None and computed[0] is entry:
            self._set_state(computed[1], entry.at)
        else:
            self._play((entry.action, *entry.chance), entry.at)

    def _keep_checkpoint(self, entry: e.Acted) -> None:
        """Remember the table before an action, if its player may undo it."""
        if entry.chance or entry.computer or entry.seat != self.undo_seat:
            self.checkpoints.clear()
        if not entry.chance and not entry.computer:
            assert self.state is not None
            before = (self.state, len(self.actions), self.history_hash)
            clock = (self._turn_key, self.turn_since)
            self.checkpoints.append(Checkpoint(entry.seat, entry.at, *before, *clock))

    def _undone(self, entry: e.Undone) -> None:
        before = self.checkpoints.pop()
        self.version += 1  # no version comes twice
        del self.actions[before.actions :]
        self.state, self.history_hash = before.state, before.history_hash
        self.mover = before.state.current_player()
        if self._turn_key != before.turn_key:  # meanwhile the clock of another player ran
            self._turn_key = before.turn_key
            self.turn_since = before.turn_since + entry.at - before.at

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
        self.version += len(history)
        texts, history_hash = self.game.action_texts, self.history_hash
        for action in history:
            history_hash = next_history_hash(history_hash, texts[action])
        self.history_hash = history_hash
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
        self.checkpoints.clear()
        self.mover = None
        self.proposal = None
        self.paused_since = None

    def _away(self, entry: e.Away) -> None:
        self.seats[entry.seat].away_since = entry.at

    def _here(self, entry: e.Here) -> None:
        self._reconnect(self.seats[entry.seat])
        self._end_deputy()

    def _taken_over(self, entry: e.TakenOver) -> None:
        self.seats[entry.seat].takeover = entry.why
        if entry.why in ("time", "stalled"):
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

    def _forfeited(self, entry: e.Forfeited) -> None:
        self.seats[entry.seat].resigned = True
        if self.is_ended_by_resignation():
            self._end(entry.at)

    def _aborted(self, entry: e.Aborted) -> None:
        self.ended_by = "abort"
        self._end(entry.at)

    def _proposed(self, entry: e.Proposed) -> None:
        assert entry.by is not None
        until = entry.at + PROPOSAL_MS
        self.proposal = Proposal(self.n, entry.what, entry.seat, entry.by, until, {entry.by})
        self._settle(self.proposal, entry.at)

    def _answered(self, entry: e.Answered) -> None:
        proposal = self.proposal
        assert proposal is not None and entry.by is not None
        if entry.agree:
            proposal.agreed.add(entry.by)
            self._settle(proposal, entry.at)
        else:
            self.proposal = None
            if proposal.what != "resume":
                self.declined[proposal.person] = self.version

    def _settle(self, proposal: Proposal, at: int) -> None:
        """Do what was proposed, once everybody agrees, or somebody may end a pause alone."""
        is_agreed = self.voters(proposal.what) <= proposal.agreed
        if not is_agreed and not (proposal.what == "resume" and self._may_resume(proposal, at)):
            return
        self.proposal = None
        if proposal.what == "pause":
            self.paused_since, self.paused_by = at, set(proposal.agreed)
        elif proposal.what == "resume":
            assert self.paused_since is not None
            self._extend_clocks(self.paused_since, at)
            self.paused_since = None
        else:
            self.ended_by = proposal.what
            self._end(at)

    def _may_resume(self, proposal: Proposal, at: int) -> bool:
        """Return whether a person may end a pause alone: a long one, or one of the others."""
        assert self.paused_since is not None
        is_long = at >= self.paused_since + MAX_PAUSE_MS
        return is_long or proposal.person not in self.paused_by

    def _interrupted(self, entry: e.Interrupted) -> None:
        self._extend_clocks(entry.since, entry.until, entry.extra)
        self.interrupted = entry.until

    def _extend_clocks(self, since: int, until: int, extra: int = 0) -> None:
        """Give players the time back from one moment to another, as far as their clock ran."""
        self.turn_since += max(0, until - max(since, self.turn_since)) + extra
        for seat in self.seats:
            if seat.away_since is not None:
                seat.away_since += max(0, until - max(since, seat.away_since)) + extra

    def _hinted(self, entry: e.Hinted) -> None:
        self.seats[entry.seat].hints += 1
        self.hinted_version = self.version

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
                    self._vacate(number, None, entry.at)
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
            if not (entry.erased and said.by == entry.person)
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
        e.Undone: _undone,
        e.Away: _away,
        e.Here: _here,
        e.TakenOver: _taken_over,
        e.TakenBack: _taken_back,
        e.Resigned: _resigned,
        e.Forfeited: _forfeited,
        e.Aborted: _aborted,
        e.Proposed: _proposed,
        e.Answered: _answered,
        e.Hinted: _hinted,
        e.Deputised: _deputised,
        e.Interrupted: _interrupted,
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
