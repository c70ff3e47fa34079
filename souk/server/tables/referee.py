"""Decides what may happen at a table: from a command to the entry that it becomes, or a refusal.

Nothing here changes what a table is. Who asks is told by the session, never by the message.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict

from msgspec import Struct

from souk.engine.errors import SoukError, brief, one_of
from souk.players import players
from souk.server.tables import commands as m
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal, clean
from souk.server.tables.entries import AnyEntry
from souk.server.tables.table import Receipt, Seat, Table, draw_chance

MAX_CHAT_LINES = 5000  # of chat at a table
MAX_OTHER_ENTRIES = 2000  # entries that are neither play nor talk; then only play and talk go on

# The entries that a command may have become.
_ENTRIES_OF: dict[type[m.Command], tuple[type[AnyEntry], ...]] = {
    m.Act: (e.Acted,),
    m.Sit: (e.Sat,),
    m.Leave: (e.Left, e.TakenOver),
    m.Assign: (e.Assigned,),
    m.Words: (e.WordsAdded,),
    m.Start: (e.Started,),
    m.TakeBack: (e.TakenBack,),
    m.Resign: (e.Resigned,),
    m.Say: (e.Said,),
    m.Chat: (e.Chat,),
}
_CLEANED = {"name": m.MAX_NAME, "words": m.MAX_WORDS, "text": m.MAX_CHAT}


@dataclass(frozen=True)
class Person:
    """Somebody with an identity: a person, or a program with a token."""

    id: str
    name: str
    is_bot: bool = False


class Stamp(TypedDict):
    """Where an entry came from."""

    at: int
    by: str
    request: str


class Asked(Struct, frozen=True):
    """A command with what is known about it from elsewhere."""

    table: Table
    person: Person
    now: int

    def stamp(self, request: str) -> Stamp:
        """What every entry says of where it came from."""
        return {"at": self.now, "by": self.person.id, "request": request}

    def seat(self, number: int) -> Seat:
        """A seat by its number."""
        if number >= len(self.table.seats):
            last = len(self.table.seats) - 1
            raise Refusal("no-such-seat", f"This table has seats 0 to {last}, not {number}.")
        return self.table.seats[number]

    def own(self, number: int) -> Seat:
        """A seat that must be one's own."""
        seat = self.seat(number)
        if seat.person != self.person.id:
            raise Refusal("not-your-seat", f"Seat {number} is not yours.")
        return seat

    def require_host(self) -> None:
        """Only the host may do this, or who stands in for him."""
        if self.person.id not in (self.table.config.host, self.table.deputy):
            raise Refusal("not-the-host", "Only the host of the table can do that.")

    def require_waiting(self) -> None:
        """Only before the start."""
        if self.table.status != "waiting":
            raise Refusal("already-started", "The game has begun.")

    def require_playing(self) -> None:
        """Only while the game is played."""
        if self.table.status == "waiting":
            raise Refusal("not-started", "The game has not begun yet.")
        if self.table.status == "over":
            raise Refusal("over", "The game is over.")

    def require_few_entries(self) -> None:
        """Only so often: what is neither play nor talk must not fill the log.

        Getting up and taking a seat back are always possible: something else went before them.
        """
        if self.table.other_entries >= MAX_OTHER_ENTRIES:
            raise Refusal("not-possible", "Too much has happened at this table: only play goes on.")


def decide(asked: Asked, command: m.Command) -> AnyEntry | Receipt:
    """The entry that a command becomes; what became of it if it was carried out before."""
    before = asked.table.requests.get((asked.person.id, command.request))
    if before is None:
        return _HANDLERS[type(command)](command, asked)
    entry, done = before
    if not _is_what_became(command, entry, done):
        raise Refusal("request-used", "You have used this request name for something else.")
    return done


def _is_what_became(command: m.Command, entry: AnyEntry, done: Receipt) -> bool:
    """Whether an entry is what came of a command, as far as the entry can tell."""
    if not isinstance(entry, _ENTRIES_OF[type(command)]):
        return False
    if isinstance(command, m.Act):
        assert isinstance(entry, e.Acted)
        version = done.version - 1 - len(entry.chance)
        return (command.version, command.action) == (version, entry.action)
    fields = command.__struct_fields__
    return all(_agrees(entry, field, getattr(command, field)) for field in fields)


def _agrees(entry: AnyEntry, field: str, wanted: object) -> bool:
    """Whether an entry has what a command named, cleaned as it was then."""
    if field in _CLEANED:
        wanted = clean(str(wanted or ""), _CLEANED[field])
    if field == "name" and not wanted:
        return True  # one's own name, whatever it was
    return bool(getattr(entry, field) == wanted)


def _act(command: m.Act, asked: Asked) -> AnyEntry:
    table = asked.table
    if table.status != "playing":
        asked.require_playing()
    if command.version != table.version:
        raise Refusal(
            "stale",
            f"You saw version {brief(command.version)}, but the table is at {table.version}.",
        )
    seat = table.mover
    assert seat is not None
    owner = table.seats[seat]
    if owner.person != asked.person.id:
        raise Refusal("not-your-turn", f"{owner.name} is to play.")
    if owner.resigned:
        raise Refusal("not-your-turn", "You have resigned.")
    if owner.takeover is not None:
        raise Refusal(
            "not-your-turn", "The computer is playing for you: take your seat back first."
        )
    return acted(table, seat, command.action, asked.now, asked.person.id, command.request)


def acted(
    table: Table, seat: int, text: str, now: int, by: str | None = None, request: str | None = None
) -> e.Acted:
    """An action by whoever must act, with the chance that follows; an illegal one is refused."""
    after = table.trial()
    try:
        after.apply_action(table.game.string_to_action(text))
    except SoukError as error:
        raise Refusal("illegal", f"{error}.") from None
    drawn = draw_chance(table.dice(), after, table.version + 1)
    entry = e.Acted(
        at=now, by=by, request=request, seat=seat, action=text, chance=drawn, computer=by is None
    )
    return table.tried(entry, after)


def _sit(command: m.Sit, asked: Asked) -> AnyEntry:
    asked.require_waiting()
    asked.require_few_entries()
    seat = asked.seat(command.seat)
    if seat.kind != "open":
        raise Refusal("seat-not-free", f"{seat.name} already sits there.")
    name = clean(command.name or "", m.MAX_NAME) or asked.person.name
    return e.Sat(
        **asked.stamp(command.request),
        seat=command.seat,
        person=asked.person.id,
        name=name,
        bot=asked.person.is_bot,
    )


def _leave(command: m.Leave, asked: Asked) -> AnyEntry:
    seat = asked.own(command.seat)
    if asked.table.status == "waiting":
        return e.Left(**asked.stamp(command.request), seat=command.seat)
    asked.require_playing()
    if asked.table.config.absent == "never":
        raise Refusal("not-possible", "Here no computer plays on for those who leave: resign.")
    if seat.is_played_by_computer:
        raise Refusal("not-possible", "The computer is playing for you already.")
    asked.require_few_entries()
    return e.TakenOver(**asked.stamp(command.request), seat=command.seat, why="left")


def _assign(command: m.Assign, asked: Asked) -> AnyEntry:
    asked.require_host()
    asked.require_waiting()
    asked.require_few_entries()
    asked.seat(command.seat)
    if command.level is not None:
        check_level(asked.table.game.name, command.level)
    return e.Assigned(**asked.stamp(command.request), seat=command.seat, level=command.level)


def check_level(game: str, level: str) -> None:
    """Refuse a computer player that a game does not have."""
    known = players(game)
    if level not in known:
        raise Refusal(
            "not-possible", f"There is no computer player {brief(level)}; there is {one_of(known)}."
        )


def _words(command: m.Words, asked: Asked) -> AnyEntry:
    asked.require_waiting()
    asked.require_few_entries()
    asked.own(command.seat)
    words = clean(command.words, m.MAX_WORDS)
    return e.WordsAdded(**asked.stamp(command.request), seat=command.seat, words=words)


def _start(command: m.Start, asked: Asked) -> AnyEntry:
    asked.require_host()
    asked.require_waiting()
    return started(asked.table, asked.now, asked.person.id, command.request)


def started(table: Table, now: int, by: str, request: str | None = None) -> e.Started:
    """The beginning of the game, if every seat has somebody."""
    free = [str(number) for number, seat in enumerate(table.seats) if seat.kind == "open"]
    if free:
        told = f"Seat {free[0]} is" if len(free) == 1 else f"Seats {' and '.join(free)} are"
        raise Refusal("seats-open", f"{told} still open.")
    dice = table.dice()
    seed = dice.seed()
    drawn = draw_chance(dice, table.game.new_initial_state(seed), 0)
    return e.Started(at=now, by=by, request=request, seed=seed, chance=drawn)


def _take_back(command: m.TakeBack, asked: Asked) -> AnyEntry:
    asked.require_playing()
    seat = asked.own(command.seat)
    if seat.resigned:
        raise Refusal("not-possible", "You have resigned.")
    if seat.takeover is None:
        raise Refusal("not-possible", "You are playing yourself.")
    if asked.table.is_time_up(command.seat):  # or the same turn could be given new time for ever
        raise Refusal(
            "not-your-turn", "Your time for this turn is up: you can play again from your next one."
        )
    if seat.away_since is not None and not asked.table.may_reconnect(seat.person):
        raise Refusal(
            "too-fast", "You have come and gone very often: wait until the game has gone on."
        )
    return e.TakenBack(**asked.stamp(command.request), seat=command.seat)


def presence_entry(table: Table, number: int, now: int, *, is_there: bool) -> AnyEntry | None:
    """What is to be noted of the person of a seat who is connected, or is not; if anything is."""
    seat = table.seats[number]
    is_away = seat.away_since is not None
    if seat.person is None or is_there != is_away or table.status == "over":
        return None
    if not is_there:
        return e.Away(at=now, seat=number)
    return e.Here(at=now, seat=number) if table.may_reconnect(seat.person) else None


def _resign(command: m.Resign, asked: Asked) -> AnyEntry:
    asked.require_playing()
    if asked.own(command.seat).resigned:
        raise Refusal("not-possible", "You have resigned already.")
    return e.Resigned(**asked.stamp(command.request), seat=command.seat)


def _say(command: m.Say, asked: Asked) -> AnyEntry:
    if not asked.table.chat_open:
        raise Refusal("chat-off", "The host has switched the chat off.")
    if asked.table.lines >= MAX_CHAT_LINES:
        raise Refusal("not-possible", "Too much has been said at this table: the chat is full.")
    text = clean(command.text, m.MAX_CHAT)
    if not text:
        raise Refusal("not-possible", "There is nothing to read in that.")
    seats = asked.table.seats
    name = next((s.name for s in seats if s.person == asked.person.id), asked.person.name)
    return e.Said(**asked.stamp(command.request), name=name, text=text)


def _chat(command: m.Chat, asked: Asked) -> AnyEntry:
    asked.require_host()
    if command.open or not asked.table.chat_open:  # to silence a chat is always possible
        asked.require_few_entries()
    return e.Chat(**asked.stamp(command.request), open=command.open)


# The entry that each command becomes, or a Refusal.
_HANDLERS: dict[type[m.Command], Callable[[Any, Asked], AnyEntry]] = {
    m.Act: _act,
    m.Sit: _sit,
    m.Leave: _leave,
    m.Assign: _assign,
    m.Words: _words,
    m.Start: _start,
    m.TakeBack: _take_back,
    m.Resign: _resign,
    m.Say: _say,
    m.Chat: _chat,
}
