"""Validate lines of chat, and commands of the host about people."""

from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal, clean
from souk.server.tables.entries import AnyEntry
from souk.server.tables.names import unique_name
from souk.server.tables.request import REMOVED, Request

MAX_LINES = 5000  # of a person at a table
MAX_GUEST_LINES = 5000  # of all people but the host; then only the host and those in a seat write


def say(command: c.Say, request: Request) -> AnyEntry:
    """Return the entry of a line of chat."""
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
        name = unique_name(request.person.name, request.names_of_others())
    return e.Said(**request.stamp(command.request), name=name, text=text)


def chat(command: c.Chat, request: Request) -> AnyEntry:
    """Return the entry that switches the chat on or off."""
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


def mute(command: c.Mute, request: Request) -> AnyEntry:
    """Return the entry that stops a person from writing, or allows it again."""
    name = _other_at_table(command.person, request)
    if command.muted == (command.person in request.table.muted):
        raise Refusal("not-possible", f"{name} is {'' if command.muted else 'not '}muted.")
    if not command.muted:  # muting is always possible
        request.require_few_entries()
    return e.Muted(
        **request.stamp(command.request), person=command.person, name=name, muted=command.muted
    )


def kick(command: c.Kick, request: Request) -> AnyEntry:
    """Return the entry that removes a person from the table."""
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


def unban(command: c.Unban, request: Request) -> AnyEntry:
    """Return the entry that lets a person return."""
    name = _other_at_table(command.person, request)
    if command.person not in request.table.banned:
        raise Refusal("not-possible", f"{name} may come to this table.")
    request.require_few_entries()
    return e.Unbanned(**request.stamp(command.request), person=command.person, name=name)
