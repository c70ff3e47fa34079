"""Validate commands: return the entry that a command becomes, or raise a refusal.

Nothing here changes a table. Who sends a command is known from the session, never from the message.
"""

from collections.abc import Callable
from typing import Any

from souk.engine.errors import SoukError, all_of, brief, one_of
from souk.server.tables import agreements, chat
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal, clean
from souk.server.tables.entries import AnyEntry
from souk.server.tables.hosted_games import levels
from souk.server.tables.names import checked_name, skeleton, unique_name
from souk.server.tables.request import REMOVED, Request
from souk.server.tables.table import MAX_ACTIONS, Receipt, Table, draw_chance

MAX_GUEST_ENTRIES = 3000  # of all people but the host, other than play and chat; then as for chat

# The entries that a command may become.
_ENTRIES_OF: dict[type[c.Command], tuple[type[AnyEntry], ...]] = {
    c.Act: (e.Acted,),
    c.Undo: (e.Undone,),
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


def _require_current(request: Request, version: int) -> None:
    """Refuse a command for another version of the position, or during a pause."""
    table = request.table
    if table.status != "playing":
        request.require_playing()
    if table.paused_since is not None:
        raise Refusal("paused", "The game is paused.")
    if version != table.version:
        raise Refusal(
            "stale",
            f"The action is for version {brief(version)}; the table is at {table.version}.",
        )


def _act(command: c.Act, request: Request) -> AnyEntry:
    _require_current(request, command.version)
    table = request.table
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


def _undo(command: c.Undo, request: Request) -> AnyEntry:
    _require_current(request, command.version)
    seat = request.table.undo_seat
    if seat is None:
        raise Refusal("not-possible", "There is no action that can be undone.")
    owner = request.own_seat(seat)
    if owner.is_played_by_computer:
        raise Refusal("not-possible", "The computer is playing for you: take your seat back first.")
    request.require_few_entries()
    return e.Undone(**request.stamp(command.request), seat=seat, version=command.version)


def action_entry(
    table: Table, seat: int, text: str, now: int, by: str | None = None, request: str | None = None
) -> e.Acted:
    """Return the entry of an action by the player to move, with the chance that follows it."""
    if table.is_full:
        raise Refusal(
            "not-possible",
            f"A game may have at most {MAX_ACTIONS} actions: abort it, or resign.",
        )
    after = table.copy_state()
    try:
        action = table.game.string_to_action(text)
        after.apply_action(action)
    except SoukError as error:
        raise Refusal("illegal", f"{error}.") from None
    drawn = draw_chance(table.dice(), after, len(table.actions) + 1)
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
    taken = request.names_of_others()
    if not name:
        return unique_name(request.person.name, taken)
    for other in taken:
        if skeleton(name) == skeleton(other):
            raise Refusal("name-taken", f"{other} is at this table: choose another name.")
    return name


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
    if ":" in level:
        raise Refusal(
            "not-possible",
            f"Computer players take no settings or weights here; choose {one_of(known)}.",
        )
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
        which = f"Seat {free[0]} is" if len(free) == 1 else f"Seats {all_of(free)} are"
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


# By type of command: return the entry that it becomes, or raise a Refusal.
_HANDLERS: dict[type[c.Command], Callable[[Any, Request], AnyEntry | Receipt]] = {
    c.Act: _act,
    c.Undo: _undo,
    c.Sit: _sit,
    c.Leave: _leave,
    c.Assign: _assign,
    c.Words: _words,
    c.Start: _start,
    c.TakeBack: _take_back,
    c.Resign: _resign,
    c.Propose: agreements.propose,
    c.Answer: agreements.answer,
    c.Abort: agreements.abort,
    c.Replace: agreements.replace,
    c.Claim: agreements.claim,
    c.Hint: _hint,
    c.Say: chat.say,
    c.Chat: chat.chat,
    c.Mute: chat.mute,
    c.Kick: chat.kick,
    c.Unban: chat.unban,
}
