"""Validate commands: return the entry that a command becomes, or raise a refusal.

Nothing here changes a table. Who sends a command is known from the session, never from the message.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict

from msgspec import Struct

from souk.engine.errors import SoukError, brief, one_of
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal, clean
from souk.server.tables.entries import AnyEntry
from souk.server.tables.hosted_games import levels
from souk.server.tables.names import checked_name, skeleton, unique_name
from souk.server.tables.table import Receipt, Seat, Table, draw_chance

# Of a person at a table, so that nobody uses up what others need. Play always goes on.
MAX_LINES = 5000  # of chat
MAX_ENTRIES = 300  # other than play and chat
# Of all people but the host; from then on only the host and those in a seat go on.
MAX_GUEST_LINES = 5000
MAX_GUEST_ENTRIES = 3000

REMOVED = "The host has removed you from this table."

# The entries that a command may become.
_ENTRIES_OF: dict[type[c.Command], tuple[type[AnyEntry], ...]] = {
    c.Act: (e.Acted,),
    c.Sit: (e.Sat,),
    c.Leave: (e.Left, e.TakenOver),
    c.Assign: (e.Assigned,),
    c.Words: (e.WordsAdded,),
    c.Start: (e.Started,),
    c.TakeBack: (e.TakenBack,),
    c.Resign: (e.Resigned,),
    c.Propose: (e.Proposed,),
    c.Answer: (e.Answered,),
    c.Abort: (e.Aborted,),
    c.Replace: (e.TakenOver,),
    c.Claim: (e.Forfeited,),
    c.Hint: (e.Hinted,),
    c.Say: (e.Said,),
    c.Chat: (e.Chat,),
    c.Mute: (e.Muted,),
    c.Kick: (e.Kicked,),
    c.Unban: (e.Unbanned,),
}
_CLEANED = {"words": c.MAX_WORDS, "text": c.MAX_CHAT}


@dataclass(frozen=True)
class Person:
    """Somebody with an identity: a person, or a program with a token."""

    id: str
    name: str
    is_bot: bool = False


class Stamp(TypedDict):
    """The origin of an entry."""

    at: int
    by: str
    request: str


class Request(Struct, frozen=True):
    """A command's context: the table, the sender and the time."""

    table: Table
    person: Person
    now: int

    def stamp(self, request: str) -> Stamp:
        """Return the fields that say where an entry came from."""
        return {"at": self.now, "by": self.person.id, "request": request}

    def seat(self, number: int) -> Seat:
        """Return a seat by its number."""
        if number >= len(self.table.seats):
            last = len(self.table.seats)
            raise Refusal("no-such-seat", f"This table has seats 1 to {last}, not {number + 1}.")
        return self.table.seats[number]

    def own_seat(self, number: int) -> Seat:
        """Return a seat that must belong to the sender."""
        seat = self.seat(number)
        if seat.person != self.person.id:
            raise Refusal("not-your-seat", f"Seat {number + 1} is not yours.")
        return seat

    def player_seat(self) -> int:
        """Return the first seat that the sender plays themselves."""
        for number, seat in enumerate(self.table.seats):
            if seat.person == self.person.id and not seat.is_played_by_computer:
                return number
        raise Refusal("not-your-seat", "Only players of this game can do that.")

    def waits_for_another(self) -> bool:
        """Return whether a player other than the sender stalls."""
        stalls_at, mover = self.table.stalls_at(), self.table.mover
        if stalls_at is None or mover is None or self.now < stalls_at:
            return False
        return self.table.seats[mover].person != self.person.id

    def require_stalled(self, number: int) -> None:
        """Refuse unless a seat is to move and its player, not the sender, stalls."""
        seat, stalls_at = self.seat(number), self.table.stalls_at()
        if seat.person == self.person.id:
            raise Refusal("not-possible", "This seat is your own.")
        if self.table.mover != number:
            raise Refusal("not-possible", f"The game does not wait for {seat.name}.")
        if stalls_at is None:
            raise Refusal("not-possible", "The clock of the table decides here.")
        if self.now < stalls_at:
            left = -(-(stalls_at - self.now) // 1000)
            raise Refusal("not-possible", f"{seat.name} has {left} seconds left to move.")

    def require_host(self) -> None:
        """Refuse unless the sender is the host or acts as host."""
        if self.person.id not in (self.table.config.host, self.table.deputy):
            raise Refusal("not-the-host", "Only the host of the table can do that.")

    def require_waiting(self) -> None:
        """Refuse unless the game has not started."""
        if self.table.status != "waiting":
            raise Refusal("already-started", "The game has started.")

    def require_playing(self) -> None:
        """Refuse unless the game is in progress."""
        if self.table.status == "waiting":
            raise Refusal("not-started", "The game has not started yet.")
        if self.table.status == "over":
            raise Refusal("over", "The game is over.")

    def require_few_entries(self) -> None:
        """Refuse when entries of the sender other than play and chat would fill the log.

        Leaving a seat and taking one back are always possible: another entry preceded them.
        """
        if self.table.other_entries[self.person.id] >= MAX_ENTRIES:
            raise Refusal(
                "not-possible",
                "You have reached your limit of changes at this table; the game itself goes on.",
            )

    def require_few(self, counts: Counter[str], most: int, sentence: str) -> None:
        """Refuse a guest without a seat when the entries of all guests would fill the log."""
        host, person = self.table.config.host, self.person.id
        if person == host or any(seat.person == person for seat in self.table.seats):
            return
        if counts.total() - counts[host] >= most:
            raise Refusal("not-possible", sentence)


def decide(request: Request, command: c.Command) -> AnyEntry | Receipt:
    """Return the entry that a command becomes, or its receipt if it was carried out before."""
    before = request.table.requests.get((request.person.id, command.request))
    if before is None:
        return _HANDLERS[type(command)](command, request)
    entry, receipt = before
    if not _is_same_request(command, entry, receipt):
        raise Refusal("request-used", "You have used this request name for another command.")
    return receipt


def _is_same_request(command: c.Command, entry: AnyEntry, receipt: Receipt) -> bool:
    """Return whether an entry is what a command would have become."""
    if not isinstance(entry, _ENTRIES_OF[type(command)]):
        return False
    if isinstance(command, c.Act):
        assert isinstance(entry, e.Acted)
        version = receipt.version - 1 - len(entry.chance)
        return (command.version, command.action) == (version, entry.action)
    fields = command.__struct_fields__
    return all(_agrees(entry, field, getattr(command, field)) for field in fields)


def _agrees(entry: AnyEntry, field: str, value: object) -> bool:
    """Return whether an entry has the value of a command's field, cleaned as it was then."""
    if field in _CLEANED:
        value = clean(str(value or ""), _CLEANED[field])
    if field == "name":
        value = checked_name(str(value or ""))
        if not value:
            return True  # the person's own name, which may have changed
    return bool(getattr(entry, field) == value)


def _act(command: c.Act, request: Request) -> AnyEntry:
    table = request.table
    if table.status != "playing":
        request.require_playing()
    if table.paused_since is not None:
        raise Refusal("paused", "The game is paused.")
    if command.version != table.version:
        raise Refusal(
            "stale",
            f"The action is for version {brief(command.version)}; the table is at {table.version}.",
        )
    seat = table.mover
    assert seat is not None
    owner = table.seats[seat]
    if owner.person != request.person.id:
        raise Refusal("not-your-turn", f"It is {owner.name}'s turn.")
    if owner.resigned:
        raise Refusal("not-your-turn", "You have resigned.")
    if owner.takeover is not None:
        raise Refusal(
            "not-your-turn", "The computer is playing for you: take your seat back first."
        )
    return action_entry(
        table, seat, command.action, request.now, request.person.id, command.request
    )


def action_entry(
    table: Table, seat: int, text: str, now: int, by: str | None = None, request: str | None = None
) -> e.Acted:
    """Return the entry of an action by the player to move, with the chance that follows it."""
    after = table.copy_state()
    try:
        action = table.game.string_to_action(text)
        after.apply_action(action)
    except SoukError as error:
        raise Refusal("illegal", f"{error}.") from None
    drawn = draw_chance(table.dice(), after, table.version + 1)
    text = table.game.action_texts[action]  # not another spelling of it
    entry = e.Acted(
        at=now, by=by, request=request, seat=seat, action=text, chance=drawn, computer=by is None
    )
    table.cache_result(entry, after)
    return entry


def _sit(command: c.Sit, request: Request) -> AnyEntry:
    request.require_waiting()
    request.require_few_entries()
    request.require_few(
        request.table.other_entries,
        MAX_GUEST_ENTRIES,
        "This table has reached its limit of changes by guests.",
    )
    seat = request.seat(command.seat)
    if seat.kind != "open":
        raise Refusal("seat-not-free", f"{seat.name} has this seat.")
    if request.person.id in request.table.banned:
        raise Refusal("removed", REMOVED)
    return e.Sat(
        **request.stamp(command.request),
        seat=command.seat,
        person=request.person.id,
        name=_seat_name(command.name or "", request),
        bot=request.person.is_bot,
    )


def _seat_name(text: str, request: Request) -> str:
    """Return the name for a seat; nobody takes the name of somebody else at the table."""
    name = checked_name(text)
    taken = _names_of_others(request)
    if not name:
        return unique_name(request.person.name, taken)
    for other in taken:
        if skeleton(name) == skeleton(other):
            raise Refusal("name-taken", f"{other} is at this table: choose another name.")
    return name


def _names_of_others(request: Request) -> list[str]:
    seats = request.table.seats
    return [s.name for s in seats if s.kind != "open" and s.person != request.person.id]


def _leave(command: c.Leave, request: Request) -> AnyEntry:
    seat = request.own_seat(command.seat)
    if request.table.status == "waiting":
        return e.Left(**request.stamp(command.request), seat=command.seat)
    request.require_playing()
    if request.table.config.absent == "never":
        raise Refusal(
            "not-possible", "The computer never takes over at this table: resign instead."
        )
    if seat.is_played_by_computer:
        raise Refusal("not-possible", "The computer is playing for you already.")
    request.require_few_entries()
    return e.TakenOver(**request.stamp(command.request), seat=command.seat, why="left")


def _assign(command: c.Assign, request: Request) -> AnyEntry:
    request.require_host()
    request.require_waiting()
    request.require_few_entries()
    seat = request.seat(command.seat)
    if seat.person is not None and request.person.id != request.table.config.host:
        raise Refusal("not-the-host", f"Only the host can take the seat from {seat.name}.")
    if command.level is not None:
        check_level(request.table.game.name, command.level)
    return e.Assigned(**request.stamp(command.request), seat=command.seat, level=command.level)


def check_level(game: str, level: str) -> None:
    """Refuse a level that a game does not have."""
    known = levels(game)
    if level not in known:
        raise Refusal(
            "not-possible", f"There is no computer player {brief(level)}; choose {one_of(known)}."
        )


def _words(command: c.Words, request: Request) -> AnyEntry:
    request.require_waiting()
    request.require_few_entries()
    request.own_seat(command.seat)
    words = clean(command.words, c.MAX_WORDS)
    return e.WordsAdded(**request.stamp(command.request), seat=command.seat, words=words)


def _start(command: c.Start, request: Request) -> AnyEntry:
    request.require_host()
    request.require_waiting()
    return start_entry(request.table, request.now, request.person.id, command.request)


def start_entry(table: Table, now: int, by: str, request: str | None = None) -> e.Started:
    """Return the entry that starts the game; every seat must be taken."""
    free = [str(number) for number, seat in enumerate(table.seats, 1) if seat.kind == "open"]
    if free:
        which = f"Seat {free[0]} is" if len(free) == 1 else f"Seats {' and '.join(free)} are"
        raise Refusal("seats-open", f"{which} still open.")
    dice = table.dice()
    seed = dice.seed()
    drawn = draw_chance(dice, table.game.new_initial_state(seed), 0)
    return e.Started(at=now, by=by, request=request, seed=seed, chance=drawn)


def _take_back(command: c.TakeBack, request: Request) -> AnyEntry:
    request.require_playing()
    seat = request.own_seat(command.seat)
    if seat.resigned:
        raise Refusal("not-possible", "You have resigned.")
    if seat.takeover is None:
        raise Refusal("not-possible", "You are playing this seat yourself.")
    if request.table.is_time_up(command.seat):  # or the same turn could get new time for ever
        raise Refusal(
            "not-your-turn",
            "Your time for this turn is up: you can play again from your next turn.",
        )
    if seat.away_since is not None and not request.table.may_reconnect(seat.person):
        raise Refusal(
            "too-fast", "You have reconnected very often: wait until the game has gone on."
        )
    return e.TakenBack(**request.stamp(command.request), seat=command.seat)


def presence_entry(table: Table, number: int, now: int, *, is_connected: bool) -> AnyEntry | None:
    """Return the entry that says that the person of a seat came or went; None if neither did."""
    seat = table.seats[number]
    is_away = seat.away_since is not None
    if seat.person is None or is_connected != is_away or table.status == "over":
        return None
    if not is_connected:
        return e.Away(at=now, seat=number)
    return e.Here(at=now, seat=number) if table.may_reconnect(seat.person) else None


def _resign(command: c.Resign, request: Request) -> AnyEntry:
    request.require_playing()
    if request.own_seat(command.seat).resigned:
        raise Refusal("not-possible", "You have resigned already.")
    return e.Resigned(**request.stamp(command.request), seat=command.seat)


def _propose(command: c.Propose, request: Request) -> AnyEntry:
    request.require_playing()
    request.require_few_entries()
    table, seat = request.table, request.player_seat()
    open_proposal = table.proposal
    if open_proposal is not None and request.now < open_proposal.until:
        raise Refusal("not-possible", "Another proposal is waiting for answers.")
    if table.declined.get(request.person.id) == table.version:
        raise Refusal(
            "not-possible", "Your last proposal was declined: wait until the game has gone on."
        )
    if (command.what == "resume") != (table.paused_since is not None):
        if table.paused_since is not None:
            raise Refusal("paused", "The game is paused.")
        raise Refusal("not-possible", "The game is not paused.")
    if command.what == "draw":
        _require_draws(table)
    return e.Proposed(**request.stamp(command.request), seat=seat, what=command.what)


def _require_draws(table: Table) -> None:
    """Refuse unless players can agree on a draw."""
    if not table.game.has_draws():
        raise Refusal("not-possible", "There are no draws by the rules of this game.")
    if any(table.seats[number].is_played_by_computer for number in table.active_seats()):
        raise Refusal("not-possible", "The computer does not agree to draws.")


def _answer(command: c.Answer, request: Request) -> AnyEntry:
    request.require_playing()
    seat, proposal = request.player_seat(), request.table.proposal
    if proposal is None or proposal.n != command.proposal or request.now >= proposal.until:
        raise Refusal("not-possible", "This proposal is no longer open.")
    if command.agree and request.person.id in proposal.agreed:
        raise Refusal("not-possible", "You have agreed already.")
    if command.agree and proposal.what == "draw":
        _require_draws(request.table)
    stamp = request.stamp(command.request)
    return e.Answered(**stamp, seat=seat, proposal=command.proposal, agree=command.agree)


def _abort(command: c.Abort, request: Request) -> AnyEntry:
    request.require_playing()
    table, seat = request.table, request.player_seat()
    others = table.voters("abort") - {request.person.id}
    if others and not table.is_abortable and not request.waits_for_another():
        raise Refusal("not-possible", "Everybody has played: the others must agree to abort.")
    return e.Aborted(**request.stamp(command.request), seat=seat)


def _replace(command: c.Replace, request: Request) -> AnyEntry:
    request.require_playing()
    request.player_seat()
    if request.table.config.absent == "never":
        raise Refusal(
            "not-possible", "The computer never takes over at this table: claim the game instead."
        )
    request.require_stalled(command.seat)
    return e.TakenOver(**request.stamp(command.request), seat=command.seat, why="stalled")


def _claim(command: c.Claim, request: Request) -> AnyEntry:
    request.require_playing()
    request.player_seat()
    if request.table.config.absent != "never":
        raise Refusal("not-possible", "Let the computer take over instead.")
    request.require_stalled(command.seat)
    return e.Forfeited(**request.stamp(command.request), seat=command.seat)


def _hint(command: c.Hint, request: Request) -> AnyEntry | Receipt:
    """Announce a hint, once for each position."""
    request.require_playing()
    table = request.table
    if table.paused_since is not None:
        raise Refusal("paused", "The game is paused.")
    assert table.mover is not None
    owner = table.seats[table.mover]
    if owner.person != request.person.id or owner.is_played_by_computer or request.person.is_bot:
        raise Refusal("not-your-turn", "Hints are for the person to move.")
    if not table.are_hints_allowed:
        raise Refusal("hints-off", "Hints are not allowed at this table.")
    if table.hinted_version == table.version:
        return Receipt(table.n, table.version)
    return e.Hinted(**request.stamp(command.request), seat=table.mover)


def _say(command: c.Say, request: Request) -> AnyEntry:
    if not request.table.chat_open:
        raise Refusal("chat-off", "The host has switched the chat off.")
    if request.person.id in request.table.muted:
        raise Refusal("muted", "The host has muted you at this table.")
    if request.person.id in request.table.banned:
        raise Refusal("removed", REMOVED)
    lines = request.table.lines
    if lines[request.person.id] >= MAX_LINES:
        raise Refusal("not-possible", "You have reached your limit of lines at this table.")
    request.require_few(lines, MAX_GUEST_LINES, "The chat of this table is full.")
    text = clean(command.text, c.MAX_CHAT)
    if not text:
        raise Refusal("not-possible", "The message is empty.")
    seats = request.table.seats
    name = next((s.name for s in seats if s.person == request.person.id), None)
    if name is None:  # of somebody who watches: not the name of a player
        name = unique_name(request.person.name, _names_of_others(request))
    return e.Said(**request.stamp(command.request), name=name, text=text)


def _chat(command: c.Chat, request: Request) -> AnyEntry:
    request.require_host()
    if command.open or not request.table.chat_open:  # switching it off is always possible
        request.require_few_entries()
    return e.Chat(**request.stamp(command.request), open=command.open)


def _other_at_table(person: str, request: Request) -> str:
    """Return the name of somebody else at the table, for a command of the host about them."""
    if request.person.id != request.table.config.host:  # a deputy may not do that
        raise Refusal("not-the-host", "Only the host of the table can do that.")
    if person == request.person.id:
        raise Refusal("not-possible", "You cannot do that to yourself.")
    name = request.table.name_of(person)
    if name is None:
        raise Refusal("no-such-person", "This person neither plays nor writes at this table.")
    return name


def _mute(command: c.Mute, request: Request) -> AnyEntry:
    name = _other_at_table(command.person, request)
    if command.muted == (command.person in request.table.muted):
        raise Refusal("not-possible", f"{name} is {'' if command.muted else 'not '}muted.")
    if not command.muted:  # muting is always possible
        request.require_few_entries()
    return e.Muted(
        **request.stamp(command.request), person=command.person, name=name, muted=command.muted
    )


def _kick(command: c.Kick, request: Request) -> AnyEntry:
    name = _other_at_table(command.person, request)
    if request.table.status == "playing" and any(
        seat.person == command.person for seat in request.table.seats
    ):
        raise Refusal("not-possible", "A player cannot be removed during the game.")
    if command.person in request.table.banned:
        raise Refusal("not-possible", f"{name} is removed already.")
    if not command.ban:  # a ban is always possible
        request.require_few_entries()
    return e.Kicked(
        **request.stamp(command.request), person=command.person, name=name, ban=command.ban
    )


def _unban(command: c.Unban, request: Request) -> AnyEntry:
    name = _other_at_table(command.person, request)
    if command.person not in request.table.banned:
        raise Refusal("not-possible", f"{name} may come to this table.")
    request.require_few_entries()
    return e.Unbanned(**request.stamp(command.request), person=command.person, name=name)


# By type of command: return the entry that it becomes, or raise a Refusal.
_HANDLERS: dict[type[c.Command], Callable[[Any, Request], AnyEntry | Receipt]] = {
    c.Act: _act,
    c.Sit: _sit,
    c.Leave: _leave,
    c.Assign: _assign,
    c.Words: _words,
    c.Start: _start,
    c.TakeBack: _take_back,
    c.Resign: _resign,
    c.Propose: _propose,
    c.Answer: _answer,
    c.Abort: _abort,
    c.Replace: _replace,
    c.Claim: _claim,
    c.Hint: _hint,
    c.Say: _say,
    c.Chat: _chat,
    c.Mute: _mute,
    c.Kick: _kick,
    c.Unban: _unban,
}
